package gate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// byHand is the ladder for the incident policy as one would write it who has that
// policy alone: no tables, every constant in its place.
func byHand(id policy.Identity, pr *policy.Proposal, s *policy.Subject, prior policy.Prior, d *policy.Decision) {
	*d = policy.Decision{Tool: -1}
	if pr.Malformed() {
		d.Rung, d.Reason = policy.RungShape, policy.Malformed
		return
	}
	switch id {
	case policy.IdentityGood, policy.IdentityDegraded:
	case policy.IdentityExpired:
		d.Rung, d.Reason = policy.RungIdentity, policy.CredentialExpired
		return
	case policy.IdentityUnknown:
		d.Rung, d.Reason = policy.RungIdentity, policy.AgentUnknown
		return
	case policy.IdentitySuspended:
		d.Rung, d.Reason = policy.RungIdentity, policy.AgentSuspended
		return
	default:
		d.Rung, d.Reason = policy.RungIdentity, policy.CredentialInvalid
		return
	}
	var line uint32
	switch pr.Tool {
	case policytest.RollbackConfig:
		line = 24
	case policytest.DisableComplianceChecks:
		line = 35
	case policytest.ReadService:
		line = 40
	default:
		d.Rung, d.Reason = policy.RungTool, policy.UnknownTool
		return
	}
	d.Tool = pr.Tool
	if pr.ClaimsTenant() || s.Target == policy.SubjectForeign || s.Sources == policy.SubjectForeign {
		d.Rung, d.Reason, d.Line = policy.RungTenant, policy.CrossTenantDenied, at(line)
		return
	}
	if !pr.Fits() {
		d.Rung, d.Reason, d.Line = policy.RungSchema, policy.SchemaInvalid, at(line)
		return
	}
	if s.Target != policy.SubjectFound || pr.HasSources() && s.Sources != policy.SubjectFound {
		d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, at(line)
		return
	}
	if pr.Tool == policytest.ReadService {
		d.Rung = policy.RungRisk
		if id == policy.IdentityDegraded {
			d.Outcome, d.Reason, d.Holds, d.Line = policy.Hold, policy.NeedsHumanApproval, policy.HoldStanding, at(72)
			return
		}
		d.Outcome, d.Reason, d.Line = policy.Allow, policy.Allowed, at(line)
		return
	}
	tier := s.Attrs.Int(0)
	if !s.Attrs.Has(0) || tier < 0 || tier > 2 {
		d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, at(line)
		return
	}
	switch prior {
	case policy.PriorNone:
	case policy.PriorDone:
		d.Rung, d.Reason, d.Line = policy.RungReplay, policy.IdempotentReplay, at(line)
		return
	default:
		d.Outcome, d.Rung, d.Reason, d.Holds, d.Line = policy.Hold, policy.RungReplay, policy.OutcomeUnknown, policy.HoldUnknown, at(line)
		return
	}
	score := int32(1)
	if pr.Tool == policytest.DisableComplianceChecks {
		score = 4 + 2 + 3
	}
	switch tier {
	case 0:
		score += 2
	case 1:
		score++
	}
	d.Rung, d.Scored, d.Score = policy.RungRisk, true, score
	if score >= 7 {
		d.Outcome, d.Reason, d.Holds, d.Line = policy.Hold, policy.NeedsHumanApproval, policy.HoldScore, at(60)
		if id == policy.IdentityDegraded {
			d.Holds |= policy.HoldStanding
		}
		return
	}
	if id == policy.IdentityDegraded {
		d.Outcome, d.Reason, d.Holds, d.Line = policy.Hold, policy.NeedsHumanApproval, policy.HoldStanding, at(72)
		return
	}
	if score >= 4 {
		d.Outcome, d.Reason, d.Line = policy.Notify, policy.AllowedWithNotice, at(59)
		return
	}
	d.Outcome, d.Reason, d.Line = policy.Allow, policy.Allowed, at(58)
}

// asked is a question with its proposal decoded.
type asked struct {
	id    policy.Identity
	pr    policy.Proposal
	s     policy.Subject
	prior policy.Prior
}

// mix is sixteen questions to the incident policy: eleven reasons, all outcomes
// that it can give, half of them climb to the top.
func mix(p *policy.Policy) []asked {
	q := func(text string, with func(a *asked)) asked {
		a := asked{id: policy.IdentityGood, prior: policy.PriorNone, s: policy.Subject{Target: policy.SubjectFound, Sources: policy.SubjectFound, RefField: -1}}
		set := func(n int64) policy.Value { return policy.Value{N: n, Set: true} }
		a.s.Attrs = policy.NewRecord(set(1), set(0))
		p.Decode([]byte(text), "acme", &a.pr)
		if with != nil {
			with(&a)
		}
		return a
	}
	tier := func(n int64) func(a *asked) {
		return func(a *asked) { a.s.Attrs = policy.NewRecord(policy.Value{N: n, Set: true}) }
	}
	const (
		rollback = `{"tool":"rollback_config","target":"inventory-api","args":{},"rests_on":["o1"],"cause":"config_regression"}`
		disable  = `{"tool":"disable_compliance_checks","target":"SUP-042","rests_on":["o1"]}`
		read     = `{"tool":"read_service","target":"inventory-api","rests_on":["o1"]}`
	)
	return []asked{
		q(rollback, nil),
		q(rollback, tier(0)),
		q(rollback, tier(2)),
		q(disable, tier(0)),
		q(disable, tier(2)),
		q(read, nil),
		q(rollback, func(a *asked) { a.id = policy.IdentityDegraded }),
		q(disable, func(a *asked) { a.id = policy.IdentityDegraded }),
		q(rollback, func(a *asked) { a.prior = policy.PriorDone }),
		q(disable, func(a *asked) { a.prior = policy.PriorUnknown }),
		q(rollback, func(a *asked) { a.s.Target = policy.SubjectForeign }),
		q(read, func(a *asked) { a.s.Target = policy.SubjectUnknown }),
		q(`{"tool":"rollback_config","target":"inventory-api","rests_on":["o1"],"confidence":0.9}`, nil),
		q(`{"tool":"launch"}`, nil),
		q(disable, func(a *asked) { a.id = policy.IdentitySuspended }),
		q(`Certainly! Here is the action:`, nil),
	}
}

// The hand-written ladder is the yardstick only while it decides the same.
func TestByHandIsTheSame(t *testing.T) {
	p := policytest.Open(policytest.Incident())
	for i, a := range mix(p) {
		want, got := dirty, dirty
		byHand(a.id, &a.pr, &a.s, a.prior, &want)
		gate.Decide(p, a.id, &a.pr, &a.s, a.prior, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("question %d (-by hand +gate):\n%s", i, diff)
		}
	}
}

// order is a fixed shuffle of so many indices below n, each as often as any other.
// A processor learns one of 4,096 by heart, branch by branch; it does not learn one
// of 65,536.
func order(n, length int) []uint16 {
	o := make([]uint16, length)
	for i := range o {
		o[i] = uint16(i % n)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(o), func(i, j int) { o[i], o[j] = o[j], o[i] })
	return o
}

var sink policy.Decision

// BenchmarkDecide compares the gate with the ladder written by hand, over the
// same questions in the same order. The loop itself is measured beside them.
func BenchmarkDecide(b *testing.B) {
	p := policytest.Open(policytest.Incident())
	qs := mix(p)
	o := order(len(qs), 4096)
	var d policy.Decision
	b.Run("by=loop", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			a := &qs[o[i&4095]]
			d.Tool = a.pr.Tool
			i++
		}
	})
	b.Run("by=hand", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			a := &qs[o[i&4095]]
			byHand(a.id, &a.pr, &a.s, a.prior, &d)
			i++
		}
	})
	b.Run("by=gate", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			a := &qs[o[i&4095]]
			gate.Decide(p, a.id, &a.pr, &a.s, a.prior, &d)
			i++
		}
	})
	sink = d
}

// BenchmarkDecideBeside is BenchmarkDecide in turns: see policytest.SideBySide.
func BenchmarkDecideBeside(b *testing.B) {
	p := policytest.Open(policytest.Incident())
	qs := mix(p)
	var d policy.Decision
	for _, length := range []int{1 << 12, 1 << 16} {
		b.Run(fmt.Sprintf("shuffle=%d", length), func(b *testing.B) {
			o := order(len(qs), length)
			policytest.SideBySide(b, len(o), policytest.Side{Name: "hand", Do: func() {
				for _, i := range o {
					a := &qs[i]
					byHand(a.id, &a.pr, &a.s, a.prior, &d)
				}
			}}, policytest.Side{Name: "gate", Do: func() {
				for _, i := range o {
					a := &qs[i]
					gate.Decide(p, a.id, &a.pr, &a.s, a.prior, &d)
				}
			}})
		})
	}
	sink = d
}

// BenchmarkDecideRequirements asks a contract with four requirements, all of which
// are evaluated every time: met, failed by one that holds, failed by one that
// refuses, and all failed. The same contract without any stands beside it.
func BenchmarkDecideRequirements(b *testing.B) {
	with := policytest.WithCells(policytest.Required())
	without := policytest.WithCells(policytest.Required())
	none := &without.Package.Tools[policytest.FreezeAccount]
	none.Requirements, none.Require, none.Needs = nil, nil, nil
	questions := func(s *policy.Spec) (*policy.Policy, []asked) {
		p := policytest.Open(s)
		var qs []asked
		for _, c := range required[:8] {
			q := freeze(c.days, c.attrs, c.prior)
			a := asked{id: q.id, s: q.s, prior: q.prior}
			p.Decode([]byte(q.text), q.tenant, &a.pr)
			qs = append(qs, a)
		}
		return p, qs
	}
	four, asksFour := questions(with)
	zero, asksZero := questions(without)
	o := order(len(asksFour), 4096)
	var d policy.Decision
	b.Run("requirements=4", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			a := &asksFour[o[i&4095]]
			gate.Decide(four, a.id, &a.pr, &a.s, a.prior, &d)
			i++
		}
	})
	b.Run("beside", func(b *testing.B) {
		side := func(p *policy.Policy, qs []asked) func() {
			return func() {
				for _, i := range o {
					a := &qs[i]
					gate.Decide(p, a.id, &a.pr, &a.s, a.prior, &d)
				}
			}
		}
		policytest.SideBySide(b, len(o), policytest.Side{Name: "four", Do: side(four, asksFour)}, policytest.Side{Name: "none", Do: side(zero, asksZero)})
	})
	sink = d
}

// BenchmarkFromBytes takes a proposal of 300 bytes to its decision, and for
// comparison to no more than a struct: one after the other for the allocations,
// in turns for the time.
func BenchmarkFromBytes(b *testing.B) {
	spec := policytest.WithCells(policytest.Desk())
	spec.Cause = policytest.Causes()
	p := policytest.Open(spec)
	data := []byte(policytest.Sample)
	subject := policy.Subject{Target: policy.SubjectFound, Refs: policy.SubjectFound, Sources: policy.SubjectFound, Attrs: attrs(0, 1, 1, 0)}
	var pr policy.Proposal
	var d policy.Decision
	toStruct := func() {
		var s policytest.Typed
		if err := json.Unmarshal(data, &s, json.RejectUnknownMembers(true)); err != nil {
			b.Fatal(err)
		}
	}
	toDecision := func() {
		p.Decode(data, "acme", &pr)
		gate.Decide(p, policy.IdentityGood, &pr, &subject, policy.PriorNone, &d)
		if d.Outcome != policy.Notify {
			b.Fatal(d)
		}
	}
	for name, do := range map[string]func(){"to=struct": toStruct, "to=decision": toDecision} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				do()
			}
		})
	}
	b.Run("beside", func(b *testing.B) {
		const n = 64
		times := func(do func()) func() {
			return func() {
				for range n {
					do()
				}
			}
		}
		policytest.SideBySide(b, n, policytest.Side{Name: "struct", Do: times(toStruct)}, policytest.Side{Name: "decision", Do: times(toDecision)})
	})
}
