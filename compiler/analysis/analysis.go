// Package analysis finds faults that only the whole program shows: paths through
// lifecycles, bands that no score reaches, conditions that can never hold,
// declarations that nothing uses.
package analysis

import (
	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/lower"
	"github.com/provlang/prov/dsl/diag"
)

// analyser has the program, the tree beside it (a finding points at source), and
// the report.
type analyser struct {
	low    *lower.Result
	facts  *check.Info
	report *diag.Report
}

// Run analyses a lowered program. Its parts do not depend on each other.
func Run(low *lower.Result, facts *check.Info, report *diag.Report) {
	a := &analyser{low: low, facts: facts, report: report}
	a.conditions()
	a.lifecycles()
	a.bands()
	a.beliefs()
	a.approvers()
	a.unused()
}
