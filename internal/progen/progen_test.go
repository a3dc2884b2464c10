package progen

import (
	"bytes"
	"testing"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

func TestParses(t *testing.T) {
	for seed := range uint64(120) {
		text := Source(seed)
		var r diag.Report
		parser.ParseFile(source.NewFile("gen.prov", string(text)), &r)
		for _, d := range r.Sorted() {
			start, _ := d.Span.Positions()
			t.Fatalf("seed %d, %v: %s: %s\n%s", seed, start, d.Code, d.Message, text)
		}
	}
}

func TestDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		if first, again := Source(seed), Source(seed); !bytes.Equal(first, again) {
			t.Fatalf("seed %d gave two packages:\n%s\n---\n%s", seed, first, again)
		}
	}
}

// What does not compile would test nothing behind the parser.
func TestCompiles(t *testing.T) {
	for seed := range uint64(120) {
		text := Source(seed)
		r := compiler.Compile([]compiler.File{{Name: "gen.prov", Text: text}})
		if r.Program != nil {
			continue
		}
		for _, d := range r.Report.Sorted() {
			if d.Severity() == diag.Error {
				t.Errorf("seed %d, line %d: %s: %s\n%s", seed, d.Span.Line(), d.Code, d.Message, d.Span.Text())
			}
		}
		if testing.Verbose() {
			t.Logf("%s", text)
		}
		return
	}
}
