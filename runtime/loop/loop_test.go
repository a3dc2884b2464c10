package loop_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
)

// An idempotent tool that is tried again gets the same key, so that it can tell.
func TestSameActionSameKey(t *testing.T) {
	w := newWorld(t)
	failOnce(w, "mend")
	w.run(`{"propose": {"tool": "mend", "target": "P1"}}`,
		`{"after": "failed", "propose": {"target": "P1", "tool": "mend", "args": {}}}`,
		`{"propose": {"tool": "mend", "target": "P3"}}`, `{"done": true}`)
	keys := w.keys["mend"]
	if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[1] == keys[2] {
		t.Errorf("keys %q: want the first two equal and the third another one", keys)
	}
	if again := newWorld(t); true {
		again.run(`{"propose": {"tool": "weigh", "target": "P1"}}`, `{"done": true}`)
		again.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"done": true}`)
		if again.keys["mend"][0] == keys[0] {
			t.Error("the same action of another run has the same key")
		}
	}
	if got := w.keys["weigh"]; got[0] != "" {
		t.Errorf("a read has the key %q", got[0])
	}
}

// A step that does nothing is one commit, and a step that acts is two.
func TestCommits(t *testing.T) {
	w := newWorld(t)
	w.grams = `{"grams": 15}`
	before := 0
	m := model.Model(script(t, `{"say": "no"}`, `{"propose": {"tool": "mend", "target": "P1"}}`, `{"propose": {"tool": "mend", "target": "P1"}}`,
		`{"propose": {"tool": "weigh", "target": "P1"}}`, `{"propose": {"tool": "burn"}}`))
	var got []int
	spy := asked(func(ctx context.Context, turn *model.Turn) (model.Answer, error) {
		got = append(got, w.store.batches-before)
		before = w.store.batches
		return m.Ask(ctx, turn)
	})
	if _, err := w.runner(spy).Run(t.Context(), task()); err != nil {
		t.Fatal(err)
	}
	got = append(got, w.store.batches-before)
	// The start; malformed; acted and verified; replayed; read; refused, with the run's end.
	if diff := cmp.Diff([]int{1, 1, 2, 1, 2, 1}, got); diff != "" {
		t.Errorf("commits by step (-want +got):\n%s", diff)
	}
}

type asked func(context.Context, *model.Turn) (model.Answer, error)

func (f asked) Ask(ctx context.Context, t *model.Turn) (model.Answer, error) { return f(ctx, t) }

// Whatever commit the ledger refuses, nothing runs after it, and the run fails.
func TestLedgerFailure(t *testing.T) {
	for at := 1; at <= 4; at++ {
		t.Run(fmt.Sprintf("commit %d", at), func(t *testing.T) {
			w := newWorld(t)
			w.store.failAt = at
			w.runner(nil)
			res, err := w.runner(script(t, `{"propose": {"tool": "mend", "target": "P1"}}`, `{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post"}}}`, `{"done": true}`)).Run(t.Context(), task())
			if err == nil || res.End != loop.Failed {
				t.Errorf("ended %s, %v; want failed with an error", res.End, err)
			}
			if w.store.batches != at {
				t.Errorf("%d commits were tried, want none after number %d", w.store.batches, at)
			}
			want := map[string]int{}
			if at >= 3 { // the first decision and its intent are on disk
				want["mend"], want["weigh"] = 1, 1
			}
			if diff := cmp.Diff(want, w.calls); diff != "" {
				t.Errorf("tools that ran (-want +got):\n%s", diff)
			}
			if at <= 3 && len(w.lessons) > 0 {
				t.Errorf("%d lessons were given whose evidence is not on disk", len(w.lessons))
			}
		})
	}
}

// Both verdicts that settle something teach what the policy says; the third has
// nowhere to go.
func TestLearner(t *testing.T) {
	for _, tt := range []struct {
		grams string
		want  []loop.Lesson
	}{
		{`{"grams": 5}`, []loop.Lesson{{Tenant: "acme", Run: "run-000001", Verification: 5, Belief: "mended", Target: "P1", Settled: loop.WasConfirmed, Teaching: policy.Teaching{State: "yes"}, Class: "scale"}}},
		{`{"grams": 30}`, []loop.Lesson{{Tenant: "acme", Run: "run-000001", Verification: 5, Belief: "mended", Target: "P1", Settled: loop.WasRefuted, Teaching: policy.Teaching{State: "yes", Not: true}, Class: "scale"}}},
		{`{"grams": 15}`, nil},
		{``, nil},
	} {
		w := newWorld(t)
		w.grams = tt.grams
		w.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"done": true}`)
		if diff := cmp.Diff(tt.want, w.lessons); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.grams, diff)
		}
	}
}

// A contract may declare one of the two conditions alone; the verdict that it does
// not speak of is never given.
func TestVerificationByOneCondition(t *testing.T) {
	for _, tt := range []struct {
		grams string
		drop  func(*policy.Verify)
		want  int // lessons
	}{
		{`{"grams": 5}`, func(v *policy.Verify) { v.Refuted = nil }, 1},
		{`{"grams": 30}`, func(v *policy.Verify) { v.Refuted = nil }, 0},
		{`{"grams": 5}`, func(v *policy.Verify) { v.Confirmed = nil }, 0},
		{`{"grams": 30}`, func(v *policy.Verify) { v.Confirmed = nil }, 1},
	} {
		w := newWorld(t)
		w.grams = tt.grams
		tt.drop(w.spec.Package.Tools[1].Verify)
		w.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"done": true}`)
		if len(w.lessons) != tt.want {
			t.Errorf("%s: %d lessons, want %d", tt.grams, len(w.lessons), tt.want)
		}
	}
}

// What the model is shown of a replay is the first outcome again.
func TestReplayTellsTheFirstOutcome(t *testing.T) {
	w := newWorld(t)
	var got []*model.Last
	m := script(t, `{"propose": {"tool": "mend", "target": "P1"}}`, `{"propose": {"tool": "weigh", "target": "P3"}}`, `{"propose": {"tool": "mend", "target": "P1"}}`, `{"done": true}`)
	spy := asked(func(ctx context.Context, turn *model.Turn) (model.Answer, error) {
		got = append(got, turn.Last)
		return m.Ask(ctx, turn)
	})
	res, err := w.runner(spy).Run(t.Context(), task())
	if err != nil {
		t.Fatal(err)
	}
	want := []*model.Last{
		nil,
		{Tool: "mend", Target: "P1", Reason: "allowed", Outcome: "done", Verdict: "CONFIRMED", Observation: "o1"},
		{Tool: "weigh", Target: "P3", Reason: "allowed", Outcome: "done", Observation: "o2"},
		{Tool: "mend", Target: "P1", Reason: "idempotent_replay", Outcome: "done", Verdict: "CONFIRMED", Observation: "o1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the model was told (-want +got):\n%s", diff)
	}
	var first uint64
	for line, err := range w.ledger.Run(t.Context(), "acme", res.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if d := line.Entry.Decision; d != nil && d.First != 0 {
			first = d.First
		}
	}
	if first != 2 {
		t.Errorf("the replay names entry %d as the first, want 2", first)
	}
}

// The cause and what it rests on are pretexts: the action is the same.
func TestPretextIsNoNewAction(t *testing.T) {
	w := newWorld(t)
	w.spec.Cause = []string{"rain", "snow"}
	res := w.run(`{"propose": {"tool": "mend", "target": "P1", "cause": "rain"}}`,
		`{"propose": {"tool": "mend", "target": "P1", "cause": "snow", "rests_on": ["o1"]}}`, `{"done": true}`)
	if w.calls["mend"] != 1 {
		t.Errorf("mend ran %d times", w.calls["mend"])
	}
	if got := w.log(res.Run)[6]; got != "2 refuse replay/idempotent_replay" {
		t.Errorf("got %q", got)
	}
}

// No value of an argument, and no text that a model wrote, is in the ledger's
// entries.
func TestLedgerHoldsNoValues(t *testing.T) {
	w := newWorld(t)
	res := w.run(`{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "marzipan", "code": "tombola"}}}`,
		`{"say": "zanzibar"}`, `{"propose": {"tool": "zabaglione", "target": "P1"}}`)
	var text strings.Builder
	for line, err := range w.ledger.Run(t.Context(), "acme", res.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		text.Write(line.Bytes)
	}
	for _, word := range []string{"marzipan", "tombola", "zanzibar", "zabaglione"} {
		if strings.Contains(text.String(), word) {
			t.Errorf("the ledger holds %q", word)
		}
	}
	for _, e := range w.events {
		if s := fmt.Sprintf("%+v", e.Proposal); strings.Contains(s, "tombola") {
			t.Errorf("a sensitive value is shown: %s", s)
		}
	}
}

// What an observer is told is what the ledger holds, but for the digest of an
// exhibit.
func TestEventsAreEntries(t *testing.T) {
	w := newWorld(t)
	res := w.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"propose": {"tool": "burn"}}`)
	var want, got []ledger.Entry
	for line, err := range w.ledger.Run(t.Context(), "acme", res.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Entry.Decision != nil {
			line.Entry.Decision.Exhibit = ""
		}
		want = append(want, line.Entry)
	}
	for _, e := range w.events {
		got = append(got, e.Entry)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// However a run ends, what is in doubt is said.
func TestDoubtIsSaid(t *testing.T) {
	w := newWorld(t)
	w.grams = `{"grams": 30}`
	res := w.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"propose": {"tool": "burn"}}`)
	if want := "package parcels has no such tool; in doubt: mend on P1 is REFUTED"; res.Why != want {
		t.Errorf("got %q, want %q", res.Why, want)
	}
}

// Where the fields of a result are evidence of different classes, nobody can say
// what a predicate rested on.
func TestMixedClassesTeachNothing(t *testing.T) {
	w := newWorld(t)
	weigh := &w.spec.Package.Tools[5]
	weigh.Result = append(weigh.Result, policy.Field{Name: "note", Kind: policy.KindBool, Trusted: true, Class: "eye", Entity: -1})
	w.grams = `{"grams": 5, "note": true}`
	res := w.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"done": true}`)
	want := []string{"0 run_started", "1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 CONFIRMED", "ended completed"}
	if diff := cmp.Diff(want, w.log(res.Run)); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

// A replay names the decision under which the action was done, not an earlier one
// under which it failed.
func TestReplayNamesTheOneThatDidIt(t *testing.T) {
	w := newWorld(t)
	failOnce(w, "pack")
	res := w.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"propose": {"tool": "mend", "target": "P1"}}`, `{"done": true}`)
	firsts := func() (list []uint64) {
		for line, err := range w.ledger.Run(t.Context(), "acme", res.Run, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if d := line.Entry.Decision; d != nil {
				list = append(list, d.First)
			}
		}
		return list
	}
	if diff := cmp.Diff([]uint64{0, 2}, firsts()); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	w = newWorld(t)
	failOnce(w, "mend")
	mend := `{"propose": {"tool": "mend", "target": "P1"}}`
	res = w.run(mend, mend, mend, `{"done": true}`)
	// run_started 1; decision 2, intent 3, outcome 4; decision 5, and so on.
	if diff := cmp.Diff([]uint64{0, 0, 5}, firsts()); diff != "" {
		t.Errorf("first, after a failure (-want +got):\n%s", diff)
	}
}
