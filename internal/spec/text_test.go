package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/printer"
	"github.com/provlang/prov/dsl/source"
)

func TestRule_TXT_2(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		line, column int
	}{
		{"LF", "package p\nenum T { a, a }\n", 2, 13},
		{"CRLF", "package p\r\nenum T { a, a }\r\n", 2, 13},
		{"no final line end", "package p\nenum T { a, a }", 2, 13},
		{"tabs", "package p\nenum\tT\t{\ta,\ta }\n", 2, 13},
		{"wide characters before it", "package p\n/// 表\nenum T {\n  /// 優先度\n  a, a }\n", 5, 6},
	} {
		res := compiler.Compile([]compiler.File{{Name: "p.prov", Text: []byte(c.text)}})
		var got []source.Position
		for _, d := range res.Report.Sorted() {
			if d.Code == diag.DuplicateMember {
				start, _ := d.Span.Positions()
				got = append(got, start)
			}
		}
		want := []source.Position{{Line: c.line, Column: c.column}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	// A CR alone would end a comment for some readers and not for others.
	for _, text := range []string{"package p\renum T { a, a }\r", "package p\n// x\renum T { a, a }\n"} {
		res := compiler.Compile([]compiler.File{{Name: "p.prov", Text: []byte(text)}})
		var got []diag.Code
		for _, d := range res.Report.Sorted() {
			got = append(got, d.Code)
		}
		if diff := cmp.Diff([]diag.Code{diag.LoneReturn}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestRule_TXT_10 formats every package of the cases that compiles: a second time
// changes nothing, and the program is the same but for its positions and digest.
func TestRule_TXT_10(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	formatted := 0
	for _, file := range cases {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if !strings.HasSuffix(f.Name, ".prov") {
				continue
			}
			before := compiler.Compile([]compiler.File{{Name: "p.prov", Text: f.Data}})
			if before.Program == nil {
				continue
			}
			once := print(t, f.Data)
			if twice := print(t, once); string(twice) != string(once) {
				t.Errorf("%s %s: formatting twice (-once +twice):\n%s", file, f.Name, cmp.Diff(string(once), string(twice)))
			}
			after := compiler.Compile([]compiler.File{{Name: "p.prov", Text: once}})
			if diff := cmp.Diff(before.Program, after.Program,
				cmpopts.IgnoreTypes(ir.Pos{}), cmpopts.IgnoreFields(ir.Program{}, "Digest")); diff != "" {
				t.Errorf("%s %s: formatting changed the program (-before +after):\n%s", file, f.Name, diff)
			}
			formatted++
		}
	}
	if formatted < 20 {
		t.Errorf("only %d packages were formatted", formatted)
	}
}

func print(t *testing.T, text []byte) []byte {
	t.Helper()
	var r diag.Report
	tree := parser.ParseFile(source.NewFile("p.prov", string(text)), &r)
	if r.HasErrors() {
		t.Fatalf("does not parse: %v\n%s", r.Sorted()[0].Message, text)
	}
	return printer.Print(tree)
}
