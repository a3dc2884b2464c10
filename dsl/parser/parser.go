// Package parser turns the text of a .prov file into its syntax tree.
//
// It is a recursive descent over the tokens of internal/grammar, one function a
// production, with one token of lookahead. docs/adr/0002-parser.md says why it is
// written by hand; a test holds it equal to the normative grammar.
//
// A file is first cut at its declarations, so that a fault in one hides none of
// the others, and within a declaration at its statements. A declaration with a
// fault is left out of the tree; File.Broken keeps its name, so that later
// passes stay silent about it.
package parser

import (
	"fmt"
	"strings"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
	"github.com/provlang/prov/dsl/source"
)

const (
	// MaxBytes is how long one file may be. Larger sets of declarations are
	// split over several files of a package.
	MaxBytes = 2 << 20
	// MaxDepth is how deep brackets and `not` may be nested in a condition.
	MaxDepth = 64
	// maxFaults is how many faults of one file are shown: beyond that, the file
	// is probably not a .prov file.
	maxFaults = 100
)

// ParseFile parses f and reports every fault to r. It always returns a tree:
// where a fault was found, without the declaration that has it. It never
// panics, whatever the bytes.
func ParseFile(f *source.File, r *diag.Report) *ast.File {
	out := &ast.File{At: ast.At{Where: f.Span(0, len(f.Text()))}, Source: f}
	if !guard(f, r) {
		return out
	}
	// Faults are collected apart, so that a file of noise can be cut short.
	var faults diag.Report
	scanned := grammar.Scan(f, &faults)
	out.Comments = scanned.Comments
	if len(scanned.Tokens) == 1 {
		if faults.Len() == 0 {
			faults.At(f.Span(0, 0), diag.EmptyFile, "the file declares nothing").
				Help("begin it with `package` and a name, as in `package incident`")
		}
		r.Merge(&faults)
		return out
	}
	p := &parser{file: f, text: f.Text(), toks: scanned.Tokens, report: &faults, tree: out}
	p.parse()
	shorten(f, &faults, r)
	return out
}

// shorten passes on the first faults, by place, and says so where some are left out.
func shorten(f *source.File, faults, r *diag.Report) {
	if faults.Len() <= maxFaults {
		r.Merge(faults)
		return
	}
	list := faults.Sorted()
	r.Add(list[:min(len(list), maxFaults)]...)
	if n := len(list) - maxFaults; n > 0 {
		r.At(f.Span(list[maxFaults].Span.Start, list[maxFaults].Span.End), diag.TooManyFaults,
			"%d more faults follow and are not shown", n).
			Help("mend the first ones, and look again")
	}
}

type parser struct {
	file   *source.File
	text   string
	toks   []grammar.Token
	report *diag.Report
	tree   *ast.File

	i     int // the current token
	limit int // the first token that belongs to another declaration
	level int // open braces
	depth int // open brackets and `not`

	// failed is set by the first fault of a statement. From then on the current
	// token is EOF, so that every production ends; the block around it looks for
	// the next statement and clears it.
	failed bool
	// broken is set by the first fault of a declaration.
	broken bool
	// silent takes what is chained to a fault that is not to be shown.
	silent diag.Report
}

// kind of the current token; EOF at the end of the declaration.
func (p *parser) kind() grammar.Kind {
	if p.failed || p.i >= p.limit {
		return grammar.EOF
	}
	return p.toks[p.i].Kind
}

// after is the kind of the token after the current one. It is only looked at to
// word a fault, never to decide what to parse.
func (p *parser) after() grammar.Kind {
	if p.i+1 >= p.limit {
		return grammar.EOF
	}
	return p.toks[p.i+1].Kind
}

func (p *parser) lit(t grammar.Token) string { return p.text[t.Start:t.End] }

// word is the text of the current token if it is a name, "" otherwise.
func (p *parser) word() string {
	if p.kind() != grammar.Name {
		return ""
	}
	return p.lit(p.toks[p.i])
}

// isWord says whether the current token is the word w, in a place where w is a keyword.
func (p *parser) isWord(w string) bool { return p.word() == w }

// next consumes the current token.
func (p *parser) next() {
	switch p.kind() {
	case grammar.EOF:
		return
	case grammar.LBrace:
		p.level++
	case grammar.RBrace:
		p.level--
	}
	p.i++
}

func (p *parser) accept(k grammar.Kind) bool {
	if p.kind() == k {
		p.next()
		return true
	}
	return false
}

func (p *parser) acceptWord(w string) bool {
	if p.isWord(w) {
		p.next()
		return true
	}
	return false
}

// start is where the current token begins.
func (p *parser) start() int {
	if p.i < len(p.toks) {
		return int(p.toks[p.i].Start)
	}
	return len(p.text)
}

// from is the node span from start to the end of the last consumed token.
func (p *parser) from(start int) ast.At {
	end := start
	if p.i > 0 {
		end = max(end, int(p.toks[p.i-1].End))
	}
	return ast.At{Where: p.file.Span(start, end)}
}

func (p *parser) spanOf(t grammar.Token) source.Span {
	return p.file.Span(int(t.Start), int(t.End))
}

// here is the span of the current token. Past the end of the declaration it is
// the empty span behind its last token, so that "found the end of the line"
// points there.
func (p *parser) here() source.Span {
	if p.i < p.limit {
		return p.spanOf(p.toks[p.i])
	}
	if p.i > 0 {
		end := int(p.toks[p.i-1].End)
		return p.file.Span(end, end)
	}
	return p.file.Span(0, 0)
}

// fault reports something about span and gives the statement up.
func (p *parser) fault(span source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	if p.failed {
		return p.silent.At(span, code, format, args...)
	}
	p.failed, p.broken = true, true
	return p.report.At(span, code, format, args...)
}

// unexpected reports the current token where want was due.
func (p *parser) unexpected(want string) *diag.Diagnostic {
	if p.kind() == grammar.Bad { // the scanner has said what is wrong
		p.failed, p.broken = true, true
	}
	if (p.kind() == grammar.Newline || p.kind() == grammar.EOF) && p.colonBefore() { // as above
		p.failed, p.broken = true, true
	}
	if p.failed {
		return p.silent.At(p.here(), diag.UnexpectedToken, "")
	}
	if p.kind() == grammar.Assign && p.i > 0 && p.toks[p.i-1].Kind == grammar.Name {
		return p.fault(p.here(), diag.ForeignOperator, "no `=` stands between a name and what belongs to it").
			Help("remove the `=`, as in `max_steps 8`")
	}
	if k := p.kind(); p.lineEnded() && (k == grammar.Else || k == grammar.And || k == grammar.Or) {
		return p.fault(p.here(), diag.UnexpectedToken, "expected %s, found `%s`", want, k).
			Note("a line that begins with `%s` goes on with the line before", k)
	}
	if p.lineEnded() && !strings.Contains(want, "the end of the line") { // the next line is not where to look
		end := int(p.toks[p.i-1].End)
		return p.fault(p.file.Span(end, end), diag.UnexpectedToken, "expected %s, found the end of the line", want)
	}
	if help, ok := foreignWords[p.word()]; ok {
		return p.fault(p.here(), diag.ForeignWord, "`%s` is not a word of this language", p.word()).Help("%s", help)
	}
	d := p.fault(p.here(), diag.UnexpectedToken, "expected %s, found %s", want, p.found())
	// After a condition that goes on, the line that was taken in is most likely
	// a statement of its own.
	for i := p.i; i > p.i-2 && i > 0; i-- {
		if k := p.toks[i-1].Kind; p.toks[i].First && (k == grammar.And || k == grammar.Or) {
			d.See(p.spanOf(p.toks[i-1]), "a condition goes on after this `%s`", k)
		}
	}
	return d
}

// colonBefore says whether the line ended with a `:`, which is no token: the
// scanner has reported it, or has counted it with the first one of the file.
func (p *parser) colonBefore() bool {
	if p.i == 0 {
		return false
	}
	rest := strings.TrimLeft(p.text[p.toks[p.i-1].End:], " \t")
	return strings.HasPrefix(rest, ":")
}

// lineEnded says whether the current token stands on another line than the one
// before, although no Newline token says so: a `}` takes up any line.
func (p *parser) lineEnded() bool {
	if p.kind() == grammar.EOF || p.i == 0 || !p.toks[p.i].First {
		return false
	}
	switch p.toks[p.i].Kind {
	case grammar.RBrace, grammar.RParen, grammar.And, grammar.Or, grammar.Else:
	default:
		return false
	}
	switch k := p.toks[p.i-1].Kind; k {
	case grammar.Newline, grammar.LBrace, grammar.LParen, grammar.Comma, grammar.Doc:
		return false
	}
	return true
}

// found describes the current token.
func (p *parser) found() string {
	switch p.kind() {
	case grammar.Newline:
		return "the end of the line"
	case grammar.EOF:
		if p.limit >= len(p.toks)-1 {
			return "the end of the file"
		}
		return "the end of the line"
	case grammar.Doc:
		return "a `///` comment"
	case grammar.String:
		return "text in quotes"
	}
	return "`" + clip(p.lit(p.toks[p.i])) + "`"
}

// clip keeps a quoted token short enough for a message.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}

// expect consumes a token of kind k; want describes it.
func (p *parser) expect(k grammar.Kind, want string) {
	if !p.accept(k) {
		p.unexpected(want)
	}
}

// expectWord consumes the keyword w.
func (p *parser) expectWord(w string) {
	if !p.acceptWord(w) {
		d := p.unexpected("`" + w + "`")
		if got := d.Span.Text(); got != "" && d.Code == diag.UnexpectedToken {
			d.DidYouMean(got, []string{w})
		}
	}
}

// name consumes a name; what says whose it is, as in "the name of a tool".
func (p *parser) name(what string) *ast.Ident {
	start := p.start()
	switch k := p.kind(); {
	case k == grammar.Name:
		p.next()
		at := p.from(start)
		return &ast.Ident{At: at, Name: at.Where.Text()}
	case k.IsReserved():
		p.fault(p.here(), diag.ReservedWord, "`%s` is a reserved word and cannot be %s", k, what).
			Note("the reserved words are %s", list(grammar.Reserved())).
			Help("choose another name")
	case k == grammar.String:
		value := grammar.Unquote(p.lit(p.toks[p.i]))
		d := p.fault(p.here(), diag.QuotedName, "expected %s, found text in quotes", what).
			Note("data is quoted, names are not")
		if isName(value) {
			d.Help("write `%s`", value)
			d.Edit = &diag.Edit{Span: d.Span, New: value}
		}
	default:
		p.unexpected(what)
	}
	return &ast.Ident{At: ast.At{Where: p.file.Span(start, start)}}
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && (c == '_' || c >= '0' && c <= '9')) {
			return false
		}
	}
	return s != ""
}

// list joins words for a message: `a`, `b` and `c`.
func list(words []string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s`", w)
	}
	return b.String()
}

// doc consumes the `///` lines before something.
func (p *parser) doc() ast.Doc {
	var d ast.Doc
	for p.kind() == grammar.Doc {
		line := strings.TrimRight(strings.TrimPrefix(p.lit(p.toks[p.i]), "///"), " \t")
		d = append(d, strings.TrimPrefix(line, " "))
		p.next()
	}
	return d
}
