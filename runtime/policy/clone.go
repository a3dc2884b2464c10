package policy

import "slices"

// cloneSpec copies everything that a holder of the original could change. Check,
// Require and Verify are function values and strings are immutable; they are shared.
func cloneSpec(s *Spec) *Spec {
	c := *s
	c.Package = clonePackage(s.Package)
	c.Grants = slices.Clone(s.Grants)
	c.Risk = cloneRisk(s.Risk)
	c.Approval = clonePtr(s.Approval)
	c.Inputs = cloneFields(s.Inputs)
	c.Cause = slices.Clone(s.Cause)
	c.Budget = clonePtr(s.Budget)
	c.Lessons = slices.Clone(s.Lessons)
	return &c
}

func clonePackage(p *Package) *Package {
	c := *p
	c.Files = slices.Clone(p.Files)
	c.Entities = slices.Clone(p.Entities)
	for i := range c.Entities {
		c.Entities[i].Attrs = cloneFields(c.Entities[i].Attrs)
	}
	c.Tools = slices.Clone(p.Tools)
	for i := range c.Tools {
		t := &c.Tools[i]
		t.Args = cloneFields(t.Args)
		t.Result = cloneFields(t.Result)
		t.Moves = slices.Clone(t.Moves)
		t.Flags = slices.Clone(t.Flags)
		t.Requirements = slices.Clone(t.Requirements)
		t.Needs = slices.Clone(t.Needs)
		t.Verify = clonePtr(t.Verify)
		t.Traits = slices.Clone(t.Traits)
	}
	c.Approvals = slices.Clone(p.Approvals)
	c.Workflows = slices.Clone(p.Workflows)
	for i := range c.Workflows {
		c.Workflows[i].Steps = slices.Clone(c.Workflows[i].Steps)
	}
	return &c
}

func cloneRisk(r *Risk) *Risk {
	if r == nil {
		return nil
	}
	c := *r
	c.Rows = slices.Clone(r.Rows)
	for i := range c.Rows {
		c.Rows[i].Attrs = slices.Clone(c.Rows[i].Attrs)
		c.Rows[i].Members = slices.Clone(c.Rows[i].Members)
	}
	c.Factors = slices.Clone(r.Factors)
	for i := range c.Factors {
		f := &c.Factors[i]
		f.Members = slices.Clone(f.Members)
		f.Points = slices.Clone(f.Points)
		f.Lines = slices.Clone(f.Lines)
	}
	c.Cells = slices.Clone(r.Cells)
	c.Bands = slices.Clone(r.Bands)
	return &c
}

func cloneFields(fields []Field) []Field {
	c := slices.Clone(fields)
	for i := range c {
		f := &c[i]
		f.Members = slices.Clone(f.Members)
		f.Pattern = clonePattern(f.Pattern)
		f.Default = clonePtr(f.Default)
	}
	return c
}

func clonePattern(p *Pattern) *Pattern {
	if p == nil {
		return nil
	}
	c := *p
	c.Ranges = slices.Clone(p.Ranges)
	c.Next = slices.Clone(p.Next)
	return &c
}

func clonePtr[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
