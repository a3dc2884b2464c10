// Package analysis finds faults that only the whole program shows: paths through
// lifecycles, cells of tables that nothing reaches, conditions that can never
// hold, declarations that nothing uses.
package analysis

import (
	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/lower"
	"github.com/provlang/prov/dsl/diag"
)

// Run analyses a lowered program.
func Run(low *lower.Result, facts *check.Info, report *diag.Report) {
}
