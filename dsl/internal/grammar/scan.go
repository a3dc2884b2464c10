package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// Scanned is a file as tokens. Comments are kept beside them, since they may
// stand anywhere and mean nothing.
type Scanned struct {
	Tokens   []Token // ends with one EOF
	Comments []*ast.Comment
}

// Scan turns f into tokens. It never fails: what is no token is reported to r
// and becomes a Bad token, or, where it is plain what was meant (`&&`), the
// token that was meant. f must be valid UTF-8 and shorter than two gigabytes.
//
// A Newline token stands between two statements: it is left out after `{`, `(`,
// `,`, `and`, `or` and a doc comment, before `}`, `)`, `and`, `or` and `else`, and
// at both ends of the file.
func Scan(f *source.File, r *diag.Report) Scanned {
	s := &scanner{file: f, text: f.Text(), report: r, first: true, eolFrom: -1, eol: -1}
	// A token takes four to six bytes of text on average.
	s.out.Tokens = make([]Token, 0, len(s.text)/5+16)
	for s.next() {
	}
	s.emit(EOF, len(s.text))
	s.pos = len(s.text)
	s.tally()
	return s.out
}

type scanner struct {
	file   *source.File
	text   string
	report *diag.Report
	out    Scanned

	pos       int
	lineStart int
	first     bool // nothing but blanks since lineStart
	newline   bool // a line end since the last token

	eolFrom, eol int  // what lineEnd found last: from here, the line ends there
	noBlockEnd   bool // no `*/` follows any more

	habits [habitKinds]habit
}

// span is from start to the current position.
func (s *scanner) span(start int) source.Span { return s.file.Span(start, s.pos) }

// emit appends a token from start to s.pos, and a Newline before it where one
// statement ends there.
func (s *scanner) emit(k Kind, start int) {
	if s.newline {
		if n := len(s.out.Tokens); n > 0 && !s.out.Tokens[n-1].Kind.goesOn() && !k.takesUp() {
			end := int(s.out.Tokens[n-1].End)
			s.out.Tokens = append(s.out.Tokens, Token{Kind: Newline, Start: int32(end), End: int32(end)})
		}
		s.newline = false
	}
	s.out.Tokens = append(s.out.Tokens, Token{
		Kind: k, First: s.first, Column1: s.first && start == s.lineStart,
		Start: int32(start), End: int32(s.pos),
	})
	s.first = false
}

// peek is the byte n places ahead, 0 past the end.
func (s *scanner) peek(n int) byte {
	if s.pos+n < len(s.text) {
		return s.text[s.pos+n]
	}
	return 0
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) }

// next scans one token, comment or stretch of white space; false at the end.
func (s *scanner) next() bool {
	if s.pos >= len(s.text) {
		return false
	}
	start, c := s.pos, s.text[s.pos]
	switch {
	case c == ' ' || c == '\t':
		s.pos++
	case c == '\n' || c == '\r':
		s.pos++
		if c == '\r' && s.peek(0) == '\n' {
			s.pos++
		}
		s.newline, s.first, s.lineStart = true, true, s.pos
	case isLetter(c):
		s.word(start)
	case isDigit(c), (c == '+' || c == '-') && isDigit(s.peek(1)):
		s.number(start)
	case c == '"':
		s.quoted(start, '"')
	case c == '/':
		s.slash(start)
	default:
		s.operator(start, c)
	}
	return true
}

func (s *scanner) word(start int) {
	for s.pos < len(s.text) && isWord(s.text[s.pos]) {
		s.pos++
	}
	if s.pos < len(s.text) && s.text[s.pos] >= utf8.RuneSelf {
		s.foreignName(start)
		return
	}
	if s.peek(0) == '-' && isLetter(s.peek(1)) {
		s.hyphenated(start)
		return
	}
	if s.text[start] == '_' {
		s.report.At(s.span(start), diag.BadName, "a name begins with a letter").
			Help("write it without the `_` in front")
		s.emit(Bad, start)
		return
	}
	s.emit(reserved(s.text[start:s.pos]), start)
}

// hyphenated takes `blast-radius` as one wrong word.
func (s *scanner) hyphenated(start int) {
	for s.pos < len(s.text) && (isWord(s.text[s.pos]) || s.text[s.pos] == '-' && isWord(s.peek(1))) {
		s.pos++
	}
	word := s.text[start:s.pos]
	fixed := strings.ReplaceAll(word, "-", "_")
	d := s.report.At(s.span(start), diag.BadName, "a name cannot contain `-`").
		Note("there is no arithmetic in the language, so `-` never stands between two names").
		Help("write `%s`", fixed)
	d.Edit = &diag.Edit{Span: d.Span, New: fixed}
	s.emit(Bad, start)
}

// foreignName takes a word with letters outside a to z as one wrong word.
func (s *scanner) foreignName(start int) {
	wrong, at := rune(0), start
	for s.pos < len(s.text) {
		c, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if c >= utf8.RuneSelf && !unicode.IsLetter(c) && !unicode.IsMark(c) && !unicode.IsDigit(c) {
			break
		}
		if c < utf8.RuneSelf && !isWord(byte(c)) {
			break
		}
		if c >= utf8.RuneSelf && wrong == 0 {
			wrong, at = c, s.pos
		}
		s.pos += n
	}
	if wrong == 0 { // a symbol follows the word directly
		s.emit(reserved(s.text[start:s.pos]), start)
		return
	}
	s.report.At(s.file.Span(at, at+utf8.RuneLen(wrong)), diag.BadName, "`%c` cannot be part of a name", wrong).
		Note("names are made of the letters a to z and A to Z, digits and `_`, so that two names that look alike are alike (this is U+%04X)", wrong).
		Help("write the name without it; text for people goes into a `///` comment or a quoted string")
	s.emit(Bad, start)
}

// operator scans everything that is one or two symbols, the habits from other
// languages among it.
func (s *scanner) operator(start int, c byte) {
	two := ""
	if start+2 <= len(s.text) {
		two = s.text[start : start+2]
	}
	switch two {
	case "->":
		s.take(Arrow, 2)
		return
	case "==":
		if s.peek(2) == '=' {
			s.instead(start, 3, "`===`", Eq, "==")
			return
		}
		s.take(Eq, 2)
		return
	case "!=":
		s.take(Ne, 2)
		return
	case "<=":
		s.take(Le, 2)
		return
	case ">=":
		s.take(Ge, 2)
		return
	case "..":
		s.openRange(start)
		return
	case "&&":
		s.instead(start, 2, "`&&`", And, "and")
		return
	case "||":
		s.instead(start, 2, "`||`", Or, "or")
		return
	case "<>":
		s.instead(start, 2, "`<>`", Ne, "!=")
		return
	case "=<":
		s.instead(start, 2, "`=<`", Le, "<=")
		return
	case "=>":
		s.arrow(start)
		return
	case "--":
		s.wrongComment(start, "`--`")
		return
	}
	switch c {
	case '{':
		s.take(LBrace, 1)
	case '}':
		s.take(RBrace, 1)
	case '(':
		s.take(LParen, 1)
	case ')':
		s.take(RParen, 1)
	case ',':
		s.take(Comma, 1)
	case '.':
		if isDigit(s.peek(1)) && (start == 0 || !isWord(s.text[start-1])) {
			s.barePoint(start)
			return
		}
		s.take(Dot, 1)
	case '=':
		s.take(Assign, 1)
	case '<':
		s.take(Lt, 1)
	case '>':
		s.take(Gt, 1)
	case '!':
		s.instead(start, 1, "`!`", Not, "not")
	case '&', '|':
		s.single(start, c)
	case ';':
		s.pos++
		s.habit(semicolon, start)
		s.newline = true
	case ':':
		s.pos++
		s.habit(colon, start)
	case '#':
		s.wrongComment(start, "`#`")
	case '\'':
		s.quoted(start, '\'')
	default:
		s.stray(start)
	}
}

func (s *scanner) take(k Kind, n int) {
	start := s.pos
	s.pos += n
	s.emit(k, start)
}
