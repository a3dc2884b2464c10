package peers

import (
	_ "embed"
	"reflect"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

var (
	//go:embed policies/risk.expr
	exprRisk string
	//go:embed policies/gate.expr
	exprGate string
)

// newExpr has the facts as they are, a flat typed struct, and one machine that is
// used again and again: not safe for concurrent use, and the fastest way there is.
func newExpr(tb testing.TB, gate bool, asked []facts) func(int) string {
	text := exprRisk
	if gate {
		text = exprGate + "(" + exprRisk + ")"
	}
	program, err := expr.Compile(text, expr.Env(&facts{}), expr.AsKind(reflect.String))
	if err != nil {
		tb.Fatal(err)
	}
	var machine vm.VM
	return func(i int) string {
		v, err := machine.Run(program, &asked[i])
		if err != nil {
			return err.Error()
		}
		return v.(string)
	}
}
