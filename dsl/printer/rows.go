package printer

import (
	"strings"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/internal/grammar"
)

// The widest cells that push their neighbours. Keywords are short, and the few
// long ones (`malformed_retries`) stick out; names are given more room.
const (
	keywordWidth = 12
	nameWidth    = 40
	clauseWidth  = 72 // a condition stands in the first column of a requirement
)

// line makes a row of words that stand in one line.
func line(n ast.Node, cells ...string) *row {
	r := &row{cells: cells}
	r.place(ast.At{Where: n.Span()})
	return r
}

func (r *row) aligned(kind string, widest int) *row {
	r.align, r.widest = kind, widest
	return r
}

// with puts a block of items behind the row.
func (r *row) with(rows []*row) *row {
	r.block = &block{rows: rows, items: true, inline: true}
	return r
}

// over puts a block of statements behind the row. On one line it can hold one.
func (r *row) over(rows []*row) *row {
	r.block = &block{rows: rows, inline: true}
	return r
}

func each[T any](list []T, f func(T) *row) []*row {
	out := make([]*row, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// declRow lays out a declaration.
func declRow(d ast.Decl) *row {
	r, doc := declaration(d)
	r.doc = doc
	if len(doc) > 0 {
		r.align = "" // what is documented stands by itself
	}
	return r
}

func declaration(d ast.Decl) (*row, ast.Doc) {
	switch d := d.(type) {
	case *ast.Enum:
		return line(d, "enum "+d.Name.Name).aligned("enum", nameWidth).with(each(d.Members, memberRow)), d.Doc
	case *ast.Trait:
		return line(d, "trait "+d.Name.Name).aligned("trait", nameWidth).with(each(d.Members, memberRow)), d.Doc
	case *ast.TypeDecl:
		return line(d, "type "+d.Name.Name, "= "+typeText(d.Type)).aligned("type", nameWidth), d.Doc
	case *ast.Entity:
		return line(d, "entity "+d.Name.Name).aligned("entity", nameWidth).with(each(d.Attrs, fieldRow)), d.Doc
	case *ast.Lifecycle:
		return line(d, "lifecycle "+d.Name.Name).with(each(d.Transitions, func(t *ast.Transition) *row {
			return line(t, t.From.Name, "-> "+t.To.Name, "by "+t.By.Name).aligned("transition", nameWidth)
		})), d.Doc
	case *ast.Tool:
		return line(d, "tool "+d.Name.Name+on(d.On)).over(each(d.Stmts, toolRow)), d.Doc
	case *ast.Risk:
		return line(d, "risk "+d.Name.Name).over(each(d.Stmts, riskRow)), d.Doc
	case *ast.Approval:
		return approvalRow(d), d.Doc
	case *ast.Agent:
		return line(d, "agent "+d.Name.Name).aligned("agent", nameWidth).over(each(d.Stmts, func(s *ast.NamesStmt) *row {
			return namesRow(s).aligned("agent", keywordWidth)
		})), d.Doc
	case *ast.Policy:
		return line(d, "policy "+d.Name.Name).over(each(d.Stmts, policyRow)), d.Doc
	case *ast.Evidence:
		return evidenceRow(d), d.Doc
	case *ast.Belief:
		return line(d, "belief "+d.Name.Name+on(d.On)).over(each(d.Stmts, beliefRow)), d.Doc
	case *ast.Standing:
		return line(d, "standing").over([]*row{{cells: []string{
			"degrade after " + d.Count.Text + " rejections in " + literal(d.In),
		}, start: d.Count.Where.Start, end: d.In.Where.End}}), d.Doc
	case *ast.Workflow:
		return line(d, "workflow "+d.Name.Name).aligned("workflow", nameWidth).with(each(d.Steps, func(n *ast.Ident) *row {
			return line(n, n.Name)
		})), d.Doc
	case *ast.Test:
		return line(d, "test "+literal(d.Title)).over(each(d.Stmts, testRow)), d.Doc
	case *ast.Prove:
		return proveRow(d), d.Doc
	}
	panic("printer: a declaration of an unknown kind")
}

func on(n *ast.Ident) string {
	if n == nil {
		return ""
	}
	return " on " + n.Name
}

func memberRow(m *ast.Member) *row {
	r := line(m, m.Name.Name)
	r.doc = m.Doc
	return r
}

func approvalRow(d *ast.Approval) *row {
	count := &row{cells: []string{d.Count.Text + " of " + d.Of.Name}, start: d.Count.Where.Start, end: d.Of.Where.End}
	rows := []*row{count}
	if d.Within != nil {
		r := line(d.Within, "within "+literal(d.Within))
		rows = append(rows, r)
	}
	return line(d, "approval "+d.Name.Name).aligned("approval", nameWidth).with(rows)
}

// evidenceRow puts the two kinds of rows back into the order of the source.
func evidenceRow(d *ast.Evidence) *row {
	var rows []*row
	halves := d.HalfLife
	for _, w := range d.Weights {
		for len(halves) > 0 && halves[0].Where.Start < w.Where.Start {
			rows = append(rows, line(halves[0], halves[0].Key.Name, literal(halves[0].D)))
			halves = halves[1:]
		}
		rows = append(rows, line(w, w.Class.Name, w.Value.Text).aligned("weight", nameWidth))
	}
	for _, h := range halves {
		rows = append(rows, line(h, h.Key.Name, literal(h.D)))
	}
	return line(d, "evidence "+d.Name.Name).with(rows)
}

func proveRow(d *ast.Prove) *row {
	where, at := "for all", d.ForAll
	if d.Where != nil {
		where += " where " + exprText(d.Where)
		at = at.To(d.Where.Span())
	}
	cells := &row{cells: []string{where}, start: at.Start, end: at.End}
	rows := []*row{cells, line(d.Expect, "expect "+d.Expect.Name)}
	return line(d, "prove "+literal(d.Title)).over(rows)
}

func fieldRow(f *ast.Field) *row {
	var words []string
	if f.Optional != nil {
		words = append(words, "optional")
	}
	if f.Default != nil {
		words = append(words, "default", literal(f.Default))
	}
	if f.Sensitive != nil {
		words = append(words, "sensitive")
	}
	if f.Trust != nil {
		words = append(words, f.Trust.Name)
	}
	if f.TrustedAs != nil {
		words = append(words, "as", f.TrustedAs.Name)
	}
	cells := []string{f.Name.Name, typeText(f.Type)}
	if len(words) > 0 {
		cells = append(cells, strings.Join(words, " "))
	}
	r := line(f, cells...).aligned("field", nameWidth)
	r.doc = f.Doc
	return r
}

func toolRow(s ast.ToolStmt) *row {
	switch s := s.(type) {
	case *ast.TraitStmt:
		return line(s, s.Trait.Name, s.Member.Name).aligned("trait", nameWidth)
	case *ast.MarkStmt:
		return line(s, s.Mark.Name)
	case *ast.ApprovalStmt:
		return line(s, "approval required")
	case *ast.FieldsStmt:
		return fieldsRow(s)
	case *ast.VerifyStmt:
		return line(s, "verify by "+s.By.Name).over(each(s.Clauses, func(c *ast.VerifyClause) *row {
			return line(c, c.Verdict.Name, "when "+exprText(c.When)).aligned("clause", keywordWidth)
		}))
	case *ast.FlagStmt:
		when := "when " + exprText(s.When)
		if s.Else != nil {
			when += " else " + s.Else.Name
		}
		r := line(s, "flag "+s.Name.Name, when).aligned("flag", nameWidth)
		r.doc = s.Doc
		return r
	case *ast.RequireStmt:
		cells := []string{"require " + exprText(s.When)}
		if s.Else != nil {
			cells = append(cells, "else "+s.Else.Name)
			if s.For != nil {
				cells[1] += " for " + s.For.Name
			}
		}
		r := line(s, cells...).aligned("require", clauseWidth)
		r.doc = s.Doc
		return r
	}
	panic("printer: a statement of an unknown kind")
}

// Requirement is a clause in its canonical form, on one line: what a person or a
// model is shown of a clause that failed.
func Requirement(s *ast.RequireStmt) string {
	return strings.ReplaceAll(strings.Join(toolRow(s).cells, " "), soft, " ")
}

func fieldsRow(s *ast.FieldsStmt) *row {
	return line(s, s.Key.Name).with(each(s.Fields, fieldRow))
}

func namesRow(s *ast.NamesStmt) *row {
	names := make([]string, len(s.Names))
	for i, n := range s.Names {
		names[i] = n.Name
	}
	return line(s, s.Key.Name, strings.Join(names, ","+soft))
}

func riskRow(s ast.RiskStmt) *row {
	switch s := s.(type) {
	case *ast.BaseStmt:
		return line(s, "base").aligned("table", nameWidth).with(each(s.Rows, pointsRow))
	case *ast.AddStmt:
		r := line(s, "add "+pathText(s.Factor)).aligned("table", nameWidth).with(each(s.Rows, pointsRow))
		if s.AnyOrder {
			r.tail = "any order"
		}
		return r
	case *ast.BandStmt:
		return line(s, s.Outcome.Name, rangeText(s.Range)).aligned("band", keywordWidth)
	}
	panic("printer: a statement of an unknown kind")
}

func pointsRow(x *ast.Row) *row {
	return line(x, x.Name.Name, x.Points.Text).aligned("points", nameWidth)
}

func policyRow(s ast.PolicyStmt) *row {
	var r *row
	switch s := s.(type) {
	case *ast.NamesStmt:
		r = namesRow(s)
	case *ast.CountStmt:
		r = line(s, s.Key.Name, s.N.Text)
	case *ast.DurationStmt:
		r = line(s, s.Key.Name, literal(s.D))
	case *ast.FieldsStmt:
		r = fieldsRow(s)
	case *ast.BudgetStmt:
		r = line(s, "budget").with(each(s.Items, func(b *ast.BudgetItem) *row {
			amount := b.Amount.Text
			if b.Unit != nil {
				amount += " " + b.Unit.Name
			}
			return line(b, b.Kind.Name, amount).aligned("item", nameWidth)
		}))
		if s.Else != nil {
			r.tail = "else " + s.Else.Name
		}
	default:
		panic("printer: a statement of an unknown kind")
	}
	return r.aligned("setting", keywordWidth)
}

func beliefRow(s ast.BeliefStmt) *row {
	var r *row
	switch s := s.(type) {
	case *ast.NamesStmt:
		r = namesRow(s)
	case *ast.ThresholdStmt:
		r = line(s, s.Key.Name, s.Value.Text)
	case *ast.LearnStmt:
		r = line(s, "learn").with(each(s.Lessons, func(l *ast.Lesson) *row {
			state := l.State.Name
			if l.Not {
				state = "not " + state
			}
			return line(l, l.Verdict.Name, state).aligned("lesson", keywordWidth)
		}))
	case *ast.ExpiresStmt:
		text := literal(s.After)
		if s.By != nil {
			text += " then reverify by " + s.By.Name
		}
		r = line(s, "expires", text)
	default:
		panic("printer: a statement of an unknown kind")
	}
	return r.aligned("setting", keywordWidth)
}

func testRow(s ast.TestStmt) *row {
	switch s := s.(type) {
	case *ast.GivenStmt:
		return assigned(line(s, "given "+s.Entity.Name+" "+literal(s.ID)), s.Attrs)
	case *ast.StandingStmt:
		return line(s, "standing "+s.Value.Name)
	case *ast.InStmt:
		return line(s, "in "+s.Policy.Name)
	case *ast.AfterStmt:
		return assigned(line(s, "after "+s.Tool.Name+target(s.On)), s.Args)
	case *ast.ProposeStmt:
		r := assigned(line(s, "propose", s.Tool.Name+target(s.On)), s.Args)
		if s.Cause != nil {
			r.because("because " + s.Cause.Name)
		}
		return r.aligned("step", keywordWidth)
	case *ast.ExpectStmt:
		words := []string{s.Outcome.Name}
		if s.Reason != nil {
			words = append(words, s.Reason.Name)
		}
		if s.Score != nil {
			words = append(words, "score", s.Score.Text)
		}
		text := strings.Join(words, " ")
		for i, f := range s.Flags {
			if i == 0 {
				text += " flags " + f.Name
				continue
			}
			text += "," + soft + f.Name
		}
		return line(s, "expect", text).aligned("step", keywordWidth)
	}
	panic("printer: a statement of an unknown kind")
}

// because puts words behind the row, whether it has a block or not.
func (r *row) because(words string) {
	if r.block != nil {
		r.tail = words
		return
	}
	r.cells[len(r.cells)-1] += " " + words
}

func target(s *ast.String) string {
	if s == nil {
		return ""
	}
	return " on " + literal(s)
}

// assigned puts `{ name value, ... }` behind the row, unless it is empty.
func assigned(r *row, list []*ast.Assign) *row {
	if len(list) == 0 {
		return r
	}
	return r.with(each(list, func(a *ast.Assign) *row {
		return line(a, a.Name.Name, literal(a.Value)).aligned("value", nameWidth)
	}))
}

func literal(l ast.Literal) string {
	switch l := l.(type) {
	case *ast.Number:
		return l.Text
	case *ast.String:
		return grammar.Quote(l.Value)
	case *ast.Bool:
		if l.Value {
			return "true"
		}
		return "false"
	case *ast.Duration:
		return l.Text + l.Unit
	case *ast.Name:
		return l.Name
	}
	panic("printer: a value of an unknown kind")
}

func rangeText(r *ast.Range) string { return r.Lo + ".." + r.Hi }

func pathText(p *ast.Path) string {
	parts := make([]string, len(p.Parts))
	for i, n := range p.Parts {
		parts[i] = n.Name
	}
	return strings.Join(parts, ".")
}

func typeText(t *ast.TypeExpr) string {
	s := t.Base.Name
	switch {
	case t.Ref != nil:
		return s + " " + t.Ref.Name
	case t.Arg != nil:
		s += "(" + rangeText(t.Arg) + ")"
	case t.Size != nil:
		s += "(" + t.Size.Text + ")"
	}
	if t.Pattern != nil {
		s += " " + grammar.PatternToken(t.Pattern.Text)
	}
	return s
}

func operandText(x ast.Operand) string {
	if p, ok := x.(*ast.Path); ok {
		return pathText(p)
	}
	return literal(x.(ast.Literal))
}

// exprText writes a condition. Its parentheses are in the tree.
func exprText(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Logic:
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = exprText(a)
		}
		return strings.Join(args, " "+x.Op+soft)
	case *ast.Not:
		return "not " + exprText(x.X)
	case *ast.Paren:
		return "(" + exprText(x.X) + ")"
	case *ast.Compare:
		return operandText(x.X) + " " + x.Op + " " + operandText(x.Y)
	case *ast.In:
		set := make([]string, len(x.Set))
		for i, l := range x.Set {
			set[i] = literal(l)
		}
		return operandText(x.X) + " in { " + strings.Join(set, ","+soft) + " }"
	case *ast.Presence:
		if x.Absent {
			return pathText(x.X) + " absent"
		}
		return pathText(x.X) + " present"
	case *ast.Truth:
		return operandText(x.X)
	}
	panic("printer: a condition of an unknown kind")
}
