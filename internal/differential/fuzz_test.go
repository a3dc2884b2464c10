package differential

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/examples/incident"
	"github.com/provlang/prov/examples/intake"
	"github.com/provlang/prov/internal/differential/answer"
	"github.com/provlang/prov/runtime/policy"
)

// FuzzDecide gives any bytes at all as a proposal to the committed examples, and to
// the reference evaluator on their sources. No process is between the two, so the
// fuzzer sees where both of them go.
func FuzzDecide(f *testing.F) {
	type subject struct {
		program *ir.Program
		machine *interp.Machine
		opened  *policy.Policy
		policy  *ir.Policy
		world   func(state uint8) []interp.Entity
	}
	load := func(path, name string, open func() (*policy.Policy, error)) *subject {
		text, err := os.ReadFile("../../examples/" + path)
		if err != nil {
			f.Fatal(err)
		}
		s := &subject{program: compiler.Compile([]compiler.File{{Name: name, Text: text}}).Program}
		if s.program == nil {
			f.Fatalf("%s does not compile", path)
		}
		if s.opened, err = open(); err != nil {
			f.Fatal(err)
		}
		s.machine, s.policy = interp.New(s.program), s.program.Policies[0]
		return s
	}
	v := func(n int64) *ir.Value { return &ir.Value{N: n} }
	events := load("incident/incident.prov", "incident.prov", incident.OpenFirstResponse)
	events.world = func(state uint8) []interp.Entity {
		service, supplier := events.program.Entities[0], events.program.Entities[1]
		version := &ir.Value{S: "v42"}
		return []interp.Entity{
			{Tenant: "acme", Kind: service, ID: "inventory-api", Attrs: []*ir.Value{v(int64(state % 3)), version, version, v(0)}},
			{Tenant: "acme", Kind: supplier, ID: "SUP-042", Attrs: []*ir.Value{v(int64(state % 3)), v(1)}},
			{Tenant: "other", Kind: service, ID: "theirs", Attrs: []*ir.Value{v(0), version, version, v(0)}},
		}
	}
	papers := load("intake/intake.prov", "intake.prov", intake.OpenAcme)
	papers.world = func(state uint8) []interp.Entity {
		document := papers.program.Entities[0]
		return []interp.Entity{
			{Tenant: "acme", Kind: document, ID: "INV-3001", Attrs: []*ir.Value{v(int64(state % 4))}},
			{Tenant: "other", Kind: document, ID: "INV-9009", Attrs: []*ir.Value{v(0)}},
		}
	}

	for _, text := range []string{
		`{"tool":"rollback_config","target":"inventory-api","cause":"config_regression","rests_on":["o1"]}`,
		`{"tool":"disable_compliance_checks","target":"SUP-042","confidence":0.99}`,
		`{"tool":"propose_extraction","target":"INV-3001","args":{"invoice_id":"INV-0001","amount":"0.00","currency":"EUR"}}`,
		`{"args":{"amount":"-12.5"},"tool":"propose_extraction","target":"INV-9009","tenant":"other"}`,
		`{"tool":"approve_document","target":"INV-3001"}`,
		`{"tool":"rollback_config","tool":"\ud83d"}`,
	} {
		f.Add([]byte(text), uint8(1), uint8(5))
	}
	f.Fuzz(func(t *testing.T, text []byte, state, who uint8) {
		for _, s := range []*subject{events, papers} {
			c := interp.Case{
				Policy:   s.policy,
				Identity: interp.Identities()[int(who)%len(interp.Identities())],
				Tenant:   "acme",
				Entities: s.world(state),
				Sources:  []interp.Source{{Tenant: "acme", ID: "o1"}, {Tenant: "other", ID: "o9"}},
				Proposal: text,
			}
			q := question(s.program, &c)
			if diff := cmp.Diff(inWords(s.machine.Decide(c)), answer.Ask(s.opened, &q), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, state %d, %s: %q (-reference +generated)\n%s", s.program.Name, state, c.Identity, text, diff)
			}
		}
	})
}
