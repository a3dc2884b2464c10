package timeline_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/timeline"
)

func decision(step int, v ledger.Verdict) ledger.Entry {
	return ledger.Entry{Kind: ledger.KindDecision, Step: step, Decision: &ledger.Decision{Verdict: v}}
}

func score(n int32) *int32 { return &n }

// Each row is one event, and what is shown of it. The whole of a run is shown by
// the examples' own timelines.
func TestObserve(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event loop.Event
		want  string
	}{
		{
			"a points row that falls", loop.Event{
				Proposal: &loop.Shown{Tool: "mend", Target: "P1", Fields: []loop.ShownField{{Name: "grams", Value: "7"}, {Name: "code", Sensitive: true}}},
				Entry: decision(2, ledger.Verdict{Outcome: "allow", Rung: "risk", Reason: "allowed", Score: score(-1), Flags: []string{"odd", "late"},
					Parts: []ledger.Part{{Name: "base", Value: "mend", Points: 1}, {Name: "target.size", Value: "big", Points: -2}, {Name: "effects", Value: "none"}}}),
			},
			"\n  step 2  mend on P1 with grams 7, code (sensitive)\n" +
				"  gate    ALLOW   allowed, rung risk\n" +
				"  score   -1 = 1 mend - 2 target.size big + 0 effects none\n" +
				"  flags   odd, late\n",
		},
		{
			"requirements that failed", loop.Event{
				Proposal: &loop.Shown{Tool: "mend", Target: "P1"}, Why: "it waits for a person",
				Failed: []loop.Clause{
					{Line: "a.prov:7", Text: "require grams <= target.limit else hold for board", Doc: "Heavy ones break.\nAsk first."},
					{Line: "a.prov:9", Text: "require code present else hold"},
				},
				Approvers: []loop.Approver{
					{Name: "board", Count: 2, Of: "director", Within: 24 * time.Hour}, {Name: "own", Count: 1, Of: "keeper", Within: time.Hour}},
				Unnamed: true,
				Entry:   decision(1, ledger.Verdict{Outcome: "hold", Rung: "risk", Reason: "needs_human_approval", Holds: []string{"requirement"}, Line: "a.prov:7"}),
			},
			"\n  step 1  mend on P1\n" +
				"  gate    HOLD    needs_human_approval, rung risk, a.prov:7\n" +
				"  because it waits for a person\n" +
				"  failed  require grams <= target.limit else hold for board (a.prov:7)\n" +
				"          Heavy ones break. Ask first.\n" +
				"  failed  require code present else hold (a.prov:9)\n" +
				"  holds   requirement; decided by 2 of director within 24h and 1 of keeper within 1h, and for the\n" +
				"          rest nobody is named\n",
		},
		{
			"a bound", loop.Event{Why: "the policy gives a run 4 steps", Entry: decision(5, ledger.Verdict{Outcome: "refuse", Rung: "bounds", Reason: "max_steps_exceeded", Line: "a.prov:3"})},
			"\n  gate    REFUSE  max_steps_exceeded, rung bounds, a.prov:3\n  because the policy gives a run 4 steps\n",
		},
		{
			"nothing readable", loop.Event{Entry: decision(1, ledger.Verdict{Outcome: "refuse", Rung: "shape", Reason: "malformed"})},
			"\n  step 1  nothing that can be read as a proposal\n  gate    REFUSE  malformed, rung shape\n",
		},
		{
			"a tool that failed", loop.Event{Entry: ledger.Entry{Kind: ledger.KindOutcome, Outcome: &ledger.Outcome{Tool: "mend", Status: "failed"}}},
			"  tool    failed: it gave an error, and may be tried again\n",
		},
		{
			"a tool that nobody knows of", loop.Event{Entry: ledger.Entry{Kind: ledger.KindOutcome, Outcome: &ledger.Outcome{Tool: "ship", Status: "unknown"}}},
			"  tool    unknown: nobody knows whether it happened\n",
		},
		{
			"neither", loop.Event{
				Result: &loop.Shown{Fields: []loop.ShownField{{Name: "grams", Value: "15"}}},
				Entry:  ledger.Entry{Kind: ledger.KindVerification, Verification: &ledger.Verification{By: "weigh", Verdict: "INCONCLUSIVE", Why: "neither", Line: "a.prov:9"}},
			},
			"  verify  INCONCLUSIVE by weigh (a.prov:9): neither condition holds; grams 15\n  learn   nothing\n",
		},
		{
			"an intent says nothing new", loop.Event{Entry: ledger.Entry{Kind: ledger.KindIntent, Intent: &ledger.Intent{}}}, "",
		},
		{
			"a long row", loop.Event{Why: strings.Repeat("word ", 25) + "end", Entry: ledger.Entry{Kind: ledger.KindRunEnded, RunEnded: &ledger.RunEnded{End: "escalated"}}},
			"\n  end     ESCALATED: word word word word word word word word word word word word word word word word\n" +
				"          word word word word word word word word word end\n  used    0 steps, 0 model calls\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			tl := timeline.New(&b, nil)
			tl.Observe(tt.event)
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tl.Err() != nil {
				t.Error(tl.Err())
			}
		})
	}
}

// A title is the operator's, and stays on its line all the same.
func TestTitleStaysOnItsLine(t *testing.T) {
	var b bytes.Buffer
	timeline.New(&b, nil).Observe(loop.Event{Title: "a\n\x1b[2Jb", Entry: ledger.Entry{Kind: ledger.KindRunStarted, RunStarted: &ledger.RunStarted{Task: "t"}}})
	if first, _, _ := strings.Cut(b.String(), "\n"); first != "task t: a??[2Jb" {
		t.Errorf("got %q", first)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriteErrors(t *testing.T) {
	tl := timeline.New(full{}, nil)
	tl.Observe(loop.Event{Entry: decision(1, ledger.Verdict{})})
	if tl.Err() == nil || timeline.Summary(full{}, nil) == nil {
		t.Error("an error of writing went unnoticed")
	}
}
