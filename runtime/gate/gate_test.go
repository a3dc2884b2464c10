package gate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// question is all that a decision is made from.
type question struct {
	p      *policy.Policy
	id     policy.Identity
	text   string
	tenant string
	s      policy.Subject
	prior  policy.Prior
}

func (q *question) decide() policy.Decision {
	var pr policy.Proposal
	q.p.Decode([]byte(q.text), q.tenant, &pr)
	d := dirty
	gate.Decide(q.p, q.id, &pr, &q.s, q.prior, &d)
	return d
}

// dirty is what a caller may have left behind: nothing of it may survive.
var dirty = policy.Decision{
	Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Holds: 0xff, Scored: true, Score: -99,
	Flags: ^policy.FlagSet(0), Failed: ^policy.ClauseSet(0), Line: policy.Pos{File: 9, Line: 9}, Tool: 99,
}

// attrs of an account: state, tier, region, balance.
func attrs(state, tier, region, balance int64) policy.Record {
	v := func(n int64) policy.Value { return policy.Value{N: n, Set: true} }
	return policy.NewRecord(v(state), v(tier), v(region), v(balance))
}

// without gives a copy of a record that lacks one field.
func without(r policy.Record, field int) policy.Record {
	var vs []policy.Value
	for i := range r.Len() {
		vs = append(vs, r.Value(i))
	}
	vs[field] = policy.Value{}
	return policy.NewRecord(vs...)
}

// good is a freeze of an open account that nothing speaks against.
func good() question {
	return question{
		p:      policytest.Open(policytest.Desk()),
		id:     policy.IdentityGood,
		text:   `{"tool":"freeze_account","target":"A-1","args":{"days":5},"rests_on":["o1"]}`,
		tenant: "acme",
		s: policy.Subject{
			Target: policy.SubjectFound, Refs: policy.SubjectNone, RefField: -1, Sources: policy.SubjectFound,
			Version: 3, Attrs: attrs(0, 0, 0, 100),
		},
		prior: policy.PriorNone,
	}
}

func at(n uint32) policy.Pos { return policy.Pos{Line: n} }

// ladder has at least one case for every reason that Decide can give.
var ladder = []struct {
	name string
	with func(q *question)
	want policy.Decision
}{
	{"nothing speaks against it", func(*question) {},
		policy.Decision{Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Scored: true, Line: at(58), Tool: policytest.FreezeAccount}},

	{"not JSON", func(q *question) { q.text = "I think we should freeze it." },
		policy.Decision{Rung: policy.RungShape, Reason: policy.Malformed, Tool: -1}},
	{"nothing at all", func(q *question) { q.text = "" },
		policy.Decision{Rung: policy.RungShape, Reason: policy.Malformed, Tool: -1}},
	{"no tool", func(q *question) { q.text = `{"target":"A-1"}` },
		policy.Decision{Rung: policy.RungShape, Reason: policy.Malformed, Tool: -1}},

	{"no credential", func(q *question) { q.id = policy.IdentityInvalid },
		policy.Decision{Rung: policy.RungIdentity, Reason: policy.CredentialInvalid, Tool: -1}},
	{"an identity outside the list", func(q *question) { q.id = 99 },
		policy.Decision{Rung: policy.RungIdentity, Reason: policy.CredentialInvalid, Tool: -1}},
	{"an expired credential", func(q *question) { q.id = policy.IdentityExpired },
		policy.Decision{Rung: policy.RungIdentity, Reason: policy.CredentialExpired, Tool: -1}},
	{"an agent that is not registered", func(q *question) { q.id = policy.IdentityUnknown },
		policy.Decision{Rung: policy.RungIdentity, Reason: policy.AgentUnknown, Tool: -1}},
	{"a suspended agent", func(q *question) { q.id = policy.IdentitySuspended },
		policy.Decision{Rung: policy.RungIdentity, Reason: policy.AgentSuspended, Tool: -1}},

	{"a tool that does not exist", func(q *question) { q.text = `{"tool":"launch"}` },
		policy.Decision{Rung: policy.RungTool, Reason: policy.UnknownTool, Tool: -1}},
	{"a tool spelled otherwise", func(q *question) { q.text = `{"tool":"Freeze_account"}` },
		policy.Decision{Rung: policy.RungTool, Reason: policy.UnknownTool, Tool: -1}},

	{"a tool of another role", func(q *question) { q.text = `{"tool":"wipe","target":"A-1"}` },
		policy.Decision{Rung: policy.RungScope, Reason: policy.ToolNotInScope, Line: at(80), Tool: policytest.Wipe}},
	{"a tool of another deployment", func(q *question) { q.text = `{"tool":"spare"}` },
		policy.Decision{Rung: policy.RungScope, Reason: policy.ToolNotAllowlisted, Line: at(80), Tool: policytest.Spare}},

	{"another tenant's target", func(q *question) { q.s.Target = policy.SubjectForeign },
		policy.Decision{Rung: policy.RungTenant, Reason: policy.CrossTenantDenied, Line: at(30), Tool: policytest.FreezeAccount}},
	{"another tenant's reference", func(q *question) { q.s.Refs = policy.SubjectForeign },
		policy.Decision{Rung: policy.RungTenant, Reason: policy.CrossTenantDenied, Line: at(30), Tool: policytest.FreezeAccount}},
	{"another tenant's observation", func(q *question) { q.s.Sources = policy.SubjectForeign },
		policy.Decision{Rung: policy.RungTenant, Reason: policy.CrossTenantDenied, Line: at(30), Tool: policytest.FreezeAccount}},
	{"a tenant of its own choice", func(q *question) {
		q.text = `{"tool":"freeze_account","target":"A-1","args":{"days":5,"tenant":"other"}}`
	}, policy.Decision{Rung: policy.RungTenant, Reason: policy.CrossTenantDenied, Line: at(30), Tool: policytest.FreezeAccount}},

	{"its own tenant's name", func(q *question) {
		q.text = `{"tool":"freeze_account","target":"A-1","args":{"days":5},"tenant":"acme"}`
	}, policy.Decision{Rung: policy.RungSchema, Reason: policy.SchemaInvalid, Line: at(30), Tool: policytest.FreezeAccount}},
	{"an argument out of range", func(q *question) { q.text = `{"tool":"freeze_account","target":"A-1","args":{"days":366}}` },
		policy.Decision{Rung: policy.RungSchema, Reason: policy.SchemaInvalid, Line: at(31), Tool: policytest.FreezeAccount}},
	{"a target for what acts on nothing", func(q *question) { q.text = `{"tool":"ping","target":"A-1"}` },
		policy.Decision{Rung: policy.RungSchema, Reason: policy.SchemaInvalid, Line: at(40), Tool: policytest.Ping}},

	{"a target that is nowhere", func(q *question) { q.s.Target = policy.SubjectUnknown },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"a target that was not looked up", func(q *question) { q.s.Target = policy.SubjectUnread },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"a target that nobody named", func(q *question) { q.s.Target = policy.SubjectNone },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"a status outside the list", func(q *question) { q.s.Target = 99 },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"an observation that is nowhere", func(q *question) { q.s.Sources = policy.SubjectUnknown },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"an observation that was not looked up", func(q *question) { q.s.Sources = policy.SubjectUnread },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"a reference that nobody named was found", func(q *question) { q.s.Refs = policy.SubjectFound },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"an attribute that the risk table reads is missing", func(q *question) { q.s.Attrs = without(q.s.Attrs, policytest.AccountTier) },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"an attribute that the risk table reads is in no vocabulary", func(q *question) { q.s.Attrs = attrs(0, 3, 0, 0) },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"an attribute that a flag reads is missing", func(q *question) { q.s.Attrs = without(q.s.Attrs, policytest.AccountBalance) },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"the lifecycle's attribute is missing", func(q *question) { q.s.Attrs = without(q.s.Attrs, policytest.AccountState) },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(14), Tool: policytest.FreezeAccount}},
	{"the lifecycle's attribute is no state", func(q *question) { q.s.Attrs = attrs(-1, 0, 0, 0) },
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(14), Tool: policytest.FreezeAccount}},

	{"a state that the tool does not start from", func(q *question) { q.s.Attrs = attrs(2, 0, 0, 0) },
		policy.Decision{Rung: policy.RungReference, Reason: policy.StateConflict, Line: at(14), Tool: policytest.FreezeAccount}},

	{"done before", func(q *question) { q.prior = policy.PriorDone },
		policy.Decision{Rung: policy.RungReplay, Reason: policy.IdempotentReplay, Line: at(30), Tool: policytest.FreezeAccount}},
	{"done before, and its state has moved on", func(q *question) { q.prior, q.s.Attrs = policy.PriorDone, attrs(1, 0, 0, 0) },
		policy.Decision{Rung: policy.RungReplay, Reason: policy.IdempotentReplay, Line: at(30), Tool: policytest.FreezeAccount}},
	{"done before, with a flag", func(q *question) { q.prior, q.s.Attrs = policy.PriorDone, attrs(1, 0, 0, 2000000) },
		policy.Decision{Rung: policy.RungReplay, Reason: policy.IdempotentReplay, Line: at(30), Tool: policytest.FreezeAccount, Flags: 2}},
	{"begun before, and nobody knows", func(q *question) { q.prior = policy.PriorUnknown },
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungReplay, Reason: policy.OutcomeUnknown, Holds: policy.HoldUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"nobody has looked whether it was done", func(q *question) { q.prior = policy.PriorUnread },
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungReplay, Reason: policy.OutcomeUnknown, Holds: policy.HoldUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"a prior outside the list", func(q *question) { q.prior = 99 },
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungReplay, Reason: policy.OutcomeUnknown, Holds: policy.HoldUnknown, Line: at(30), Tool: policytest.FreezeAccount}},
	{"read before", func(q *question) {
		q.text, q.prior, q.s.Sources = `{"tool":"read_account","target":"A-1"}`, policy.PriorDone, policy.SubjectNone
	}, policy.Decision{Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Line: at(41), Tool: policytest.ReadAccount}},

	{"a band that tells", func(q *question) { q.s.Attrs = attrs(0, 2, 1, 0) },
		policy.Decision{Outcome: policy.Notify, Rung: policy.RungRisk, Reason: policy.AllowedWithNotice, Scored: true, Score: 5, Line: at(59), Tool: policytest.FreezeAccount}},
	{"a band that holds", func(q *question) {
		q.text, q.s.Sources = `{"tool":"transfer","target":"A-1","args":{"amount":"1"}}`, policy.SubjectNone
		q.s.Attrs = attrs(0, 2, 1, 0)
	}, policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldScore, Scored: true, Score: 8, Line: at(60), Tool: policytest.Transfer}},
	{"a reference among the arguments", func(q *question) {
		q.text, q.s.Sources, q.s.Refs = `{"tool":"transfer","target":"A-1","args":{"amount":"1","payee":"P-1"}}`, policy.SubjectNone, policy.SubjectFound
	}, policy.Decision{Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Scored: true, Score: 3, Line: at(58), Tool: policytest.Transfer}},
	{"a contract that holds", func(q *question) {
		q.text, q.s.Sources = `{"tool":"close_account","target":"A-1"}`, policy.SubjectNone
	}, policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldContract, Scored: true, Score: 4, Line: at(20), Tool: policytest.CloseAccount}},
	{"a dangerous contract", func(q *question) {
		q.text, q.s = `{"tool":"run_query","args":{"text":"drop"}}`, policy.Subject{}
	}, policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldDangerous, Line: at(43), Tool: policytest.RunQuery}},
	{"a flag that is recorded", func(q *question) {
		q.text = `{"tool":"freeze_account","target":"A-1","args":{"days":200},"rests_on":["o1"]}`
	}, policy.Decision{Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Scored: true, Flags: 1, Line: at(58), Tool: policytest.FreezeAccount}},
	{"a flag that holds", func(q *question) { q.s.Attrs = attrs(0, 0, 0, 2000000) },
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldFlag, Scored: true, Flags: 2, Line: at(33), Tool: policytest.FreezeAccount}},
	{"a degraded agent", func(q *question) { q.id = policy.IdentityDegraded },
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldStanding, Scored: true, Line: at(80), Tool: policytest.FreezeAccount}},
	{"a degraded agent that reads", func(q *question) {
		q.id, q.text, q.s.Sources = policy.IdentityDegraded, `{"tool":"read_account","target":"A-1"}`, policy.SubjectNone
	}, policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldStanding, Line: at(80), Tool: policytest.ReadAccount}},
	{"everything that holds", func(q *question) {
		q.id, q.text, q.s.Sources = policy.IdentityDegraded, `{"tool":"close_account","target":"A-1"}`, policy.SubjectNone
		q.s.Attrs = attrs(0, 2, 1, 0)
	}, policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldScore | policy.HoldContract | policy.HoldStanding,
		Scored: true, Score: 9, Line: at(60), Tool: policytest.CloseAccount}},
	{"acts on nothing", func(q *question) { q.text, q.s = `{"tool":"ping"}`, policy.Subject{} },
		policy.Decision{Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Line: at(40), Tool: policytest.Ping}},
}

func TestLadder(t *testing.T) {
	for _, c := range ladder {
		q := good()
		c.with(&q)
		if diff := cmp.Diff(c.want, q.decide()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		// The same table laid out as cells decides the same.
		q.p = policytest.Open(policytest.WithCells(policytest.Desk()))
		if diff := cmp.Diff(c.want, q.decide()); diff != "" {
			t.Errorf("%s, by cells (-want +got):\n%s", c.name, diff)
		}
	}
}

// Every reason on the list is one that something ends with, and every rung has
// something that ends there.
func TestEveryReasonIsReached(t *testing.T) {
	reached := map[policy.Reason]policy.Rung{policy.NoReason: policy.RungNone}
	rungs := map[policy.Rung]bool{policy.RungNone: true}
	for _, c := range ladder {
		q := good()
		c.with(&q)
		d := q.decide()
		reached[d.Reason], rungs[d.Rung] = d.Rung, true
	}
	for _, c := range required {
		q := freeze(c.days, c.attrs, c.prior)
		d := q.decide()
		reached[d.Reason], rungs[d.Rung] = d.Rung, true
	}
	for _, c := range bounds {
		d := c.decide()
		reached[d.Reason], rungs[d.Rung] = d.Rung, true
	}
	for _, r := range policy.Reasons() {
		if _, ok := reached[r]; !ok {
			t.Errorf("nothing ends with %s", r)
		}
	}
	for _, r := range policy.Rungs() {
		if !rungs[r] {
			t.Errorf("nothing ends at rung %s", r)
		}
	}
}

// Each break ends the climb at its own rung. Together, the first of them decides,
// and what it decides does not depend on what else is broken.
func TestFirstNoEndsIt(t *testing.T) {
	type brk struct {
		name string
		do   func(q *question, text *map[string]string)
	}
	breaks := []brk{ // in the order of the ladder
		{"shape", func(_ *question, text *map[string]string) { (*text)["!"] = "!" }},
		{"identity", func(q *question, _ *map[string]string) { q.id = policy.IdentitySuspended }},
		{"tool", func(_ *question, text *map[string]string) { (*text)["tool"] = `"launch"` }},
		{"scope", func(_ *question, text *map[string]string) {
			if (*text)["tool"] != `"launch"` {
				(*text)["tool"] = `"wipe"`
			}
		}},
		{"tenant", func(q *question, _ *map[string]string) { q.s.Sources = policy.SubjectForeign }},
		{"schema", func(_ *question, text *map[string]string) { (*text)["confidence"] = `0.99` }},
		{"reference", func(q *question, _ *map[string]string) { q.s.Target = policy.SubjectUnknown }},
		{"attribute", func(q *question, _ *map[string]string) { q.s.Attrs = without(q.s.Attrs, policytest.AccountTier) }},
		{"replay", func(q *question, _ *map[string]string) { q.prior = policy.PriorDone }},
		{"standing", func(q *question, _ *map[string]string) {
			if q.id == policy.IdentityGood {
				q.id = policy.IdentityDegraded
			}
		}},
	}
	want := []policy.Reason{policy.Malformed, policy.AgentSuspended, policy.UnknownTool, policy.ToolNotInScope, policy.CrossTenantDenied,
		policy.SchemaInvalid, policy.ReferenceUnknown, policy.ReferenceUnknown, policy.IdempotentReplay, policy.NeedsHumanApproval}
	for set := 1; set < 1<<len(breaks); set++ {
		q := good()
		text := map[string]string{"tool": `"freeze_account"`, "target": `"A-1"`, "args": `{"days":5}`, "rests_on": `["o1"]`}
		first, names := -1, ""
		for i := len(breaks) - 1; i >= 0; i-- {
			if set&(1<<i) != 0 {
				breaks[i].do(&q, &text)
				first, names = i, breaks[i].name+" "+names
			}
		}
		q.text = "{"
		for _, m := range []string{"tool", "target", "args", "rests_on", "confidence"} {
			if v, ok := text[m]; ok {
				if len(q.text) > 1 {
					q.text += ","
				}
				q.text += fmt.Sprintf("%q:%s", m, v)
			}
		}
		if text["!"] == "" {
			q.text += "}"
		}
		if got := q.decide(); got.Reason != want[first] {
			t.Errorf("%s: %s, want %s", names, got.Reason, want[first])
		}
	}
}

// Flags are asked for once everything above them has held, and not before.
func TestNothingBelowIsEvaluated(t *testing.T) {
	asked := 0
	s := policytest.Desk()
	check := s.Package.Tools[policytest.FreezeAccount].Check
	s.Package.Tools[policytest.FreezeAccount].Check = func(args, target *policy.Record, set *policy.FlagSet) {
		asked++
		check(args, target, set)
	}
	p := policytest.Open(s)
	for _, c := range ladder {
		q := good()
		c.with(&q)
		q.p, asked = p, 0
		d := q.decide()
		want := 0
		if d.Rung >= policy.RungRequirements && d.Tool == policytest.FreezeAccount {
			want = 1
		}
		if asked != want {
			t.Errorf("%s: ends at %s, and the flags were asked for %d times", c.name, d.Rung, asked)
		}
	}
}

// A check that sets what its contract does not declare is not a generated one.
func TestUndeclaredFlagRefuses(t *testing.T) {
	s := policytest.Desk()
	s.Package.Tools[policytest.FreezeAccount].Check = func(_, _ *policy.Record, set *policy.FlagSet) { set.Add(5) }
	q := good()
	q.p = policytest.Open(s)
	want := policy.Decision{Rung: policy.RungRequirements, Tool: policytest.FreezeAccount}
	if diff := cmp.Diff(want, q.decide()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A tool that moves two lifecycles must be allowed by both.
func TestTwoLifecycles(t *testing.T) {
	s := policytest.Desk()
	tool := &s.Package.Tools[policytest.FreezeAccount]
	tool.Moves = append(tool.Moves, policy.Move{Attr: policytest.AccountRegion, From: 0, To: 1, Line: at(15)})
	for _, c := range []struct {
		attrs policy.Record
		want  policy.Reason
		line  policy.Pos
	}{
		{attrs(0, 0, 0, 0), policy.Allowed, at(58)},
		{attrs(1, 0, 0, 0), policy.StateConflict, at(14)},
		{attrs(0, 0, 1, 0), policy.StateConflict, at(15)},
		{attrs(1, 0, 1, 0), policy.StateConflict, at(14)},
		{attrs(1, 0, 7, 0), policy.ReferenceUnknown, at(30)}, // the risk table reads it first
	} {
		q := good()
		q.p, q.s.Attrs = policytest.Open(s), c.attrs
		if d := q.decide(); d.Reason != c.want || d.Line != c.line {
			t.Errorf("%v: %s by line %v, want %s by %v", c.attrs, d.Reason, d.Line, c.want, c.line)
		}
	}
}

// Whatever was not filled in refuses.
func TestZeroValuesRefuse(t *testing.T) {
	q := good()
	var pr policy.Proposal
	q.p.Decode([]byte(q.text), q.tenant, &pr)
	var zero policy.Policy
	var fromZero policy.Proposal
	zero.Decode([]byte(q.text), q.tenant, &fromZero)
	for name, decide := range map[string]func(d *policy.Decision){
		"policy":               func(d *policy.Decision) { gate.Decide(&zero, q.id, &pr, &q.s, q.prior, d) },
		"policy and proposal":  func(d *policy.Decision) { gate.Decide(&zero, q.id, &fromZero, &q.s, q.prior, d) },
		"no policy":            func(d *policy.Decision) { gate.Decide(nil, q.id, &pr, &q.s, q.prior, d) },
		"no policy or value":   func(d *policy.Decision) { gate.Decide(nil, q.id, &policy.Proposal{}, &q.s, q.prior, d) },
		"identity":             func(d *policy.Decision) { gate.Decide(q.p, 0, &pr, &q.s, q.prior, d) },
		"proposal":             func(d *policy.Decision) { gate.Decide(q.p, q.id, &policy.Proposal{}, &q.s, q.prior, d) },
		"no proposal":          func(d *policy.Decision) { gate.Decide(q.p, q.id, nil, &q.s, q.prior, d) },
		"subject":              func(d *policy.Decision) { gate.Decide(q.p, q.id, &pr, &policy.Subject{}, q.prior, d) },
		"no subject":           func(d *policy.Decision) { gate.Decide(q.p, q.id, &pr, nil, q.prior, d) },
		"another's proposal":   func(d *policy.Decision) { gate.Decide(good().p, q.id, &pr, &q.s, q.prior, d) },
		"everything":           func(d *policy.Decision) { gate.Decide(&zero, 0, &policy.Proposal{}, &policy.Subject{}, 0, d) },
		"no policy, no bounds": func(d *policy.Decision) { gate.Bounds(nil, gate.Usage{}, 0, d) },
		"no bounds":            func(d *policy.Decision) { gate.Bounds(&zero, gate.Usage{}, 0, d) },
	} {
		d := dirty
		decide(&d)
		if d.Outcome != policy.Refuse || d.Reason == policy.NoReason || d.Holds != 0 || d.Flags != 0 {
			t.Errorf("%s: %+v", name, d)
		}
	}
	d := dirty
	gate.Decide(q.p, q.id, &pr, &q.s, policy.PriorUnread, &d)
	if d.Outcome != policy.Hold {
		t.Errorf("an unread prior: %+v", d)
	}
	if d := (policy.Decision{}); d.Outcome != policy.Refuse {
		t.Errorf("the zero decision: %+v", d)
	}
}

// A number that a model made up has nowhere to go: whatever the name and the
// place, the proposal is refused by its schema, and the path says where it was.
func TestModelNumbersHaveNoPlace(t *testing.T) {
	for _, name := range []string{"confidence", "risk", "severity", "score", "priority", "tier", "approved", "reason", "x"} {
		for _, value := range []string{"0", "0.99", "-1e9", `"low"`, "true", "null", `{"value":1}`, "[0.1]"} {
			for path, text := range map[string]string{
				"?":      fmt.Sprintf(`{"tool":"freeze_account","target":"A-1","args":{"days":5},"rests_on":["o1"],%q:%s}`, name, value),
				"args.?": fmt.Sprintf(`{"tool":"freeze_account","target":"A-1","args":{%q:%s,"days":5},"rests_on":["o1"]}`, name, value),
			} {
				q := good()
				q.text = text
				want := policy.Decision{Rung: policy.RungSchema, Reason: policy.SchemaInvalid, Line: at(30), Tool: policytest.FreezeAccount}
				if diff := cmp.Diff(want, q.decide()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", text, diff)
				}
				var pr policy.Proposal
				q.p.Decode([]byte(text), q.tenant, &pr)
				if f := pr.Fault(); f.Path != path || f.Member != name || f.Kind != policy.FaultUnknownField {
					t.Errorf("%s: fault %+v, want an unknown field at %s", text, f, path)
				}
			}
		}
	}
}

// The two rows that the incident policy was written for, and all the others.
func TestIncidentCells(t *testing.T) {
	p := policytest.Open(policytest.Incident())
	type row struct {
		Score   int32
		Outcome policy.Outcome
	}
	got := map[string]row{}
	for _, tool := range []string{"rollback_config", "disable_compliance_checks"} {
		for tier := range int64(3) {
			q := question{
				p: p, id: policy.IdentityGood, tenant: "acme", prior: policy.PriorNone, text: fmt.Sprintf(`{"tool":%q,"target":"X"}`, tool),
				s: policy.Subject{Target: policy.SubjectFound, Attrs: policy.NewRecord(policy.Value{N: tier, Set: true})},
			}
			d := q.decide()
			got[fmt.Sprintf("%s tier%d", tool, tier+1)] = row{d.Score, d.Outcome}
		}
	}
	want := map[string]row{
		"rollback_config tier1": {3, policy.Allow}, "rollback_config tier2": {2, policy.Allow}, "rollback_config tier3": {1, policy.Allow},
		"disable_compliance_checks tier1": {11, policy.Hold}, "disable_compliance_checks tier2": {10, policy.Hold}, "disable_compliance_checks tier3": {9, policy.Hold},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A table that reads one attribute alone is as strict about it as any other.
func TestIncidentAttribute(t *testing.T) {
	for name, tier := range map[string]policy.Value{
		"missing": {}, "missing, and not nothing": {N: 2}, "below": {N: -1, Set: true}, "above": {N: 3, Set: true}, "far above": {N: 1 << 32, Set: true},
	} {
		q := question{
			p: policytest.Open(policytest.Incident()), id: policy.IdentityGood, tenant: "acme", prior: policy.PriorNone,
			text: `{"tool":"rollback_config","target":"X"}`,
			s:    policy.Subject{Target: policy.SubjectFound, Attrs: policy.NewRecord(tier)},
		}
		want := policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(24), Tool: policytest.RollbackConfig}
		if diff := cmp.Diff(want, q.decide()); diff != "" {
			t.Errorf("a tier that is %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestDecideAllocatesNothing(t *testing.T) {
	for _, c := range ladder {
		q := good()
		c.with(&q)
		var pr policy.Proposal
		q.p.Decode([]byte(q.text), q.tenant, &pr)
		var d policy.Decision
		if n := testing.AllocsPerRun(10, func() { gate.Decide(q.p, q.id, &pr, &q.s, q.prior, &d) }); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}
