package parser

import (
	"slices"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
)

// key consumes the current word, which is known to be a keyword here.
func (p *parser) key() *ast.Ident { return p.name("a keyword") }

// names parses a keyword and names, separated by commas.
func (p *parser) names(what string) *ast.NamesStmt {
	start := p.start()
	s := &ast.NamesStmt{Key: p.key()}
	s.Names = p.nameList(what)
	s.At = p.from(start)
	return s
}

// nameList parses names, separated by commas.
func (p *parser) nameList(what string) []*ast.Ident {
	out := []*ast.Ident{p.name(what)}
	for p.kind() == grammar.Comma {
		comma := p.here()
		p.next()
		out = append(out, p.name(what))
		// A comma at the end of a line carries the list on, wanted or not.
		if k := p.kind(); p.toks[p.i-1].First && k != grammar.Comma && k != grammar.Newline && k != grammar.RBrace {
			p.fault(comma, diag.UnexpectedToken, "the list goes on after this `,`").
				See(p.spanOf(p.toks[p.i-1]), "this is taken as its next name").
				Help("remove the `,` at the end of the line, if the list ends there")
		}
	}
	if k := p.kind(); (k == grammar.Name || k == grammar.And) && !p.toks[p.i].First {
		p.unexpected("a comma or the end of the line").Note("names of a list are separated by commas")
	}
	return out
}

// oneName parses a keyword and a single name.
func (p *parser) oneName(what string) *ast.NamesStmt {
	start := p.start()
	s := &ast.NamesStmt{Key: p.key()}
	s.Names = []*ast.Ident{p.name(what)}
	s.At = p.from(start)
	if p.kind() == grammar.Comma {
		p.fault(p.here(), diag.UnexpectedToken, "`%s` takes one name", s.Key.Name).
			Help("keep one of them")
	}
	return s
}

func (p *parser) countStmt() *ast.CountStmt {
	start := p.start()
	s := &ast.CountStmt{Key: p.key()}
	s.N = p.number("a number such as `8`")
	s.At = p.from(start)
	return s
}

func (p *parser) durationStmt() *ast.DurationStmt {
	start := p.start()
	s := &ast.DurationStmt{Key: p.key()}
	s.D = p.duration("a duration such as `30s` or `2m`")
	s.At = p.from(start)
	return s
}

func (p *parser) fieldsStmt(what string) *ast.FieldsStmt {
	start := p.start()
	s := &ast.FieldsStmt{Key: p.key()}
	s.Fields = p.fields(what)
	s.At = p.from(start)
	return s
}

func (p *parser) tool(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Tool{Doc: doc, Name: p.name("the name of a tool")}
	if p.acceptWord("on") {
		d.On = p.name("the name of the entity that the tool acts on")
	}
	if p.isWord("calls") {
		p.later("word", "calls")
	}
	p.block("tool", func() {
		if s := p.toolStmt(); s != nil {
			d.Stmts = append(d.Stmts, s)
		}
	})
	d.At = p.from(start)
	return d
}

func (p *parser) toolStmt() ast.ToolStmt {
	docAt := p.here()
	doc := p.doc()
	if len(doc) > 0 && !p.isWord("flag") && !p.isWord("require") {
		p.fault(p.file.Span(docAt.Start, docAt.Start+3), diag.StrayDoc, "a `///` comment documents nothing here").
			Note("declarations, members, attributes, arguments, flags and requirements can be documented").
			Help("write `//`")
		return nil
	}
	start := p.start()
	switch w := p.word(); w {
	case "args":
		return p.fieldsStmt("an argument and its type")
	case "result":
		return p.fieldsStmt("a field of the result and its type")
	case "verify":
		return p.verify(start)
	case "flag":
		return p.flag(doc, start)
	case "require":
		return p.require(doc, start)
	case "approval":
		p.next()
		if w := p.word(); w != "required" && p.kind() == grammar.Name {
			d := p.unexpected("`required`").Help("a tool says `approval required`; who approves is for the policy to say, as in `approval manager`")
			d.DidYouMean(w, []string{"required"})
			return nil
		}
		p.expectWord("required")
		if p.isWord("by") {
			p.unexpected("the end of the line").Help("who approves is for the policy to say, as in `approval manager`")
		}
		return &ast.ApprovalStmt{At: p.from(start)}
	case "":
		p.unknownStatement("a tool", append([]string{"a trait and its member"}, toolWords...))
		return nil
	default:
		return p.traitOrMark(w, start)
	}
}

// traitOrMark parses `blast_radius single` and `idempotent`: which of them a
// word is shows in whether a second one follows.
func (p *parser) traitOrMark(w string, start int) ast.ToolStmt {
	first := p.name("")
	if p.kind() == grammar.Name {
		s := &ast.TraitStmt{Trait: first, Member: p.name("")}
		s.At = p.from(start)
		if p.statementEnds() {
			return s
		}
		if p.kind() == grammar.Comma {
			p.fault(p.here(), diag.UnexpectedToken, "a trait has one member").Help("keep one of them")
			return nil
		}
	} else if p.statementEnds() {
		return &ast.MarkStmt{At: p.from(start), Mark: first}
	}
	// It is neither. If its first word belongs to another statement, in another
	// language or in this one, that is what went wrong.
	help, foreign := foreignWords[w]
	switch k := p.kind(); {
	case k == grammar.Bad:
		p.unexpected("")
	case laterStmt(w):
		p.laterAt(first.Span(), "statement", w)
	case foreign:
		p.fault(first.Span(), diag.ForeignWord, "`%s` is not a word of this language", w).Help("%s", help)
	case k == grammar.LBrace, k == grammar.Newline:
		p.fault(first.Span(), diag.NotAStatement, "`%s` is not a statement of a tool", w).
			Note("a tool has %s, and its traits", list(toolWords)).
			DidYouMean(w, toolWords)
	case k == grammar.Assign:
		p.sameLine("a statement")
	case slices.Contains(toolWords, w), p.i > 0 && p.toks[p.i-1].Start != int32(first.Where.Start):
		p.unexpected("the end of the line")
	default:
		p.unexpected("the member of a trait, or the end of the line")
	}
	return nil
}

// statementEnds says whether the current token ends a statement.
func (p *parser) statementEnds() bool {
	switch p.kind() {
	case grammar.RBrace:
		return true
	case grammar.Newline:
		return p.after() != grammar.LBrace
	}
	return false
}

func (p *parser) verify(start int) ast.ToolStmt {
	p.next()
	s := &ast.VerifyStmt{}
	p.expectWord("by")
	s.By = p.name("the name of the tool that reads the outcome")
	p.block("verify", func() {
		if p.kind() == grammar.Doc {
			p.strayDoc()
			return
		}
		c := &ast.VerifyClause{}
		start := p.start()
		c.Verdict = p.name("`confirmed` or `refuted`")
		c.When = p.when()
		if p.kind() == grammar.Else {
			p.fault(p.here(), diag.UnexpectedToken, "a verdict has no `else`").
				Note("what is neither confirmed nor refuted is inconclusive").
				Help("give each verdict its own condition, on a line of its own: `refuted when ...`")
		}
		c.At = p.from(start)
		s.Clauses = append(s.Clauses, c)
	})
	s.At = p.from(start)
	return s
}

// when parses `when` and a condition.
func (p *parser) when() ast.Expr {
	if w := p.word(); w == "if" || w == "where" || w == "unless" {
		d := p.fault(p.here(), diag.ForeignWord, "`%s` does not begin a condition", w).Help("write `when`")
		if w != "unless" {
			d.Edit = &diag.Edit{Span: d.Span, New: "when"}
		}
	}
	p.expect(grammar.When, "`when` and a condition")
	return p.condition()
}

func (p *parser) flag(doc ast.Doc, start int) ast.ToolStmt {
	p.next()
	s := &ast.FlagStmt{Doc: doc, Name: p.name("the name of a flag")}
	s.When = p.when()
	if p.accept(grammar.Else) {
		s.Else = p.name("`hold`")
	}
	s.At = p.from(start)
	return s
}

// require parses `require cond else hold for group`. Whether an `else` stands
// there, and which word behind it, is the checker's question: it can say what
// another word would mean.
func (p *parser) require(doc ast.Doc, start int) ast.ToolStmt {
	s := &ast.RequireStmt{Doc: doc, Key: p.key()}
	if w := p.leading(); w != "" {
		d := p.fault(p.here(), diag.ForeignWord, "`%s` does not begin the condition of a requirement", w)
		if w == "unless" {
			d.Help("write `require not (...)`")
		} else {
			d.Help("write the condition right behind `require`, as in `require amount <= 100.00 else refuse`")
		}
	}
	s.When = p.condition()
	if p.kind() == grammar.When {
		p.unexpected("`else` and what happens where the condition fails").
			Note("a requirement has no name and no `when`").
			Help("write the condition right behind `require`")
	}
	if p.accept(grammar.Else) {
		s.Else = p.name("`refuse` or `hold`")
		if p.acceptWord("for") {
			s.For = p.name("the name of an approval")
			if p.kind() == grammar.Comma || p.kind() == grammar.And {
				p.unexpected("the end of the line").
					Note("every clause that fails adds the group that it names").
					Help("write a requirement for each group")
			}
		}
	}
	s.At = p.from(start)
	return s
}

// leading is a word that stands before a condition in another language, "" where
// none does. Such a word is a name as well, so it is one only before something that
// cannot follow a name.
func (p *parser) leading() string {
	if p.kind() == grammar.When {
		return "when"
	}
	w := p.word()
	if !slices.Contains([]string{"if", "that", "unless"}, w) {
		return ""
	}
	switch p.after() {
	case grammar.Not, grammar.LParen, grammar.Number, grammar.String:
		return w
	case grammar.Name:
		if next := p.lit(p.toks[p.i+1]); next != "present" && next != "absent" {
			return w
		}
	}
	return ""
}

func (p *parser) risk(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Risk{Doc: doc, Name: p.name("the name of a risk table")}
	p.block("risk", func() {
		if s := p.riskStmt(); s != nil {
			d.Stmts = append(d.Stmts, s)
		}
	})
	d.At = p.from(start)
	return d
}

func (p *parser) riskStmt() ast.RiskStmt {
	start := p.start()
	switch w := p.word(); w {
	case "base":
		p.next()
		s := &ast.BaseStmt{Rows: p.rows("a tool and its points, as in `read_mail 1`")}
		s.At = p.from(start)
		return s
	case "add":
		p.next()
		s := &ast.AddStmt{}
		at := p.start()
		s.Factor = &ast.Path{Parts: []*ast.Ident{p.name("what the points depend on, such as a trait or `target.tier`")}}
		for p.accept(grammar.Dot) {
			s.Factor.Parts = append(s.Factor.Parts, p.name("a name after the point"))
		}
		s.Factor.At = p.from(at)
		s.Rows = p.rows("a member and its points, as in `high +2`")
		if p.acceptWord("any") {
			p.expectWord("order")
			s.AnyOrder = true
		}
		s.At = p.from(start)
		return s
	case "":
		p.unknownStatement("a risk table", riskWords)
		return nil
	default:
		switch p.after() {
		case grammar.Range, grammar.Number, grammar.String, grammar.Assign, grammar.Lt, grammar.Le, grammar.Gt, grammar.Ge:
		case grammar.Bad:
			p.next()
			p.unexpected("")
			return nil
		default:
			if !slices.Contains(riskWords, w) {
				p.unknownStatement("a risk table", riskWords)
				return nil
			}
		}
		s := &ast.BandStmt{Outcome: p.name("")}
		s.Range = p.rangeOf("a range such as `0..3`")
		s.At = p.from(start)
		if p.kind() == grammar.Number || p.kind() == grammar.Range {
			p.unexpected("the end of the line").Help("a range is one word, without blanks, as in `0..3`")
		}
		return s
	}
}

func (p *parser) rows(what string) (out []*ast.Row) {
	p.items(what, one, func() {
		r := &ast.Row{}
		start := p.start()
		// A factor may be a bool; its two members are reserved words.
		if k := p.kind(); k == grammar.True || k == grammar.False {
			p.next()
			r.Name = &ast.Ident{At: p.from(start), Name: k.String()}
		} else {
			if k == grammar.Range || k == grammar.Number {
				p.unexpected(what).Note("a factor is a trait, an enum or a bool, so its rows are named; a number is none").
					Help("let the registry keep an enum of sizes, and give each of its members points")
			}
			r.Name = p.name(what)
		}
		r.Points = p.number("points, as a number such as `+2`")
		r.At = p.from(start)
		out = append(out, r)
	})
	return out
}

func (p *parser) policy(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Policy{Doc: doc, Name: p.name("the name of a policy")}
	p.block("policy", func() {
		if s := p.policyStmt(); s != nil {
			d.Stmts = append(d.Stmts, s)
		}
	})
	d.At = p.from(start)
	return d
}

func (p *parser) policyStmt() ast.PolicyStmt {
	switch p.word() {
	case "agent":
		return p.oneName("the name of an agent")
	case "tools":
		return p.names("the name of a tool")
	case "risk":
		return p.oneName("the name of a risk table")
	case "approval":
		return p.oneName("the name of an approval")
	case "cause":
		return p.oneName("the name of an enum")
	case "inputs":
		return p.fieldsStmt("an input and its type")
	case "max_steps", "malformed_retries", "replans", "no_progress":
		return p.countStmt()
	case "deadline":
		return p.durationStmt()
	case "budget":
		return p.budget()
	}
	p.unknownStatement("a policy", policyWords)
	return nil
}

func (p *parser) budget() ast.PolicyStmt {
	start := p.start()
	p.next()
	s := &ast.BudgetStmt{}
	p.items("an item such as `model_calls 12`", one, func() {
		b := &ast.BudgetItem{}
		start := p.start()
		b.Kind = p.name("what is counted, such as `model_calls`, `tokens` or `cost`")
		b.Amount = p.number("how much of it")
		if p.kind() == grammar.Name {
			b.Unit = p.name("a currency")
		}
		b.At = p.from(start)
		s.Items = append(s.Items, b)
	})
	if p.accept(grammar.Else) {
		s.Else = p.name("`hold`")
	}
	s.At = p.from(start)
	return s
}

func (p *parser) belief(doc ast.Doc, start int) ast.Decl {
	p.next()
	d := &ast.Belief{Doc: doc, Name: p.name("the name of a belief")}
	if !p.isWord("on") {
		p.unexpected("`on` and an entity").Help("a belief is about something, as in `belief root_cause on service {`")
	}
	p.expectWord("on")
	d.On = p.name("the name of the entity that is believed about")
	p.block("belief", func() {
		if s := p.beliefStmt(); s != nil {
			d.Stmts = append(d.Stmts, s)
		}
	})
	d.At = p.from(start)
	return d
}

func (p *parser) beliefStmt() ast.BeliefStmt {
	start := p.start()
	switch p.word() {
	case "states":
		return p.oneName("the name of an enum")
	case "evidence":
		return p.oneName("the name of an evidence table")
	case "commit", "flip", "retract":
		s := &ast.ThresholdStmt{Key: p.key()}
		s.Value = p.number("a threshold such as `0.50`")
		s.At = p.from(start)
		return s
	case "learn":
		p.next()
		s := &ast.LearnStmt{}
		p.items("a verdict and a state, as in `confirmed capacity`", one, func() {
			l := &ast.Lesson{}
			start := p.start()
			l.Verdict = p.name("`confirmed` or `refuted`")
			l.Not = p.accept(grammar.Not)
			l.State = p.name("a state of the belief")
			l.At = p.from(start)
			s.Lessons = append(s.Lessons, l)
		})
		s.At = p.from(start)
		return s
	case "expires":
		p.next()
		s := &ast.ExpiresStmt{After: p.duration("a duration such as `30d`")}
		if p.acceptWord("then") {
			p.expectWord("reverify")
			p.expectWord("by")
			s.By = p.name("the name of the tool that looks again")
		}
		s.At = p.from(start)
		return s
	}
	p.unknownStatement("a belief", beliefWords)
	return nil
}
