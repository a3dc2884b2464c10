package interp

// The closed lists below are spelled as in the runtime's policy ABI. A test that
// may import both holds them equal.

// Rung of the ladder.
type Rung string

// The rungs that a decision can end on, in order. The bounds of a run are the
// loop's business, before a proposal exists, and no part of a case.
const (
	RungShape        Rung = "shape"
	RungIdentity     Rung = "identity"
	RungTool         Rung = "tool"
	RungScope        Rung = "scope"
	RungTenant       Rung = "tenant"
	RungSchema       Rung = "schema"
	RungReference    Rung = "reference"
	RungRequirements Rung = "requirements"
	RungReplay       Rung = "replay"
	RungRisk         Rung = "risk"
)

// Rungs is the closed list, in order.
func Rungs() []Rung {
	return []Rung{RungShape, RungIdentity, RungTool, RungScope, RungTenant, RungSchema,
		RungReference, RungRequirements, RungReplay, RungRisk}
}

// Reason of a decision.
type Reason string

// The reasons of the gate.
const (
	Allowed            Reason = "allowed"
	AllowedWithNotice  Reason = "allowed_with_notice"
	NeedsHumanApproval Reason = "needs_human_approval"
	Malformed          Reason = "malformed"
	CredentialInvalid  Reason = "credential_invalid"
	CredentialExpired  Reason = "credential_expired"
	AgentUnknown       Reason = "agent_unknown"
	AgentSuspended     Reason = "agent_suspended"
	UnknownTool        Reason = "unknown_tool"
	ToolNotInScope     Reason = "tool_not_in_scope"
	ToolNotAllowlisted Reason = "tool_not_allowlisted"
	CrossTenantDenied  Reason = "cross_tenant_denied"
	SchemaInvalid      Reason = "schema_invalid"
	ReferenceUnknown   Reason = "reference_unknown"
	StateConflict      Reason = "state_conflict"
	IdempotentReplay   Reason = "idempotent_replay"
	OutcomeUnknown     Reason = "outcome_unknown"
	RequirementFailed  Reason = "requirement_failed"
)

// Reasons is the closed list.
func Reasons() []Reason {
	return []Reason{Allowed, AllowedWithNotice, NeedsHumanApproval, Malformed,
		CredentialInvalid, CredentialExpired, AgentUnknown, AgentSuspended, UnknownTool,
		ToolNotInScope, ToolNotAllowlisted, CrossTenantDenied, SchemaInvalid,
		ReferenceUnknown, StateConflict, IdempotentReplay, OutcomeUnknown,
		RequirementFailed}
}

// HoldCause is one of the reasons to wait for a person.
type HoldCause string

// The causes; all that apply are given.
const (
	HoldScore       HoldCause = "score"           // the band
	HoldContract    HoldCause = "contract"        // `approval required`
	HoldDangerous   HoldCause = "dangerous"       // the contract is marked so
	HoldFlag        HoldCause = "flag"            // a flag with `else hold`
	HoldStanding    HoldCause = "standing"        // the agent is degraded
	HoldUnknown     HoldCause = "unknown_outcome" // the same action may have been done
	HoldRequirement HoldCause = "requirement"     // a clause that failed and says so
)

// HoldCauses is the closed list, in the order in which a decision gives them.
func HoldCauses() []HoldCause {
	return []HoldCause{HoldScore, HoldContract, HoldDangerous, HoldFlag, HoldStanding, HoldUnknown, HoldRequirement}
}

// Identity is what was found out about who is asking. Anything outside the list,
// the empty string included, is invalid.
type Identity string

// The identities.
const (
	IdentityInvalid   Identity = "invalid"
	IdentityExpired   Identity = "expired"
	IdentityUnknown   Identity = "unknown"
	IdentitySuspended Identity = "suspended"
	IdentityDegraded  Identity = "degraded"
	IdentityGood      Identity = "good"
)

// Identities is the closed list.
func Identities() []Identity {
	return []Identity{IdentityInvalid, IdentityExpired, IdentityUnknown, IdentitySuspended,
		IdentityDegraded, IdentityGood}
}

// Fault is why the bytes of a proposal were refused.
type Fault string

// The faults: of the shape first, then of the schema.
const (
	NoFault Fault = ""

	FaultSize      Fault = "size"
	FaultUTF8      Fault = "utf8"
	FaultSyntax    Fault = "syntax"
	FaultNotObject Fault = "not_object"
	FaultTrailing  Fault = "trailing"
	FaultDuplicate Fault = "duplicate"
	FaultDepth     Fault = "depth"
	FaultNoTool    Fault = "no_tool"

	FaultUnknownField Fault = "unknown_field"
	FaultMissing      Fault = "missing"
	FaultWrongType    Fault = "wrong_type"
	FaultOutOfRange   Fault = "out_of_range"
	FaultTooShort     Fault = "too_short"
	FaultTooLong      Fault = "too_long"
	FaultPattern      Fault = "pattern"
	FaultNotAMember   Fault = "not_a_member"
	FaultScale        Fault = "scale"
	FaultNumeral      Fault = "numeral"
	FaultTooMany      Fault = "too_many"
)

// Faults is the closed list, without NoFault.
func Faults() []Fault {
	return []Fault{FaultSize, FaultUTF8, FaultSyntax, FaultNotObject, FaultTrailing,
		FaultDuplicate, FaultDepth, FaultNoTool, FaultUnknownField, FaultMissing,
		FaultWrongType, FaultOutOfRange, FaultTooShort, FaultTooLong, FaultPattern,
		FaultNotAMember, FaultScale, FaultNumeral, FaultTooMany}
}

// Bounds of a proposal. They are the runtime's own; no policy widens them.
const (
	MaxProposal = 64 << 10 // bytes
	MaxDepth    = 8        // objects and lists inside each other, the outermost included
	MaxSources  = 32       // ids that it rests on
	MaxID       = 200      // bytes of an id
)
