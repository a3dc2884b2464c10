package gen_test

import (
	"math"
	"time"

	"github.com/provlang/prov/compiler/ir"
)

// words is the text of a program that its author chose.
type words struct {
	pkg, file, name, member, doc, text string
}

var plainWords = words{pkg: "sample", file: "sample.prov", name: "restart", member: "small", doc: "What it is.", text: "v[0-9]+"}

// sample is a program made by hand that has everything a program can have, with
// the author's text at every place that text can stand in.
func sample(w words) *ir.Program {
	decl := func(name string, line int) ir.Decl {
		return ir.Decl{Name: name, Doc: []string{w.doc}, Pos: ir.Pos{File: w.file, Line: line, Col: 1}}
	}
	pos := func(line int) ir.Pos { return ir.Pos{File: w.file, Line: line, Col: 1} }
	tier := &ir.Enum{Decl: decl("Tier", 1), Members: []ir.Decl{decl(w.member, 2), decl("tier2", 2)}}
	size := &ir.Enum{Decl: decl("size", 3), Kind: ir.EnumTrait, Members: []ir.Decl{decl("little", 3), decl("much", 3)}}
	states := &ir.Enum{Decl: decl("job_state", 4), Kind: ir.EnumLifecycle, Members: []ir.Decl{decl("idle", 4), decl("running", 4)}}
	pattern := &ir.Pattern{Source: w.text, Classes: 2, Next: []uint16{0, ir.Dead}, Accept: []bool{true}}
	version := &ir.Type{Kind: ir.String, Name: "version", Lo: 1, Hi: 32, Pattern: pattern}
	enumType := &ir.Type{Kind: ir.EnumType, Enum: tier}
	money := &ir.Type{Kind: ir.Decimal, Scale: 2}
	rate := &ir.Type{Kind: ir.Decimal, Scale: 4}
	flag := &ir.Type{Kind: ir.Bool}
	whole := &ir.Type{Kind: ir.Int, Lo: 0, Hi: 9}
	job := &ir.Entity{Decl: decl("job", 5)}
	job.Attrs = []*ir.Field{
		{Decl: decl("tier", 6), Type: enumType},
		{Decl: decl("state", 7), Type: &ir.Type{Kind: ir.EnumType, Enum: states}},
		{Decl: decl("paid", 8), Type: rate},
		{Decl: decl("label", 9), Type: version},
	}
	jobRef := &ir.Type{Kind: ir.Ref, Entity: job}

	read := &ir.Tool{Decl: decl("read_job", 10), Index: 0, Target: job, Read: true, Result: []*ir.Field{
		{Decl: decl("label", 11), Type: version, Trusted: true, Class: w.text},
		{Decl: decl("ready", 11), Type: flag},
	}}
	act := &ir.Tool{Decl: decl(w.name, 12), Index: 1, Target: job, Idempotent: true,
		Traits: []ir.TraitValue{{Trait: size, Member: 1, Pos: pos(13)}},
		Args: []*ir.Field{
			{Decl: decl("amount", 14), Type: money, Optional: true, Sensitive: true},
			{Decl: decl("tier", 15), Type: enumType},
			{Decl: decl("other", 16), Type: jobRef, Optional: true},
			{Decl: decl("note", 17), Type: version, Optional: true, Default: &ir.Value{S: w.text}},
			{Decl: decl("dry", 18), Type: flag},
			{Decl: decl("count", 19), Type: whole},
		},
	}
	arg := func(i int) ir.Arg { return ir.Arg{Index: i, Type: act.Args[i].Type} }
	target := func(i int) ir.Target { return ir.Target{Attr: i, Type: job.Attrs[i].Type} }
	result := func(i int) ir.Result { return ir.Result{Index: i, Type: read.Result[i].Type} }
	act.Flags = []*ir.Flag{
		{Decl: decl("nothing", 20), Hold: true, When: ir.And{Args: []ir.Cond{
			ir.Present{Arg: 0}, ir.Compare{Op: ir.Eq, X: arg(0), Y: ir.Const{Type: money}},
		}}},
		{Decl: decl("odd", 21), Index: 1, When: ir.Or{Args: []ir.Cond{
			ir.Not{X: ir.Truth{X: arg(4)}},
			ir.In{X: arg(1), Set: []ir.Value{{N: 0}, {N: 1}}},
			ir.And{Args: []ir.Cond{ir.Present{Arg: 0}, ir.Compare{Op: ir.Gt, X: arg(0), Y: target(2), ScaleX: 2}}},
			ir.Compare{Op: ir.Ne, X: target(3), Y: ir.Const{Value: ir.Value{S: w.text}, Type: version}},
			ir.Compare{Op: ir.Lt, X: target(0), Y: ir.Const{Value: ir.Value{N: 1}, Type: enumType}},
		}}},
	}
	act.Verify = &ir.Verify{By: read, Pos: pos(22),
		Confirmed: ir.Compare{Op: ir.Eq, X: result(0), Y: target(3)},
		Refuted:   ir.Or{Args: []ir.Cond{ir.Compare{Op: ir.Ne, X: result(0), Y: target(3)}, ir.Not{X: ir.Truth{X: result(1)}}}},
	}
	act.Moves = []ir.Move{{Attr: 1, From: 0, To: 1, Pos: pos(23)}}

	risk := &ir.Risk{Decl: decl("job_risk", 30),
		Base: []ir.BaseRow{{Tool: act, Points: 1, Pos: pos(31)}},
		Factors: []*ir.Factor{
			{Name: "target.tier", Attr: "tier", Enum: tier, Points: []int{2, -1}, RowPos: []ir.Pos{pos(32), pos(32)}, Pos: pos(32)},
			{Name: "size", Trait: size, Enum: size, Points: []int{0, 3}, RowPos: []ir.Pos{pos(33), pos(33)}, Pos: pos(33)},
		},
		Bands: []ir.Band{
			{Outcome: ir.Allow, Lo: math.MinInt, Hi: 3, Pos: pos(34)},
			{Outcome: ir.Hold, Lo: 4, Hi: math.MaxInt, Pos: pos(35)},
		},
	}
	approval := &ir.Approval{Decl: decl("boss", 36), Count: 1, Of: w.text, Within: 90 * time.Minute}
	belief := &ir.Belief{Decl: decl("health", 37), On: job, States: tier,
		Learn: ir.Learn{Confirmed: &ir.Lesson{State: 0}, Refuted: &ir.Lesson{State: 1, Not: true}}}
	agent := &ir.Agent{Decl: decl("worker", 38), Scope: []*ir.Tool{act, read}, Believes: []*ir.Belief{belief}}
	policy := &ir.Policy{Decl: decl("normal", 39), Agent: agent, Tools: []*ir.Tool{act, read}, Risk: risk,
		Approval: approval, Cause: tier, MaxSteps: 5, Deadline: 2 * time.Minute, MalformedRetries: 1, Replans: 1, NoProgress: 3,
		Inputs: []*ir.Field{{Decl: decl("job", 40), Type: jobRef}},
		Budget: &ir.Budget{ModelCalls: 12, Tokens: -1, CostMicros: 750000, Currency: w.text, Hold: true, Pos: pos(41)},
	}
	return &ir.Program{
		Name: w.pkg, Files: []string{w.file},
		Enums: []*ir.Enum{tier, size, states}, Types: []*ir.Named{{Decl: decl("version", 50), Type: version}},
		Entities: []*ir.Entity{job}, Tools: []*ir.Tool{read, act}, Risks: []*ir.Risk{risk},
		Approvals: []*ir.Approval{approval}, Agents: []*ir.Agent{agent}, Policies: []*ir.Policy{policy},
		Beliefs:   []*ir.Belief{belief},
		Workflows: []*ir.Workflow{{Decl: decl("straight", 51), Steps: []*ir.Tool{read, act}}},
	}
}
