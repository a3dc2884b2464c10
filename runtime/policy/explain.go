package policy

import "strconv"

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

// Where is a line of the package's sources as "file:line", "" for none.
func (p *Policy) Where(at Pos) string {
	if p.spec == nil || at.Line == 0 || int(at.File) >= len(p.spec.Package.Files) {
		return ""
	}
	return p.spec.Package.Files[at.File] + ":" + strconv.FormatUint(uint64(at.Line), 10)
}
