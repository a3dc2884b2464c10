package interp

import (
	"fmt"
	"iter"
	"math"

	"github.com/provlang/prov/compiler/ir"
)

// add makes the sum of a tool, where member gives the ordinal for each factor.
func add(r *ir.Risk, tool *ir.Tool, member func(*ir.Factor) int) Sum {
	base := r.BaseOf(tool).Points
	s := Sum{Parts: []Part{{"base", tool.Name, base}}, Total: base}
	for _, f := range r.Factors {
		i := member(f)
		s.Parts = append(s.Parts, Part{f.Name, f.Enum.Members[i].Name, f.Points[i]})
		s.Total += f.Points[i]
	}
	s.Band = *bandOf(r, s.Total)
	return s
}

// bandOf a score. Bands cover every score that the table can reach.
func bandOf(r *ir.Risk, score int) *ir.Band {
	for i := range r.Bands {
		if b := &r.Bands[i]; b.Lo <= score && score <= b.Hi {
			return b
		}
	}
	panic(fmt.Sprintf("interp: no band of %s holds %d", r.Name, score))
}

// Cell is one row of a decision table.
type Cell struct {
	Tool    *ir.Tool
	Members []int // ordinal, by factor of the table
	Score   int
	Band    *ir.Band
}

// reachable says whether the cell's traits are those of its tool's contract.
func (c *Cell) reachable(r *ir.Risk) bool {
	for i, f := range r.Factors {
		if f.Trait != nil && c.Tool.TraitOf(f.Trait) != c.Members[i] {
			return false
		}
	}
	return true
}

// Parts of a cell's score.
func (c *Cell) Parts(r *ir.Risk) []Part {
	i := -1
	return add(r, c.Tool, func(*ir.Factor) int { i++; return c.Members[i] }).Parts
}

// Cells of a table, all of them: every tool with a base row, in source order,
// with every member of every factor, the last factor varying fastest. The cell is
// the same one each time and is good until the next; clone Members to keep it.
func Cells(r *ir.Risk) iter.Seq[*Cell] {
	return func(yield func(*Cell) bool) {
		for _, row := range r.Base {
			c := &Cell{Tool: row.Tool, Members: make([]int, len(r.Factors))}
			for {
				c.Score = row.Points
				for i, f := range r.Factors {
					c.Score += f.Points[c.Members[i]]
				}
				c.Band = bandOf(r, c.Score)
				if !yield(c) {
					return
				}
				if !advance(c.Members, r.Factors) {
					break
				}
			}
		}
	}
}

// advance counts up like an odometer; false when it is back at the start.
func advance(members []int, factors []*ir.Factor) bool {
	for i := len(members) - 1; i >= 0; i-- {
		if members[i]++; members[i] < len(factors[i].Points) {
			return true
		}
		members[i] = 0
	}
	return false
}

// Count is the number of cells of a table; it stops at math.MaxInt.
func Count(r *ir.Risk) int {
	n := len(r.Base)
	for _, f := range r.Factors {
		size := len(f.Points)
		if size != 0 && n > math.MaxInt/size {
			return math.MaxInt
		}
		n *= size
	}
	return n
}
