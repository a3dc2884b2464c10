package grammar

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// number scans a number, a duration or a range. All three are one token, so
// that `0..3` and `30d` cannot be torn apart by a blank.
func (s *scanner) number(start int) {
	if !s.digits(start) {
		return
	}
	if s.peek(0) == '.' && s.peek(1) == '.' {
		s.openRange(start)
		return
	}
	if isLetter(s.peek(0)) {
		s.unit(start)
		return
	}
	s.emit(Number, start)
}

// digits scans `12`, `-3.10`; false where it was reported and a Bad token stands
// for it. start is where the token began.
func (s *scanner) digits(start int) bool {
	if c := s.peek(0); c == '+' || c == '-' {
		s.pos++
	}
	first := s.pos
	for isDigit(s.peek(0)) {
		s.pos++
	}
	if s.pos-first > 1 && s.text[first] == '0' {
		s.rest()
		s.report.At(s.span(start), diag.BadNumber, "a number does not begin with a zero").
			Help("write `%s`", strings.TrimLeft(s.text[first:s.pos-1], "0")+s.text[s.pos-1:s.pos])
		s.emit(Bad, start)
		return false
	}
	if s.peek(0) == '.' && s.peek(1) != '.' {
		s.pos++
		if !isDigit(s.peek(0)) {
			s.report.At(s.span(start), diag.BadNumber, "a digit must follow the point").
				Help("write `%s0`, or leave the point out", s.text[start:s.pos])
			s.emit(Bad, start)
			return false
		}
		for isDigit(s.peek(0)) {
			s.pos++
		}
		if s.peek(0) == '.' && isDigit(s.peek(1)) {
			s.rest()
			s.report.At(s.span(start), diag.BadNumber, "a number has one point at most").
				Help("remove one of the points")
			s.emit(Bad, start)
			return false
		}
	}
	return true
}

// rest takes what is stuck to a number that is wrong already.
func (s *scanner) rest() {
	for isWord(s.peek(0)) || s.peek(0) == '.' {
		s.pos++
	}
}

// unit scans the letters directly behind a number: a duration, or a fault.
func (s *scanner) unit(start int) {
	from := s.pos
	for isWord(s.peek(0)) {
		s.pos++
	}
	digits, unit := s.text[start:from], s.text[from:s.pos]
	plain := isDigit(digits[0]) && !strings.Contains(digits, ".")
	if IsUnit(unit) && plain {
		s.emit(Duration, start)
		return
	}
	switch short, ok := UnitFor(unit); {
	case IsUnit(unit):
		s.report.At(s.span(start), diag.BadUnit, "a duration is a whole number and a unit").
			Note("the units are ms, s, m, h and d").
			Help("write it in a smaller unit, as `90m` for an hour and a half")
	case ok && plain:
		d := s.report.At(s.file.Span(from, s.pos), diag.BadUnit, "`%s` is not a unit of time", unit).
			Note("the units are ms, s, m, h and d; a day is 24 hours").
			Help("write `%s`", digits+short)
		d.Edit = &diag.Edit{Span: s.span(start), New: digits + short}
	case plain && !isDigit(unit[len(unit)-1]) && strings.ContainsAny(unit, "0123456789") && IsUnit(unit[len(unit)-1:]):
		s.report.At(s.span(start), diag.BadUnit, "a duration has one unit").
			Note("the units are ms, s, m, h and d").
			Help("write it in the smaller one, as `150s` for two minutes and a half")
	case strings.HasPrefix(unit, "_"):
		s.report.At(s.span(start), diag.BadNumber, "the digits of a number are not grouped").
			Help("write `%s`", strings.ReplaceAll(s.text[start:s.pos], "_", ""))
	case unit == "w" || unit == "weeks" || unit == "week":
		s.report.At(s.file.Span(from, s.pos), diag.BadUnit, "`%s` is not a unit of time", unit).
			Note("the units are ms, s, m, h and d; a day is 24 hours").
			Help("write it in days, as `14d` for two weeks")
	case isDigit(unit[len(unit)-1]):
		s.report.At(s.span(start), diag.BadNumber, "`%s` is neither a number nor a name", s.text[start:s.pos]).
			Note("numbers are decimal; a name begins with a letter").
			Help("write the number in plain digits, or begin the name with a letter")
	default:
		s.report.At(s.span(start), diag.BadUnit, "`%s` is neither a number nor a name", s.text[start:s.pos]).
			Note("only a unit of time (ms, s, m, h, d) stands directly behind a number, and a name begins with a letter").
			Help("put a blank between them (`%s %s`), or begin the name with a letter", digits, unit)
	}
	s.emit(Bad, start)
}

// IsUnit says whether u is a unit of a duration.
func IsUnit(u string) bool {
	switch u {
	case "ms", "s", "m", "h", "d":
		return true
	}
	return false
}

// UnitFor returns the unit that people mean by a word, `minutes` for one.
func UnitFor(word string) (string, bool) {
	short, ok := units[strings.ToLower(word)]
	return short, ok
}

// units are what people write for the five that there are.
var units = map[string]string{
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"day": "d", "days": "d", "msec": "ms", "millis": "ms", "milliseconds": "ms",
}

// openRange scans from the two points of a range to its end.
func (s *scanner) openRange(start int) {
	s.pos = max(s.pos, start)
	low := s.pos > start
	s.pos += 2
	c := s.peek(0)
	switch {
	case isDigit(c), (c == '+' || c == '-') && isDigit(s.peek(1)):
		if !s.digits(start) {
			return
		}
	case !low || c == '.':
		s.rest()
		s.report.At(s.span(start), diag.BadNumber, "a range has two points and at least one number").
			Help("write it without blanks, as in `0..3`, `7..` or `..3`")
		s.emit(Bad, start)
		return
	}
	if isWord(s.peek(0)) || s.peek(0) == '.' && s.peek(1) == '.' {
		s.rest()
		s.report.At(s.span(start), diag.BadNumber, "a range has two points and at most two numbers").
			Help("write it as in `0..3`, `7..` or `..3`")
		s.emit(Bad, start)
		return
	}
	s.emit(Range, start)
}

// barePoint takes `.5`.
func (s *scanner) barePoint(start int) {
	s.rest()
	text := s.span(start).Text()
	d := s.report.At(s.span(start), diag.BadNumber, "a digit must stand before the point").
		Help("write `0%s`", text)
	d.Edit = &diag.Edit{Span: d.Span, New: "0" + text}
	s.emit(Bad, start)
}

// quoted scans a string. One in single quotes is a habit: whether they should be
// double, or should not be there, depends on what was due here, so it is a String
// as well, and the parser says so.
func (s *scanner) quoted(start int, quote byte) {
	s.pos++
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case quote:
			s.pos++
			s.emit(String, start)
			return
		case '\\':
			s.escape()
		case '\n', '\r':
			s.openQuote(start, quote)
			return
		default:
			s.pos++
		}
	}
	s.openQuote(start, quote)
}

func (s *scanner) openQuote(start int, quote byte) {
	if quote == '\'' {
		s.pos = start + 1
		s.report.At(s.span(start), diag.StrayCharacter, "`'` has no meaning here").
			Help("put text between double quotes, and an apostrophe only into text or a comment")
		s.pos = s.lineEnd(start)
		s.emit(Bad, start)
		return
	}
	s.report.At(s.file.Span(start, start+1), diag.OpenString, "a string is not closed on its line").
		Under("opened here").
		Help("close it with `\"`; a line end inside text is written `\\n`")
	s.emit(Bad, start)
}

// escape scans and checks one escape of a string.
func (s *scanner) escape() {
	start := s.pos
	s.pos++
	switch s.peek(0) {
	case '"', '\\', 'n', 't', 'r':
		s.pos++
		return
	case 'u':
		if n := unicodeEscape(s.text[start:]); n > 0 {
			s.pos = start + n
			return
		}
		s.pos++
	case '\n', '\r', 0:
		return // the open string is reported
	default:
		_, n := utf8.DecodeRuneInString(s.text[s.pos:])
		s.pos += n
	}
	s.report.At(s.span(start), diag.BadEscape, "`%s` is not an escape", s.span(start).Text()).
		Note("the escapes are `\\\"`, `\\\\`, `\\n`, `\\t`, `\\r` and `\\u{1F4C4}`").
		Help("write `\\\\` for a backslash")
}

// unicodeEscape returns the length of the `\u{...}` at the start of s, 0 where
// there is none or it names no character.
func unicodeEscape(s string) int {
	if !strings.HasPrefix(s, `\u{`) {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), 10)], '}')
	if end < 4 {
		return 0
	}
	c, err := strconv.ParseUint(s[3:end], 16, 32)
	if err != nil || !utf8.ValidRune(rune(c)) {
		return 0
	}
	return end + 1
}

// Straight says whether a String token has the quotation marks of the language.
func Straight(token string) bool { return token[0] == '"' }

// Unquote returns the text of a String token. Where a fault in an escape has been
// reported, it stands for itself.
func Unquote(token string) string {
	_, open := utf8.DecodeRuneInString(token)
	_, end := utf8.DecodeLastRuneInString(token)
	body := token[open : len(token)-end]
	if strings.IndexByte(body, '\\') < 0 {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		if n := unicodeEscape(body[i:]); n > 0 {
			c, _ := strconv.ParseUint(body[i+3:i+n-1], 16, 32)
			b.WriteRune(rune(c))
			i += n - 1
			continue
		}
		i++
		switch body[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		default:
			b.WriteByte(body[i])
		}
	}
	return b.String()
}

// Quote is the inverse of Unquote: the one canonical spelling of a string.
func Quote(value string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range value {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case Hidden(c):
			b.WriteString(`\u{` + strings.ToUpper(strconv.FormatUint(uint64(c), 16)) + `}`)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Hidden says whether c may not stand in a file as itself, since a reader would
// not see it, or would see the text around it in another order: control
// characters but for tab and line ends, and the marks that turn the direction of
// text around. In a string it is written as an escape.
func Hidden(c rune) bool {
	switch {
	case c == '\t' || c == '\n' || c == '\r':
		return false
	case c < 0x20 || c >= 0x7f && c <= 0x9f:
		return true
	case c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069, c == 0x2028, c == 0x2029:
		return true
	case c == 0xfeff:
		return true
	}
	return false
}

// slash scans a comment, a doc comment or a pattern.
func (s *scanner) slash(start int) {
	switch {
	case strings.HasPrefix(s.text[start:], "////"), s.peek(1) == '/' && s.peek(2) != '/':
		s.pos = s.lineEnd(start)
		text := strings.TrimRight(s.text[start+2:s.pos], " \t")
		s.out.Comments = append(s.out.Comments, &ast.Comment{
			At: ast.At{Where: s.file.Span(start, start+2+len(text))}, Text: text,
		})
	case s.peek(1) == '/':
		first := s.first
		s.pos = s.lineEnd(start)
		if !first {
			s.report.At(s.file.Span(start, start+3), diag.StrayDoc, "a `///` comment stands on a line of its own").
				Note("it documents what follows").
				Help("move it above what it documents, or write `//`")
			return
		}
		s.emit(Doc, start)
	case s.peek(1) == '*':
		s.blockComment(start)
	default:
		s.pattern(start)
	}
}

func (s *scanner) blockComment(start int) {
	end := -1
	if !s.noBlockEnd {
		end = strings.Index(s.text[start+2:], "*/")
	}
	if end < 0 {
		s.noBlockEnd = true
		s.pos = s.lineEnd(start)
	} else {
		s.pos = start + 2 + end + 2
	}
	s.report.At(s.file.Span(start, start+2), diag.ForeignComment, "`/*` does not begin a comment").
		Help("begin each line of a comment with `//`")
	if body := s.text[start:s.pos]; strings.ContainsAny(body, "\r\n") {
		s.newline, s.first = true, false
		s.lineStart = start + max(strings.LastIndexByte(body, '\n'), strings.LastIndexByte(body, '\r')) + 1
	}
}

// pattern scans `/.../`. A backslash keeps its follower from ending it.
func (s *scanner) pattern(start int) {
	s.pos++
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case '/':
			s.pos++
			if isWord(s.peek(0)) || s.peek(0) == '\\' {
				s.slashInside(start)
				return
			}
			s.emit(Pattern, start)
			return
		case '\n', '\r':
			s.openPattern(start)
			return
		case '\\':
			s.pos++
			if c := s.peek(0); c != '\n' && c != '\r' && s.pos < len(s.text) {
				s.pos++
			}
		default:
			s.pos++
		}
	}
	s.openPattern(start)
}

func (s *scanner) openPattern(start int) {
	s.report.At(s.file.Span(start, start+1), diag.OpenPattern, "a pattern is not closed on its line").
		Under("opened here").
		Help("close it with `/`; a slash inside it is written `\\/`")
	s.emit(Bad, start)
}

// slashInside takes `/a/b/`: the pattern seems to end at its second slash, and
// goes on.
func (s *scanner) slashInside(start int) {
	slash := s.file.Span(s.pos-1, s.pos)
	line := s.text[s.pos:s.lineEnd(s.pos)]
	s.pos += max(strings.LastIndexByte(line, '/')+1, 1)
	s.report.At(slash, diag.OpenPattern, "a slash ends the pattern, and more of it follows").
		Help("write a slash inside a pattern as `\\/`")
	s.emit(Bad, start)
}

// PatternText returns what a Pattern token says: `\/` becomes `/`, everything
// else stays.
func PatternText(token string) string {
	body := token[1 : len(token)-1]
	if !strings.Contains(body, `\/`) {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] == '\\' && i+1 < len(body) {
			if body[i+1] != '/' {
				b.WriteByte('\\')
			}
			i++
		}
		b.WriteByte(body[i])
	}
	return b.String()
}

// PatternToken is the inverse of PatternText.
func PatternToken(text string) string {
	var b strings.Builder
	b.WriteByte('/')
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			b.WriteByte('\\')
			i++
		case text[i] == '/':
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	b.WriteByte('/')
	return b.String()
}
