package policy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

func TestOpenTakesWhatAGeneratorWrites(t *testing.T) {
	for name, s := range map[string]*policy.Spec{
		"incident":         policytest.Incident(),
		"desk":             policytest.Desk(),
		"desk, with cells": policytest.WithCells(policytest.Desk()),
		"many":             policytest.Many(1000),
	} {
		if _, err := policy.Open(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each case breaks one thing, and must be told that very thing.
func TestOpenRefuses(t *testing.T) {
	type spec = policy.Spec
	account := func(s *spec) []policy.Field { return s.Package.Entities[policytest.Account].Attrs }
	arg := func(s *spec, i int) *policy.Field { return &s.Package.Tools[policytest.Transfer].Args[i] }
	tool := func(s *spec, i int) *policy.Tool { return &s.Package.Tools[i] }
	row := func(s *spec, i int) *policy.Row { return &s.Risk.Rows[i] }
	nowhere := policy.Pos{File: 1, Line: 1}
	for _, c := range []struct {
		name  string
		wrong func(s *spec)
		want  string
	}{
		// The policy.
		{"no package", func(s *spec) { s.Package = nil }, "no package to open"},
		{"no name", func(s *spec) { s.Name = "" }, "not an identifier"},
		{"name of code", func(s *spec) { s.Name = "a b" }, "not an identifier"},
		{"no agent", func(s *spec) { s.Agent = "" }, "its agent"},
		{"no max_steps", func(s *spec) { s.MaxSteps = 0 }, "max_steps is 0"},
		{"max_steps below", func(s *spec) { s.MaxSteps = -1 }, "max_steps is -1"},
		{"no deadline", func(s *spec) { s.Deadline = 0 }, "deadline is 0s"},
		{"deadline below", func(s *spec) { s.Deadline = -time.Second }, "deadline is -1s"},
		{"retries", func(s *spec) { s.MalformedRetries = -1 }, "below 0"},
		{"replans", func(s *spec) { s.Replans = -1 }, "below 0"},
		{"no progress", func(s *spec) { s.NoProgress = -1 }, "below 0"},
		{"grants", func(s *spec) { s.Grants = s.Grants[1:] }, "7 grants for 8 tools"},
		{"grant", func(s *spec) { s.Grants[2] = 4 }, `grant 0x4 of tool "ping"`},
		{"no causes", func(s *spec) { s.Cause = []string{} }, "causes"},
		{"cause twice", func(s *spec) { s.Cause = []string{"a", "a"} }, "causes"},
		{"line", func(s *spec) { s.Line = nowhere }, "line is in no file"},
		{"input", func(s *spec) { s.Inputs = []policy.Field{{Name: "x"}} }, `input "x": there is no kind 0`},
		{"approval name", func(s *spec) { s.Approval = &policy.Approval{Count: 1, Of: "boss", Within: 1} }, "approval"},
		{"approval count", func(s *spec) { s.Approval = &policy.Approval{Name: "a", Of: "boss", Within: 1} }, "approval"},
		{"approval role", func(s *spec) { s.Approval = &policy.Approval{Name: "a", Count: 1, Within: 1} }, "approval"},
		{"approval time", func(s *spec) { s.Approval = &policy.Approval{Name: "a", Count: 1, Of: "boss"} }, "approval"},
		{"budget below", func(s *spec) { s.Budget.Tokens = -2 }, "below -1"},
		{"budget of nothing", func(s *spec) { s.Budget.ModelCalls = -1 }, "bounds nothing"},
		{"cost without currency", func(s *spec) { s.Budget.CostMicros = 5 }, "currency"},
		{"currency without cost", func(s *spec) { s.Budget.Currency = "eur" }, "currency"},
		{"budget line", func(s *spec) { s.Budget.Line = nowhere }, "budget"},
		{"lesson of nothing", func(s *spec) { s.Lessons = []policy.Lesson{{Belief: "b"}} }, "teaches nothing"},
		{"lesson's negation", func(s *spec) {
			s.Lessons = []policy.Lesson{{Belief: "b", Confirmed: policy.Teaching{State: "x"}, Refuted: policy.Teaching{Not: true}}}
		}, "negation of nothing"},
		{"lesson's entity", func(s *spec) {
			s.Lessons = []policy.Lesson{{Belief: "b", Entity: 2, Confirmed: policy.Teaching{State: "x"}}}
		}, "no entity 2"},
		{"lesson's belief", func(s *spec) { s.Lessons = []policy.Lesson{{}} }, "not an identifier"},

		// The package.
		{"package name", func(s *spec) { s.Package.Name = "9" }, "name is not an identifier"},
		{"digest", func(s *spec) { s.Package.Digest = strings.Repeat("g", 64) }, "digest"},
		{"short digest", func(s *spec) { s.Package.Digest = s.Package.Digest[1:] }, "digest"},
		{"no files", func(s *spec) { s.Package.Files = nil }, "no files"},
		{"files", func(s *spec) { s.Package.Files = []string{"b", "a"} }, "not sorted"},
		{"no tools", func(s *spec) { s.Package.Tools, s.Grants = nil, nil }, "0 tools"},
		{"tools out of order", func(s *spec) { tool(s, 0).Name = "zzz" }, "out of order"},
		{"tool twice", func(s *spec) { tool(s, 1).Name = tool(s, 0).Name }, "stands twice"},
		{"entity name", func(s *spec) { s.Package.Entities[0].Name = "" }, "entity"},
		{"entity twice", func(s *spec) { s.Package.Entities[1].Name = "account" }, "stands twice"},
		{"attribute", func(s *spec) { account(s)[1].Name = "state" }, `attribute "state": its name`},
		{"workflow name", func(s *spec) { s.Package.Workflows[0].Name = "" }, "workflow"},
		{"workflow twice", func(s *spec) { s.Package.Workflows = append(s.Package.Workflows, s.Package.Workflows[0]) }, "stands twice"},
		{"workflow empty", func(s *spec) { s.Package.Workflows[0].Steps = nil }, "no steps"},
		{"workflow tool", func(s *spec) { s.Package.Workflows[0].Steps[1] = 8 }, "no tool 8"},

		// Tools.
		{"tool's entity", func(s *spec) { tool(s, 0).Entity = 2 }, "no entity 2"},
		{"tool's entity below", func(s *spec) { tool(s, 0).Entity = -2 }, "no entity -2"},
		{"tool's line", func(s *spec) { tool(s, 0).Line = nowhere }, "line is in no file"},
		{"tenant", func(s *spec) { arg(s, 0).Name = "tenant" }, "never an argument"},
		{"tenant_id", func(s *spec) { arg(s, 0).Name = "tenant_id" }, "never an argument"},
		{"argument", func(s *spec) { arg(s, 0).Kind = 9 }, `argument "amount": there is no kind 9`},
		{"result", func(s *spec) { tool(s, policytest.ReadAccount).Result[0].Members = nil }, `result "state"`},
		{"reader that moves", func(s *spec) { tool(s, policytest.FreezeAccount).Read = true }, "only reads, and moves"},
		{"move of nothing", func(s *spec) { tool(s, 0).Moves[0].Attr = 9 }, "does not have"},
		{"move of no lifecycle", func(s *spec) { tool(s, 0).Moves[0].Attr = policytest.AccountBalance }, "no states"},
		{"move from", func(s *spec) { tool(s, 0).Moves[0].From = 3 }, "from 3 to 2"},
		{"move to", func(s *spec) { tool(s, 0).Moves[0].To = -1 }, "from 0 to -1"},
		{"move's line", func(s *spec) { tool(s, 0).Moves[0].Line = nowhere }, "line of a move"},
		{"flags without a check", func(s *spec) { tool(s, 1).Check = nil }, "flags and a check"},
		{"check without flags", func(s *spec) { tool(s, 1).Flags = nil }, "flags and a check"},
		{"65 flags", func(s *spec) { tool(s, 1).Flags = make([]policy.Flag, 65) }, "65 flags"},
		{"flag's name", func(s *spec) { tool(s, 1).Flags[0].Name = "" }, "flag"},
		{"flag twice", func(s *spec) { tool(s, 1).Flags[0].Name = tool(s, 1).Flags[1].Name }, "stands twice"},
		{"flag's line", func(s *spec) { tool(s, 1).Flags[0].Line = nowhere }, "line is in no file"},
		{"need", func(s *spec) { tool(s, 1).Needs[0] = 4 }, "needs attribute 4"},
		{"needs out of order", func(s *spec) { tool(s, 1).Needs = []int32{3, 3} }, "out of order"},
		{"need without a check", func(s *spec) { tool(s, 0).Needs = []int32{0} }, "for no check"},
		{"trait twice", func(s *spec) { tool(s, 0).Traits = append(tool(s, 0).Traits, tool(s, 0).Traits[0]) }, "stands twice"},
		{"verify by nothing", func(s *spec) { tool(s, 0).Verify = &policy.Verify{By: 8} }, "no tool 8"},
		{"verify by an act", func(s *spec) { tool(s, 0).Verify = &policy.Verify{By: 1} }, "does not only read"},
		{"verify elsewhere", func(s *spec) { tool(s, 0).Verify = &policy.Verify{By: policytest.Ping} }, "reads something else"},
		{"verify without a predicate", func(s *spec) { tool(s, 0).Verify = &policy.Verify{By: policytest.ReadAccount} }, "neither confirm nor refute"},
		{"verify's line", func(s *spec) {
			tool(s, 0).Verify = &policy.Verify{By: policytest.ReadAccount, Line: nowhere, Refuted: func(_, _ *policy.Record) bool { return true }}
		}, "line is in no file"},

		// Fields.
		{"field's name", func(s *spec) { arg(s, 0).Name = "a-b" }, "not an identifier"},
		{"field twice", func(s *spec) { arg(s, 0).Name = "count" }, "stands twice"},
		{"field's line", func(s *spec) { arg(s, 0).Line = nowhere }, "line is in no file"},
		{"int", func(s *spec) { arg(s, policytest.TransferCount).Lo = 101 }, "holds no integer"},
		{"scale", func(s *spec) { arg(s, 0).Scale = 10 }, "scale of 10"},
		{"string", func(s *spec) { arg(s, policytest.TransferNote).Lo = -1 }, "no length"},
		{"string over", func(s *spec) { arg(s, policytest.TransferNote).Hi = 1 << 20 }, "no length"},
		{"enum", func(s *spec) { arg(s, policytest.TransferUrgency).Members = nil }, "no vocabulary"},
		{"ref", func(s *spec) { arg(s, policytest.TransferPayee).Entity = -1 }, "no entity -1"},
		{"entity of no ref", func(s *spec) { arg(s, 0).Entity = 0 }, "is no reference"},
		{"scale of no decimal", func(s *spec) { arg(s, 1).Scale = 2 }, "is no decimal"},
		{"members of no enum", func(s *spec) { arg(s, 0).Members = []string{"a"} }, "is no enum"},
		{"pattern of no string", func(s *spec) { arg(s, 0).Pattern = policytest.Code() }, "is no string"},
		{"default of what is not optional", func(s *spec) { arg(s, policytest.TransferUrgency).Optional = false }, "default"},
		{"default outside", func(s *spec) { arg(s, policytest.TransferUrgency).Default.N = 3 }, "default"},
		{"default not set", func(s *spec) { arg(s, policytest.TransferUrgency).Default.Set = false }, "default"},
		{"int default", func(s *spec) { arg(s, policytest.TransferCount).Default = &policy.Value{N: 101, Set: true} }, "default"},
		{"bool default", func(s *spec) { arg(s, policytest.TransferExpress).Default = &policy.Value{N: 2, Set: true} }, "default"},
		{"string default", func(s *spec) { arg(s, policytest.TransferNote).Default = &policy.Value{S: "x", Set: true} }, "default"},
		{"ref default", func(s *spec) { arg(s, policytest.TransferPayee).Default = &policy.Value{Set: true} }, "default"},
		{"decimal default", func(s *spec) { arg(s, 0).Optional, arg(s, 0).Default = true, &policy.Value{S: "1", Set: true} }, "default"},

		// Patterns.
		{"pattern's ASCII", func(s *spec) { arg(s, 3).Pattern.ASCII = "" }, "128 code points"},
		{"pattern's class", func(s *spec) { arg(s, 3).Pattern.Classes, arg(s, 3).Pattern.Next = 1, []uint16{0} }, "class 1 of 1"},
		{"pattern's range", func(s *spec) { arg(s, 3).Pattern.Ranges[0].Lo = 100 }, "out of order"},
		{"pattern's range class", func(s *spec) { arg(s, 3).Pattern.Ranges[0].Class = 3 }, "class 3"},
		{"pattern's states", func(s *spec) { arg(s, 3).Pattern.Accept = "0" }, "do not make"},
		{"pattern's transition", func(s *spec) { arg(s, 3).Pattern.Next[4] = 5 }, "state 5 of 5"},
		{"pattern's accept", func(s *spec) { arg(s, 3).Pattern.Accept = "00012" }, "neither accepts"},

		// The risk table.
		{"risk name", func(s *spec) { s.Risk.Name = "" }, "not an identifier"},
		{"rows", func(s *spec) { s.Risk.Rows = s.Risk.Rows[1:] }, "7 rows for 8 tools"},
		{"no bands", func(s *spec) { s.Risk.Bands = nil }, "uncovered"},
		{"band below", func(s *spec) { s.Risk.Bands[0].Lo = 0 }, "uncovered"},
		{"band above", func(s *spec) { s.Risk.Bands[2].Hi = 70 }, "uncovered"},
		{"band hole", func(s *spec) { s.Risk.Bands[1].Lo = 5 }, "do not meet"},
		{"band overlap", func(s *spec) { s.Risk.Bands[1].Lo = 3 }, "do not meet"},
		{"band empty", func(s *spec) { s.Risk.Bands[1] = policy.Band{Lo: 4, Hi: 3, Outcome: policy.Hold} }, "is empty"},
		{"band that refuses", func(s *spec) { s.Risk.Bands[2].Outcome = policy.Refuse }, "does not allow"},
		{"band of nothing", func(s *spec) { s.Risk.Bands[2].Outcome = 4 }, "does not allow"},
		{"band that loosens", func(s *spec) { s.Risk.Bands[1].Outcome, s.Risk.Bands[2].Outcome = policy.Hold, policy.Notify }, "looser"},
		{"band's line", func(s *spec) { s.Risk.Bands[1].Line = nowhere }, "line of band"},
		{"factor twice", func(s *spec) { s.Risk.Factors[1].Name = "target.tier" }, "stands twice"},
		{"factor without a name", func(s *spec) { s.Risk.Factors[1].Name = "" }, "no name"},
		{"factor's points", func(s *spec) { s.Risk.Factors[1].Points = nil }, "pair off"},
		{"factor's lines", func(s *spec) { s.Risk.Factors[1].Lines = nil }, "pair off"},
		{"factor's line", func(s *spec) { s.Risk.Factors[1].Lines[0] = nowhere }, "line is in no file"},
		{"act that is not scored", func(s *spec) { row(s, policytest.Transfer).Scored = false }, "not scored"},
		{"reader that is scored", func(s *spec) { row(s, policytest.ReadAccount).Scored = true }, "only reads, and is scored"},
		{"row's members", func(s *spec) { row(s, 0).Members = nil }, "0 members for 3 factors"},
		{"row's trait", func(s *spec) { row(s, 0).Members[1] = 0 }, "not the contract's"},
		{"row's trait outside", func(s *spec) { row(s, 0).Members[1] = 2 }, "not the contract's"},
		{"row's registry factor", func(s *spec) { row(s, 0).Members[0] = 0 }, "no attribute of the target"},
		{"row's attribute", func(s *spec) { row(s, 0).Attrs[0] = 9 }, "no attribute of the target"},
		{"row's missing attribute", func(s *spec) { row(s, 0).Attrs = row(s, 0).Attrs[:1] }, "no attribute of the target"},
		{"row's needless attribute", func(s *spec) { row(s, 0).Attrs = []int32{1, 2, 0} }, "3 attributes for 2"},
		{"row's other attribute", func(s *spec) { row(s, 0).Attrs[0] = policytest.AccountState }, "different members"},
		{"row's points", func(s *spec) { row(s, 0).Points++ }, "base and traits make"},
		{"row's line", func(s *spec) { row(s, 0).Line = nowhere }, "line is in no file"},
		{"row's sum", func(s *spec) {
			row(s, 0).Base = math.MaxInt32 - 3
			row(s, 0).Points = math.MaxInt32
		}, "leaves 32 bits"},
		{"no cells", func(s *spec) { s.Risk.Cells = []policy.Cell{} }, "without a cell"},
		{"cells cut short", func(s *spec) { policytest.WithCells(s); s.Risk.Cells = s.Risk.Cells[:20] }, "not all there"},
		{"cells from below", func(s *spec) { policytest.WithCells(s); row(s, 0).Start = -1 }, "not all there"},
		{"a cell's score", func(s *spec) { policytest.WithCells(s); s.Risk.Cells[5].Score-- }, "the table makes it"},
		{"a cell's outcome", func(s *spec) { policytest.WithCells(s); s.Risk.Cells[5].Outcome = policy.Allow }, "the table makes it"},
		{"a cell's line", func(s *spec) { policytest.WithCells(s); s.Risk.Cells[5].Line.Line++ }, "the table makes it"},
	} {
		s := policytest.Desk()
		c.wrong(s)
		p, err := policy.Open(s)
		if err == nil || p != nil {
			t.Errorf("%s: opened", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, want it to say %q", c.name, err, c.want)
		}
	}
	if _, err := policy.Open(nil); err == nil {
		t.Error("nil: opened")
	}
}

// What requirements can be wrong about; see TestOpenRefuses for the rest of a spec.
func TestOpenRefusesRequirements(t *testing.T) {
	tool := func(s *policy.Spec) *policy.Tool { return &s.Package.Tools[policytest.FreezeAccount] }
	clause := func(s *policy.Spec, i int) *policy.Requirement { return &tool(s).Requirements[i] }
	for _, c := range []struct {
		name  string
		wrong func(s *policy.Spec)
		want  string
	}{
		{"no function", func(s *policy.Spec) { tool(s).Require = nil }, "only wanted together"},
		{"no rows", func(s *policy.Spec) { tool(s).Requirements = nil }, "only wanted together"},
		{"too many", func(s *policy.Spec) {
			for len(tool(s).Requirements) < 65 {
				tool(s).Requirements = append(tool(s).Requirements, *clause(s, 0))
			}
		}, "65 requirements"},
		{"one that allows", func(s *policy.Spec) { clause(s, 1).Outcome = policy.Allow }, "can only refuse or hold"},
		{"one that notifies", func(s *policy.Spec) { clause(s, 1).Outcome = policy.Notify }, "can only refuse or hold"},
		{"an outcome outside the list", func(s *policy.Spec) { clause(s, 1).Outcome = 9 }, "can only refuse or hold"},
		{"a refusal for a group", func(s *policy.Spec) { clause(s, 0).Group = "board" }, "names group"},
		{"a group that is not there", func(s *policy.Spec) { clause(s, 1).Group = "tellers" }, "no group"},
		{"no text", func(s *policy.Spec) { clause(s, 2).Text = "" }, "no text"},
		{"a text that is none", func(s *policy.Spec) { clause(s, 2).Text = "\xff" }, "not UTF-8"},
		{"a comment that is none", func(s *policy.Spec) { clause(s, 2).Doc = "\xff" }, "not UTF-8"},
		{"no line", func(s *policy.Spec) { clause(s, 2).Line = policy.Pos{} }, "in no file"},
		{"a line elsewhere", func(s *policy.Spec) { clause(s, 2).Line.File = 7 }, "in no file"},
		{"a need out of range", func(s *policy.Spec) { tool(s).Needs = []int32{9} }, "needs attribute 9"},
		{"needs in disorder", func(s *policy.Spec) { tool(s).Needs = []int32{3, 1} }, "out of order"},
		{"a group that stands twice", func(s *policy.Spec) { s.Package.Approvals = append(s.Package.Approvals, policytest.Board) }, "stands twice"},
		{"a group without a time", func(s *policy.Spec) { s.Package.Approvals[0].Within = 0 }, "a time"},
		{"a group without people", func(s *policy.Spec) { s.Package.Approvals[0].Count = 0 }, "a count"},
		{"the policy's own under a name of others", func(s *policy.Spec) { s.Approval.Name = "board" }, "another one"},
	} {
		s := policytest.Required()
		c.wrong(s)
		if p, err := policy.Open(s); err == nil || p != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.want)
		}
	}
}

// A clause without an outcome refuses, whoever wrote the table.
func TestRequirementRefusesByDefault(t *testing.T) {
	s := policytest.Required()
	s.Package.Tools[policytest.FreezeAccount].Requirements[policytest.RequiredAbroad].Outcome = 0
	c := policytest.Open(s).Contract(policytest.FreezeAccount)
	if c.Refusing(1<<policytest.RequiredAbroad) == 0 {
		t.Error("it does not")
	}
}

// Whoever wrote the spec keeps it; the policy does not depend on what becomes of it.
func TestOpenCopies(t *testing.T) {
	equal := cmp.Options{
		cmp.Comparer(func(a, b func(args, target *policy.Record, set *policy.FlagSet)) bool {
			return (a == nil) == (b == nil)
		}),
		cmp.Comparer(func(a, b func(args, target *policy.Record, failed *policy.ClauseSet)) bool {
			return (a == nil) == (b == nil)
		}),
		cmp.Comparer(func(a, b func(result, target *policy.Record) bool) bool { return (a == nil) == (b == nil) }),
		cmpopts.EquateEmpty(),
	}
	for _, fresh := range []func() *policy.Spec{policytest.Incident, func() *policy.Spec { return policytest.WithCells(policytest.Desk()) }, policytest.Required} {
		s := fresh()
		p := policytest.Open(s)
		ruin(s)
		if diff := cmp.Diff(fresh(), p.Spec(), equal); diff != "" {
			t.Errorf("the policy saw the spec change (-want +got):\n%s", diff)
		}
		ruin(p.Spec())
		if diff := cmp.Diff(fresh(), p.Spec(), equal); diff != "" {
			t.Errorf("the policy saw its copy change (-want +got):\n%s", diff)
		}
	}
}

// ruin writes to everything in a spec that can be written to.
func ruin(s *policy.Spec) {
	fields := func(fs []policy.Field) {
		for i := range fs {
			f := &fs[i]
			clear(f.Members)
			if f.Pattern != nil {
				clear(f.Pattern.Next)
				clear(f.Pattern.Ranges)
				f.Pattern.Accept = ""
			}
			if f.Default != nil {
				*f.Default = policy.Value{}
			}
			*f = policy.Field{}
		}
	}
	clear(s.Grants)
	if s.Approval != nil {
		*s.Approval = policy.Approval{}
	}
	clear(s.Cause)
	clear(s.Lessons)
	*s.Budget = policy.Budget{}
	fields(s.Inputs)
	for i := range s.Risk.Rows {
		clear(s.Risk.Rows[i].Attrs)
		clear(s.Risk.Rows[i].Members)
	}
	for i := range s.Risk.Factors {
		clear(s.Risk.Factors[i].Members)
		clear(s.Risk.Factors[i].Points)
		clear(s.Risk.Factors[i].Lines)
	}
	clear(s.Risk.Rows)
	clear(s.Risk.Factors)
	clear(s.Risk.Cells)
	clear(s.Risk.Bands)
	for i := range s.Package.Entities {
		fields(s.Package.Entities[i].Attrs)
	}
	for i := range s.Package.Tools {
		t := &s.Package.Tools[i]
		fields(t.Args)
		fields(t.Result)
		clear(t.Moves)
		clear(t.Flags)
		clear(t.Requirements)
		clear(t.Needs)
		clear(t.Traits)
		if t.Verify != nil {
			*t.Verify = policy.Verify{}
		}
	}
	for i := range s.Package.Workflows {
		clear(s.Package.Workflows[i].Steps)
	}
	clear(s.Package.Workflows)
	clear(s.Package.Approvals)
	clear(s.Package.Tools)
	clear(s.Package.Entities)
	clear(s.Package.Files)
}

// approvers of a hold, as the zero policy sees them.
func approvers(p *policy.Policy) string {
	groups, all := p.Approvers(&policy.Decision{Outcome: policy.Hold, Holds: policy.HoldScore})
	return fmt.Sprint(len(groups), all)
}

// The zero policy knows nothing, and says so without a panic.
func TestZeroPolicy(t *testing.T) {
	var p policy.Policy
	var rec policy.Record
	var pr policy.Proposal
	for name, err := range map[string]error{
		"inputs": p.DecodeInputs([]byte(`{}`), &rec),
		"result": p.DecodeResult(0, []byte(`{}`), &rec),
		"attrs":  p.DecodeAttrs(0, []byte(`{}`), &rec),
	} {
		if err == nil {
			t.Errorf("%s decoded", name)
		}
	}
	p.Decode([]byte(`{"tool":"ping"}`), "acme", &pr)
	_, bounded := p.Budget()
	got := []any{
		p.Name(), p.Digest(), p.Tools(), p.ToolIndex("ping"), p.ToolName(0), p.MaxSteps(), p.Deadline(), p.NoProgress(), p.MalformedRetries(),
		bounded, p.Contract(0) == nil, len(p.AppendParts(nil, 0, &rec)), len(p.FlagNames(0, 1)), p.Where(policy.Pos{Line: 1}),
		len(p.Clauses(0, 1)), approvers(&p), len(p.Spec().Package.Tools), pr.Malformed(), pr.By(&p), len(p.AppendCanonical(nil, &pr)),
	}
	want := []any{"", "", 0, int32(-1), "", int64(0), time.Duration(0), int64(0), int64(0), false, true, 0, 0, "", 0, "0 false", 0, true, false, 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
