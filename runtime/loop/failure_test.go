package loop_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
)

// The adapter's error ends the run, and is in the ledger as its end.
func TestModelFailure(t *testing.T) {
	w := newWorld(t)
	res, err := w.runner(script(t, `{"step": 9, "done": true}`)).Run(t.Context(), task())
	if !errors.Is(err, model.ErrExhausted) || res.End != loop.Failed {
		t.Errorf("ended %s, %v", res.End, err)
	}
	if diff := cmp.Diff([]string{"0 run_started", "ended failed"}, w.log(res.Run)); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

// A model that answers after the deadline is not listened to.
func TestLateAnswer(t *testing.T) {
	w := newWorld(t)
	late := asked(func(context.Context, *model.Turn) (model.Answer, error) {
		w.now = w.now.Add(time.Hour)
		return model.Answer{Reply: []byte(`{"tool": "mend", "target": "P1"}`)}, nil
	})
	res, err := w.runner(late).Run(t.Context(), task())
	if err != nil {
		t.Fatal(err)
	}
	if res.End != loop.Bounded || res.Reason != policy.DeadlineExceeded || w.calls["mend"] != 0 {
		t.Errorf("ended %s %s, and mend ran %d times", res.End, res.Reason, w.calls["mend"])
	}
	w.replays(res.Run)
}

// A tool that was never called, because the time was up, leaves nothing to doubt
// but that it was not done.
func TestNeverCalled(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := loop.New(loop.Options{
		Policy: w.policy(), Registry: w.registry, Ledger: w.ledger, Tools: w.tools, Clock: w.clock,
		Model: script(t, `{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post"}}}`),
		Observe: func(e loop.Event) {
			if e.Entry.Kind == ledger.KindIntent {
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Run(ctx, task())
	if !errors.Is(err, context.Canceled) || w.calls["ship"] != 0 {
		t.Errorf("got %v, and ship ran %d times", err, w.calls["ship"])
	}
	want := []string{"0 run_started", "1 allow risk/allowed", "1 intent", "1 outcome ship failed", "ended failed"}
	if diff := cmp.Diff(want, w.log(res.Run)); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
}

// A model or a tool that never answers is cut off with the run.
func TestHangingIsBounded(t *testing.T) {
	for _, name := range []string{"model", "tool"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.spec.Deadline = 20 * time.Millisecond
			hang := make(chan struct{})
			defer close(hang)
			var m model.Model = script(t, `{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post"}}}`, `{"done": true}`)
			if name == "model" {
				m = asked(func(ctx context.Context, _ *model.Turn) (model.Answer, error) {
					<-ctx.Done()
					w.now = w.now.Add(w.spec.Deadline)
					return model.Answer{}, ctx.Err()
				})
			} else {
				w.tools["ship"] = func(context.Context, *loop.Call) ([]byte, error) {
					<-hang // deaf to its context
					return nil, nil
				}
			}
			res, err := w.runner(m).Run(t.Context(), task())
			if err != nil {
				t.Fatal(err)
			}
			log := w.log(res.Run)
			switch name {
			case "model":
				if res.Reason != policy.DeadlineExceeded {
					t.Errorf("ended %s %s", res.End, res.Reason)
				}
			default:
				if log[3] != "1 outcome ship unknown" || res.End != loop.Escalated {
					t.Errorf("ended %s with %q", res.End, log)
				}
			}
		})
	}
}

func TestLearnerFailure(t *testing.T) {
	w := newWorld(t)
	w.learnErr = errors.New("no room")
	res, err := w.runner(script(t, `{"propose": {"tool": "mend", "target": "P1"}}`)).Run(t.Context(), task())
	if !errors.Is(err, w.learnErr) || res.End != loop.Failed {
		t.Errorf("ended %s, %v", res.End, err)
	}
}

// A run that was called off says so in the ledger, and does nothing more.
func TestCancelled(t *testing.T) {
	for _, tool := range []string{"mend", "weigh"} {
		w := newWorld(t)
		ctx, cancel := context.WithCancel(t.Context())
		spy := asked(func(context.Context, *model.Turn) (model.Answer, error) {
			cancel()
			return model.Answer{Reply: fmt.Appendf(nil, `{"tool": "%s", "target": "P1"}`, tool)}, nil
		})
		res, err := w.runner(spy).Run(ctx, task())
		if !errors.Is(err, context.Canceled) || res.End != loop.Failed || len(w.calls) != 0 {
			t.Errorf("ended %s, %v, and %v ran", res.End, err, w.calls)
		}
		if diff := cmp.Diff([]string{"0 run_started", "ended failed"}, w.log(res.Run)); diff != "" {
			t.Errorf("ledger (-want +got):\n%s", diff)
		}
	}
}

// What a tool did is recorded, even where nobody waits for it any more.
func TestCancelledWhileItRuns(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	next := w.tools["pack"]
	w.tools["pack"] = func(ctx context.Context, c *loop.Call) ([]byte, error) {
		out, err := next(ctx, c)
		w.store.cancelled = true // from here on the store gives up on a context that ended
		cancel()
		<-ctx.Done()
		return out, err
	}
	res, err := w.runner(script(t, `{"propose": {"tool": "pack", "target": "P1"}}`)).Run(ctx, task())
	if !errors.Is(err, context.Canceled) || res.End != loop.Failed {
		t.Errorf("ended %s, %v", res.End, err)
	}
	log := w.log(res.Run)
	if got := log[3]; got != "1 outcome pack done" && got != "1 outcome pack failed" || log[len(log)-1] != "ended failed" {
		t.Errorf("the ledger holds %q", log)
	}
}

// A clock that runs backwards has run out, and that can be replayed.
func TestClockRunsBackwards(t *testing.T) {
	w := newWorld(t)
	w.tick = -time.Second
	res := w.run(`{"done": true}`)
	if res.Reason != policy.DeadlineExceeded || res.Usage.ModelCalls != 0 {
		t.Errorf("ended %s %s after %d model calls", res.End, res.Reason, res.Usage.ModelCalls)
	}
}

// A reply that is far too long is malformed, is kept no longer than that takes to
// show, and comes out the same when it is decided again.
func TestFarTooLong(t *testing.T) {
	w := newWorld(t)
	w.spec.MalformedRetries = 0
	long := asked(func(context.Context, *model.Turn) (model.Answer, error) {
		return model.Answer{Reply: bytes.Repeat([]byte("a"), 4<<20)}, nil
	})
	res, err := w.runner(long).Run(t.Context(), task())
	if err != nil || res.Reason != policy.Malformed {
		t.Fatalf("ended %s %s, %v", res.End, res.Reason, err)
	}
	w.replays(res.Run)
	x, err := w.ledger.Exhibit(t.Context(), "acme", res.Run, 2)
	if err != nil || len(x.Proposal) != policy.MaxProposal+1 {
		t.Errorf("%d bytes are kept, %v", len(x.Proposal), err)
	}
}
