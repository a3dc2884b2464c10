// Package model is how the runtime asks a model for its next proposal. What goes
// in is a Turn, in which everything that was read is data with its provenance;
// what comes out is bytes, which nobody here reads: the gate does.
//
// A model says what it proposes and nothing else. What an answer cost is metered
// by the adapter that implements Model, from the provider's own accounting, and
// counted by the loop; there is no place in a reply where a model could report it.
package model

import "context"

// Model is an adapter to something that proposes. Ask must come back when ctx
// ends. An error is the adapter's (no connection, a script that ran out); what a
// confused model says is a Reply like any other.
type Model interface {
	Ask(ctx context.Context, t *Turn) (Answer, error)
}

// Want is what an ask is for.
type Want string

const (
	// WantProposal asks for the next proposal, one JSON object.
	WantProposal Want = "proposal"
	// WantArguments asks once for a whole fixed path: one JSON object that holds,
	// under each tool's name, that tool's arguments.
	WantArguments Want = "arguments"
)

// Provenance of something that a model is shown. Neither kind is an instruction.
type Provenance string

const (
	// Trusted: every field comes from a system of record, as the contract says.
	Trusted Provenance = "trusted_data"
	// Untrusted: anybody may have written it.
	Untrusted Provenance = "untrusted_data"
)

// Turn is what a model is shown. It is made new for each ask.
type Turn struct {
	Run    string
	Task   string // the operator's own words
	Policy string
	Agent  string
	Step   int // that this ask is for, from 1
	Want   Want
	Tools  []string // for WantArguments: the tools of the path that take arguments

	Inputs       []Input       // typed, from the principal
	Material     []Material    // texts that the task is about
	Last         *Last         // nil before the first decision
	Observations []Observation // everything that tools brought in this run
}

// Input is one typed input of the run.
type Input struct{ Name, Value string }

// Material is a text that the task is about: a document, a message. It is never
// trusted.
type Material struct {
	Name string
	Text []byte
}

// Last is what came of the step before.
type Last struct {
	Tool        string
	Target      string
	Reason      string   // of the decision, from the closed list
	Fault       string   // of the shape or the schema, where that was refused
	Field       string   // the declared path that Fault is about
	Clauses     []string // of requirement_failed: each clause that failed, as the contract says it
	Outcome     string   // done, failed, unknown; "" where no tool ran
	Verdict     string   // CONFIRMED, REFUTED, INCONCLUSIVE; "" where nothing was verified
	Observation string   // id of what the tool brought, "" where nothing
}

// Observation is what a tool brought, under an id that a proposal may rest on.
type Observation struct {
	ID         string
	Tool       string
	Target     string
	Provenance Provenance
	Data       []byte // JSON, as decoded against the contract's result
}

// Answer is what came back.
type Answer struct {
	Reply []byte // the bytes that the model said; nothing where Done
	Done  bool   // the model proposes nothing more
	Usage Usage
}

// Usage is what one answer cost, as metered by the adapter.
type Usage struct {
	Tokens     int64
	CostMicros int64 // millionths of the currency of the policy's budget
}
