package compiler

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/provlang/prov/dsl/diag"
)

// rendered is what an author reads, or "ok".
func rendered(files []File) string {
	list := Compile(files).Report.Sorted()
	if len(list) == 0 {
		return "ok\n"
	}
	var b bytes.Buffer
	if err := diag.WriteText(&b, list, diag.TextOptions{}); err != nil {
		return err.Error()
	}
	return b.String()
}

// split takes an archive apart: the package, and what is wanted.
func split(a *txtar.Archive) (files []File, want string) {
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".prov") {
			files = append(files, File{Name: f.Name, Text: f.Data})
		} else {
			want = string(f.Data)
		}
	}
	return files, want
}

// TestCases compiles each archive in testdata and compares what an author reads.
// With PROV_UPDATE set it writes what it gets, and fails.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, want := split(a)
			got := rendered(files)
			if os.Getenv("PROV_UPDATE") != "" {
				a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
				a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				t.Error("rewritten; run again without PROV_UPDATE")
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOrderOfFiles compiles every case with its files in other orders.
func TestOrderOfFiles(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files, _ := split(a)
		want, program := rendered(files), Compile(files).Program
		for range files {
			files = append(files[1:], files[0])
			if diff := cmp.Diff(want, rendered(files)); diff != "" {
				t.Errorf("%s: another order of files (-want +got):\n%s", name, diff)
			}
			other := Compile(files).Program
			if (program == nil) != (other == nil) || program != nil && program.Digest != other.Digest {
				t.Errorf("%s: another order of files gives another program", name)
			}
		}
	}
}
