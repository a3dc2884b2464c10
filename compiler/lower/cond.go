package lower

import (
	"math"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/ast"
)

const minInt = math.MinInt

// cond lowers a condition. Brackets disappear; everything else keeps its shape
// and order, so that a later pass can walk the tree and the program together.
func (l *lowerer) cond(e ast.Expr) ir.Cond {
	switch e := e.(type) {
	case *ast.Paren:
		return l.cond(e.X)
	case *ast.Not:
		return ir.Not{X: l.cond(e.X)}
	case *ast.Logic:
		args := make([]ir.Cond, len(e.Args))
		for i, x := range e.Args {
			args[i] = l.cond(x)
		}
		if e.Op == "or" {
			return ir.Or{Args: args}
		}
		return ir.And{Args: args}
	case *ast.Compare:
		return l.compare(e)
	case *ast.In:
		in := ir.In{X: l.operand(e.X), Pos: l.pos(e)}
		for _, v := range e.Set {
			in.Set = append(in.Set, l.Values[v])
		}
		return in
	case *ast.Presence:
		a, ok := l.operand(e.X).(ir.Arg)
		if !ok {
			panic(place(e) + ": presence of something that is no argument")
		}
		if e.Absent {
			return ir.Not{X: ir.Present{Arg: a.Index}}
		}
		return ir.Present{Arg: a.Index}
	case *ast.Truth:
		return ir.Truth{X: l.operand(e.X)}
	}
	panic(place(e) + ": a condition of an unknown kind")
}

var ops = map[string]ir.Op{"==": ir.Eq, "!=": ir.Ne, "<": ir.Lt, "<=": ir.Le, ">": ir.Gt, ">=": ir.Ge}

func (l *lowerer) compare(e *ast.Compare) ir.Cond {
	op, ok := ops[e.Op]
	if !ok {
		panic(place(e) + ": a comparison by " + e.Op)
	}
	c := ir.Compare{Op: op, X: l.operand(e.X), Y: l.operand(e.Y), Pos: l.pos(e)}
	x, y := c.X.Of(), c.Y.Of()
	if x.Kind == ir.Decimal {
		// Both sides are brought to the finer scale. A constant was typed with the
		// scale of the other side, so this concerns two fields alone.
		c.ScaleX = max(y.Scale-x.Scale, 0)
		c.ScaleY = max(x.Scale-y.Scale, 0)
	}
	return c
}

func (l *lowerer) operand(o ast.Operand) ir.Operand {
	r := l.Operands[o]
	if r == nil {
		panic(place(o) + ": an operand reached lowering without a type")
	}
	return r
}
