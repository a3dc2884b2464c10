package lower

import (
	"fmt"
	"math"

	"github.com/provlang/prov/compiler/ir"
)

// whole asks of a program what package ir promises to those who read it. The
// checker is meant to have refused every package that would not keep it, so a
// breach is a fault of the compiler, and panics.
func whole(p *ir.Program) {
	must := func(ok bool, format string, args ...any) {
		if !ok {
			panic("lower: " + fmt.Sprintf(format, args...))
		}
	}
	for i, t := range p.Tools {
		must(t.Index == i, "tool %s has index %d in place %d", t.Name, t.Index, i)
		for _, m := range t.Moves {
			must(t.Target != nil && m.Attr >= 0 && m.Attr < len(t.Target.Attrs), "tool %s moves attribute %d", t.Name, m.Attr)
		}
		must(!t.Read || t.Verify == nil && len(t.Traits) == 0 && len(t.Moves) == 0, "tool %s reads and acts", t.Name)
		must(t.Verify == nil || t.Verify.By.Read && t.Verify.By.Target == t.Target, "tool %s is verified by what does not read its target", t.Name)
	}
	for _, r := range p.Risks {
		must(len(r.Bands) > 0 && r.Bands[0].Lo == math.MinInt && r.Bands[len(r.Bands)-1].Hi == math.MaxInt, "risk %s does not cover every score", r.Name)
		for i, b := range r.Bands {
			must(b.Lo <= b.Hi && b.Outcome != ir.Refuse, "risk %s has an empty or refusing band", r.Name)
			must(i == 0 || b.Lo == r.Bands[i-1].Hi+1 && b.Outcome < r.Bands[i-1].Outcome, "risk %s has a hole, an overlap or a band that loosens", r.Name)
		}
		for _, f := range r.Factors {
			must((f.Trait != nil) != (f.Attr != ""), "factor %s of risk %s has not one source", f.Name, r.Name)
			must(len(f.Points) == len(f.Enum.Members), "factor %s of risk %s has %d points", f.Name, r.Name, len(f.Points))
			for _, row := range r.Base {
				must(f.Trait == nil || row.Tool.TraitOf(f.Trait) >= 0, "tool %s lacks trait %s of risk %s", row.Tool.Name, f.Name, r.Name)
				must(f.Trait != nil || row.Tool.Target != nil && row.Tool.Target.Attr(f.Attr) >= 0, "tool %s has no %s for risk %s", row.Tool.Name, f.Name, r.Name)
			}
		}
	}
	for _, pol := range p.Policies {
		must(pol.MaxSteps >= 1 && pol.Deadline > 0 && pol.Agent != nil, "policy %s has no stop, or no agent", pol.Name)
	}
}
