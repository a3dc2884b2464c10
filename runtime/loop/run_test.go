package loop_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/loop"
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
