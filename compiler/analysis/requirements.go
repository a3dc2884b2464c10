package analysis

import (
	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
)

// requirements asks of each clause whether an action can meet it and can fail it,
// and compares the clauses of one tool with each other. A clause works where its
// condition fails, so everything is the other way round than with flags.
func (a *analyser) requirements(t *check.Tool) {
	rs := t.IR.Requires
	fault := make([]bool, len(rs))
	for i, r := range t.Requirements {
		fault[i] = !a.condition(r.When, rs[i].When, "no call of `"+t.Symbol.Name+"` meets this requirement")
	}
	for i := range rs {
		for j := range rs {
			if i == j || fault[i] || fault[j] || !share(rs[i].When, rs[j].When) || !implies(rs[j].When, rs[i].When) {
				continue
			}
			same := implies(rs[i].When, rs[j].When)
			switch {
			case adds(rs[i], rs[j]):
				continue // what fails it is treated more strictly: a step up
			case same && i < j && !adds(rs[j], rs[i]):
				continue // said at the later one
			}
			d := a.report.At(t.Requirements[i].When.Span(), diag.ClauseImplied, "whatever fails this requirement fails another one as well").
				See(t.Requirements[j].When.Span(), "the other requirement")
			if same {
				d.Message = "two requirements have the same condition"
			}
			d.Help("remove it, or correct one of the two")
			fault[i] = true
			break
		}
	}
}

// adds says whether what fails both x and y meets more by x than by y alone: a
// refusal, or the people of another group.
func adds(x, y *ir.Requirement) bool {
	switch {
	case y.Outcome == ir.Refuse:
		return false
	case x.Outcome == ir.Refuse:
		return true
	}
	return x.Group != y.Group
}
