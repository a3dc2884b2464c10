// Package interp is the reference evaluator: what a program means, said as
// plainly as it can be said. It is the oracle that generated Go is compared with,
// and the engine behind the tests, proofs and sums that an author asks for.
//
// It shares nothing with the runtime. It reads proposals through another JSON
// reader, matches patterns with another engine, scores by adding instead of by
// looking up, and does arithmetic without bounds. Where the two agree on a
// decision they agree for different reasons, which is what makes it worth
// comparing them. So nothing here is fast, and nothing should be made fast at the
// price of being obvious; the one exception is the enumeration of a risk table,
// where a million cells must not cost a million allocations.
package interp

import (
	"fmt"

	"github.com/provlang/prov/compiler/ir"
)

// Machine evaluates one program. It is immutable and safe for concurrent use.
type Machine struct {
	program *ir.Program
	tools   map[string]*ir.Tool
}

// New makes a machine for a program.
func New(p *ir.Program) *Machine {
	m := &Machine{program: p, tools: map[string]*ir.Tool{}}
	for _, t := range p.Tools {
		m.tools[t.Name] = t
	}
	return m
}

// Program that the machine evaluates.
func (m *Machine) Program() *ir.Program { return m.program }

// Case is everything that a decision depends on.
type Case struct {
	Policy   *ir.Policy
	Identity Identity
	Tenant   string // the run's
	Entities []Entity
	Sources  []Source // observations and beliefs that exist
	Done     []Action // done in this run, outcome known
	Unknown  []Action // begun in this run, outcome unknown
	Proposal []byte   // as the model sent it
}

// Entity is one entry of the registry. Attrs has a value for each attribute of
// the kind, in order; nil where the entry has none.
type Entity struct {
	Tenant string
	Kind   *ir.Entity
	ID     string
	Attrs  []*ir.Value
}

// Source is something that a proposal may rest on.
type Source struct{ Tenant, ID string }

// Action is a tool with what it was done to and with. Two actions are the same
// if all of it is equal by value, defaults filled in; why an action was proposed
// (its cause, what it rests on) is no part of it.
type Action struct {
	Tool   *ir.Tool
	Target string
	Args   []*ir.Value // by argument of the contract; nil where none was given
}

// Decision is the answer to a case.
type Decision struct {
	Outcome ir.Outcome
	Rung    Rung
	Reason  Reason
	Holds   []HoldCause // in the order of HoldCauses; nil unless Outcome is Hold
	Scored  bool
	Score   int
	Parts   []Part   // of the score, in source order; nil unless Scored
	Flags   []string // that were set, in source order; nil above the requirements rung
	// Failed are the requirements that were not met, in source order; nil above the
	// requirements rung. At the replay rung they are recorded and decide nothing.
	Failed []*ir.Requirement
	// Approvers are the groups that must approve a hold, all of them, by name. Nobody
	// says that something holds for which no group is named, so it cannot be approved.
	Approvers []string
	Nobody    bool
	Fault     Fault  // of the shape or the schema; NoFault otherwise
	Field     string // that Fault is about, in declared words; "" where there is none
	Pos       ir.Pos // the line that made it; zero where none did
}

// Part is one row of a sum.
type Part struct {
	Name   string `json:"name"`  // `base`, or the factor as written
	Value  string `json:"value"` // the tool, or the member
	Points int    `json:"points"`
}

// valueText writes a value the way an author would.
func valueText(t *ir.Type, v ir.Value) string {
	switch t.Kind {
	case ir.Bool:
		return fmt.Sprint(v.N != 0)
	case ir.Int:
		return fmt.Sprint(v.N)
	case ir.Decimal:
		return decimalText(v.N, t.Scale)
	case ir.EnumType:
		return t.Enum.Members[v.N].Name
	}
	return fmt.Sprintf("%q", v.S)
}

// decimalText writes a scaled number with all its digits after the point.
func decimalText(n int64, scale int) string {
	sign, digits := "", fmt.Sprint(n)
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for len(digits) <= scale {
		digits = "0" + digits
	}
	if scale == 0 {
		return sign + digits
	}
	point := len(digits) - scale
	return sign + digits[:point] + "." + digits[point:]
}
