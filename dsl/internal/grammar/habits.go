package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/provlang/prov/dsl/diag"
)

// Habits from other languages are reported with what to write instead, and the
// scan goes on as if it had been written, so that the rest of the declaration
// is still looked at.

// instead reports n bytes that stand for an operator of another language.
func (s *scanner) instead(start, n int, found string, k Kind, want string) {
	s.pos = start + n
	d := s.report.At(s.span(start), diag.ForeignOperator, "%s is not an operator of this language", found).
		Help("write `%s`", want)
	d.Edit = &diag.Edit{Span: d.Span, New: want}
	// `!x` becomes `not x`, not `notx`.
	if k == Not && isWord(s.peek(0)) {
		d.Edit.New += " "
	}
	s.emit(k, start)
}

// single reports `&` and `|`, which join conditions, flags or alternatives.
func (s *scanner) single(start int, c byte) {
	s.pos = start + 1
	if s.afterAssign() { // `enum Env = prod | staging`: the parser reports the `=`
		s.emit(Bad, start)
		return
	}
	word := map[byte]string{'&': "and", '|': "or"}[c]
	s.report.At(s.span(start), diag.ForeignOperator, "`%c` is not an operator of this language", c).
		Help("write `%s` in a condition, and a comma between the items of a list", word)
	s.emit(Bad, start)
}

// afterAssign says whether the line begins as `enum NAME =` or `trait NAME =`.
func (s *scanner) afterAssign() bool {
	toks := s.out.Tokens
	i := len(toks) - 1
	for i >= 0 && !toks[i].First && len(toks)-i < 64 {
		i--
	}
	if i < 0 || i+2 >= len(toks) || !toks[i].Column1 || toks[i+1].Kind != Name || toks[i+2].Kind != Assign {
		return false
	}
	word := s.text[toks[i].Start:toks[i].End]
	return word == "enum" || word == "trait"
}

// arrow reports `=>`, which may stand for `->` or for `>=`.
func (s *scanner) arrow(start int) {
	s.pos = start + 2
	s.report.At(s.span(start), diag.ForeignOperator, "`=>` is not an operator of this language").
		Help("write `->` between two states of a lifecycle, `>=` in a comparison")
	s.emit(Bad, start)
}

// A habit that shows at the end of every line is reported once a file.
type habit struct {
	first *diag.Diagnostic
	more  int
}

const (
	semicolon = iota
	colon
	hash
	bracket
	habitKinds
)

func (s *scanner) habit(kind, start int) *diag.Diagnostic {
	h := &s.habits[kind]
	if h.first != nil {
		h.more++
		return h.first
	}
	switch kind {
	case semicolon:
		h.first = s.report.At(s.span(start), diag.ForeignOperator, "`;` ends nothing here").
			Note("a statement ends at the end of its line").
			Help("remove the `;`, and begin the next statement on a line of its own")
	case colon:
		h.first = s.report.At(s.span(start), diag.ForeignOperator, "no `:` stands between a name and what belongs to it")
		if strings.TrimSpace(s.text[s.pos:s.lineEnd(start)]) == "" {
			h.first.Help("what belongs to a name stands between `{` and `}`, as in `enum Tier { low, high }`")
			break
		}
		h.first.Help("remove the `:`, as in `tier tier2`")
		h.first.Edit = &diag.Edit{Span: h.first.Span}
	case bracket:
		h.first = s.report.At(s.span(start), diag.ForeignOperator, "`%s` has no meaning here", s.span(start).Text()).
			Help("a block or a set is written in `{` and `}`, the bounds of a type in `(` and `)`, and a list of names without either")
	case hash:
		h.first = s.report.At(s.span(start), diag.ForeignComment, "%s does not begin a comment", "`"+s.text[start:s.pos]+"`").
			Help("begin a comment with `//`, and what documents the next declaration with `///`")
		h.first.Edit = &diag.Edit{Span: h.first.Span, New: "//"}
	}
	return h.first
}

// tally says how often a habit was seen beyond its first place.
func (s *scanner) tally() {
	for i := range s.habits {
		switch h := &s.habits[i]; {
		case h.more == 1:
			h.first.Note("the same stands in one more place of this file")
		case h.more > 1:
			h.first.Note("the same stands in %d more places of this file", h.more)
		}
	}
}

// wrongComment skips a line that begins like another language's comment.
func (s *scanner) wrongComment(start int, shown string) {
	s.pos = start + len(strings.Trim(shown, "`"))
	s.habit(hash, start)
	s.pos = s.lineEnd(start)
}

// stray takes one character that begins no token.
func (s *scanner) stray(start int) {
	c, n := utf8.DecodeRuneInString(s.text[start:])
	switch c {
	case '“', '”', '„', '«', '»', '‘', '’':
		s.typographic(start, c)
		return
	case '\u00a0', '\u2007', '\u202f', '\u3000', '\u2002', '\u2003', '\u2009':
		s.pos += n
		d := s.report.At(s.span(start), diag.StrayCharacter, "a blank that is not the ordinary one (U+%04X)", c).
			Note("such blanks come in with text copied from a web page or a word processor").
			Help("replace it with an ordinary blank")
		d.Edit = &diag.Edit{Span: d.Span, New: " "}
		return
	case '\u2028', '\u2029', '\u0085', '\v', '\f':
		s.pos += n
		d := s.report.At(s.span(start), diag.StrayCharacter, "a line end that is not the ordinary one (U+%04X)", c).
			Help("end the line with a line feed")
		d.Edit = &diag.Edit{Span: d.Span, New: "\n"}
		s.newline = true
		return
	case '–', '—', '−', '→', '≤', '≥', '≠', '…':
		s.symbol(start, c)
		return
	}
	if unicode.IsLetter(c) {
		s.foreignName(start)
		return
	}
	if c == '-' && s.first && s.habits[colon].first != nil {
		// An item of a YAML list: what is wrong with it is said at the `:` above.
		s.pos += n
		s.emit(Bad, start)
		return
	}
	s.pos += n
	if c == '[' || c == ']' {
		s.habit(bracket, start)
		s.emit(Bad, start)
		return
	}
	if c >= utf8.RuneSelf {
		s.report.At(s.span(start), diag.StrayCharacter, "`%c` (U+%04X) has no meaning here", c, c).
			Help("remove it, or put it into a `//` comment or a quoted string")
		s.emit(Bad, start)
		return
	}
	d := s.report.At(s.span(start), diag.StrayCharacter, "`%c` has no meaning here", c)
	switch c {
	case '%':
		d.Help("write a share as a decimal, as in `0.70`")
	case '*':
		d.Note("nothing stands for all of something").Help("name each one")
	case '+', '-', '^', '~':
		d.Note("there is no arithmetic in the language; points are added by the `add` rows of a risk table")
	case '$':
		d.Help("write an amount and then its currency, as in `cost 0.75 usd`")
	case '@':
		d.Help("a name is written without it")
	case '`':
		d.Help("a name is written as it is, text in double quotes")
	case '\\':
		d.Note("a statement ends at the end of its line; a list goes on where the line ends with a comma")
	default:
		d.Help("remove it")
	}
	s.emit(Bad, start)
}

// symbol reports a mathematical sign or a dash for which there is a plain one.
func (s *scanner) symbol(start int, c rune) {
	s.pos += utf8.RuneLen(c)
	kind, want := Bad, ""
	switch c {
	case '→':
		kind, want = Arrow, "->"
	case '≤':
		kind, want = Le, "<="
	case '≥':
		kind, want = Ge, ">="
	case '≠':
		kind, want = Ne, "!="
	case '…':
		want = ".."
	default:
		want = "-"
	}
	d := s.report.At(s.span(start), diag.ForeignOperator, "`%c` (U+%04X) is not an operator of this language", c, c).
		Help("write `%s`", want)
	d.Edit = &diag.Edit{Span: d.Span, New: want}
	s.emit(kind, start)
}

// typographic takes text in quotes that a word processor curled. Whether they
// should be straight, or should not be there, depends on what was due here: the
// parser says so.
func (s *scanner) typographic(start int, open rune) {
	rest := s.text[start+utf8.RuneLen(open) : s.lineEnd(start)]
	s.pos = start + utf8.RuneLen(open)
	if end := strings.IndexAny(rest, curled); end >= 0 {
		_, n := utf8.DecodeRuneInString(rest[end:])
		s.pos += end + n
		s.emit(String, start)
		return
	}
	s.report.At(s.span(start), diag.StrayCharacter, "`%c` is not a quotation mark of this language", open).
		Help("put text between two straight double quotes: `\"`")
	s.emit(Bad, start)
}

// curled are the quotation marks that a word processor makes of straight ones.
const curled = "“”„«»‘’"

// lineEnd is where the line of offset from ends, its line end not included.
// The answer is kept, so that a line of many faults is looked through once.
func (s *scanner) lineEnd(from int) int {
	if s.eolFrom <= from && from <= s.eol {
		return s.eol
	}
	s.eolFrom, s.eol = from, len(s.text)
	if i := strings.IndexAny(s.text[from:], "\r\n"); i >= 0 {
		s.eol = from + i
	}
	return s.eol
}
