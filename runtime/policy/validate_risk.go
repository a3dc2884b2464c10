package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// risk checks a table to its last cell: the sum behind each, and the band that
// the sum is in. A table that says one thing in its rows and another in its cells
// has been tampered with, whichever of the two is meant.
func (c *checker) risk(r *Risk) error {
	if !identifier(r.Name) || !c.pos(r.Line) {
		return errors.New("its name is not an identifier, or its line is in no file")
	}
	if len(r.Rows) != len(c.p.Tools) {
		return fmt.Errorf("it has %d rows for %d tools", len(r.Rows), len(c.p.Tools))
	}
	if err := c.bands(r.Bands); err != nil {
		return err
	}
	names := make(map[string]bool, len(r.Factors))
	for i := range r.Factors {
		f := &r.Factors[i]
		if f.Name == "" || names[f.Name] {
			return fmt.Errorf("factor %q: it has no name, or stands twice", f.Name)
		}
		names[f.Name] = true
		if err := c.factor(f); err != nil {
			return fmt.Errorf("factor %q: %w", f.Name, err)
		}
	}
	if r.Cells != nil && len(r.Cells) == 0 {
		return errors.New("it has a table of cells without a cell")
	}
	for i := range r.Rows {
		t := &c.p.Tools[i]
		if err := c.row(r, &r.Rows[i], t, c.s.Grants[i]); err != nil {
			return fmt.Errorf("row of tool %q: %w", t.Name, err)
		}
	}
	return nil
}

func (c *checker) bands(bands []Band) error {
	if len(bands) == 0 || bands[0].Lo != math.MinInt32 || bands[len(bands)-1].Hi != math.MaxInt32 {
		return errors.New("its bands leave a score uncovered")
	}
	for i, b := range bands {
		switch {
		case b.Outcome != Allow && b.Outcome != Notify && b.Outcome != Hold:
			return fmt.Errorf("band %d..%d does not allow, notify or hold", b.Lo, b.Hi)
		case b.Lo > b.Hi:
			return fmt.Errorf("band %d..%d is empty", b.Lo, b.Hi)
		case i > 0 && int64(b.Lo) != int64(bands[i-1].Hi)+1:
			return fmt.Errorf("bands %d..%d and %d..%d do not meet", bands[i-1].Lo, bands[i-1].Hi, b.Lo, b.Hi)
		case i > 0 && b.Outcome > bands[i-1].Outcome:
			return fmt.Errorf("band %d..%d is looser than the one below it", b.Lo, b.Hi)
		case !c.pos(b.Line):
			return fmt.Errorf("the line of band %d..%d is in no file", b.Lo, b.Hi)
		}
	}
	return nil
}

func (c *checker) factor(f *Factor) error {
	if !vocabulary(f.Members) || len(f.Points) != len(f.Members) || len(f.Lines) != len(f.Members) {
		return errors.New("its members, points and lines do not pair off")
	}
	for _, at := range f.Lines {
		if !c.pos(at) {
			return errors.New("a line is in no file")
		}
	}
	return nil
}

func (c *checker) row(r *Risk, row *Row, t *Tool, g Grant) error {
	switch {
	case row.Scored && t.Read:
		return errors.New("it only reads, and is scored")
	case !row.Scored && !t.Read && g&Allowlisted != 0:
		return errors.New("it acts under this policy, and is not scored")
	case !row.Scored:
		return nil
	case len(row.Members) != len(r.Factors):
		return fmt.Errorf("it has %d members for %d factors", len(row.Members), len(r.Factors))
	case !c.pos(row.Line):
		return errors.New("its line is in no file")
	}
	points, lo, hi := int64(row.Base), int64(0), int64(0)
	attrs := c.attrs(t)
	var registry []*Factor
	for i := range r.Factors {
		f := &r.Factors[i]
		m := row.Members[i]
		if !f.Registry {
			if !within(m, len(f.Members)) || !slices.Contains(t.Traits, TraitValue{f.Name, f.Members[m]}) {
				return fmt.Errorf("its member %d of trait %q is not the contract's", m, f.Name)
			}
			points += int64(f.Points[m])
			continue
		}
		k := len(registry)
		registry = append(registry, f)
		if m != -1 || k >= len(row.Attrs) || !within(row.Attrs[k], len(attrs)) {
			return fmt.Errorf("factor %q is no attribute of the target", f.Name)
		}
		if a := &attrs[row.Attrs[k]]; a.Kind != KindEnum || !slices.Equal(a.Members, f.Members) {
			return fmt.Errorf("factor %q and attribute %q have different members", f.Name, a.Name)
		}
		lo += int64(slices.Min(f.Points))
		hi += int64(slices.Max(f.Points))
	}
	switch {
	case len(row.Attrs) != len(registry):
		return fmt.Errorf("it has %d attributes for %d registry factors", len(row.Attrs), len(registry))
	case int64(row.Points) != points:
		return fmt.Errorf("its points are %d, and base and traits make %d", row.Points, points)
	case points+lo < math.MinInt32 || points+hi > math.MaxInt32:
		return errors.New("its sum leaves 32 bits")
	case r.Cells != nil:
		return c.cells(r, row, registry)
	}
	return nil
}

// cells checks every cell that a row can reach.
func (c *checker) cells(r *Risk, row *Row, registry []*Factor) error {
	n := 1
	for _, f := range registry {
		if n *= len(f.Members); n > len(r.Cells) {
			break
		}
	}
	if row.Start < 0 || int(row.Start)+n > len(r.Cells) {
		return fmt.Errorf("its %d cells from %d on are not all there", n, row.Start)
	}
	for i := range n {
		score, rest := row.Points, i
		for k := len(registry) - 1; k >= 0; k-- {
			score += registry[k].Points[rest%len(registry[k].Members)]
			rest /= len(registry[k].Members)
		}
		at := slices.IndexFunc(r.Bands, func(b Band) bool { return score <= b.Hi })
		want := Cell{Score: score, Outcome: r.Bands[at].Outcome, Line: r.Bands[at].Line}
		if got := r.Cells[int(row.Start)+i]; got != want {
			return fmt.Errorf("cell %d says %d, %s, and the table makes it %d, %s", int(row.Start)+i, got.Score, got.Outcome, want.Score, want.Outcome)
		}
	}
	return nil
}
