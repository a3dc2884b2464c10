package loop_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Each row is a run: what the model says, how the run ends, and what the ledger
// holds of it.
func TestRun(t *testing.T) {
	const (
		weigh  = `{"propose": {"tool": "weigh", "target": "P1"}}`
		pack   = `{"propose": {"tool": "pack", "target": "P1"}}`
		mend   = `{"propose": {"tool": "mend", "target": "P1"}}`
		ship   = `{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post"}}}`
		done   = `{"done": true}`
		repeat = `{"repeat": true}`
		bad    = `{"say": "I would rather not."}`
	)
	reached := map[loop.End]bool{loop.Failed: true} // by TestLedgerFailure and TestModelFailure
	for _, tt := range []struct {
		name   string
		set    func(*world)
		script []string
		end    loop.End
		reason policy.Reason
		log    []string
	}{
		{
			name: "reading only", script: []string{weigh, done}, end: loop.Completed,
			log: []string{"1 allow risk/allowed", "1 outcome weigh done", "ended completed"},
		},
		{
			name: "nothing to do", script: []string{done}, end: loop.Completed,
			log: []string{"ended completed"},
		},
		{
			name: "confirmed", script: []string{mend, done}, end: loop.Completed,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 CONFIRMED", "1 evidence mended true", "ended completed"},
		},
		{
			name: "notified", script: []string{`{"propose": {"tool": "mend", "target": "P2"}}`, `{"propose": {"tool": "weigh", "target": "P1"}}`},
			set: func(w *world) { w.spec.MaxSteps = 1 }, end: loop.Bounded, reason: policy.MaxStepsExceeded,
			log: []string{"1 notify risk/allowed_with_notice", "1 intent", "1 outcome mend done", "1 CONFIRMED", "1 evidence mended true",
				"2 refuse bounds/max_steps_exceeded", "ended bounded max_steps_exceeded"},
		},
		{
			name: "refuted, one more plan, refuted", set: func(w *world) { w.grams = `{"grams": 30}` },
			script: []string{mend, `{"after": "REFUTED", "propose": {"tool": "mend", "target": "P3"}}`, weigh}, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 REFUTED", "1 evidence mended false",
				"2 allow risk/allowed", "2 intent", "2 outcome mend done", "2 REFUTED", "2 evidence mended false", "ended escalated"},
		},
		{
			name: "refuted, and nothing more", set: func(w *world) { w.grams = `{"grams": 30}` },
			script: []string{mend, done}, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 REFUTED", "1 evidence mended false", "ended escalated"},
		},
		{
			name: "reading fails", set: func(w *world) { w.grams = "" }, script: []string{mend, done}, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 INCONCLUSIVE read_failed", "ended escalated"},
		},
		{
			name: "reading brings nonsense", set: func(w *world) { w.grams = `{"grams": "five"}` }, script: []string{mend, done}, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 INCONCLUSIVE result_invalid", "ended escalated"},
		},
		{
			name: "neither", set: func(w *world) { w.grams = `{"grams": 15}` }, script: []string{mend, done}, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 INCONCLUSIVE neither", "ended escalated"},
		},
		{
			name: "both", set: func(w *world) { w.grams = `{"grams": 0}` }, script: []string{mend, done}, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 INCONCLUSIVE both", "ended escalated"},
		},
		{
			name: "the same call for ever", script: []string{mend, repeat}, end: loop.Bounded, reason: policy.MaxStepsExceeded,
			set: func(w *world) { w.spec.MaxSteps = 4 },
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 CONFIRMED", "1 evidence mended true",
				"2 refuse replay/idempotent_replay", "3 refuse replay/idempotent_replay", "4 refuse replay/idempotent_replay",
				"5 refuse bounds/max_steps_exceeded", "ended bounded max_steps_exceeded"},
		},
		{
			name: "no progress", script: []string{mend, repeat}, end: loop.Bounded, reason: policy.NoProgress,
			set: func(w *world) { w.spec.NoProgress = 2 },
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 CONFIRMED", "1 evidence mended true",
				"2 refuse replay/idempotent_replay", "3 refuse replay/idempotent_replay",
				"4 refuse bounds/no_progress", "ended bounded no_progress"},
		},
		{
			name: "only idle steps in a row count", script: []string{mend, mend, weigh, mend, weigh, done}, end: loop.Completed,
			set: func(w *world) { w.spec.NoProgress = 2 },
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 CONFIRMED", "1 evidence mended true",
				"2 refuse replay/idempotent_replay", "3 allow risk/allowed", "3 outcome weigh done",
				"4 refuse replay/idempotent_replay", "5 allow risk/allowed", "5 outcome weigh done", "ended completed"},
		},
		{
			name: "reading twice is no replay", script: []string{weigh, repeat}, end: loop.Bounded, reason: policy.MaxStepsExceeded,
			set: func(w *world) { w.spec.MaxSteps = 2 },
			log: []string{"1 allow risk/allowed", "1 outcome weigh done", "2 allow risk/allowed", "2 outcome weigh done",
				"3 refuse bounds/max_steps_exceeded", "ended bounded max_steps_exceeded"},
		},
		{
			name: "malformed, and recovered", script: []string{bad, weigh, done}, end: loop.Completed,
			log: []string{"1 refuse shape/malformed", "2 allow risk/allowed", "2 outcome weigh done", "ended completed"},
		},
		{
			name: "malformed for good", script: []string{bad, repeat}, end: loop.Bounded, reason: policy.Malformed,
			log: []string{"1 refuse shape/malformed", "2 refuse shape/malformed", "ended bounded malformed"},
		},
		{
			name: "only retries in a row count", script: []string{bad, weigh, bad, weigh, done}, end: loop.Completed,
			log: []string{"1 refuse shape/malformed", "2 allow risk/allowed", "2 outcome weigh done",
				"3 refuse shape/malformed", "4 allow risk/allowed", "4 outcome weigh done", "ended completed"},
		},
		{
			name: "a state that does not allow it goes back", script: []string{`{"propose": {"tool": "pack", "target": "P2"}}`, `{"after": "state_conflict", "propose": {"tool": "weigh", "target": "P2"}}`, done},
			end: loop.Completed,
			log: []string{"1 refuse reference/state_conflict", "2 allow risk/allowed", "2 outcome weigh done", "ended completed"},
		},
		{
			name: "a reference to nothing goes back", script: []string{`{"propose": {"tool": "weigh", "target": "P9"}}`, `{"after": "reference_unknown", "done": true}`},
			end: loop.Completed,
			log: []string{"1 refuse reference/reference_unknown", "ended completed"},
		},
		{
			name: "resting on nothing", script: []string{`{"propose": {"tool": "weigh", "target": "P1", "rests_on": ["o1"]}}`, done},
			end: loop.Completed,
			log: []string{"1 refuse reference/reference_unknown", "ended completed"},
		},
		{
			name: "resting on what was read", script: []string{weigh, `{"propose": {"tool": "mend", "target": "P1", "rests_on": ["o1"]}}`, `{"propose": {"tool": "weigh", "target": "P1", "rests_on": ["o1", "o2"]}}`, done},
			end: loop.Completed,
			log: []string{"1 allow risk/allowed", "1 outcome weigh done", "2 allow risk/allowed", "2 intent", "2 outcome mend done",
				"2 CONFIRMED", "2 evidence mended true", "3 allow risk/allowed", "3 outcome weigh done", "ended completed"},
		},
		{
			name: "what only a person can move on", script: []string{pack, done}, end: loop.Held, reason: policy.NeedsHumanApproval,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome pack done", "ended held needs_human_approval"},
		},
		{
			name: "a score in the hold band", script: []string{`{"propose": {"tool": "ship", "target": "P2", "args": {"carrier": "post"}}}`},
			end: loop.Held, reason: policy.NeedsHumanApproval,
			log: []string{"1 hold risk/needs_human_approval", "ended held needs_human_approval"},
		},
		{
			name: "a degraded agent", script: []string{weigh}, end: loop.Held, reason: policy.NeedsHumanApproval,
			set: func(w *world) { standing(w, registry.Degraded) },
			log: []string{"1 hold risk/needs_human_approval", "ended held needs_human_approval"},
		},
		{
			name: "a suspended agent", script: []string{weigh}, end: loop.Refused, reason: policy.AgentSuspended,
			set: func(w *world) { standing(w, registry.Suspended) },
			log: []string{"1 refuse identity/agent_suspended", "ended refused agent_suspended"},
		},
		{
			name: "a tool that does not exist", script: []string{`{"propose": {"tool": "burn", "target": "P1"}}`}, end: loop.Refused, reason: policy.UnknownTool,
			log: []string{"1 refuse tool/unknown_tool", "ended refused unknown_tool"},
		},
		{
			name: "a tool outside the scope", script: []string{`{"propose": {"tool": "close_parcel", "target": "P2"}}`}, end: loop.Refused, reason: policy.ToolNotInScope,
			log: []string{"1 refuse scope/tool_not_in_scope", "ended refused tool_not_in_scope"},
		},
		{
			name: "a tool that is not on the list", script: []string{`{"propose": {"tool": "stray", "target": "P1"}}`}, end: loop.Refused, reason: policy.ToolNotAllowlisted,
			log: []string{"1 refuse scope/tool_not_allowlisted", "ended refused tool_not_allowlisted"},
		},
		{
			name: "another tenant's target", script: []string{`{"propose": {"tool": "weigh", "target": "G1"}}`}, end: loop.Refused, reason: policy.CrossTenantDenied,
			log: []string{"1 refuse tenant/cross_tenant_denied", "ended refused cross_tenant_denied"},
		},
		{
			name: "another tenant's reference", script: []string{`{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post", "with": "G1"}}}`}, end: loop.Refused, reason: policy.CrossTenantDenied,
			log: []string{"1 refuse tenant/cross_tenant_denied", "ended refused cross_tenant_denied"},
		},
		{
			name:   "another tenant's reference weighs more than one to nothing",
			script: []string{`{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post", "with": "P9", "beside": "G1"}}}`},
			end:    loop.Refused, reason: policy.CrossTenantDenied,
			log: []string{"1 refuse tenant/cross_tenant_denied", "ended refused cross_tenant_denied"},
		},
		{
			name:   "a reference to nothing weighs more than one that is found",
			script: []string{`{"propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post", "with": "P3", "beside": "P9"}}}`, done},
			end:    loop.Completed,
			log:    []string{"1 refuse reference/reference_unknown", "ended completed"},
		},
		{
			name: "a forged tenant", script: []string{`{"propose": {"tool": "weigh", "target": "P1", "tenant": "globex"}}`}, end: loop.Refused, reason: policy.CrossTenantDenied,
			log: []string{"1 refuse tenant/cross_tenant_denied", "ended refused cross_tenant_denied"},
		},
		{
			name: "a field that nobody declared", script: []string{`{"propose": {"tool": "weigh", "target": "P1", "confidence": 0.9}}`}, end: loop.Refused, reason: policy.SchemaInvalid,
			log: []string{"1 refuse schema/schema_invalid", "ended refused schema_invalid"},
		},
		{
			name: "the deadline passes while the run goes on", script: []string{weigh, repeat}, end: loop.Bounded, reason: policy.DeadlineExceeded,
			set: func(w *world) { w.tick = 5 * time.Second; w.spec.MaxSteps = 100 },
			log: []string{"1 allow risk/allowed", "1 outcome weigh done", "2 allow risk/allowed", "2 outcome weigh done",
				"3 refuse bounds/deadline_exceeded", "ended bounded deadline_exceeded"},
		},
		{
			name: "the budget is spent, and refuses", script: []string{weigh, repeat}, end: loop.Bounded, reason: policy.BudgetExceeded,
			set: func(w *world) { w.spec.Budget = &policy.Budget{ModelCalls: 1, Tokens: -1, CostMicros: -1} },
			log: []string{"1 allow risk/allowed", "1 outcome weigh done", "2 refuse bounds/budget_exceeded", "ended bounded budget_exceeded"},
		},
		{
			name: "the budget is spent, and holds", script: []string{`{"propose": {"tool": "weigh", "target": "P1"}, "usage": {"tokens": 500, "cost_micros": 9}}`, repeat},
			end: loop.Held, reason: policy.BudgetExceeded,
			set: func(w *world) {
				w.spec.Budget = &policy.Budget{ModelCalls: -1, Tokens: 500, CostMicros: -1, Hold: true}
			},
			log: []string{"1 allow risk/allowed", "1 outcome weigh done", "2 hold bounds/budget_exceeded", "ended held budget_exceeded"},
		},
		{
			name: "an idempotent tool fails, is tried again, and works", end: loop.Completed,
			set:    func(w *world) { failOnce(w, "mend") },
			script: []string{mend, `{"after": "failed", "propose": {"tool": "mend", "target": "P1"}}`, done},
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend failed", "2 allow risk/allowed", "2 intent", "2 outcome mend done",
				"2 CONFIRMED", "2 evidence mended true", "ended completed"},
		},
		{
			name: "an idempotent tool fails, and that is that", end: loop.Escalated,
			set:    func(w *world) { failOnce(w, "mend") },
			script: []string{mend, done},
			log:    []string{"1 allow risk/allowed", "1 intent", "1 outcome mend failed", "ended escalated"},
		},
		{
			name: "any other tool fails: nobody knows, and the same action waits", end: loop.Held, reason: policy.OutcomeUnknown,
			set:    func(w *world) { failOnce(w, "ship") },
			script: []string{ship, `{"after": "unknown", "propose": {"tool": "ship", "target": "P1", "args": {"carrier": "post"}}}`},
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome ship unknown",
				"2 hold replay/outcome_unknown", "ended held outcome_unknown"},
		},
		{
			name: "a tool that panics", end: loop.Escalated,
			set: func(w *world) {
				w.tools["ship"] = func(context.Context, *loop.Call) ([]byte, error) { panic("a secret") }
			},
			script: []string{ship, done},
			log:    []string{"1 allow risk/allowed", "1 intent", "1 outcome ship unknown", "ended escalated"},
		},
		{
			name: "a reading tool that fails is no doubt", set: func(w *world) { w.grams = "" }, script: []string{weigh, done}, end: loop.Completed,
			log: []string{"1 allow risk/allowed", "1 outcome weigh failed", "ended completed"},
		},
		{
			name: "a doubt that a later plan settles", end: loop.Completed,
			set: func(w *world) {
				good := w.tools["weigh"]
				w.tools["weigh"] = func(ctx context.Context, c *loop.Call) ([]byte, error) {
					if w.calls["ship"] == 0 {
						return []byte(`{"grams": 15}`), nil
					}
					return good(ctx, c)
				}
				w.tools["ship"], w.spec.Package.Tools[3].Verify = w.tools["mend"], w.spec.Package.Tools[1].Verify
			},
			script: []string{mend, ship, done},
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 INCONCLUSIVE neither",
				"2 allow risk/allowed", "2 intent", "2 outcome ship done", "2 CONFIRMED", "2 evidence mended true", "ended completed"},
		},
	} {
		reached[tt.end] = true
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if tt.set != nil {
				tt.set(w)
			}
			res := w.run(tt.script...)
			if diff := cmp.Diff(append([]string{"0 run_started"}, tt.log...), w.log(res.Run)); diff != "" {
				t.Errorf("ledger (-want +got):\n%s", diff)
			}
			if res.End != tt.end || res.Reason != tt.reason {
				t.Errorf("ended %s %s, want %s %s", res.End, res.Reason, tt.end, tt.reason)
			}
			if res.Why == "" {
				t.Error("nothing says why")
			}
		})
	}
	for _, end := range loop.Ends() {
		if !reached[end] {
			t.Errorf("no run ends %s", end)
		}
	}
}

func standing(w *world, s registry.Standing) {
	if _, err := w.registry.SetStanding("acme", "packer-1", 1, s); err != nil {
		w.t.Fatal(err)
	}
}

// failOnce lets a tool give an error the first time.
func failOnce(w *world, tool string) {
	next := w.tools[tool]
	w.tools[tool] = func(ctx context.Context, c *loop.Call) ([]byte, error) {
		out, err := next(ctx, c)
		if w.calls[tool] == 1 {
			return nil, errors.New("no answer")
		}
		return out, err
	}
}

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

func TestLearnerFailure(t *testing.T) {
	w := newWorld(t)
	w.learnErr = errors.New("no room")
	res, err := w.runner(script(t, `{"propose": {"tool": "mend", "target": "P1"}}`)).Run(t.Context(), task())
	if !errors.Is(err, w.learnErr) || res.End != loop.Failed {
		t.Errorf("ended %s, %v", res.End, err)
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

// What an observer is told is what the ledger holds.
func TestEventsAreEntries(t *testing.T) {
	w := newWorld(t)
	res := w.run(`{"propose": {"tool": "mend", "target": "P1"}}`, `{"propose": {"tool": "burn"}}`)
	var want, got []string
	for line, err := range w.ledger.Run(t.Context(), "acme", res.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint(line.Entry.Seq, line.Entry.Run, line.Entry.Tenant, brief(&line.Entry)))
	}
	for _, e := range w.events {
		got = append(got, fmt.Sprint(e.Entry.Seq, e.Entry.Run, e.Entry.Tenant, brief(&e.Entry)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
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

func TestNewRefuses(t *testing.T) {
	nothing := func(context.Context, *loop.Call) ([]byte, error) { return nil, nil }
	for _, tt := range []struct {
		name string
		set  func(*loop.Options)
		want string
	}{
		{"no policy", func(o *loop.Options) { o.Policy = nil }, "no policy"},
		{"the zero policy", func(o *loop.Options) { o.Policy = &policy.Policy{} }, "no policy"},
		{"no registry", func(o *loop.Options) { o.Registry = nil }, "no registry"},
		{"no ledger", func(o *loop.Options) { o.Ledger = nil }, "no ledger"},
		{"no clock", func(o *loop.Options) { o.Clock = nil }, "no clock"},
		{"a tool on the list without an implementation", func(o *loop.Options) { delete(o.Tools, "ship") }, "tool ship is on the list and has no implementation"},
		{"a reading tool without an implementation", func(o *loop.Options) { delete(o.Tools, "weigh") }, "tool weigh verifies mend and has no implementation"},
		{"an implementation of nothing", func(o *loop.Options) { o.Tools["shell"] = nothing }, "an implementation was given for shell, which package parcels does not declare"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			o := loop.Options{Policy: w.policy(), Registry: w.registry, Ledger: w.ledger, Tools: w.tools, Clock: w.clock}
			tt.set(&o)
			_, err := loop.New(o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// A task that does not fit leaves nothing in the ledger.
func TestTaskRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(*loop.Task)
		want string
	}{
		{"no tenant", func(t *loop.Task) { t.Tenant = "" }, "a task has an id, a tenant and an agent"},
		{"no mode", func(t *loop.Task) { t.Mode = "" }, `mode ""`},
		{"an input that nobody declared", func(t *loop.Task) { t.Inputs = []byte(`{"parcel": "P1"}`) }, "inputs"},
		{"a workflow that nobody declared", func(t *loop.Task) { t.Mode, t.Workflow = loop.ModeWorkflow, "up" }, `no workflow "up"`},
		{"an agent with a target", func(t *loop.Task) { t.Target = "P1" }, "no target"},
		{"nothing that extracts", func(t *loop.Task) { t.Mode, t.Workflow = loop.ModeBaseline, "out" }, "nothing was given that extracts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			task := task()
			tt.set(&task)
			_, err := w.runner(script(t, `{"done": true}`)).Run(t.Context(), task)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if head, _ := w.ledger.Head(t.Context()); head != (ledger.Head{}) {
				t.Errorf("the ledger is at %+v", head)
			}
		})
	}
}
