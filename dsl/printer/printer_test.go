package printer_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/ebnf"
	"github.com/provlang/prov/dsl/internal/grammar"
	"github.com/provlang/prov/dsl/internal/sentence"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/printer"
	"github.com/provlang/prov/dsl/source"
)

// outline writes a tree without its positions, a value a line. Comparing two of
// them is much faster than comparing the trees.
func outline(f *ast.File) string {
	var b strings.Builder
	walk(&b, reflect.ValueOf(f), "File")
	return b.String()
}

func walk(b *strings.Builder, v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Interface {
			path += "." + v.Elem().Elem().Type().Name()
		}
		walk(b, v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			switch v.Field(i).Interface().(type) {
			case ast.At, source.Span, *source.File:
			default:
				walk(b, v.Field(i), path+"."+v.Type().Field(i).Name)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(b, v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
	default:
		fmt.Fprintf(b, "%s %v\n", path, v)
	}
}

func parse(text string) (*ast.File, *diag.Report) {
	var r diag.Report
	return parser.ParseFile(source.NewFile("x.prov", text), &r), &r
}

// roundTrip prints f and checks that the text has the same tree and is canonical.
func roundTrip(t *testing.T, f *ast.File) string {
	t.Helper()
	once := string(printer.Print(f))
	g, r := parse(once)
	if r.Len() > 0 {
		t.Fatalf("what was printed does not parse: %s\n%s", r.Sorted()[0].Message, once)
	}
	if diff := cmp.Diff(outline(f), outline(g)); diff != "" {
		t.Fatalf("what was printed has another tree (-want +got):\n%s\n%s", diff, once)
	}
	if diff := cmp.Diff(once, string(printer.Print(g))); diff != "" {
		t.Fatalf("printing it again changes it (-want +got):\n%s", diff)
	}
	return once
}

// Each testdata/*.txtar has a file in.prov and its canonical form, want.prov.
// PROV_UPDATE=1 rewrites want.prov, and fails, so that nobody does by accident.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatal("no cases")
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) == 1 {
				a.Files = append(a.Files, txtar.File{Name: "want.prov"})
			}
			if len(a.Files) != 2 || a.Files[0].Name != "in.prov" || a.Files[1].Name != "want.prov" {
				t.Fatal("a case has the files in.prov and want.prov")
			}
			f, r := parse(string(a.Files[0].Data))
			if r.Len() > 0 {
				t.Fatal(r.Sorted()[0].Message)
			}
			got := roundTrip(t, f)
			diff := cmp.Diff(string(a.Files[1].Data), got)
			if diff == "" {
				return
			}
			if os.Getenv("PROV_UPDATE") != "" {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				t.Fatal("rewritten")
			}
			t.Errorf("canonical form (-want +got):\n%s", diff)
		})
	}
}

// The examples are in canonical form, with any line ends.
func TestExamplesAreCanonical(t *testing.T) {
	names, err := filepath.Glob("../../examples/*/*.prov")
	if err != nil || len(names) < 2 {
		t.Fatal("no examples", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n")} {
			f, r := parse(in)
			if r.Len() > 0 {
				t.Fatalf("%s: %s", name, r.Sorted()[0].Message)
			}
			if diff := cmp.Diff(string(text), roundTrip(t, f)); diff != "" {
				t.Errorf("%s is not canonical (-want +got):\n%s", name, diff)
			}
		}
	}
}

// The form does not depend on how a file was indented, nor on blanks between words.
func TestBlanksMeanNothing(t *testing.T) {
	text, err := os.ReadFile("../../examples/incident/incident.prov")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		var b strings.Builder
		quoted := false
		for line := range strings.Lines(string(text)) {
			comment := strings.Contains(line, "//")
			trimmed := strings.TrimLeft(line, " ")
			b.WriteString(strings.Repeat(" ", r.IntN(3)*btoi(len(trimmed) < len(line))*3))
			for _, c := range trimmed {
				b.WriteRune(c)
				quoted = quoted != (c == '"')
				if c == ' ' && !quoted && !comment {
					b.WriteString([]string{"", " ", "\t"}[r.IntN(3)])
				}
			}
		}
		f, rep := parse(b.String())
		if rep.Len() > 0 {
			t.Fatal(rep.Sorted()[0].Message)
		}
		if diff := cmp.Diff(string(text), string(printer.Print(f))); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Whatever the grammar can say is printed, and comes back as the same tree.
func TestMadeUpFiles(t *testing.T) {
	g, err := ebnf.Parse(grammar.Text)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		f, rep := parse(sentence.Text(r, g.Sentence(r.IntN), []string{"a", "bb", "tier1", "a_much_longer_name_than_others"}))
		if rep.Len() > 0 {
			t.Fatalf("seed %d: %s", seed, rep.Sorted()[0].Message)
		}
		roundTrip(t, f)
	}
}

// FuzzPrint: printing is a fixed point, and what it prints has the same tree,
// every comment included.
func FuzzPrint(f *testing.F) {
	for _, glob := range []string{"../../examples/*/*.prov", "testdata/*.txtar"} {
		names, err := filepath.Glob(glob)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			if a := txtar.Parse(text); len(a.Files) > 0 {
				text = a.Files[0].Data
			}
			f.Add(string(text))
		}
	}
	for _, in := range diag.All() {
		f.Add(in.Fixed)
	}
	f.Add("package p // a\n// b\nenum T { // c\n// d\na // e\n} // f\n// g")
	f.Add("package p\nprove \"x\" { // a\nfor all // b\n// c\nexpect hold // d\n}")
	f.Add("package p\nagent a { scope b, // c\n// d\n e } // f\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, r := parse(text)
		if r.Len() > 0 {
			t.Skip()
		}
		roundTrip(t, file)
	})
}
