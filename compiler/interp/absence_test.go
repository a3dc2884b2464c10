package interp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
)

// formula is a condition over three optional arguments, written without regard to
// what may be read where.
type formula struct {
	op   string // and, or, not, read, present, absent
	arg  int
	subs []*formula
}

var optionals = []string{"ash", "birch", "cedar"}

func randomFormula(r *rand.Rand, depth int) *formula {
	if depth == 0 || r.IntN(4) == 0 {
		return &formula{op: []string{"read", "read", "present", "absent"}[r.IntN(4)], arg: r.IntN(len(optionals))}
	}
	f := &formula{op: []string{"and", "or", "and", "or", "not"}[r.IntN(5)]}
	n := 2 + r.IntN(2)
	if f.op == "not" {
		n = 1
	}
	for range n {
		f.subs = append(f.subs, randomFormula(r, depth-1))
	}
	return f
}

func (f *formula) String() string {
	switch f.op {
	case "read":
		return optionals[f.arg]
	case "present", "absent":
		return optionals[f.arg] + " " + f.op
	case "not":
		return "not (" + f.subs[0].String() + ")"
	}
	var parts []string
	for _, s := range f.subs {
		parts = append(parts, "("+s.String()+")")
	}
	return strings.Join(parts, " "+f.op+" ")
}

// holds evaluates from left to right; early is set where an argument is read that
// was not given. Of each argument, 0 is not given, 1 is false, 2 is true.
func (f *formula) holds(given [3]int, early *bool) bool {
	switch f.op {
	case "read":
		*early = *early || given[f.arg] == 0
		return given[f.arg] == 2
	case "present":
		return given[f.arg] != 0
	case "absent":
		return given[f.arg] == 0
	case "not":
		return !f.subs[0].holds(given, early)
	}
	for _, s := range f.subs {
		if s.holds(given, early) == (f.op == "or") {
			return f.op == "or"
		}
	}
	return f.op == "and"
}

// What the checker lets through never reads an argument that is not there, and
// means what it says: for every way in which the three may be given or not.
func TestAbsenceIsSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compiled, guarded := 0, 0
	for range 4000 {
		f := randomFormula(r, 1+r.IntN(3))
		text := fmt.Sprintf(`package p
tool act {
  args { ash bool optional, birch bool optional, cedar bool optional }
  flag it when %s
}
agent someone { scope act }
policy one { agent someone
  tools act
  max_steps 1
  deadline 1m
}
`, f)
		text = strings.ReplaceAll(text, ", birch", "\n    birch")
		text = strings.ReplaceAll(text, ", cedar", "\n    cedar")
		p := compiler.Compile([]compiler.File{{Name: "p.prov", Text: []byte(text)}}).Program
		if p == nil {
			continue
		}
		compiled++
		if strings.Contains(f.String(), " and ") || strings.Contains(f.String(), " or ") {
			guarded++
		}
		for n := range 27 {
			given := [3]int{n % 3, n / 3 % 3, n / 9}
			args := make([]*ir.Value, 3)
			for i, g := range given {
				if g > 0 {
					args[i] = &ir.Value{N: int64(g - 1)}
				}
			}
			early := false
			want := f.holds(given, &early)
			if early {
				t.Fatalf("`%s` compiles, and reads an argument that is not there where they are %v", f, given)
			}
			d := interp.New(p).Decide(interp.Case{
				Policy:   p.Policies[0],
				Identity: interp.IdentityGood,
				Tenant:   "t",
				Proposal: interp.Proposal(p.Policies[0], &ir.Call{Tool: p.Tools[0], Args: args, Cause: -1}),
			})
			if d.Reason != interp.Allowed || slices.Contains(d.Flags, "it") != want {
				t.Fatalf("`%s` where they are %v: %+v, want the flag: %v", f, given, d, want)
			}
		}
	}
	if compiled < 200 || guarded < 150 {
		t.Errorf("%d formulas compiled, %d of them of several parts: too few to mean anything", compiled, guarded)
	}
}
