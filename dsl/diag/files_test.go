package diag

import (
	"os"
	"path/filepath"
	"testing"
)

// codeFiles returns the sources that declare codes, by name.
func codeFiles(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("codes_*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no sources", err)
	}
	out := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(text)
	}
	return out
}
