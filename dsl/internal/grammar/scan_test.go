package grammar

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// tokens writes the tokens of text, and the codes of what was reported.
func tokens(text string) string {
	var r diag.Report
	var out []string
	f := source.NewFile("x", text)
	for _, t := range Scan(f, &r).Tokens {
		switch s := text[t.Start:t.End]; t.Kind {
		case EOF:
		case Newline:
			out = append(out, "NL")
		case Name, String, Number, Range, Duration, Pattern, Doc, Bad:
			out = append(out, t.Kind.String()+":"+s)
		default:
			out = append(out, t.Kind.String())
		}
	}
	for _, d := range r.Sorted() {
		out = append(out, "!"+d.Code.String())
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	tests := []struct{ text, want string }{
		// A line end is a token where a statement can end and another begin.
		{"a\nb", "NAME:a NL NAME:b"},
		{"\n\na\r\n\r\nb\r", "NAME:a NL NAME:b"},
		{"a {\nb\n}\nc", "NAME:a { NAME:b } NL NAME:c"},
		{"(\na\n)", "( NAME:a )"},
		{"a,\nb", "NAME:a , NAME:b"},
		{"a\n, b", "NAME:a NL , NAME:b"},
		{"a and\nb", "NAME:a and NAME:b"},
		{"a\nand b\nor c\nelse d", "NAME:a and NAME:b or NAME:c else NAME:d"},
		{"a or\nb", "NAME:a or NAME:b"},
		{"not\na\nin b", "not NL NAME:a NL in NAME:b"},
		{"a ==\nb", "NAME:a == NL NAME:b"},
		{"a =\nb", "NAME:a = NL NAME:b"},
		{"a ->\nb", "NAME:a -> NL NAME:b"},
		{"when\na else\nb", "when NL NAME:a else NL NAME:b"},
		{"/// d\n/// e\na", "DOC:/// d DOC:/// e NAME:a"},
		{"a\n/// d\nb", "NAME:a NL DOC:/// d NAME:b"},
		{"a // c\nb", "NAME:a NL NAME:b"},
		{"a, // c\n// d\nb", "NAME:a , NAME:b"},
		{"// c\n", ""},
		// Words.
		{"result in2 and", "NAME:result NAME:in2 and"},
		{"true falsehood", "true NAME:falsehood"},
		{"a-b", "BAD:a-b !P111"},
		{"a->b", "NAME:a -> NAME:b"},
		{"a-1", "NAME:a NUMBER:-1"},
		{"_a", "BAD:_a !P111"},
		{"größe", "BAD:größe !P111"},
		// Numbers.
		{"0 12 +2 -3.10", "NUMBER:0 NUMBER:12 NUMBER:+2 NUMBER:-3.10"},
		{"0..3 7.. ..3 -1..+2 0.5..1.25", "RANGE:0..3 RANGE:7.. RANGE:..3 RANGE:-1..+2 RANGE:0.5..1.25"},
		{"30d 5ms 2m 4h 1s 0s", "DURATION:30d DURATION:5ms DURATION:2m DURATION:4h DURATION:1s DURATION:0s"},
		{"30days", "BAD:30days !P117"},
		{"30dx", "BAD:30dx !P117"},
		{"1.5h", "BAD:1.5h !P117"},
		{"+5s", "BAD:+5s !P117"},
		{"2weeks", "BAD:2weeks !P117"},
		{"1_000", "BAD:1_000 !P116"},
		{"1e5", "BAD:1e5 !P116"},
		{"0x1F", "BAD:0x1F !P117"},
		{"007", "BAD:007 !P116"},
		{"1.", "BAD:1. !P116"},
		{".5", "BAD:.5 !P116"},
		{"1.2.3", "BAD:1.2.3 !P116"},
		{"1...3", "BAD:1...3 !P116"},
		{"1..2..3", "BAD:1..2..3 !P116"},
		{"0..3x", "BAD:0..3x !P116"},
		{"..", "BAD:.. !P116"},
		{"0 .. 3", "NUMBER:0 BAD:.. NUMBER:3 !P116"},
		{"a.b", "NAME:a . NAME:b"},
		{"1..03", "BAD:1..03 !P116"},
		// Strings and patterns contain what would be something else outside.
		{`"a // { b" c`, `STRING:"a // { b" NAME:c`},
		{`"a\"b"`, `STRING:"a\"b"`},
		{`"\\"a`, `STRING:"\\" NAME:a`},
		{"\"a\nb", "BAD:\"a NL NAME:b !P113"},
		{`"a\`, `BAD:"a\ !P113`},
		{`"\q"`, `STRING:"\q" !P114`},
		{`"\u{1F600}\u{0}"`, `STRING:"\u{1F600}\u{0}"`},
		{`"\u{D800}"`, `STRING:"\u{D800}" !P114`},
		{`"\u{}"`, `STRING:"\u{}" !P114`},
		{"/a{2}\\/[/", "PATTERN:/a{2}\\/[/"},
		{"/a\nb", "BAD:/a NL NAME:b !P115"},
		{"/a/b/ c", "BAD:/a/b/ NAME:c !P115"},
		{"/a/ // b", "PATTERN:/a/"},
		{"/\\\\/", "PATTERN:/\\\\/"},
		// Habits become what was meant.
		{"a && b || !c", "NAME:a and NAME:b or not NAME:c !P140 !P140 !P140"},
		{"a; b", "NAME:a NL NAME:b !P140"},
		{"a: b: c", "NAME:a NAME:b NAME:c !P140"},
		{"a === b", "NAME:a == NAME:b !P140"},
		{"a ≠ b → c", "NAME:a != NAME:b -> NAME:c !P140 !P140"},
		{"# a\nb", "NAME:b !P141"},
		{"/* a\n b */ c", "NAME:c !P141"},
		{"a /* b", "NAME:a !P141"},
		{"“a b” 'c'", "STRING:“a b” STRING:'c'"},
		{"it's", "NAME:it BAD:'s !P110"},
		{"a\u00a0b", "NAME:a NAME:b !P110"},
		{"a\u2028b", "NAME:a NL NAME:b !P110"},
		{"a /// b\nc", "NAME:a NL NAME:c !P118"},
		{"///// a\nb", "NAME:b"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tokens(tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"", "a { b }", "0..3 4h", `"\u{1F600}"`, `/\/a/`, "/* x", "“x", "a-b c.d ..", "\r\n\t///x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		var r diag.Report
		s := Scan(source.NewFile("x", text), &r)
		end := int32(0)
		for i, tok := range s.Tokens {
			if tok.Start < end || tok.End < tok.Start || int(tok.End) > len(text) {
				t.Fatalf("token %d, %s, is at [%d, %d) after %d", i, tok.Kind, tok.Start, tok.End, end)
			}
			if empty := tok.Start == tok.End; empty != (tok.Kind == EOF || tok.Kind == Newline) {
				t.Fatalf("token %d, %s, is empty: %v", i, tok.Kind, empty)
			}
			if tok.Kind == EOF != (i == len(s.Tokens)-1) {
				t.Fatalf("token %d of %d is %s", i, len(s.Tokens), tok.Kind)
			}
			end = tok.End
		}
		for _, tok := range s.Tokens {
			if tok.Kind == Bad && r.Len() == 0 {
				t.Fatal("a bad token without a finding")
			}
			switch word := text[tok.Start:tok.End]; tok.Kind {
			case String:
				if v := Unquote(word); r.Len() == 0 && Straight(word) && Unquote(Quote(v)) != v {
					t.Errorf("%s is quoted as %s", word, Quote(v))
				}
			case Pattern:
				if v := PatternText(word); PatternText(PatternToken(v)) != v {
					t.Errorf("%s is written as %s", word, PatternToken(v))
				}
			}
		}
	})
}

func TestQuote(t *testing.T) {
	for value, want := range map[string]string{
		"":               `""`,
		"a b":            `"a b"`,
		"\"\\\n\t\r":     `"\"\\\n\t\r"`,
		"\x00\x7f\u202e": `"\u{0}\u{7F}\u{202E}"`,
		"日本 é 👍":         `"日本 é 👍"`,
	} {
		if diff := cmp.Diff(want, Quote(value)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", value, diff)
		}
		if diff := cmp.Diff(value, Unquote(want)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want, diff)
		}
	}
}

func TestReserved(t *testing.T) {
	want := []string{"and", "or", "not", "in", "matches", "else", "when", "true", "false"}
	if diff := cmp.Diff(want, Reserved()); diff != "" {
		t.Errorf("reserved words (-want +got):\n%s", diff)
	}
}
