package interp_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
)

func compile(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string) *ir.Program {
	t.Helper()
	r := compiler.Compile([]compiler.File{{Name: "p.prov", Text: []byte(text)}})
	if r.Program == nil {
		var found []string
		for _, d := range r.Report.Sorted() {
			if d.Severity() == diag.Error {
				found = append(found, fmt.Sprintf("line %d: %s: %s", d.Span.Line(), d.Code, d.Message))
			}
		}
		t.Fatalf("%s\n%s", strings.Join(found, "\n"), text)
	}
	return r.Program
}

// A package in which every reason can be reached.
const wharf = `package wharf

enum Grade { fine, fair, poor }
enum Cause { storm, fire }

trait effects { reversible, irreversible }

entity ship {
  grade   Grade
  insured bool
  place   voyage
}
entity crate { grade Grade }

lifecycle voyage {
  docked -> loading by load
  loading -> sailing by clear
}

tool load on ship {
  effects reversible
  args {
    weight int(1..100)
    crate  ref crate optional
    note   string(0..10) optional
  }
  flag heavy     when weight > 90
  flag uninsured when not target.insured else hold
  require weight != 66 else refuse
  require note absent or weight < 60 else hold for captain
  require note absent or target.grade != fair else hold
}
approval captain { 1 of captain, within 1h }
tool clear on ship {
  effects irreversible
  approval required
}
tool burn on ship {
  effects irreversible
  dangerous
}
tool moor on ship { effects reversible }
tool tidy on ship {}
tool scrap on ship {}
tool inspect on ship { read }

risk danger {
  base             { load 1, clear 1, burn 1, moor 3 }
  add target.grade { fine 0, fair +1, poor +2 }
  add effects      { reversible 0, irreversible +3 }
  allow  ..3
  notify 4..4
  hold   5..
}

agent docker { scope load, clear, burn, moor, tidy, inspect }
agent breaker { scope scrap }
policy day {
  agent     docker
  tools     load, clear, burn, inspect
  risk      danger
  cause     Cause
  max_steps 3
  deadline  1m
}
policy still {
  agent     docker
  tools     tidy, inspect
  max_steps 3
  deadline  1m
}
policy yard {
  agent     breaker
  tools     scrap
  max_steps 3
  deadline  1m
}
policy tide {
  agent     docker
  tools     moor
  risk      danger
  max_steps 3
  deadline  1m
}
`

// world is the registry of these tests: an id says what it is.
func world(p *ir.Program) []interp.Entity {
	ship, crate := p.Entities[0], p.Entities[1]
	var out []interp.Entity
	add := func(tenant string, kind *ir.Entity, id string, attrs ...*ir.Value) {
		out = append(out, interp.Entity{Tenant: tenant, Kind: kind, ID: id, Attrs: attrs})
	}
	v := func(n int64) *ir.Value { return &ir.Value{N: n} }
	for grade, name := range []string{"fine", "fair", "poor"} {
		add("ours", ship, name, v(int64(grade)), v(1), v(0))
	}
	add("ours", ship, "bare", v(0), v(0), v(0))
	add("ours", ship, "loading", v(0), v(1), v(1))
	add("ours", ship, "ungraded", nil, v(1), v(0))
	add("ours", ship, "unasked", v(0), nil, v(0))
	add("ours", ship, "nowhere", v(0), v(1), nil)
	add("theirs", ship, "theirs", v(0), v(1), v(0))
	add("theirs", ship, "fine", v(2), v(0), v(2))
	add("ours", crate, "box", v(0))
	add("theirs", crate, "their-box", v(0))
	return out
}

// brief is a decision in one line.
func brief(d interp.Decision) string {
	s := fmt.Sprintf("%s %s %s", d.Outcome, d.Rung, d.Reason)
	if d.Scored {
		s += fmt.Sprint(" score ", d.Score)
	}
	if len(d.Holds) > 0 {
		s += fmt.Sprint(" holds ", d.Holds)
	}
	if len(d.Flags) > 0 {
		s += fmt.Sprint(" flags ", d.Flags)
	}
	if len(d.Failed) > 0 {
		var clauses []string
		for _, r := range d.Failed {
			clauses = append(clauses, r.Text)
		}
		s += fmt.Sprint(" failed ", clauses)
	}
	if len(d.Approvers) > 0 {
		s += fmt.Sprint(" by ", d.Approvers)
		if d.Nobody {
			s += " and nobody"
		}
	}
	if d.Fault != "" {
		s += fmt.Sprint(" fault ", d.Fault, " ", d.Field)
	}
	return strings.TrimSpace(s)
}

// line of the first line of a text that contains a word.
func line(text, word string) int {
	for i, l := range strings.Split(text, "\n") {
		if strings.Contains(l, word) {
			return i + 1
		}
	}
	return 0
}

func TestLadder(t *testing.T) {
	p := compile(t, wharf)
	m := interp.New(p)
	load := func(target, args string) string {
		return fmt.Sprintf(`{"tool":"load","target":%q,"args":{%s}}`, target, args)
	}
	tests := []struct {
		name     string
		policy   string
		identity interp.Identity
		text     string
		done     bool // the same action was done before
		begun    bool // or begun
		want     string
		at       string // a word of the line that made it; "" for none
	}{
		{name: "malformed", text: `{"tool":"load"`, want: "refuse shape malformed fault syntax"},
		{name: "malformed before who asks", identity: interp.IdentityInvalid, text: `[]`, want: "refuse shape malformed fault not_object"},
		{name: "no credential", identity: interp.IdentityInvalid, text: load("fine", `"weight":1`), want: "refuse identity credential_invalid"},
		{name: "an identity outside the list", identity: "admin", text: load("fine", `"weight":1`), want: "refuse identity credential_invalid"},
		{name: "expired", identity: interp.IdentityExpired, text: load("fine", `"weight":1`), want: "refuse identity credential_expired"},
		{name: "unknown agent", identity: interp.IdentityUnknown, text: load("fine", `"weight":1`), want: "refuse identity agent_unknown"},
		{name: "suspended", identity: interp.IdentitySuspended, text: load("fine", `"weight":1`), want: "refuse identity agent_suspended"},
		{name: "who asks before what", identity: interp.IdentitySuspended, text: `{"tool":"sink"}`, want: "refuse identity agent_suspended"},
		{name: "unknown tool", text: `{"tool":"sink","tenant":"theirs"}`, want: "refuse tool unknown_tool"},
		{name: "out of scope", text: `{"tool":"scrap","target":"fine"}`, want: "refuse scope tool_not_in_scope", at: "policy day"},
		{name: "out of scope before another tenant's", text: `{"tool":"scrap","target":"theirs"}`, want: "refuse scope tool_not_in_scope", at: "policy day"},
		{name: "not on the list", text: `{"tool":"moor","target":"fine"}`, want: "refuse scope tool_not_allowlisted", at: "policy day"},

		{name: "another tenant's target", text: load("theirs", `"weight":1`), want: "refuse tenant cross_tenant_denied", at: "tool load"},
		{name: "ours where both have it", text: load("fine", `"weight":1`), want: "allow risk allowed score 1", at: "allow "},
		{name: "another tenant's reference", text: load("fine", `"weight":1,"crate":"their-box"`), want: "refuse tenant cross_tenant_denied", at: "tool load"},
		{name: "another tenant's source", text: `{"tool":"load","target":"fine","args":{"weight":1},"rests_on":["o1","theirs"]}`, want: "refuse tenant cross_tenant_denied", at: "tool load"},
		{name: "another tenant claimed", text: `{"tool":"load","target":"fine","args":{"weight":1},"tenant":"theirs"}`, want: "refuse tenant cross_tenant_denied", at: "tool load"},
		{name: "claimed among the arguments", text: load("fine", `"weight":1,"tenant_id":"theirs"`), want: "refuse tenant cross_tenant_denied", at: "tool load"},
		{name: "another tenant's before the schema", text: load("theirs", `"weight":1000,"confidence":1`), want: "refuse tenant cross_tenant_denied", at: "tool load"},
		{name: "our own tenant has no place either", text: load("fine", `"weight":1,"tenant":"ours"`), want: "refuse schema schema_invalid fault unknown_field args.?", at: "tool load"},

		{name: "a rating", text: load("fine", `"weight":1,"confidence":0.99`), want: "refuse schema schema_invalid fault unknown_field args.?", at: "tool load"},
		{name: "out of range", text: load("fine", `"weight":101`), want: "refuse schema schema_invalid fault out_of_range args.weight", at: "weight int"},
		{name: "missing", text: load("fine", ``), want: "refuse schema schema_invalid fault missing args.weight", at: "weight int"},
		{name: "no target", text: `{"tool":"load","args":{"weight":1}}`, want: "refuse schema schema_invalid fault missing target", at: "tool load"},
		{name: "the schema before what is unknown", text: load("lost", `"weight":0`), want: "refuse schema schema_invalid fault out_of_range args.weight", at: "weight int"},

		{name: "unknown target", text: load("lost", `"weight":1`), want: "refuse reference reference_unknown", at: "tool load"},
		{name: "of another kind", text: load("box", `"weight":1`), want: "refuse reference reference_unknown", at: "tool load"},
		{name: "unknown reference", text: load("fine", `"weight":1,"crate":"lost"`), want: "refuse reference reference_unknown", at: "tool load"},
		{name: "unknown source", text: `{"tool":"load","target":"fine","args":{"weight":1},"rests_on":["lost"]}`, want: "refuse reference reference_unknown", at: "tool load"},
		{name: "nothing for the table", text: load("ungraded", `"weight":1`), want: "refuse reference reference_unknown", at: "tool load"},
		{name: "nothing for a flag", text: load("unasked", `"weight":1`), want: "refuse reference reference_unknown", at: "tool load"},
		{name: "nothing for the lifecycle", text: load("nowhere", `"weight":1`), want: "refuse reference reference_unknown", at: "docked ->"},
		{name: "another state", text: load("loading", `"weight":1`), want: "refuse reference state_conflict", at: "docked ->"},
		{name: "what no table reads may be absent", policy: "still", text: `{"tool":"tidy","target":"ungraded"}`, want: "allow risk allowed", at: "tool tidy"},

		{name: "done before", text: load("fine", `"weight":1`), done: true, want: "refuse replay idempotent_replay", at: "tool load"},
		{name: "done before, for another reason", text: `{"tool":"load","target":"fine","args":{"weight":1},"cause":"fire","rests_on":["o1"]}`, done: true, want: "refuse replay idempotent_replay", at: "tool load"},
		{name: "done before, with other arguments", text: load("fine", `"weight":2`), done: true, want: "allow risk allowed score 1", at: "allow "},
		{name: "done before, to another", text: load("fair", `"weight":1`), done: true, want: "allow risk allowed score 2", at: "allow "},
		{name: "begun before", text: load("fine", `"weight":1`), begun: true, want: "hold replay outcome_unknown holds [unknown_outcome]", at: "tool load"},
		{name: "a flag is recorded before the replay", text: load("bare", `"weight":1`), done: true, want: "refuse replay idempotent_replay flags [uninsured]", at: "tool load"},
		{name: "reading twice", text: `{"tool":"inspect","target":"fine"}`, done: true, want: "allow risk allowed", at: "tool inspect"},

		{name: "allowed", text: load("poor", `"weight":90`), want: "allow risk allowed score 3", at: "allow "},
		{name: "a flag that only says so", text: load("fine", `"weight":91`), want: "allow risk allowed score 1 flags [heavy]", at: "allow "},
		{name: "a flag that holds", text: load("bare", `"weight":91`), want: "hold risk needs_human_approval score 1 holds [flag] flags [heavy uninsured]", at: "flag uninsured"},
		{name: "a requirement that refuses", text: load("fine", `"weight":66`), want: "refuse requirements requirement_failed failed [require weight != 66 else refuse]", at: "require weight"},
		{name: "refusing beats holding", text: load("fair", `"weight":66,"note":"x"`), want: "refuse requirements requirement_failed failed [require weight != 66 else refuse require note absent or weight < 60 else hold for captain require note absent or target.grade != fair else hold]", at: "require weight"},
		{name: "a requirement that holds for a group", text: load("fine", `"weight":60,"note":"x"`), want: "hold risk needs_human_approval score 1 holds [requirement] failed [require note absent or weight < 60 else hold for captain] by [captain]", at: "require note absent or weight"},
		{name: "two, of which one names nobody", text: load("fair", `"weight":60,"note":"x"`), want: "hold risk needs_human_approval score 2 holds [requirement] failed [require note absent or weight < 60 else hold for captain require note absent or target.grade != fair else hold] by [captain] and nobody", at: "require note absent or weight"},
		{name: "a requirement before a flag", text: load("bare", `"weight":60,"note":"x"`), want: "hold risk needs_human_approval score 1 holds [flag requirement] flags [uninsured] failed [require note absent or weight < 60 else hold for captain] by [captain] and nobody", at: "require note absent or weight"},
		{name: "a requirement is recorded before the replay", text: load("fine", `"weight":66`), done: true, want: "refuse replay idempotent_replay failed [require weight != 66 else refuse]", at: "tool load"},
		{name: "degraded", identity: interp.IdentityDegraded, text: load("fine", `"weight":1`), want: "hold risk needs_human_approval score 1 holds [standing]", at: "policy day"},
		{name: "degraded holds reading, too", identity: interp.IdentityDegraded, text: `{"tool":"inspect","target":"fine"}`, want: "hold risk needs_human_approval holds [standing]", at: "policy day"},
		{name: "a flag before the standing", identity: interp.IdentityDegraded, text: load("bare", `"weight":1`), want: "hold risk needs_human_approval score 1 holds [flag standing] flags [uninsured]", at: "flag uninsured"},
		{name: "approval required", text: `{"tool":"clear","target":"loading"}`, want: "hold risk needs_human_approval score 4 holds [contract]", at: "tool clear"},
		{name: "dangerous", text: `{"tool":"burn","target":"fine"}`, want: "hold risk needs_human_approval score 4 holds [dangerous]", at: "tool burn"},
		{name: "the table speaks first", text: `{"tool":"burn","target":"poor"}`, want: "hold risk needs_human_approval score 6 holds [score dangerous]", at: "hold   5"},
		{name: "notify", policy: "tide", text: `{"tool":"moor","target":"fair"}`, want: "notify risk allowed_with_notice score 4", at: "notify "},
		{name: "notify met by a degraded agent", policy: "tide", identity: interp.IdentityDegraded, text: `{"tool":"moor","target":"fair"}`, want: "hold risk needs_human_approval score 4 holds [standing]", at: "policy tide"},
		{name: "hold by the band alone", policy: "tide", text: `{"tool":"moor","target":"poor"}`, want: "hold risk needs_human_approval score 5 holds [score]", at: "hold   5"},
		{name: "no table", policy: "still", text: `{"tool":"tidy","target":"poor"}`, want: "allow risk allowed", at: "tool tidy"},
	}
	reached := map[interp.Reason]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := interp.Case{
				Policy:   p.Policies[0],
				Identity: tt.identity,
				Tenant:   "ours",
				Entities: world(p),
				Sources:  []interp.Source{{Tenant: "ours", ID: "o1"}, {Tenant: "theirs", ID: "theirs"}},
				Proposal: []byte(tt.text),
			}
			if i := slices.IndexFunc(p.Policies, func(x *ir.Policy) bool { return x.Name == tt.policy }); i >= 0 {
				c.Policy = p.Policies[i]
			}
			if c.Identity == "" {
				c.Identity = interp.IdentityGood
			}
			before := []interp.Action{{Tool: p.Tools[0], Target: "fine", Args: []*ir.Value{{N: 1}, nil, nil}},
				{Tool: p.Tools[0], Target: "bare", Args: []*ir.Value{{N: 1}}}, {Tool: p.Tools[5], Target: "fine"},
				{Tool: p.Tools[0], Target: "fine", Args: []*ir.Value{{N: 66}}}}
			if tt.done {
				c.Done = before
			}
			if tt.begun {
				c.Unknown = before
			}
			d := m.Decide(c)
			reached[d.Reason] = true
			if diff := cmp.Diff(tt.want, brief(d)); diff != "" {
				t.Errorf("decision (-want +got)\n%s", diff)
			}
			at := 0
			if tt.at != "" {
				at = line(wharf, tt.at)
			}
			if d.Pos.Line != at {
				t.Errorf("made by line %d, want %d, which has %q", d.Pos.Line, at, tt.at)
			}
		})
	}
	for _, r := range interp.Reasons() {
		if !reached[r] {
			t.Errorf("no test reaches %s", r)
		}
	}
}

// The two examples of the language: their own tests pass, and the rows that
// everybody knows come out.
func TestExamples(t *testing.T) {
	for _, name := range []string{"incident", "intake"} {
		text, err := os.ReadFile("../../examples/" + name + "/" + name + ".prov")
		if err != nil {
			t.Fatal(err)
		}
		m := interp.New(compile(t, string(text)))
		results := m.RunTests()
		if len(results) == 0 {
			t.Errorf("%s has no tests", name)
		}
		for _, r := range results {
			if !r.Passed {
				t.Errorf("%s, %q:\n%s", name, r.Test.Title, r)
			}
			if r.Test.Expect.Score != nil && r.Decision.Score != *r.Test.Expect.Score {
				t.Errorf("%s, %q: score %d", name, r.Test.Title, r.Decision.Score)
			}
		}
		for _, r := range m.Prove() {
			if !r.Passed {
				t.Errorf("%s, %q:\n%s", name, r.Proof.Title, r)
			}
		}
	}
}

// A failure is told in the author's words.
func TestFailedTest(t *testing.T) {
	m := interp.New(compile(t, wharf+`
test "wrong" {
  in day
  given ship "a" { grade poor, insured false, place docked }
  given crate "b" { grade fine }
  standing degraded
  after load on "a" { weight 7 }
  propose load on "a" { weight 95, crate "b", note "soon" } because storm
  expect allow score 2 flags heavy
}
test "unsaid" {
  in day
  given ship "a" { insured true, place docked }
  propose load on "a" { weight 1 }
  expect refuse reference_unknown
}
`))
	got := ""
	for _, r := range m.RunTests() {
		if r.Passed {
			t.Errorf("%q passed", r.Test.Title)
		}
		got += r.String()
	}
	want := strings.TrimLeft(`
  given     ship "a" { grade poor, insured false, place docked }
            crate "b" { grade fine }
            standing degraded
            after load on "a" { weight 7 }
            propose load on "a" { weight 95, crate "b", note "soon" } because storm
  expected  allow score 2 flags heavy
  got       hold score 3 flags heavy, uninsured, failed require note absent or weight < 60 else hold for captain (p.prov:30), held for flag, standing, requirement
    base          load         1
    target.grade  poor        +2
    effects       reversible   0
    total                      3   allow   (..3)
  given     ship "a" { insured true, place docked }
            propose load on "a" { weight 1 }
  expected  refuse reference_unknown
  got       refuse reference_unknown
  problem   the test does not say `+"`grade`"+` of ship "a", which the decision reads
`, "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Adding a flag, with `else hold` or without, never loosens a decision, whatever its condition.
func TestFlagsNeverLoosen(t *testing.T) {
	conditions := []string{"weight == 3", "note present", "crate absent or weight < 50", "target.grade in { poor, fair }"}
	plain := compile(t, wharf)
	var flagged []*ir.Program
	for _, c := range conditions {
		for _, other := range []string{"", " else hold"} {
			text := strings.Replace(wharf, "  flag uninsured when", "  flag added when "+c+other+"\n  flag uninsured when", 1)
			flagged = append(flagged, compile(t, text))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SampledFrom([]string{"fine", "fair", "poor", "bare", "loading", "ungraded", "theirs", "lost"}).Draw(t, "target")
		weight := rapid.IntRange(0, 101).Draw(t, "weight")
		rest := rapid.SampledFrom([]string{"", `,"note":"x"`, `,"crate":"box"`, `,"crate":"lost"`}).Draw(t, "rest")
		identity := rapid.SampledFrom(interp.Identities()).Draw(t, "identity")
		text := fmt.Sprintf(`{"tool":"load","target":%q,"args":{"weight":%d%s}}`, target, weight, rest)
		decide := func(p *ir.Program) interp.Decision {
			return interp.New(p).Decide(interp.Case{Policy: p.Policies[0], Identity: identity, Tenant: "ours", Entities: world(p), Proposal: []byte(text)})
		}
		before := decide(plain)
		for _, p := range flagged {
			after := decide(p)
			if after.Outcome > before.Outcome {
				t.Fatalf("%s: %s became %s", text, brief(before), brief(after))
			}
			after.Flags = before.Flags // a flag is recorded beside whatever was refused
			if before.Outcome == ir.Refuse && brief(after) != brief(before) {
				t.Fatalf("%s: a refusal changed: %s became %s", text, brief(before), brief(after))
			}
		}
	})
}
