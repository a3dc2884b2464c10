package gen_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/gen"
	"github.com/provlang/prov/internal/synth"
)

// update says that goldens and the examples' generated files are rewritten. A run
// that rewrites fails, so that no pipeline passes by rewriting.
var update = os.Getenv("PROV_UPDATE") == "1"

func compile(t testing.TB, files ...compiler.File) *ir.Program {
	t.Helper()
	r := compiler.Compile(files)
	if r.Program == nil {
		for _, d := range r.Report.Sorted() {
			if d.Severity() == diag.Error {
				t.Errorf("%s: %s", d.Code, d.Message)
			}
		}
		t.Fatal("does not compile")
	}
	return r.Program
}

func generate(t testing.TB, p *ir.Program) []gen.File {
	t.Helper()
	files, err := gen.Package(p)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// golden is a case of testdata: sources, and what they become.
type golden struct {
	name    string
	archive *txtar.Archive
	sources []compiler.File
	want    map[string]string
}

func goldens(t testing.TB) []golden {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var out []golden
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		g := golden{name: strings.TrimSuffix(filepath.Base(p), ".txtar"), archive: a, want: map[string]string{}}
		for _, f := range a.Files {
			if path.Ext(f.Name) == ".prov" {
				g.sources = append(g.sources, compiler.File{Name: f.Name, Text: f.Data})
			} else {
				g.want[f.Name] = string(f.Data)
			}
		}
		out = append(out, g)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(g.name, func(t *testing.T) {
			files := generate(t, compile(t, g.sources...))
			audit(t, files)
			got := map[string]string{}
			for _, f := range files {
				got[f.Name] = string(f.Content)
			}
			if update {
				g.rewrite(t, files)
				return
			}
			if diff := cmp.Diff(g.want, got); diff != "" {
				t.Errorf("generated files (-want +got):\n%s", diff)
			}
		})
	}
}

func (g golden) rewrite(t *testing.T, files []gen.File) {
	t.Helper()
	a := &txtar.Archive{Comment: g.archive.Comment}
	for _, s := range g.sources {
		a.Files = append(a.Files, txtar.File{Name: s.Name, Data: s.Text})
	}
	for _, f := range files {
		a.Files = append(a.Files, txtar.File{Name: f.Name, Data: f.Content})
	}
	if err := os.WriteFile("testdata/"+g.name+".txtar", txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s was rewritten; read the difference, then run without PROV_UPDATE", g.name)
}

// The go command sees each golden as a package of this module: vet has nothing to
// say about it, and package policy opens every policy in it.
func TestGoldensVetAndOpen(t *testing.T) {
	var pkgs []string
	for _, g := range goldens(t) {
		p := compile(t, g.sources...)
		pkgs = append(pkgs, inModule(t, append(generate(t, p), openTest(t, p))))
	}
	goCommand(t, append([]string{"vet"}, pkgs...)...)
	goCommand(t, append([]string{"test"}, pkgs...)...)
}

// openTest is a test, in the package itself, that opens every policy of p.
func openTest(t testing.TB, p *ir.Program) gen.File {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n\nfunc TestOpen(t *testing.T) {\n", p.Name)
	decls, err := declared(generate(t, p))
	if err != nil {
		t.Fatal(err)
	}
	opens := 0
	for _, d := range decls {
		if name, ok := strings.CutPrefix(d, "func Open"); ok {
			fmt.Fprintf(&b, "\tif _, err := Open%s(); err != nil {\n\t\tt.Error(err)\n\t}\n", name)
			opens++
		}
	}
	if opens != len(p.Policies) {
		t.Fatalf("%d policies and %d functions that open one", len(p.Policies), opens)
	}
	b.WriteString("}\n")
	return gen.File{Name: "open_test.go", Content: b.Bytes()}
}

// inModule writes a package into a folder of this module, for as long as the test
// runs, and gives its path. Patterns such as ./... do not see it.
func inModule(t testing.TB, files []gen.File) string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "package")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return "./" + filepath.ToSlash(dir)
}

func goCommand(t testing.TB, args ...string) []byte {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// A generated package runs nothing when a program starts: what the Go compiler
// makes of its tables is data.
func TestNoInit(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	for name, p := range map[string]*ir.Program{"sample": sample(plainWords), "synth": compile(t, named(synth.Tools(501))...)} {
		dir := inModule(t, generate(t, p))
		object := filepath.Join(t.TempDir(), name+".a")
		goCommand(t, "build", "-o", object, dir)
		symbols := string(goCommand(t, "tool", "nm", "-size", object))
		if !strings.Contains(symbols, "."+name+"Package") {
			t.Fatalf("%s: the symbols are not those of the package:\n%s", name, symbols)
		}
		for line := range strings.Lines(symbols) {
			f := strings.Fields(line)
			// The Go compiler gives a package that runs nothing a function of one
			// instruction, or none.
			if len(f) == 4 && strings.HasSuffix(f[3], path.Base(dir)+".init") && f[1] != "1" {
				t.Errorf("%s has an init of %s bytes", name, f[1])
			}
		}
	}
}

// examples are the packages whose generated Go is committed beside them.
var examples = []string{"incident", "intake"}

func exampleSources(t testing.TB, name string) []compiler.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "examples", name, "*.prov"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sources of example %s: %v", name, err)
	}
	var out []compiler.File
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, compiler.File{Name: path.Join("examples", name, filepath.Base(p)), Text: text})
	}
	return out
}

func TestExamplesAreUpToDate(t *testing.T) {
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("..", "examples", name)
			files := generate(t, compile(t, exampleSources(t, name)...))
			audit(t, files)
			committed := map[string][]byte{}
			paths, err := filepath.Glob(filepath.Join(dir, "*.prov.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range paths {
				if committed[filepath.Base(p)], err = os.ReadFile(p); err != nil {
					t.Fatal(err)
				}
			}
			stale := gen.Check(files, committed)
			if len(stale) == 0 {
				return
			}
			if update {
				if err := gen.Write(dir, files); err != nil {
					t.Fatal(err)
				}
				t.Fatalf("%v were rewritten; read the difference, then run without PROV_UPDATE", stale)
			}
			for _, f := range files {
				if diff := cmp.Diff(string(committed[f.Name]), string(f.Content)); diff != "" {
					t.Errorf("%s (-committed +generated):\n%s", f.Name, diff)
				}
			}
			t.Errorf("stale: %v", stale)
		})
	}
}

// The same sources give the same bytes in whatever order they are handed over.
func TestFileOrder(t *testing.T) {
	for _, g := range goldens(t) {
		if len(g.sources) < 2 {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			want := generate(t, compile(t, g.sources...))
			for i := range 2 * len(g.sources) {
				permuted := permute(g.sources, i)
				got := generate(t, compile(t, permuted...))
				for j := range want {
					if got[j].Name != want[j].Name || !bytes.Equal(got[j].Content, want[j].Content) {
						t.Errorf("order %d (-want +got):\n%s", i, cmp.Diff(string(want[j].Content), string(got[j].Content)))
					}
				}
			}
		})
	}
}

// permute turns the files round by i, and the other way round for the second half.
func permute(files []compiler.File, i int) []compiler.File {
	n := len(files)
	out := make([]compiler.File, n)
	for j := range files {
		k := (j + i) % n
		if i >= n {
			k = n - 1 - k
		}
		out[j] = files[k]
	}
	return out
}

// Decimals of two scales are compared right where the product of the one and the
// power of ten does not fit 64 bits.
func TestScaledComparison(t *testing.T) {
	const test = `package sample

import (
	"math"
	"math/big"
	"testing"
)

func TestCompareDecimals(t *testing.T) {
	ns := []int64{math.MinInt64, math.MinInt64 + 1, -1000001, -1000000, -999999, -101, -100, -99, -1, 0,
		1, 99, 100, 101, 999999, 1000000, 1000001, math.MaxInt64 / 100, math.MaxInt64 - 1, math.MaxInt64}
	for _, x := range ns {
		for _, y := range ns {
			for _, scale := range []int64{10, 100, 10000, 1e9} {
				want := new(big.Int).Mul(big.NewInt(x), big.NewInt(scale)).Cmp(big.NewInt(y))
				if got := compareDecimals(x, scale, y); got != want {
					t.Errorf("%d times %d against %d: %d, want %d", x, scale, y, got, want)
				}
			}
		}
	}
}
`
	dir := inModule(t, append(generate(t, sample(plainWords)), gen.File{Name: "compare_test.go", Content: []byte(test)}))
	goCommand(t, "test", dir)
}
