package progen

import (
	"bytes"
	"testing"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

func TestParses(t *testing.T) {
	for seed := range uint64(300) {
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
