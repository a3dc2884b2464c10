package loop_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
)

// A fixed path goes through the same door: each row is a path, where its
// arguments come from, and what the ledger holds.
func TestPath(t *testing.T) {
	acted := []string{"1 allow risk/allowed", "1 intent", "1 outcome pack done"}
	shipped := append(acted[:3:3], "2 allow risk/allowed", "2 intent", "2 outcome ship done", "ended held needs_human_approval")
	args := func(text string, err error) loop.Tool {
		return func(context.Context, *loop.Call) ([]byte, error) { return []byte(text), err }
	}
	for _, tt := range []struct {
		name     string
		mode     loop.Mode
		workflow string
		target   string
		script   []string
		set      func(*world)
		end      loop.End
		reason   policy.Reason
		calls    int64
		failed   bool
		log      []string
	}{
		{
			name: "one model call", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"propose": {"ship": {"carrier": "post"}}}`},
			end:    loop.Held, reason: policy.NeedsHumanApproval, calls: 1, log: shipped,
		},
		{
			name: "no model at all", mode: loop.ModeBaseline, workflow: "out", target: "P1",
			set: func(w *world) { w.extract = args(`{"carrier": "post"}`, nil) },
			end: loop.Held, reason: policy.NeedsHumanApproval, log: shipped,
		},
		{
			name: "arguments that do not fit", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"propose": {"ship": {"carrier": 7}}}`},
			end:    loop.Refused, reason: policy.SchemaInvalid, calls: 1,
			log: append(acted[:3:3], "2 refuse schema/schema_invalid", "ended refused schema_invalid"),
		},
		{
			name: "arguments that are not given", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"propose": {}}`},
			end:    loop.Refused, reason: policy.SchemaInvalid, calls: 1,
			log: append(acted[:3:3], "2 refuse schema/schema_invalid", "ended refused schema_invalid"),
		},
		{
			name: "a proposal where arguments were asked for", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"propose": {"tool": "close_parcel", "target": "P1"}}`},
			end:    loop.Refused, reason: policy.SchemaInvalid, calls: 1,
			log: append(acted[:3:3], "2 refuse schema/schema_invalid", "ended refused schema_invalid"),
		},
		{
			name: "another tenant among the arguments", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"propose": {"ship": {"carrier": "post", "tenant": "globex"}}}`},
			end:    loop.Refused, reason: policy.CrossTenantDenied, calls: 1,
			log: append(acted[:3:3], "2 refuse tenant/cross_tenant_denied", "ended refused cross_tenant_denied"),
		},
		{
			name: "an attempt to close the object", mode: loop.ModeBaseline, workflow: "out", target: "P1",
			set: func(w *world) {
				w.extract = args(`{"carrier": "post"}, "tool": "close_parcel"`, nil)
				w.spec.MalformedRetries = 0
			},
			end: loop.Bounded, reason: policy.Malformed,
			log: append(acted[:3:3], "2 refuse shape/malformed", "ended bounded malformed"),
		},
		{
			name: "malformed, asked again", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"say": "carrier: post"}`, `{"after": "malformed", "propose": {"ship": {"carrier": "post"}}}`},
			end:    loop.Held, reason: policy.NeedsHumanApproval, calls: 2,
			log: append(acted[:3:3], "2 refuse shape/malformed", "3 allow risk/allowed", "3 intent", "3 outcome ship done", "ended held needs_human_approval"),
		},
		{
			name: "an empty reply is not a reply without arguments", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"say": " "}`, `{"after": "malformed", "propose": {"ship": {"carrier": "post"}}}`},
			end:    loop.Held, reason: policy.NeedsHumanApproval, calls: 2,
			log: append(acted[:3:3], "2 refuse shape/malformed", "3 allow risk/allowed", "3 intent", "3 outcome ship done", "ended held needs_human_approval"),
		},
		{
			name: "a step that the state does not allow", mode: loop.ModeWorkflow, workflow: "out", target: "P2",
			script: []string{`{"done": true}`}, end: loop.Refused, reason: policy.StateConflict,
			log: []string{"1 refuse reference/state_conflict", "ended refused state_conflict"},
		},
		{
			name: "a target of another tenant", mode: loop.ModeWorkflow, workflow: "out", target: "G1",
			script: []string{`{"done": true}`}, end: loop.Refused, reason: policy.CrossTenantDenied,
			log: []string{"1 refuse tenant/cross_tenant_denied", "ended refused cross_tenant_denied"},
		},
		{
			name: "a verification that is refuted", mode: loop.ModeBaseline, workflow: "fix", target: "P1",
			set: func(w *world) { w.grams = `{"grams": 30}` }, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 REFUTED", "1 evidence mended false", "ended escalated"},
		},
		{
			name: "a verification that cannot be made", mode: loop.ModeBaseline, workflow: "fix", target: "P1",
			set: func(w *world) { w.grams = "" }, end: loop.Escalated,
			log: []string{"1 allow risk/allowed", "1 intent", "1 outcome mend done", "1 INCONCLUSIVE read_failed", "ended escalated"},
		},
		{
			name: "an extractor that gives up", mode: loop.ModeBaseline, workflow: "out", target: "P1",
			set: func(w *world) { w.extract = args("", errors.New("no pattern")) }, end: loop.Failed, failed: true,
			log: append(acted[:3:3], "ended failed"),
		},
		{
			name: "a model that gives none", mode: loop.ModeWorkflow, workflow: "out", target: "P1",
			script: []string{`{"done": true}`}, end: loop.Failed, failed: true, calls: 1,
			log: append(acted[:3:3], "ended failed"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if tt.set != nil {
				tt.set(w)
			}
			r := w.runner(nil)
			if tt.script != nil {
				r = w.runner(script(t, tt.script...))
			}
			task := task()
			task.Mode, task.Workflow, task.Target = tt.mode, tt.workflow, tt.target
			res, err := r.Run(t.Context(), task)
			if (err != nil) != tt.failed {
				t.Fatalf("error %v, want one: %t", err, tt.failed)
			}
			if diff := cmp.Diff(append([]string{"0 run_started"}, tt.log...), w.log(res.Run)); diff != "" {
				t.Errorf("ledger (-want +got):\n%s", diff)
			}
			if res.End != tt.end || res.Reason != tt.reason || res.Usage.ModelCalls != tt.calls {
				t.Errorf("ended %s %s after %d model calls, want %s %s after %d", res.End, res.Reason, res.Usage.ModelCalls, tt.end, tt.reason, tt.calls)
			}
			w.replays(res.Run)
		})
	}
}
