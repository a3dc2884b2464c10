package check

import (
	"math"
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// Bounds of a risk table. They keep every sum within 32 bits.
const (
	maxPoints  = 1_000_000
	maxFactors = 64
)

// Band is an outcome over Lo..Hi; open ends are math.MinInt and math.MaxInt.
type Band struct {
	Outcome ir.Outcome
	Lo, Hi  int
	stmt    *ast.BandStmt
}

// table is what is known of a risk table while it is checked.
type table struct {
	symbol  *resolve.Symbol
	decl    *ast.Risk
	base    *ast.BaseStmt
	rows    []*ast.Row // of base, those that were understood
	tools   []*Tool    // of the rows
	factors []Factor   // those that were understood
	stmts   []*ast.AddStmt
	fault   bool // something was not understood: ask nothing of the whole
}

func (c *checker) risk(s *resolve.Symbol, d *ast.Risk) {
	t := &table{symbol: s, decl: d}
	var bands []*ast.BandStmt
	var adds []*ast.AddStmt
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.BaseStmt:
			if t.base != nil {
				c.repeated(st, "base", t.base)
				continue
			}
			t.base = st
		case *ast.AddStmt:
			adds = append(adds, st)
		case *ast.BandStmt:
			bands = append(bands, st)
		}
	}
	c.base(t)
	c.adds(t, adds)
	c.contracts(t)
	c.bands(t, bands)
}

// base checks the rows of `base`: one for each tool that is scored.
func (c *checker) base(t *table) {
	set := make(map[*resolve.Symbol]bool)
	c.scored[t.symbol] = set
	if t.base == nil {
		t.fault = true
		c.riskFault[t.symbol] = true
		c.at(t.decl.Name.Span(), diag.MissingBase, "risk table `%s` has no `base`", t.symbol.Name).
			Help("write `base { TOOL POINTS }` with a row for every tool that it scores")
		return
	}
	if len(t.base.Rows) == 0 {
		t.fault = true
		c.at(t.base.Span(), diag.MissingBase, "`base` has no rows").
			Help("write a row for every tool that the table scores: `base { TOOL POINTS }`")
	}
	first := make(map[string]*ast.Row)
	for _, r := range t.base.Rows {
		_, ok := c.points(r)
		if !ok {
			t.fault = true
		}
		if old := first[r.Name.Name]; old != nil {
			c.at(r.Name.Span(), diag.DuplicateRow, "`%s` has two rows in `base`", r.Name.Name).
				See(old.Span(), "the first one").
				Help("remove one of the two")
			t.fault = true
			continue
		}
		first[r.Name.Name] = r
		s := c.pkg.Use(r.Name)
		if s == nil {
			t.fault = true
			c.riskFault[t.symbol] = true
			continue
		}
		tool := c.Tools[s]
		set[s] = true
		if tool.IR.Read {
			c.at(r.Name.Span(), diag.ReadToolScored, "`%s` only reads, and has a row in `base`", s.Name).
				See(s.Ident.Span(), "it says `read`").
				Note("a tool that reads changes nothing, so there is no risk to score").
				Help("remove the row")
			continue
		}
		if tool.vague {
			t.fault = true
		}
		t.rows = append(t.rows, r)
		t.tools = append(t.tools, tool)
	}
}

// points reads the points of a row.
func (c *checker) points(r *ast.Row) (int, bool) {
	if r.Points == nil {
		return 0, false
	}
	n, ok := parseInt(r.Points.Text)
	if !ok || n > maxPoints || n < -maxPoints {
		c.at(r.Points.Span(), diag.BadPoints, "points are whole numbers within -%d..%d, not %s", maxPoints, maxPoints, r.Points.Text).
			Note("points are counted, not measured: only their sum and the bands have a meaning")
		return 0, false
	}
	c.Points[r] = int(n)
	return int(n), true
}

// adds checks the factors.
func (c *checker) adds(t *table, adds []*ast.AddStmt) {
	var on []*ir.Entity
	for _, tool := range t.tools {
		if e := tool.IR.Target; e != nil && !slices.Contains(on, e) {
			on = append(on, e)
		}
	}
	if len(adds) > maxFactors {
		c.at(adds[maxFactors].Factor.Span(), diag.TooMany, "a risk table has at most %d factors", maxFactors)
		t.fault = true
		adds = adds[:maxFactors]
	}
	seen := make(map[string]*ast.AddStmt)
	for _, a := range adds {
		f, ok := c.factor(a.Factor, t, on)
		if !ok {
			t.fault = true
			continue
		}
		if old := seen[f.Name]; old != nil {
			c.at(a.Factor.Span(), diag.DuplicateFactor, "`%s` is added twice", f.Name).
				See(old.Factor.Span(), "first here").
				Help("add the points up in one table")
			t.fault = true
			continue
		}
		seen[f.Name] = a
		c.Factors[a] = f
		t.factors = append(t.factors, f)
		t.stmts = append(t.stmts, a)
		if !c.rows(a, f) {
			t.fault = true
		}
	}
}

// rows checks that a factor has one row for each member, in an order that rises
// or falls.
func (c *checker) rows(a *ast.AddStmt, f Factor) bool {
	byMember := make([]*ast.Row, len(f.Enum.Members))
	ok, unknown := true, false
	for _, r := range a.Rows {
		_, good := c.points(r)
		ok = ok && good
		i, found := c.Member(f.Enum, r.Name.Name)
		if !found {
			ok, unknown = false, true
			if c.vague[f.Enum] {
				continue
			}
			d := c.at(r.Name.Span(), diag.UnknownRow, "`%s` has no member `%s`, so this row would never apply", f.Enum.Name, r.Name.Name).
				See(positionOf(c, f.Enum), "declared here")
			c.pkg.Suggest(d, r.Name.Name, func() []string { return memberNames(f.Enum) })
			continue
		}
		if old := byMember[i]; old != nil {
			c.at(r.Name.Span(), diag.DuplicateRow, "`%s` has two rows in `%s`", r.Name.Name, f.Name).
				See(old.Span(), "the first one").
				Help("remove one of the two")
			ok = false
			continue
		}
		byMember[i] = r
	}
	if unknown || c.vague[f.Enum] {
		return false // the member that was meant may be the one that seems to be missing
	}
	var missing []string
	for i, r := range byMember {
		if r == nil {
			missing = append(missing, f.Enum.Members[i].Name)
		}
	}
	if len(missing) > 0 {
		c.at(a.Factor.Span(), diag.MissingRow, "`%s` has no row for %s", f.Name, some(missing)).
			See(positionOf(c, f.Enum), "the members are declared here").
			Note("a table has a row for every member, so that a new one cannot go unnoticed").
			Help("add `%s 0`, or the points that it deserves", missing[0])
		return false
	}
	return ok && c.monotone(a, f, byMember)
}

// monotone holds the points to one direction along the order of the members.
func (c *checker) monotone(a *ast.AddStmt, f Factor, byMember []*ast.Row) bool {
	dir, turn := 0, -1
	for i := 1; i < len(byMember); i++ {
		step := c.Points[byMember[i]] - c.Points[byMember[i-1]]
		switch {
		case step == 0:
		case dir == 0:
			dir = step
		case (step > 0) != (dir > 0) && turn < 0:
			turn = i
		}
	}
	if turn < 0 {
		if a.AnyOrder {
			c.at(a.Factor.Span(), diag.NeedlessAnyOrder, "`any order` says nothing: the points of `%s` have one direction", f.Name).
				Help("remove `any order`, so that a later mistake is found")
		}
		return true
	}
	if a.AnyOrder {
		return true
	}
	words := [2]string{"fall", "rise"}
	was, now := words[1], words[0]
	if dir < 0 {
		was, now = now, was
	}
	r := byMember[turn]
	c.at(r.Points.Span(), diag.NotMonotone, "the points of `%s` %s and then %s at `%s`", f.Name, was, now, r.Name.Name).
		See(byMember[turn-1].Span(), "the member before it").
		Note("the members are declared in the order %s", some(memberNames(f.Enum))).
		Help("correct the points or the order of the members, or write `any order` after the table")
	return false
}

// contracts asks each scored tool for what the factors read.
func (c *checker) contracts(t *table) {
	for i, tool := range t.tools {
		for j, f := range t.factors {
			if f.Attr == "" {
				c.hasTrait(t, tool, f, t.stmts[j])
			} else {
				c.hasAttr(t, t.rows[i], tool, f, t.stmts[j])
			}
		}
	}
}

func (c *checker) hasTrait(t *table, tool *Tool, f Factor, a *ast.AddStmt) {
	if tool.vague || tool.Traits[f.Enum] != nil {
		return
	}
	t.fault = true
	c.at(tool.Decl.Name.Span(), diag.MissingTrait, "`%s` does not state its `%s`", tool.Symbol.Name, f.Name).
		See(a.Factor.Span(), "risk table `%s` adds it up", t.symbol.Name).
		Note("a score of which a part is missing would be too low").
		Help("write `%s %s` in the tool, or another of %s", f.Name, firstMember(f.Enum), some(memberNames(f.Enum)))
}

func (c *checker) hasAttr(t *table, row *ast.Row, tool *Tool, f Factor, a *ast.AddStmt) {
	if tool.noTarget {
		t.fault = true
		c.at(row.Name.Span(), diag.MissingAttribute, "`%s` acts on nothing, and the table reads `%s`", tool.Symbol.Name, f.Name).
			See(a.Factor.Span(), "read here").
			Help("declare what it acts on: `tool %s on ENTITY`, or score it in another table", tool.Symbol.Name)
		return
	}
	e := tool.IR.Target
	if e == nil {
		t.fault = true
		return
	}
	if _, ok := c.attrs[e][f.Attr]; !ok {
		t.fault = true
		d := c.at(row.Name.Span(), diag.MissingAttribute, "`%s` acts on a `%s`, which has no `%s`", tool.Symbol.Name, e.Name, f.Attr).
			See(a.Factor.Span(), "the table reads it here")
		if near, ok := diag.Nearest(f.Attr, fieldNames(e.Attrs)); ok {
			for _, attr := range c.entityOf[e].Decl.(*ast.Entity).Attrs {
				if attr.Name.Name == near {
					d.See(attr.Name.Span(), "is this the one that is meant?")
				}
			}
		}
		d.Help("give `%s` the attribute, or score the tool in another table", e.Name)
	}
}

// lowest is the smallest score that the table can give.
func (c *checker) lowest(t *table) int {
	attrs := 0
	for i, f := range t.factors {
		if f.Attr == "" {
			continue
		}
		least := math.MaxInt
		for _, r := range t.stmts[i].Rows {
			least = min(least, c.Points[r])
		}
		attrs += least
	}
	// Traits are fixed by the contract, so each tool has a lowest score of its own.
	traits := make([]map[string]int, len(t.factors))
	for i, f := range t.factors {
		if f.Attr == "" {
			traits[i] = make(map[string]int, len(t.stmts[i].Rows))
			for _, r := range t.stmts[i].Rows {
				traits[i][r.Name.Name] = c.Points[r]
			}
		}
	}
	least := math.MaxInt
	for i, tool := range t.tools {
		sum := c.Points[t.rows[i]] + attrs
		for j, f := range t.factors {
			if f.Attr == "" {
				sum += traits[j][tool.Traits[f.Enum].Member.Name]
			}
		}
		least = min(least, sum)
	}
	return least
}

// positionOf is where a vocabulary is declared.
func positionOf(c *checker, e *ir.Enum) source.Span {
	if s := c.pkg.Named(e.Name); s != nil && s.Ident != nil {
		return s.Ident.Span()
	}
	return source.Span{}
}
