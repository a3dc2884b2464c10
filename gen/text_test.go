package gen_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/gen"
)

// nasty is text that has turned generators into accomplices.
var nasty = []string{
	"*/ func init() {} /*",
	"x\nfunc init() { panic(1) }\n//",
	"x\rfunc init() {}",
	"x\u2028func init() {}\u2029",
	"go:linkname a b", "go:build ignore", "+build ignore", "line /etc/passwd:1", "export f", "extern f",
	"`" + "` + f() + `",
	`" + f() + "`, `\`, "\x00", "\xff\xfe", "\ufeff", "\u202e}\u2066", "%s%!d", "$", "",
	"import \"os\"", "#cgo LDFLAGS: -x", "nolint", "lint:ignore U1000 x", "DO NOT EDIT.", "Deprecated: x",
	"# Heading", "\ta\n\tb", "[x]: y", strings.Repeat("long ", 2000),
}

var nastyNames = []string{
	"init", "main", "any", "nil", "true", "string", "policy", "time", "func", "type", "error", "Digest", "digest",
	"tool", "Tool", "parse_tool", "new", "open", "_", "__", "a_", "_a", "a__b", "9a", "a-b", "a b", "a\nb", "é", "Ａ",
	"x } func init() { }", "proposal", "job", "job_id", "Tier", "tier", "decimal2", "open_normal", "tier2", "len", "int", "args",
}

// plainDecls is how many declarations the sample has when nobody plays tricks.
func plainDecls(t *testing.T) int {
	t.Helper()
	n, err := countPlain()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var countPlain = sync.OnceValues(func() (int, error) {
	files, err := gen.Package(sample(plainWords))
	if err != nil {
		return 0, err
	}
	decls, err := declared(files)
	return len(decls), err
})

// checkText holds the output for w to what its names alone make of it.
func checkText(t *testing.T, w words) {
	t.Helper()
	files, err := gen.Package(sample(w))
	harmless := w
	harmless.doc, harmless.file, harmless.text = plainWords.doc, plainWords.file, plainWords.text
	want, wantErr := gen.Package(sample(harmless))
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("docs, strings and file names decide whether there is output: %v, %v", err, wantErr)
	}
	if err != nil {
		return // refused, which is safe
	}
	got := audit(t, files)
	same, err := declared(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(same, got.decls); diff != "" {
		t.Errorf("text became code (-want +got):\n%s", diff)
	}
	if n := plainDecls(t); n != len(got.decls) {
		t.Errorf("a name became code: %d declarations, want %d", len(got.decls), n)
	}
	for _, s := range []string{w.text, w.doc, w.file, w.name, w.member} {
		if _, ok := slices.BinarySearch(got.strings, s); !ok && s != "" {
			t.Errorf("%q does not come out as it went in", s)
		}
	}
}

func TestNastyText(t *testing.T) {
	for _, s := range nasty {
		w := plainWords
		w.doc, w.text, w.file = s, s, s
		if _, err := gen.Package(sample(w)); err != nil {
			t.Errorf("%q in a comment or a string: %v", s, err)
		}
		checkText(t, w)
	}
}

func TestNastyNames(t *testing.T) {
	for _, s := range nastyNames {
		for _, w := range []words{
			{pkg: s, file: "a.prov", name: "restart", member: "small", doc: "x", text: "y"},
			{pkg: "sample", file: "a.prov", name: s, member: "small", doc: "x", text: "y"},
			{pkg: "sample", file: "a.prov", name: "restart", member: s, doc: "x", text: "y"},
		} {
			checkText(t, w)
		}
	}
}

func FuzzText(f *testing.F) {
	for i, s := range nasty {
		f.Add("sample", nastyNames[i%len(nastyNames)], "small", s, s, s)
	}
	for _, s := range nastyNames {
		f.Add(s, "restart", s, "a.prov", "doc", "text")
	}
	f.Fuzz(func(t *testing.T, pkg, name, member, file, doc, text string) {
		checkText(t, words{pkg: pkg, file: file, name: name, member: member, doc: doc, text: text})
	})
}
