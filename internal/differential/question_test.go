package differential

import (
	"fmt"

	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/internal/differential/answer"
	"github.com/provlang/prov/runtime/policy"
)

// question puts a case as data.
func question(p *ir.Program, c *interp.Case) answer.Question {
	q := answer.Question{
		Package:  p.Name,
		Policy:   c.Policy.Name,
		Identity: string(c.Identity),
		Tenant:   c.Tenant,
		Proposal: c.Proposal,
	}
	for _, e := range c.Entities {
		q.Entities = append(q.Entities, answer.Entity{Tenant: e.Tenant, Kind: e.Kind.Name, ID: e.ID, Attrs: interp.Record(e.Kind.Attrs, e.Attrs)})
	}
	for _, s := range c.Sources {
		q.Sources = append(q.Sources, answer.Source(s))
	}
	before := func(actions []interp.Action) (out [][]byte) {
		for _, a := range actions {
			out = append(out, interp.Proposal(c.Policy, &ir.Call{Tool: a.Tool, Target: a.Target, Args: a.Args, Cause: -1}))
		}
		return out
	}
	q.Done, q.Unknown = before(c.Done), before(c.Unknown)
	return q
}

func cellQuestion(p *ir.Program, r *ir.Risk, c *interp.Cell) answer.Question {
	cell := &answer.Cell{Risk: r.Name, Tool: c.Tool.Name}
	for i, f := range r.Factors {
		cell.Members = append(cell.Members, f.Enum.Members[c.Members[i]].Name)
	}
	return answer.Question{Package: p.Name, Cell: cell}
}

func inWords(d interp.Decision) answer.Answer {
	a := answer.Answer{
		Outcome: d.Outcome.String(),
		Rung:    string(d.Rung),
		Reason:  string(d.Reason),
		Scored:  d.Scored,
		Score:   int32(d.Score),
		Flags:   d.Flags,
		Fault:   string(d.Fault),
		Field:   d.Field,

		Approvers: d.Approvers,
		Nobody:    d.Nobody,
	}
	for _, r := range d.Failed {
		a.Failed = append(a.Failed, fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line))
	}
	for _, h := range d.Holds {
		a.Holds = append(a.Holds, string(h))
	}
	for _, part := range d.Parts {
		a.Parts = append(a.Parts, policy.Part{Name: part.Name, Value: part.Value, Points: int32(part.Points)})
	}
	if d.Pos != (ir.Pos{}) {
		a.Line = fmt.Sprintf("%s:%d", d.Pos.File, d.Pos.Line)
	}
	return a
}

func describe(q *answer.Question) string {
	switch {
	case q.Cell != nil:
		return fmt.Sprintf("%s: %+v", q.Package, *q.Cell)
	case q.Reading != nil:
		return fmt.Sprintf("%s: %s read %s of %s", q.Package, q.Reading.Tool, q.Reading.Result, q.Reading.Target)
	}
	return fmt.Sprintf("%s, policy %s, identity %s, done %s, unknown %s", q.Package, q.Policy, q.Identity, q.Done, q.Unknown)
}
