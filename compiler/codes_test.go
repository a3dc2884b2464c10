package compiler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/diag"
)

// findings lists what a package of one file is told: code, line and message.
func findings(text string) []string {
	r := Compile([]File{{Name: "demo.prov", Text: []byte(text)}})
	var out []string
	for _, d := range r.Report.Sorted() {
		out = append(out, fmt.Sprintf("%s %s:%d %s", d.Code, d.Span.File.Name(), d.Span.Line(), d.Message))
	}
	return out
}

// TestEveryCode compiles the example of each code, which has that finding and no
// other, and the mended one, which has none.
func TestEveryCode(t *testing.T) {
	for _, in := range diag.All() {
		t.Run(in.Code.String()+"_"+in.Name, func(t *testing.T) {
			if in.Title == "" || in.Page == "" {
				t.Error("no title or no page")
			}
			if in.Example == "" || in.Fixed == "" {
				if in.Why == "" {
					t.Error("no example, and no reason why there is none")
				}
				return
			}
			got := findings(in.Example)
			if len(got) != 1 || !strings.HasPrefix(got[0], in.Code.String()+" ") {
				t.Errorf("the example has\n%s\nwant one finding with code %s", strings.Join(got, "\n"), in.Code)
			}
			if diff := cmp.Diff([]string(nil), findings(in.Fixed)); diff != "" {
				t.Errorf("the mended example has findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCodesWithoutExample reaches the codes that no small file has.
func TestCodesWithoutExample(t *testing.T) {
	one := func(text string) []File { return []File{{Name: "demo.prov", Text: []byte(text)}} }
	flags := "package demo\n\ntool pay {\n  args { amount int(0..100) }\n"
	for i := range 65 {
		flags += fmt.Sprintf("  flag f_%c%c when amount == %d\n", 'a'+i/26, 'a'+i%26, i)
	}
	packages := map[diag.Code][]File{
		diag.FileTooLarge:    one("package demo\n" + strings.Repeat("// a comment\n", 200_000)),
		diag.NulByte:         one("package demo\n\x00"),
		diag.InvalidUTF8:     one("package demo\n// \xff\n"),
		diag.ByteOrderMark:   one("\uFEFFpackage demo\n"),
		diag.HiddenCharacter: one("package demo\n// \u202e\n"),
		diag.LoneReturn:      one("package demo\n// a comment\renum Tier { low }\n"),
		diag.TooManyFaults:   one("package demo\n" + strings.Repeat("enum {\n}\n", 150)),
		diag.TooDeep:         one("package demo\n" + strings.Repeat("{", 100_000)),
		diag.PackageMismatch: {{Name: "a.prov", Text: []byte("package one\n")}, {Name: "b.prov", Text: []byte("package two\n")}},
		diag.TooMany:         one(flags + "}\n"),
	}
	for _, in := range diag.All() {
		if in.Example != "" || in.Code == diag.Internal {
			continue
		}
		files, ok := packages[in.Code]
		if !ok {
			t.Errorf("%s %s has no example, and no package here", in.Code, in.Name)
			continue
		}
		var got []string
		for _, d := range Compile(files).Report.Sorted() {
			got = append(got, d.Code.String())
		}
		if in.Code == diag.TooManyFaults {
			got = got[len(got)-1:] // after the faults that are shown
		}
		if diff := cmp.Diff([]string{in.Code.String()}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in.Name, diff)
		}
	}
}

// TestInternal has a pass that breaks an invariant: one diagnostic names it, and
// the passes after it are left out.
func TestInternal(t *testing.T) {
	d := newDriver([]File{{Name: "demo.prov", Text: []byte("package demo\n")}})
	d.pass("lower", func() { panic("demo.prov:1: a broken invariant") })
	d.pass("analysis", func() { t.Error("a pass ran after one that gave up") })
	got := d.report.Sorted()
	if len(got) != 1 || got[0].Code != diag.Internal || got[0].Span.File.Name() != "demo.prov" ||
		got[0].Message != "internal error in pass lower: demo.prov:1: a broken invariant" {
		t.Errorf("got %v", got)
	}
}

// TestLongCondition holds a condition to a number of comparisons that can be read
// (and analysed).
func TestLongCondition(t *testing.T) {
	condition := "amount == 1"
	for range 64 {
		condition += " or amount == 1"
	}
	got := findings("package demo\n\ntool pay {\n  args { amount int(0..100) }\n  flag many when " + condition + "\n}\n")
	want := []string{diag.TooMany.String() + " demo.prov:5 the condition has 65 comparisons, and at most 64 can be read"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
