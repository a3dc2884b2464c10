// Package peers asks other engines what prov decides, and times the answers.
package peers

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/examples/incident"
	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// facts is what a question says, in words. Every engine has it in a form of its
// own before it is asked.
type facts struct {
	Identity, Tool, Tier, BlastRadius, Effects, Tenant, TargetTenant string
}

// peer is another engine. It prepares the facts and says how to ask it about the
// i-th of them: the outcome, or for a gate's refusal the reason.
type peer struct {
	name string
	open func(tb testing.TB, gate bool, asked []facts) (ask func(i int) string)
}

var peers = []peer{{"cel", newCEL}, {"expr", newExpr}, {"cedar", newCedar}, {"opa", newOPA}}

// contracts has the traits of the tools' contracts. The scans are not in the example:
// one is out of the agent's scope, the other not on the deployment's list.
var contracts = map[string][2]string{
	"disable_compliance_checks": {"org_wide", "irreversible"},
	"rollback_config":           {"single", "reversible"},
	"read_service":              {}, "scan_service": {}, "scan_supplier": {},
}

// call is a question about a tool as its contract has it.
func call(identity, tool, tier, targetTenant string) facts {
	c := contracts[tool]
	return facts{identity, tool, tier, c[0], c[1], "acme", targetTenant}
}

// cells is every combination of members of the risk table, the ones that no
// contract reaches included. With more, it has members that no table has.
func cells(more bool) (all []facts) {
	tools, tiers := []string{"rollback_config", "disable_compliance_checks"}, []string{"tier1", "tier2", "tier3"}
	radii, effects := []string{"single", "multi_service", "org_wide"}, []string{"reversible", "irreversible"}
	if more {
		tools, tiers = append(tools, "read_service", "launch"), append(tiers, "tier9", "")
		radii, effects = append(radii, "planet", ""), append(effects, "explosive", "")
	}
	for _, tool := range tools {
		for _, tier := range tiers {
			for _, radius := range radii {
				for _, effect := range effects {
					all = append(all, facts{"good", tool, tier, radius, effect, "acme", "acme"})
				}
			}
		}
	}
	return all
}

// calls is every identity with every tool, tier and tenant, as contracts have it.
func calls(identities []policy.Identity, tools, tenants []string) (all []facts) {
	for _, identity := range identities {
		for _, tool := range tools {
			for _, tier := range []string{"tier1", "tier2", "tier3"} {
				for _, tenant := range tenants {
					all = append(all, call(identity.String(), tool, tier, tenant))
				}
			}
		}
	}
	return all
}

// reached is the six cells that the example's contracts reach.
func reached() []facts {
	return calls([]policy.Identity{policy.IdentityGood}, []string{"rollback_config", "disable_compliance_checks"}, []string{"acme"})
}

// ladder has two reasons or more against most of it, so that it shows who asks
// in which order.
func ladder() []facts {
	tools := append(slices.Sorted(maps.Keys(contracts)), "launch")
	return calls(policy.Identities(), tools, []string{"acme", "globex"})
}

// mix is what the gate is timed with: twelve of eighteen climb to the top.
func mix() []facts {
	return append(reached(), reached()[1], reached()[4],
		call("good", "read_service", "tier2", "acme"),
		call("degraded", "read_service", "tier2", "acme"),
		call("degraded", "rollback_config", "tier2", "acme"),
		call("degraded", "disable_compliance_checks", "tier1", "acme"),
		call("suspended", "rollback_config", "tier2", "globex"),
		call("expired", "read_service", "tier2", "acme"),
		call("good", "launch", "tier1", "acme"),
		call("good", "scan_service", "tier2", "globex"),
		call("good", "scan_supplier", "tier1", "acme"),
		call("good", "rollback_config", "tier3", "globex"),
	)
}

// member is a cell as the generated function takes it.
type member struct {
	tool    incident.Tool
	tier    incident.Tier
	radius  incident.BlastRadius
	effects incident.Effects
}

func named(f *facts) (m member) {
	m.tool, _ = incident.ParseTool(f.Tool)
	m.tier, _ = incident.ParseTier(f.Tier)
	m.radius, _ = incident.ParseBlastRadius(f.BlastRadius)
	m.effects, _ = incident.ParseEffects(f.Effects)
	return m
}

// provRisk asks the generated function.
func provRisk(asked []facts) func(int) policy.Outcome {
	in := make([]member, len(asked))
	for i := range asked {
		in[i] = named(&asked[i])
	}
	return func(i int) policy.Outcome {
		m := &in[i]
		_, outcome := incident.IncidentRisk(m.tool, m.tier, m.radius, m.effects)
		return outcome
	}
}

// provNames asks it from names, as the peers are asked.
func provNames(asked []facts) func(int) policy.Outcome {
	return func(i int) policy.Outcome {
		m := named(&asked[i])
		_, outcome := incident.IncidentRisk(m.tool, m.tier, m.radius, m.effects)
		return outcome
	}
}

// provGate asks the gate, the whole ladder of it, from decoded proposals.
func provGate(tb testing.TB, open func() (*policy.Policy, error), asked []facts) func(int) *policy.Decision {
	p, err := open()
	if err != nil {
		tb.Fatal(err)
	}
	in := make([]struct {
		id policy.Identity
		pr policy.Proposal
		s  policy.Subject
	}, len(asked))
	for i, a := range asked {
		q := &in[i]
		q.id, _ = policy.ParseIdentity(a.Identity)
		q.s = policy.Subject{Target: policy.SubjectFound, Sources: policy.SubjectFound, RefField: -1}
		if a.TargetTenant != a.Tenant {
			q.s.Target = policy.SubjectForeign
		}
		tier, ok := incident.ParseTier(a.Tier)
		q.s.Attrs = policy.NewRecord(policy.Value{N: int64(tier) - 1, Set: ok})
		p.Decode(fmt.Appendf(nil, `{"tool":%q,"target":"X-1","args":{},"rests_on":["o1"]}`, a.Tool), a.Tenant, &q.pr)
	}
	d := new(policy.Decision)
	return func(i int) *policy.Decision {
		q := &in[i]
		gate.Decide(p, q.id, &q.pr, &q.s, policy.PriorNone, d)
		return d
	}
}

// wider is the example's policy with two tools more, which scope refuses.
func wider() (*policy.Policy, error) {
	spec := policytest.Incident()
	spec.Package.Tools = append(spec.Package.Tools,
		policy.Tool{Name: "scan_service", Entity: policytest.Service, Read: true, Line: policy.Pos{Line: 90}},
		policy.Tool{Name: "scan_supplier", Entity: policytest.Supplier, Read: true, Line: policy.Pos{Line: 91}})
	spec.Grants = append(spec.Grants, 0, policy.InScope)
	spec.Risk.Rows = append(spec.Risk.Rows, policy.Row{}, policy.Row{})
	return policy.Open(spec)
}

// word is what a peer answers for a decision.
func word(d *policy.Decision) string {
	if d.Outcome == policy.Refuse {
		return d.Reason.String()
	}
	return d.Outcome.String()
}

// answers by question.
func answers(asked []facts, ask func(int) string) map[facts]string {
	all := map[facts]string{}
	for i, a := range asked {
		all[a] = ask(i)
	}
	return all
}

func same(t *testing.T, gate bool, asked []facts, want func(int) string) {
	for _, p := range peers {
		if diff := cmp.Diff(answers(asked, want), answers(asked, p.open(t, gate, asked))); diff != "" {
			t.Errorf("%s (-prov +%s):\n%s", p.name, p.name, diff)
		}
	}
}

// All cells, and all that is no cell, which holds.
func TestRiskIsTheSame(t *testing.T) {
	asked := cells(true)
	risk, names := provRisk(asked), provNames(asked)
	same(t, false, asked, func(i int) string {
		if risk(i) != names(i) {
			t.Errorf("%v: %v from members, %v from names", asked[i], risk(i), names(i))
		}
		return risk(i).String()
	})
}

// The gate and the function agree where contracts reach, and so do the peers.
func TestReachedIsTheSame(t *testing.T) {
	asked := reached()
	risk, decide := provRisk(asked), provGate(t, incident.OpenFirstResponse, asked)
	same(t, false, asked, func(i int) string {
		if d := decide(i); d.Outcome != risk(i) {
			t.Errorf("%v: the gate %v, the function %v", asked[i], d.Outcome, risk(i))
		}
		return risk(i).String()
	})
}

func TestGateIsTheSame(t *testing.T) {
	for _, asked := range [][]facts{ladder(), mix()} {
		decide := provGate(t, wider, asked)
		same(t, true, asked, func(i int) string { return word(decide(i)) })
	}
}

// shuffles are how many questions are asked before the same order comes again. A
// processor learns the branches of the shorter one by heart, of the longer one not.
var shuffles = []int{4096, 65536}

// measure asks about n questions, each as often as any other. The loop and the
// call cost the same for all.
func measure[A any](b *testing.B, by string, n int, ask func(int) A) {
	for _, length := range shuffles {
		order := make([]uint16, length)
		for i := range order {
			order[i] = uint16(i % n)
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(length, func(i, j int) { order[i], order[j] = order[j], order[i] })
		b.Run(fmt.Sprintf("shuffle=%d/by=%s", length, by), func(b *testing.B) {
			b.ReportAllocs()
			var last A
			i := 0
			for b.Loop() {
				last = ask(int(order[i&(length-1)]))
				i++
			}
			runtime.KeepAlive(last)
		})
	}
}

func measurePeers(b *testing.B, gate bool, asked []facts) {
	for _, p := range peers {
		measure(b, p.name, len(asked), p.open(b, gate, asked))
	}
}

func BenchmarkRisk(b *testing.B) {
	asked := cells(false)
	measure(b, "loop", len(asked), func(i int) policy.Outcome { return policy.Outcome(i) })
	measure(b, "prov", len(asked), provRisk(asked))
	measure(b, "prov-names", len(asked), provNames(asked))
	measurePeers(b, false, asked)
}

func BenchmarkReached(b *testing.B) {
	asked := reached()
	measure(b, "prov", len(asked), provRisk(asked))
	measure(b, "prov-gate", len(asked), provGate(b, incident.OpenFirstResponse, asked))
	measurePeers(b, false, asked)
}

func BenchmarkGate(b *testing.B) {
	asked := mix()
	measure(b, "prov-gate", len(asked), provGate(b, wider, asked))
	measurePeers(b, true, asked)
}
