package loop

import (
	"strconv"
	"time"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Event is one thing that happened in a run and is on disk. Entry is what the
// ledger holds of it; the rest is for people, and is in no ledger.
type Event struct {
	Task     string       `json:"task"`               // id of the task
	Title    string       `json:"title"`              // of the task
	Entry    ledger.Entry `json:"entry"`              // without the digest of an exhibit
	Proposal *Shown       `json:"proposal,omitempty"` // of a decision: what was proposed
	Result   *Shown       `json:"result,omitempty"`   // of an outcome or a verification: what the tool brought
	Why      string       `json:"why,omitempty"`      // one sentence: what was at fault, or why the run ended
	// Failed are the requirements that a decision found not to be met, in order.
	Failed []Clause `json:"failed,omitempty"`
	// Approvers are the groups that must approve a decision that holds, all of them.
	// Unnamed says that it also holds for what no group is named for.
	Approvers []Approver `json:"approvers,omitempty"`
	Unnamed   bool       `json:"unnamed,omitempty"`
}

// Approver is a group that must approve: so many of a role, within so long.
type Approver struct {
	Name   string        `json:"name"`
	Count  int32         `json:"count"`
	Of     string        `json:"of"`
	Within time.Duration `json:"within_ns"`
}

// Clause is a requirement as its author wrote it.
type Clause struct {
	Line string `json:"line"` // file:line
	Text string `json:"text"`
	Doc  string `json:"doc,omitempty"` // the comment above it
}

// Shown is what may be shown of a proposal or of a result. A value that its
// contract marks as sensitive is not in it.
type Shown struct {
	Tool    string       `json:"tool"`
	Target  string       `json:"target,omitempty"`
	Fields  []ShownField `json:"fields,omitempty"`
	Cause   string       `json:"cause,omitempty"`
	RestsOn []string     `json:"rests_on,omitempty"`
}

// ShownField is a declared field that was given.
type ShownField struct {
	Name      string `json:"name"`
	Value     string `json:"value,omitempty"` // "" where Sensitive
	Sensitive bool   `json:"sensitive,omitempty"`
}

// shown are the clauses that failed, for people.
func (r *run) shown(failed []policy.Requirement) []Clause {
	var list []Clause
	for i := range failed {
		c := &failed[i]
		list = append(list, Clause{Line: r.o.Policy.Where(c.Line), Text: c.Text, Doc: c.Doc})
	}
	return list
}

// approvers of a decision, and whether it holds for more than they are named for.
func (r *run) approvers(d *policy.Decision) (list []Approver, unnamed bool) {
	if d.Outcome != policy.Hold {
		return nil, false
	}
	groups, all := r.o.Policy.Approvers(d)
	for _, g := range groups {
		list = append(list, Approver(g))
	}
	return list, !all
}

// show what a proposal says. Text that a model made up is quoted, so that it can
// neither move a terminal nor pass for a name that exists.
func show(p *policy.Spec, pr *policy.Proposal) *Shown {
	if pr.Malformed() {
		return nil
	}
	s := &Shown{Target: plain(pr.Target), RestsOn: quoted(pr.RestsOn())}
	if pr.Cause >= 0 && int(pr.Cause) < len(p.Cause) {
		s.Cause = p.Cause[pr.Cause]
	}
	if pr.Tool < 0 {
		s.Tool = quote(pr.Named)
		return s
	}
	t := &p.Package.Tools[pr.Tool]
	s.Tool = t.Name
	s.Fields = showRecord(t.Args, &pr.Args)
	return s
}

func showRecord(fields []policy.Field, rec *policy.Record) []ShownField {
	var shown []ShownField
	for i := range fields {
		f := &fields[i]
		if !rec.Has(i) {
			continue
		}
		if f.Sensitive {
			shown = append(shown, ShownField{Name: f.Name, Sensitive: true})
			continue
		}
		shown = append(shown, ShownField{Name: f.Name, Value: plain(registry.Text(f, rec.Value(i)))})
	}
	return shown
}

// maxShown is how much of a text a timeline shows.
const maxShown = 60

func quote(s string) string {
	if len(s) > maxShown {
		s = s[:maxShown] + "..."
	}
	return strconv.QuoteToASCII(s)
}

// plain leaves what reads as one word as it is, and quotes everything else.
func plain(s string) string {
	if len(s) > maxShown {
		return quote(s)
	}
	for _, r := range []byte(s) {
		if r <= ' ' || r >= 0x7f || r == '"' || r == '\\' {
			return quote(s)
		}
	}
	return s
}

func quoted(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, plain(s))
	}
	return out
}
