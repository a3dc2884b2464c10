package ebnf

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustParse(t *testing.T, text string) *Grammar {
	t.Helper()
	g, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The check for conflicts finds each kind of them.
func TestConflicts(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"none", `Sum = "a" [ "b" ] { "c" } ( "d" | "e" ) .`, nil},
		{"two alternatives", `Sum = "a" "b" | "a" "c" .`, []string{`Sum: "a" goes both ways`}},
		{"two alternatives through a rule", "Sum = Tag | \"a\" .\nTag = [ \"b\" ] \"a\" .", []string{`Sum: "a" goes both ways`}},
		{"an option and what follows", `Sum = [ "a" ] "a" .`, []string{`Sum: "a" goes both ways`}},
		{"a repetition and what follows", `Sum = { "a" } "a" .`, []string{`Sum: "a" goes both ways`}},
		{"what follows in another rule", "Sum = Tag \"a\" .\nTag = \"b\" [ \"a\" ] .", []string{`Tag: "a" goes both ways`}},
		{"a repetition and itself", `Sum = { "a" [ "a" ] } .`, []string{`Sum: "a" goes both ways`}},
		{"a word before NAME", `Sum = "a" | NAME .`, nil},
		{"a word after NAME", `Sum = NAME | "a" .`, []string{`Sum: NAME would swallow "a"`}},
		{"a word after an optional NAME", `Sum = [ NAME ] "a" .`, []string{`Sum: NAME would swallow "a"`}},
		{"a reserved word after NAME", `Sum = [ NAME ] "when" .`, nil},
		{"a sign after NAME", `Sum = [ NAME ] "{" .`, nil},
		{"an optional nothing", `Sum = [ [ "a" ] ] .`, []string{"Sum: what may be left out may be empty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, mustParse(t, tt.text).Conflicts()); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{`Sum = "a"`, `Sum "a" .`, `Sum = ( "a" .`, `Sum = Tag .`, "Sum = \"a\" .\nTag = \"b\" .", "Sum = \"a\" .\nSum = \"b\" .", `Sum = "a" ] .`} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// The recogniser follows the text: a word goes before NAME, signs have no class.
func TestAccepts(t *testing.T) {
	g := mustParse(t, "// a comment\nSum = \"tool\" NAME [ \"on\" NAME ] \"{\" { Tag } \"}\" .\nTag = \"args\" NUMBER | NAME [ NAME ] \",\" .")
	for text, want := range map[string]bool{
		"tool a { }":                     true,
		"tool tool on on { }":            true,
		"tool a { args 1 }":              true,
		"tool a { args , }":              false, // args is taken as the word
		"tool a { x args , args 1 x , }": true,
		"tool a on { }":                  false,
		"tool a { } }":                   false,
		"tool a {":                       false,
		"":                               false,
	} {
		var in []Symbol
		for _, w := range strings.Fields(text) {
			switch {
			case w[0] >= 'a' && w[0] <= 'z':
				in = append(in, Symbol{Quoted: `"` + w + `"`, Class: "NAME"})
			case w[0] >= '0' && w[0] <= '9':
				in = append(in, Symbol{Class: "NUMBER"})
			default:
				in = append(in, Symbol{Quoted: `"` + w + `"`})
			}
		}
		if got := g.Accepts(in); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Sentences end, even where the grammar recurs, and are recognised.
func TestSentences(t *testing.T) {
	g := mustParse(t, "Sum = \"(\" Sum \")\" Sum | { \"a\" } [ \"b\" Sum ] | \"c\" .")
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		if n := len(g.Sentence(r.IntN)); n > 10_000 {
			t.Fatalf("seed %d: %d terminals", seed, n)
		}
	}
}
