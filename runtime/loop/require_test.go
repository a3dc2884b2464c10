package loop_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
)

// requiring gives ship two requirements, and pack one that its own effect fails.
func requiring(w *world) {
	line := func(n uint32) policy.Pos { return policy.Pos{Line: n} }
	board := policy.Approval{Name: "board", Count: 2, Of: "director", Within: 60}
	w.spec.Package.Approvals = []policy.Approval{board}
	ship, pack := &w.spec.Package.Tools[3], &w.spec.Package.Tools[2]
	ship.Requirements = []policy.Requirement{
		{Text: `require carrier == "post" else refuse`, Doc: "Nobody else comes here.", Outcome: policy.Refuse, Line: line(41)},
		{Text: "require code present else hold for board", Outcome: policy.Hold, Group: "board", Line: line(43)},
	}
	ship.Require = func(args, _ *policy.Record, failed *policy.ClauseSet) {
		if args.Text(0) != "post" {
			failed.Add(0)
		}
		if !args.Has(3) {
			failed.Add(1)
		}
	}
	pack.Moves = nil
	pack.Requirements = []policy.Requirement{{Text: "require target.state == new else refuse", Outcome: policy.Refuse, Line: line(32)}}
	pack.Require = func(_, target *policy.Record, failed *policy.ClauseSet) {
		if target.Int(0) != 0 {
			failed.Add(0)
		}
	}
	pack.Needs = []int32{0}
}

// failures are the lines of the clauses that the decisions of a run name.
func (w *world) failures(run string) (lines []string) {
	w.t.Helper()
	for line, err := range w.ledger.Run(w.t.Context(), "acme", run, 0) {
		if err != nil {
			w.t.Fatal(err)
		}
		if d := line.Entry.Decision; d != nil {
			lines = append(lines, d.Verdict.Reason+": "+strings.Join(d.Verdict.Failed, " "))
		}
	}
	return lines
}

// A requirement that is not met goes back to the model, in the words of the
// contract, and another proposal may meet it.
func TestRequirementGoesBack(t *testing.T) {
	w := newWorld(t)
	requiring(w)
	var got []*model.Last
	m := script(t, `{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "marzipan"}}}`,
		`{"after": "requirement_failed", "propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post", "code": "tombola"}}}`, `{"done": true}`)
	spy := asked(func(ctx context.Context, turn *model.Turn) (model.Answer, error) {
		got = append(got, turn.Last)
		return m.Ask(ctx, turn)
	})
	res, err := w.runner(spy).Run(t.Context(), task())
	if err != nil {
		t.Fatal(err)
	}
	w.replays(res.Run)
	want := []*model.Last{
		nil,
		{Tool: "ship", Target: "P1", Reason: "requirement_failed",
			Clauses: []string{`require carrier == "post" else refuse`, "require code present else hold for board"}},
		{Tool: "ship", Target: "P1", Reason: "allowed", Outcome: "done"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the model was told (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"requirement_failed: parcels.prov:41 parcels.prov:43", "allowed: "}, w.failures(res.Run)); diff != "" {
		t.Errorf("what is on record (-want +got):\n%s", diff)
	}
	if w.calls["ship"] != 1 || res.End != loop.Completed {
		t.Errorf("ship ran %d times, and the run ended %s", w.calls["ship"], res.End)
	}
	for _, e := range w.events {
		if e.Entry.Kind == ledger.KindDecision {
			want := []loop.Clause{
				{Line: "parcels.prov:41", Text: `require carrier == "post" else refuse`, Doc: "Nobody else comes here."},
				{Line: "parcels.prov:43", Text: "require code present else hold for board"},
			}
			if diff := cmp.Diff(want, e.Failed); diff != "" {
				t.Errorf("what is shown (-want +got):\n%s", diff)
			}
			const why = "it fails `require carrier == \"post\" else refuse`, and `require code present else hold for board`"
			if e.Why != why {
				t.Errorf("why %q, want %q", e.Why, why)
			}
			break
		}
	}
	for line, err := range w.ledger.Run(t.Context(), "acme", res.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []string{"marzipan", "tombola", "post"} {
			if strings.Contains(string(line.Bytes), value) {
				t.Errorf("the ledger says %q: %s", value, line.Bytes)
			}
		}
	}
}

// A clause that holds ends the run as held, for its own group.
func TestRequirementHolds(t *testing.T) {
	w := newWorld(t)
	requiring(w)
	res := w.run(`{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post"}}}`)
	if res.End != loop.Held || res.Reason != policy.NeedsHumanApproval || w.calls["ship"] != 0 {
		t.Errorf("ended %s %s, and ship ran %d times", res.End, res.Reason, w.calls["ship"])
	}
	const why = "it waits for a person: it fails `require code present else hold for board`"
	if res.Why != why {
		t.Errorf("why %q, want %q", res.Why, why)
	}
	for _, e := range w.events {
		if e.Entry.Kind == ledger.KindDecision {
			if diff := cmp.Diff([]loop.Approver{{Name: "board", Count: 2, Of: "director", Within: 60}}, e.Approvers); diff != "" || e.Unnamed {
				t.Errorf("approvers, unnamed %v (-want +got):\n%s", e.Unnamed, diff)
			}
		}
	}
}

// What an action has done may be what its requirement now finds: it is a replay
// all the same, and the model is told the first outcome.
func TestRequirementOfAReplay(t *testing.T) {
	w := newWorld(t)
	requiring(w)
	res := w.run(`{"propose": {"tool": "pack", "target": "P1"}}`, `{"repeat": true}`, `{"propose": {"tool": "pack", "target": "P2"}}`, `{"done": true}`)
	want := []string{"allowed: ", "idempotent_replay: parcels.prov:32"}
	got := w.failures(res.Run)
	if len(got) < 2 {
		t.Fatalf("got %q", got)
	}
	if diff := cmp.Diff(want, got[:2]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if w.calls["pack"] != 1 {
		t.Errorf("pack ran %d times", w.calls["pack"])
	}
}
