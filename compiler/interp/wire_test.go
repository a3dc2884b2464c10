package interp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler/ir"
)

// A contract with an argument of each type, and what a policy adds.
func wireProgram() (*ir.Program, *ir.Policy) {
	enum := &ir.Enum{Decl: ir.Decl{Name: "Size"}, Members: []ir.Decl{{Name: "small"}, {Name: "large"}}}
	thing := &ir.Entity{Decl: ir.Decl{Name: "thing"}}
	arg := func(line int, name string, optional bool, t *ir.Type) *ir.Field {
		return &ir.Field{Decl: ir.Decl{Name: name, Pos: ir.Pos{Line: line}}, Type: t, Optional: optional}
	}
	act := &ir.Tool{Decl: ir.Decl{Name: "act", Pos: ir.Pos{Line: 10}}, Target: thing, Args: []*ir.Field{
		arg(11, "n", true, &ir.Type{Kind: ir.Int, Lo: -5, Hi: 300}),
		arg(12, "d", true, &ir.Type{Kind: ir.Decimal, Scale: 2}),
		arg(13, "s", true, &ir.Type{Kind: ir.String, Lo: 2, Hi: 4}),
		arg(14, "p", true, &ir.Type{Kind: ir.String, Lo: 0, Hi: 9, Pattern: &ir.Pattern{Source: `v[0-9]+`}}),
		arg(15, "e", true, &ir.Type{Kind: ir.EnumType, Enum: enum}),
		arg(16, "r", true, &ir.Type{Kind: ir.Ref, Entity: thing}),
		arg(17, "b", true, &ir.Type{Kind: ir.Bool}),
		{Decl: ir.Decl{Name: "f", Pos: ir.Pos{Line: 18}}, Type: &ir.Type{Kind: ir.Int, Lo: 0, Hi: 9}, Optional: true, Default: &ir.Value{N: 7}},
	}}
	needs := &ir.Tool{Decl: ir.Decl{Name: "needs", Pos: ir.Pos{Line: 20}}, Args: []*ir.Field{
		arg(21, "one", false, &ir.Type{Kind: ir.Bool}),
		arg(22, "two", false, &ir.Type{Kind: ir.Bool}),
	}}
	tools := []*ir.Tool{act, needs}
	agent := &ir.Agent{Scope: tools}
	policy := &ir.Policy{Decl: ir.Decl{Name: "p"}, Agent: agent, Tools: tools, Cause: enum}
	plain := &ir.Policy{Decl: ir.Decl{Name: "plain"}, Agent: agent, Tools: tools}
	return &ir.Program{Tools: tools, Entities: []*ir.Entity{thing}, Policies: []*ir.Policy{policy, plain}}, policy
}

// The shape: each text, and the fault that it has.
func TestShape(t *testing.T) {
	program, policy := wireProgram()
	m := New(program)
	nested := func(n int) string {
		return `{"tool":"act","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	tests := []struct {
		text string
		want Fault
	}{
		{`{"tool":"act"}`, NoFault},
		{" \n{\"tool\" : \"act\"}\t\r\n", NoFault},
		{`{"\u0074ool":"act"}`, NoFault},
		{`{"tool":"act","x":"\ud83d\ude00"}`, NoFault},
		{nested(7), NoFault},
		{``, FaultSyntax},
		{`   `, FaultSyntax},
		{`{`, FaultSyntax},
		{`{"tool":"act"`, FaultSyntax},
		{`{"tool":"act",}`, FaultSyntax},
		{`{tool:"act"}`, FaultSyntax},
		{`{'tool':'act'}`, FaultSyntax},
		{`{"tool":"act","x":01}`, FaultSyntax},
		{`{"tool":"act","x":NaN}`, FaultSyntax},
		{`{"tool":"act","x":"\ud83d"}`, FaultSyntax},
		{`{"tool":"act","x":"\x41"}`, FaultSyntax},
		{"{\"tool\":\"act\",\"x\":\"a\nb\"}", FaultSyntax},
		{"\ufeff" + `{"tool":"act"}`, FaultSyntax},
		{`}`, FaultSyntax},
		{"{\"tool\":\"act\xff\"}", FaultUTF8},
		{"{\"tool\":\"act\",\"x\":\"\xed\xa0\x80\"}", FaultUTF8},
		{`[{"tool":"act"}]`, FaultNotObject},
		{`"act"`, FaultNotObject},
		{`null`, FaultNotObject},
		{`-1`, FaultNotObject},
		{`{"tool":"act"} {}`, FaultTrailing},
		{`{"tool":"act"}}`, FaultTrailing},
		{`{"tool":"act"},`, FaultTrailing},
		{`{"tool":"act","tool":"act"}`, FaultDuplicate},
		{`{"tool":"act","\u0074ool":"act"}`, FaultDuplicate},
		{`{"tool":"act","x":[{"y":{"z":1,"z":1}}]}`, FaultDuplicate},
		{nested(8), FaultDepth},
		{nested(60_000 / 2), FaultDepth},
		{`{"tool":"act","x":"` + strings.Repeat("y", MaxProposal) + `"}`, FaultSize},
		{`{"tool":"act"}` + strings.Repeat(" ", MaxProposal-14), NoFault},
		{`{"tool":"act"}` + strings.Repeat(" ", MaxProposal-13), FaultSize},
		{`{}`, FaultNoTool},
		{`{"tool":null}`, FaultNoTool},
		{`{"tool":["act"]}`, FaultNoTool},
		{`{"Tool":"act"}`, FaultNoTool},
	}
	for _, tt := range tests {
		name := tt.text[:min(len(tt.text), 60)]
		_, got := m.read(Case{Policy: policy, Proposal: []byte(tt.text)})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", name, diff)
		}
		d := m.Decide(Case{Policy: policy, Proposal: []byte(tt.text), Identity: IdentityGood})
		if malformed := d.Reason == Malformed && d.Rung == RungShape && d.Outcome == ir.Refuse && d.Fault == tt.want; malformed != (tt.want != NoFault) {
			t.Errorf("%q is decided as %+v", name, d)
		}
	}
}

// The schema: what stands beside the tool and the target, the fault, and its path.
func TestSchema(t *testing.T) {
	program, policy := wireProgram()
	m := New(program)
	args := func(text string) string { return `{"tool":"act","target":"x","args":{` + text + `}}` }
	tests := []struct {
		text  string
		fault Fault
		field string
		line  int
	}{
		{args(``), NoFault, "", 0},
		{`{"tool":"act","target":"x"}`, NoFault, "", 0},

		{args(`"n":300`), NoFault, "", 0},
		{args(`"n":-5`), NoFault, "", 0},
		{args(`"n":301`), FaultOutOfRange, "args.n", 11},
		{args(`"n":-6`), FaultOutOfRange, "args.n", 11},
		{args(`"n":99999999999999999999`), FaultOutOfRange, "args.n", 11},
		{args(`"n":1.0`), FaultNumeral, "args.n", 11},
		{args(`"n":1e1`), FaultNumeral, "args.n", 11},
		{args(`"n":-0`), NoFault, "", 0},
		{args(`"n":"1"`), FaultWrongType, "args.n", 11},
		{args(`"n":null`), FaultWrongType, "args.n", 11},
		{args(`"n":[1]`), FaultWrongType, "args.n", 11},

		{args(`"d":"12.5"`), NoFault, "", 0},
		{args(`"d":"-12.50"`), NoFault, "", 0},
		{args(`"d":"0"`), NoFault, "", 0},
		{args(`"d":"92233720368547758.07"`), NoFault, "", 0},
		{args(`"d":"92233720368547758.08"`), FaultOutOfRange, "args.d", 12},
		{args(`"d":"-92233720368547758.08"`), NoFault, "", 0},
		{args(`"d":"-92233720368547758.09"`), FaultOutOfRange, "args.d", 12},
		{args(`"d":"1.000"`), FaultScale, "args.d", 12},
		{args(`"d":"-0"`), FaultNumeral, "args.d", 12},
		{args(`"d":"-0.000"`), FaultNumeral, "args.d", 12},
		{args(`"d":"-0.00"`), FaultNumeral, "args.d", 12},
		{args(`"d":"+1"`), FaultNumeral, "args.d", 12},
		{args(`"d":"01"`), FaultNumeral, "args.d", 12},
		{args(`"d":"1."`), FaultNumeral, "args.d", 12},
		{args(`"d":".5"`), FaultNumeral, "args.d", 12},
		{args(`"d":"1e2"`), FaultNumeral, "args.d", 12},
		{args(`"d":" 1"`), FaultNumeral, "args.d", 12},
		{args(`"d":""`), FaultNumeral, "args.d", 12},
		{args(`"d":"١"`), FaultNumeral, "args.d", 12},
		{args(`"d":12.5`), FaultWrongType, "args.d", 12},

		{args(`"s":"éé"`), NoFault, "", 0},
		{args(`"s":"é"`), FaultTooShort, "args.s", 13},
		{args(`"s":"éééé"`), NoFault, "", 0},
		{args(`"s":"abcde"`), FaultTooLong, "args.s", 13},
		{args(`"p":"v42"`), NoFault, "", 0},
		{args(`"p":"v42\n"`), FaultPattern, "args.p", 14},
		{args(`"p":"xv42"`), FaultPattern, "args.p", 14},
		{args(`"e":"large"`), NoFault, "", 0},
		{args(`"e":"Large"`), FaultNotAMember, "args.e", 15},
		{args(`"e":1`), FaultWrongType, "args.e", 15},
		{args(`"r":"x"`), NoFault, "", 0},
		{args(`"r":""`), FaultTooShort, "args.r", 16},
		{args(`"r":"` + strings.Repeat("x", MaxID) + `"`), NoFault, "", 0},
		{args(`"r":"` + strings.Repeat("x", MaxID+1) + `"`), FaultTooLong, "args.r", 16},
		{args(`"b":true`), NoFault, "", 0},
		{args(`"b":1`), FaultWrongType, "args.b", 17},
		{args(`"b":"true"`), FaultWrongType, "args.b", 17},

		{args(`"confidence":0.97`), FaultUnknownField, "args.?", 10},
		{`{"tool":"act","target":"x","severity":9}`, FaultUnknownField, "?", 10},
		{`{"tool":"act","target":"x","args":[]}`, FaultWrongType, "args", 10},
		{`{"tool":"act","target":"x","args":null}`, FaultWrongType, "args", 10},
		{`{"tool":"act"}`, FaultMissing, "target", 10},
		{`{"tool":"act","target":""}`, FaultTooShort, "target", 10},
		{`{"tool":"act","target":1}`, FaultWrongType, "target", 10},
		{`{"tool":"needs","target":"x","args":{"one":true,"two":true}}`, FaultUnknownField, "?", 20},
		{`{"tool":"needs"}`, FaultMissing, "args.one", 21},
		{`{"tool":"needs","args":{"one":true}}`, FaultMissing, "args.two", 22},
		{`{"tool":"act","target":"x","cause":"small"}`, NoFault, "", 0},
		{`{"tool":"act","target":"x","cause":"tiny"}`, FaultNotAMember, "cause", 10},
		{`{"tool":"act","target":"x","cause":null}`, FaultWrongType, "cause", 10},
		{`{"tool":"act","target":"x","rests_on":[]}`, NoFault, "", 0},
		{`{"tool":"act","target":"x","rests_on":"o1"}`, FaultWrongType, "rests_on", 10},
		{`{"tool":"act","target":"x","rests_on":[1]}`, FaultWrongType, "rests_on", 10},
		{`{"tool":"act","target":"x","rests_on":[` + strings.Repeat(`"o",`, 31) + `"o"]}`, NoFault, "", 0},
		{`{"tool":"act","target":"x","rests_on":[` + strings.Repeat(`"o",`, 32) + `"o"]}`, FaultTooMany, "rests_on", 10},

		// The first in the text, whatever the order; what is missing comes last.
		{`{"args":{"n":301,"d":1},"tool":"act","target":"x"}`, FaultOutOfRange, "args.n", 11},
		{`{"args":{"d":1,"n":301},"tool":"act","target":"x"}`, FaultWrongType, "args.d", 12},
		{`{"risk":1,"args":{"n":301},"tool":"act"}`, FaultUnknownField, "?", 10},
		{`{"tool":"needs","args":{"two":1}}`, FaultWrongType, "args.two", 22},
	}
	for _, tt := range tests {
		p, fault := m.read(Case{Policy: policy, Tenant: "t", Proposal: []byte(tt.text)})
		if fault != NoFault {
			t.Errorf("%s is malformed: %s", tt.text, fault)
			continue
		}
		want := fmt.Sprintln(tt.fault, tt.field, tt.line)
		got := fmt.Sprintln(p.fault, p.field, p.pos.Line)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.80s (-want +got)\n%s", tt.text, diff)
		}
	}
}

// A cause has a place only where the policy has one.
func TestCauseNeedsAPolicyThatHasOne(t *testing.T) {
	program, _ := wireProgram()
	p, _ := New(program).read(Case{Policy: program.Policies[1], Proposal: []byte(`{"tool":"act","target":"x","cause":"small"}`)})
	if p.fault != FaultUnknownField || p.field != "?" {
		t.Errorf("fault %s of %s", p.fault, p.field)
	}
}

func TestTenantClaims(t *testing.T) {
	program, policy := wireProgram()
	m := New(program)
	tests := []struct {
		text string
		want bool
	}{
		{`{"tool":"act","tenant":"theirs"}`, true},
		{`{"tool":"act","tenant_id":"theirs"}`, true},
		{`{"tool":"act","args":{"tenant":"theirs"}}`, true},
		{`{"args":{"tenant_id":""},"tool":"act"}`, true},
		{`{"tool":"act","tenant":"ours"}`, false},
		{`{"tool":"act","tenant":7}`, false},
		{`{"tool":"act","x":{"tenant":"theirs"}}`, false},
		{`{"tool":"act","Tenant":"theirs"}`, false},
	}
	for _, tt := range tests {
		p, _ := m.read(Case{Policy: policy, Tenant: "ours", Proposal: []byte(tt.text)})
		if p.claims != tt.want {
			t.Errorf("%s: claims another tenant: %v, want %v", tt.text, p.claims, tt.want)
		}
		if p.fault == NoFault {
			t.Errorf("%s fits", tt.text)
		}
	}
}

// Equal numbers of different spelling are one value, and a default stands in for
// what was left out.
func TestValues(t *testing.T) {
	program, policy := wireProgram()
	m := New(program)
	for _, text := range []string{`"1.5"`, `"1.50"`} {
		p, _ := m.read(Case{Policy: policy, Proposal: []byte(`{"tool":"act","target":"x","args":{"d":` + text + `}}`)})
		want := []*ir.Value{nil, {N: 150}, nil, nil, nil, nil, nil, {N: 7}}
		if diff := cmp.Diff(want, p.args); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}

// FuzzRead holds the reader against encoding/json: what it takes for well formed
// is JSON, and reading never panics.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"tool":"act","target":"x","args":{"n":1,"d":"1.50","s":"ab","p":"v1","e":"small","r":"y","b":true}}`))
	f.Add([]byte(`{"args":{"n":1e3},"tool":"act","rests_on":["o1"],"cause":"small","tenant":"other"}`))
	f.Add([]byte(`{"tool":"needs","args":{"one":true,"one":false}}`))
	f.Add([]byte(`{"tool":"act","x":"\ud83d"}{`))
	program, policy := wireProgram()
	m := New(program)
	f.Fuzz(func(t *testing.T, text []byte) {
		d := m.Decide(Case{Policy: policy, Identity: IdentityGood, Tenant: "t", Proposal: text})
		if d.Reason == "" || d.Outcome == ir.Allow && d.Reason != Allowed {
			t.Fatalf("%q: %+v", text, d)
		}
		if d.Reason != Malformed && !json.Valid(text) {
			t.Fatalf("%q is no JSON, and decided as %+v", text, d)
		}
	})
}
