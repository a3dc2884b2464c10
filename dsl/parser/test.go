package parser

import (
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
)

func (p *parser) test(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Test{Doc: doc, Title: p.title()}
	p.block("test", func() {
		if s := p.testStmt(); s != nil {
			d.Stmts = append(d.Stmts, s)
		}
	})
	d.At = p.from(start)
	return d
}

func (p *parser) testStmt() ast.TestStmt {
	start := p.start()
	if p.accept(grammar.In) {
		s := &ast.InStmt{Policy: p.name("the name of a policy")}
		s.At = p.from(start)
		return s
	}
	switch p.word() {
	case "given":
		p.next()
		s := &ast.GivenStmt{Entity: p.name("the name of an entity")}
		s.ID = p.string("its id in quotes")
		s.Attrs = p.assigns("an attribute and its value, as in `tier tier2`")
		s.At = p.from(start)
		return s
	case "standing":
		p.next()
		s := &ast.StandingStmt{Value: p.name("`good`, `degraded` or `suspended`")}
		s.At = p.from(start)
		return s
	case "after":
		p.next()
		s := &ast.AfterStmt{Tool: p.name("the name of a tool")}
		s.On = p.target()
		s.Args = p.assigns("an argument and its value")
		s.At = p.from(start)
		return s
	case "propose":
		p.next()
		s := &ast.ProposeStmt{Tool: p.name("the name of a tool")}
		s.On = p.target()
		s.Args = p.assigns("an argument and its value")
		if p.acceptWord("because") {
			s.Cause = p.name("a cause")
		}
		s.At = p.from(start)
		return s
	case "expect":
		return p.expectStmt(start)
	}
	p.unknownStatement("a test", testWords)
	return nil
}

// target parses `on "id"`, nil where it does not stand.
func (p *parser) target() *ast.String {
	if p.kind() == grammar.String {
		p.unexpected("`on`").Help("write `on %s`", p.lit(p.toks[p.i]))
		return nil
	}
	if !p.acceptWord("on") {
		return nil
	}
	return p.string("the id of what the tool acts on, in quotes")
}

// assigns parses `{ name value, ... }`, nil where it does not stand.
func (p *parser) assigns(what string) (out []*ast.Assign) {
	if p.kind() != grammar.LBrace {
		return nil
	}
	p.items(what, none, func() {
		a := &ast.Assign{}
		start := p.start()
		a.Name = p.name(what)
		a.Value = p.literal("a value")
		a.At = p.from(start)
		out = append(out, a)
	})
	return out
}

// expectStmt parses `expect OUTCOME`, a reason, a score and flags, in this order.
func (p *parser) expectStmt(start int) ast.TestStmt {
	p.next()
	if p.kind() == grammar.Not {
		p.fault(p.here(), diag.UnexpectedToken, "an expectation is not turned around").
			Help("write the outcome that is due: `allow`, `notify`, `hold` or `refuse`")
	}
	s := &ast.ExpectStmt{Outcome: p.name("an outcome: `allow`, `notify`, `hold` or `refuse`")}
	if p.kind() == grammar.Name && !p.isWord("score") && !p.isWord("flags") {
		s.Reason = p.name("a reason")
	}
	if p.acceptWord("score") {
		s.Score = p.number("a number such as `2`")
	}
	if o := s.Outcome.Name; o == "score" && p.kind() == grammar.Number {
		p.fault(s.Outcome.Span(), diag.UnexpectedToken, "expected an outcome before `%s`", o).
			Help("begin with `allow`, `notify`, `hold` or `refuse`, as in `expect allow score 2`")
	}
	if p.acceptWord("flags") {
		s.Flags = p.nameList("the name of a flag")
	}
	s.At = p.from(start)
	return s
}
