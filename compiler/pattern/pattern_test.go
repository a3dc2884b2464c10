package pattern

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler/ir"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		src string
		yes []string
		no  []string
	}{
		{`v[0-9]+`, []string{"v1", "v42"}, []string{"", "v", "xv1", "v1x", "v1\n"}},
		{`INV-[0-9]{4,}`, []string{"INV-0001", "INV-00012"}, []string{"INV-001", "inv-0001"}},
		{`[A-Z]{3}`, []string{"CHF"}, []string{"CH", "CHFR", "chf", "ÇHF"}},
		{`^a$`, []string{"a"}, []string{"aa", "a\n"}},
		{`\Aa|b\z`, []string{"a", "b"}, []string{"ab"}},
		{`(^a|^b)c*$`, []string{"a", "bcc"}, []string{"c"}},
		{`(?i)straße`, []string{"STRAßE", "straẞe"}, []string{"strasse"}},
		{`(?i)k`, []string{"k", "K", "\u212a"}, []string{"x"}},
		{`\pL+`, []string{"Zürich", "東京"}, []string{"", "a1"}},
		{`.*`, []string{"", "a", "日本"}, []string{"a\nb"}},
		{`(?s).`, []string{"\n", "\U0010ffff"}, []string{"", "ab"}},
		{`[^a]`, []string{"b", "é"}, []string{"a", ""}},
		{`(a|b)*a(a|b){3}`, []string{"aaaa", "babbb"}, []string{"bbbb", "aaa"}},
		{`a\/b`, []string{"a/b"}, nil},
		{``, []string{""}, []string{"a"}},
		{`a{0}`, []string{""}, []string{"a"}},
	}
	for _, tt := range tests {
		p, err := Compile(tt.src)
		if err != nil {
			t.Errorf("Compile(%q): %v", tt.src, err)
			continue
		}
		for _, s := range tt.yes {
			if !Match(p, s) {
				t.Errorf("%q does not match %q", tt.src, s)
			}
		}
		for _, s := range tt.no {
			if Match(p, s) {
				t.Errorf("%q matches %q", tt.src, s)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name, src string
		want      Fault
	}{
		{"no such syntax", `a(`, Syntax},
		{"look-ahead", `(?=a)`, Syntax},
		{"back-reference", `(a)\1`, Syntax},
		{"invalid UTF-8", "\xff", Syntax},
		{"too long", strings.Repeat("a", MaxSource+1), TooLong},
		{"repetition", `a{1001}`, TooManyRepeats},
		{"nested repetition", `(a{40}){40}`, TooManyRepeats},
		{"written out", `(?:` + strings.Repeat("ab", 30) + `){900}`, TooManyStates},
		{"states in a line", `a{999}b{999}c{999}`, TooManyStates},
		{"states that explode", `(a|b)*a(a|b){20}`, TooManyStates},
		{"classes", manyClasses(300), TooManyClasses},
		{"word boundary", `\bword\b`, Assertion},
		{"no word boundary", `\Bword`, Assertion},
		{"anchor in the middle", `a^b`, Assertion},
		{"end in the middle", `a$b`, Assertion},
		{"anchor in a repetition", `(^a)*`, Assertion},
		{"start after what may be empty", `a*^b`, Assertion},
		{"line anchors", `(?m)^a$`, Assertion},
		{"nothing", `[^\x00-\x{10FFFF}]`, MatchesNothing},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Compile(tt.src)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("Compile = %v, %v; want an *Error", p, err)
			}
			if diff := cmp.Diff(tt.want.String(), e.Fault.String()); diff != "" {
				t.Errorf("fault (-want +got)\n%s%v", diff, err)
			}
		})
	}
}

// manyClasses tells n letters apart, because each is followed by as many a's as
// its place says.
func manyClasses(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune(rune(0x4e00 + 2*i))
	}
	return b.String()
}

// The automaton is minimal: of the examples the sizes are known.
func TestMinimal(t *testing.T) {
	tests := []struct {
		src             string
		states, classes int
	}{
		{`v[0-9]+`, 3, 3},
		{`[A-Z]{3}`, 4, 2},
		{`a|b|c`, 2, 2},
		{`(a|b)*a(a|b){3}`, 16, 3},
		{`(aa|ab|ba|bb)*`, 2, 2},
		{`.*`, 1, 2},
		{`x{0,500}`, 501, 2},
		{`\pL\pL?`, 3, 2},
	}
	for _, tt := range tests {
		p, err := Compile(tt.src)
		if err != nil {
			t.Errorf("Compile(%q): %v", tt.src, err)
			continue
		}
		if len(p.Accept) != tt.states || p.Classes != tt.classes {
			t.Errorf("%q has %d states and %d classes, want %d and %d", tt.src, len(p.Accept), p.Classes, tt.states, tt.classes)
		}
	}
}

func TestDeterministic(t *testing.T) {
	for _, src := range []string{`v[0-9]+`, `(?i)(alpha|beta|gamma)[^x]*\pL{2,9}`, `([a-m]|[k-z])+é`} {
		first, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			again, err := Compile(src)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(first, again); diff != "" {
				t.Fatalf("%q (-first +again)\n%s", src, diff)
			}
		}
	}
}

// wellFormed is what every reader of the table relies on.
func wellFormed(t *testing.T, p *ir.Pattern) {
	t.Helper()
	states := len(p.Accept)
	if states == 0 || states > MaxStates || p.Classes == 0 || p.Classes > MaxClasses || len(p.Next) != states*p.Classes {
		t.Fatalf("%q: %d states, %d classes, %d entries", p.Source, states, p.Classes, len(p.Next))
	}
	for _, next := range p.Next {
		if next != ir.Dead && int(next) >= states {
			t.Fatalf("%q: state %d of %d", p.Source, next, states)
		}
	}
	for _, c := range p.ASCII {
		if int(c) >= p.Classes {
			t.Fatalf("%q: class %d of %d", p.Source, c, p.Classes)
		}
	}
	last := rune(asciiCodes - 1)
	for _, r := range p.Ranges {
		if r.Lo <= last || r.Hi < r.Lo || r.Hi > maxCodePoint || int(r.Class) >= p.Classes || r.Class == 0 {
			t.Fatalf("%q: range %+v after %x", p.Source, r, last)
		}
		last = r.Hi
	}
}

// FuzzAgainstRegexp compares the automaton with the engine of the standard
// library, anchored by it and not by us.
func FuzzAgainstRegexp(f *testing.F) {
	f.Add(`v[0-9]+`, "v42")
	f.Add(`^(a|b)*a(a|b){3}$`, "abba")
	f.Add(`(?i)straße|\pL{2}`, "STRAẞE")
	f.Add(`a?b+?c*|x{2,5}`, "xxx")
	f.Add(`\A[^\d\s]+\z`, "é")
	f.Add(`(?s).(?-s).`, "\n\n")
	f.Add(`()|a`, "")
	f.Add(`[[:alpha:]_-]{1,3}$`, "a_-")
	f.Fuzz(func(t *testing.T, src, text string) {
		p, err := Compile(src)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v is no *Error", src, err)
			}
			return
		}
		wellFormed(t, p)
		if !utf8.ValidString(text) {
			t.Skip()
		}
		want, err := regexp.Compile(`\A(?:` + src + `)\z`)
		if err != nil {
			t.Skip() // a source that closes the group it was put into
		}
		for _, s := range []string{text, text + text, text + "\n", "", strings.ToUpper(text), strings.ToLower(text)} {
			if got := Match(p, s); got != want.MatchString(s) {
				t.Fatalf("%q on %q: %v, want %v", src, s, got, !got)
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	for _, src := range []string{`v[0-9]+`, `[A-Za-z0-9._%+-]{1,64}@[a-z0-9.-]{1,180}`} {
		b.Run(src, func(b *testing.B) {
			for b.Loop() {
				if _, err := Compile(src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
