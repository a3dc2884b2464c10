package policy

import "strings"

// The names below are what ledgers, timelines and cards show. They are
// append-only: an entry that was written with a name must always be readable.

var outcomeNames = [...]string{
	Refuse: "refuse",
	Hold:   "hold",
	Notify: "notify",
	Allow:  "allow",
}

var rungNames = [...]string{
	RungNone:         "none",
	RungBounds:       "bounds",
	RungShape:        "shape",
	RungIdentity:     "identity",
	RungTool:         "tool",
	RungScope:        "scope",
	RungTenant:       "tenant",
	RungSchema:       "schema",
	RungReference:    "reference",
	RungRequirements: "requirements",
	RungReplay:       "replay",
	RungRisk:         "risk",
}

var reasonNames = [...]string{
	NoReason:           "none",
	Allowed:            "allowed",
	AllowedWithNotice:  "allowed_with_notice",
	NeedsHumanApproval: "needs_human_approval",
	MaxStepsExceeded:   "max_steps_exceeded",
	DeadlineExceeded:   "deadline_exceeded",
	BudgetExceeded:     "budget_exceeded",
	NoProgress:         "no_progress",
	Malformed:          "malformed",
	CredentialInvalid:  "credential_invalid",
	CredentialExpired:  "credential_expired",
	AgentUnknown:       "agent_unknown",
	AgentSuspended:     "agent_suspended",
	UnknownTool:        "unknown_tool",
	ToolNotInScope:     "tool_not_in_scope",
	ToolNotAllowlisted: "tool_not_allowlisted",
	CrossTenantDenied:  "cross_tenant_denied",
	SchemaInvalid:      "schema_invalid",
	ReferenceUnknown:   "reference_unknown",
	StateConflict:      "state_conflict",
	IdempotentReplay:   "idempotent_replay",
	OutcomeUnknown:     "outcome_unknown",
	RequirementFailed:  "requirement_failed",
}

// holdNames is by bit.
var holdNames = [...]string{"score", "contract", "dangerous", "flag", "standing", "unknown_outcome", "requirement"}

var identityNames = [...]string{
	IdentityInvalid:   "invalid",
	IdentityExpired:   "expired",
	IdentityUnknown:   "unknown",
	IdentitySuspended: "suspended",
	IdentityDegraded:  "degraded",
	IdentityGood:      "good",
}

var priorNames = [...]string{
	PriorUnread:  "unread",
	PriorNone:    "none",
	PriorDone:    "done",
	PriorUnknown: "unknown",
}

var subjectNames = [...]string{
	SubjectUnread:  "unread",
	SubjectNone:    "none",
	SubjectFound:   "found",
	SubjectUnknown: "unknown",
	SubjectForeign: "foreign",
}

// A value without a name, or a name without a value, does not compile.
var (
	_ [outcomeEnd]struct{}  = [len(outcomeNames)]struct{}{}
	_ [rungEnd]struct{}     = [len(rungNames)]struct{}{}
	_ [reasonEnd]struct{}   = [len(reasonNames)]struct{}{}
	_ [identityEnd]struct{} = [len(identityNames)]struct{}{}
	_ [priorEnd]struct{}    = [len(priorNames)]struct{}{}
	_ [subjectEnd]struct{}  = [len(subjectNames)]struct{}{}
	_ [holdEnd]struct{}     = [1 << len(holdNames)]struct{}{}
)

// enum is what the closed lists have in common.
type enum interface {
	Outcome | Rung | Reason | Identity | Prior | SubjectStatus | FaultKind
}

// name of a value; one outside the list has the name of the zero value, which
// refuses in every list.
func name[E enum](names []string, e E) string {
	if int(e) < len(names) {
		return names[e]
	}
	return names[0]
}

func parse[E enum](names []string, s string) (E, bool) {
	for i, n := range names {
		if n == s {
			return E(i), true
		}
	}
	return 0, false
}

func list[E enum](names []string) []E {
	all := make([]E, len(names))
	for i := range all {
		all[i] = E(i)
	}
	return all
}

func (o Outcome) String() string       { return name(outcomeNames[:], o) }
func (r Rung) String() string          { return name(rungNames[:], r) }
func (r Reason) String() string        { return name(reasonNames[:], r) }
func (i Identity) String() string      { return name(identityNames[:], i) }
func (p Prior) String() string         { return name(priorNames[:], p) }
func (s SubjectStatus) String() string { return name(subjectNames[:], s) }

// Outcomes is the closed list, strictest first.
func Outcomes() []Outcome { return list[Outcome](outcomeNames[:]) }

// Rungs is the closed list, in the order in which the questions are asked.
func Rungs() []Rung { return list[Rung](rungNames[:]) }

// Reasons is the closed list.
func Reasons() []Reason { return list[Reason](reasonNames[:]) }

// Identities is the closed list.
func Identities() []Identity { return list[Identity](identityNames[:]) }

// Priors is the closed list.
func Priors() []Prior { return list[Prior](priorNames[:]) }

// SubjectStatuses is the closed list.
func SubjectStatuses() []SubjectStatus { return list[SubjectStatus](subjectNames[:]) }

// ParseOutcome reads a name back.
func ParseOutcome(s string) (Outcome, bool) { return parse[Outcome](outcomeNames[:], s) }

// ParseRung reads a name back.
func ParseRung(s string) (Rung, bool) { return parse[Rung](rungNames[:], s) }

// ParseReason reads a name back.
func ParseReason(s string) (Reason, bool) { return parse[Reason](reasonNames[:], s) }

// ParseIdentity reads a name back.
func ParseIdentity(s string) (Identity, bool) { return parse[Identity](identityNames[:], s) }

// ParsePrior reads a name back.
func ParsePrior(s string) (Prior, bool) { return parse[Prior](priorNames[:], s) }

// ParseSubjectStatus reads a name back.
func ParseSubjectStatus(s string) (SubjectStatus, bool) {
	return parse[SubjectStatus](subjectNames[:], s)
}

// HoldCauses is the closed list of single causes.
func HoldCauses() []HoldCause {
	all := make([]HoldCause, len(holdNames))
	for i := range all {
		all[i] = 1 << i
	}
	return all
}

// Names of the causes in the set, in order; nil for the empty set.
func (h HoldCause) Names() []string {
	var names []string
	for i, n := range holdNames {
		if h&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String joins the names with commas; the empty set is "".
func (h HoldCause) String() string { return strings.Join(h.Names(), ", ") }

// ParseHoldCause reads the name of one cause back.
func ParseHoldCause(s string) (HoldCause, bool) {
	for i, n := range holdNames {
		if n == s {
			return 1 << i, true
		}
	}
	return 0, false
}
