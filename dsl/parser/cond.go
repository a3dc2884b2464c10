package parser

import (
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
)

const condWanted = "a condition, such as `amount > 100.00` or `amount present`"

// condition parses operands of one operator, `and` or `or`. A mix of both wants
// parentheses, since readers do not agree on which binds tighter.
func (p *parser) condition() ast.Expr {
	start := p.start()
	x := p.unary()
	op := p.kind()
	if op != grammar.And && op != grammar.Or {
		return x
	}
	opAt := p.here()
	l := &ast.Logic{Op: op.String(), Args: []ast.Expr{x}}
	for p.accept(op) {
		l.Args = append(l.Args, p.unary())
	}
	l.At = p.from(start)
	if k := p.kind(); k == grammar.And || k == grammar.Or {
		p.fault(p.here(), diag.MixedLogic, "`and` and `or` are mixed without parentheses").
			See(opAt, "the other operator is here").
			Help("put the part that belongs together into `(` and `)`")
	}
	return l
}

// unary parses `not x`, `( x )` and what has neither.
func (p *parser) unary() ast.Expr {
	start := p.start()
	switch p.kind() {
	case grammar.Not:
		if !p.deeper() {
			return &ast.Not{}
		}
		defer p.shallower()
		p.next()
		x := p.unary()
		return &ast.Not{At: p.from(start), X: x}
	case grammar.LParen:
		if !p.deeper() {
			return &ast.Paren{}
		}
		defer p.shallower()
		p.next()
		x := p.condition()
		if !p.accept(grammar.RParen) {
			p.unexpected("`and`, `or` or `)`")
		}
		return &ast.Paren{At: p.from(start), X: x}
	}
	return p.relation()
}

// deeper counts a level of nesting; false where there are too many. What is
// counted here is also the depth of the Go stack.
func (p *parser) deeper() bool {
	p.depth++
	if p.depth > MaxDepth {
		p.fault(p.here(), diag.TooDeep, "a condition is nested deeper than %d levels", MaxDepth).
			Help("split it: a flag for each part")
		return false
	}
	return true
}

func (p *parser) shallower() { p.depth-- }

// relation parses a comparison, a membership, a presence, or a bare operand.
func (p *parser) relation() ast.Expr {
	start := p.start()
	x := p.operand(condWanted)
	path, _ := x.(*ast.Path)
	switch k := p.kind(); {
	case k.IsCompare():
		return p.compare(start, x)
	case k == grammar.In:
		return p.in(start, x)
	case k == grammar.Matches:
		p.later("operator", "matches")
	case k == grammar.Assign:
		d := p.fault(p.here(), diag.ForeignOperator, "`=` compares nothing").Help("write `==`")
		d.Edit = &diag.Edit{Span: d.Span, New: "=="}
	case path != nil && (p.isWord("present") || p.isWord("absent")):
		absent := p.isWord("absent")
		p.next()
		return &ast.Presence{At: p.from(start), X: path, Absent: absent}
	case k == grammar.Not:
		p.unexpected("the end of the condition").Help("`not` stands before what it turns around, as in `not a in { b }`")
	case path != nil && len(path.Parts) == 1 && k == grammar.Name && listWord(path.Parts[0].Name):
		p.laterAt(path.Span(), "condition", path.Parts[0].Name)
	case path != nil && p.isWord("within"):
		p.later("condition", "within")
	case path != nil && p.isWord("is"):
		p.unexpected("")
	case path != nil && k == grammar.LParen:
		p.fault(p.here(), diag.UnexpectedToken, "`%s` cannot be called: there are no functions", path.Span().Text()).
			Help("compare it with a value, as in `amount > 100.00`")
	}
	return &ast.Truth{At: p.from(start), X: x}
}

func (p *parser) compare(start int, x ast.Operand) ast.Expr {
	c := &ast.Compare{Op: p.kind().String(), OpAt: p.here(), X: x}
	p.next()
	c.Y = p.operand("a value or a name to compare with")
	c.At = p.from(start)
	if p.kind().IsCompare() {
		p.fault(p.here(), diag.ChainedComparison, "comparisons cannot be chained").
			See(c.OpAt, "the first comparison").
			Help("write two comparisons and join them with `and`")
	}
	return c
}

func (p *parser) in(start int, x ast.Operand) ast.Expr {
	in := &ast.In{X: x}
	p.next()
	const want = "`{` and the values, as in `in { eur, usd }`"
	switch p.kind() {
	case grammar.LParen:
		p.unexpected(want).Help("a set is written in `{` and `}`")
	case grammar.Range:
		p.unexpected(want).Help("write two comparisons and join them with `and`")
	}
	p.expect(grammar.LBrace, want)
	for !p.failed {
		in.Set = append(in.Set, p.literal("a value"))
		if p.accept(grammar.Comma) {
			continue
		}
		if p.kind() != grammar.RBrace {
			p.unexpected("a comma or `}`")
		}
		p.next()
		break
	}
	in.At = p.from(start)
	return in
}

// operand parses a path or a value.
func (p *parser) operand(want string) ast.Operand {
	start := p.start()
	switch k := p.kind(); k {
	case grammar.Name:
		path := &ast.Path{Parts: []*ast.Ident{p.name(want)}}
		for p.accept(grammar.Dot) {
			path.Parts = append(path.Parts, p.name("a name after the point"))
		}
		path.At = p.from(start)
		return path
	case grammar.Number:
		return p.number(want)
	case grammar.String:
		return p.string(want)
	case grammar.Duration:
		return p.duration(want)
	case grammar.True, grammar.False:
		p.next()
		return &ast.Bool{At: p.from(start), Value: k == grammar.True}
	case grammar.LBrace:
		p.unexpected(want).Help("a set stands after `in`")
	}
	p.unexpected(want)
	return &ast.Path{}
}
