package loop

import (
	"encoding/binary"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/identity"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Registry is the part of the registry that a run reads. Every look-up says whose.
type Registry interface {
	identity.Agents
	Lookup(tenant string, kind int32, id string) registry.Found
}

// question is everything that one decision is made from, and nothing else is: it
// is what the ledger keeps, so that the decision can be made again.
type question struct {
	reply    []byte
	proposal policy.Proposal
	identity policy.Identity
	subject  policy.Subject
	prior    policy.Prior
	key      string // of the action; "" where nothing could be done by it
	first    uint64 // decision that began this very action, where there was one
}

// decide asks the gate, and writes down what it said. It reads nothing but its
// arguments, so a replay is this very function.
func decide(p *policy.Policy, q *question) (policy.Decision, ledger.Verdict) {
	var d policy.Decision
	gate.Decide(p, q.identity, &q.proposal, &q.subject, q.prior, &d)
	return d, verdict(p, q, &d)
}

// verdict is a decision in the words of the ledger.
func verdict(p *policy.Policy, q *question, d *policy.Decision) ledger.Verdict {
	v := ledger.Verdict{
		Outcome: d.Outcome.String(),
		Rung:    d.Rung.String(),
		Reason:  d.Reason.String(),
		Holds:   d.Holds.Names(),
		Flags:   p.FlagNames(d.Tool, d.Flags),
		Line:    p.Where(d.Line),
	}
	for _, c := range p.Clauses(d.Tool, d.Failed) {
		v.Failed = append(v.Failed, p.Where(c.Line))
	}
	if d.Scored {
		score := d.Score
		v.Score = &score
		for _, part := range p.AppendParts(nil, d.Tool, &q.subject.Attrs) {
			v.Parts = append(v.Parts, ledger.Part(part))
		}
	}
	if d.Reason == policy.Malformed || d.Reason == policy.SchemaInvalid {
		fault := q.proposal.Fault()
		v.Fault, v.Field = fault.Kind.String(), fault.Path
	}
	return v
}

// factors are the enums that a score read: its parts without the base row.
func factors(v *ledger.Verdict) []ledger.Fact {
	var facts []ledger.Fact
	for i, part := range v.Parts {
		if i > 0 {
			facts = append(facts, ledger.Fact{Name: part.Name, Value: part.Value})
		}
	}
	return facts
}

// subject looks up what a proposal names, for the tenant of the run and for no
// other. Where the proposal is malformed nothing in it may be read, so nothing is.
func (r *run) subject(pr *policy.Proposal) policy.Subject {
	s := policy.Subject{Target: policy.SubjectNone, Refs: policy.SubjectNone, RefField: -1, Sources: policy.SubjectNone}
	if pr.Malformed() || pr.Tool < 0 {
		return policy.Subject{RefField: -1}
	}
	t := &r.pkg.Tools[pr.Tool]
	if t.Entity >= 0 && pr.Target != "" {
		found := r.o.Registry.Lookup(r.task.Tenant, t.Entity, pr.Target)
		s.Target, s.Version, s.Attrs = found.Status, found.Version, found.Attrs
	}
	for i := range t.Args {
		if t.Args[i].Kind != policy.KindRef || !pr.Args.Has(i) {
			continue
		}
		found := r.o.Registry.Lookup(r.task.Tenant, t.Args[i].Entity, pr.Args.Text(i))
		if worse(found.Status, s.Refs) {
			s.Refs, s.RefField = found.Status, int32(i)
		}
	}
	for _, id := range pr.RestsOn() {
		status := policy.SubjectUnknown
		if r.observed(id) {
			status = policy.SubjectFound
		}
		if worse(status, s.Sources) {
			s.Sources = status
		}
	}
	return s
}

// worse orders what was found: another tenant's before nobody's before the
// tenant's own.
func worse(a, b policy.SubjectStatus) bool {
	rank := [...]int{policy.SubjectNone: 0, policy.SubjectFound: 1, policy.SubjectUnknown: 2, policy.SubjectForeign: 3}
	return rank[a] > rank[b]
}

// actionKey is the identity of an action within a run: tenant, run, tool, target
// and arguments, under the run's key. What it rests on and the cause are left
// out, so that the same action under another pretext is the same action.
func (r *run) actionKey(pr *policy.Proposal) string {
	var b []byte
	write := func(s string) {
		b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	write("prov action 1")
	write(r.task.Tenant)
	write(r.log.ID())
	write(r.pkg.Tools[pr.Tool].Name)
	write(pr.Target)
	write(string(policy.AppendRecord(nil, r.pkg.Tools[pr.Tool].Args, &pr.Args)))
	return r.log.Digest(b)
}
