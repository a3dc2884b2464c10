// Package loop runs one task under one policy: ask, gate, record, execute,
// verify, learn, and again, until one of a closed list of ends. Run is the whole
// of it, as one straight function.
//
// What must hold:
//
//   - Whether the run may go on is decided before the model is asked again.
//   - Nothing acts without a decision and an intent on disk, and nothing is
//     acknowledged before its outcome is. A step that does nothing is one commit; a
//     step that acts is two.
//   - A ledger that cannot be written to ends the run: nothing runs unrecorded.
//   - What a tool says is data. Its error, panic or silence is an outcome.
//   - Only a verification that settled something teaches anything.
//
// A model, a path with a model's arguments and a path without any model all come
// through the same door.
package loop

import (
	"context"
	"fmt"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/policy"
)

// Run runs one task to its end. The error is nil for every end but Failed, and
// for a task that could not begin, which leaves nothing in the ledger.
func (r *Runner) Run(ctx context.Context, t Task) (Result, error) {
	run, err := r.start(ctx, t)
	if err != nil {
		return Result{End: Failed}, fmt.Errorf("task %s: %w", t.ID, err)
	}
	for {
		if d, ok := run.mayGoOn(); !ok {
			return run.bounded(ctx, d)
		}
		reply, more, err := run.ask(ctx)
		// What came back too late is not acted on, and neither is the error of an
		// adapter that was cut off by the deadline.
		if d, late := run.late(); late {
			return run.bounded(ctx, d)
		}
		if err != nil {
			return run.fail(ctx, err)
		}
		if !more {
			return run.done(ctx)
		}
		s, err := run.decide(ctx, reply)
		if err != nil {
			return run.fail(ctx, err)
		}
		if end, why := run.closes(s); end != "" {
			return run.end(ctx, end, s.decision.Reason, why, s.note)
		}
		if !s.acts() {
			if err := run.record(ctx, s.note); err != nil {
				return run.fail(ctx, err)
			}
			run.sendBack(s)
			continue
		}
		if err := run.begin(ctx, s); err != nil {
			return run.fail(ctx, err)
		}
		run.execute(ctx, s)
		run.verify(ctx, s)
		if err := run.settle(ctx, s); err != nil {
			return run.fail(ctx, err)
		}
		if end, why := run.givesUp(s); end != "" {
			return run.end(ctx, end, policy.NoReason, why)
		}
	}
}

// mayGoOn asks the bounds rung.
func (r *run) mayGoOn() (policy.Decision, bool) {
	var d policy.Decision
	ok := gate.Bounds(r.o.Policy, r.used(), r.look(), &d)
	return d, ok
}

// late asks the bounds rung about the clock alone: the step that is being taken
// was within every other bound when it began.
func (r *run) late() (policy.Decision, bool) {
	var d policy.Decision
	if gate.Bounds(r.o.Policy, gate.Usage{}, r.look(), &d) || d.Reason != policy.DeadlineExceeded {
		return policy.Decision{}, false
	}
	return d, true
}

// bounded ends the run at a bound: refused by it, or held where the budget says so.
func (r *run) bounded(ctx context.Context, d policy.Decision) (Result, error) {
	end := Bounded
	if d.Outcome == policy.Hold {
		end = Held
	}
	q := question{}
	v := verdict(r.o.Policy, &q, &d)
	rec := noted{
		Record: ledger.Record{Entry: r.entry(ledger.KindDecision, r.step()+1)},
		why:    boundWords(r.o.Policy, d.Reason),
	}
	rec.approvers, rec.unnamed = r.approvers(&d)
	rec.Entry.Decision = &ledger.Decision{
		PolicyDigest: r.o.Policy.Digest(),
		Agent:        r.task.Agent,
		Identity:     q.identity.String(),
		Prior:        q.prior.String(),
		Found:        q.subject.Target.String(),
		Usage:        r.usage,
		Verdict:      v,
	}
	return r.end(ctx, end, d.Reason, rec.why, rec)
}

// done ends a run in which nothing more is proposed. What was done and is in
// doubt goes to a person; so does what only a person can move on.
func (r *run) done(ctx context.Context) (Result, error) {
	if doubt := r.doubt(); doubt != "" {
		return r.end(ctx, Escalated, policy.NoReason, doubt)
	}
	if waiting := r.waiting(); waiting != "" {
		return r.end(ctx, Held, policy.NeedsHumanApproval, waiting)
	}
	return r.end(ctx, Completed, policy.NoReason, "nothing more was proposed, and nothing that was done is in doubt")
}

// end writes the run's last entry, in one commit with what led to it.
func (r *run) end(ctx context.Context, end End, reason policy.Reason, why string, before ...noted) (Result, error) {
	if doubt := r.doubt(); doubt != "" && end != Escalated {
		why += "; in doubt: " + doubt
	}
	res := Result{Run: r.log.ID(), End: end, Reason: reason, Why: why, Steps: r.usage.Steps, Usage: r.usage}
	if err := r.record(ctx, append(before, r.endRecord(&res))...); err != nil {
		res.End, res.Reason, res.Why = Failed, policy.NoReason, unwritable
		return res, fmt.Errorf("task %s: %w", r.task.ID, err)
	}
	return res, nil
}

const unwritable = "the ledger could not be written to"

// fail ends the run with an error of the runtime's own. The ledger is told where
// it can be; a run whose end is missing there says as much by that.
func (r *run) fail(ctx context.Context, cause error) (Result, error) {
	res := Result{Run: r.log.ID(), End: Failed, Why: "the runtime could not go on", Steps: r.usage.Steps, Usage: r.usage}
	cause = fmt.Errorf("task %s: %w", r.task.ID, cause)
	if r.broken {
		res.Why = unwritable
		return res, cause
	}
	if err := r.record(ctx, r.endRecord(&res)); err != nil {
		return res, fmt.Errorf("%w (and its end could not be recorded: %w)", cause, err)
	}
	return res, cause
}

func (r *run) endRecord(res *Result) noted {
	rec := noted{Record: ledger.Record{Entry: r.entry(ledger.KindRunEnded, r.step())}, why: res.Why}
	reason := ""
	if res.Reason != policy.NoReason {
		reason = res.Reason.String()
	}
	rec.Entry.RunEnded = &ledger.RunEnded{End: string(res.End), Reason: reason, Steps: res.Steps, Usage: res.Usage}
	return rec
}
