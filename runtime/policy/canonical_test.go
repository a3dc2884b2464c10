package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// One action has one spelling, however it was proposed.
func TestCanonical(t *testing.T) {
	s := desk()
	note := &s.Package.Tools[policytest.Transfer].Args[policytest.TransferNote]
	note.Lo, note.Hi = 0, 64
	p := policytest.Open(s)
	for _, c := range []struct {
		want string
		in   []string
	}{
		{`{"tool":"ping","args":{}}`, []string{
			`{"tool":"ping"}`,
			`{"args":{},"tool":"ping"}`,
			` { "\u0074ool" : "p\u0069ng", "rests_on" : [ "o1" ] } `,
		}},
		{`{"tool":"transfer","target":"A-1","args":{"amount":"12.50","urgency":"soon"},"cause":"need"}`, []string{
			`{"tool":"transfer","target":"A-1","args":{"amount":"12.5"},"cause":"need"}`,
			`{"tool":"transfer","target":"A-1","args":{"amount":"12.50","urgency":"soon"},"cause":"need"}`,
			`{"cause":"need","args":{"urgency":"soon","amount":"12.50"},"target":"A\u002d1","tool":"transfer","rests_on":[]}`,
		}},
		{`{"tool":"transfer","target":"é\\/\"","args":{"amount":"-0.05","count":0,"note":"\u0000\b\t\n\f\r\u001f\u007f 😀","urgency":"now","express":false,"payee":"P"}}`, []string{
			`{"tool":"transfer","target":"\u00e9\\\/\"","args":{"payee":"P","express":false,"urgency":"now","note":"\u0000\u0008\u0009\u000A\u000c\u000D\u001F\u007f\u0020\ud83d\ude00","count":-0,"amount":"-0.05"}}`,
		}},
	} {
		c.want = strings.ReplaceAll(c.want, `\u007f`, "\x7f")
		for _, in := range c.in {
			var pr policy.Proposal
			p.Decode([]byte(in), "acme", &pr)
			if diff := cmp.Diff("> "+c.want, string(p.AppendCanonical([]byte("> "), &pr))); diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", in, pr.Fault(), diff)
			}
		}
	}
}

// What is different has another spelling.
func TestCanonicalTellsApart(t *testing.T) {
	p := policytest.Open(desk())
	seen := map[string]string{}
	for _, in := range []string{
		`{"tool":"transfer","target":"A","args":{"amount":"1"}}`,
		`{"tool":"transfer","target":"B","args":{"amount":"1"}}`,
		`{"tool":"transfer","target":"A","args":{"amount":"1.01"}}`,
		`{"tool":"transfer","target":"A","args":{"amount":"1","count":0}}`,
		`{"tool":"transfer","target":"A","args":{"amount":"1","express":false}}`,
		`{"tool":"transfer","target":"A","args":{"amount":"1"},"cause":"need"}`,
		`{"tool":"transfer","target":"A\",\"args\":{}","args":{"amount":"1"}}`,
		`{"tool":"read_account","target":"A"}`,
	} {
		var pr policy.Proposal
		p.Decode([]byte(in), "acme", &pr)
		key := string(p.AppendCanonical(nil, &pr))
		if other, dup := seen[key]; dup || key == "" {
			t.Errorf("%s and %s are both %q", in, other, key)
		}
		seen[key] = in
	}
}

// What the gate would not let past its schema rung has no spelling.
func TestCanonicalOfNothing(t *testing.T) {
	p, other := policytest.Open(desk()), policytest.Open(desk())
	for _, in := range []string{``, `{}`, `{"tool":"launch"}`, `{"tool":"ping","x":1}`, `{"tool":"transfer","target":"A"}`} {
		var pr policy.Proposal
		p.Decode([]byte(in), "acme", &pr)
		if got := p.AppendCanonical(nil, &pr); got != nil {
			t.Errorf("%s: %s", in, got)
		}
	}
	var pr policy.Proposal
	p.Decode([]byte(`{"tool":"ping"}`), "acme", &pr)
	if got := other.AppendCanonical(nil, &pr); got != nil {
		t.Errorf("another policy's proposal: %s", got)
	}
}

func TestAppendRecord(t *testing.T) {
	fields := []policy.Field{
		{Name: "whole", Kind: policy.KindDecimal}, {Name: "tiny", Kind: policy.KindDecimal, Scale: 9},
		{Name: "least", Kind: policy.KindInt}, {Name: "yes", Kind: policy.KindBool}, {Name: "gone", Kind: policy.KindEnum},
		{Name: "no_member", Kind: policy.KindEnum},
	}
	rec := policy.NewRecord(
		policy.Value{N: -7, Set: true}, policy.Value{N: -1 << 63, Set: true}, policy.Value{N: -1 << 63, Set: true},
		policy.Value{N: 1, Set: true}, policy.Value{}, policy.Value{N: 3, Set: true},
	)
	want := `{"whole":"-7","tiny":"-9223372036.854775808","least":-9223372036854775808,"yes":true,"no_member":null}`
	if diff := cmp.Diff(want, string(policy.AppendRecord(nil, fields, &rec))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
