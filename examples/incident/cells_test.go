package incident_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/examples/incident"
	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
)

// program is the sources, compiled anew.
func program(t *testing.T) *ir.Program {
	t.Helper()
	text, err := os.ReadFile("incident.prov")
	if err != nil {
		t.Fatal(err)
	}
	r := compiler.Compile([]compiler.File{{Name: "incident.prov", Text: text}})
	if r.Program == nil {
		t.Fatalf("incident.prov does not compile: %d findings", r.Report.Len())
	}
	return r.Program
}

// answer is what a table says of a call.
type answer struct {
	Score   int
	Outcome string
}

// All cells of tool, tier, blast radius and effects, the ones that no contract
// reaches included: the reference evaluator adds them up, the generated function
// switches, and they agree.
func TestRiskFunctionAgreesWithReference(t *testing.T) {
	risk := program(t).Risks[0]
	want, got := map[string]answer{}, map[string]answer{}
	for c := range interp.Cells(risk) {
		tool, ok := incident.ParseTool(c.Tool.Name)
		if !ok {
			t.Fatalf("the generated Go has no tool %s", c.Tool.Name)
		}
		name := c.Tool.Name
		for i, f := range risk.Factors {
			name += " " + f.Enum.Members[c.Members[i]].Name
		}
		score, outcome := incident.IncidentRisk(tool, incident.Tier(c.Members[0]+1),
			incident.BlastRadius(c.Members[1]+1), incident.Effects(c.Members[2]+1))
		want[name] = answer{c.Score, c.Band.Outcome.String()}
		got[name] = answer{int(score), outcome.String()}
	}
	if len(want) != 36 {
		t.Errorf("%d cells, want 2 x 3 x 3 x 2", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-reference +generated):\n%s", diff)
	}
	worked := map[string]answer{
		"rollback_config tier2 single reversible":               {2, "allow"},
		"disable_compliance_checks tier1 org_wide irreversible": {11, "hold"},
	}
	for name, w := range worked {
		if diff := cmp.Diff(w, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A member that is not set, or is none, never allows.
func TestRiskFunctionHoldsWhatIsNotInTheTable(t *testing.T) {
	type call struct {
		tool    incident.Tool
		tier    incident.Tier
		radius  incident.BlastRadius
		effects incident.Effects
	}
	good := call{incident.ToolRollbackConfig, incident.Tier3, incident.BlastRadiusSingle, incident.EffectsReversible}
	for name, change := range map[string]func(*call){
		"no tool":           func(c *call) { c.tool = 0 },
		"a tool past all":   func(c *call) { c.tool = 200 },
		"a tool unscored":   func(c *call) { c.tool = incident.ToolReadService },
		"no tier":           func(c *call) { c.tier = 0 },
		"a tier past all":   func(c *call) { c.tier = 4 },
		"no radius":         func(c *call) { c.radius = 0 },
		"a radius past all": func(c *call) { c.radius = 255 },
		"no effects":        func(c *call) { c.effects = 0 },
		"effects past all":  func(c *call) { c.effects = 3 },
	} {
		c := good
		change(&c)
		if score, outcome := incident.IncidentRisk(c.tool, c.tier, c.radius, c.effects); outcome != policy.Hold {
			t.Errorf("%s: %v at score %d, want hold", name, outcome, score)
		}
	}
}

// The cells that contracts reach, by way of the opened policy and the gate: score,
// outcome and the line of the band are those of the reference evaluator.
func TestGateAgreesWithReference(t *testing.T) {
	p := program(t)
	machine := interp.New(p)
	opened, err := incident.OpenFirstResponse()
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	for _, tool := range p.Tools {
		if p.Risks[0].BaseOf(tool) == nil {
			continue
		}
		for tier := range int64(3) {
			cells++
			proposal := fmt.Appendf(nil, `{"tool": %q, "target": "X-1"}`, tool.Name)
			attrs := make([]*ir.Value, len(tool.Target.Attrs))
			attrs[tool.Target.Attr("tier")] = &ir.Value{N: tier}
			want := machine.Decide(interp.Case{
				Policy: p.Policies[0], Identity: interp.IdentityGood, Tenant: "acme", Proposal: proposal,
				Entities: []interp.Entity{{Tenant: "acme", Kind: tool.Target, ID: "X-1", Attrs: attrs}},
			})

			var pr policy.Proposal
			opened.Decode(proposal, "acme", &pr)
			values := make([]policy.Value, len(attrs))
			values[tool.Target.Attr("tier")] = policy.Value{N: tier, Set: true}
			var got policy.Decision
			gate.Decide(opened, policy.IdentityGood, &pr,
				&policy.Subject{Target: policy.SubjectFound, Attrs: policy.NewRecord(values...)}, policy.PriorNone, &got)

			type decided struct {
				Outcome, Where string
				Scored         bool
				Score          int
			}
			if diff := cmp.Diff(
				decided{want.Outcome.String(), fmt.Sprintf("%s:%d", want.Pos.File, want.Pos.Line), want.Scored, want.Score},
				decided{got.Outcome.String(), opened.Where(got.Line), got.Scored, int(got.Score)},
			); diff != "" {
				t.Errorf("%s on tier%d (-reference +gate):\n%s", tool.Name, tier+1, diff)
			}
		}
	}
	if cells != 6 {
		t.Errorf("%d cells, want two tools on three tiers", cells)
	}
}

// A proposal that fits its contract becomes typed for its own tool alone.
func TestTypedProposal(t *testing.T) {
	opened, err := incident.OpenFirstResponse()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		`{"tool": "rollback_config", "target": "inventory-api"}`:                  true,
		`{"tool": "read_service", "target": "inventory-api"}`:                     false,
		`{"tool": "rollback_config", "target": "inventory-api", "confidence": 1}`: false,
		`{"tool": "rollback_config"`:                                              false,
	} {
		var pr policy.Proposal
		opened.Decode([]byte(text), "acme", &pr)
		got, ok := incident.NewRollbackConfigProposal(&pr)
		if ok != want {
			t.Errorf("%s: typed %v, want %v", text, ok, want)
		}
		if ok && got.Target != "inventory-api" {
			t.Errorf("%s: target %q", text, got.Target)
		}
	}
	if _, ok := incident.NewRollbackConfigProposal(new(policy.Proposal)); ok {
		t.Error("a proposal that was never decoded is typed")
	}
}
