package parser

import (
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
	"github.com/provlang/prov/dsl/source"
)

// packageClause parses `package NAME`. It stands once, and first.
func (p *parser) packageClause(doc ast.Doc, first bool) {
	at := p.here()
	p.next()
	name := p.name("the name of the package")
	if !p.failed && p.i < p.limit {
		p.sameLine("the package clause")
	}
	switch {
	case first:
		p.tree.Doc = doc
		if !p.broken {
			p.tree.Package = name
		}
	case p.tree.Package != nil:
		p.fault(at, diag.MissingPackage, "a second `package` in one file").
			See(p.tree.Package.Span(), "the first is here").
			Help("a file belongs to one package: remove it, or make two files")
	default:
		p.fault(at, diag.MissingPackage, "`package` is not the first line of the file").
			Help("move it above everything else")
		p.tree.Package = name
	}
}

// missingPackage reports a file that begins with something else, unless a
// package clause follows and will be told to move.
func (p *parser) missingPackage(chunks []chunk) {
	for _, c := range chunks {
		i := c.start
		for i < c.end && p.toks[i].Kind == grammar.Doc {
			i++
		}
		if i < c.end && p.toks[i].Kind == grammar.Name && p.lit(p.toks[i]) == "package" {
			return
		}
	}
	// A word and a name alone on the first line are a package clause, misspelled.
	if w := p.word(); w != "" && !isDeclWord(w) && p.after() == grammar.Name && p.i+2 == p.limit {
		name := p.lit(p.toks[p.i+1])
		d := p.fault(p.here(), diag.MissingPackage, "`%s` does not say which package the file belongs to", clip(w)).
			Help("write `package %s`", clip(name))
		d.Edit = &diag.Edit{Span: d.Span, New: "package"}
		return
	}
	p.report.At(p.here(), diag.MissingPackage, "the file does not say which package it belongs to").
		Help("begin it with `package` and a name, as in `package incident`")
}

// declaration parses one declaration, nil where there is none.
func (p *parser) declaration(doc ast.Doc) ast.Decl {
	start := p.start()
	switch w := p.word(); w {
	case "enum":
		return p.enum(doc, start)
	case "trait":
		return p.trait(doc, start)
	case "type":
		return p.typeDecl(doc, start)
	case "entity":
		return p.entity(doc, start)
	case "lifecycle":
		return p.lifecycle(doc, start)
	case "tool":
		return p.tool(doc, start)
	case "risk":
		return p.risk(doc, start)
	case "approval":
		return p.approval(doc, start)
	case "agent":
		return p.agent(doc, start)
	case "policy":
		return p.policy(doc, start)
	case "evidence":
		return p.evidence(doc, start)
	case "belief":
		return p.belief(doc, start)
	case "standing":
		return p.standing(doc, start)
	case "workflow":
		return p.workflow(doc, start)
	case "test":
		return p.test(doc, start)
	case "prove":
		return p.prove(doc, start)
	case "":
		switch p.kind() {
		case grammar.EOF:
			if len(doc) > 0 {
				p.i--
				p.fault(p.here(), diag.StrayDoc, "a `///` comment documents what follows, and nothing follows").
					Help("write `//`, or move it above a declaration")
			}
		case grammar.LBrace:
			p.fault(p.here(), diag.BraceOnNextLine, "a `{` stands at the end of the line that it belongs to").
				Help("move it up to the end of the line before")
		default:
			p.unexpected("a declaration")
		}
	default:
		p.unknownDeclaration(w)
	}
	return nil
}

func (p *parser) unknownDeclaration(w string) {
	if laterDecl(w) {
		p.later("declaration", w)
		return
	}
	if help, ok := foreignWords[w]; ok {
		p.fault(p.here(), diag.ForeignWord, "`%s` is not a word of this language", w).Help("%s", help)
		return
	}
	p.fault(p.here(), diag.UnknownDeclaration, "`%s` does not begin a declaration", w).
		Note("a declaration begins with %s", list(declWords)).
		DidYouMean(w, declWords)
}

// later reports a word that only a later version of the language has.
func (p *parser) later(what, w string) { p.laterAt(p.here(), what, w) }

func (p *parser) laterAt(span source.Span, what, w string) {
	p.fault(span, diag.NotInThisVersion, "the %s `%s` is not part of this version of the language", what, w).
		Note("it is refused rather than passed over: what is written takes effect, or does not compile").
		Help("remove it")
}

func (p *parser) enum(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Enum{Doc: doc, Name: p.name("the name of an enum")}
	d.Members = p.members("a member of the enum")
	d.At = p.from(start)
	return d
}

func (p *parser) trait(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Trait{Doc: doc, Name: p.name("the name of a trait")}
	d.Members = p.members("a member of the trait")
	d.At = p.from(start)
	return d
}

func (p *parser) members(what string) (out []*ast.Member) {
	p.items(what, one, func() {
		m := &ast.Member{Doc: p.docOf()}
		start := p.start()
		m.Name = p.name(what)
		m.At = p.from(start)
		if k := p.kind(); k == grammar.Number || k == grammar.String || k == grammar.Assign {
			p.fault(p.here(), diag.UnexpectedToken, "a member has no value").
				Help("remove it: a member is its name")
		}
		out = append(out, m)
	})
	return out
}

func (p *parser) typeDecl(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.TypeDecl{Doc: doc, Name: p.name("the name of a type")}
	if p.kind() == grammar.LBrace {
		p.unexpected("`=` and a type, as in `type version = string(1..32)`").
			Help("what has several attributes is an `entity`")
	}
	p.expect(grammar.Assign, "`=` and a type, as in `type version = string(1..32)`")
	d.Type = p.typeExpr()
	d.At = p.from(start)
	return d
}

func (p *parser) entity(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Entity{Doc: doc, Name: p.name("the name of an entity")}
	d.Attrs = p.fields("an attribute and its type")
	d.At = p.from(start)
	return d
}

func (p *parser) lifecycle(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Lifecycle{Doc: doc, Name: p.name("the name of a lifecycle")}
	p.items("a transition, as in `draft -> sent by send_mail`", one, func() {
		t := &ast.Transition{}
		start := p.start()
		t.From = p.name("the name of a state")
		p.expect(grammar.Arrow, "`->` and the state that follows")
		t.To = p.name("the name of a state")
		p.expectWord("by")
		t.By = p.name("the name of a tool")
		t.At = p.from(start)
		d.Transitions = append(d.Transitions, t)
	})
	d.At = p.from(start)
	return d
}

func (p *parser) approval(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Approval{Doc: doc, Name: p.name("the name of an approval")}
	p.open("approval")
	d.Count = p.number("how many people, as in `1 of manager`")
	p.expectWord("of")
	d.Of = p.name("the role that approves")
	if p.kind() == grammar.Comma || p.kind() == grammar.Newline {
		p.next()
		p.expectWord("within")
		d.Within = p.duration("how long it waits, as in `within 4h`")
	}
	p.close("an approval")
	d.At = p.from(start)
	return d
}

func (p *parser) agent(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Agent{Doc: doc, Name: p.name("the name of an agent")}
	p.block("agent", func() {
		switch p.word() {
		case "scope":
			d.Stmts = append(d.Stmts, p.names("the name of a tool"))
		case "believes":
			d.Stmts = append(d.Stmts, p.names("the name of a belief"))
		default:
			p.unknownStatement("an agent", agentWords)
		}
	})
	d.At = p.from(start)
	return d
}

func (p *parser) evidence(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Evidence{Doc: doc, Name: p.name("the name of an evidence table")}
	p.items("a class of evidence and its weight, as in `contractual_record 0.50`", none, func() {
		if p.isWord("half_life") {
			d.HalfLife = append(d.HalfLife, p.durationStmt())
			return
		}
		w := &ast.Weight{}
		start := p.start()
		w.Class = p.name("a class of evidence and its weight, as in `contractual_record 0.50`")
		w.Value = p.number("a weight such as `0.50`")
		w.At = p.from(start)
		d.Weights = append(d.Weights, w)
	})
	d.At = p.from(start)
	return d
}

func (p *parser) standing(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Standing{Doc: doc}
	p.open("standing")
	p.expectWord("degrade")
	p.expectWord("after")
	d.Count = p.number("how many rejections")
	p.expectWord("rejections")
	p.expect(grammar.In, "`in`")
	d.In = p.duration("a duration such as `24h`")
	p.close("`standing`")
	d.At = p.from(start)
	return d
}

func (p *parser) workflow(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Workflow{Doc: doc, Name: p.name("the name of a workflow")}
	p.items("the name of a tool", one, func() {
		d.Steps = append(d.Steps, p.name("the name of a tool"))
	})
	d.At = p.from(start)
	return d
}

func (p *parser) prove(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Prove{Doc: doc, Title: p.title()}
	p.open("prove")
	from := p.start()
	p.expectWord("for")
	p.expectWord("all")
	d.ForAll = p.from(from).Where
	if p.acceptWord("where") {
		d.Where = p.condition()
	}
	if !p.accept(grammar.Newline) {
		own := p.isWord("expect")
		d := p.unexpected("`where` and a condition, or the end of the line")
		if own {
			d.Help("`expect` stands on a line of its own")
		}
	}
	if p.isWord("where") {
		p.unexpected("`expect`").Help("`where` stands on the line of `for all`")
	}
	p.expectWord("expect")
	d.Expect = p.name("an outcome: `allow`, `notify` or `hold`")
	p.close("a `prove`")
	d.At = p.from(start)
	return d
}

// title parses the quoted sentence that a test or a proof is called by.
func (p *parser) title() *ast.String {
	if p.kind() != grammar.String {
		p.unexpected("a title in quotes").
			Help("write what it shows, as in `test \"a refund over the limit waits\" {`")
	}
	return p.string("a title in quotes")
}
