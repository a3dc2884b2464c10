package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// exhibit is what lies beside a decision: together with the entry it is the whole
// question.
func exhibit(pkg *policy.Package, q *question) *ledger.Exhibit {
	x := &ledger.Exhibit{Proposal: q.reply}
	if len(x.Proposal) > policy.MaxProposal+1 {
		x.Proposal = x.Proposal[:policy.MaxProposal+1] // as much too long as the whole, to the decoder
	}
	pr := &q.proposal
	if pr.Malformed() || pr.Tool < 0 {
		return x
	}
	x.Refs, x.Sources = q.subject.Refs.String(), q.subject.Sources.String()
	t := &pkg.Tools[pr.Tool]
	if q.subject.RefField >= 0 {
		x.RefField = t.Args[q.subject.RefField].Name
	}
	if q.subject.Target != policy.SubjectFound {
		return x
	}
	fields := pkg.Entities[t.Entity].Attrs
	for i := range fields {
		a := ledger.Attr{Name: fields[i].Name, Absent: !q.subject.Attrs.Has(i)}
		if !a.Absent {
			a.Value = kept(&fields[i], q.subject.Attrs.Value(i))
		}
		x.Attrs = append(x.Attrs, a)
	}
	ledger.SortAttrs(x.Attrs)
	return x
}

// kept is a value as an exhibit holds it. Free text is quoted, so that whatever a
// registry holds can be kept.
func kept(f *policy.Field, v policy.Value) string {
	if f.Kind == policy.KindString || f.Kind == policy.KindRef {
		return strconv.QuoteToASCII(v.S)
	}
	return registry.Text(f, v)
}

func unkept(f *policy.Field, s string) (policy.Value, bool) {
	if f.Kind == policy.KindString || f.Kind == policy.KindRef {
		u, err := strconv.Unquote(s)
		return policy.Value{S: u, Set: true}, err == nil
	}
	return registry.ParseText(f, s)
}

// Why a decision could not be reproduced.
var (
	// ErrOtherPolicy: it was made under other sources than the policy given.
	ErrOtherPolicy = errors.New("the decision was made under another policy")
	// ErrEvidence: the entry and the exhibit do not make up a question.
	ErrEvidence = errors.New("what was recorded does not make up a question")
	// ErrDiffers: the same question has another answer than the one recorded.
	ErrDiffers = errors.New("the decision comes out otherwise")
)

// Replay makes a recorded decision again, from its entry and the exhibit beside
// it, and returns the verdict that comes out. The error is ErrDiffers where that
// is not, byte for byte, what was recorded. A decision of the bounds rung has no
// exhibit: give nil.
func Replay(p *policy.Policy, e *ledger.Entry, x *ledger.Exhibit) (ledger.Verdict, error) {
	if e == nil || e.Decision == nil {
		return ledger.Verdict{}, fmt.Errorf("%w: not a decision", ErrEvidence)
	}
	d := e.Decision
	if d.PolicyDigest != p.Digest() {
		return ledger.Verdict{}, fmt.Errorf("%w: recorded %s, given %s", ErrOtherPolicy, d.PolicyDigest, p.Digest())
	}
	if x == nil {
		return replayBounds(p, e)
	}
	pkg := p.Spec().Package
	q, err := recall(p, pkg, e, x)
	if err != nil {
		return ledger.Verdict{}, err
	}
	decision, v := decide(p, q)
	tool := p.ToolName(decision.Tool)
	if tool != d.Tool {
		return v, fmt.Errorf("%w: about tool %q, recorded %q", ErrDiffers, tool, d.Tool)
	}
	target := ""
	if q.subject.Target == policy.SubjectFound {
		target = q.proposal.Target
	}
	if target != d.Target {
		return v, fmt.Errorf("%w: on %q, recorded %q", ErrDiffers, target, d.Target)
	}
	if err := same(v, d.Verdict); err != nil {
		return v, err
	}
	return v, same(factors(&v), d.Factors)
}

func replayBounds(p *policy.Policy, e *ledger.Entry) (ledger.Verdict, error) {
	u := e.Decision.Usage
	var d policy.Decision
	if gate.Bounds(p, gateUsage(u), time.Duration(u.ElapsedNs), &d) {
		return ledger.Verdict{}, fmt.Errorf("%w: within every bound", ErrDiffers)
	}
	v := verdict(p, &question{}, &d)
	return v, same(v, e.Decision.Verdict)
}

// recall puts the question together again.
func recall(p *policy.Policy, pkg *policy.Package, e *ledger.Entry, x *ledger.Exhibit) (*question, error) {
	d := e.Decision
	q := &question{reply: x.Proposal, subject: policy.Subject{RefField: -1}}
	p.Decode(q.reply, e.Tenant, &q.proposal)
	var ok bool
	if q.identity, ok = policy.ParseIdentity(d.Identity); !ok {
		return nil, fmt.Errorf("%w: identity %q", ErrEvidence, d.Identity)
	}
	if q.prior, ok = policy.ParsePrior(d.Prior); !ok {
		return nil, fmt.Errorf("%w: prior %q", ErrEvidence, d.Prior)
	}
	for _, s := range []struct {
		name string
		text string
		into *policy.SubjectStatus
	}{{"found", d.Found, &q.subject.Target}, {"refs", x.Refs, &q.subject.Refs}, {"sources", x.Sources, &q.subject.Sources}} {
		if s.text == "" {
			continue // not looked up
		}
		if *s.into, ok = policy.ParseSubjectStatus(s.text); !ok {
			return nil, fmt.Errorf("%w: %s %q", ErrEvidence, s.name, s.text)
		}
	}
	q.subject.Version = d.Version
	if q.subject.Target != policy.SubjectFound {
		return q, nil
	}
	if q.proposal.Malformed() || q.proposal.Tool < 0 || pkg.Tools[q.proposal.Tool].Entity < 0 {
		return nil, fmt.Errorf("%w: a target was found that nothing names", ErrEvidence)
	}
	fields := pkg.Entities[pkg.Tools[q.proposal.Tool].Entity].Attrs
	values := make([]policy.Value, len(fields))
	if len(x.Attrs) != len(fields) {
		return nil, fmt.Errorf("%w: %d attributes of %d", ErrEvidence, len(x.Attrs), len(fields))
	}
	for i := range fields {
		a := attr(x.Attrs, fields[i].Name)
		if a == nil {
			return nil, fmt.Errorf("%w: attribute %s is missing", ErrEvidence, fields[i].Name)
		}
		if a.Absent {
			continue
		}
		if values[i], ok = unkept(&fields[i], a.Value); !ok {
			return nil, fmt.Errorf("%w: attribute %s is %q", ErrEvidence, a.Name, a.Value)
		}
	}
	q.subject.Attrs = policy.NewRecord(values...)
	return q, nil
}

func attr(list []ledger.Attr, name string) *ledger.Attr {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// same holds two things equal as the ledger would write them.
func same(got, want any) error {
	g, err := json.Marshal(got)
	if err != nil {
		return err
	}
	w, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if !bytes.Equal(g, w) {
		return fmt.Errorf("%w: %s, recorded %s", ErrDiffers, g, w)
	}
	return nil
}

// ReplayRun makes every decision of a run again and returns how many there were.
// It stops at the first that cannot be reproduced.
func ReplayRun(ctx context.Context, l *ledger.Ledger, p *policy.Policy, tenant, run string) (int, error) {
	n := 0
	for line, err := range l.Run(ctx, tenant, run, 0) {
		if err != nil {
			return n, err
		}
		d := line.Entry.Decision
		if d == nil {
			continue
		}
		var x *ledger.Exhibit
		if d.Exhibit != "" {
			got, err := l.Exhibit(ctx, tenant, run, line.Entry.Seq)
			if err != nil {
				return n, err
			}
			x = &got
		}
		if _, err := Replay(p, &line.Entry, x); err != nil {
			return n, fmt.Errorf("replay entry %d: %w", line.Entry.Seq, err)
		}
		n++
	}
	return n, nil
}
