package interp

import (
	"cmp"
	"fmt"
	"math/big"

	"github.com/provlang/prov/compiler/ir"
)

// scope says what the operands of a condition are worth.
type scope interface {
	// value of an operand other than a constant. The checker has proved that it
	// is there.
	value(ir.Operand) ir.Value
	// present says whether an optional argument was given, or has a default.
	present(arg int) bool
}

// holds evaluates a condition from left to right, stopping where the answer is
// known: that order is what the checker's proof of presence rests on.
func holds(c ir.Cond, s scope) bool {
	switch c := c.(type) {
	case ir.And:
		for _, x := range c.Args {
			if !holds(x, s) {
				return false
			}
		}
		return true
	case ir.Or:
		for _, x := range c.Args {
			if holds(x, s) {
				return true
			}
		}
		return false
	case ir.Not:
		return !holds(c.X, s)
	case ir.Present:
		return s.present(c.Arg)
	case ir.Truth:
		return worth(c.X, s).N != 0
	case ir.In:
		x := worth(c.X, s)
		for _, member := range c.Set {
			if x == member {
				return true
			}
		}
		return false
	case ir.Compare:
		return satisfies(c.Op, compare(c, worth(c.X, s), worth(c.Y, s)))
	}
	panic(fmt.Sprintf("interp: a condition of type %T", c))
}

func worth(o ir.Operand, s scope) ir.Value {
	if c, ok := o.(ir.Const); ok {
		return c.Value
	}
	return s.value(o)
}

// compare gives the sign of x - y. Scaling up may leave 64 bits, so it is done
// where there are no bits to leave.
func compare(c ir.Compare, x, y ir.Value) int {
	switch c.X.Of().Kind {
	case ir.String, ir.Ref:
		return cmp.Compare(x.S, y.S)
	case ir.Decimal:
		return scaled(x.N, c.ScaleX).Cmp(scaled(y.N, c.ScaleY))
	}
	return cmp.Compare(x.N, y.N)
}

func scaled(n int64, digits int) *big.Int {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	return power.Mul(power, big.NewInt(n))
}

func satisfies(op ir.Op, sign int) bool {
	switch op {
	case ir.Eq:
		return sign == 0
	case ir.Ne:
		return sign != 0
	case ir.Lt:
		return sign < 0
	case ir.Le:
		return sign <= 0
	case ir.Gt:
		return sign > 0
	case ir.Ge:
		return sign >= 0
	}
	panic(fmt.Sprintf("interp: a comparison %d", op))
}

// operands calls f for every operand of a condition.
func operands(c ir.Cond, f func(ir.Operand)) {
	switch c := c.(type) {
	case ir.And:
		for _, x := range c.Args {
			operands(x, f)
		}
	case ir.Or:
		for _, x := range c.Args {
			operands(x, f)
		}
	case ir.Not:
		operands(c.X, f)
	case ir.Compare:
		f(c.X)
		f(c.Y)
	case ir.In:
		f(c.X)
	case ir.Truth:
		f(c.X)
	}
}
