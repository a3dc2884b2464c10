package progen

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/provlang/prov/compiler/ir"
)

// text is one that fits a string type. fits is false where none was found in a few
// tries: as an argument that is a case as well, in a registry it cannot be.
func (m *maker) text(t *ir.Type) (text string, fits bool) {
	if t.Pattern == nil {
		return m.runes(int(t.Lo) + m.IntN(int(min(t.Hi-t.Lo, 8))+1)), true
	}
	tree, err := syntax.Parse(t.Pattern.Source, syntax.Perl)
	if err != nil {
		panic("progen: " + err.Error()) // the compiler has accepted it
	}
	match := regexp.MustCompile(`\A(?:` + t.Pattern.Source + `)\z`)
	var s string
	for range 40 {
		var b strings.Builder
		m.sample(&b, tree)
		s = b.String()
		if n := int64(utf8.RuneCountInString(s)); t.Lo <= n && n <= t.Hi && match.MatchString(s) {
			return s, true
		}
	}
	return s, false
}

func (m *maker) runes(n int) string {
	alphabet := []rune("abcxyzABC019 -_.é日😀\"\\/\t")
	var b strings.Builder
	for range n {
		b.WriteRune(alphabet[m.IntN(len(alphabet))])
	}
	return b.String()
}

// sample writes a text that the tree matches, seen without its surroundings.
func (m *maker) sample(b *strings.Builder, re *syntax.Regexp) {
	times := func(least, most int) {
		if most < 0 {
			most = least + 3
		}
		for range least + m.IntN(most-least+1) {
			m.sample(b, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			b.WriteRune(r)
		}
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			i := m.IntN(len(re.Rune)/2) * 2
			if m.chance(60) { // the first stretch is usually the readable one
				i = 0
			}
			r := re.Rune[i] + rune(m.IntN(int(re.Rune[i+1]-re.Rune[i])+1))
			if 0xd800 <= r && r <= 0xdfff {
				r = re.Rune[0]
			}
			b.WriteRune(r)
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteString(m.runes(1))
	case syntax.OpCapture:
		m.sample(b, re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			m.sample(b, sub)
		}
	case syntax.OpAlternate:
		m.sample(b, re.Sub[m.IntN(len(re.Sub))])
	case syntax.OpStar:
		times(0, -1)
	case syntax.OpPlus:
		times(1, -1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	}
}
