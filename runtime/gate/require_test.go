package gate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// freeze is a question to the policy with requirements.
func freeze(days int, with policy.Record, prior policy.Prior) question {
	q := good()
	q.p = policytest.Open(policytest.Required())
	q.text = fmt.Sprintf(`{"tool":"freeze_account","target":"A-1","args":{"days":%d},"rests_on":["o1"]}`, days)
	q.s.Attrs, q.prior = with, prior
	return q
}

// required is what the requirements of policytest.Required come to.
var required = []struct {
	name  string
	days  int
	attrs policy.Record
	prior policy.Prior
	want  policy.Decision
	who   []string
	all   bool
}{
	{"all of them met", 5, attrs(0, 0, 0, 100), policy.PriorNone,
		policy.Decision{Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Scored: true, Line: at(58)}, nil, false},
	{"one that refuses", 91, attrs(0, 0, 0, 100), policy.PriorNone,
		policy.Decision{Rung: policy.RungRequirements, Reason: policy.RequirementFailed, Failed: 0b0001, Line: at(34)}, nil, false},
	{"at its bound", 90, attrs(0, 0, 0, 4999999), policy.PriorNone,
		policy.Decision{Outcome: policy.Allow, Rung: policy.RungRisk, Reason: policy.Allowed, Scored: true, Line: at(58)}, nil, false},
	{"one that holds for a group", 5, attrs(0, 0, 0, 5000000), policy.PriorNone,
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldRequirement, Failed: 0b0010, Scored: true, Line: at(35)},
		[]string{"board"}, true},
	{"one that holds for the policy's own", 30, attrs(0, 0, 1, 100), policy.PriorNone,
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldRequirement, Failed: 0b0100, Scored: true, Score: 2, Line: at(36)},
		[]string{"tellers"}, true},
	{"two that hold", 30, attrs(0, 0, 1, 5000000), policy.PriorNone,
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldRequirement, Failed: 0b0110, Scored: true, Score: 2, Line: at(35)},
		[]string{"board", "tellers"}, true},
	{"a refusal beats the holds, and all are reported", 91, attrs(0, 2, 1, 5000000), policy.PriorNone,
		policy.Decision{Rung: policy.RungRequirements, Reason: policy.RequirementFailed, Failed: 0b1111, Line: at(34)}, nil, false},
	{"a refusal behind a hold", 5, attrs(0, 2, 0, 5000000), policy.PriorNone,
		policy.Decision{Rung: policy.RungRequirements, Reason: policy.RequirementFailed, Failed: 0b1010, Line: at(37)}, nil, false},
	{"what was done before", 91, attrs(1, 2, 1, 5000000), policy.PriorDone,
		policy.Decision{Rung: policy.RungReplay, Reason: policy.IdempotentReplay, Failed: 0b1111, Line: at(30)}, nil, false},
	{"what may have been done before", 91, attrs(1, 2, 1, 5000000), policy.PriorUnknown,
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungReplay, Reason: policy.OutcomeUnknown, Holds: policy.HoldUnknown, Failed: 0b1111, Line: at(30)},
		[]string{"tellers"}, true},
	{"what nobody looked up", 91, attrs(0, 0, 0, 100), policy.PriorUnread,
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungReplay, Reason: policy.OutcomeUnknown, Holds: policy.HoldUnknown, Failed: 0b0001, Line: at(30)},
		[]string{"tellers"}, true},
	{"an attribute that is not there", 5, without(attrs(0, 0, 0, 100), policytest.AccountBalance), policy.PriorNone,
		policy.Decision{Rung: policy.RungReference, Reason: policy.ReferenceUnknown, Line: at(30)}, nil, false},
	{"another state", 91, attrs(1, 0, 0, 100), policy.PriorNone,
		policy.Decision{Rung: policy.RungReference, Reason: policy.StateConflict, Line: at(14)}, nil, false},
}

func TestRequirements(t *testing.T) {
	for _, c := range required {
		q := freeze(c.days, c.attrs, c.prior)
		c.want.Tool = policytest.FreezeAccount
		d := q.decide()
		if diff := cmp.Diff(c.want, d); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		groups, all := q.p.Approvers(&d)
		var who []string
		for _, g := range groups {
			who = append(who, g.Name)
		}
		if diff := cmp.Diff(c.who, who); diff != "" || all != c.all {
			t.Errorf("%s: approvers, all %v (-want +got):\n%s", c.name, all, diff)
		}
	}
}

// A tool that only reads has to meet its requirements whatever the ledger says of
// an earlier time, since no later rung asks about it.
func TestRequirementsOfAReader(t *testing.T) {
	outcome, name := policy.Refuse, "" // of the one clause
	ask := func(prior policy.Prior) policy.Decision {
		s := policytest.Required()
		r := &s.Package.Tools[policytest.ReadAccount]
		r.Requirements = []policy.Requirement{{Text: "require target.region == home else ...", Outcome: outcome, Group: name, Line: at(41)}}
		r.Require = func(_, target *policy.Record, failed *policy.ClauseSet) {
			if target.Int(policytest.AccountRegion) != 0 {
				failed.Add(0)
			}
		}
		r.Needs = []int32{policytest.AccountRegion}
		q := good()
		q.p = policytest.Open(s)
		q.text, q.s.Attrs, q.prior = `{"tool":"read_account","target":"A-1","rests_on":["o1"]}`, attrs(0, 0, 1, 0), prior
		return q.decide()
	}
	for _, prior := range []policy.Prior{policy.PriorNone, policy.PriorDone, policy.PriorUnknown, policy.PriorUnread} {
		outcome, name = policy.Refuse, ""
		want := policy.Decision{Rung: policy.RungRequirements, Reason: policy.RequirementFailed, Failed: 1, Line: at(41), Tool: policytest.ReadAccount}
		if diff := cmp.Diff(want, ask(prior)); diff != "" {
			t.Errorf("refuses, %s before (-want +got):\n%s", prior, diff)
		}
		outcome, name = policy.Hold, "board"
		want = policy.Decision{Outcome: policy.Hold, Rung: policy.RungRisk, Reason: policy.NeedsHumanApproval, Holds: policy.HoldRequirement, Failed: 1, Line: at(41), Tool: policytest.ReadAccount}
		if diff := cmp.Diff(want, ask(prior)); diff != "" {
			t.Errorf("holds, %s before (-want +got):\n%s", prior, diff)
		}
	}
}

// A function that fails a clause which its contract does not declare is in no
// package that was generated. It refuses.
func TestUndeclaredClause(t *testing.T) {
	s := policytest.Required()
	s.Package.Tools[policytest.FreezeAccount].Require = func(_, _ *policy.Record, failed *policy.ClauseSet) { failed.Add(4) }
	q := freeze(5, attrs(0, 0, 0, 100), policy.PriorNone)
	q.p = policytest.Open(s)
	want := policy.Decision{Rung: policy.RungRequirements, Tool: policytest.FreezeAccount}
	if diff := cmp.Diff(want, q.decide()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// addRequirement adds a random clause to a tool, before, between or behind those
// that it has. What it fails depends on arguments and target alone.
func addRequirement(t *rapid.T, s *policy.Spec, tool *policy.Tool) {
	at := rapid.IntRange(0, len(tool.Requirements)).Draw(t, "where")
	r := policy.Requirement{Text: "require something", Outcome: rapid.SampledFrom([]policy.Outcome{policy.Refuse, policy.Hold}).Draw(t, "else"), Line: policy.Pos{Line: 9}}
	if r.Outcome == policy.Hold && rapid.Bool().Draw(t, "for a group") {
		r.Group = policytest.Board.Name
		s.Package.Approvals = []policy.Approval{policytest.Board}
	}
	arg, attr := rapid.Int64Range(0, 4).Draw(t, "argument"), rapid.Int64Range(0, 9).Draw(t, "attribute")
	before := tool.Require
	tool.Requirements = slices.Insert(slices.Clone(tool.Requirements), at, r)
	tool.Require = func(args, target *policy.Record, failed *policy.ClauseSet) {
		if before != nil {
			var others policy.ClauseSet
			before(args, target, &others)
			for i := range 63 {
				if others.Has(i) && i < at {
					failed.Add(i)
				} else if others.Has(i) {
					failed.Add(i + 1)
				}
			}
		}
		if args.Has(0) && args.Int(0) >= arg || target.Int(2) > attr {
			failed.Add(at)
		}
	}
	if tool.Entity >= 0 && tool.Needs == nil {
		tool.Needs = []int32{2}
	}
}

// Adding a requirement never turns a refusal or a hold into an allow, and never a
// refusal into a hold; and what holds, holds for all that it held for.
func TestAddingARequirementNeverLoosens(t *testing.T) {
	failed := 0
	property := func(t *rapid.T) {
		s := drawSpec(t)
		for range rapid.IntRange(0, 2).Draw(t, "requirements") {
			addRequirement(t, s, &s.Package.Tools[rapid.IntRange(0, len(s.Package.Tools)-1).Draw(t, "which")])
		}
		q := drawQuestion(t, s)
		before := q.decide()
		addRequirement(t, s, &s.Package.Tools[rapid.IntRange(0, len(s.Package.Tools)-1).Draw(t, "which tool")])
		q.p = policytest.Open(s)
		after := q.decide()
		if after.Outcome > before.Outcome {
			t.Fatalf("%s became %s", before.Outcome, after.Outcome)
		}
		if before.Outcome != policy.Hold && before.Outcome != policy.Refuse && after.Failed != 0 {
			failed++
		}
		if before.Outcome == policy.Hold && after.Outcome == policy.Hold && before.Holds&^after.Holds != 0 {
			t.Fatalf("held for %q, and now for %q", before.Holds, after.Holds)
		}
	}
	// What a hundred draws show of a rare thing is chance: go on until some clause
	// that was added has stopped something, or the property says nothing.
	for range 50 {
		rapid.Check(t, property)
		if failed > 0 {
			return
		}
	}
	t.Error("no requirement that was added stopped anything")
}
