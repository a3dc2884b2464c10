package parser

import (
	"strings"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
)

// number parses a number; want describes it.
func (p *parser) number(want string) *ast.Number {
	start := p.start()
	if p.kind() == grammar.String && isDecimal(grammar.Unquote(p.lit(p.toks[p.i]))) {
		value := grammar.Unquote(p.lit(p.toks[p.i]))
		d := p.unexpected(want).Note("a number is written without quotes").Help("write `%s`", value)
		d.Edit = &diag.Edit{Span: d.Span, New: value}
	}
	p.expect(grammar.Number, want)
	at := p.from(start)
	return &ast.Number{At: at, Text: at.Where.Text()}
}

func isDecimal(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == ""
}

// duration parses a duration; want describes it.
func (p *parser) duration(want string) *ast.Duration {
	start := p.start()
	if p.kind() == grammar.Number {
		d := p.unexpected(want)
		word := ""
		if p.after() == grammar.Name {
			word = p.lit(p.toks[p.i+1])
		}
		if unit, ok := grammar.UnitFor(word); ok || grammar.IsUnit(word) {
			if !ok {
				unit = word
			}
			d.Help("write `%s%s`, without a blank", p.lit(p.toks[p.i]), unit)
		} else {
			d.Help("write the unit directly behind the number: ms, s, m, h or d")
		}
	}
	p.expect(grammar.Duration, want)
	d := &ast.Duration{At: p.from(start)}
	text := d.Where.Text()
	cut := strings.IndexFunc(text, func(c rune) bool { return c >= 'a' })
	if cut > 0 {
		d.Text, d.Unit = text[:cut], text[cut:]
	}
	return d
}

// rangeOf parses a range; want describes it.
func (p *parser) rangeOf(want string) *ast.Range {
	start := p.start()
	if p.kind() == grammar.Number && p.after() == grammar.Bad {
		p.next() // `0 .. 3`: the scanner has said what is wrong
	}
	if p.kind() == grammar.Number {
		d := p.unexpected(want)
		n := p.lit(p.toks[p.i])
		switch p.after() {
		case grammar.Number:
			d.Help("write `%s..%s`", n, strings.TrimLeft(p.lit(p.toks[p.i+1]), "+-"))
		case grammar.Name: // `0 to 3`
			if p.i+2 < p.limit && p.toks[p.i+2].Kind == grammar.Number {
				d.Help("write `%s..%s`", n, strings.TrimLeft(p.lit(p.toks[p.i+2]), "+-"))
			} else {
				d.Help("a range is one word, as in `0..3`")
			}
		case grammar.Range:
			d.Help("a range is one word, without blanks")
		default:
			d.Help("write `%s..%s` for this one value, `%s..` for this value and all above", n, n, n)
		}
	}
	p.expect(grammar.Range, want)
	r := &ast.Range{At: p.from(start)}
	r.Lo, r.Hi, _ = strings.Cut(r.Where.Text(), "..")
	return r
}

// string parses a quoted string; want describes it.
func (p *parser) string(want string) *ast.String {
	start := p.start()
	if k := p.kind(); k == grammar.Name {
		w := p.word()
		d := p.unexpected(want)
		if d.Code == diag.UnexpectedToken {
			d.Note("data is quoted, names are not").Help("write `\"%s\"`", w)
			d.Edit = &diag.Edit{Span: d.Span, New: `"` + w + `"`}
		}
	}
	if k := p.kind(); k == grammar.Number || k == grammar.Duration {
		n := p.lit(p.toks[p.i])
		d := p.unexpected(want).Help("write `\"%s\"`", n)
		d.Edit = &diag.Edit{Span: d.Span, New: `"` + n + `"`}
	}
	if p.kind() == grammar.String && !grammar.Straight(p.lit(p.toks[p.i])) {
		d := p.fault(p.here(), diag.StrayCharacter, "text stands in straight double quotes").
			Help("write `%s`", grammar.Quote(grammar.Unquote(p.lit(p.toks[p.i]))))
		d.Edit = &diag.Edit{Span: d.Span, New: grammar.Quote(grammar.Unquote(p.lit(p.toks[p.i])))}
	}
	p.expect(grammar.String, want)
	s := &ast.String{At: p.from(start)}
	if text := s.Where.Text(); !p.failed && len(text) >= 2 {
		s.Value = grammar.Unquote(text)
	}
	return s
}

// literal parses a value that is written in the source; want describes it.
func (p *parser) literal(want string) ast.Literal {
	start := p.start()
	switch k := p.kind(); k {
	case grammar.Number:
		return p.number(want)
	case grammar.String:
		return p.string(want)
	case grammar.Duration:
		return p.duration(want)
	case grammar.True, grammar.False:
		p.next()
		return &ast.Bool{At: p.from(start), Value: k == grammar.True}
	case grammar.Name:
		return &ast.Name{Ident: *p.name(want)}
	}
	p.unexpected(want)
	return &ast.Bool{}
}

const typeWanted = "a type, such as `bool`, `decimal(2)` or the name of an enum"

// typeExpr parses a type.
func (p *parser) typeExpr() *ast.TypeExpr {
	start := p.start()
	t := &ast.TypeExpr{}
	if p.kind() == grammar.LBrace {
		p.unexpected(typeWanted).Help("declare the words as an `enum` of their own, and name it here")
	}
	t.Base = p.name(typeWanted)
	if t.Base.Name == "ref" {
		t.Ref = p.name("the name of the entity that is referred to")
		t.At = p.from(start)
		return t
	}
	if p.accept(grammar.LParen) {
		switch p.kind() {
		case grammar.Number:
			t.Size = p.number("")
		default:
			t.Arg = p.rangeOf("a number or a range such as `1..32`")
		}
		if !p.accept(grammar.RParen) {
			d := p.unexpected("`)`")
			if k := p.toks[min(p.i, len(p.toks)-1)].Kind; k == grammar.Number || k == grammar.Comma || k == grammar.Range {
				d.Help("a range is one word, as in `1..32`")
			}
		}
	}
	if p.kind() == grammar.Pattern {
		at := p.start()
		text := grammar.PatternText(p.lit(p.toks[p.i]))
		p.next()
		t.Pattern = &ast.Pattern{At: p.from(at), Text: text}
	}
	t.At = p.from(start)
	if p.isWord("of") {
		p.fault(p.here(), diag.NotInThisVersion, "lists are not part of this version of the language").
			Help("give each value an argument of its own")
	}
	return t
}

// fields parses `{ name type ..., ... }`.
func (p *parser) fields(what string) (out []*ast.Field) {
	p.items(what, none, func() {
		doc := p.docOf()
		out = append(out, p.field(doc, what))
	})
	return out
}

func (p *parser) field(doc ast.Doc, what string) *ast.Field {
	start := p.start()
	f := &ast.Field{Doc: doc, Name: p.name(what)}
	f.Type = p.typeExpr()
	if f.Optional = p.mark("optional"); f.Optional != nil && p.acceptWord("default") {
		f.Default = p.literal("the value that stands for a missing one")
	}
	f.Sensitive = p.mark("sensitive")
	if f.Trust = p.mark("trusted"); f.Trust != nil {
		if p.acceptWord("as") {
			f.TrustedAs = p.name("a class of evidence")
		}
	} else {
		f.Trust = p.mark("untrusted")
	}
	f.At = p.from(start)
	p.misplacedMark(f)
	return f
}

// mark consumes the word w, nil where it does not stand.
func (p *parser) mark(w string) *ast.Ident {
	if !p.isWord(w) {
		return nil
	}
	return p.name(w)
}

// misplacedMark reports what follows a field where a word of a field would have
// been right in another place.
func (p *parser) misplacedMark(f *ast.Field) {
	const order = "the order is: name, type, `optional`, `default`, `sensitive`, `trusted as`"
	switch w := p.word(); w {
	case "default":
		if f.Optional == nil {
			p.fault(p.here(), diag.UnexpectedToken, "`default` stands without `optional`").
				Help("write `optional default` and the value")
			return
		}
		fallthrough
	case "optional", "sensitive", "trusted", "untrusted":
		for _, m := range []*ast.Ident{f.Optional, f.Sensitive, f.Trust} {
			if m != nil && m.Name == w {
				p.fault(p.here(), diag.UnexpectedToken, "`%s` is written twice", w).
					See(m.Span(), "it stands here already").Help("remove one of them")
				return
			}
		}
		p.fault(p.here(), diag.UnexpectedToken, "`%s` stands in the wrong place", w).Note(order).
			Help("move it before `%s`", p.lit(p.toks[p.i-1]))
	case "from", "claim", "echoes":
		p.later("word", w)
	}
}
