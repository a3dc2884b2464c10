package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
)

// check is a verification that was made.
type check struct {
	by      *policy.Tool
	verdict Verdict
	why     string // of Inconclusive
	raw     []byte // what the reading tool brought
	result  policy.Record
	fits    bool
}

// begin puts the decision on disk, and the intent with it, in one commit. From
// here on a crash leaves an intent without an outcome, which is found.
func (r *run) begin(ctx context.Context, s *step) error {
	list := []noted{s.note}
	if !s.tool.Read {
		intent := noted{Record: ledger.Record{Entry: r.entry(ledger.KindIntent, s.n), Mark: s.mark.To(ledger.MarkBegun)}}
		intent.Mark.Decision = 0 // the decision before it in this commit
		intent.Entry.Intent = &ledger.Intent{Tool: s.tool.Name, Target: s.q.proposal.Target, Key: s.q.key}
		list = append(list, intent)
	}
	first, err := r.append(ctx, list)
	if err != nil {
		return err
	}
	s.seq, s.intent = first, first
	if !s.tool.Read {
		s.intent = first + 1
		s.mark = s.mark.Next(s.seq)
	}
	return nil
}

// execute runs the tool. Whatever it does, s.status says what came of it.
func (r *run) execute(ctx context.Context, s *step) {
	ctx, stop := r.untilDeadline(ctx)
	defer stop()
	pr := &s.q.proposal
	raw, err := call(ctx, r.o.Tools[s.tool.Name], &Call{
		Tenant: r.task.Tenant, Run: r.log.ID(), Agent: r.task.Agent,
		Tool: s.tool.Name, Target: pr.Target, Key: s.q.key,
		Version: s.q.subject.Version, Attrs: s.q.subject.Attrs,
		Args: pr.Args, Proposal: pr,
	})
	switch {
	case err == nil:
		s.status = ledger.StatusDone
		s.raw = raw
		s.fits = r.fits(s.decision.Tool, raw, &s.result)
	case s.tool.Read || s.tool.Idempotent || errors.Is(err, errNotBegun):
		s.status = ledger.StatusFailed // it may be called again with the same key
	default:
		s.status = ledger.StatusUnknown
	}
}

// fits decodes a result against its contract. What does not fit is no result,
// and so is anything that a tool without result fields brings.
func (r *run) fits(tool int32, raw []byte, rec *policy.Record) bool {
	if len(r.pkg.Tools[tool].Result) == 0 {
		return false
	}
	if err := r.o.Policy.DecodeResult(tool, raw, rec); err != nil {
		*rec = policy.Record{}
		return false
	}
	return true
}

// verify evaluates the predicate that the contract declared before the action
// ran, over what the declared tool reads now and the target as it was decided on.
// Whatever goes wrong on the way is inconclusive.
func (r *run) verify(ctx context.Context, s *step) {
	v := s.tool.Verify
	if v == nil || s.status != ledger.StatusDone {
		return
	}
	c := &check{by: &r.pkg.Tools[v.By]}
	s.verified = c
	ctx, stop := r.untilDeadline(ctx)
	defer stop()
	raw, err := call(ctx, r.o.Tools[c.by.Name], &Call{
		Tenant: r.task.Tenant, Run: r.log.ID(), Agent: r.task.Agent,
		Tool: c.by.Name, Target: s.q.proposal.Target,
		Version: s.q.subject.Version, Attrs: s.q.subject.Attrs,
	})
	if err != nil {
		c.verdict, c.why = Inconclusive, ledger.WhyReadFailed
		return
	}
	c.raw = raw
	if c.fits = r.fits(v.By, raw, &c.result); !c.fits {
		c.verdict, c.why = Inconclusive, ledger.WhyResultInvalid
		return
	}
	says := func(condition func(result, target *policy.Record) bool) bool {
		return condition != nil && condition(&c.result, &s.q.subject.Attrs) // one that is not declared never holds
	}
	c.verdict, c.why = judge(says(v.Confirmed), says(v.Refuted))
}

// judge is the three-valued answer of two predicates.
func judge(confirmed, refuted bool) (Verdict, string) {
	switch {
	case confirmed && refuted:
		return Inconclusive, ledger.WhyBoth
	case confirmed:
		return Confirmed, ""
	case refuted:
		return Refuted, ""
	default:
		return Inconclusive, ledger.WhyNeither
	}
}

// settle puts the outcome on disk, and with it the verification and what it
// teaches, in one commit; then tells the learner.
func (r *run) settle(ctx context.Context, s *step) error {
	list := []noted{r.outcomeRecord(s)}
	if s.verified != nil {
		list = append(list, r.verificationRecord(s))
	}
	lessons := r.lessons(s)
	for i := range lessons {
		rec := noted{Record: ledger.Record{Entry: r.entry(ledger.KindEvidence, s.n)}}
		l := &lessons[i]
		rec.Entry.Evidence = &ledger.Evidence{
			Belief: l.Belief, Target: l.Target, State: l.Teaching.State, Not: l.Teaching.Not, Class: l.Class,
		}
		list = append(list, rec)
	}
	first, err := r.append(ctx, list)
	if err != nil {
		return err
	}
	r.remember(s)
	if r.o.Learner == nil {
		return nil
	}
	for i := range lessons {
		lessons[i].Verification = first + 1
		if err := r.o.Learner.Learn(ctx, lessons[i]); err != nil {
			return fmt.Errorf("learn %s of %s: %w", lessons[i].Belief, lessons[i].Target, err)
		}
	}
	return nil
}

func (r *run) outcomeRecord(s *step) noted {
	rec := noted{Record: ledger.Record{Entry: r.entry(ledger.KindOutcome, s.n)}}
	o := &ledger.Outcome{Intent: s.intent, Tool: s.tool.Name, Status: s.status}
	if s.fits {
		o.Result = r.log.Digest(s.raw)
		rec.result = &Shown{Tool: s.tool.Name, Target: plain(s.q.proposal.Target), Fields: showRecord(s.tool.Result, &s.result)}
	}
	if !s.tool.Read {
		rec.Mark = s.mark.To(markOf(s.status))
	}
	rec.Entry.Outcome = o
	return rec
}

func markOf(status string) ledger.MarkStatus {
	switch status {
	case ledger.StatusDone:
		return ledger.MarkDone
	case ledger.StatusFailed:
		return ledger.MarkFailed
	default:
		return ledger.MarkUnknown
	}
}

func (r *run) verificationRecord(s *step) noted {
	c := s.verified
	rec := noted{Record: ledger.Record{Entry: r.entry(ledger.KindVerification, s.n)}}
	v := &ledger.Verification{
		Intent: s.intent, By: c.by.Name, Verdict: string(c.verdict), Why: c.why,
		Line: r.o.Policy.Where(s.tool.Verify.Line),
	}
	if c.fits {
		v.Result = r.log.Digest(c.raw)
		rec.result = &Shown{Tool: c.by.Name, Target: plain(s.q.proposal.Target), Fields: showRecord(c.by.Result, &c.result)}
	}
	rec.Entry.Verification = v
	return rec
}

// lessons is what a step teaches: nothing, unless its verification settled
// something. The evidence has the class that the whole of the result is trusted
// as; where its fields differ there is no saying what the predicate rested on, and
// nothing is learned.
func (r *run) lessons(s *step) []Lesson {
	if s.verified == nil {
		return nil
	}
	settled, ok := settles[s.verified.verdict]
	if !ok {
		return nil
	}
	class := classOf(s.verified.by)
	if class == "" {
		return nil
	}
	var lessons []Lesson
	for i := range r.spec.Lessons {
		l := &r.spec.Lessons[i]
		if l.Entity != s.tool.Entity {
			continue
		}
		t := l.Refuted
		if settled == WasConfirmed {
			t = l.Confirmed
		}
		if t.State == "" {
			continue
		}
		lessons = append(lessons, Lesson{
			Tenant: r.task.Tenant, Run: r.log.ID(), Belief: l.Belief, Target: s.q.proposal.Target,
			Settled: settled, Teaching: t, Class: class,
		})
	}
	return lessons
}

// classOf is the one evidence class of all fields of a tool's result, "" where
// there is not exactly one.
func classOf(t *policy.Tool) string {
	class := ""
	for i := range t.Result {
		f := &t.Result[i]
		if !f.Trusted || f.Class == "" || class != "" && f.Class != class {
			return ""
		}
		class = f.Class
	}
	return class
}

// remember keeps what the run needs to know of a step that acted: for the model's
// next turn, for a replay, and for how the run ends.
func (r *run) remember(s *step) {
	pr := &s.q.proposal
	last := model.Last{Tool: s.tool.Name, Target: pr.Target, Reason: s.verdict.Reason, Outcome: s.status}
	if s.fits {
		last.Observation = r.observe(s.tool, pr.Target, s.raw)
	}
	if c := s.verified; c != nil {
		last.Verdict = string(c.verdict)
		if c.fits {
			last.Observation = r.observe(c.by, pr.Target, c.raw)
		}
	}
	r.last = &last
	r.from.advance()
	if s.tool.Read {
		return
	}
	r.firsts[s.q.key] = first{s.n, last}
	if t := (target{s.tool.Entity, pr.Target}); t.entity >= 0 && !slices.Contains(r.targets, t) {
		r.targets = append(r.targets, t)
	}
	r.weigh(s)
}

// weigh keeps what is in doubt: the last verdict on each target, a failure that
// nothing mended, and whatever nobody knows the outcome of.
func (r *run) weigh(s *step) {
	on := s.tool.Name
	if s.q.proposal.Target != "" {
		on += " on " + plain(s.q.proposal.Target)
	}
	failed, verdict := "failed "+on, fmt.Sprintf("verdict %d %s", s.tool.Entity, s.q.proposal.Target)
	switch s.status {
	case ledger.StatusDone:
		delete(r.doubts, failed)
	case ledger.StatusFailed:
		r.doubts[failed] = on + " failed"
	default:
		r.doubts["unknown "+s.q.key] = on + " has no known outcome"
	}
	if s.verified == nil {
		return
	}
	switch s.verified.verdict {
	case Confirmed:
		delete(r.doubts, verdict)
	default:
		r.doubts[verdict] = on + " is " + string(s.verified.verdict)
		if s.verified.verdict == Refuted {
			r.refuted++
		}
	}
}

// givesUp says that a step which acted leaves nothing to go on with: the policy's
// re-plans are spent, or a fixed path, which has no other plan, went wrong.
func (r *run) givesUp(s *step) (End, string) {
	refuted := s.verified != nil && s.verified.verdict == Refuted
	switch {
	case refuted && r.refuted > int64(r.spec.Replans):
		return Escalated, fmt.Sprintf("%s; the policy gives %s after a refuted verification", r.doubt(), plans(r.spec.Replans))
	case r.from.fixed() && len(r.doubts) > 0:
		return Escalated, r.doubt() + "; a fixed path has no other plan"
	}
	return "", ""
}

// observe keeps what a tool brought, under the next id.
func (r *run) observe(t *policy.Tool, target string, raw []byte) string {
	provenance := model.Trusted
	for i := range t.Result {
		if !t.Result[i].Trusted {
			provenance = model.Untrusted
		}
	}
	id := "o" + strconv.Itoa(len(r.observations)+1)
	r.observations = append(r.observations, model.Observation{
		ID: id, Tool: t.Name, Target: target, Provenance: provenance, Data: slices.Clone(raw),
	})
	return id
}
