package parser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

// seeds are the examples, and every case and example of a fault.
func seeds(f *testing.F) {
	f.Helper()
	names, err := filepath.Glob("../../examples/*/*.prov")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range cases {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(a.Files[0].Data))
	}
	for _, in := range diag.All() {
		f.Add(in.Example)
	}
	for _, s := range []string{"", "\x00", "\xff", "\ufeff", "package p\r\nenum T { a }\r", "package p\n\tx \u202e"} {
		f.Add(s)
	}
}

// FuzzParse: parsing never panics, and says something about every file that it
// does not take as a whole. Every finding is inside of the file.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		src := source.NewFile("x.prov", text)
		var r diag.Report
		file := parser.ParseFile(src, &r)
		if file == nil {
			t.Fatal("no tree")
		}
		if r.Len() == 0 && file.Package == nil {
			t.Error("a file without a package and without a diagnostic")
		}
		if len(file.Broken) > 0 && r.Len() == 0 {
			t.Error("a broken declaration without a diagnostic")
		}
		for _, d := range r.Sorted() {
			if d.Span.File != src || d.Message == "" || d.Severity() != diag.Error || diag.Lookup(d.Code).Title == "" {
				t.Errorf("%s %q at %v", d.Code, d.Message, d.Span)
			}
		}
		for _, opt := range []diag.TextOptions{{}, {Color: true}} {
			if err := diag.WriteText(new(strings.Builder), r.Sorted(), opt); err != nil {
				t.Error(err)
			}
		}
	})
}
