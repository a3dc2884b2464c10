package compiler

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/provlang/prov/dsl/diag"
)

// FuzzCompile feeds two files: the answer is diagnostics or a program, never
// both an error and a program, never an internal error, and the same for the
// files in the other order.
func FuzzCompile(f *testing.F) {
	for _, name := range []string{"incident", "intake"} {
		b, err := os.ReadFile("../examples/" + name + "/" + name + ".prov")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, []byte{})
		f.Add(b[:len(b)/2], b[len(b)/2:])
	}
	for _, in := range diag.All() {
		f.Add([]byte(in.Example), []byte(in.Fixed))
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
		f.Add(a.Files[0].Data, a.Files[1].Data)
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 1<<16 {
			return
		}
		one, two := File{Name: "a.prov", Text: a}, File{Name: "b.prov", Text: b}
		files := []File{one, two}
		if len(b) == 0 {
			files = files[:1]
		}
		r := Compile(files)
		if r.Report.HasErrors() == (r.Program != nil) {
			t.Fatal("an error and a program, or neither")
		}
		for _, d := range r.Report.Sorted() {
			if d.Code == diag.Internal {
				t.Fatal(d.Message)
			}
			if !d.Span.Valid() {
				t.Errorf("%s %s has no place", d.Code, d.Message)
			}
		}
		if len(files) == 2 && rendered(files) != rendered([]File{two, one}) {
			t.Error("the order of the files changes the findings")
		}
	})
}
