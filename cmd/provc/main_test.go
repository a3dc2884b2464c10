package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"provc": main})
}

// TestScripts runs the commands as a user would: testdata/script holds a story a
// file.
func TestScripts(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("PROV_UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", root+"/../../examples")
			return nil
		},
	})
	if os.Getenv("PROV_UPDATE") != "" {
		t.Error("the scripts were rewritten; run again without PROV_UPDATE")
	}
}
