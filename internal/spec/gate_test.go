package spec

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/examples/incident"
	"github.com/provlang/prov/examples/intake"
	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

func open(t *testing.T, f func() (*policy.Policy, error)) *policy.Policy {
	t.Helper()
	p, err := f()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// world is one decision's inputs, with what is usual filled in.
type world struct {
	p        *policy.Policy
	kind     string // of the target; "" for none
	attrs    string // JSON
	identity policy.Identity
	prior    policy.Prior
	target   policy.SubjectStatus
	rests    policy.SubjectStatus
}

func acme(t *testing.T, state string) world {
	return world{
		p: open(t, intake.OpenAcme), kind: "document", attrs: fmt.Sprintf(`{"state":%q}`, state),
		identity: policy.IdentityGood, prior: policy.PriorNone, target: policy.SubjectFound, rests: policy.SubjectNone,
	}
}

func firstResponse(t *testing.T, tier string) world {
	return world{
		p: open(t, incident.OpenFirstResponse), kind: "service",
		attrs:    fmt.Sprintf(`{"tier":%q,"deployed":"v42","last_good":"v41","error_rate":"0.1200"}`, tier),
		identity: policy.IdentityGood, prior: policy.PriorNone, target: policy.SubjectFound, rests: policy.SubjectNone,
	}
}

func (w world) decide(t *testing.T, proposal string) (policy.Decision, policy.Fault) {
	t.Helper()
	s := policy.Subject{Target: w.target, Refs: policy.SubjectNone, Sources: w.rests, Version: 1}
	if w.kind != "" {
		for i, e := range w.p.Spec().Package.Entities {
			if e.Name == w.kind {
				if err := w.p.DecodeAttrs(int32(i), []byte(w.attrs), &s.Attrs); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var pr policy.Proposal
	w.p.Decode([]byte(proposal), "acme", &pr)
	var d policy.Decision
	gate.Decide(w.p, w.identity, &pr, &s, w.prior, &d)
	return d, pr.Fault()
}

// want compares what a decision says: outcome, rung, reason, and the fault's path.
func (w world) want(t *testing.T, proposal, want string) {
	t.Helper()
	d, f := w.decide(t, proposal)
	got := fmt.Sprintf("%s %s %s", d.Outcome, d.Rung, d.Reason)
	if d.Reason == policy.SchemaInvalid || d.Reason == policy.Malformed {
		got += fmt.Sprintf(" %s %s", f.Kind, f.Where())
	}
	if diff := cmp.Diff(want, strings.TrimSpace(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", proposal, diff)
	}
}

func TestRule_PRO_1(t *testing.T) {
	w := firstResponse(t, "tier2")
	w.want(t, `{"tool":"rollback_config","target":"inventory-api","args":{},"cause":"config_regression"}`, "allow risk allowed")
	w.want(t, `{"tool":"rollback_config"}`, "refuse schema schema_invalid missing target")
	w.want(t, `{"tool":"rollback_config","target":"inventory-api","cause":"boredom"}`, "refuse schema schema_invalid not_a_member cause")
	ids := strings.TrimSuffix(strings.Repeat(`"o1",`, policy.MaxRestsOn+1), ",")
	w.want(t, `{"tool":"rollback_config","target":"inventory-api","rests_on":[`+ids+`]}`, "refuse schema schema_invalid too_many rests_on")
	acme(t, "uploaded").want(t, `{"tool":"classify_document","target":"INV-1","cause":"capacity"}`, "refuse schema schema_invalid unknown_field cause")
}

func TestRule_PRO_2(t *testing.T) {
	w := acme(t, "uploaded")
	for proposal, want := range map[string]string{
		`{"tool":"classify_document"`: "syntax",
		`[]`:                          "not_object",
		`{"tool":"classify_document","target":"a"} x`:            "trailing",
		`{"tool":"classify_document","tool":"approve_document"}`: "duplicate",
		"{\"tool\":\"classify_document\",\"target\":\"\xff\"}":   "utf8",
		`{"target":"a"}`: "no_tool",
		`{"tool":7}`:     "no_tool",
		`{"tool":"classify_document","args":` + strings.Repeat(`[`, 9) + strings.Repeat(`]`, 9) + `}`: "depth",
		`{"tool":"classify_document","target":"` + strings.Repeat("a", policy.MaxProposal) + `"}`:     "size",
		`{"tool":"propose_extraction","target":"a","args":{"amount":"1.00","\u0061mount":"2.00"}}`:    "duplicate",
	} {
		d, f := w.decide(t, proposal)
		if d.Outcome != policy.Refuse || d.Reason != policy.Malformed || f.Kind.String() != want {
			t.Errorf("%.80s: %s %s %s, want malformed %s", proposal, d.Outcome, d.Reason, f.Kind, want)
		}
	}
}

func TestRule_PRO_3(t *testing.T) {
	w := acme(t, "extracted")
	for _, field := range []string{"confidence", "risk", "severity", "score", "note"} {
		w.want(t, fmt.Sprintf(`{"tool":"propose_extraction","target":"INV-1","%s":0.99}`, field),
			"refuse schema schema_invalid unknown_field "+field)
		w.want(t, fmt.Sprintf(`{"tool":"propose_extraction","target":"INV-1","args":{"%s":0.99}}`, field),
			"refuse schema schema_invalid unknown_field args."+field)
	}
}

func TestRule_PRO_4(t *testing.T) {
	w := acme(t, "extracted")
	amount := func(v string) string {
		return fmt.Sprintf(`{"tool":"propose_extraction","target":"INV-1","args":{"amount":%s}}`, v)
	}
	w.want(t, amount(`"12.50"`), "allow risk allowed")
	w.want(t, amount(`12.50`), "refuse schema schema_invalid wrong_type args.amount")
	w.want(t, amount(`null`), "refuse schema schema_invalid wrong_type args.amount")
	w.want(t, amount(`"12.505"`), "refuse schema schema_invalid scale args.amount")
	w.want(t, amount(`"012.50"`), "refuse schema schema_invalid numeral args.amount")
	w.want(t, `{"tool":"propose_extraction","target":"INV-1"}`, "allow risk allowed")
	var a, b policy.Proposal
	w.p.Decode([]byte(amount(`"12.5"`)), "acme", &a)
	w.p.Decode([]byte(amount(`"12.50"`)), "acme", &b)
	one, other := string(w.p.AppendCanonical(nil, &a)), string(w.p.AppendCanonical(nil, &b))
	if one == "" || one != other {
		t.Errorf("12.5 and 12.50 are one number, and give %q and %q", one, other)
	}
}

func TestRule_PRO_5(t *testing.T) {
	w := acme(t, "uploaded")
	w.want(t, `{"tool":"classify_document","target":"INV-1","tenant":"globex"}`, "refuse tenant cross_tenant_denied")
	w.want(t, `{"tool":"classify_document","target":"INV-1","args":{"tenant_id":"globex"}}`, "refuse tenant cross_tenant_denied")
	w.want(t, `{"tool":"classify_document","target":"INV-1","tenant":"acme"}`, "refuse schema schema_invalid unknown_field tenant")
}

// ladder breaks a proposal at every rung at once, then mends one rung after the
// other from the top: the answer must walk down the ladder.
func TestRule_GAT_1(t *testing.T) {
	w := acme(t, "needs_review")
	w.identity, w.target, w.prior = policy.IdentitySuspended, policy.SubjectForeign, policy.PriorDone
	steps := []struct {
		mend     func()
		proposal string
		want     string
	}{
		{func() {}, `{"tool":`, "refuse shape malformed syntax"},
		{func() {}, `{"tool":"launch","target":"INV-1","x":1}`, "refuse identity agent_suspended"},
		{func() { w.identity = policy.IdentityGood }, `{"tool":"launch","target":"INV-1","x":1}`, "refuse tool unknown_tool"},
		{func() {}, `{"tool":"approve_document","target":"INV-1","x":1}`, "refuse scope tool_not_in_scope"},
		{func() {}, `{"tool":"classify_document","target":"INV-1","x":1}`, "refuse tenant cross_tenant_denied"},
		{func() { w.target = policy.SubjectUnknown }, `{"tool":"classify_document","target":"INV-1","x":1}`, "refuse schema schema_invalid unknown_field x"},
		{func() {}, `{"tool":"classify_document","target":"INV-1"}`, "refuse reference reference_unknown"},
		{func() { w.target = policy.SubjectFound }, `{"tool":"classify_document","target":"INV-1"}`, "refuse replay idempotent_replay"},
		{func() { w.prior = policy.PriorNone }, `{"tool":"classify_document","target":"INV-1"}`, "refuse reference state_conflict"},
		{func() { w.attrs = `{"state":"uploaded"}` }, `{"tool":"classify_document","target":"INV-1"}`, "allow risk allowed"},
	}
	for _, s := range steps {
		s.mend()
		w.want(t, s.proposal, s.want)
	}
}

// TestRule_GAT_2 reaches each reason that a proposal can meet; the bounds are in
// TestRule_LOP_1, and a test of the gate holds the list closed.
func TestRule_GAT_2(t *testing.T) {
	reached := map[policy.Reason]bool{}
	note := func(w world, proposal string) {
		d, _ := w.decide(t, proposal)
		reached[d.Reason] = true
	}
	classify := `{"tool":"classify_document","target":"INV-1"}`
	w := acme(t, "uploaded")
	note(w, classify)
	note(w, `{`)
	note(w, `{"tool":"launch"}`)
	note(w, `{"tool":"approve_document","target":"INV-1"}`)
	note(w, classify[:len(classify)-1]+`,"x":1}`)
	note(acme(t, "approved"), classify)
	triage := acme(t, "extracted")
	triage.p = open(t, intake.OpenTriage)
	note(triage, `{"tool":"propose_extraction","target":"INV-1"}`)
	for _, id := range policy.Identities() {
		w.identity = id
		note(w, classify)
	}
	w = acme(t, "uploaded")
	for _, s := range policy.SubjectStatuses() {
		w.target = s
		note(w, classify)
	}
	w = acme(t, "uploaded")
	for _, p := range policy.Priors() {
		w.prior = p
		note(w, classify)
	}
	supplier := world{p: open(t, incident.OpenFirstResponse), kind: "supplier", attrs: `{"tier":"tier1","certified":true}`,
		identity: policy.IdentityGood, prior: policy.PriorNone, target: policy.SubjectFound}
	note(supplier, `{"tool":"disable_compliance_checks","target":"SUP-042"}`)
	required := world{p: policytest.Open(policytest.Required()), kind: "account", attrs: `{"state":"open","tier":"high","region":"home","balance":"1.00"}`,
		identity: policy.IdentityGood, prior: policy.PriorNone, target: policy.SubjectFound}
	note(required, `{"tool":"freeze_account","target":"A-1","args":{"days":5}}`)
	bounds := map[policy.Reason]bool{policy.NoReason: true, policy.MaxStepsExceeded: true, policy.DeadlineExceeded: true,
		policy.BudgetExceeded: true, policy.NoProgress: true,
		policy.AllowedWithNotice: true} // no table of the two examples has a cell that a tool of theirs reaches in `notify`
	for _, r := range policy.Reasons() {
		if !reached[r] && !bounds[r] {
			t.Errorf("reason %s was not reached", r)
		}
	}
}

func TestRule_GAT_3(t *testing.T) {
	rollback := `{"tool":"rollback_config","target":"inventory-api"}`
	w := firstResponse(t, "tier2")
	w.identity = policy.IdentityDegraded // holds
	w.want(t, rollback, "hold risk needs_human_approval")
	w.target = policy.SubjectUnknown // refuses
	w.want(t, rollback, "refuse reference reference_unknown")
}

func TestRule_GAT_4(t *testing.T) {
	rollback := `{"tool":"rollback_config","target":"inventory-api"}`
	usual := firstResponse(t, "tier2")
	usual.want(t, rollback, "allow risk allowed")
	for name, unset := range map[string]func(*world){
		"policy":   func(w *world) { w.p = &policy.Policy{}; w.kind = "" },
		"identity": func(w *world) { w.identity = policy.Identity(0) },
		"prior":    func(w *world) { w.prior = policy.Prior(0) },
		"target":   func(w *world) { w.target = policy.SubjectStatus(0) },
		"attrs":    func(w *world) { w.kind = "" },
	} {
		w := usual
		unset(&w)
		if d, _ := w.decide(t, rollback); d.Outcome == policy.Allow || d.Outcome == policy.Notify {
			t.Errorf("with %s unset: %s", name, d.Outcome)
		}
	}
	var zero policy.Decision
	if zero.Outcome != policy.Refuse {
		t.Errorf("the zero decision is %s", zero.Outcome)
	}
}

func TestRule_GAT_5(t *testing.T) {
	rollback := `{"tool":"rollback_config","target":"inventory-api"}`
	for _, tier := range []string{"tier1", "tier2", "tier3"} {
		w := firstResponse(t, tier)
		w.identity = policy.IdentityDegraded
		d, _ := w.decide(t, rollback)
		if d.Outcome != policy.Hold || d.Holds&policy.HoldStanding == 0 {
			t.Errorf("%s, degraded: %s %s", tier, d.Outcome, d.Holds)
		}
		w.identity = policy.IdentitySuspended
		w.want(t, rollback, "refuse identity agent_suspended")
	}
}

func TestRule_GAT_6(t *testing.T) {
	w := acme(t, "extracted") // the state to which classify_document has moved it
	classify := `{"tool":"classify_document","target":"INV-1"}`
	w.prior = policy.PriorDone
	w.want(t, classify, "refuse replay idempotent_replay")
	w.prior = policy.PriorUnknown
	w.want(t, classify, "hold replay outcome_unknown")
	w.prior = policy.PriorNone
	w.want(t, classify, "refuse reference state_conflict")
	r := firstResponse(t, "tier2")
	r.prior = policy.PriorDone
	r.want(t, `{"tool":"read_service","target":"inventory-api"}`, "allow risk allowed")
}

func TestRule_LOP_1(t *testing.T) {
	p := open(t, incident.OpenFirstResponse)
	budget, _ := p.Budget()
	for _, c := range []struct {
		name    string
		used    gate.Usage
		elapsed time.Duration
		want    string
	}{
		{"fresh", gate.Usage{}, 0, "go on"},
		{"one step left", gate.Usage{Steps: p.MaxSteps() - 1}, 0, "go on"},
		{"no step left", gate.Usage{Steps: p.MaxSteps()}, 0, "refuse max_steps_exceeded"},
		{"a nanosecond left", gate.Usage{}, p.Deadline() - 1, "go on"},
		{"no time left", gate.Usage{}, p.Deadline(), "refuse deadline_exceeded"},
		{"calls", gate.Usage{ModelCalls: budget.ModelCalls}, 0, "hold budget_exceeded"},
		{"tokens", gate.Usage{Tokens: budget.Tokens}, 0, "hold budget_exceeded"},
		{"cost", gate.Usage{CostMicros: budget.CostMicros}, 0, "hold budget_exceeded"},
		{"nonsense", gate.Usage{Steps: -1}, 0, "refuse max_steps_exceeded"},
	} {
		var d policy.Decision
		got := "go on"
		if !gate.Bounds(p, c.used, c.elapsed, &d) {
			got = fmt.Sprintf("%s %s", d.Outcome, d.Reason)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
