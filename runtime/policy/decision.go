package policy

// Outcome of a decision, in order of strictness: when several speak, the
// smallest wins. The zero value refuses.
type Outcome uint8

const (
	Refuse Outcome = iota
	Hold
	Notify
	Allow

	outcomeEnd
)

// Rung of the ladder, in the order in which the questions are asked.
type Rung uint8

const (
	RungNone Rung = iota
	RungBounds
	RungShape
	RungIdentity
	RungTool
	RungScope
	RungTenant
	RungSchema
	RungReference
	RungRequirements
	RungReplay
	RungRisk

	rungEnd
)

// Reason is why a decision came out as it did, or why a run may not go on. The
// list is closed and append-only: the names are in ledgers. The zero value is no
// reason, and a decision that carries it refuses.
type Reason uint8

const (
	NoReason Reason = iota

	Allowed           // risk: nothing speaks against it
	AllowedWithNotice // risk: done, and somebody is told
	NeedsHumanApproval

	MaxStepsExceeded // bounds
	DeadlineExceeded
	BudgetExceeded
	NoProgress

	Malformed // shape

	CredentialInvalid // identity
	CredentialExpired
	AgentUnknown
	AgentSuspended

	UnknownTool // tool

	ToolNotInScope // scope
	ToolNotAllowlisted

	CrossTenantDenied // tenant

	SchemaInvalid // schema

	ReferenceUnknown // reference
	StateConflict

	IdempotentReplay // replay
	OutcomeUnknown

	RequirementFailed // requirements

	reasonEnd // names.go must name every reason above
)

// HoldCause is a set of causes for a hold. All that apply are recorded.
type HoldCause uint8

const (
	HoldScore       HoldCause = 1 << iota // the risk table's band
	HoldContract                          // `approval required`
	HoldDangerous                         // the contract is marked dangerous
	HoldFlag                              // a flag that says so
	HoldStanding                          // the agent is degraded
	HoldUnknown                           // an earlier outcome of this action is unknown
	HoldRequirement                       // a clause that failed, and says so

	holdEnd
)

// Identity is what was found out about who is asking. The zero value is invalid.
type Identity uint8

const (
	IdentityInvalid   Identity = iota // no credential, or one that does not verify
	IdentityExpired                   // a credential past its time
	IdentityUnknown                   // verified, but no such agent in the registry, or another role
	IdentitySuspended                 // standing
	IdentityDegraded                  // standing: everything holds
	IdentityGood

	identityEnd
)

// Prior is what the ledger says of this very action in this run.
type Prior uint8

const (
	PriorUnread  Prior = iota // not looked up: treated as unknown
	PriorNone                 // never done
	PriorDone                 // done, outcome known
	PriorUnknown              // begun, outcome unknown

	priorEnd
)

// Subject is what the registry says of what a proposal names.
type Subject struct {
	Target SubjectStatus
	// Refs is the worst status of the references among the arguments, and
	// RefField the first argument that has it.
	Refs     SubjectStatus
	RefField int32
	// Sources is the worst status of the ids in rests_on.
	Sources SubjectStatus
	Version uint64 // of the target's registry entry
	Attrs   Record // of the target
}

// SubjectStatus is where something that was named was found. The zero value is
// "not looked up", which refuses wherever something is named.
type SubjectStatus uint8

const (
	SubjectUnread  SubjectStatus = iota
	SubjectNone                  // nothing was named
	SubjectFound                 // in the run's tenant
	SubjectUnknown               // nowhere
	SubjectForeign               // in another tenant

	subjectEnd
)

// Decision is the answer of the gate. It is filled in by pointer; its zero value
// is a refusal.
type Decision struct {
	Outcome Outcome
	Rung    Rung
	Reason  Reason
	Holds   HoldCause
	Scored  bool
	Score   int32
	Flags   FlagSet
	Failed  ClauseSet // requirements that were not met
	Line    Pos       // the line of .prov that made it, where one did
	Tool    int32     // index into Package.Tools, -1 where unknown
}
