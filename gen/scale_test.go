package gen_test

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen"
)

func manyTools(n int) *ir.Program {
	tier := &ir.Enum{Decl: ir.Decl{Name: "Tier", Pos: ir.Pos{File: "a.prov", Line: 1}}, Members: []ir.Decl{{Name: "tier1"}, {Name: "tier2"}, {Name: "tier3"}}}
	size := &ir.Enum{Decl: ir.Decl{Name: "size", Pos: ir.Pos{File: "a.prov", Line: 2}}, Kind: ir.EnumTrait, Members: []ir.Decl{{Name: "small"}, {Name: "large"}}}
	job := &ir.Entity{Decl: ir.Decl{Name: "job"}, Attrs: []*ir.Field{{Decl: ir.Decl{Name: "tier"}, Type: &ir.Type{Kind: ir.EnumType, Enum: tier}}}}
	p := &ir.Program{Name: "many", Files: []string{"a.prov"}, Enums: []*ir.Enum{tier, size}, Entities: []*ir.Entity{job}}
	risk := &ir.Risk{Decl: ir.Decl{Name: "many_risk"},
		Factors: []*ir.Factor{
			{Name: "target.tier", Attr: "tier", Enum: tier, Points: []int{2, 1, 0}, RowPos: make([]ir.Pos, 3)},
			{Name: "size", Trait: size, Enum: size, Points: []int{0, 3}, RowPos: make([]ir.Pos, 2)},
		},
		Bands: []ir.Band{{Outcome: ir.Allow, Lo: math.MinInt, Hi: 3}, {Outcome: ir.Hold, Lo: 4, Hi: math.MaxInt}},
	}
	for i := range n {
		pos := ir.Pos{File: "a.prov", Line: 10 + 10*i}
		t := &ir.Tool{Decl: ir.Decl{Name: fmt.Sprintf("change_record_%d", i), Pos: pos, Doc: []string{"Change one record."}}, Index: i, Target: job, Idempotent: true,
			Traits: []ir.TraitValue{{Trait: size, Member: i % 2}},
			Args: []*ir.Field{
				{Decl: ir.Decl{Name: "amount", Pos: pos}, Type: &ir.Type{Kind: ir.Decimal, Scale: 2}, Optional: true},
				{Decl: ir.Decl{Name: "count", Pos: pos}, Type: &ir.Type{Kind: ir.Int, Hi: 10}},
				{Decl: ir.Decl{Name: "tier", Pos: pos}, Type: &ir.Type{Kind: ir.EnumType, Enum: tier}},
			}}
		t.Flags = []*ir.Flag{{Decl: ir.Decl{Name: "zero", Pos: pos}, When: ir.And{Args: []ir.Cond{ir.Present{Arg: 0}, ir.Compare{X: ir.Arg{Index: 0, Type: t.Args[0].Type}, Y: ir.Const{Type: t.Args[0].Type}}}}}}
		p.Tools = append(p.Tools, t)
		risk.Base = append(risk.Base, ir.BaseRow{Tool: t, Points: i % 7, Pos: pos})
	}
	agent := &ir.Agent{Decl: ir.Decl{Name: "worker"}, Scope: p.Tools}
	p.Risks = []*ir.Risk{risk}
	p.Policies = []*ir.Policy{{Decl: ir.Decl{Name: "normal"}, Agent: agent, Tools: p.Tools, Risk: risk, MaxSteps: 5, Deadline: time.Minute}}
	return p
}

func BenchmarkMany(b *testing.B) {
	p := manyTools(10000)
	b.ReportAllocs()
	for b.Loop() {
		fs, err := gen.Package(p)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, f := range fs {
			n += len(f.Content)
			if d := os.Getenv("OUT"); d != "" {
				os.WriteFile(d+"/"+f.Name, f.Content, 0o644)
			}
		}
		b.ReportMetric(float64(n)/1e6, "MB-out")
	}
}
