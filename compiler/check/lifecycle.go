package check

import (
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// lifecycle checks each transition by itself; whether an agent reaches a state
// that is a person's is a question to the whole program (package analysis).
func (c *checker) lifecycle(s *resolve.Symbol, d *ast.Lifecycle) {
	states := c.Enums[s]
	type step struct{ from, by string }
	seen := make(map[step]*ast.Transition)
	for _, t := range d.Transitions {
		if t.From == nil || t.To == nil || t.By == nil {
			continue
		}
		k := step{t.From.Name, t.By.Name}
		if old := seen[k]; old != nil {
			if old.To.Name == t.To.Name {
				c.at(t.Where, diag.RepeatedEntry, "this transition stands here twice").
					See(old.Where, "first here").
					Help("remove one of the two")
			} else {
				c.at(t.To.Span(), diag.AmbiguousTransition, "`%s` brings `%s` to `%s` and to `%s`", t.By.Name, t.From.Name, old.To.Name, t.To.Name).
					See(old.To.Span(), "the other state").
					Note("which of the two would be known only after the tool has run").
					Help("use two tools, one for each")
			}
			continue
		}
		seen[k] = t
		c.transition(s, t, states)
	}
}

// transition holds the tool of a transition to an entity that has the lifecycle.
func (c *checker) transition(s *resolve.Symbol, t *ast.Transition, states *ir.Enum) {
	by := c.pkg.Use(t.By)
	if by == nil {
		return
	}
	tool := c.Tools[by]
	if tool.vague {
		return
	}
	if tool.IR.Read {
		c.at(t.By.Span(), diag.TransitionElsewhere, "`%s` only reads, and a transition changes a state", by.Name).
			See(by.Ident.Span(), "it says `read`").
			Help("name the tool that makes the change")
		return
	}
	if tool.noTarget {
		c.at(t.By.Span(), diag.TransitionElsewhere, "`%s` acts on nothing, so it has no `%s` to change", by.Name, s.Name).
			See(by.Ident.Span(), "declared here").
			Help("write `tool %s on ENTITY`, where ENTITY has an attribute of type `%s`", by.Name, s.Name)
		return
	}
	e := tool.IR.Target
	if e == nil {
		return
	}
	var attrs []string
	for _, a := range e.Attrs {
		switch {
		case a.Type == nil:
			return // it may be the one
		case a.Type.Enum == states:
			attrs = append(attrs, a.Name)
		}
	}
	switch len(attrs) {
	case 1:
	case 0:
		c.at(t.By.Span(), diag.TransitionElsewhere, "`%s` acts on a `%s`, which has no attribute of type `%s`", by.Name, e.Name, s.Name).
			See(by.Ident.Span(), "declared here").
			Help("give `%s` one: `state %s`", e.Name, s.Name)
	default:
		c.at(t.By.Span(), diag.TransitionElsewhere, "`%s` acts on a `%s`, which has `%s` twice: %s", by.Name, e.Name, s.Name, quoteList(attrs, "and")).
			Note("which of them the tool changes cannot be said").
			Help("declare a lifecycle for each attribute")
	}
}
