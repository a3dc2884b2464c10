// Package answer puts a question to generated code and to the runtime's gate, and
// gives the decision in words. It is the runtime's half of the comparison with the
// reference evaluator, and it stands in a process of its own: a generated package
// has to be built before it can be asked.
package answer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
)

// Reading is what a verification reads: two JSON objects.
type Reading struct {
	Tool           string
	Result, Target []byte
}

// Question is a case as data, one cell of a risk table, or one verification.
type Question struct {
	Package  string
	Cell     *Cell
	Reading  *Reading
	Policy   string
	Identity string
	Tenant   string
	Entities []Entity
	Sources  []Source
	Done     [][]byte // proposals, in any spelling, that were done in this run
	Unknown  [][]byte // begun, outcome unknown
	Proposal []byte
}

// Entity is one entry of the registry; Attrs is a JSON object.
type Entity struct {
	Tenant, Kind, ID string
	Attrs            []byte
}

// Source is an id that a proposal may rest on.
type Source struct{ Tenant, ID string }

// Answer is a decision in words, or what kept it from being made.
type Answer struct {
	Outcome, Rung, Reason string
	Holds                 []string
	Scored                bool
	Score                 int32
	Parts                 []policy.Part
	Flags                 []string
	Failed                []string // file:line of each requirement that was not met
	Approvers             []string // groups, sorted
	Nobody                bool     // holds for what no group is named for
	Fault, Field, Line    string
	Error                 string
}

// Cell is one cell of a risk table, by the names of its tool and members.
type Cell struct {
	Risk, Tool string
	Members    []string
}

// Ask decides.
func Ask(p *policy.Policy, q *Question) Answer {
	id, ok := policy.ParseIdentity(q.Identity)
	if !ok {
		return Answer{Error: "no identity " + q.Identity}
	}
	var pr policy.Proposal
	p.Decode(q.Proposal, q.Tenant, &pr)
	subject, err := look(p, q, &pr)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	var d policy.Decision
	gate.Decide(p, id, &pr, &subject, prior(p, q, &pr), &d)

	a := Answer{
		Outcome: d.Outcome.String(),
		Rung:    d.Rung.String(),
		Reason:  d.Reason.String(),
		Holds:   d.Holds.Names(),
		Scored:  d.Scored,
		Score:   d.Score,
		Flags:   p.FlagNames(d.Tool, d.Flags),
		Line:    p.Where(d.Line),
	}
	for _, c := range p.Clauses(d.Tool, d.Failed) {
		a.Failed = append(a.Failed, p.Where(c.Line))
	}
	if d.Outcome == policy.Hold {
		groups, all := p.Approvers(&d)
		for _, g := range groups {
			a.Approvers = append(a.Approvers, g.Name)
		}
		slices.Sort(a.Approvers)
		a.Nobody = !all
	}
	if d.Scored {
		a.Parts = p.AppendParts(nil, d.Tool, &subject.Attrs)
	}
	// Where the fault of a malformed text lies is help for a person, and a reader
	// that gives up at once may know less of it than one that does not.
	switch d.Reason {
	case policy.Malformed:
		a.Fault = pr.Fault().Kind.String()
	case policy.SchemaInvalid:
		a.Fault, a.Field = pr.Fault().Kind.String(), pr.Fault().Path
	}
	return a
}

// look finds what the proposal names, the way the loop does: nothing is looked up
// for a proposal of which nothing may be read.
func look(p *policy.Policy, q *Question, pr *policy.Proposal) (policy.Subject, error) {
	s := policy.Subject{RefField: -1}
	if pr.Malformed() || pr.Tool < 0 {
		return s, nil
	}
	s.Target, s.Refs, s.Sources = policy.SubjectNone, policy.SubjectNone, policy.SubjectNone
	pkg := p.Spec().Package
	tool := &pkg.Tools[pr.Tool]
	if tool.Entity >= 0 && pr.Target != "" {
		var attrs []byte
		s.Target, attrs = q.entity(pkg.Entities[tool.Entity].Name, pr.Target)
		if s.Target == policy.SubjectFound {
			if err := p.DecodeAttrs(tool.Entity, attrs, &s.Attrs); err != nil {
				return s, fmt.Errorf("attributes %s: %w", attrs, err)
			}
		}
	}
	for i := range tool.Args {
		if tool.Args[i].Kind == policy.KindRef && pr.Args.Has(i) {
			status, _ := q.entity(pkg.Entities[tool.Args[i].Entity].Name, pr.Args.Text(i))
			s.Refs = worse(s.Refs, status)
		}
	}
	for _, id := range pr.RestsOn() {
		status := policy.SubjectUnknown
		for _, src := range q.Sources {
			if src.ID == id {
				status = owned(status, src.Tenant == q.Tenant)
			}
		}
		s.Sources = worse(s.Sources, status)
	}
	return s, nil
}

func (q *Question) entity(kind, id string) (policy.SubjectStatus, []byte) {
	status := policy.SubjectUnknown
	var attrs []byte
	for _, e := range q.Entities {
		if e.Kind == kind && e.ID == id {
			if status = owned(status, e.Tenant == q.Tenant); e.Tenant == q.Tenant {
				attrs = e.Attrs
			}
		}
	}
	return status, attrs
}

// owned adds one more owner to what is known of an id.
func owned(s policy.SubjectStatus, own bool) policy.SubjectStatus {
	if own || s == policy.SubjectFound {
		return policy.SubjectFound
	}
	return policy.SubjectForeign
}

func worse(a, b policy.SubjectStatus) policy.SubjectStatus {
	if b > a { // the order in which they are declared, from none to foreign
		return b
	}
	return a
}

// prior says whether the same action was begun before: the same canonical form,
// the cause apart, which is a word about an action and no part of it.
func prior(p *policy.Policy, q *Question, pr *policy.Proposal) policy.Prior {
	same := func(before []byte) bool {
		var old policy.Proposal
		p.Decode(before, q.Tenant, &old)
		now := *pr
		old.Cause, now.Cause = -1, -1
		form := p.AppendCanonical(nil, &now)
		return len(form) > 0 && bytes.Equal(form, p.AppendCanonical(nil, &old))
	}
	for _, before := range q.Done {
		if same(before) {
			return policy.PriorDone
		}
	}
	for _, before := range q.Unknown {
		if same(before) {
			return policy.PriorUnknown
		}
	}
	return policy.PriorNone
}

// Risk calls a generated risk function with members by name.
type Risk func(tool string, members []string) (int32, policy.Outcome)

// Generated is what there is to ask, by package and name: "incident.first_response".
type Generated struct {
	Policies map[string]*policy.Policy
	Risks    map[string]Risk
}

func (g *Generated) answer(q *Question) (Answer, error) {
	if q.Cell != nil {
		risk := g.Risks[q.Package+"."+q.Cell.Risk]
		if risk == nil {
			return Answer{}, fmt.Errorf("no risk table %s.%s", q.Package, q.Cell.Risk)
		}
		score, outcome := risk(q.Cell.Tool, q.Cell.Members)
		return Answer{Outcome: outcome.String(), Scored: true, Score: score}, nil
	}
	p := g.Policies[q.Package+"."+q.Policy]
	if p == nil {
		return Answer{}, fmt.Errorf("no policy %s.%s", q.Package, q.Policy)
	}
	if q.Reading != nil {
		return verify(p, q.Reading)
	}
	return Ask(p, q), nil
}

func verify(p *policy.Policy, r *Reading) (Answer, error) {
	pkg := p.Spec().Package
	tool := &pkg.Tools[p.ToolIndex(r.Tool)]
	var result, target policy.Record
	if err := p.DecodeResult(tool.Verify.By, r.Result, &result); err != nil {
		return Answer{}, fmt.Errorf("result %s: %w", r.Result, err)
	}
	if err := p.DecodeAttrs(tool.Entity, r.Target, &target); err != nil {
		return Answer{}, fmt.Errorf("target %s: %w", r.Target, err)
	}
	says := func(condition func(result, target *policy.Record) bool) bool {
		return condition != nil && condition(&result, &target)
	}
	confirmed, refuted := says(tool.Verify.Confirmed), says(tool.Verify.Refuted)
	switch {
	case confirmed == refuted:
		return Answer{Outcome: "INCONCLUSIVE"}, nil
	case confirmed:
		return Answer{Outcome: "CONFIRMED"}, nil
	}
	return Answer{Outcome: "REFUTED"}, nil
}

// Serve answers the questions that r has, one JSON object a line, in order.
func (g *Generated) Serve(r io.Reader, w io.Writer) error {
	in := json.NewDecoder(bufio.NewReaderSize(r, 1<<20))
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for {
		var q Question
		if err := in.Decode(&q); err == io.EOF {
			return out.Flush()
		} else if err != nil {
			return fmt.Errorf("read a question: %w", err)
		}
		a, err := g.answer(&q)
		if err != nil {
			return err
		}
		if err := enc.Encode(a); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
}
