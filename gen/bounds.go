package gen

import (
	"fmt"
	"go/build"
	"io"
	"math"
	"strings"

	"github.com/provlang/prov/compiler/ir"
)

// bounded refuses numbers that the tables of package policy cannot hold. They
// would not compile as Go, or would come out as other numbers.
func bounded(p *ir.Program) error {
	if len(p.Files) > math.MaxUint16+1 {
		return fmt.Errorf("%d source files, and at most %d fit", len(p.Files), math.MaxUint16+1)
	}
	for _, t := range p.Tools {
		if len(t.Flags) > maxFlags {
			return fmt.Errorf("tool %q has %d flags, and at most %d fit", t.Name, len(t.Flags), maxFlags)
		}
		if len(t.Requires) > maxClauses {
			return fmt.Errorf("tool %q has %d requirements, and at most %d fit", t.Name, len(t.Requires), maxClauses)
		}
		for _, r := range t.Requires {
			if r.Outcome != ir.Refuse && r.Outcome != ir.Hold {
				return fmt.Errorf("tool %q has a requirement that ends in %s, and can only refuse or hold", t.Name, r.Outcome)
			}
		}
	}
	for _, a := range groups(p) {
		if a.Count < 0 || a.Count > math.MaxInt32 {
			return fmt.Errorf("approval %q says %d, which does not fit 32 bits", a.Name, a.Count)
		}
	}
	for _, q := range p.Policies {
		numbers := []int{q.MaxSteps, q.MalformedRetries, q.Replans, q.NoProgress}
		if q.Approval != nil {
			numbers = append(numbers, q.Approval.Count)
		}
		for _, n := range numbers {
			if n < 0 || n > math.MaxInt32 {
				return fmt.Errorf("policy %q says %d, which does not fit 32 bits", q.Name, n)
			}
		}
	}
	return nil
}

// boundedField is bounded for a field's type.
func boundedField(f *ir.Field) error {
	t := f.Type
	switch {
	case t.Kind == ir.Decimal && (t.Scale < 0 || t.Scale > 9):
		return fmt.Errorf("field %q has %d digits after the point, and at most 9 fit", f.Name, t.Scale)
	case t.Kind == ir.String && t.Pattern != nil && (t.Pattern.Classes < 1 || t.Pattern.Classes > math.MaxUint8):
		return fmt.Errorf("field %q has a pattern with %d classes, and at most %d fit", f.Name, t.Pattern.Classes, math.MaxUint8)
	}
	return nil
}

// boundedRisk is bounded for a table: the gate adds in 32 bits, and every score
// has a band that does not refuse.
func boundedRisk(r *ir.Risk) error {
	var lo, hi int64
	for _, b := range r.Base {
		lo, hi = min(lo, int64(b.Points)), max(hi, int64(b.Points))
	}
	for _, f := range r.Factors {
		if len(f.Points) != len(f.Enum.Members) || len(f.RowPos) != len(f.Points) {
			return fmt.Errorf("risk %s: factor %s has %d rows for %d members", r.Name, f.Name, len(f.Points), len(f.Enum.Members))
		}
		var flo, fhi int64
		for _, p := range f.Points {
			flo, fhi = min(flo, int64(p)), max(fhi, int64(p))
		}
		lo, hi = lo+flo, hi+fhi
	}
	if lo < math.MinInt32 || hi > math.MaxInt32 {
		return fmt.Errorf("risk %s: scores from %d to %d do not fit 32 bits", r.Name, lo, hi)
	}
	if len(r.Bands) == 0 || r.Bands[0].Lo != math.MinInt || r.Bands[len(r.Bands)-1].Hi != math.MaxInt {
		return fmt.Errorf("risk %s: the bands do not cover every score", r.Name)
	}
	for i, b := range r.Bands {
		if i > 0 && (b.Lo != r.Bands[i-1].Hi+1) || b.Lo > b.Hi {
			return fmt.Errorf("risk %s: the bands have a hole or an overlap at %d", r.Name, b.Lo)
		}
		if b.Outcome == ir.Refuse || b.Outcome > ir.Allow {
			return fmt.Errorf("risk %s: a band that does not allow, notify or hold", r.Name)
		}
	}
	return nil
}

// builtEverywhere says that the go command takes a file of this name for every
// system: x_linux.prov.go would be for Linux, and _x.prov.go for nobody.
func builtEverywhere(name string) bool {
	nowhere := build.Context{
		GOOS: "none", GOARCH: "none", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		},
	}
	ok, err := nowhere.MatchFile(".", name)
	return ok && err == nil
}
