package compiler

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/provlang/prov/dsl/diag"
)

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*|[0-9.]+|"[^"\n]*"|\s+|.`)

// TestMutations changes words of packages that compile: one is left out, doubled,
// exchanged with another or replaced. Whatever comes out is diagnosed or
// compiles; the compiler itself never gives up.
func TestMutations(t *testing.T) {
	var sources [][]string
	var words []string
	for _, name := range []string{"incident", "intake"} {
		b, err := os.ReadFile("../examples/" + name + "/" + name + ".prov")
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, word.FindAllString(string(b), -1))
	}
	for _, in := range diag.All() {
		if in.Fixed != "" {
			sources = append(sources, word.FindAllString(in.Fixed, -1))
		}
	}
	for _, s := range sources {
		words = append(words, s...)
	}
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		text := mutate(r, sources[r.IntN(len(sources))], words)
		res := Compile([]File{{Name: "demo.prov", Text: []byte(text)}})
		if res.Report.HasErrors() == (res.Program != nil) {
			t.Fatalf("an error and a program, or neither:\n%s", text)
		}
		for _, d := range res.Report.Sorted() {
			if d.Code == diag.Internal {
				t.Fatalf("%s\n%s", d.Message, text)
			}
			if !d.Span.Valid() || d.Message == "" {
				t.Fatalf("%s has no place or no message:\n%s", d.Code, text)
			}
		}
	}
}

func mutate(r *rand.Rand, source, words []string) string {
	s := append([]string(nil), source...)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(s))
		switch r.IntN(4) {
		case 0:
			s[i] = ""
		case 1:
			s[i] += " " + s[i]
		case 2:
			j := r.IntN(len(s))
			s[i], s[j] = s[j], s[i]
		case 3:
			s[i] = words[r.IntN(len(words))]
		}
	}
	return strings.Join(s, "")
}
