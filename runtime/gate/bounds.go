package gate

import (
	"time"

	"github.com/provlang/prov/runtime/policy"
)

// Usage is what a run has used. The runtime counts; a model reports nothing.
type Usage struct {
	Steps      int64
	ModelCalls int64
	Tokens     int64
	CostMicros int64 // millionths of the budget's currency
	Idle       int64 // steps in a row that were refused, malformed or replayed
	Malformed  int64 // proposals in a row that were malformed
}

// Bounds is the first rung: may this run still go on? It is asked before the
// model is asked again, so what would be one step, call or token too many never
// begins. Where the answer is no, d says why; a budget may hold instead of
// refusing. Where it is yes, d is the zero decision, which allows nothing.
//
// A count below zero or a clock that ran backwards counts as exceeded.
func Bounds(p *policy.Policy, u Usage, elapsed time.Duration, d *policy.Decision) bool {
	*d = policy.Decision{Tool: -1}
	if p == nil {
		d.Rung, d.Reason = policy.RungBounds, policy.MaxStepsExceeded
		return false
	}
	budget, bounded := p.Budget()
	switch {
	case spent(u.Steps, p.MaxSteps()):
		d.Reason, d.Line = policy.MaxStepsExceeded, p.Line()
	case spent(int64(elapsed), int64(p.Deadline())):
		d.Reason, d.Line = policy.DeadlineExceeded, p.Line()
	case bounded && overspent(u, &budget):
		d.Reason, d.Line = policy.BudgetExceeded, budget.Line
		if budget.Hold {
			d.Outcome = policy.Hold
		}
	case u.Idle < 0, p.NoProgress() > 0 && u.Idle >= p.NoProgress():
		d.Reason, d.Line = policy.NoProgress, p.Line()
	default:
		return true
	}
	d.Rung = policy.RungBounds
	return false
}

func spent(used, bound int64) bool { return used < 0 || used >= bound }

func overspent(u Usage, b *policy.Budget) bool {
	return b.ModelCalls >= 0 && spent(u.ModelCalls, b.ModelCalls) ||
		b.Tokens >= 0 && spent(u.Tokens, b.Tokens) ||
		b.CostMicros >= 0 && spent(u.CostMicros, b.CostMicros)
}

// Ends says whether a decision ends its run. A hold ends it as held. Of the
// refusals, those that another proposal of the same run could mend go back to the
// model with their reason; u.Malformed counts the proposal that was just refused.
func Ends(p *policy.Policy, d *policy.Decision, u Usage) bool {
	switch d.Outcome {
	case policy.Allow, policy.Notify:
		return false
	case policy.Hold:
		return true
	}
	switch d.Reason {
	case policy.ReferenceUnknown, policy.StateConflict, policy.RequirementFailed, policy.IdempotentReplay:
		return false
	case policy.Malformed:
		return p == nil || u.Malformed < 0 || u.Malformed > p.MalformedRetries()
	}
	return true
}
