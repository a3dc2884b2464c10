// Package arrows holds the test that keeps imports pointing one way. What each
// folder may import is a table; everything else is a failure that names both
// ends of the arrow.
package arrows

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/provlang/prov/"

// arrow says what the packages under From may import of this module. A path
// that ends in /... stands for the folder and all below it.
type arrow struct {
	from string
	to   []string
}

// arrows is read from the top; the first row that fits a package is its own.
var arrows = []arrow{
	{"dsl/...", []string{"dsl/..."}},
	{"compiler/ir", nil},
	{"compiler/...", []string{"dsl/...", "compiler/..."}},
	{"gen/...", []string{"compiler/ir", "gen/..."}},
	{"runtime/policy", nil},
	{"runtime/...", []string{"runtime/..."}},
	{"examples/*/company", []string{"runtime/...", "examples/..."}},
	{"examples/*", []string{"runtime/policy"}}, // generated code
	{"internal/...", []string{"dsl/...", "compiler/...", "gen/...", "runtime/...", "internal/...", "examples/..."}},
	{"cmd/...", []string{"dsl/...", "compiler/...", "gen/...", "runtime/...", "examples/...", "internal/...", "cmd/..."}},
}

// keepers are the only packages that may import a dependency that is meant to
// stay behind one door.
var keepers = map[string]string{
	"github.com/dave/jennifer":      "gen/internal/jenx",
	"github.com/cockroachdb/pebble": "runtime/store",
}

// never lists what must not even be reached indirectly: an author's tools are
// not part of a server, and generated code drags nothing in.
var never = []struct{ from, to string }{
	{"runtime/...", "dsl/..."},
	{"runtime/...", "compiler/..."},
	{"runtime/...", "gen/..."},
	{"examples/...", "dsl/..."},
	{"examples/...", "compiler/..."},
	{"examples/...", "gen/..."},
	{"cmd/provd/...", "dsl/..."},
	{"cmd/provd/...", "compiler/..."},
	{"cmd/provd/...", "gen/..."},
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestArrowsPointOneWay(t *testing.T) {
	pkgs := list(t)
	if len(pkgs) < 15 {
		t.Fatalf("go list found %d packages; the walk is broken", len(pkgs))
	}
	for _, p := range pkgs {
		from := strings.TrimPrefix(p.ImportPath, module)
		row, ok := rowOf(from)
		if !ok {
			t.Errorf("%s stands in no row of the table: say what it may import", from)
			continue
		}
		for _, imp := range p.Imports {
			if to, ours := strings.CutPrefix(imp, module); ours {
				if !anyFits(row.to, to) {
					t.Errorf("%s imports %s; packages of %s may import %v", from, to, row.from, row.to)
				}
				continue
			}
			for dep, keeper := range keepers {
				if strings.HasPrefix(imp, dep) && from != keeper {
					t.Errorf("%s imports %s; only %s may", from, imp, keeper)
				}
			}
			if from == "runtime/policy" && strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
				t.Errorf("runtime/policy imports %s; it may import the standard library alone", imp)
			}
		}
		for _, dep := range p.Deps {
			to, ours := strings.CutPrefix(dep, module)
			if !ours {
				continue
			}
			for _, n := range never {
				if fits(n.from, from) && fits(n.to, to) {
					t.Errorf("%s reaches %s, directly or not; %s must not reach %s", from, to, n.from, n.to)
				}
			}
		}
	}
}

// The table itself is tested: a rule that fits nothing would pass for ever.
func TestTableFits(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"dsl/...", "dsl", true},
		{"dsl/...", "dsl/ast", true},
		{"dsl/...", "dslx", false},
		{"compiler/ir", "compiler/ir", true},
		{"compiler/ir", "compiler/ir/x", false},
		{"examples/*", "examples/incident", true},
		{"examples/*", "examples/incident/company", false},
		{"examples/*/company", "examples/incident/company", true},
	} {
		if got := fits(c.pattern, c.path); got != c.want {
			t.Errorf("fits(%q, %q) = %v, want %v", c.pattern, c.path, got, c.want)
		}
	}
	if row, _ := rowOf("runtime/policy"); row.to != nil {
		t.Errorf("runtime/policy may import %v", row.to)
	}
}

func rowOf(path string) (arrow, bool) {
	for _, a := range arrows {
		if fits(a.from, path) {
			return a, true
		}
	}
	return arrow{}, false
}

func anyFits(patterns []string, path string) bool {
	for _, p := range patterns {
		if fits(p, path) {
			return true
		}
	}
	return false
}

func fits(pattern, path string) bool {
	if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == dir || strings.HasPrefix(path, dir+"/")
	}
	ok, err := filepath.Match(pattern, path)
	return err == nil && ok
}

func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatalf("read go list: %v", err)
		}
		pkgs = append(pkgs, p)
	}
}
