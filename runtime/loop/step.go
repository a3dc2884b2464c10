package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/identity"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// step is one proposal on its way.
type step struct {
	n        int
	q        question
	decision policy.Decision
	verdict  ledger.Verdict
	clauses  []policy.Requirement // that the proposal fails
	note     noted                // the decision's record
	tool     *policy.Tool
	mark     ledger.Mark
	seq      uint64 // of the decision, once it is on disk
	intent   uint64 // of the intent; of a reading tool, of the decision

	status   string
	result   policy.Record
	fits     bool // result was decoded
	raw      []byte
	verified *check
}

// ask gets the next proposal, and counts what asking cost.
func (r *run) ask(ctx context.Context) (reply []byte, more bool, err error) {
	until, stop := r.untilDeadline(ctx)
	defer stop()
	a, err := r.from.next(until, r)
	if a.asked {
		r.usage.ModelCalls++
		if a.usage.Tokens < 0 || a.usage.CostMicros < 0 {
			return nil, false, fmt.Errorf("ask the model: its meter ran backwards")
		}
		r.usage.Tokens += a.usage.Tokens
		r.usage.CostMicros += a.usage.CostMicros
	}
	switch {
	case err != nil:
		return nil, false, err
	case ctx.Err() != nil:
		return nil, false, context.Cause(ctx) // called off while the model was thinking
	case a.done:
		return nil, false, nil
	}
	return a.reply, true, nil
}

// decide reads what the proposal names and asks the gate. Everything is read
// again for each decision. The error is of reading: nothing was decided then.
func (r *run) decide(ctx context.Context, reply []byte) (*step, error) {
	r.usage.Steps++
	s := &step{n: r.step(), q: question{reply: reply}}
	q := &s.q
	r.o.Policy.Decode(reply, r.task.Tenant, &q.proposal)
	claim := identity.Claim{Tenant: r.task.Tenant, Agent: r.task.Agent}
	q.identity, _ = identity.Resolve(r.o.Registry, claim, r.spec.Agent)
	q.subject = r.subject(&q.proposal)
	if err := r.prior(ctx, s); err != nil {
		return nil, err
	}
	s.decision, s.verdict = decide(r.o.Policy, q)
	if s.decision.Tool >= 0 {
		s.tool = &r.pkg.Tools[s.decision.Tool]
	}
	s.clauses = r.o.Policy.Clauses(s.decision.Tool, s.decision.Failed)
	r.count(&s.decision)
	if s.decision.Reason == policy.IdempotentReplay {
		q.first = s.mark.Decision
	}
	s.note = noted{
		Record:   ledger.Record{Entry: r.entry(ledger.KindDecision, s.n), Exhibit: exhibit(r.pkg, q)},
		proposal: show(r.spec, &q.proposal),
		why:      r.faultWords(s),
		clauses:  r.shown(s.clauses),
	}
	s.note.approvers, s.note.unnamed = r.approvers(&s.decision)
	s.note.Entry.Decision = r.decisionEntry(s)
	return s, nil
}

// prior reads what the ledger says of this very action. It is left unread where
// nothing could be done by the proposal, and then a rung above refuses it.
func (r *run) prior(ctx context.Context, s *step) error {
	pr := &s.q.proposal
	if pr.Malformed() || pr.Tool < 0 || !pr.Fits() {
		return nil
	}
	if r.pkg.Tools[pr.Tool].Read {
		s.q.prior = policy.PriorNone
		return nil
	}
	s.q.key = r.actionKey(pr)
	mark, known, err := r.log.Mark(ctx, s.q.key)
	if err != nil {
		return err
	}
	s.mark, s.q.prior = mark, priorOf(mark, known)
	return nil
}

// priorOf reads an idempotency record. One that was begun and has no outcome is
// as unknown as one that says so.
func priorOf(m ledger.Mark, known bool) policy.Prior {
	switch {
	case !known, m.Status == ledger.MarkFailed:
		return policy.PriorNone
	case m.Status == ledger.MarkDone:
		return policy.PriorDone
	default:
		return policy.PriorUnknown
	}
}

// count keeps the counters that bound a run which gets nowhere.
func (r *run) count(d *policy.Decision) {
	if d.Reason == policy.Malformed {
		r.usage.Malformed++
	} else {
		r.usage.Malformed = 0
	}
	if d.Outcome == policy.Refuse {
		r.usage.Idle++
	} else {
		r.usage.Idle = 0
	}
}

func (r *run) decisionEntry(s *step) *ledger.Decision {
	q := &s.q
	d := &ledger.Decision{
		PolicyDigest: r.o.Policy.Digest(),
		Agent:        r.task.Agent,
		Identity:     q.identity.String(),
		Prior:        q.prior.String(),
		Found:        q.subject.Target.String(),
		Factors:      factors(&s.verdict),
		Usage:        r.usage,
		Key:          q.key,
		First:        q.first,
		Verdict:      s.verdict,
	}
	if s.tool != nil {
		d.Tool = s.tool.Name
	}
	if q.subject.Target == policy.SubjectFound {
		d.Target, d.Version = q.proposal.Target, q.subject.Version
	}
	return d
}

// acts says that the decision lets the tool run.
func (s *step) acts() bool {
	return s.decision.Outcome == policy.Allow || s.decision.Outcome == policy.Notify
}

// closes says how a decision ends the run, "" where the run goes on. A fixed path
// has no other proposal to offer, so there every refusal of a well-formed one ends
// it.
func (r *run) closes(s *step) (End, string) {
	d := &s.decision
	switch {
	case d.Outcome == policy.Hold:
		return Held, holdWords(d, s.clauses)
	case s.acts():
		return "", ""
	case gate.Ends(r.o.Policy, d, r.used()):
		if d.Reason == policy.Malformed {
			return Bounded, fmt.Sprintf("%d proposals in a row were malformed; the policy forgives %d", r.usage.Malformed, r.o.Policy.MalformedRetries())
		}
		return Refused, s.note.why
	case r.from.fixed() && d.Reason != policy.Malformed:
		return Refused, s.note.why + "; the fixed path cannot go on without this step"
	}
	return "", ""
}

// sendBack tells the model why its proposal came to nothing. Of an action that
// was done before it is told the first outcome again.
func (r *run) sendBack(s *step) {
	last := model.Last{Tool: r.o.Policy.ToolName(s.decision.Tool), Target: s.q.proposal.Target}
	if s.decision.Reason == policy.IdempotentReplay {
		if first, ok := r.firsts[s.q.key]; ok {
			last = first.last
		}
	}
	last.Reason, last.Fault, last.Field = s.verdict.Reason, s.verdict.Fault, s.verdict.Field
	if s.decision.Reason == policy.RequirementFailed {
		// The contract's own words, and none of the values that were compared: what the
		// registry holds of a target is not the model's to find out by asking.
		for _, c := range s.clauses {
			last.Clauses = append(last.Clauses, c.Text)
		}
	}
	r.last = &last
}

// doubt says what was done and is not known to have helped.
func (r *run) doubt() string {
	if len(r.doubts) == 0 {
		return ""
	}
	var list []string
	for _, d := range r.doubts {
		list = append(list, d)
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

// waiting says which target stands where only a person can move it on. The
// registry is asked now, since what was done has moved it.
func (r *run) waiting() string {
	for _, t := range r.targets {
		found := r.o.Registry.Lookup(r.task.Tenant, t.entity, t.id)
		attrs := r.pkg.Entities[t.entity].Attrs
		for i := range attrs {
			if found.Attrs.Has(i) && r.personOnly[place{t.entity, int32(i), found.Attrs.Int(i)}] {
				return fmt.Sprintf("%s stands at %s, and only a person can move it on", plain(t.id), registry.Text(&attrs[i], found.Attrs.Value(i)))
			}
		}
	}
	return ""
}
