package lower

import (
	"time"

	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
)

func (l *lowerer) pos(n ast.Node) ir.Pos { return check.Pos(n.Span()) }

func number(n *ast.Number) int {
	v, _, ok := check.Scaled(n.Text, 0)
	if !ok {
		panic(place(n) + ": a count reached lowering that is none")
	}
	return int(v)
}

func duration(d *ast.Duration) time.Duration {
	v, ok := check.Duration(d)
	if !ok {
		panic(place(d) + ": a duration reached lowering that cannot be held")
	}
	return v
}

func (l *lowerer) approval(s *resolve.Symbol, d *ast.Approval) {
	r := &ir.Approval{Decl: check.Decl(d.Name, d.Doc), Count: number(d.Count), Of: d.Of.Name, Within: duration(d.Within)}
	l.out.Program.Approvals = append(l.out.Program.Approvals, r)
	l.groups[s] = r
	l.link(r, s)
}

func (l *lowerer) agent(s *resolve.Symbol, d *ast.Agent) {
	r := &ir.Agent{Decl: check.Decl(d.Name, d.Doc)}
	for _, st := range d.Stmts {
		if st.Key.Name == "scope" {
			r.Scope = l.toolList(st.Names)
			continue
		}
		for _, id := range st.Names {
			r.Believes = append(r.Believes, l.beliefs[l.must(id)])
		}
	}
	l.out.Program.Agents = append(l.out.Program.Agents, r)
	l.agents[s] = r
	l.link(r, s)
}

func (l *lowerer) policy(s *resolve.Symbol) {
	p := l.Policies[s]
	r := &ir.Policy{
		Decl:             check.Decl(p.Decl.Name, p.Decl.Doc),
		Agent:            l.agents[p.Agent],
		MaxSteps:         p.Counts["max_steps"],
		Deadline:         p.Deadline,
		MalformedRetries: p.Counts["malformed_retries"],
		Replans:          p.Counts["replans"],
		NoProgress:       p.Counts["no_progress"],
	}
	for _, t := range p.Tools {
		r.Tools = append(r.Tools, l.tools[t])
	}
	if p.Risk != nil {
		r.Risk = l.risks[p.Risk]
	}
	if p.Approval != nil {
		r.Approval = l.groups[p.Approval]
	}
	if p.Cause != nil {
		r.Cause = l.enums[p.Cause]
	}
	if p.Inputs != nil {
		for _, f := range p.Inputs.Fields {
			r.Inputs = append(r.Inputs, l.Fields[f])
		}
	}
	if p.Budget != nil {
		r.Budget = l.budget(p.Budget)
	}
	if r.Agent == nil || r.MaxSteps < 1 || r.Deadline <= 0 {
		panic(place(p.Decl) + ": a policy reached lowering without agent, steps or deadline")
	}
	l.out.Program.Policies = append(l.out.Program.Policies, r)
	l.policies[s] = r
	l.link(r, s)
}

func (l *lowerer) budget(b *ast.BudgetStmt) *ir.Budget {
	r := &ir.Budget{ModelCalls: -1, Tokens: -1, CostMicros: -1, Hold: b.Else != nil, Pos: l.pos(b)}
	for _, it := range b.Items {
		switch it.Kind.Name {
		case "model_calls":
			r.ModelCalls = int64(number(it.Amount))
		case "tokens":
			r.Tokens = int64(number(it.Amount))
		case "cost":
			r.CostMicros, _ = check.Micros(it.Amount)
			r.Currency = it.Unit.Name
		}
	}
	return r
}

func (l *lowerer) evidenceTable(s *resolve.Symbol, d *ast.Evidence) {
	r := &ir.Evidence{Decl: check.Decl(d.Name, d.Doc), HalfLife: duration(d.HalfLife[0].D)}
	for _, w := range d.Weights {
		n, _ := check.Micros(w.Value)
		r.Classes = append(r.Classes, ir.Weight{Class: w.Class.Name, Micros: n, Pos: l.pos(w)})
	}
	l.out.Program.Evidences = append(l.out.Program.Evidences, r)
	l.evidence[s] = r
	l.link(r, s)
}

func (l *lowerer) belief(s *resolve.Symbol, d *ast.Belief) {
	b := l.Beliefs[s]
	r := &ir.Belief{
		Decl:     check.Decl(d.Name, d.Doc),
		On:       l.Entities[l.must(d.On)],
		States:   l.enums[b.States],
		Evidence: l.evidence[b.Evidence],
		Commit:   b.Levels["commit"],
		Flip:     b.Levels["flip"],
		Retract:  b.Levels["retract"],
	}
	if b.Learn != nil {
		for _, le := range b.Learn.Lessons {
			lesson := &ir.Lesson{State: b.Lessons[le], Not: le.Not, Pos: l.pos(le)}
			if le.Verdict.Name == "confirmed" {
				r.Learn.Confirmed = lesson
			} else {
				r.Learn.Refuted = lesson
			}
		}
	}
	if b.Expires != nil {
		r.Expires = duration(b.Expires.After)
		if b.Expires.By != nil {
			r.Reverify = l.tools[l.must(b.Expires.By)]
		}
	}
	l.out.Program.Beliefs = append(l.out.Program.Beliefs, r)
	l.beliefs[s] = r
	l.link(r, s)
}

func (l *lowerer) standing(d *ast.Standing) {
	l.out.Program.Standing = &ir.Standing{Pos: l.pos(d), Count: number(d.Count), Within: duration(d.In)}
}
