package policy_test

import (
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// seeds are texts for the fuzzers: one of each kind, none of them long.
func seeds() []string {
	return []string{
		transfer,
		`{"tool":"transfer","target":"A-1","cause":"need","rests_on":["o1","b2"],"args":{"amount":"-92233720368547758.08","count":-5,"note":"\ud83d\ude00\u0000","code":"é","urgency":"now","express":true,"payee":"P-1"}}`,
		`{"args":{"amount":"1.005","x":1},"tool":"transfer","tenant":"other"}`,
		`{"tool":"ping","\u0074ool":"ping"}`,
		`{"tool":"ping","x":{"a":[1,-0.5e+3,true,null,{"b":"\\"}],"a":1}}`,
		`{"tool":"freeze_account","target":"A","args":{"days":365}}`,
		`{"tool":"launch","args":{"days":[]}}`,
		`{"tool":1,"rests_on":[[[[[[[[]]]]]]]]}`,
		`[]`, `{}`, ` `, `{"tool":"ping"} `, "{\"tool\":\"\xff\"}", "\ufeff{}", `{"tool":"ping","x":"\ud800"}`,
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s), "acme")
	}
	f.Add([]byte(`{"tool":"ping","tenant":""}`), "")
	spec := desk()
	p := policytest.Open(spec)
	f.Fuzz(func(t *testing.T, data []byte, tenant string) {
		var pr policy.Proposal
		got := decoded(p, spec, data, tenant, &pr)
		if diff := agree(ask(spec, data, tenant), got); diff != "" {
			t.Fatalf("(-oracle +decoder):\n%s", diff)
		}
		if !got.Kind.Malformed() != pr.By(p) {
			t.Fatal("a malformed proposal is taken for a proposal")
		}
		canonical := p.AppendCanonical(nil, &pr)
		if (len(canonical) > 0) != (pr.Tool >= 0 && got.Kind == policy.NoFault) {
			t.Fatalf("canonical form %q of %+v", canonical, got)
		}
		if len(canonical) == 0 {
			return
		}
		var again policy.Proposal
		second := decoded(p, spec, canonical, tenant, &again)
		second.RestsOn = got.RestsOn
		if diff := cmp.Diff(got, second, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the canonical form %s is another proposal (-first +second):\n%s", canonical, diff)
		}
		if twice := p.AppendCanonical(nil, &again); string(twice) != string(canonical) {
			t.Fatalf("the canonical form of %s is %s", canonical, twice)
		}
	})
}

// FuzzMatch holds the walk through a pattern's table to package regexp.
func FuzzMatch(f *testing.F) {
	for _, s := range []string{"", "v1", "v", "ABC", "ABCD", "é", "éé", "Aé", "\u0661", "😀", "\x00", "v1\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // no decoder lets it through
		}
		for _, p := range []*policy.Pattern{policytest.Version(), policytest.Code()} {
			want := regexp.MustCompile(`\A(?:` + p.Source + `)\z`).MatchString(s)
			if got := p.Match(s); got != want {
				t.Errorf("/%s/ matches %q: %v, want %v", p.Source, s, got, want)
			}
		}
	})
}
