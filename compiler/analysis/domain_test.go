package analysis

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/provlang/prov/compiler/ir"
)

// The operands of the property test: few values each, so that all of them can be
// tried.
var (
	colours = &ir.Enum{Decl: ir.Decl{Name: "Colour"}, Members: []ir.Decl{{Name: "red"}, {Name: "green"}, {Name: "blue"}}}
	fields  = []*ir.Type{
		{Kind: ir.Int, Lo: -1, Hi: 2},
		{Kind: ir.Int, Lo: 0, Hi: 3},
		{Kind: ir.Bool},
		{Kind: ir.EnumType, Enum: colours},
	}
	ranges = [][2]int64{{-1, 2}, {0, 3}, {0, 1}, {0, 2}}
)

// world is one assignment: a value and whether it is there, by argument.
type world struct {
	value   [4]int64
	present [4]bool
}

// holds evaluates a condition the plain way.
func holds(c ir.Cond, w *world) bool {
	get := func(o ir.Operand) int64 {
		if k, ok := o.(ir.Const); ok {
			return k.Value.N
		}
		return w.value[o.(ir.Arg).Index]
	}
	switch c := c.(type) {
	case ir.And:
		for _, a := range c.Args {
			if !holds(a, w) {
				return false
			}
		}
		return true
	case ir.Or:
		for _, a := range c.Args {
			if holds(a, w) {
				return true
			}
		}
		return false
	case ir.Not:
		return !holds(c.X, w)
	case ir.Present:
		return w.present[c.Arg]
	case ir.Truth:
		return get(c.X) == 1
	case ir.In:
		for _, v := range c.Set {
			if v.N == get(c.X) {
				return true
			}
		}
		return false
	case ir.Compare:
		x, y := get(c.X), get(c.Y)
		return [...]bool{x == y, x != y, x < y, x <= y, x > y, x >= y}[c.Op]
	}
	panic("unknown condition")
}

func eachWorld(f func(*world) bool) {
	var w world
	var value func(i int) bool
	value = func(i int) bool {
		if i == len(ranges) {
			for m := range 1 << len(ranges) {
				for j := range w.present {
					w.present[j] = m>>j&1 == 1
				}
				if !f(&w) {
					return false
				}
			}
			return true
		}
		for n := ranges[i][0]; n <= ranges[i][1]; n++ {
			w.value[i] = n
			if !value(i + 1) {
				return false
			}
		}
		return true
	}
	value(0)
}

func drawCond(t *rapid.T, depth int) ir.Cond {
	if depth > 0 {
		switch rapid.IntRange(0, 4).Draw(t, "shape") {
		case 0, 1:
			args := []ir.Cond{drawCond(t, depth-1), drawCond(t, depth-1)}
			if rapid.Bool().Draw(t, "or") {
				return ir.Or{Args: args}
			}
			return ir.And{Args: args}
		case 2:
			return ir.Not{X: drawCond(t, depth-1)}
		}
	}
	i := rapid.IntRange(0, len(fields)-1).Draw(t, "operand")
	arg := ir.Arg{Index: i, Type: fields[i]}
	constant := func() ir.Value { return ir.Value{N: rapid.Int64Range(ranges[i][0], ranges[i][1]).Draw(t, "value")} }
	switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
	case kind == 0:
		return ir.Present{Arg: i}
	case kind == 1:
		return ir.In{X: arg, Set: []ir.Value{constant(), constant()}}
	case i == 2:
		return ir.Truth{X: arg}
	case i == 3:
		return ir.Compare{Op: ir.Op(rapid.IntRange(0, 1).Draw(t, "op")), X: arg, Y: ir.Const{Value: constant(), Type: fields[i]}}
	}
	op := ir.Op(rapid.IntRange(0, 5).Draw(t, "op"))
	if rapid.Bool().Draw(t, "two") {
		j := rapid.IntRange(0, 1).Draw(t, "other")
		return ir.Compare{Op: op, X: arg, Y: ir.Arg{Index: j, Type: fields[j]}}
	}
	k := ir.Const{Value: constant(), Type: fields[i]}
	if rapid.Bool().Draw(t, "swapped") {
		return ir.Compare{Op: op, X: k, Y: arg}
	}
	return ir.Compare{Op: op, X: arg, Y: k}
}

// TestNothingInvented holds the reasoning to its promise: what it calls
// impossible, always true or implied is so for every assignment.
func TestNothingInvented(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCond(t, 3), drawCond(t, 2)
		can, must, follows := possible(a), always(a), implies(a, b)
		eachWorld(func(w *world) bool {
			x, y := holds(a, w), holds(b, w)
			switch {
			case x && !can:
				t.Fatalf("called impossible, and holds for %v: %#v", w, a)
			case !x && must:
				t.Fatalf("called always true, and fails for %v: %#v", w, a)
			case x && !y && follows:
				t.Fatalf("called implied, and is not for %v: %#v, %#v", w, a, b)
			}
			return true
		})
	})
}

// TestOneOperandIsExact holds it to more where a condition reads one value: then
// nothing is missed either.
func TestOneOperandIsExact(t *testing.T) {
	arg := ir.Arg{Index: 0, Type: fields[0]}
	at := func(op ir.Op, n int64) ir.Cond {
		return ir.Compare{Op: op, X: arg, Y: ir.Const{Value: ir.Value{N: n}, Type: fields[0]}}
	}
	for op1 := ir.Eq; op1 <= ir.Ge; op1++ {
		for op2 := ir.Eq; op2 <= ir.Ge; op2++ {
			for n := int64(-1); n <= 2; n++ {
				for m := int64(-1); m <= 2; m++ {
					c := ir.And{Args: []ir.Cond{at(op1, n), at(op2, m)}}
					want := false
					for v := int64(-1); v <= 2; v++ {
						w := world{value: [4]int64{v}}
						want = want || holds(c, &w)
					}
					if got := possible(c); got != want {
						t.Errorf("x %s %d and x %s %d: possible is %v, want %v", op1, n, op2, m, got, want)
					}
				}
			}
		}
	}
}
