package parser

import (
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
)

// A chunk is the tokens of one declaration, [start, end), trailing line ends
// not included, doc comments included.
type chunk struct {
	start, end int
	open       int // the `{` that is to blame for never being closed, or -1
	stray      int // the first `}` that closes nothing, or -1
	closed     int // where stray >= 0: the `}` that closed the declaration
}

// split cuts the tokens at declarations. It looks at tokens, never at bytes,
// since patterns and strings contain braces. A word that begins a declaration,
// in column one and in the shape of one, is a border even within braces: so a
// `}` that was forgotten does not swallow the declarations after it.
func (p *parser) split() []chunk {
	var chunks []chunk
	var open []int // indexes of the `{` that are open
	cur := chunk{open: -1, stray: -1, closed: -1}
	finish := func(end int) {
		if len(open) > 0 {
			cur.open = p.blame(cur.start, end, open[0])
		}
		cur.end = end
		for cur.end > cur.start && p.toks[cur.end-1].Kind == grammar.Newline {
			cur.end--
		}
		if cur.end > cur.start {
			chunks = append(chunks, cur)
		}
		cur = chunk{start: end, open: -1, stray: -1, closed: -1}
		open = open[:0]
	}
	last := len(p.toks) - 1 // EOF
	for i := 0; i < last; i++ {
		switch t := p.toks[i]; t.Kind {
		case grammar.LBrace:
			open = append(open, i)
		case grammar.RBrace:
			switch {
			case len(open) > 0:
				open = open[:len(open)-1]
				if len(open) == 0 {
					cur.closed = i
				}
			case cur.stray < 0:
				cur.stray = i
			}
		case grammar.Name:
			if t.First && p.border(i, len(open)) {
				end := i
				for end > cur.start && p.toks[end-1].Kind == grammar.Doc {
					end--
				}
				finish(end)
			} else if p.follows(i, len(open)) {
				p.report.At(p.spanOf(t), diag.StatementNotOnALine, "expected the end of the line after a declaration, found `%s`", p.lit(t)).
					Help("begin a new line")
				finish(i)
			}
		}
	}
	finish(last)
	return chunks
}

// border says whether the name at i, the first on its line, begins a
// declaration, with depth braces open before it.
func (p *parser) border(i, depth int) bool {
	t := p.toks[i]
	if depth == 0 && t.Column1 && (i == 0 || p.toks[i-1].Kind == grammar.Newline || p.toks[i-1].Kind == grammar.Doc) {
		return true
	}
	return (depth == 0 || t.Column1) && p.shaped(i)
}

// follows says whether the name at i begins a declaration on the line on which
// another one ends. Both are whole; only the line end between them is missing.
func (p *parser) follows(i, depth int) bool {
	return depth == 0 && i > 0 && p.toks[i-1].Kind == grammar.RBrace && p.shaped(i)
}

// shaped says whether a declaration begins at i, as far as its first tokens
// tell. `risk incident_risk` in a policy does not: no brace follows.
func (p *parser) shaped(i int) bool {
	kind := func(n int) grammar.Kind { return p.toks[min(i+n, len(p.toks)-1)].Kind }
	switch w := p.lit(p.toks[i]); w {
	case "test", "prove":
		return kind(1) == grammar.String && kind(2) == grammar.LBrace
	case "standing":
		return kind(1) == grammar.LBrace
	case "type":
		return kind(1) == grammar.Name && kind(2) == grammar.Assign
	case "package":
		return kind(1) == grammar.Name && (kind(2) == grammar.Newline || kind(2) == grammar.EOF)
	case "tool", "belief":
		if kind(1) == grammar.Name && kind(2) == grammar.Name && kind(3) == grammar.Name {
			return p.lit(p.toks[i+2]) == "on" && kind(4) == grammar.LBrace
		}
		return kind(1) == grammar.Name && kind(2) == grammar.LBrace
	default:
		return isDeclWord(w) && kind(1) == grammar.Name && kind(2) == grammar.LBrace
	}
}

// blame picks the `{` that was forgotten to be closed. Braces alone cannot tell:
// the outermost is left over, wherever the `}` is missing. But a `}` at the
// beginning of a line usually stands as deep as the line that it closes; the
// first that does not was meant for another `{`.
func (p *parser) blame(start, end, outermost int) int {
	type brace struct{ token, indent int }
	var open []brace
	indent := 0 // of the current line
	for i := start; i < end; i++ {
		if p.toks[i].First {
			indent = p.indent(i)
		}
		switch p.toks[i].Kind {
		case grammar.LBrace:
			open = append(open, brace{i, indent})
		case grammar.RBrace:
			if len(open) == 0 {
				return outermost
			}
			top := open[len(open)-1]
			open = open[:len(open)-1]
			if p.toks[i].First && indent < top.indent {
				return top.token
			}
		}
	}
	return outermost
}

// indent is how many blanks stand before token i, the first on its line.
func (p *parser) indent(i int) int {
	from := int(p.toks[i].Start)
	n := 0
	for n < from && (p.text[from-n-1] == ' ' || p.text[from-n-1] == '\t') {
		n++
	}
	return n
}

// parse parses all declarations.
func (p *parser) parse() {
	chunks := p.split()
	if p.tooDeep(chunks) {
		return
	}
	first := true
	for i := range chunks {
		c := &chunks[i]
		p.i, p.limit, p.level, p.depth, p.failed, p.broken = c.start, c.end, 0, 0, false, false
		if p.brace(c) {
			p.keepName(c)
			first = false
			continue
		}
		doc := p.doc()
		if p.isWord("package") {
			p.packageClause(doc, first)
			first = false
			continue
		}
		if first {
			p.missingPackage(chunks)
			first = false
		}
		d := p.declaration(doc)
		p.atEnd(c)
		if p.broken || d == nil {
			p.keepName(c)
			continue
		}
		p.tree.Decls = append(p.tree.Decls, d)
	}
}

// tooDeep refuses a file with brackets that are nested too deep, wherever they
// stand. Like a fault of the file's bytes it is said alone.
func (p *parser) tooDeep(chunks []chunk) bool {
	for _, c := range chunks {
		depth := 0
		for _, t := range p.toks[c.start:c.end] {
			switch t.Kind {
			case grammar.LBrace, grammar.LParen:
				depth++
			case grammar.RBrace, grammar.RParen:
				depth = max(depth-1, 0)
			}
			if depth > MaxDepth {
				*p.report = diag.Report{}
				p.report.At(p.spanOf(t), diag.TooDeep, "brackets are nested deeper than %d levels", MaxDepth).
					Under("one too many").
					Help("split what is nested: a flag for each part of a condition")
				return true
			}
		}
	}
	return false
}

// brace reports a declaration whose braces do not pair. Nothing else is said
// about it: what follows from a brace in the wrong place is no fault of its own.
func (p *parser) brace(c *chunk) bool {
	if (c.open >= 0 || c.stray >= 0) && p.swallowed(c) {
		return true
	}
	switch {
	case c.open >= 0:
		d := p.report.At(p.spanOf(p.toks[c.open]), diag.UnclosedBrace, "this `{` is never closed").
			Help("add the `}`")
		for i := c.end; i < len(p.toks)-1; i++ {
			if k := p.toks[i].Kind; k != grammar.Doc && k != grammar.Newline {
				d.See(p.spanOf(p.toks[i]), "the next declaration begins here")
				break
			}
		}
		return true
	case c.stray >= 0:
		d := p.report.At(p.spanOf(p.toks[c.stray]), diag.StrayBrace, "this `}` closes nothing")
		if c.closed >= 0 && c.closed < c.stray {
			d.See(p.spanOf(p.toks[c.closed]), "the declaration ends here already")
		}
		d.Help("remove one of them, or add the `{` that is missing")
		return true
	}
	return false
}

// swallowed says whether a string or a pattern that was not closed, and is
// reported, took the rest of its line with it: a brace is then missing only
// because of that.
func (p *parser) swallowed(c *chunk) bool {
	for _, t := range p.toks[c.start:c.end] {
		if t.Kind == grammar.Bad && isQuote(p.text[t.Start]) {
			return true
		}
	}
	return false
}

// isQuote says whether a string or a pattern, the habits included, begins with c.
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '/' || c >= 0x80 }

// keepName remembers which name a broken declaration would have declared.
func (p *parser) keepName(c *chunk) {
	i := c.start
	for i < c.end && p.toks[i].Kind == grammar.Doc {
		i++
	}
	if i+1 < c.end && p.toks[i].Kind == grammar.Name && p.toks[i+1].Kind == grammar.Name {
		span := p.spanOf(p.toks[i+1])
		p.tree.Broken = append(p.tree.Broken, &ast.Ident{At: ast.At{Where: span}, Name: span.Text()})
	}
}

// atEnd reports what follows a declaration without being one.
func (p *parser) atEnd(c *chunk) {
	if p.failed || p.i >= p.limit {
		return
	}
	if p.kind() == grammar.Newline {
		p.next()
		for p.kind() == grammar.Doc {
			p.next()
		}
		if p.i >= p.limit { // doc comments and then nothing
			p.i--
			p.fault(p.here(), diag.StrayDoc, "a `///` comment documents what follows, and nothing follows").
				Help("write `//`, or move it above a declaration")
			return
		}
		if p.kind() == grammar.Bad {
			p.broken = true
			return
		}
		p.fault(p.here(), diag.OutsideDeclaration, "%s stands outside of any declaration", p.found()).
			Help("a declaration begins in column one with its word: %s", list(declWords))
		return
	}
	p.sameLine("a declaration")
}
