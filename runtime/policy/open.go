package policy

// Open checks a Spec and makes the policy of it. What it returns shares nothing
// with the Spec that can change. Every error names what is wrong and where.
func Open(s *Spec) (*Policy, error) {
	if err := validate(s); err != nil {
		return nil, err
	}
	s = cloneSpec(s)
	pkg := s.Package
	p := &Policy{
		spec:      s,
		contracts: make([]Contract, len(pkg.Tools)),
		tools:     make(map[string]int32, len(pkg.Tools)),
		args:      make([]schema, len(pkg.Tools)),
		results:   make([]schema, len(pkg.Tools)),
		attrs:     make([]schema, len(pkg.Entities)),
		inputs:    newSchema("", s.Inputs),
	}
	for i := range pkg.Tools {
		t := &pkg.Tools[i]
		p.tools[t.Name] = int32(i)
		p.contracts[i] = layOut(s, int32(i))
		p.args[i] = newSchema("args.", t.Args)
		p.results[i] = newSchema("", t.Result)
	}
	for i := range pkg.Entities {
		p.attrs[i] = newSchema("", pkg.Entities[i].Attrs)
	}
	return p, nil
}

// layOut makes the gate's form of a tool. The spec has been checked.
func layOut(s *Spec, tool int32) Contract {
	t := &s.Package.Tools[tool]
	c := Contract{
		index:  tool,
		grant:  s.Grants[tool],
		read:   t.Read,
		target: must(t.Entity >= 0),
		lone:   inlineValues,
		check:  t.Check,
		needs:  t.Needs,
		line:   t.Line,

		require: t.Require,
	}
	if t.Approval {
		c.holds |= HoldContract
	}
	if t.Dangerous {
		c.holds |= HoldDangerous
	}
	for i := range t.Flags {
		c.flags.Add(i)
		if t.Flags[i].Hold {
			c.holding.Add(i)
		}
		c.holdPos = append(c.holdPos, t.Flags[i].Line)
	}
	for i := range t.Requirements {
		c.clauses.Add(i)
		if t.Requirements[i].Outcome != Hold {
			c.refuse.Add(i)
		}
		c.lines = append(c.lines, t.Requirements[i].Line)
	}
	for _, m := range t.Moves {
		c.allowFrom(m, len(s.Package.Entities[t.Entity].Attrs[m.Attr].Members))
	}
	c.asks = c.check != nil || c.require != nil || c.states != nil
	if s.Risk == nil || !s.Risk.Rows[tool].Scored {
		c.cells = []Cell{{Outcome: Allow, Line: t.Line}}
		return c
	}
	row := &s.Risk.Rows[tool]
	c.scored, c.bands, c.base = true, s.Risk.Bands, row.Points
	stride := int32(1)
	for i := len(s.Risk.Factors) - 1; i >= 0; i-- {
		f := &s.Risk.Factors[i]
		if !f.Registry {
			continue
		}
		x := factor{attr: row.Attrs[registryIndex(s.Risk, i)], members: int32(len(f.Members)), stride: stride}
		if s.Risk.Cells == nil {
			x.points = f.Points
		}
		stride *= x.members
		c.factors = append(c.factors, x)
	}
	if s.Risk.Cells != nil {
		c.base, c.cells = 0, s.Risk.Cells[row.Start:row.Start+stride]
		if len(c.factors) == 1 && c.factors[0].attr < inlineValues {
			c.lone = uint8(c.factors[0].attr)
		}
	}
	return c
}

// allowFrom adds what a move may start from.
func (c *Contract) allowFrom(m Move, members int) {
	for i := range c.states {
		if c.states[i].attr == m.Attr {
			c.states[i].from[m.From] = true
			return
		}
	}
	from := make([]bool, members)
	from[m.From] = true
	c.states = append(c.states, state{attr: m.Attr, from: from, line: m.Line})
}

// registryIndex is the place of factor i among the registry factors.
func registryIndex(r *Risk, i int) int {
	n := 0
	for _, f := range r.Factors[:i] {
		if f.Registry {
			n++
		}
	}
	return n
}
