package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/diag"
)

// TestCommitted holds docs/ERRORS.md to the table of codes.
func TestCommitted(t *testing.T) {
	want := string(page(diag.All()))
	got, err := os.ReadFile("../../../../docs/ERRORS.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/ERRORS.md is stale, run go generate ./dsl/diag (-want +got):\n%s", diff)
	}
}
