package loop_test

import (
	"context"
	"strings"
	"testing"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
)

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

// Inputs come from the principal, and are held to the policy and the tenant all
// the same.
func TestInputs(t *testing.T) {
	for _, tt := range []struct{ inputs, want string }{
		{`{"parcel": "P1", "grams": 7}`, ""},
		{`{"parcel": "P1"}`, ""},
		{`{"grams": 7}`, "inputs: parcel: missing"},
		{`{"parcel": "G1"}`, "inputs: parcel: tenant acme has no such parcel"},
		{`{"parcel": "P9"}`, "inputs: parcel: tenant acme has no such parcel"},
		{`{"parcel": "P1", "grams": "7"}`, "inputs: grams: wrong_type"},
		{`{"parcel": "P1", "risk": 0}`, "inputs: risk: unknown_field"},
		{``, "inputs: "},
	} {
		w := newWorld(t)
		w.spec.Inputs = []policy.Field{{Name: "parcel", Kind: policy.KindRef, Entity: 0}, {Name: "grams", Kind: policy.KindInt, Hi: 9, Optional: true, Entity: -1}}
		var got []model.Input
		spy := asked(func(_ context.Context, turn *model.Turn) (model.Answer, error) {
			got = turn.Inputs
			return model.Answer{Done: true}, nil
		})
		task := task()
		task.Inputs = []byte(tt.inputs)
		_, err := w.runner(spy).Run(t.Context(), task)
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %v, want %q in it", tt.inputs, err, tt.want)
			}
			continue
		}
		if err != nil || len(got) == 0 || got[0] != (model.Input{Name: "parcel", Value: "P1"}) {
			t.Errorf("%s: the model was shown %v, %v", tt.inputs, got, err)
		}
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
