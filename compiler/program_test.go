package compiler

import (
	"math"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler/ir"
)

// program compiles an example.
func program(t *testing.T, name string) *ir.Program {
	t.Helper()
	b, err := os.ReadFile("../examples/" + name + "/" + name + ".prov")
	if err != nil {
		t.Fatal(err)
	}
	files := []File{{Name: name + ".prov", Text: b}}
	r := Compile(files)
	if r.Program == nil {
		t.Fatalf("%s does not compile: %s", name, rendered(files))
	}
	if r.Program.Digest != Digest(files) {
		t.Error("the program has another digest than its files")
	}
	return r.Program
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestProgramRisk(t *testing.T) {
	p := program(t, "incident")
	r := p.Risks[0]
	type row struct {
		Tool   string
		Points int
	}
	var base []row
	for _, b := range r.Base {
		base = append(base, row{b.Tool.Name, b.Points})
	}
	same(t, "base", []row{{"rollback_config", 1}, {"disable_compliance_checks", 4}}, base)

	type factor struct {
		Name, Attr, Enum string
		Trait            bool
		Points           []int
	}
	var factors []factor
	for _, f := range r.Factors {
		factors = append(factors, factor{f.Name, f.Attr, f.Enum.Name, f.Trait != nil, f.Points})
		if len(f.RowPos) != len(f.Points) || f.RowPos[0].Line == 0 || f.RowPos[0].File != "incident.prov" {
			t.Errorf("%s: rows have no places: %v", f.Name, f.RowPos)
		}
	}
	// Points stand in the order of the members, not in the order of the rows.
	same(t, "factors", []factor{
		{"target.tier", "tier", "Tier", false, []int{2, 1, 0}},
		{"blast_radius", "", "blast_radius", true, []int{0, 1, 2}},
		{"effects", "", "effects", true, []int{0, 3}},
	}, factors)

	type band struct {
		Outcome ir.Outcome
		Lo, Hi  int
	}
	var bands []band
	for _, b := range r.Bands {
		bands = append(bands, band{b.Outcome, b.Lo, b.Hi})
	}
	same(t, "bands", []band{{ir.Allow, math.MinInt, 3}, {ir.Notify, 4, 6}, {ir.Hold, 7, math.MaxInt}}, bands)
}

func TestProgramPolicy(t *testing.T) {
	p := program(t, "incident")
	pol := p.Policies[0]
	same(t, "bounds", []any{8, 2 * time.Minute, 1, 1, 0},
		[]any{pol.MaxSteps, pol.Deadline, pol.MalformedRetries, pol.Replans, pol.NoProgress})
	b := *pol.Budget
	b.Pos = ir.Pos{}
	same(t, "budget", ir.Budget{ModelCalls: 12, Tokens: 60000, CostMicros: 750_000, Currency: "usd", Hold: true}, b)
	same(t, "approval", []any{1, "store_operations_manager", 4 * time.Hour}, []any{pol.Approval.Count, pol.Approval.Of, pol.Approval.Within})
	if pol.Agent != p.Agents[0] || pol.Risk != p.Risks[0] || pol.Cause == nil || len(pol.Inputs) != 1 {
		t.Errorf("the policy is not linked: %+v", pol)
	}
}

func TestProgramBelief(t *testing.T) {
	p := program(t, "incident")
	b := p.Beliefs[0]
	same(t, "thresholds", []int64{500_000, 700_000, 500_000}, []int64{b.Commit, b.Flip, b.Retract})
	same(t, "lessons", []ir.Lesson{{State: 0}, {State: 0, Not: true}}, []ir.Lesson{
		{State: b.Learn.Confirmed.State, Not: b.Learn.Confirmed.Not},
		{State: b.Learn.Refuted.State, Not: b.Learn.Refuted.Not},
	})
	var weights []int64
	for _, w := range b.Evidence.Classes {
		weights = append(weights, w.Micros)
	}
	same(t, "weights", []int64{600_000, 550_000, 500_000, 150_000, 0}, weights)
	same(t, "times", []time.Duration{720 * time.Hour, 720 * time.Hour, 24 * time.Hour},
		[]time.Duration{b.Evidence.HalfLife, b.Expires, p.Standing.Within})
	same(t, "reverify", "read_service", b.Reverify.Name)
}

func TestProgramLifecycle(t *testing.T) {
	p := program(t, "intake")
	l := p.Lifecycles[0]
	var states []string
	for i := range l.States.Members {
		states = append(states, l.States.Members[i].Name)
	}
	same(t, "states", []string{"uploaded", "extracted", "needs_review", "approved"}, states)
	same(t, "a person's states", []bool{false, false, false, true}, l.Person)
	for i, tool := range p.Tools {
		if tool.Index != i {
			t.Errorf("%s has index %d, want %d", tool.Name, tool.Index, i)
		}
		m := tool.Moves[0]
		same(t, tool.Name, []int{0, i, i + 1}, []int{m.Attr, m.From, m.To})
	}
}

func TestProgramConditions(t *testing.T) {
	p := program(t, "intake")
	zero := p.Tools[1].Flags[0]
	and, ok := zero.When.(ir.And)
	if !ok {
		t.Fatalf("got %T, want a conjunction", zero.When)
	}
	amount := p.Tools[1].Arg("amount")
	same(t, "presence", ir.Cond(ir.Present{Arg: amount}), and.Args[0])
	cmp := and.Args[1].(ir.Compare)
	same(t, "comparison", []any{ir.Eq, ir.Value{N: 0}, 2, zero.Pos.Line}, []any{cmp.Op, cmp.Y.(ir.Const).Value, cmp.Y.Of().Scale, cmp.Pos.Line})
	large := p.Tools[1].Flags[1].When.(ir.And).Args[1].(ir.Compare)
	same(t, "a large amount in hundredths", int64(100_000_000), large.Y.(ir.Const).Value.N)
}

// TestScales compares decimals of different scale in both orders.
func TestScales(t *testing.T) {
	r := Compile([]File{{Name: "demo.prov", Text: []byte(`package demo

entity account { limit decimal(4) }
tool pay on account {
  args { amount decimal(2) }
  flag over  when amount > target.limit
  flag under when target.limit >= amount
}
`)}})
	over := r.Program.Tools[0].Flags[0].When.(ir.Compare)
	under := r.Program.Tools[0].Flags[1].When.(ir.Compare)
	same(t, "digits to add", [][2]int{{2, 0}, {0, 2}}, [][2]int{{over.ScaleX, over.ScaleY}, {under.ScaleX, under.ScaleY}})
}

// TestNoFiles compiles nothing at all: a finding without a place, and no program.
func TestNoFiles(t *testing.T) {
	r := Compile(nil)
	if r.Program != nil || r.Report.Len() != 1 {
		t.Errorf("got a program: %v, and %d findings", r.Program != nil, r.Report.Len())
	}
	if got := rendered(nil); got == "" || got == "ok\n" {
		t.Errorf("got %q", got)
	}
}
