package differential

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/internal/progen"
)

// Adding a requirement to any program never turns a refusal or a hold into an
// allow, nor a refusal into a hold: each requirement of a random program is taken
// away and put back. The gate is held to the same by a test of its own, and to this
// evaluator by the comparison in this package.
func TestAddingARequirementNeverLoosens(t *testing.T) {
	stricter, outer := 0, t
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 1<<20).Filter(func(n uint64) bool { return n%24 != 17 && n%8 != 5 }).Draw(t, "seed")
		p := compile(outer, progen.Source(seed))
		m := interp.New(p)
		cases := slices.Concat(progen.Cases(p, seed, 40), progen.Scored(p, seed, 40))
		after := make([]interp.Decision, len(cases))
		for i := range cases {
			after[i] = m.Decide(cases[i])
		}
		for _, tool := range p.Tools {
			all := tool.Requires
			for r := range all {
				tool.Requires = slices.Delete(slices.Clone(all), r, r+1)
				for i := range cases {
					before := m.Decide(cases[i])
					if after[i].Outcome > before.Outcome {
						t.Fatalf("seed %d, %s: with `%s`, %s became %s", seed, cases[i].Proposal, all[r].Text, before.Outcome, after[i].Outcome)
					}
					if before.Outcome > ir.Hold && after[i].Outcome <= ir.Hold {
						stricter++
					}
				}
			}
			tool.Requires = all
		}
	})
	if stricter == 0 {
		t.Error("no requirement stopped anything")
	}
}
