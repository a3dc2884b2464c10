package gen

import (
	"fmt"
	"math"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// decision is a decision table before it is written: the rows, by tool, and the
// distinct ones of which each has cells of its own.
type decision struct {
	rows     []*row // by tool; nil where the tool is not scored
	distinct []*row
	sharing  map[*row][]string // the other tools of a distinct row
	width    int               // cells of a row
	written  bool              // the cells are few enough to be written out
}

func (g *generator) decide(r *ir.Risk) (*decision, error) {
	d := &decision{rows: make([]*row, len(g.tools)), sharing: make(map[*row][]string), width: 1}
	for _, f := range r.Factors {
		if f.Trait == nil {
			d.width = min(d.width*len(f.Points), maxCells+1)
		}
	}
	first := make(map[string]*row)
	scored := make(map[*ir.Tool]*ir.BaseRow, len(r.Base))
	for i := range r.Base {
		scored[r.Base[i].Tool] = &r.Base[i]
	}
	for i, t := range g.tools {
		b := scored[t]
		if b == nil {
			continue
		}
		w, err := g.rowOf(r, b)
		if err != nil {
			return nil, err
		}
		d.rows[i] = w
		if old := first[w.key()]; old != nil {
			w.start = old.start
			d.sharing[old] = append(d.sharing[old], t.Name)
			continue
		}
		first[w.key()] = w
		w.start = len(d.distinct) * d.width
		d.distinct = append(d.distinct, w)
	}
	d.written = d.width*len(d.distinct) <= maxCells
	return d, nil
}

func (g *generator) riskTables(r *ir.Risk) ([]jenx.Code, error) {
	n := g.n.risk[r]
	d, err := g.decide(r)
	if err != nil {
		return nil, err
	}
	rows := jenx.Var
	if len(g.tools) > maxSwitch {
		rows = jenx.Bulk
	}
	out := []jenx.Code{
		jenx.Var(fmt.Sprintf("%s is the table %s as the gate reads it.", n.table, r.Name), n.table, g.riskTable(r, d)),
		rows(wrap(fmt.Sprintf("%s has a row for each tool of the package, in the order of %s.", n.rows, g.n.tools)), n.rows, g.riskRows(d)),
		jenx.Var(fmt.Sprintf("%s is every factor of %s, in order.", n.factors, r.Name), n.factors, g.riskFactors(r)),
	}
	for _, f := range r.Factors {
		if len(f.Points) <= maxSwitch {
			continue
		}
		points, lines := &jenx.Data{}, &jenx.Data{}
		g.factorPoints(points, f, jenx.Dense)
		g.factorLines(lines, f, jenx.Dense)
		out = append(out,
			jenx.Bulk(fmt.Sprintf("%s is the points of %s, in the order of its members.", n.points[f], f.Name), n.points[f], points),
			jenx.Bulk(fmt.Sprintf("%s is where they are written.", n.lines[f]), n.lines[f], lines))
	}
	if d.written {
		doc := fmt.Sprintf("%s is the decision table of %s. A tool's cells begin at its row's Start; "+
			"tools with equal points and traits share theirs.", n.cells, r.Name)
		out = append(out, jenx.Var(wrap(doc), n.cells, g.riskCells(r, d)))
	}
	return out, nil
}

func (g *generator) riskTable(r *ir.Risk, d *decision) *jenx.Data {
	n := g.n.risk[r]
	t := &jenx.Data{}
	t.Struct("policy.Risk", jenx.Rows)
	t.Key("Name").Str(r.Name)
	g.line(t, "Line", r.Pos)
	t.Key("Rows").Name(n.rows)
	t.Key("Factors").Name(n.factors)
	if d.written {
		t.Key("Cells").Name(n.cells)
	}
	t.Key("Bands").Slice("policy.Band", jenx.Rows)
	for _, b := range r.Bands {
		t.Elem(jenx.Line)
		t.Key("Lo").Int(clamp(b.Lo))
		t.Key("Hi").Int(clamp(b.Hi))
		t.Key("Outcome").Const(jenx.Policy, outcome(b.Outcome), 1)
		g.line(t, "Line", b.Pos)
		t.End()
		t.Beside(bandText(b))
	}
	t.End()
	t.End()
	return t
}

// clamp brings a bound of a band into the scores that exist.
func clamp(n int) int64 { return int64(max(min(n, math.MaxInt32), math.MinInt32)) }

func (g *generator) riskRows(d *decision) *jenx.Data {
	t := &jenx.Data{}
	beside := func(text string) {
		if len(g.tools) <= maxSwitch {
			t.Beside(text)
		}
	}
	t.Slice("policy.Row", jenx.Rows)
	for i, w := range d.rows {
		t.Elem(jenx.Line)
		if w == nil {
			t.End()
			beside(g.tools[i].Name + " is not scored")
			continue
		}
		t.Key("Scored").Bool(true)
		if d.written {
			whole(t, "Start", int64(w.start))
		}
		whole(t, "Base", int64(w.base.Points))
		whole(t, "Points", int64(w.points))
		ints(t, "Attrs", w.attrs)
		ints(t, "Members", w.members)
		g.line(t, "Line", w.base.Pos)
		t.End()
		beside(g.tools[i].Name)
	}
	t.End()
	return t
}

func (g *generator) riskFactors(r *ir.Risk) *jenx.Data {
	t := &jenx.Data{}
	t.Slice("policy.Factor", jenx.Rows)
	for _, f := range r.Factors {
		t.Elem(jenx.Rows)
		t.Key("Name").Str(f.Name)
		if f.Trait == nil {
			t.Key("Registry").Bool(true)
		}
		t.Key("Members").Name(g.n.enums[f.Enum].names)
		if id, ok := g.n.risk[r].points[f]; ok {
			t.Key("Points").Name(id)
			t.Key("Lines").Name(g.n.risk[r].lines[f])
		} else {
			g.factorPoints(t.Key("Points"), f, jenx.Line)
			g.factorLines(t.Key("Lines"), f, jenx.Line)
		}
		t.End()
	}
	t.End()
	return t
}

func (g *generator) factorPoints(t *jenx.Data, f *ir.Factor, l jenx.Layout) {
	t.Slice("int32", l)
	for _, p := range f.Points {
		t.Int(int64(p))
	}
	t.End()
}

func (g *generator) factorLines(t *jenx.Data, f *ir.Factor, l jenx.Layout) {
	t.Slice("policy.Pos", l)
	for _, p := range f.RowPos {
		g.pos(t, p)
	}
	t.End()
}

// riskCells writes the decision table, a cell a line, with the sum beside it as a
// person would write it.
func (g *generator) riskCells(r *ir.Risk, d *decision) *jenx.Data {
	t := &jenx.Data{}
	t.Slice("policy.Cell", jenx.Rows)
	for _, w := range d.distinct {
		if also := d.sharing[w]; len(also) > 0 {
			t.Note(w.base.Tool.Name + ", and with the same points: " + some(also))
		}
		for cell := range d.width {
			ordinals := w.ordinals(r, cell, d.width)
			score := w.base.Points
			sum := fmt.Sprint(w.base.Points)
			named := []string{w.base.Tool.Name}
			for i, f := range r.Factors {
				p := f.Points[ordinals[i]]
				score += p
				sum += fmt.Sprintf(" %+d", p)
				if f.Trait == nil {
					named = append(named, f.Enum.Members[ordinals[i]].Name)
				}
			}
			b := band(r, score)
			t.Elem(jenx.Line)
			t.Key("Score").Int(int64(score))
			t.Key("Outcome").Const(jenx.Policy, outcome(b.Outcome), 1)
			g.line(t, "Line", b.Pos)
			t.End()
			t.Beside(fmt.Sprintf("%s: %s = %d", strings.Join(named, ", "), sum, score))
		}
	}
	t.End()
	return t
}

// ordinals is the member of each factor in a cell of the row. The last registry
// factor varies fastest.
func (w *row) ordinals(r *ir.Risk, cell, width int) []int {
	out := make([]int, len(r.Factors))
	for i, f := range r.Factors {
		if f.Trait != nil {
			out[i] = w.members[i]
			continue
		}
		width /= len(f.Points)
		out[i] = cell / width
		cell %= width
	}
	return out
}

// some of many names: all of a few, or the first ones and how many more.
func some(names []string) string {
	const shown = 5
	if len(names) <= shown+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
