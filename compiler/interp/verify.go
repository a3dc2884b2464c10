package interp

import "github.com/provlang/prov/compiler/ir"

// Verdict of a verification.
type Verdict string

// The verdicts, spelled as in the ledger.
const (
	Confirmed    Verdict = "CONFIRMED"
	Refuted      Verdict = "REFUTED"
	Inconclusive Verdict = "INCONCLUSIVE"
)

// Verify judges an action of a tool by what the verifying tool read afterwards and
// by the target as it was decided on. A condition that is not declared, or that
// reads an attribute which the target does not have, does not hold; and only one
// condition that holds alone settles anything.
func (m *Machine) Verify(t *ir.Tool, result, target []*ir.Value) Verdict {
	if t.Verify == nil {
		return Inconclusive
	}
	read := reading{result: result, target: target}
	says := func(c ir.Cond) bool { return c != nil && read.complete(c) && holds(c, read) }
	switch confirmed, refuted := says(t.Verify.Confirmed), says(t.Verify.Refuted); {
	case confirmed && !refuted:
		return Confirmed
	case refuted && !confirmed:
		return Refuted
	}
	return Inconclusive
}

// reading is what the conditions of a verification may read.
type reading struct{ result, target []*ir.Value }

func (r reading) complete(c ir.Cond) bool {
	complete := true
	operands(c, func(o ir.Operand) {
		if o, ok := o.(ir.Target); ok && r.target[o.Attr] == nil {
			complete = false
		}
	})
	return complete
}

func (r reading) value(o ir.Operand) ir.Value {
	switch o := o.(type) {
	case ir.Result:
		return *r.result[o.Index]
	case ir.Target:
		return *r.target[o.Attr]
	}
	panic("interp: a verification reads what it cannot")
}

func (r reading) present(int) bool { panic("interp: a verification reads an argument") }
