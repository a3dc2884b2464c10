package interp

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provlang/prov/compiler/ir"
)

func vocabulary(name string, members ...string) *ir.Enum {
	e := &ir.Enum{Decl: ir.Decl{Name: name}}
	for _, m := range members {
		e.Members = append(e.Members, ir.Decl{Name: m})
	}
	return e
}

// incidentRisk is the first example's table, written down by hand.
func incidentRisk() (p *ir.Program, rollback, disable *ir.Tool, r *ir.Risk) {
	tier := vocabulary("Tier", "tier1", "tier2", "tier3")
	radius := vocabulary("blast_radius", "single", "multi_service", "org_wide")
	effects := vocabulary("effects", "reversible", "irreversible")
	on := &ir.Entity{Decl: ir.Decl{Name: "service"}, Attrs: []*ir.Field{{Decl: ir.Decl{Name: "tier"}, Type: &ir.Type{Kind: ir.EnumType, Enum: tier}}}}
	tool := func(name string, r, e int) *ir.Tool {
		return &ir.Tool{Decl: ir.Decl{Name: name}, Target: on, Traits: []ir.TraitValue{{Trait: radius, Member: r}, {Trait: effects, Member: e}}}
	}
	rollback = tool("rollback_config", 0, 0)
	disable = tool("disable_compliance_checks", 2, 1)
	r = &ir.Risk{
		Decl: ir.Decl{Name: "incident_risk"},
		Base: []ir.BaseRow{{Tool: rollback, Points: 1}, {Tool: disable, Points: 4}},
		Factors: []*ir.Factor{
			{Name: "target.tier", Attr: "tier", Enum: tier, Points: []int{2, 1, 0}},
			{Name: "blast_radius", Trait: radius, Enum: radius, Points: []int{0, 1, 2}},
			{Name: "effects", Trait: effects, Enum: effects, Points: []int{0, 3}},
		},
		Bands: []ir.Band{{Outcome: ir.Allow, Lo: 0, Hi: 3}, {Outcome: ir.Notify, Lo: 4, Hi: 6}, {Outcome: ir.Hold, Lo: 7, Hi: math.MaxInt}},
	}
	p = &ir.Program{Tools: []*ir.Tool{rollback, disable}, Risks: []*ir.Risk{r}}
	return p, rollback, disable, r
}

// All 36 cells, by hand: a line for each tool and tier, and in it the blast radius
// from narrow to wide, reversible before irreversible.
func TestEveryCellOfTheIncidentTable(t *testing.T) {
	_, _, _, r := incidentRisk()
	want := strings.TrimLeft(`
rollback_config tier1: 3 6 4 7 5 8
rollback_config tier2: 2 5 3 6 4 7
rollback_config tier3: 1 4 2 5 3 6
disable_compliance_checks tier1: 6 9 7 10 8 11
disable_compliance_checks tier2: 5 8 6 9 7 10
disable_compliance_checks tier3: 4 7 5 8 6 9
`, "\n")
	var got strings.Builder
	n := 0
	for c := range Cells(r) {
		if n++; c.Members[1] == 0 && c.Members[2] == 0 {
			fmt.Fprintf(&got, "%s %s:", c.Tool.Name, r.Factors[0].Enum.Members[c.Members[0]].Name)
		}
		fmt.Fprintf(&got, " %d", c.Score)
		if c.Members[1] == 2 && c.Members[2] == 1 {
			got.WriteByte('\n')
		}
		want := ir.Hold
		if c.Score <= 6 {
			want = ir.Notify
		}
		if c.Score <= 3 {
			want = ir.Allow
		}
		if c.Band.Outcome != want {
			t.Errorf("score %d gives %s, want %s", c.Score, c.Band.Outcome, want)
		}
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("cells (-want +got)\n%s", diff)
	}
	if n != 36 || Count(r) != 36 {
		t.Errorf("%d cells, counted as %d", n, Count(r))
	}
}

func TestExplain(t *testing.T) {
	p, rollback, disable, r := incidentRisk()
	m := New(p)
	tests := []struct {
		tool *ir.Tool
		tier string
		want string
	}{
		{disable, "tier1", `
base          disable_compliance_checks   4
target.tier   tier1                      +2
blast_radius  org_wide                   +2
effects       irreversible               +3
total                                    11   hold   (7..)
`},
		{rollback, "tier2", `
base          rollback_config   1
target.tier   tier2            +1
blast_radius  single            0
effects       reversible        0
total                           2   allow   (0..3)
`},
	}
	for _, tt := range tests {
		sum, err := m.Explain(tt.tool, r, map[string]string{"target.tier": tt.tier})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimLeft(tt.want, "\n"), sum.String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.tool.Name, diff)
		}
	}
}

func TestExplainAsksForWhatItNeeds(t *testing.T) {
	p, rollback, _, r := incidentRisk()
	reader := &ir.Tool{Decl: ir.Decl{Name: "read_service"}, Read: true}
	tests := []struct {
		tool  *ir.Tool
		given map[string]string
		want  string
	}{
		{rollback, nil, "`target.tier` is missing: say target.tier=MEMBER, one of tier1, tier2, tier3"},
		{rollback, map[string]string{"target.teir": "tier1"}, "`incident_risk` has no factor `target.teir`; did you mean `target.tier`?"},
		{rollback, map[string]string{"tier": "tier1"}, "`incident_risk` has no factor `tier`; did you mean `target.tier`?"},
		{rollback, map[string]string{"confidence": "high"}, "`incident_risk` has no factor `confidence`"},
		{rollback, map[string]string{"target.tier": "teir1"}, "`teir1` is no member of `Tier`, which has tier1, tier2, tier3; did you mean `tier1`?"},
		{rollback, map[string]string{"target.tier": "tier1", "effects": "irreversible"}, "`effects` comes from the contract of `rollback_config`, which says `reversible`"},
		{reader, map[string]string{"target.tier": "tier1"}, "`read_service` has no base row in `incident_risk`"},
	}
	for _, tt := range tests {
		_, err := New(p).Explain(tt.tool, r, tt.given)
		if err == nil {
			t.Errorf("%v: no error, want %q", tt.given, tt.want)
			continue
		}
		if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.given, diff)
		}
	}
	if _, err := New(p).Explain(rollback, r, map[string]string{"target.tier": "tier1", "effects": "reversible"}); err != nil {
		t.Errorf("what the contract says may be said again: %v", err)
	}
}

func factor(r *ir.Risk, name string) ir.FactorValue {
	f := factorNamed(r, name)
	return ir.FactorValue{Name: name, Type: &ir.Type{Kind: ir.EnumType, Enum: f.Enum}}
}

func is(x ir.FactorValue, member string) ir.Cond {
	return ir.Compare{Op: ir.Eq, X: x, Y: ir.Const{Value: ir.Value{N: int64(x.Type.Enum.Index(member))}, Type: x.Type}}
}

func TestProve(t *testing.T) {
	p, _, _, r := incidentRisk()
	tool := ir.FactorValue{Name: "tool", Type: &ir.Type{Kind: ir.EnumType, Enum: vocabulary("tool", "disable_compliance_checks", "rollback_config")}}
	wide, forever := is(factor(r, "blast_radius"), "org_wide"), is(factor(r, "effects"), "irreversible")
	tests := []struct {
		name    string
		where   ir.Cond
		expect  ir.Outcome
		passed  bool
		cells   int
		matched int
		counter string // tool and members, then the score
		problem string
	}{
		{"holds", ir.And{Args: []ir.Cond{wide, forever}}, ir.Hold, true, 36, 3, "", ""},
		{"by tool", is(tool, "disable_compliance_checks"), ir.Hold, true, 36, 3, "", ""},
		{"lowest first", nil, ir.Hold, false, 36, 6, "rollback_config tier3 single reversible 1", ""},
		{"by member", is(factor(r, "target.tier"), "tier1"), ir.Hold, false, 36, 2, "rollback_config tier1 single reversible 3", ""},
		{"not by tool", ir.Not{X: is(tool, "disable_compliance_checks")}, ir.Allow, true, 36, 3, "", ""},
		{"everything", nil, ir.Allow, false, 36, 6, "disable_compliance_checks tier3 org_wide irreversible 9", ""},
		{"nothing", ir.And{Args: []ir.Cond{wide, ir.Not{X: wide}}}, ir.Hold, false, 36, 0, "", "the condition fits no cell that a contract can reach"},
		{"nothing that a contract states", is(factor(r, "blast_radius"), "multi_service"), ir.Hold, false, 36, 0, "", "the condition fits no cell that a contract can reach"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.Proofs = []*ir.Proof{{Where: tt.where, Expect: tt.expect, Risks: []*ir.Risk{r}}}
			got := New(p).Prove()[0]
			counter := ""
			if c := got.Counter; c != nil {
				counter = c.Tool.Name
				for _, part := range c.Sum.Parts[1:] {
					counter += " " + part.Value
				}
				counter += fmt.Sprint(" ", c.Sum.Total)
			}
			type result struct {
				Passed           bool
				Cells, Matched   int
				Counter, Problem string
			}
			want := result{tt.passed, tt.cells, tt.matched, tt.counter, tt.problem}
			if diff := cmp.Diff(want, result{got.Passed, got.Cells, got.Matched, counter, got.Problem}); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestProofShowsItsCounterExample(t *testing.T) {
	p, _, _, r := incidentRisk()
	p.Proofs = []*ir.Proof{{Where: is(factor(r, "effects"), "reversible"), Expect: ir.Hold, Risks: []*ir.Risk{r}}}
	want := strings.TrimLeft(`
  expected  hold, in each of 3 cells
  got       allow, of `+"`incident_risk`"+` at its lowest score:
    base          rollback_config  1
    target.tier   tier3            0
    blast_radius  single           0
    effects       reversible       0
    total                          1   allow   (0..3)
`, "\n")
	if diff := cmp.Diff(want, New(p).Prove()[0].String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// wideRisk has tools x 10^factors cells, and a proof over them that holds.
func wideRisk(factors int) *ir.Program {
	digits := vocabulary("digit", "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9")
	r := &ir.Risk{Base: []ir.BaseRow{{Tool: &ir.Tool{Decl: ir.Decl{Name: "t"}}}}}
	for i := range factors {
		r.Factors = append(r.Factors, &ir.Factor{Name: fmt.Sprint("target.f", i), Attr: fmt.Sprint("f", i), Enum: digits, Points: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}})
	}
	r.Bands = []ir.Band{{Outcome: ir.Allow, Lo: 0, Hi: 9}, {Outcome: ir.Hold, Lo: 10, Hi: math.MaxInt}}
	first, last := r.Factors[0].Name, r.Factors[factors-1].Name
	where := ir.And{Args: []ir.Cond{is(factor(r, first), "d9"), ir.Not{X: is(factor(r, last), "d0")}}}
	return &ir.Program{Risks: []*ir.Risk{r}, Proofs: []*ir.Proof{{Where: where, Expect: ir.Hold, Risks: []*ir.Risk{r}}}}
}

func TestMillionCellsAllocateNothingEach(t *testing.T) {
	m := New(wideRisk(6))
	var got ProofResult
	allocs := testing.AllocsPerRun(1, func() { got = m.Prove()[0] })
	if !got.Passed || got.Cells != 1_000_000 || got.Matched != 90_000 {
		t.Errorf("%+v", got)
	}
	if allocs > 100 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestTooManyCellsAreNotProved(t *testing.T) {
	for _, factors := range []int{9, 25} {
		got := New(wideRisk(factors)).Prove()[0]
		if got.Passed || got.Problem == "" {
			t.Errorf("%d factors: %+v", factors, got)
		}
	}
}

func BenchmarkProve(b *testing.B) {
	m := New(wideRisk(6))
	for b.Loop() {
		m.Prove()
	}
}

// Where points rise along a vocabulary, so do scores, and outcomes only tighten.
func TestScoresAreMonotone(t *testing.T) {
	_, _, _, r := incidentRisk()
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.IntRange(0, 1).Draw(t, "tool")
		var low, high []int
		for i, f := range r.Factors {
			n := len(f.Points) - 1
			a := rapid.IntRange(0, n).Draw(t, f.Name)
			b := rapid.IntRange(a, n).Draw(t, f.Name+" raised")
			if i == 0 { // tiers are declared from the gravest down
				a, b = n-a, n-b
			}
			low, high = append(low, a), append(high, b)
		}
		score := func(members []int) Sum {
			i := -1
			return add(r, r.Base[row].Tool, func(*ir.Factor) int { i++; return members[i] })
		}
		if l, h := score(low), score(high); l.Total > h.Total || l.Outcome() < h.Outcome() {
			t.Fatalf("%v gives %d, %v gives %d", low, l.Total, high, h.Total)
		}
	})
}

// Of equal scores the first in declared order is shown.
func TestCounterExampleIsTheFirstOfEquals(t *testing.T) {
	p := wideRisk(3)
	p.Proofs[0].Where = nil
	got := New(p).Prove()[0].Counter
	if got == nil || got.Sum.Total != 0 {
		t.Fatalf("%+v", got)
	}
	p.Proofs[0].Expect = ir.Allow
	var values []string
	for _, part := range New(p).Prove()[0].Counter.Sum.Parts[1:] {
		values = append(values, part.Value)
	}
	if diff := cmp.Diff([]string{"d0", "d1", "d9"}, values); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
