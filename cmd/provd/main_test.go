package main

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/provlang/prov/compiler"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"provd": main})
}

// TestScripts runs the commands as a user would, over copies of the examples.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			for _, name := range []string{"incident", "intake"} {
				if err := os.CopyFS(filepath.Join(e.WorkDir, name), os.DirFS(filepath.Join(examples, name))); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

// provd computes a folder's digest without the compiler; the two must agree, or
// no folder runs.
func TestSourceDigestIsTheCompilers(t *testing.T) {
	dir := t.TempDir()
	var files []compiler.File
	for name, text := range map[string]string{
		"b.prov": "package p\r\n", "a.prov": "", "a-b.prov": "package p\n// é\n", "not.go": "package p\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".prov" {
			files = append(files, compiler.File{Name: "some/folder/" + name, Text: []byte(text)})
		}
	}
	got, err := sourceDigest(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := compiler.Digest(files)
	if diff := cmp.Diff(hex.EncodeToString(want[:]), got); diff != "" {
		t.Errorf("(-compiler +provd):\n%s", diff)
	}
}
