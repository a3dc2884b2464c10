package spec

import (
	"context"
	"crypto/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/internal/progen"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
	"github.com/provlang/prov/runtime/registry"
	"github.com/provlang/prov/runtime/store"
)

// An optional argument that is left out, null, empty or given twice escapes no rule
// about it, and a number is the same number however it is spelled.
func TestRule_REQ_2(t *testing.T) {
	res := compiler.Compile([]compiler.File{{Name: "p.prov", Text: []byte(`package p
entity account { limit decimal(2) }
approval manager { 1 of manager, within 4h }
tool refund on account {
  args { amount decimal(2), note string(0..40) optional }
  require amount <= target.limit                            else refuse
  require note present or amount < 100.00                   else hold for manager
  require note absent or amount < 100.00 or not note == "" else refuse
}
agent a { scope refund }
policy pol {
  agent     a
  tools     refund
  approval  manager
  max_steps 3
  deadline  1m
}
`)}})
	if res.Program == nil {
		t.Fatal(res.Report.Sorted()[0].Message)
	}
	p := res.Program
	world := []interp.Entity{{Tenant: "acme", Kind: p.Entities[0], ID: "1", Attrs: []*ir.Value{{N: 25000}}}}
	for args, want := range map[string]string{
		`{"amount":"99.99"}`:                           "allow allowed",
		`{"amount":"100"}`:                             "hold needs_human_approval",
		`{"amount":"100.0"}`:                           "hold needs_human_approval",
		`{"amount":"100.00"}`:                          "hold needs_human_approval",
		`{"amount":"100.00","note":"why"}`:             "allow allowed",
		`{"amount":"100.00","note":""}`:                "refuse requirement_failed",
		`{"amount":"100.00","note":null}`:              "refuse schema_invalid",
		`{"amount":"100.00","note":"why","note":"no"}`: "refuse malformed",
		`{"amount":"250.00","note":"why"}`:             "allow allowed",
		`{"amount":"250.01","note":"why"}`:             "refuse requirement_failed",
		`{"amount":"-0.01"}`:                           "allow allowed",
		`{}`:                                           "refuse schema_invalid",
	} {
		d := interp.New(p).Decide(interp.Case{Policy: p.Policies[0], Identity: interp.IdentityGood, Tenant: "acme", Entities: world,
			Proposal: []byte(`{"tool":"refund","target":"1","args":` + args + `}`)})
		if got := d.Outcome.String() + " " + string(d.Reason); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	world[0].Attrs[0] = nil
	d := interp.New(p).Decide(interp.Case{Policy: p.Policies[0], Identity: interp.IdentityGood, Tenant: "acme", Entities: world,
		Proposal: []byte(`{"tool":"refund","target":"1","args":{"amount":"1.00"}}`)})
	if d.Reason != interp.ReferenceUnknown {
		t.Errorf("a target without the attribute: %s", d.Reason)
	}
}

// The groups of all clauses that hold approve, and the policy's own for what names
// none: the case beside this test shows the cause, and this one the people.
func TestRule_REQ_4(t *testing.T) {
	p := policytest.Open(policytest.Required())
	for _, c := range []struct {
		failed policy.ClauseSet
		holds  policy.HoldCause
		want   []policy.Approval
	}{
		{1 << policytest.RequiredRich, policy.HoldRequirement, []policy.Approval{policytest.Board}},
		{1 << policytest.RequiredAbroad, policy.HoldRequirement, []policy.Approval{policytest.Tellers}},
		{1<<policytest.RequiredRich | 1<<policytest.RequiredAbroad, policy.HoldRequirement, []policy.Approval{policytest.Board, policytest.Tellers}},
		{1 << policytest.RequiredRich, policy.HoldRequirement | policy.HoldScore, []policy.Approval{policytest.Tellers, policytest.Board}},
		{0, policy.HoldScore, []policy.Approval{policytest.Tellers}},
	} {
		d := policy.Decision{Outcome: policy.Hold, Tool: policytest.FreezeAccount, Failed: c.failed, Holds: c.holds}
		got, all := p.Approvers(&d)
		if diff := cmp.Diff(c.want, got); diff != "" || !all {
			t.Errorf("%b, %s: all %v (-want +got):\n%s", c.failed, c.holds, all, diff)
		}
	}
}

// Each of these, added to a tool of an example, loosens nothing that the example
// decides.
func TestRule_REQ_6(t *testing.T) {
	for _, c := range []struct{ example, tool, clause string }{
		{"incident", "tool rollback_config on service {", "require target.tier != tier1 else refuse"},
		{"incident", "tool rollback_config on service {", "require target.error_rate > 0.0100 else hold for manager"},
		{"incident", "tool read_service on service {", "require target.deployed != target.last_good else refuse"},
		{"intake", "tool propose_extraction on document {", "require amount present and amount > 0.00 else refuse"},
		{"intake", "tool propose_extraction on document {", "require currency absent or currency in { \"EUR\", \"CHF\" } else hold"},
	} {
		text, err := os.ReadFile("../../examples/" + c.example + "/" + c.example + ".prov")
		if err != nil {
			t.Fatal(err)
		}
		// The tests of the example are about the example as it is.
		plain, _, _ := strings.Cut(string(text), "\ntest ")
		added := strings.Replace(plain, c.tool, c.tool+"\n  "+c.clause, 1)
		if added == plain {
			t.Fatalf("no %s in %s", c.tool, c.example)
		}
		compile := func(text string) *ir.Program {
			res := compiler.Compile([]compiler.File{{Name: "p.prov", Text: []byte(text)}})
			if res.Program == nil {
				t.Fatalf("%s does not compile: %s", c.clause, res.Report.Sorted()[0].Message)
			}
			return res.Program
		}
		before, after := compile(plain), compile(added)
		m, n := interp.New(before), interp.New(after)
		failed := 0
		for seed := range uint64(4) {
			cases := append(progen.Cases(before, seed, 300), progen.Scored(before, seed, 300)...)
			others := append(progen.Cases(after, seed, 300), progen.Scored(after, seed, 300)...)
			for i := range cases {
				was, is := m.Decide(cases[i]), n.Decide(others[i])
				if is.Outcome > was.Outcome {
					t.Errorf("%s: %s became %s for %s", c.clause, was.Outcome, is.Outcome, cases[i].Proposal)
				}
				failed += len(is.Failed)
			}
		}
		if failed == 0 {
			t.Errorf("%s was met by everything that was tried", c.clause)
		}
	}
}

// A refused clause goes back to the model in the contract's words; the run goes on.
func TestRule_REQ_7(t *testing.T) {
	spec := policytest.Required()
	p := policytest.Open(spec)
	reg, err := registry.Load(spec.Package.Entities, []byte(`{
  "agents": [{"tenant": "acme", "id": "clerk-1", "role": "clerk", "standing": "good", "version": 1}],
  "entities": [{"tenant": "acme", "kind": "account", "id": "A-1", "version": 1,
    "attributes": {"state": "open", "tier": "low", "region": "home", "balance": "4711.17"}}]
}`))
	if err != nil {
		t.Fatal(err)
	}
	led, err := ledger.Open(t.Context(), store.NewMemory(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]loop.Tool{}
	for i, tool := range spec.Package.Tools {
		if spec.Grants[i] == policy.InScope|policy.Allowlisted {
			tools[tool.Name] = func(context.Context, *loop.Call) ([]byte, error) { return nil, nil }
		}
	}
	var told []*model.Last
	asks := []string{`{"tool":"freeze_account","target":"A-1","args":{"days":123}}`, `{"tool":"freeze_account","target":"A-1","args":{"days":5}}`}
	run, err := loop.New(loop.Options{
		Policy: p, Registry: reg, Ledger: led, Tools: tools, Clock: time.Now,
		Model: says(func(turn *model.Turn) model.Answer {
			told = append(told, turn.Last)
			if len(told) > len(asks) {
				return model.Answer{Done: true}
			}
			return model.Answer{Reply: []byte(asks[len(told)-1])}
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := run.Run(t.Context(), loop.Task{ID: "t", Title: "t", Tenant: "acme", Agent: "clerk-1", Mode: loop.ModeAgent})
	if err != nil {
		t.Fatal(err)
	}
	want := []*model.Last{nil,
		{Tool: "freeze_account", Target: "A-1", Reason: "requirement_failed", Clauses: []string{"require days <= 90 else refuse"}},
		{Tool: "freeze_account", Target: "A-1", Reason: "allowed", Outcome: "done"},
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("what the model was told (-want +got):\n%s", diff)
	}
	for line, err := range led.Run(t.Context(), "acme", res.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		d := line.Entry.Decision
		if d != nil && d.Verdict.Reason == "requirement_failed" {
			if diff := cmp.Diff([]string{"desk.prov:34"}, d.Verdict.Failed); diff != "" {
				t.Errorf("what is on record (-want +got):\n%s", diff)
			}
		}
		for _, value := range []string{"123", "4711"} {
			if strings.Contains(string(line.Bytes), `"`+value) || strings.Contains(string(line.Bytes), ":"+value+",") {
				t.Errorf("the ledger says %s: %s", value, line.Bytes)
			}
		}
	}
}

// says is a model that answers.
type says func(*model.Turn) model.Answer

func (f says) Ask(_ context.Context, t *model.Turn) (model.Answer, error) { return f(t), nil }
