package gen

import (
	"fmt"
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// open is the function that gives a policy.
func (g *generator) open(p *ir.Policy) jenx.Code {
	open := g.n.open[p]
	lead := fmt.Sprintf("%s checks the tables of policy %s, %s, and gives it as the gate and the loop take it.", open, p.Name, at(p.Pos))
	return jenx.Func{
		Doc:     described(lead, p.Doc),
		Name:    open,
		Results: []jenx.Param{{Type: jenx.Ptr(jenx.In(jenx.Policy, "Policy"))}, {Type: jenx.Builtin("error")}},
		Body:    []jenx.Code{jenx.Return(jenx.Call(jenx.In(jenx.Policy, "Open"), jenx.Addr(jenx.Name(g.n.spec[p]))))},
	}.Code()
}

// spec is a policy as a table.
func (g *generator) spec(p *ir.Policy) jenx.Code {
	spec := g.n.spec[p]
	d := &jenx.Data{}
	d.Struct("policy.Spec", jenx.Rows)
	d.Key("Package").Addr(g.n.pkg)
	d.Key("Name").Str(p.Name)
	g.line(d, "Line", p.Pos)
	d.Key("Agent").Str(p.Agent.Name)
	switch {
	case len(g.tools) == 0:
	case len(g.tools) > maxSwitch:
		d.Key("Grants").Name(g.n.grants[p])
	default:
		g.grantList(d.Key("Grants"), p, jenx.Rows)
	}
	if p.Risk != nil {
		d.Key("Risk").Addr(g.n.risk[p.Risk].table)
	}
	if a := p.Approval; a != nil {
		d.Key("Approval").Pointer("policy.Approval", jenx.Line)
		approval(d, a)
		d.End()
	}
	g.fieldList(d, "Inputs", p.Inputs)
	if p.Cause != nil {
		d.Key("Cause").Name(g.n.enums[p.Cause].names)
	}
	d.Key("MaxSteps").Int(int64(p.MaxSteps))
	span(d, "Deadline", p.Deadline)
	whole(d, "MalformedRetries", int64(p.MalformedRetries))
	whole(d, "Replans", int64(p.Replans))
	whole(d, "NoProgress", int64(p.NoProgress))
	if b := p.Budget; b != nil {
		d.Key("Budget").Pointer("policy.Budget", jenx.Rows)
		d.Key("ModelCalls").Int(b.ModelCalls)
		d.Key("Tokens").Int(b.Tokens)
		d.Key("CostMicros").Int(b.CostMicros)
		text(d, "Currency", b.Currency)
		truth(d, "Hold", b.Hold)
		g.line(d, "Line", b.Pos)
		d.End()
	}
	g.lessons(d, p)
	d.End()

	return jenx.Var(fmt.Sprintf("%s is what %s opens.", spec, g.n.open[p]), spec, d)
}

// grants is what a policy gives of each tool, as a table of its own where the
// tools are many.
func (g *generator) grants(p *ir.Policy) []jenx.Code {
	if len(g.tools) <= maxSwitch {
		return nil
	}
	d := &jenx.Data{}
	g.grantList(d, p, jenx.Dense)
	id := g.n.grants[p]
	return []jenx.Code{jenx.Bulk(fmt.Sprintf("%s is what policy %s gives of each tool, in order.", id, p.Name), id, d)}
}

func (g *generator) grantList(d *jenx.Data, p *ir.Policy, layout jenx.Layout) {
	scope, listed := make(map[*ir.Tool]bool, len(p.Agent.Scope)), make(map[*ir.Tool]bool, len(p.Tools))
	for _, t := range p.Agent.Scope {
		scope[t] = true
	}
	for _, t := range p.Tools {
		listed[t] = true
	}
	d.Slice("policy.Grant", layout)
	for _, t := range g.tools {
		var flags []string
		if scope[t] {
			flags = append(flags, "InScope")
		}
		if listed[t] {
			flags = append(flags, "Allowlisted")
		}
		if len(flags) == 0 {
			d.Int(0)
		} else {
			d.Flags(flags...)
		}
		if layout == jenx.Rows {
			d.Beside(t.Name)
		}
	}
	d.End()
}

func (g *generator) lessons(d *jenx.Data, p *ir.Policy) {
	taught := slices.DeleteFunc(slices.Clone(p.Agent.Believes), func(b *ir.Belief) bool {
		return b.Learn.Confirmed == nil && b.Learn.Refuted == nil
	})
	if len(taught) == 0 {
		return
	}
	d.Key("Lessons").Slice("policy.Lesson", jenx.Rows)
	for _, b := range taught {
		d.Elem(jenx.Rows)
		d.Key("Belief").Str(b.Name)
		d.Key("Entity").Int(int64(g.entities[b.On]))
		d.Beside(b.On.Name)
		for _, l := range []struct {
			key    string
			lesson *ir.Lesson
		}{{"Confirmed", b.Learn.Confirmed}, {"Refuted", b.Learn.Refuted}} {
			if l.lesson == nil {
				continue
			}
			d.Key(l.key).Struct("policy.Teaching", jenx.Line)
			d.Key("State").Str(b.States.Members[l.lesson.State].Name)
			truth(d, "Not", l.lesson.Not)
			d.End()
		}
		d.End()
	}
	d.End()
}
