package jenx

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExported(t *testing.T) {
	for in, want := range map[string][2]string{
		"blast_radius": {"BlastRadius", "blastRadius"},
		"tier1":        {"Tier1", "tier1"},
		"invoice_id":   {"InvoiceID", "invoiceID"},
		"id":           {"ID", "id"},
		"api_url":      {"APIURL", "apiURL"},
		"Tier":         {"Tier", "tier"},
		"HTTP":         {"HTTP", "http"},
		"a__b_":        {"AB", "aB"},
		"_":            {"", ""},
		"":             {"", ""},
	} {
		if diff := cmp.Diff(want, [2]string{Exported(in), Unexported(in)}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
	if got := Exported("new", "", "proposal"); got != "" {
		t.Errorf("a name that is missing becomes %q", got)
	}
}

func TestClaim(t *testing.T) {
	s := NewScope()
	for _, c := range []struct {
		candidates []string
		want       string
		err        string
	}{
		{[]string{"Tier"}, "Tier", ""},
		{[]string{"Tier"}, "", "the thing would be Tier in Go, and so is the thing"},
		{[]string{"Tier", "TierEnum"}, "TierEnum", ""},
		{[]string{"policy", "len", "func", "init", "main", "time", "nil", "fine"}, "fine", ""},
		{[]string{"func"}, "", "a keyword of Go"},
		{[]string{"policy"}, "", "the name of an import"},
		{[]string{"string"}, "", "a predeclared name of Go"},
		{[]string{"a b"}, "", "not a name that Go takes"},
		{[]string{"ａ"}, "", "not a name that Go takes"},
		{[]string{"1a"}, "", "not a name that Go takes"},
		{[]string{"_"}, "", "not a name that Go takes"},
		{[]string{""}, "", "not a name that Go takes"},
		{nil, "", "has no name"},
	} {
		id, err := s.Claim("the thing", c.candidates...)
		if id.String() != c.want {
			t.Errorf("%q: claimed %q, want %q", c.candidates, id, c.want)
		}
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: error %v, want %q", c.candidates, err, c.err)
		}
	}
}

func TestComments(t *testing.T) {
	for in, want := range map[string][]string{
		"plain":               {"// plain"},
		"":                    {"//"},
		"a\nb\r\nc\rd\u2028e": {"// a", "// b", "// c", "// d", "// e"},
		"*/ code /*":          {"// */ code /*"},
		"go:embed x":          {`// "go:embed x"`},
		" +build x":           {`// " +build x"`},
		"line a.go:1":         {`// "line a.go:1"`},
		"lines are fine":      {"// lines are fine"},
		"nul\x00bom\ufeff":    {`// nul\u0000bom\ufeff`},
		"left\u202eright":     {`// left\u202eright`},
		"bad\xffutf8":         {`// bad\xffutf8`},
		"trailing  \t":        {"// trailing"},
		"wide 規則":             {"// wide 規則"},
	} {
		if diff := cmp.Diff(want, comments(in)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
	if got := comment(strings.Repeat("x", 10_000)); len(got) > maxComment+20 {
		t.Errorf("a comment of %d bytes", len(got))
	}
}

// What the generator itself must not do panics: these are faults of ours.
func TestPanics(t *testing.T) {
	open := func() *Data {
		d := &Data{}
		d.Slice("string", Line)
		return d
	}
	for name, f := range map[string]func(){
		"an identifier of nobody":   func() { Name(Ident{}) },
		"a fixed word that is none": func() { Fixed("a b") },
		"a keyword as a fixed word": func() { Fixed("func") },
		"an unexported import":      func() { In(Policy, "open") },
		"code as an import":         func() { In(Policy, "Open()") },
		"any":                       func() { Builtin("any") },
		"no predeclared name":       func() { Builtin("strin") },
		"code as an operator":       func() { Binary(Int(1), "; panic(1);", Int(2)) },
		"an exported variable":      func() { d := open(); d.End(); Var("", Fixed("X"), d) },
		"an exported table":         func() { d := open(); d.End(); Bulk("", Fixed("X"), d) },
		"a literal that is open":    func() { Var("", Fixed("x"), open()) },
		"code as a type":            func() { (&Data{}).Slice("policy.Row{}; f()", Line) },
		"a type of nobody":          func() { (&Data{}).Struct("os.File", Line) },
		"code as a key":             func() { d := &Data{}; d.Struct("policy.Row", Line); d.Key("A: f(), B") },
		"a comment inside a line":   func() { d := open(); d.Str("x"); d.Beside("c") },
		"a note inside a line":      func() { open().Note("c") },
		"a bulk table with comments": func() {
			d := &Data{}
			d.Slice("string", Rows)
			d.Str("x")
			d.Beside("c")
			d.End()
			Bulk("", Fixed("x"), d)
		},
		"a bulk table that gofmt would align": func() {
			d := &Data{}
			d.Struct("policy.Row", Rows)
			d.Key("Base").Int(1)
			d.End()
			Bulk("", Fixed("x"), d)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// Whatever a string or a comment holds, the file declares the same things.
func FuzzFile(f *testing.F) {
	for _, s := range []string{"", "x", "*/", "\n}\nfunc init() {}\n", "`", `"`, "\\", "\x00", "\xff", "\u2028", "go:build x", "+build x"} {
		f.Add(s, s, s)
	}
	f.Fuzz(func(t *testing.T, header, doc, text string) {
		file := NewFile(Fixed("p"), "Code generated from "+header, doc)
		table := &Data{}
		table.Slice("string", Rows)
		table.Note(doc)
		table.Str(text)
		table.Beside(doc)
		table.End()
		bulk := &Data{}
		bulk.Slice("string", Dense)
		bulk.Str(text)
		bulk.End()
		file.Add(
			Var(doc, Fixed("table"), table),
			Bulk(doc, Fixed("bulk"), bulk),
			Const(doc, Fixed("C"), Str(text)),
			Func{Doc: doc, Name: Fixed("F"), Body: []Code{Note(doc), Beside(Return(), doc)}}.Code(),
		)
		out, err := file.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), "p.go", out, parser.ParseComments)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var got []string
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				got = append(got, d.Name.Name)
			case *ast.GenDecl:
				got = append(got, d.Tok.String()+" "+d.Specs[0].(*ast.ValueSpec).Names[0].Name)
			}
		}
		if diff := cmp.Diff([]string{"var table", "const C", "F", "var bulk"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s\n%s", diff, out)
		}
		for _, g := range parsed.Comments {
			for _, c := range g.List {
				if c.Text != "//" && !strings.HasPrefix(c.Text, "// ") && !strings.HasPrefix(c.Text, "//\t") {
					t.Errorf("a comment that a tool may obey: %q", c.Text)
				}
			}
		}
	})
}
