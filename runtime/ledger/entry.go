// Package ledger is the append-only log of every decision and of what came of
// it. An entry holds identifiers, digests, enums, numbers and the names of
// declared fields; never an argument's value, and never text that a model wrote.
// What a person needs beside it (the proposal's bytes, the facts that were read)
// lies in an Exhibit under the same batch, and is bound by a keyed digest.
package ledger

// Version of the entry format. It is in every entry.
const Version = 1

// Kind of an entry: a closed list. The names are in ledgers.
type Kind string

const (
	KindRunStarted   Kind = "run_started"
	KindDecision     Kind = "decision"
	KindIntent       Kind = "intent"       // on disk before a tool runs
	KindOutcome      Kind = "outcome"      // after it
	KindVerification Kind = "verification" // CONFIRMED, REFUTED, INCONCLUSIVE
	KindEvidence     Kind = "evidence"     // what a settled verification teaches
	KindRunEnded     Kind = "run_ended"
)

// Kinds is the closed list, in the order in which a run writes them.
func Kinds() []Kind {
	return []Kind{KindRunStarted, KindDecision, KindIntent, KindOutcome, KindVerification, KindEvidence, KindRunEnded}
}

// Entry is one line of the ledger. Exactly one of the pointers is set, the one
// that Kind names. Its canonical bytes are JSON in this field order, without
// blanks, HTML escaping or a line end; decoding them and encoding again gives
// the same bytes, and anything else is refused.
type Entry struct {
	V      int    `json:"v"`
	Seq    uint64 `json:"seq"` // from 1, contiguous over the store; assigned by Append
	At     string `json:"at"`  // RFC 3339, UTC, nanoseconds where there are any
	Tenant string `json:"tenant"`
	Run    string `json:"run"`
	Step   int    `json:"step"` // from 1; 0 for run_started
	Kind   Kind   `json:"kind"`

	RunStarted   *RunStarted   `json:"run_started,omitempty"`
	Decision     *Decision     `json:"decision,omitempty"`
	Intent       *Intent       `json:"intent,omitempty"`
	Outcome      *Outcome      `json:"outcome,omitempty"`
	Verification *Verification `json:"verification,omitempty"`
	Evidence     *Evidence     `json:"evidence,omitempty"`
	RunEnded     *RunEnded     `json:"run_ended,omitempty"`
}

// RunStarted binds the run to a policy.
type RunStarted struct {
	Task         string `json:"task"`
	Package      string `json:"package"`
	Policy       string `json:"policy"`
	PolicyDigest string `json:"policy_digest"` // 64 hex digits
	Agent        string `json:"agent"`         // id in the registry
	Role         string `json:"role"`
	Mode         string `json:"mode"` // agent, workflow, baseline
}

// Decision is what the gate said of one proposal, and what it said it from.
type Decision struct {
	PolicyDigest string `json:"policy_digest"`
	Agent        string `json:"agent"`
	// Exhibit is HMAC-SHA-256 under the run's key over the exhibit's bytes; "" for
	// a decision of the bounds rung, before which nothing was proposed.
	Exhibit string `json:"exhibit,omitempty"`
	// Tool and Target are recorded once the registry knows them; what a model made
	// up stays in the exhibit.
	Tool    string `json:"tool,omitempty"`
	Target  string `json:"target,omitempty"`
	Version uint64 `json:"version,omitempty"` // of the target's registry entry, as read

	// Facts, by the names of the policy ABI.
	Identity string  `json:"identity"`
	Prior    string  `json:"prior"`
	Found    string  `json:"found"`             // status of the target
	Factors  []Fact  `json:"factors,omitempty"` // of the risk table, in its order
	Usage    Usage   `json:"usage"`
	Key      string  `json:"key,omitempty"`   // idempotency key
	First    uint64  `json:"first,omitempty"` // seq of the decision that this replays
	Verdict  Verdict `json:"verdict"`
}

// Verdict is the answer itself; a replay must reproduce its bytes.
type Verdict struct {
	Outcome string   `json:"outcome"`
	Rung    string   `json:"rung"`
	Reason  string   `json:"reason"`
	Holds   []string `json:"holds,omitempty"`
	Score   *int32   `json:"score,omitempty"`
	Parts   []Part   `json:"parts,omitempty"`
	Flags   []string `json:"flags,omitempty"`
	Failed  []string `json:"failed,omitempty"` // file:line of each requirement that was not met, in the contract's order
	Fault   string   `json:"fault,omitempty"`  // why the shape or the schema was refused
	Field   string   `json:"field,omitempty"`  // declared path; an undeclared member is "?"
	Line    string   `json:"line,omitempty"`   // file:line of the .prov that made it
}

// Fact is an enum that a score read.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Part is one row of a score's sum.
type Part struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Points int32  `json:"points"`
}

// Usage is what the run had used when the decision was made. The runtime counts;
// a model reports nothing.
type Usage struct {
	Steps      int64 `json:"steps"`
	ModelCalls int64 `json:"model_calls"`
	Tokens     int64 `json:"tokens"`
	CostMicros int64 `json:"cost_micros"`
	Idle       int64 `json:"idle"` // steps in a row that brought nothing
	Malformed  int64 `json:"malformed"`
	ElapsedNs  int64 `json:"elapsed_ns"`
}

// Intent says that a tool is about to run.
type Intent struct {
	Decision uint64 `json:"decision"` // seq
	Tool     string `json:"tool"`
	Target   string `json:"target,omitempty"`
	Key      string `json:"key"`
}

// Outcome says how the tool ended.
type Outcome struct {
	Intent uint64 `json:"intent"` // seq; for a tool that only reads, of its decision
	Tool   string `json:"tool"`
	Status string `json:"status"`           // done, failed, unknown
	Result string `json:"result,omitempty"` // keyed digest of what it returned
}

// Verification is the verdict of the contract's own predicate.
type Verification struct {
	Intent  uint64 `json:"intent"`
	By      string `json:"by"` // the reading tool
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"` // of INCONCLUSIVE: read_failed, result_invalid, neither, both
	Result  string `json:"result,omitempty"`
	Line    string `json:"line,omitempty"`
}

// Evidence is what a settled verification teaches. The belief engine weighs it;
// nothing here is a number.
type Evidence struct {
	Verification uint64 `json:"verification"`
	Belief       string `json:"belief"`
	Target       string `json:"target"`
	State        string `json:"state"`
	Not          bool   `json:"not"`
	Class        string `json:"class"`
}

// RunEnded says how and why.
type RunEnded struct {
	End    string `json:"end"`              // completed, held, refused, bounded, escalated, failed
	Reason string `json:"reason,omitempty"` // of the closed list of reasons, where one ended it
	Steps  int64  `json:"steps"`
	Usage  Usage  `json:"usage"`
}
