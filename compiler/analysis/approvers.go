package analysis

import (
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
)

// approvers finds policies under which an action can wait for a person, and that
// do not say for whom.
func (a *analyser) approvers() {
	for _, p := range a.low.Program.Policies {
		if p.Approval != nil {
			continue
		}
		for _, t := range p.Tools {
			why := waits(p, t)
			if why == "" {
				continue
			}
			a.report.At(a.low.Symbols[p].Ident.Span(), diag.NoApprover, "`%s` can wait for a person, and policy `%s` does not say for whom", t.Name, p.Name).
				Note("it waits where %s", why).
				Help("declare `approval NAME { 1 of ROLE, within 4h }`, and write `approval NAME` in the policy")
			break
		}
	}
}

// waits says what can hold a tool under a policy, "" where nothing can but the
// standing of the agent. What a requirement holds for a group of its own has its
// people.
func waits(p *ir.Policy, t *ir.Tool) string {
	switch {
	case t.Approval:
		return "its contract says `approval required`"
	case t.Dangerous:
		return "its contract is marked `dangerous`"
	case slices.ContainsFunc(t.Flags, func(f *ir.Flag) bool { return f.Hold }):
		return "a flag says `else hold`"
	case slices.ContainsFunc(t.Requires, func(r *ir.Requirement) bool { return r.Outcome == ir.Hold && r.Group == nil }):
		return "a requirement says `else hold`"
	case p.Risk != nil && p.Risk.BaseOf(t) != nil && bandOf(p.Risk, highest(p.Risk, t)) == ir.Hold:
		return "its highest score lies in the band that holds"
	}
	return ""
}

// highest score that a tool's contract can reach.
func highest(r *ir.Risk, t *ir.Tool) int {
	score := r.BaseOf(t).Points
	for _, f := range r.Factors {
		if f.Trait != nil {
			score += f.Points[t.TraitOf(f.Trait)]
		} else {
			score += slices.Max(f.Points)
		}
	}
	return score
}

func bandOf(r *ir.Risk, score int) ir.Outcome {
	for _, b := range r.Bands {
		if b.Lo <= score && score <= b.Hi {
			return b.Outcome
		}
	}
	return ir.Refuse
}
