package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// maxSums bounds the different sums of factors that are looked at;
// beyond, nothing is claimed about bands.
const maxSums = 100_000

// bands finds bands that no cell of the table reaches. Cells are all combinations
// of a tool and the members of every factor, the traits included: a table is
// written for the tools of tomorrow as well, and a band that only today's
// contracts leave empty is no mistake.
func (a *analyser) bands() {
	for _, r := range a.low.Program.Risks {
		sums, ok := factorSums(r)
		if !ok {
			continue
		}
		starts := starts(r)
		for _, st := range a.low.Symbols[r].Decl.(*ast.Risk).Stmts {
			b, ok := st.(*ast.BandStmt)
			if !ok {
				continue
			}
			band := a.facts.Bands[b]
			if reached(starts, sums, band.Lo, band.Hi) {
				continue
			}
			lo, hi := starts[0]+sums[0], starts[len(starts)-1]+sums[len(sums)-1]
			d := a.report.At(b.Range.Span(), diag.BandUnreachable, "no score reaches `%s`", b.Outcome.Name)
			d.Note("%s", scores(r, lo, hi))
			switch band.Outcome {
			case ir.Allow:
				d.Help("remove the band, or correct the points: nothing is allowed without more")
			default:
				d.Help("correct the band or the points, unless it is kept for later")
			}
		}
	}
}

func scores(r *ir.Risk, lo, hi int) string {
	if lo == hi {
		return fmt.Sprintf("every score of `%s` is %d", r.Name, lo)
	}
	return fmt.Sprintf("the scores of `%s` lie within %d..%d", r.Name, lo, hi)
}

// factorSums is every sum that the factors can give, sorted.
func factorSums(r *ir.Risk) ([]int, bool) {
	sums := []int{0}
	for _, f := range r.Factors {
		points := distinct(slices.Clone(f.Points))
		if len(sums)*len(points) > maxSums {
			return nil, false
		}
		var next []int
		for _, s := range sums {
			for _, p := range points {
				next = append(next, s+p)
			}
		}
		sums = distinct(next)
	}
	return sums, true
}

// starts is the base points that the tools have, sorted.
func starts(r *ir.Risk) []int {
	out := make([]int, 0, len(r.Base))
	for _, row := range r.Base {
		out = append(out, row.Points)
	}
	return distinct(out)
}

func distinct(xs []int) []int {
	slices.Sort(xs)
	return slices.Compact(xs)
}

func reached(starts, sums []int, lo, hi int) bool {
	for _, s := range starts {
		want := math.MinInt
		if lo != math.MinInt {
			want = lo - s
		}
		i, _ := slices.BinarySearch(sums, want)
		if i < len(sums) && (hi == math.MaxInt || sums[i] <= hi-s) {
			return true
		}
	}
	return false
}
