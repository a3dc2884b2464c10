package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// drawText draws what looks like a proposal: the members of the format and of the
// contracts, in any order and spelling, with values that mostly nearly fit.
func drawText(t *rapid.T) string {
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	often := func(label string) bool { return rapid.IntRange(0, 3).Draw(t, label) != 2 }
	blank := func() string { return pick("blank", "", "", "", " ", "\n\t", "\r") }
	spell := func(name string) string { // one character escaped
		if name == "" || often("plain") {
			return `"` + name + `"`
		}
		i := rapid.IntRange(0, len(name)-1).Draw(t, "escaped")
		return fmt.Sprintf(`"%s\u%04x%s"`, name[:i], name[i], name[i+1:])
	}
	scalars := []string{`"12.50"`, `"-0.5"`, `"0"`, `"1.005"`, `"-0"`, `"99999999999999999999"`, `7`, `-5`, `101`, `1.5`, `1e2`, `0`, `-0`,
		`"EUR"`, `"eur"`, `"ab"`, `"a"`, `"\ud83d\ude00\u00e9"`, `"é"`, `""`, `"now"`, `"need"`, `true`, `false`, `null`, `"A-1"`, `"acme"`,
		`"other"`, `"transfer"`, `01`, `"\q"`, `"\ud800"`, `tru`, `"` + strings.Repeat("x", 201) + `"`}
	var value func(depth int) string
	value = func(depth int) string {
		if depth > 7 || often("scalar") {
			return pick("scalar", scalars...)
		}
		var parts []string
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			parts = append(parts, value(depth+1))
		}
		if rapid.Bool().Draw(t, "list") {
			return "[" + strings.Join(parts, ",") + "]"
		}
		for i := range parts {
			parts[i] = spell(pick("name", "a", "b", "tenant")) + ":" + parts[i]
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	fits := map[string][]string{
		"tool": {`"transfer"`, `"transfer"`, `"freeze_account"`, `"ping"`, `"read_account"`, `"launch"`}, "target": {`"A-1"`}, "cause": {`"need"`},
		"amount": {`"12.5"`, `"1"`}, "count": {`3`, `-5`}, "note": {`"note"`}, "code": {`"EUR"`, `"éé"`}, "urgency": {`"calm"`},
		"express": {`true`}, "payee": {`"P-1"`}, "days": {`5`}, "rests_on": {`["o1","b2"]`, `[]`},
	}
	var object func(names ...string) string
	object = func(names ...string) string {
		var b strings.Builder
		b.WriteString("{" + blank())
		order := rapid.Permutation(names).Draw(t, "order")
		for i, name := range order {
			if i > 0 {
				b.WriteString("," + blank())
			}
			b.WriteString(spell(name) + blank() + ":" + blank())
			switch {
			case name == "args" && often("args"):
				args := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"amount", "count", "note", "code", "urgency", "express", "payee", "days", "tenant", "x"}),
					0, 8, rapid.ID).Draw(t, "arguments")
				b.WriteString(object(args...))
			case fits[name] != nil && often("fits"):
				b.WriteString(pick("fitting", fits[name]...))
			default:
				b.WriteString(value(2))
			}
			b.WriteString(blank())
		}
		b.WriteString("}")
		return b.String()
	}
	names := []string{"tool"}
	for _, n := range []string{"args", "target", "rests_on", "cause"} {
		if often(n) {
			names = append(names, n)
		}
	}
	if !often("others") {
		names = append(names, rapid.SliceOfN(rapid.SampledFrom([]string{"tenant", "tenant_id", "confidence", "tool", "x", "args"}), 1, 3).Draw(t, "more")...)
	}
	text := blank() + object(names...) + blank()
	if !often("whole") {
		i := rapid.IntRange(0, len(text)).Draw(t, "at")
		j := rapid.IntRange(i, min(i+2, len(text))).Draw(t, "to")
		text = text[:i] + pick("instead", "", "}", "{", `"`, ",", "\\", "\x00", "\xff", "[", "0") + text[j:]
	}
	return text
}

// TestDecodeAgrees holds the decoder to the oracle on texts that a fuzzer would
// take long to come to.
func TestDecodeAgrees(t *testing.T) {
	spec := desk()
	p := policytest.Open(spec)
	var pr policy.Proposal
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		if diff := agree(ask(spec, []byte(text), "acme"), decoded(p, spec, []byte(text), "acme", &pr)); diff != "" {
			t.Fatalf("%s (-oracle +decoder):\n%s", text, diff)
		}
	})
}

// A text that breaks off is malformed wherever it does.
func TestDecodeEveryPrefix(t *testing.T) {
	spec := desk()
	p := policytest.Open(spec)
	var pr policy.Proposal
	for _, text := range append(seeds(), policytest.Sample, policytest.Escaped, `{"tool":"ping","x":["\r\u000D",{"y":-1.5E+2}]}`) {
		for i := range len(text) {
			got := decoded(p, spec, []byte(text[:i]), "acme", &pr)
			if diff := agree(ask(spec, []byte(text[:i]), "acme"), got); diff != "" {
				t.Errorf("%q: the oracle differs (-oracle +decoder):\n%s", text[:i], diff)
			}
			if whole := strings.TrimSpace(text); len(whole) > 2 && i < len(whole) && !got.Kind.Malformed() {
				t.Errorf("%q: not malformed", text[:i])
			}
		}
	}
}
