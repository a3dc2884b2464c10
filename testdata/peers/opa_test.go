package peers

import (
	"context"
	_ "embed"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

var (
	//go:embed policies/risk.rego
	regoRisk string
	//go:embed policies/gate.rego
	regoGate string
)

// newOPA prepares a query, with partial evaluation for the risk table alone. Three
// options keep an evaluation from converting its input, from starting a goroutine
// and from timing itself.
func newOPA(tb testing.TB, gate bool, asked []facts) func(int) string {
	ctx := context.Background()
	text, query, prepare := regoRisk, "data.incident.outcome", []rego.PrepareOption{rego.WithPartialEval()}
	if gate {
		text, query, prepare = regoRisk+regoGate, "data.incident.answer", nil
	}
	prepared, err := rego.New(rego.Query(query), rego.Module("incident.rego", text)).PrepareForEval(ctx, prepare...)
	if err != nil {
		tb.Fatal(err)
	}
	in := make([]ast.Value, len(asked))
	for i, a := range asked {
		in[i] = ast.NewObject(
			ast.Item(ast.StringTerm("identity"), ast.StringTerm(a.Identity)),
			ast.Item(ast.StringTerm("tool"), ast.StringTerm(a.Tool)),
			ast.Item(ast.StringTerm("tier"), ast.StringTerm(a.Tier)),
			ast.Item(ast.StringTerm("blast_radius"), ast.StringTerm(a.BlastRadius)),
			ast.Item(ast.StringTerm("effects"), ast.StringTerm(a.Effects)),
			ast.Item(ast.StringTerm("tenant"), ast.StringTerm(a.Tenant)),
			ast.Item(ast.StringTerm("target_tenant"), ast.StringTerm(a.TargetTenant)),
		)
	}
	cancel, quiet := rego.EvalExternalCancel(topdown.NewCancel()), rego.EvalMetrics(metrics.NoOp())
	return func(i int) string {
		results, err := prepared.Eval(ctx, rego.EvalParsedInput(in[i]), cancel, quiet)
		if err != nil {
			return err.Error()
		}
		if len(results) == 0 {
			return "hold"
		}
		return results[0].Expressions[0].Value.(string)
	}
}
