package peers

import (
	_ "embed"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

var (
	//go:embed policies/risk.cel
	celRisk string
	//go:embed policies/gate.cel
	celGate string
)

// celFacts resolves names to values that are CEL's already: no map, no conversion.
type celFacts struct{ identity, tool, tier, blastRadius, effects, tenant, targetTenant any }

func (f *celFacts) Parent() cel.Activation { return nil }

func (f *celFacts) ResolveName(name string) (any, bool) {
	switch name {
	case "identity":
		return f.identity, true
	case "tool":
		return f.tool, true
	case "tier":
		return f.tier, true
	case "blast_radius":
		return f.blastRadius, true
	case "effects":
		return f.effects, true
	case "tenant":
		return f.tenant, true
	case "target_tenant":
		return f.targetTenant, true
	}
	return nil, false
}

func newCEL(tb testing.TB, gate bool, asked []facts) func(int) string {
	text := celRisk
	if gate {
		text = celGate + celRisk
	}
	var options []cel.EnvOption
	for _, name := range []string{"identity", "tool", "tier", "blast_radius", "effects", "tenant", "target_tenant"} {
		options = append(options, cel.Variable(name, cel.StringType))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		tb.Fatal(err)
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		tb.Fatal(issues.Err())
	}
	program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		tb.Fatal(err)
	}
	in := make([]celFacts, len(asked))
	for i, a := range asked {
		in[i] = celFacts{
			types.String(a.Identity), types.String(a.Tool), types.String(a.Tier), types.String(a.BlastRadius),
			types.String(a.Effects), types.String(a.Tenant), types.String(a.TargetTenant),
		}
	}
	return func(i int) string {
		v, _, err := program.Eval(&in[i])
		if err != nil {
			return "hold"
		}
		return string(v.(types.String))
	}
}
