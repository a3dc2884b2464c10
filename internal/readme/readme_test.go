// Package readme holds the README to its word: the policy that it shows
// compiles, its tests and proofs hold, and its program prints what it says.
package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/printer"
	"github.com/provlang/prov/dsl/source"
	"github.com/provlang/prov/gen"
)

// fenced returns the one fenced block of a language.
func fenced(t *testing.T, text, language string) string {
	t.Helper()
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("the README has %d blocks of %s", len(found), language)
	}
	return found[0][1]
}

func TestThePolicyOfOnesOwn(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := fenced(t, string(readme), "prov")
	canonical := printer.Print(parser.ParseFile(source.NewFile("hello.prov", text), new(diag.Report)))
	if diff := cmp.Diff(string(canonical), text); diff != "" {
		t.Errorf("the policy is not in canonical form (-canonical +README):\n%s", diff)
	}
	res := compiler.Compile([]compiler.File{{Name: "hello.prov", Text: []byte(text)}})
	for _, d := range res.Report.Sorted() {
		t.Errorf("line %d: %s %s", d.Span.Line(), d.Code, d.Message)
	}
	if res.Program == nil {
		t.FailNow()
	}
	m := interp.New(res.Program)
	for _, r := range m.RunTests() {
		if !r.Passed {
			t.Error(r)
		}
	}
	for _, r := range m.Prove() {
		if !r.Passed {
			t.Error(r)
		}
	}
	files, err := gen.Package(res.Program)
	if err != nil {
		t.Fatal(err)
	}
	program := fenced(t, string(readme), "go")
	_, said, ok := strings.Cut(program, "p.Where(d.Line)) // ")
	if !ok {
		t.Fatal("the README's program does not say what it prints")
	}
	said, _, _ = strings.Cut(said, "\n")
	if diff := cmp.Diff(said, build(t, files, program)); diff != "" {
		t.Errorf("what the program prints (-README +really):\n%s", diff)
	}
}

// build runs the program within this module, in a folder that `./...` passes over.
func build(t *testing.T, files []gen.File, program string) string {
	t.Helper()
	dir, err := os.MkdirTemp(".", "_readme")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	write := func(name string, content []byte) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		write("hello/"+f.Name, f.Content)
	}
	const where = "github.com/provlang/prov/hello"
	if !strings.Contains(program, where) {
		t.Fatalf("the program does not import %s", where)
	}
	here := "github.com/provlang/prov/internal/readme/" + filepath.Base(dir) + "/hello"
	write("main.go", []byte(strings.Replace(program, where, here, 1)))
	cmd := exec.Command("go", "run", "./"+filepath.Base(dir))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}
