package check

import (
	"maps"
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// Absence. A condition that reads an optional argument says first what it means
// that the argument is absent. That is a matter of order: conditions are
// evaluated from left to right, `and` goes on while its parts hold and `or`
// while they do not, so at every place it is known which arguments are there.

// facts are the arguments known to be present, sorted.
type facts []int

func (f facts) with(g facts) facts {
	set := make(map[int]bool, len(f)+len(g))
	for _, i := range f {
		set[i] = true
	}
	for _, i := range g {
		set[i] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func (f facts) and(g facts) facts {
	var out facts
	for _, i := range f {
		if slices.Contains(g, i) {
			out = append(out, i)
		}
	}
	return out
}

// absence walks the conditions of one tool.
type absence struct {
	*checker
	args []*ir.Field
}

// walk goes over a condition that is reached with the facts known, reports what
// it reads too early, and returns what is known where it holds and where not.
func (c *absence) walk(e ast.Expr, known facts) (holds, fails facts) {
	switch e := e.(type) {
	case *ast.Paren:
		return c.walk(e.X, known)
	case *ast.Not:
		holds, fails = c.walk(e.X, known)
		return fails, holds
	case *ast.Logic:
		return c.logic(e, known)
	case *ast.Presence:
		if a, ok := c.Operands[e.X].(ir.Arg); ok {
			with := known.with(facts{a.Index})
			if e.Absent {
				return known, with
			}
			return with, known
		}
	case *ast.Compare:
		c.readNow(e.X, known)
		c.readNow(e.Y, known)
	case *ast.In:
		c.readNow(e.X, known)
	case *ast.Truth:
		c.readNow(e.X, known)
	}
	return known, known
}

func (c *absence) logic(e *ast.Logic, known facts) (holds, fails facts) {
	at := known
	var early facts // known wherever the chain was left early
	for i, x := range e.Args {
		h, f := c.walk(x, at)
		leave := f
		at = h
		if e.Op == "or" {
			leave, at = h, f
		}
		if i == 0 {
			early = leave
		} else {
			early = early.and(leave)
		}
	}
	if e.Op == "or" {
		return early, at
	}
	return at, early
}

// readNow reports an optional argument that may be absent where it is read.
func (c *absence) readNow(o ast.Operand, known facts) {
	a, ok := c.Operands[o].(ir.Arg)
	if !ok || slices.Contains(known, a.Index) {
		return
	}
	f := c.args[a.Index]
	if !f.Optional || f.Default != nil {
		return
	}
	c.at(o.Span(), diag.AbsenceUnsaid, "`%s` may be absent, and the condition does not say what that means", f.Name).
		Note("it is optional; a condition is read from left to right").
		Help("write `%[1]s present and ...` before it, or `%[1]s absent or ...`", f.Name)
}
