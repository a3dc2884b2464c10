package policy_test

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// decoded is what the decoder makes of a text, in the oracle's words.
func decoded(p *policy.Policy, s *policy.Spec, data []byte, tenant string, pr *policy.Proposal) answer {
	p.Decode(data, tenant, pr)
	f := pr.Fault()
	a := answer{Kind: f.Kind, Path: f.Path, Tool: pr.Tool, Named: pr.Named, Target: pr.Target,
		RestsOn: pr.RestsOn(), Cause: pr.Cause, Claimed: pr.ClaimsTenant(), Refs: pr.HasRefs()}
	if pr.Tool >= 0 && !pr.Malformed() {
		for i := range s.Package.Tools[pr.Tool].Args {
			a.Args = append(a.Args, pr.Args.Value(i))
		}
	}
	return a
}

// agree says where decoder and oracle differ. Of a tool that does not exist
// nothing but the name is read; of a misfit, the values are nobody's business.
func agree(want, got answer) string {
	if want.Tool < 0 && want.Kind == policy.NoFault {
		want, got = answer{Named: want.Named, Tool: want.Tool}, answer{Named: got.Named, Tool: got.Tool}
	}
	if want.Kind != policy.NoFault {
		want.Args, got.Args, want.RestsOn, got.RestsOn, want.Refs, got.Refs = nil, nil, nil, nil, false, false
		want.Target, got.Target, want.Cause, got.Cause = "", "", 0, 0
	}
	if want.Kind.Malformed() && want.Kind != policy.FaultNoTool {
		want.Path, got.Path = "", "" // the decoder names a duplicate; the oracle cannot
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// desk with causes, so that every member can be given.
func desk() *policy.Spec {
	s := policytest.Desk()
	s.Cause = policytest.Causes()
	return s
}

const transfer = `{"tool":"transfer","target":"A-1","args":{"amount":"12.5"}}`

func TestDecode(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	args := func(s string) string { return `{"tool":"transfer","target":"A-1","args":{"amount":"1",` + s + `}}` }
	amount := func(s string) string { return `{"tool":"transfer","target":"A-1","args":{"amount":` + s + `}}` }
	ids := func(n int) string {
		return `{"tool":"ping","rests_on":[` + strings.TrimSuffix(strings.Repeat(`"o1",`, n), ",") + `]}`
	}
	spec := desk()
	p := policytest.Open(spec)
	for _, c := range []struct{ in, want string }{
		{transfer, ""},
		{` {"tool" : "ping" } ` + "\n", ""},
		{`{"args":{"amount":"1"},"target":"A-1","tool":"transfer"}`, ""},
		{`{"args":{"amount":"1.005"},"target":"A-1","tool":"transfer"}`, "scale args.amount"},
		{`{"\u0074ool":"pi\u006eg"}`, ""},
		{`{"tool":"launch","args":{"x":{"y":[1,2]}},"target":5}`, ""},
		{`{"tool":"ping","args":{}}`, ""},
		{`{"tool":"read_account","target":"A-1"}`, ""},
		{`{"tool":"ping","cause":"need","rests_on":["o1","b2"]}`, ""},

		// The shape.
		{``, "syntax "},
		{`   `, "syntax "},
		{`{`, "syntax "},
		{`{"tool":"ping"`, "syntax "},
		{`{"tool":"ping",}`, "syntax "},
		{`{"tool":"ping" "args":{}}`, "syntax "},
		{`{"tool":"ping";}`, "syntax "},
		{`{tool:"ping"}`, "syntax "},
		{`{"tool":'ping'}`, "syntax "},
		{`{"tool":"ping","x":tru}`, "syntax "},
		{`{"tool":"ping","x":01}`, "syntax "},
		{`{"tool":"ping","x":1.}`, "syntax "},
		{`{"tool":"ping","x":.5}`, "syntax "},
		{`{"tool":"ping","x":1e}`, "syntax "},
		{`{"tool":"ping","x":+1}`, "syntax "},
		{`{"tool":"ping","x":-}`, "syntax "},
		{`{"tool":"ping","x":NaN}`, "syntax "},
		{`{"tool":"ping","x":[1,]}`, "syntax "},
		{`{"tool":"ping","x":"` + "\n" + `"}`, "syntax "},
		{`{"tool":"ping","x":"\x"}`, "syntax "},
		{`{"tool":"ping","x":"\u12"}`, "syntax "},
		{`{"tool":"ping","x":"\u12g4"}`, "syntax "},
		{`{"tool":"ping","x":"\ud800"}`, "syntax "},
		{`{"tool":"ping","x":"\udc00"}`, "syntax "},
		{`{"tool":"ping","x":"\ud800\u0041"}`, "syntax "},
		{`{"tool":"ping","x":"\ud800\ud800"}`, "syntax "},
		{`{"tool":"ping","x":"\udc00\udc00"}`, "syntax "},
		{"{\"tool\":\"ping\",\"x\":\"\\n\n\"}", "syntax "},
		{`{"tool":"ping"} // done`, "trailing "},
		{`/* {} */{"tool":"ping"}`, "syntax "},
		{"\ufeff" + `{"tool":"ping"}`, "syntax "},
		{"{\"tool\":\"ping\xff\"}", "utf8 "},
		{"{\"tool\":\"ping\"}\xc3", "utf8 "},
		{`[{"tool":"ping"}]`, "not_object "},
		{`"ping"`, "not_object "},
		{`null`, "not_object "},
		{`-1`, "not_object "},
		{`{"tool":"ping"}{}`, "trailing "},
		{`{"tool":"ping"},`, "trailing "},
		{`{"tool":"ping","tool":"ping"}`, "duplicate tool"},
		{`{"tool":"ping","\u0074ool":"ping"}`, "duplicate tool"},
		{`{"tool":"transfer","args":{"amount":"1","amount":"2"},"target":"A"}`, "duplicate args.amount"},
		{`{"args":{"amount":"1","\u0061mount":"2"},"tool":"transfer","target":"A"}`, "duplicate "},
		{`{"tool":"ping","x":1,"x":1}`, "duplicate ?"},
		{`{"tool":"ping","x":1,"x"`, "duplicate ?"},
		{`{"tool":"ping","tool";`, "duplicate tool"},
		{`{"tool":"ping","x":{"y":1,"y"]`, "duplicate "},
		{`{"tool":"ping","x":{"y":{"z":1,"z":2}}}`, "duplicate "},
		{`{"tool":"ping","args":{"x":1,"x":1}}`, "duplicate args.?"},
		{`{"tool":"ping","x":` + deep(7) + `}`, "unknown_field ?"},
		{`{"tool":"ping","x":` + deep(8) + `}`, "depth "},
		{`{"tool":"ping","x":` + deep(9000) + `}`, "depth "},
		{args(`"note":` + deep(6)), "wrong_type args.note"},
		{args(`"note":` + deep(7)), "depth args.note"},
		{`{"args":{"x":` + deep(7) + `},"tool":"ping"}`, "depth "},
		{`{"tool":"ping","rests_on":` + deep(8) + `}`, "depth "},
		{`{"tool":"ping","x":"` + strings.Repeat("x", policy.MaxProposal) + `"}`, "size "},
		{`{}`, "no_tool tool"},
		{`{"args":{}}`, "no_tool tool"},
		{`{"tool":null}`, "no_tool tool"},
		{`{"tool":1,"args":{"amount":5}}`, "no_tool tool"},
		{`{"tool":{"name":"ping"}}`, "no_tool tool"},
		{`{"tool":1}x`, "trailing "},

		// The schema.
		{`{"tool":"ping","confidence":0.99}`, "unknown_field ?"},
		{`{"tool":"ping","target":"A-1"}`, "unknown_field ?"},
		{`{"target":"A-1","tool":"ping"}`, "unknown_field ?"},
		{`{"tool":"read_account"}`, "missing target"},
		{`{"tool":"read_account","target":""}`, "too_short target"},
		{`{"tool":"read_account","target":"` + strings.Repeat("x", 201) + `"}`, "too_long target"},
		{`{"tool":"read_account","target":null}`, "wrong_type target"},
		{`{"tool":"transfer","target":"A-1"}`, "missing args.amount"},
		{`{"tool":"transfer"}`, "missing target"},
		{`{"tool":"transfer","args":{}}`, "missing target"},
		{`{"args":{},"tool":"transfer"}`, "missing target"},
		{`{"tool":"transfer","target":"A-1","args":[]}`, "wrong_type args"},
		{`{"tool":"transfer","target":"A-1","args":null}`, "wrong_type args"},
		{`{"args":7,"tool":"transfer","target":"A-1"}`, "wrong_type args"},
		{`{"args":{"amount":7},"tool":"transfer","risk":1,"target":"A-1"}`, "wrong_type args.amount"},
		{`{"risk":1,"args":{"amount":7},"tool":"transfer","target":"A-1"}`, "unknown_field ?"},
		{args(`"severity":"low"`), "unknown_field args.?"},
		{args(`"count":100`), ""},
		{args(`"count":101`), "out_of_range args.count"},
		{args(`"count":-5`), ""},
		{args(`"count":-6`), "out_of_range args.count"},
		{args(`"count":-0`), ""},
		{args(`"count":1.0`), "numeral args.count"},
		{args(`"count":1e1`), "numeral args.count"},
		{args(`"count":99999999999999999999999`), "out_of_range args.count"},
		{args(`"count":18446744073709551621`), "out_of_range args.count"}, // 5, were it to wrap
		{args(`"count":"5"`), "wrong_type args.count"},
		{args(`"count":null`), "wrong_type args.count"},
		{args(`"note":"xy"`), ""},
		{args(`"note":"x"`), "too_short args.note"},
		{args(`"note":"é"`), "too_short args.note"},
		{args(`"note":"éééééééé"`), ""},
		{args(`"note":"ééééééééé"`), "too_long args.note"},
		{args(`"note":"\ud83d\ude00\ud83d\ude00"`), ""},
		{args(`"code":"EUR"`), ""},
		{args(`"code":"é"`), ""},
		{args(`"code":"éé"`), ""},
		{args(`"code":"eur"`), "pattern args.code"},
		{args(`"code":"EU"`), "pattern args.code"},
		{args(`"code":"éA"`), "pattern args.code"},
		{args(`"code":"ü"`), "pattern args.code"},
		{args(`"urgency":"now"`), ""},
		{args(`"urgency":"Now"`), "not_a_member args.urgency"},
		{args(`"urgency":2`), "wrong_type args.urgency"},
		{args(`"express":true`), ""},
		{args(`"express":"true"`), "wrong_type args.express"},
		{args(`"express":0`), "wrong_type args.express"},
		{args(`"payee":"P-1"`), ""},
		{args(`"payee":""`), "too_short args.payee"},
		{args(`"payee":"` + strings.Repeat("é", 101) + `"`), "too_long args.payee"},
		{amount(`"0"`), ""},
		{amount(`"-0.01"`), ""},
		{amount(`"92233720368547758.07"`), ""},
		{amount(`"-92233720368547758.08"`), ""},
		{amount(`"92233720368547758.08"`), "out_of_range args.amount"},
		{amount(`"-92233720368547758.09"`), "out_of_range args.amount"},
		{amount(`"99999999999999999999"`), "out_of_range args.amount"},
		{amount(`"1844674407370955162"`), "out_of_range args.amount"}, // and these
		{amount(`"184467440737095516.17"`), "out_of_range args.amount"},
		{amount(`"1.000"`), "scale args.amount"},
		{amount(`"99999999999999999999.000"`), "scale args.amount"},
		{amount(`"-0"`), "numeral args.amount"},
		{amount(`"-0.000"`), "numeral args.amount"},
		{amount(`"+1"`), "numeral args.amount"},
		{amount(`"01"`), "numeral args.amount"},
		{amount(`"1."`), "numeral args.amount"},
		{amount(`".5"`), "numeral args.amount"},
		{amount(`"1e2"`), "numeral args.amount"},
		{amount(`""`), "numeral args.amount"},
		{amount(`"-"`), "numeral args.amount"},
		{amount(`" 1"`), "numeral args.amount"},
		{amount(`"1.2.3"`), "numeral args.amount"},
		{amount(`12.5`), "wrong_type args.amount"},
		{amount(`null`), "wrong_type args.amount"},
		{ids(8), ""},
		{ids(9), ""},
		{ids(32), ""},
		{ids(33), "too_many rests_on"},
		{`{"tool":"ping","rests_on":["o1",""]}`, "too_short rests_on"},
		{`{"tool":"ping","rests_on":["o1",7]}`, "wrong_type rests_on"},
		{`{"tool":"ping","rests_on":"o1"}`, "wrong_type rests_on"},
		{`{"tool":"ping","cause":"whim"}`, "not_a_member cause"},
		{`{"tool":"ping","cause":null}`, "wrong_type cause"},
		{`{"tool":"ping","tenant":"acme"}`, "unknown_field ?"},
		{`{"tool":"ping","tenant":"other"}`, "unknown_field ?"},
		{args(`"tenant_id":"other"`), "unknown_field args.?"},
		{`{"args":{"tenant":"other"},"tool":"ping"}`, "unknown_field args.?"},
		{`{"tool":"ping","tenant":{"id":"other"}}`, "unknown_field ?"},
	} {
		var pr policy.Proposal
		got := decoded(p, spec, []byte(c.in), "acme", &pr)
		line := ""
		if got.Kind != policy.NoFault {
			line = got.Kind.String() + " " + got.Path
		}
		if line != c.want {
			t.Errorf("%.200s: got %q, want %q", c.in, line, c.want)
		}
		if diff := agree(ask(spec, []byte(c.in), "acme"), got); diff != "" {
			t.Errorf("%.200s: the oracle differs (-oracle +decoder):\n%s", c.in, diff)
		}
	}
}

func TestDecodeValues(t *testing.T) {
	spec := desk()
	p := policytest.Open(spec)
	var pr policy.Proposal
	got := decoded(p, spec, []byte(`{"tool":"transfer","target":"A-1","cause":"need","rests_on":["o1","b\u0032"],
		"args":{"payee":"P-1","amount":"-12.5","count":7,"note":"a\"\\\/\b\f\n\t","code":"EUR","express":false}}`), "acme", &pr)
	want := answer{
		Tool: policytest.Transfer, Named: "transfer", Target: "A-1", Cause: 1, Refs: true, RestsOn: []string{"o1", "b2"},
		Args: []policy.Value{
			policytest.TransferAmount:  {N: -1250, Set: true},
			policytest.TransferCount:   {N: 7, Set: true},
			policytest.TransferNote:    {S: "a\"\\/\b\f\n\t", Set: true},
			policytest.TransferCode:    {S: "EUR", Set: true},
			policytest.TransferUrgency: {N: 1, Set: true}, // its default
			policytest.TransferExpress: {N: 0, Set: true},
			policytest.TransferPayee:   {S: "P-1", Set: true},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An argument that was left out is not one of nothing.
func TestDecodeLeavesOut(t *testing.T) {
	spec := desk()
	p := policytest.Open(spec)
	var pr policy.Proposal
	p.Decode([]byte(transfer), "acme", &pr)
	var has []bool
	for i := range pr.Args.Len() {
		has = append(has, pr.Args.Has(i))
	}
	if diff := cmp.Diff([]bool{true, false, false, false, true, false, false}, has); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where the policy has no vocabulary of causes, there is no such member.
func TestDecodeNoCause(t *testing.T) {
	spec := policytest.Desk()
	p := policytest.Open(spec)
	for in, want := range map[string]string{
		`{"tool":"ping","cause":"need"}`:                     "cause: unknown_field",
		`{"cause":null,"tool":"ping","x":1}`:                 "cause: unknown_field",
		`{"tool":"ping","cause":"need","\u0063ause":"need"}`: "cause: duplicate",
		`{"tool":"ping","cause":tru}`:                        "syntax at byte 23",
	} {
		var pr policy.Proposal
		got := decoded(p, spec, []byte(in), "acme", &pr)
		if pr.Fault().Error() != want {
			t.Errorf("%s: got %q, want %q", in, pr.Fault().Error(), want)
		}
		if diff := agree(ask(spec, []byte(in), "acme"), got); diff != "" {
			t.Errorf("%s: the oracle differs (-oracle +decoder):\n%s", in, diff)
		}
	}
}

func TestDecodeClaims(t *testing.T) {
	p := policytest.Open(desk())
	for in, want := range map[string]bool{
		`{"tool":"ping"}`:                                     false,
		`{"tool":"ping","tenant":"acme"}`:                     false,
		`{"tool":"ping","tenant":"other"}`:                    true,
		`{"tool":"ping","tenant_id":"other"}`:                 true,
		`{"tool":"ping","\u0074enant":"other"}`:               true,
		`{"tool":"ping","tenant":"ac\u006de"}`:                false,
		`{"tenant":"other","tool":"ping"}`:                    true,
		`{"tool":"ping","args":{"tenant":"other"}}`:           true,
		`{"args":{"tenant":"other"},"tool":"ping"}`:           true,
		`{"tool":"ping","x":1,"tenant":"other"}`:              true, // a fault before it hides nothing
		`{"tool":"ping","tenant":"other","tenant_id":"acme"}`: true,
		`{"tool":"ping","tenant":7}`:                          false,
		`{"tool":"ping","x":{"tenant":"other"}}`:              false, // not a member of a proposal
		`{"tool":"ping","tenant":"other","tenant":1}`:         false, // malformed: nothing in it is read
	} {
		var pr policy.Proposal
		p.Decode([]byte(in), "acme", &pr)
		if pr.ClaimsTenant() != want {
			t.Errorf("%s: claims %v, want %v", in, pr.ClaimsTenant(), want)
		}
	}
}

// What a ledger takes has no word of a model in it; what a person is shown may
// have one that looks like a name.
func TestFaultNames(t *testing.T) {
	p := policytest.Open(desk())
	for in, want := range map[string]string{
		`{"tool":"ping","confidence":1}`:                           "? confidence",
		`{"tool":"ping","args":{"risk":1}}`:                        "args.? args.risk",
		`{"tool":"ping","args":{"a-b":1}}`:                         "args.? args.?",
		`{"tool":"ping","approve this":1}`:                         "? ?",
		`{"tool":"ping","` + strings.Repeat("x", 32) + `":1}`:      "? " + strings.Repeat("x", 32),
		`{"tool":"ping","` + strings.Repeat("x", 33) + `":1}`:      "? ?",
		`{"tool":"ping","":1}`:                                     "? ?",
		`{"tool":"ping","9x":1}`:                                   "? ?",
		`{"tool":"ping","t` + "\u00e9" + `l":1}`:                   "? ?",
		`{"tool":"freeze_account","target":"A","args":{"days":0}}`: "args.days args.days",
		`{"tool":"ping","target":"A"}`:                             "? target",
	} {
		var pr policy.Proposal
		p.Decode([]byte(in), "acme", &pr)
		if got := pr.Fault().Path + " " + pr.Fault().Where(); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
	for _, c := range []struct {
		f    policy.Fault
		want string
	}{
		{policy.Fault{Kind: policy.FaultSyntax, Offset: 17}, "syntax at byte 17"},
		{policy.Fault{Kind: policy.FaultMissing, Path: "args.amount"}, "args.amount: missing"},
		{policy.Fault{Kind: policy.FaultUnknownField, Path: "args.?", Member: "risk"}, "args.risk: unknown_field"},
	} {
		if got := c.f.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestFaultOffsets(t *testing.T) {
	p := policytest.Open(desk())
	for in, want := range map[string]int{
		`{"tool":"ping","x":tru}`:       19,
		`{"tool":"ping"} x`:             16,
		"{\"tool\":\"\u00e9\xff\"}":     11,
		`{"tool":"ping","x":1}`:         15,
		`{"tool":"transfer","args":{}}`: 29,
		`{"tool":"ping","a":1,"a":2}`:   21,
		`{"tool":"ping","a":[[[[[[[[`:   26,
	} {
		var pr policy.Proposal
		p.Decode([]byte(in), "acme", &pr)
		if got := pr.Fault().Offset; got != want {
			t.Errorf("%q: %s at %d, want %d", in, pr.Fault().Kind, got, want)
		}
	}
}

// A proposal that is decoded into again is the same as a new one.
func TestDecodeAgain(t *testing.T) {
	p := policytest.Open(desk())
	texts := append(seeds(), `{"tool":"ping","rests_on":["1","2","3","4","5","6","7","8","9"]}`)
	var used policy.Proposal
	for _, first := range texts {
		for _, second := range texts {
			p.Decode([]byte(first), "acme", &used)
			p.Decode([]byte(second), "acme", &used)
			var fresh policy.Proposal
			p.Decode([]byte(second), "acme", &fresh)
			if !reflect.DeepEqual(used, fresh) {
				t.Fatalf("%s, then %s: it remembers", first, second)
			}
		}
	}
}

// Whoever holds the bytes can write to them later; the proposal does not change.
func TestDecodeCopies(t *testing.T) {
	p := policytest.Open(desk())
	data := []byte(`{"tool":"transfer","target":"A-1","args":{"amount":"1","note":"note"},"rests_on":["o1"]}`)
	var pr policy.Proposal
	p.Decode(data, "acme", &pr)
	was := pr
	for i := range data {
		data[i] = '#'
	}
	if pr.Target != "A-1" || pr.Args.Text(policytest.TransferNote) != "note" || pr.RestsOn()[0] != "o1" || !reflect.DeepEqual(pr, was) {
		t.Error("the proposal changed with the bytes that it came in")
	}
}

// A copy is not changed by decoding into the original, however many fields.
func TestProposalCopies(t *testing.T) {
	s := policytest.Many(2)
	for i := range 40 {
		s.Package.Tools[0].Args = append(s.Package.Tools[0].Args, policy.Field{
			Name: "f" + strconv.Itoa(i), Kind: policy.KindInt, Lo: 0, Hi: 9, Entity: -1, Optional: true})
	}
	p := policytest.Open(s)
	var pr policy.Proposal
	text := func(n int) []byte {
		return fmt.Appendf(nil, `{"tool":"tool_00000","args":{"count":%d,"f3":%d,"f39":%d},"rests_on":["%d","","","","","","","","",""]}`, n, n, n, n)
	}
	p.Decode(text(1), "acme", &pr)
	was := pr
	p.Decode(text(2), "acme", &pr)
	got := []int64{was.Args.Int(0), was.Args.Int(4), was.Args.Int(40), pr.Args.Int(0), pr.Args.Int(4), pr.Args.Int(40)}
	if diff := cmp.Diff([]int64{1, 1, 1, 2, 2, 2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A contract with more fields than words of a set, each given once and then twice.
func TestDecodeManyFields(t *testing.T) {
	s := policytest.Many(1)
	const n = 300
	var members []string
	for i := range n {
		name := "f" + strconv.Itoa(i)
		s.Package.Tools[0].Args = append(s.Package.Tools[0].Args, policy.Field{Name: name, Kind: policy.KindInt, Lo: 0, Hi: n, Entity: -1})
		members = append(members, fmt.Sprintf(`"%s":%d`, name, i))
	}
	p := policytest.Open(s)
	var pr policy.Proposal
	text := func(more ...string) []byte {
		return []byte(`{"tool":"tool_00000","args":{"count":1,` + strings.Join(append(more, members...), ",") + `}}`)
	}
	p.Decode(text(), "acme", &pr)
	if f := pr.Fault(); f.Kind != policy.NoFault {
		t.Fatal(f)
	}
	for i := range n {
		if got := pr.Args.Int(i + 1); got != int64(i) {
			t.Fatalf("f%d is %d", i, got)
		}
	}
	for _, twice := range []string{"f0", "f70", "f299"} {
		p.Decode(text(`"`+twice+`":1`), "acme", &pr)
		if f := pr.Fault(); f.Kind != policy.FaultDuplicate || f.Path != "args."+twice {
			t.Errorf("%s twice: %v", twice, f)
		}
	}
	// More undeclared members than are compared one by one.
	var others []string
	for i := range 50 {
		others = append(others, fmt.Sprintf(`"x%d":0`, i))
	}
	p.Decode(text(others...), "acme", &pr)
	if f := pr.Fault(); f.Kind != policy.FaultUnknownField {
		t.Errorf("50 undeclared: %v", f)
	}
	for i := range others {
		p.Decode(text(append(others[:i+1:i+1], others[i])...), "acme", &pr)
		if f := pr.Fault(); f.Kind != policy.FaultDuplicate {
			t.Errorf("undeclared member %d twice: %v", i, f)
		}
	}
}
