package parser_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/ebnf"
	"github.com/provlang/prov/dsl/internal/grammar"
	"github.com/provlang/prov/dsl/internal/sentence"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

func normative(t testing.TB) *ebnf.Grammar {
	t.Helper()
	g, err := ebnf.Parse(grammar.Text)
	if err != nil {
		t.Fatalf("grammar.ebnf: %v", err)
	}
	return g
}

func TestGrammarIsLL1(t *testing.T) {
	for _, c := range normative(t).Conflicts() {
		t.Error(c)
	}
}

// words is what NAME becomes: ordinary names, and names that are a keyword somewhere.
var words = []string{
	"a", "b", "service", "tier1", "amount", "x_1",
	"result", "state", "read", "args", "flag", "test", "tool", "risk", "of", "by", "on", "present",
	"absent", "optional", "default", "score", "flags", "within", "expect", "half_life", "required",
	"standing", "approval", "agent", "evidence", "any", "order", "where", "ref", "trusted", "as", "package",
}

// symbols scans text for the recogniser; false where it has no tokens of the language.
func symbols(text string) ([]ebnf.Symbol, bool) {
	var r diag.Report
	s := grammar.Scan(source.NewFile("x.prov", text), &r)
	var out []ebnf.Symbol
	for _, t := range s.Tokens {
		sym := ebnf.Symbol{}
		switch k := t.Kind; {
		case k == grammar.EOF:
			continue
		case k == grammar.Name:
			sym = ebnf.Symbol{Quoted: `"` + text[t.Start:t.End] + `"`, Class: "NAME"}
		case k >= grammar.LBrace:
			sym.Quoted = `"` + k.String() + `"`
		default:
			sym.Class = k.String()
		}
		out = append(out, sym)
	}
	return out, r.Len() == 0
}

func faults(text string) string {
	var r diag.Report
	parser.ParseFile(source.NewFile("x.prov", text), &r)
	var b strings.Builder
	if err := diag.WriteText(&b, r.Sorted(), diag.TextOptions{}); err != nil {
		return err.Error()
	}
	return b.String()
}

// What the grammar's text generates, the parser takes.
func TestParserTakesWhatTheGrammarMakes(t *testing.T) {
	g := normative(t)
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := sentence.Text(r, g.Sentence(r.IntN), []string{"a", "b", "c", "service", "tier1"})
		if got := faults(text); got != "" {
			t.Fatalf("seed %d: the grammar makes\n%s\nand the parser says\n%s", seed, text, got)
		}
	}
}

// On sentences with keywords as names, and on damaged ones, grammar and parser
// give the same answer.
func TestParserAgreesWithTheGrammar(t *testing.T) {
	g := normative(t)
	names := append(keywords(t), words...)
	taken, refused := 0, 0
	for seed := range uint64(12000) {
		r := rand.New(rand.NewPCG(seed, 2))
		terminals := g.Sentence(r.IntN)
		for range r.IntN(3) {
			terminals = damage(r, g, terminals, names)
		}
		text := sentence.Text(r, terminals, names)
		syms, ok := symbols(text)
		if !ok {
			continue
		}
		want := g.Accepts(syms)
		got := faults(text)
		if want != (got == "") {
			t.Fatalf("seed %d: grammar accepts: %v; text\n%s\nand the parser says\n%s", seed, want, text, got)
		}
		if want {
			taken++
		} else {
			refused++
		}
	}
	if taken < 2000 || refused < 2000 {
		t.Errorf("the comparison is lopsided: %d sentences taken, %d refused", taken, refused)
	}
}

// damage takes a terminal out, doubles one, swaps two, or puts one in.
func damage(r *rand.Rand, g *ebnf.Grammar, in, words []string) []string {
	if len(in) < 2 {
		return in
	}
	out := append([]string{}, in...)
	i := r.IntN(len(out))
	switch r.IntN(5) {
	case 4:
		return slices.Insert(out, i, `"`+words[r.IntN(len(words))]+`"`)
	case 0:
		return append(out[:i], out[i+1:]...)
	case 1:
		return append(out[:i], append([]string{out[i]}, out[i:]...)...)
	case 2:
		j := r.IntN(len(out))
		out[i], out[j] = out[j], out[i]
	default:
		other := g.Sentence(r.IntN)
		out[i] = other[r.IntN(len(other))]
	}
	return out
}

// docs/SPEC.md is normative, and quotes the grammar word for word.
func TestSpecQuotesTheGrammar(t *testing.T) {
	for _, name := range []string{"../../docs/SPEC.md", "../../docs/SPEC.grammar.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(text), "```ebnf\n")
		if !ok {
			continue
		}
		quoted, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Fatalf("%s: the block is not closed", name)
		}
		if diff := cmp.Diff(grammar.Text, quoted); diff != "" {
			t.Errorf("%s does not quote dsl/internal/grammar/grammar.ebnf (-want +got):\n%s", name, diff)
		}
		return
	}
	t.Error("no page of docs quotes the grammar in an ```ebnf block")
}

// keywords are the words that the parser's own code looks for.
func keywords(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`(?:acceptWord|expectWord|isWord|mark)\("(\w+)"\)`)
	var out []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllSubmatch(text, -1) {
			out = append(out, string(m[1]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A word that the code takes and the text does not name would be found by the
// comparison only with luck.
func TestEachKeywordIsInTheGrammar(t *testing.T) {
	// Looked for only to say that they do not belong.
	strangers := []string{"calls", "if", "is", "of", "package", "within"}
	for _, w := range keywords(t) {
		if !strings.Contains(grammar.Text, `"`+w+`"`) && !slices.Contains(strangers, w) {
			t.Errorf("the parser looks for %q, which is in no production", w)
		}
	}
	for _, w := range grammar.Reserved() {
		if w != "matches" && !strings.Contains(grammar.Text, `"`+w+`"`) {
			t.Errorf("the reserved word %q is in no production", w)
		}
	}
}
