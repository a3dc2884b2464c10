package parser

import (
	"slices"
	"strings"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
)

// open consumes the `{` of a block. of is the keyword that the block belongs to.
func (p *parser) open(of string) {
	if p.accept(grammar.LBrace) {
		return
	}
	if p.kind() == grammar.Newline && p.after() == grammar.LBrace {
		p.next()
		p.fault(p.here(), diag.BraceOnNextLine, "a `{` stands at the end of the line that it belongs to").
			Help("move it up to the end of the line before")
		return
	}
	p.unexpected("`{`").Help("what belongs to `%s` stands between `{` and `}`", of)
}

// close consumes the `}` of a block that has been read to its end.
func (p *parser) close(of string) {
	if !p.accept(grammar.RBrace) {
		p.unexpected("`}` at the end of " + of)
	}
}

// block parses statements, one a line. After a fault it goes on with the next
// statement, so that a declaration shows all its faults.
func (p *parser) block(of string, stmt func()) {
	p.open(of)
	if p.failed {
		return
	}
	level := p.level
	for p.kind() != grammar.RBrace && p.kind() != grammar.EOF {
		stmt()
		if !p.failed && p.kind() != grammar.RBrace && p.kind() != grammar.Newline {
			p.sameLine("a statement")
		}
		if p.failed {
			p.recover(level, false)
			continue
		}
		p.accept(grammar.Newline)
	}
	p.close("`" + of + "`")
}

const (
	none = iota // a block may be empty
	one         // a block has at least one item
)

// items parses a block of items, separated by commas or by line ends.
func (p *parser) items(what string, least int, item func()) {
	if p.kind() == grammar.Assign && p.i > 0 {
		p.assigned()
		return
	}
	if p.kind() != grammar.LBrace {
		if p.kind() == grammar.Newline && p.after() == grammar.LBrace {
			p.open("")
			return
		}
		p.unexpected("`{` and " + what)
		return
	}
	p.next()
	level := p.level
	if least == one && p.kind() == grammar.RBrace {
		p.unexpected(what)
	}
	for p.kind() != grammar.RBrace && p.kind() != grammar.EOF {
		item()
		switch k := p.kind(); {
		case p.failed, k == grammar.Comma, k == grammar.Newline, k == grammar.RBrace:
		default:
			p.noComma()
		}
		if p.failed {
			p.recover(level, true)
			continue
		}
		if !p.accept(grammar.Comma) {
			p.accept(grammar.Newline)
		}
	}
	p.close("the list")
}

// assigned reports `enum Env = prod | staging`, and shows the list in braces.
func (p *parser) assigned() {
	var names []string
	for _, t := range p.toks[p.i+1 : p.limit] {
		if t.Kind == grammar.Newline {
			break
		}
		if t.Kind == grammar.Name && len(names) < 8 {
			names = append(names, clip(p.lit(t)))
		}
	}
	d := p.fault(p.here(), diag.ForeignOperator, "no `=` stands before a list")
	if len(names) == 0 {
		d.Help("a list stands between `{` and `}`")
		return
	}
	d.Help("write the list as `{ %s }`", strings.Join(names, ", "))
}

// noComma reports a token that follows an item without a comma.
func (p *parser) noComma() {
	if p.kind() == grammar.Bad {
		p.unexpected("")
		return
	}
	const want = "a comma, the end of the line or `}`"
	if p.kind() == grammar.Name { // an item of its own, whatever the word means elsewhere
		p.fault(p.here(), diag.UnexpectedToken, "expected %s, found %s", want, p.found()).
			Note("items of a list are separated by commas")
		return
	}
	p.unexpected(want)
}

// recover looks for the next statement, or item, of a block that was entered at
// level, and clears the fault. It stops at the block's `}` as well.
func (p *parser) recover(level int, commas bool) {
	p.failed = false
	p.depth = 0
	for ; p.i < p.limit; p.i++ {
		switch k := p.toks[p.i].Kind; {
		case k == grammar.LBrace:
			p.level++
		case k == grammar.RBrace && p.level == level:
			return
		case k == grammar.RBrace:
			p.level--
		case p.level == level && (k == grammar.Newline || commas && k == grammar.Comma):
			p.i++
			return
		}
	}
	// Nothing of the declaration is left, and its fault is known.
	p.failed = true
}

// sameLine reports a token that follows a complete statement on its line.
func (p *parser) sameLine(what string) {
	k := p.kind()
	switch {
	case k == grammar.Bad:
		p.unexpected("")
	case k == grammar.Newline && p.after() == grammar.LBrace:
		p.open("")
	case k == grammar.Comma:
		p.fault(p.here(), diag.UnexpectedToken, "expected the end of the line, found `,`").
			Note("statements stand on lines of their own; only the items of a list are separated by commas").
			Help("end the line here")
	case k == grammar.Name && isDeclWord(p.word()), k == grammar.RBrace, k == grammar.LBrace, k == grammar.Doc:
		p.fault(p.here(), diag.StatementNotOnALine, "expected the end of the line after %s, found %s", what, p.found()).
			Help("begin a new line")
	case k == grammar.Assign:
		p.fault(p.here(), diag.ForeignOperator, "no `=` stands between a name and what belongs to it").
			Help("remove the `=`, as in `max_steps 8`")
	default:
		p.unexpected("the end of the line")
	}
}

// unknownStatement reports a word that begins no statement of its block.
func (p *parser) unknownStatement(of string, words []string) {
	w := p.word()
	switch {
	case w == "":
		if p.kind() == grammar.Doc {
			p.strayDoc()
			return
		}
		p.unexpected("a statement of "+of).Note("%s has %s", of, list(words))
	case laterStmt(w):
		p.later("statement", w)
	default:
		if help, ok := foreignWords[w]; ok {
			p.fault(p.here(), diag.ForeignWord, "`%s` is not a word of this language", w).Help("%s", help)
			return
		}
		d := p.fault(p.here(), diag.NotAStatement, "`%s` is not a statement of %s", w, of).
			Note("%s has %s", of, list(words))
		// `max steps` is one word with a blank in it.
		if t := p.toks[min(p.i+1, len(p.toks)-1)]; t.Kind == grammar.Name && slices.Contains(words, w+"_"+p.lit(t)) {
			d.Span = d.Span.To(p.spanOf(t))
			w += "_" + p.lit(t)
			d.Edit = &diag.Edit{Span: d.Span, New: w}
			d.Help("write `%s`", w)
			return
		}
		d.DidYouMean(w, words)
	}
}

// docOf consumes the `///` lines before an item of a list.
func (p *parser) docOf() ast.Doc {
	span := p.here()
	doc := p.doc()
	if len(doc) > 0 && p.kind() == grammar.RBrace {
		p.fault(p.file.Span(span.Start, span.Start+3), diag.StrayDoc, "a `///` comment documents what follows, and nothing follows").
			Help("write `//`, or move it above what it documents")
	}
	return doc
}

// strayDoc reports a `///` comment in front of what cannot be documented.
func (p *parser) strayDoc() {
	span := p.here()
	p.fault(p.file.Span(span.Start, span.Start+3), diag.StrayDoc, "a `///` comment documents nothing here").
		Note("declarations, members, attributes, arguments, flags and requirements can be documented").
		Help("write `//`")
}
