package gate_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

type bound struct {
	name    string
	with    func(s *policy.Spec)
	usage   gate.Usage
	elapsed time.Duration
	want    policy.Decision
}

func (c *bound) decide() policy.Decision {
	s := policytest.Desk()
	s.Budget = &policy.Budget{ModelCalls: 10, Tokens: 1000, CostMicros: 750000, Currency: "usd", Line: at(85)}
	if c.with != nil {
		c.with(s)
	}
	d := dirty
	if gate.Bounds(policytest.Open(s), c.usage, c.elapsed, &d) != (d.Reason == policy.NoReason) {
		panic("the answer and the decision differ")
	}
	return d
}

func over(r policy.Reason, line uint32) policy.Decision {
	return policy.Decision{Rung: policy.RungBounds, Reason: r, Line: at(line), Tool: -1}
}

var goesOn = policy.Decision{Tool: -1} // which allows nothing

var bounds = []bound{
	{"at the start", nil, gate.Usage{}, 0, goesOn},
	{"just within", nil, gate.Usage{Steps: 3, ModelCalls: 9, Tokens: 999, CostMicros: 749999, Idle: 2, Malformed: 99}, 30*time.Second - 1, goesOn},
	{"steps", nil, gate.Usage{Steps: 4}, 0, over(policy.MaxStepsExceeded, 80)},
	{"steps, far over", nil, gate.Usage{Steps: math.MaxInt64}, 0, over(policy.MaxStepsExceeded, 80)},
	{"steps below zero", nil, gate.Usage{Steps: -1}, 0, over(policy.MaxStepsExceeded, 80)},
	{"time", nil, gate.Usage{}, 30 * time.Second, over(policy.DeadlineExceeded, 80)},
	{"a clock that ran backwards", nil, gate.Usage{}, -1, over(policy.DeadlineExceeded, 80)},
	{"calls", nil, gate.Usage{ModelCalls: 10}, 0, over(policy.BudgetExceeded, 85)},
	{"tokens", nil, gate.Usage{Tokens: 1000}, 0, over(policy.BudgetExceeded, 85)},
	{"cost", nil, gate.Usage{CostMicros: 750000}, 0, over(policy.BudgetExceeded, 85)},
	{"tokens below zero", nil, gate.Usage{Tokens: -1}, 0, over(policy.BudgetExceeded, 85)},
	{"a budget of nothing", func(s *policy.Spec) { s.Budget.Tokens = 0 }, gate.Usage{}, 0, over(policy.BudgetExceeded, 85)},
	{"a budget without that bound", func(s *policy.Spec) { s.Budget.Tokens = -1 }, gate.Usage{Tokens: math.MaxInt64}, 0, goesOn},
	{"no budget", func(s *policy.Spec) { s.Budget = nil }, gate.Usage{Tokens: math.MaxInt64}, 0, goesOn},
	{"a budget that holds", func(s *policy.Spec) { s.Budget.Hold = true }, gate.Usage{ModelCalls: 10}, 0,
		policy.Decision{Outcome: policy.Hold, Rung: policy.RungBounds, Reason: policy.BudgetExceeded, Line: at(85), Tool: -1}},
	{"a budget that holds, after the deadline", func(s *policy.Spec) { s.Budget.Hold = true }, gate.Usage{ModelCalls: 10}, time.Hour, over(policy.DeadlineExceeded, 80)},
	{"idle", nil, gate.Usage{Idle: 3}, 0, over(policy.NoProgress, 80)},
	{"idle below zero", nil, gate.Usage{Idle: -1}, 0, over(policy.NoProgress, 80)},
	{"idle without a bound", func(s *policy.Spec) { s.NoProgress = 0 }, gate.Usage{Idle: 99}, 0, goesOn},
	{"everything at once", nil, gate.Usage{Steps: 9, ModelCalls: 99, Tokens: 9999, CostMicros: 1e9, Idle: 9}, time.Hour, over(policy.MaxStepsExceeded, 80)},
	{"everything but steps", nil, gate.Usage{ModelCalls: 99, Idle: 9}, time.Hour, over(policy.DeadlineExceeded, 80)},
	{"budget and idle", nil, gate.Usage{ModelCalls: 99, Idle: 9}, 0, over(policy.BudgetExceeded, 85)},
}

func TestBounds(t *testing.T) {
	for _, c := range bounds {
		if diff := cmp.Diff(c.want, c.decide()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Every reason is put down here by hand as one that ends a run, or as one that
// goes back to the model.
func TestEnds(t *testing.T) {
	p := policytest.Open(policytest.Desk()) // two retries
	goesBack := map[policy.Reason]bool{policy.ReferenceUnknown: true, policy.StateConflict: true, policy.RequirementFailed: true, policy.IdempotentReplay: true}
	for _, r := range policy.Reasons() {
		d := policy.Decision{Reason: r}
		want := !goesBack[r]
		if r == policy.Malformed {
			continue
		}
		if got := gate.Ends(p, &d, gate.Usage{}); got != want {
			t.Errorf("a refusal with %s ends a run: %v, want %v", r, got, want)
		}
		d.Outcome = policy.Hold
		if !gate.Ends(p, &d, gate.Usage{}) {
			t.Errorf("a hold with %s goes on", r)
		}
	}
	for malformed, want := range map[int64]bool{1: false, 2: false, 3: true, 4: true, -1: true} {
		d := policy.Decision{Reason: policy.Malformed}
		if got := gate.Ends(p, &d, gate.Usage{Malformed: malformed}); got != want {
			t.Errorf("the malformed proposal number %d ends a run: %v, want %v", malformed, got, want)
		}
	}
	for _, o := range []policy.Outcome{policy.Allow, policy.Notify} {
		if gate.Ends(p, &policy.Decision{Outcome: o}, gate.Usage{}) {
			t.Errorf("%s ends a run", o)
		}
	}
	if !gate.Ends(p, &policy.Decision{Outcome: 99}, gate.Usage{}) {
		t.Error("an outcome outside the list goes on")
	}
}
