package peers

import (
	_ "embed"
	"testing"

	"github.com/cedar-policy/cedar-go"
)

var (
	//go:embed policies/risk.cedar
	cedarRisk string
	//go:embed policies/gate.cedar
	cedarGate string
)

// newCedar gives the tool as the action and all else as context, so that no entity
// has to be looked up.
func newCedar(tb testing.TB, gate bool, asked []facts) func(int) string {
	text := cedarRisk
	if gate {
		text += cedarGate
	}
	list, err := cedar.NewPolicyListFromBytes("policies", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	set := cedar.NewPolicySet()
	for _, p := range list {
		set.Add(cedar.PolicyID(p.Annotations()["id"]), p)
	}
	in := make([]cedar.Request, len(asked))
	for i, a := range asked {
		in[i] = cedar.Request{
			Principal: cedar.NewEntityUID("Agent", "planner-1"),
			Action:    cedar.NewEntityUID("Action", cedar.String(a.Tool)),
			Resource:  cedar.NewEntityUID("Target", "X-1"),
			Context: cedar.NewRecord(cedar.RecordMap{
				"identity": cedar.String(a.Identity), "tier": cedar.String(a.Tier),
				"blast_radius": cedar.String(a.BlastRadius), "effects": cedar.String(a.Effects),
				"tenant": cedar.String(a.Tenant), "target_tenant": cedar.String(a.TargetTenant),
			}),
		}
	}
	entities := cedar.EntityMap{}
	return func(i int) string {
		_, diagnostic := cedar.Authorize(set, entities, in[i])
		if len(diagnostic.Errors) > 0 {
			return diagnostic.Errors[0].Message
		}
		if len(diagnostic.Reasons) == 0 {
			return "hold"
		}
		first := diagnostic.Reasons[0].PolicyID
		for _, r := range diagnostic.Reasons[1:] {
			first = min(first, r.PolicyID)
		}
		return string(first[len("1 "):])
	}
}
