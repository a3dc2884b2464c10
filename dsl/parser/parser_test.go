package parser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

func parse(text string) (*ast.File, []*diag.Diagnostic) {
	var r diag.Report
	f := parser.ParseFile(source.NewFile("x.prov", text), &r)
	return f, r.Sorted()
}

// What is wrong with a file as a whole is one diagnostic, at once, whatever its size.
func TestOneDiagnostic(t *testing.T) {
	const head = "package p\n"
	tool := head + "tool t on e {\n  flag f when "
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	tests := []struct {
		name string
		text string
		want diag.Code
		at   source.Position
	}{
		{"empty", "", diag.EmptyFile, source.Position{Line: 1, Column: 1}},
		{"blanks", " \t\r\n\n", diag.EmptyFile, source.Position{Line: 1, Column: 1}},
		{"only a comment", "// later\n", diag.EmptyFile, source.Position{Line: 1, Column: 1}},
		{"too large", head + many("// x\n", parser.MaxBytes/5), diag.FileTooLarge, source.Position{Line: 1, Column: 1}},
		{"far too large", many("{", 20<<20), diag.FileTooLarge, source.Position{Line: 1, Column: 1}},
		{"NUL", head + "enum T { a\x00 }", diag.NulByte, source.Position{Line: 2, Column: 11}},
		{"NUL in a comment", head + "// \x00", diag.NulByte, source.Position{Line: 2, Column: 4}},
		{"UTF-16", "\xff\xfep\x00a\x00", diag.NulByte, source.Position{Line: 1, Column: 4}},
		{"invalid UTF-8", head + "enum T { a\xff }", diag.InvalidUTF8, source.Position{Line: 2, Column: 11}},
		{"overlong UTF-8", head + "// \xc0\xaf", diag.InvalidUTF8, source.Position{Line: 2, Column: 4}},
		{"surrogate", head + "// \xed\xa0\x80", diag.InvalidUTF8, source.Position{Line: 2, Column: 4}},
		{"byte-order mark", "\ufeff" + head, diag.ByteOrderMark, source.Position{Line: 1, Column: 1}},
		{"escape", head + "// \x1b[2J", diag.HiddenCharacter, source.Position{Line: 2, Column: 4}},
		{"CR in a comment", head + "// only ever so\renum T { a }\n", diag.LoneReturn, source.Position{Line: 2, Column: 16}},
		{"CR as a line end", "package p\r\renum T { a b }\r", diag.LoneReturn, source.Position{Line: 1, Column: 10}},
		{"CR before CRLF", "package p\r\n// \r\r\nenum T { a b }", diag.LoneReturn, source.Position{Line: 2, Column: 4}},
		{"CR at the end", head + "enum T { a }\r", diag.LoneReturn, source.Position{Line: 2, Column: 13}},
		{"turned text", head + "// \u202e", diag.HiddenCharacter, source.Position{Line: 2, Column: 4}},
		{"brackets", tool + many("(", 100_000) + "a == b" + many(")", 100_000) + "\n}\n", diag.TooDeep, source.Position{Line: 3, Column: 78}},
		{"open brackets", tool + many("(", 100_000), diag.TooDeep, source.Position{Line: 3, Column: 78}},
		{"braces", head + many("{", 100_000), diag.TooDeep, source.Position{Line: 2, Column: 65}},
		{"closed braces", head + many("{", 100_000) + many("}", 100_000), diag.TooDeep, source.Position{Line: 2, Column: 65}},
		{"closing braces", head + many("}", 100_000), diag.StrayBrace, source.Position{Line: 2, Column: 1}},
		{"not", tool + many("not ", 100_000) + "a == b\n}\n", diag.TooDeep, source.Position{Line: 3, Column: 271}},
		{"a long word", head + "enum T { " + many("a", 1<<20) + " b }", diag.UnexpectedToken, source.Position{Line: 2, Column: 1<<20 + 11}},
		{"a long chain", tool + many("a == b and ", 50_000) + "}\n", diag.UnexpectedToken, source.Position{}},
		{"no package", "enum T { a }", diag.MissingPackage, source.Position{Line: 1, Column: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			_, list := parse(tt.text)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("it took %v", d)
			}
			if len(list) != 1 {
				t.Fatalf("%d diagnostics, want 1; the first codes are %v", len(list), codesOf(tt.text)[:min(len(list), 5)])
			}
			d := list[0]
			if diff := cmp.Diff(tt.want, d.Code); diff != "" {
				t.Errorf("code (-want +got):\n%s", diff)
			}
			if at, _ := d.Span.Positions(); tt.at.Line > 0 && at != tt.at {
				t.Errorf("place (-want +got):\n%s", cmp.Diff(tt.at, at))
			}
			if len(d.Helps) == 0 && tt.want != diag.UnexpectedToken {
				t.Error("it does not say what to change")
			}
		})
	}
}

// The largest file that is allowed is parsed.
func TestTwoMegabytes(t *testing.T) {
	head := "package p\nenum T { a }\n"
	text := head + strings.Repeat("/", parser.MaxBytes-len(head))
	f, list := parse(text)
	if len(list) > 0 || len(f.Decls) != 1 {
		t.Errorf("%d declarations, %d diagnostics", len(f.Decls), len(list))
	}
}

// A file of noise is cut short.
func TestManyFaults(t *testing.T) {
	_, list := parse("package p\n" + strings.Repeat("noise\n", 10_000))
	if len(list) != 101 {
		t.Fatalf("%d diagnostics, want 101", len(list))
	}
	last := list[100]
	if last.Code != diag.TooManyFaults || !strings.HasPrefix(last.Message, "9900 more") {
		t.Errorf("the last one is %s %s", last.Code, last.Message)
	}
}

// Line and column are right whatever ends the lines and fills the columns.
func TestPositions(t *testing.T) {
	const fault = "enum T { a b }" // at b
	tests := []struct {
		name, text string
		want       source.Position
	}{
		{"LF", "package p\n\n" + fault + "\n", source.Position{Line: 3, Column: 12}},
		{"CRLF", "package p\r\n\r\n" + fault + "\r\n", source.Position{Line: 3, Column: 12}},
		{"no final line end", "package p\n" + fault, source.Position{Line: 2, Column: 12}},
		{"tabs", "package p\nenum\tT\t{\ta\t\tb }", source.Position{Line: 2, Column: 13}},
		{"after a comment in CRLF", "package p // x\r\n// y\r\n" + fault, source.Position{Line: 3, Column: 12}},
		{"at the end of a line", "package p\nenum T\n", source.Position{Line: 2, Column: 7}},
		{"at the end of a CRLF line", "package p\r\nenum T\r\n", source.Position{Line: 2, Column: 7}},
		{"at the end of the file", "package p\nenum T", source.Position{Line: 2, Column: 7}},
		{"behind wide characters", "package p\ntest \"日本é👍\" x { }", source.Position{Line: 2, Column: 13}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, list := parse(tt.text)
			if len(list) != 1 {
				t.Fatalf("%d diagnostics, want 1:\n%s", len(list), faults(tt.text))
			}
			at, _ := list[0].Span.Positions()
			if diff := cmp.Diff(tt.want, at); diff != "" {
				t.Errorf("place (-want +got):\n%s", diff)
			}
		})
	}
}

// The names of what could not be parsed are kept.
func TestBroken(t *testing.T) {
	f, _ := parse("package p\ntool a on b {\nenum T { a b }\nrisk r { }\n/// doc\nrisk s { x }\ntest \"t\" { x }\n")
	var broken, whole []string
	for _, n := range f.Broken {
		broken = append(broken, n.Name)
	}
	for _, d := range f.Decls {
		whole = append(whole, d.DeclName().Name)
	}
	if diff := cmp.Diff([]string{"a", "T", "s"}, broken); diff != "" {
		t.Errorf("broken (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"r"}, whole); diff != "" {
		t.Errorf("whole (-want +got):\n%s", diff)
	}
}

// Docs and comments arrive where they belong.
func TestDocsAndComments(t *testing.T) {
	f, list := parse("// head\n/// The package.\npackage p\n\n/// One.\n///\n///   two  \nenum T {\n  /// A.\n  a // first\n}\n//// four\n")
	if len(list) > 0 {
		t.Fatal(list[0].Message)
	}
	enum := f.Decls[0].(*ast.Enum)
	docs := []ast.Doc{f.Doc, enum.Doc, enum.Members[0].Doc}
	if diff := cmp.Diff([]ast.Doc{{"The package."}, {"One.", "", "  two"}, {"A."}}, docs); diff != "" {
		t.Errorf("docs (-want +got):\n%s", diff)
	}
	var comments []string
	for _, c := range f.Comments {
		comments = append(comments, c.Text)
	}
	if diff := cmp.Diff([]string{" head", " first", "// four"}, comments); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

// Every node has a span within that of the node around it, and a name's span is
// its spelling.
func TestSpans(t *testing.T) {
	names, err := filepath.Glob("../../examples/*/*.prov")
	if err != nil || len(names) < 2 {
		t.Fatal("no examples", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n")} {
			f, list := parse(text)
			if len(list) > 0 {
				t.Fatalf("%s: %s", name, list[0].Message)
			}
			if n := spans(t, reflect.ValueOf(f), f.Span(), "File"); n < 100 {
				t.Errorf("%s: only %d nodes", name, n)
			}
		}
	}
}

// spans walks the tree and returns how many nodes it saw.
func spans(t *testing.T, v reflect.Value, around source.Span, path string) int {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return spans(t, v.Elem(), around, path)
	case reflect.Slice:
		n := 0
		for i := range v.Len() {
			n += spans(t, v.Index(i), around, fmt.Sprintf("%s[%d]", path, i))
		}
		return n
	case reflect.Pointer:
		node, ok := v.Interface().(ast.Node)
		if v.IsNil() || !ok {
			return 0
		}
		s := node.Span()
		if !s.Valid() || s.Start < around.Start || s.End > around.End || s.Start >= s.End {
			t.Errorf("%s: [%d, %d) is not within [%d, %d)", path, s.Start, s.End, around.Start, around.End)
		}
		if id, ok := node.(*ast.Ident); ok && s.Text() != id.Name {
			t.Errorf("%s: the name %q stands at %q", path, id.Name, s.Text())
		}
		n := 1
		for i := range v.Elem().NumField() {
			n += spans(t, v.Elem().Field(i), s, path+"."+v.Elem().Type().Field(i).Name)
		}
		return n
	}
	return 0
}

// No text makes the parser slow. Each piece is something whose end is looked for,
// or that is reported, many times. A megabyte of any takes a tenth of a second or
// so; a step that looks at the rest of the text each time would take minutes, so
// the bound holds on a busy machine as well.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const head = "package p\n"
	for _, piece := range []string{
		"/* \n", "/* ", "“ ", "“a", "' ", "'\n", "\"\n", "\" ", "/a/b ", "/a/b\n", "{\n", "}\n", "{ ", "} ",
		"tool a on b {\n", "/// doc\n", "a-b ", "..", "5.", ",", ", a", "test\n", "type x =\n", "\u2028", "x\u00a0", "é",
		"enum T { a }\n", "enum T { a b }\n", "  }\n\t{", "[", "#\n", ";", ":", "0..", "a.b.", "(", "(\n", "not ", "package p\n",
		"tool t { flag f when a == b and }\n",
	} {
		text := head + strings.Repeat(piece, 1<<20/len(piece))
		start := time.Now()
		faults(text)
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%q: a megabyte takes %v", piece, d)
		}
	}
}
