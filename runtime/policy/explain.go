package policy

import (
	"slices"
	"strconv"
)

// Part is one row of a score's sum.
type Part struct {
	Name   string // "base", or the factor as written: "target.tier"
	Value  string // the tool, or the member
	Points int32
}

// AppendParts appends the sum behind the score of a tool on a target, in source
// order: the base row first. It appends nothing where the tool is not scored, or
// the target lacks what the table reads. It needs no decision, so a score in a
// ledger can be taken apart long after.
func (p *Policy) AppendParts(dst []Part, tool int32, attrs *Record) []Part {
	c := p.Contract(tool)
	if c == nil || !c.scored {
		return dst
	}
	if _, ok := c.Place(attrs); !ok {
		return dst
	}
	r := p.spec.Risk
	row := &r.Rows[tool]
	dst = append(dst, Part{Name: "base", Value: p.ToolName(tool), Points: row.Base})
	registry := 0
	for i := range r.Factors {
		f := &r.Factors[i]
		m := int64(row.Members[i])
		if f.Registry {
			m = attrs.Int(int(row.Attrs[registry]))
			registry++
		}
		dst = append(dst, Part{Name: f.Name, Value: f.Members[m], Points: f.Points[m]})
	}
	return dst
}

// FlagNames of a tool's flags, in the order of the contract; nil for none.
func (p *Policy) FlagNames(tool int32, set FlagSet) []string {
	if uint(tool) >= uint(len(p.contracts)) {
		return nil
	}
	var names []string
	for i := range p.spec.Package.Tools[tool].Flags {
		if set.Has(i) {
			names = append(names, p.spec.Package.Tools[tool].Flags[i].Name)
		}
	}
	return names
}

// Clauses of a tool that are in a set, in the order of the contract; nil for none.
func (p *Policy) Clauses(tool int32, set ClauseSet) []Requirement {
	if uint(tool) >= uint(len(p.contracts)) {
		return nil
	}
	var clauses []Requirement
	for i, r := range p.spec.Package.Tools[tool].Requirements {
		if set.Has(i) {
			clauses = append(clauses, r)
		}
	}
	return clauses
}

// Approvers are the groups that must approve a decision that holds, all of them,
// each once: the one of each clause that failed and names one, and the policy's own
// for every other cause. all is false where something holds for which no group is
// named; then the groups alone do not approve it. A decision that does not hold
// has no approvers.
func (p *Policy) Approvers(d *Decision) (groups []Approval, all bool) {
	if p.spec == nil || d.Outcome != Hold {
		return nil, false
	}
	all = true
	add := func(a *Approval) {
		switch {
		case a == nil:
			all = false
		case !slices.Contains(groups, *a):
			groups = append(groups, *a)
		}
	}
	if d.Holds&^HoldRequirement != 0 || d.Holds == 0 { // a budget holds without a cause
		add(p.spec.Approval)
	}
	if d.Holds&HoldRequirement != 0 {
		clauses := p.Clauses(d.Tool, d.Failed)
		if len(clauses) == 0 {
			all = false
		}
		for i := range clauses {
			add(p.group(clauses[i].Group))
		}
	}
	return groups, all
}

// group by name; "" is the policy's own. It is nil where there is none.
func (p *Policy) group(name string) *Approval {
	if name == "" {
		return p.spec.Approval
	}
	for i := range p.spec.Package.Approvals {
		if a := &p.spec.Package.Approvals[i]; a.Name == name {
			return a
		}
	}
	return nil
}

// Where is a line of the package's sources as "file:line", "" for none.
func (p *Policy) Where(at Pos) string {
	if p.spec == nil || at.Line == 0 || int(at.File) >= len(p.spec.Package.Files) {
		return ""
	}
	return p.spec.Package.Files[at.File] + ":" + strconv.FormatUint(uint64(at.Line), 10)
}
