package compiler

import (
	"strings"

	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/lower"
	"github.com/provlang/prov/dsl/diag"
)

// prove runs every proof on the reference evaluator. One that fails is a finding
// at its title, with the smallest cell that breaks it, as a sum.
func prove(low *lower.Result, report *diag.Report) {
	for _, r := range interp.New(low.Program).Prove() {
		if r.Passed {
			continue
		}
		decl := low.Proofs[r.Proof]
		switch {
		case r.Counter != nil:
			d := report.At(decl.Title.Span(), diag.ProofFails, "this does not hold: `%s` can come out as `%s`", r.Counter.Tool.Name, r.Counter.Sum.Outcome())
			d.See(decl.Expect.Span(), "expected of each of %d cells", r.Matched)
			for line := range strings.Lines(r.Counter.Sum.String()) {
				d.Note("%s", strings.TrimRight(line, " \n"))
			}
			d.Help("change the points, a band or a contract, or say in `where` what the proof is about")
		default:
			report.At(decl.Title.Span(), diag.ProofFails, "this is not proved: %s", r.Problem).
				Help("correct the condition: a proof over nothing holds whatever the tables say")
		}
	}
}
