package parser_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

// codesOf parses text and returns the codes that were reported, in order.
func codesOf(text string) []diag.Code {
	var r diag.Report
	parser.ParseFile(source.NewFile("x.prov", text), &r)
	var out []diag.Code
	for _, d := range r.Sorted() {
		out = append(out, d.Code)
	}
	return out
}

// Every example of a text or syntax code has that fault and no other, and its
// mended form has none.
func TestExamplesOfCodes(t *testing.T) {
	n := 0
	for _, in := range diag.All() {
		if in.Code >= 200 {
			continue
		}
		n++
		if in.Example == "" {
			if in.Why == "" {
				t.Errorf("%s %s has neither an example nor a reason why not", in.Code, in.Name)
			}
			continue
		}
		if diff := cmp.Diff([]diag.Code{in.Code}, codesOf(in.Example)); diff != "" {
			t.Errorf("%s %s: codes of its example (-want +got):\n%s%s", in.Code, in.Name, diff, faults(in.Example))
		}
		if got := faults(in.Fixed); got != "" {
			t.Errorf("%s %s: the mended example has\n%s", in.Code, in.Name, got)
		}
	}
	if n == 0 {
		t.Error("no code was looked at")
	}
}

// A code that has no example is reached by TestOneDiagnostic or TestManyFaults.
func TestCodesWithoutExample(t *testing.T) {
	want := []diag.Code{
		diag.FileTooLarge, diag.NulByte, diag.InvalidUTF8, diag.ByteOrderMark, diag.HiddenCharacter,
		diag.TooManyFaults, diag.LoneReturn, diag.TooDeep,
	}
	var got []diag.Code
	for _, in := range diag.All() {
		if in.Code < 200 && in.Example == "" {
			got = append(got, in.Code)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}
