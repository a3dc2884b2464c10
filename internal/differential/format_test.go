package differential

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/printer"
	"github.com/provlang/prov/dsl/source"
	"github.com/provlang/prov/internal/progen"
)

func format(t *testing.T, text []byte) []byte {
	t.Helper()
	var r diag.Report
	f := parser.ParseFile(source.NewFile("gen.prov", string(text)), &r)
	if r.Len() > 0 {
		t.Fatalf("%s\n%s", r.Sorted()[0].Message, text)
	}
	return printer.Print(f)
}

// Formatting a package changes no decision, and formatting it again changes nothing.
func TestFormattingKeepsTheMeaning(t *testing.T) {
	for seed := range uint64(24) {
		text := progen.Source(seed)
		formatted := format(t, text)
		if again := format(t, formatted); !bytes.Equal(formatted, again) {
			t.Fatalf("seed %d: formatting is not a fixed point (-once +twice)\n%s", seed, cmp.Diff(string(formatted), string(again)))
		}
		before, after := compile(t, text), compile(t, formatted)
		cases, others := progen.Cases(before, seed, 100), progen.Cases(after, seed, 100)
		m, n := interp.New(before), interp.New(after)
		for i := range cases {
			want, got := m.Decide(cases[i]), n.Decide(others[i])
			want.Pos = got.Pos // lines move
			// A clause is the same by its text, which is canonical before and after.
			clauses := cmp.Transformer("text", func(r *ir.Requirement) string { return r.Text })
			if diff := cmp.Diff(want, got, clauses); diff != "" {
				t.Fatalf("seed %d, %s (-before +after)\n%s", seed, cases[i].Proposal, diff)
			}
		}
	}
}
