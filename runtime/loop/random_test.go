package loop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
)

// Whatever a model proposes and whatever the tools do, what the ledger holds is a
// run that was governed. The model and the tools draw their behaviour; the
// invariants are read from the ledger alone.
func TestRandomRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		w.spec.MaxSteps = int32(rapid.IntRange(1, 8).Draw(rt, "max_steps"))
		w.spec.NoProgress = int32(rapid.IntRange(0, 3).Draw(rt, "no_progress"))
		w.spec.Replans = int32(rapid.IntRange(0, 2).Draw(rt, "replans"))
		effects := map[string]int{}
		for name := range w.tools {
			w.tools[name] = func(context.Context, *loop.Call) ([]byte, error) { panic("replaced below") }
			w.tools[name] = func(_ context.Context, c *loop.Call) ([]byte, error) {
				if c.Key != "" {
					intentOnDisk(t, w, c)
				}
				switch rapid.IntRange(0, 5).Draw(rt, "tool") {
				case 0:
					return nil, errors.New("no")
				case 1:
					panic("no")
				}
				if c.Key != "" {
					effects[c.Key]++
				}
				if c.Tool == "weigh" {
					return fmt.Appendf(nil, `{"grams": %d}`, rapid.SampledFrom([]int{0, 5, 15, 30, 5000}).Draw(rt, "grams")), nil
				}
				return nil, nil
			}
		}
		m := asked(func(context.Context, *model.Turn) (model.Answer, error) {
			w.now = w.now.Add(time.Duration(rapid.IntRange(0, 20).Draw(rt, "seconds")) * time.Second)
			switch rapid.IntRange(0, 9).Draw(rt, "reply") {
			case 0:
				return model.Answer{Done: true}, nil
			case 1:
				return model.Answer{Reply: []byte(rapid.String().Draw(rt, "text"))}, nil
			}
			p := map[string]any{
				"tool":   rapid.SampledFrom([]string{"mend", "pack", "ship", "weigh", "mend", "close_parcel", "stray", "burn"}).Draw(rt, "name"),
				"target": rapid.SampledFrom([]string{"P1", "P2", "P3", "P1", "G1", "P9"}).Draw(rt, "target"),
			}
			if p["tool"] == "ship" {
				p["args"] = map[string]string{"carrier": rapid.SampledFrom([]string{"post", "bike", ""}).Draw(rt, "carrier")}
			}
			if rapid.IntRange(0, 5).Draw(rt, "rests") == 0 {
				p["rests_on"] = []string{rapid.SampledFrom([]string{"o1", "o2", "x"}).Draw(rt, "source")}
			}
			b, err := json.Marshal(p)
			return model.Answer{Reply: b}, err
		})
		res, err := w.runner(m).Run(t.Context(), task())
		if err != nil {
			rt.Fatal(err)
		}
		governed(rt, w, res)
		for key, n := range effects {
			if n > 1 {
				rt.Fatalf("the action %s had %d effects", key, n)
			}
		}
		if _, err := loop.ReplayRun(t.Context(), w.ledger, w.policy(), "acme", res.Run); err != nil {
			rt.Fatal(err)
		}
	})
}

// intentOnDisk holds that the call is what the last entry of its run says.
func intentOnDisk(t *testing.T, w *world, c *loop.Call) {
	var last ledger.Entry
	for line, err := range w.ledger.Run(t.Context(), c.Tenant, c.Run, 0) {
		if err != nil {
			t.Error(err)
			return
		}
		last = line.Entry
	}
	if i := last.Intent; i == nil || i.Key != c.Key || i.Tool != c.Tool || i.Target != c.Target {
		t.Errorf("%s runs on %s, and the ledger ends with a %s", c.Tool, c.Target, last.Kind)
	}
}

// governed reads a run from the ledger and holds it to what must be so of every
// run.
func governed(t *rapid.T, w *world, res loop.Result) {
	var (
		kinds     []ledger.Kind
		decisions int64
		allowed   bool // by the last decision
		ended     *ledger.RunEnded
		verdict   string
	)
	for line, err := range w.ledger.Run(context.Background(), "acme", res.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		e := &line.Entry
		kinds = append(kinds, e.Kind)
		if ended != nil {
			t.Fatalf("something stands after the run's end: %v", kinds)
		}
		switch e.Kind {
		case ledger.KindDecision:
			if e.Decision.Verdict.Rung != "bounds" {
				decisions++
			}
			allowed = e.Decision.Verdict.Outcome == "allow" || e.Decision.Verdict.Outcome == "notify"
		case ledger.KindIntent, ledger.KindOutcome:
			if !allowed {
				t.Fatalf("a %s follows a decision that does not allow it", e.Kind)
			}
		case ledger.KindVerification:
			verdict = e.Verification.Verdict
		case ledger.KindEvidence:
			if verdict != ledger.Confirmed && verdict != ledger.Refuted {
				t.Fatalf("something was learned from %q", verdict)
			}
		case ledger.KindRunEnded:
			ended = e.RunEnded
		}
	}
	switch {
	case ended == nil:
		t.Fatalf("the run has no end: %v", kinds)
	case decisions > int64(w.spec.MaxSteps):
		t.Fatalf("%d decisions in %d steps", decisions, w.spec.MaxSteps)
	case ended.Steps != decisions:
		t.Fatalf("%d steps and %d decisions", ended.Steps, decisions)
	case ended.End != string(res.End):
		t.Fatalf("ended %s, and the ledger says %s", res.End, ended.End)
	}
}
