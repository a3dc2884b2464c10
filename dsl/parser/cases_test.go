package parser_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Each testdata/*.txtar has a file in.prov and, as want, what is said about it.
// PROV_UPDATE=1 rewrites want, and fails, so that nobody rewrites by accident.
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
				a.Files = append(a.Files, txtar.File{Name: "want"})
			}
			if len(a.Files) != 2 || a.Files[0].Name != "in.prov" || a.Files[1].Name != "want" {
				t.Fatal("a case has the files in.prov and want")
			}
			got := faults(string(a.Files[0].Data))
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
			t.Errorf("what is said differs (-want +got):\n%s", diff)
		})
	}
}
