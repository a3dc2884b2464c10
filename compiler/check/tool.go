package check

import (
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"slices"
)

// Bounds of a contract.
const (
	maxFlags  = 64 // a decision records them as bits of one word
	maxFields = 256
)

// toolShape reads a contract's statements once: what it acts on, its fields, its
// marks. Conditions come later, when every tool has its shape.
func (c *checker) toolShape(s *resolve.Symbol, d *ast.Tool) *Tool {
	t := &Tool{
		Symbol: s,
		Decl:   d,
		IR:     &ir.Tool{Decl: Decl(d.Name, d.Doc)},
		Traits: make(map[*ir.Enum]*ast.TraitStmt),
	}
	if d.On == nil {
		t.noTarget = true
	} else if e := c.pkg.Use(d.On); e != nil {
		t.IR.Target = c.Entities[e]
	}
	seen := make(map[string]ast.Node)
	once := func(key string, n ast.Node) bool {
		if old := seen[key]; old != nil {
			c.repeated(n, key, old)
			return false
		}
		seen[key] = n
		return true
	}
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.TraitStmt:
			c.traitStmt(t, st)
		case *ast.MarkStmt:
			if c.mark(t, st) {
				once(st.Mark.Name, st)
			}
		case *ast.ApprovalStmt:
			once("approval", st)
			t.IR.Approval = true
		case *ast.FieldsStmt:
			if !once(st.Key.Name, st.Key) {
				continue
			}
			if len(st.Fields) > maxFields {
				c.at(st.Fields[maxFields].Span(), diag.TooMany, "a tool has at most %d fields in `%s`", maxFields, st.Key.Name)
			}
			if st.Key.Name == "result" {
				t.IR.Result, t.result = c.fields(st.Fields, inResult)
				for _, f := range t.IR.Result {
					if c.resultOf[f.Name] == nil {
						c.resultOf[f.Name] = t
					}
				}
			} else {
				t.IR.Args, t.args = c.fields(st.Fields, inArgs)
				for _, f := range t.IR.Args {
					if c.argOf[f.Name] == nil {
						c.argOf[f.Name] = t
					}
				}
			}
		case *ast.VerifyStmt:
			if once("verify", st) {
				t.Verify = st
			}
		case *ast.FlagStmt:
			t.Flags = append(t.Flags, st)
		case *ast.RequireStmt:
			t.Requirements = append(t.Requirements, st)
		}
	}
	return t
}

// repeated reports a statement that stands twice.
func (c *checker) repeated(n ast.Node, key string, old ast.Node) {
	c.at(n.Span(), diag.RepeatedSetting, "`%s` stands here twice", key).
		See(old.Span(), "first here").
		Help("remove one of the two")
}

func (c *checker) mark(t *Tool, st *ast.MarkStmt) bool {
	switch st.Mark.Name {
	case "read":
		t.IR.Read = true
	case "idempotent":
		t.IR.Idempotent = true
	case "dangerous":
		t.IR.Dangerous = true
	default:
		t.vague = true
		words := []string{"read", "idempotent", "dangerous"}
		d := c.at(st.Mark.Span(), diag.UnknownStatement, "`%s` is no statement of a tool", st.Mark.Name)
		if s := c.pkg.Named(st.Mark.Name); s != nil && s.Kind == resolve.Trait {
			c.pkg.Mark(s)
			d.Note("`%s` is a trait, and a contract states one of its members", s.Name).
				Help("write `%s %s`", s.Name, firstMember(c.Enums[s]))
			return false
		}
		if e := c.traitWith(st.Mark.Name); e != nil {
			d.Note("`%s` is a member of trait `%s`", st.Mark.Name, e.Name).
				Help("write `%s %s`", e.Name, st.Mark.Name)
			return false
		}
		c.pkg.Suggest(d, st.Mark.Name, resolve.Among(words...))
		return false
	}
	return true
}

func firstMember(e *ir.Enum) string {
	if e == nil || len(e.Members) == 0 {
		return "MEMBER"
	}
	return e.Members[0].Name
}

// traitWith is the first trait that has the member.
func (c *checker) traitWith(member string) *ir.Enum {
	for _, s := range c.pkg.Of(resolve.Trait) {
		if _, ok := c.Member(c.Enums[s], member); ok {
			return c.Enums[s]
		}
	}
	return nil
}

func (c *checker) traitStmt(t *Tool, st *ast.TraitStmt) {
	if resolve.Statements[st.Trait.Name] {
		t.vague = true
		d := c.at(st.Member.Span(), diag.UnknownStatement, "`%s %s` is no statement of a tool", st.Trait.Name, st.Member.Name)
		switch st.Trait.Name {
		case "approval":
			d.Help("write `approval required`")
		case "read", "idempotent", "dangerous":
			d.Help("write `%s` alone", st.Trait.Name)
		}
		return
	}
	s := c.pkg.Use(st.Trait)
	if s == nil {
		t.vague = true
		return
	}
	e := c.Enums[s]
	if old := t.Traits[e]; old != nil {
		c.repeated(st.Trait, s.Name, old)
		return
	}
	t.Traits[e] = st
	if _, ok := c.member(st.Member, e); !ok {
		t.vague = true
	}
}

// tool checks what a contract says against the rest of the package.
func (c *checker) tool(t *Tool) {
	if t.IR.Read {
		c.readOnly(t)
	}
	c.dangerous(t)
	if len(t.Flags) > maxFlags {
		c.at(t.Flags[maxFlags].Name.Span(), diag.TooMany, "a tool has at most %d flags", maxFlags)
	}
	for _, f := range t.Flags {
		if f.Name.Name == "none" {
			c.at(f.Name.Span(), diag.ReservedName, "a flag cannot be called `none`: a test says with that word that no flag is set").
				Help("take another name")
		}
		if f.Else != nil && f.Else.Name != "hold" {
			c.at(f.Else.Span(), diag.UnknownElse, "a flag cannot `%s`", f.Else.Name).
				Note("a flag is recorded, and may make the action wait for a person").
				Help("write `else hold`, or leave it out")
		}
		c.condition(f.When, &scope{what: "a flag", args: t, target: t})
	}
	c.requirements(t)
	if t.Verify != nil {
		c.verify(t, t.Verify)
	}
}

// readOnly refuses on a tool that only reads whatever makes sense for one that
// acts.
func (c *checker) readOnly(t *Tool) {
	for _, st := range t.Decl.Stmts {
		what, n := "", ast.Node(nil)
		switch st := st.(type) {
		case *ast.TraitStmt:
			if c.pkg.Use(st.Trait) != nil {
				what, n = "a trait", st.Trait
			}
		case *ast.MarkStmt:
			if st.Mark.Name == "idempotent" {
				what, n = "`idempotent`", st.Mark
			}
		case *ast.ApprovalStmt:
			what, n = "`approval required`", st
		case *ast.VerifyStmt:
			what, n = "a verification", st.By
		}
		if n == nil {
			continue
		}
		c.at(n.Span(), diag.ReadToolActs, "`%s` only reads, and has %s", t.Symbol.Name, what).
			Note("a tool that reads changes nothing: there is nothing to rate, to repeat or to verify").
			Help("remove it, or remove `read`")
	}
}

func (c *checker) verify(t *Tool, v *ast.VerifyStmt) {
	by := c.reader(v.By, t.IR.Target, t.noTarget, "a verification", diag.VerifyNotRead, diag.VerifyElsewhere)
	seen := make(map[string]ast.Node)
	for _, cl := range v.Clauses {
		name := cl.Verdict.Name
		switch name {
		case "confirmed", "refuted":
			if old := seen[name]; old != nil {
				c.repeated(cl.Verdict, name, old)
				continue
			}
			seen[name] = cl.Verdict
		case "inconclusive":
			c.at(cl.Verdict.Span(), diag.VerifyVerdict, "`inconclusive` cannot be declared").
				Note("it is what remains when neither condition holds, both do, or reading fails").
				Help("remove the clause")
			continue
		default:
			d := c.at(cl.Verdict.Span(), diag.VerifyVerdict, "a verification has no verdict `%s`", name)
			c.pkg.Suggest(d, name, resolve.Among("confirmed", "refuted"))
			continue
		}
		c.condition(cl.When, &scope{what: "a verification", target: t, result: by, verifies: t, noResult: by == nil})
		if by != nil && !readsResult(cl.When) {
			c.at(cl.Verdict.Span(), diag.VerifyEmpty, "`%s` says nothing of what was read", name).
				Note("`target` is what the registry knew when the action was decided, before it was done").
				Help("compare a field of `result`")
		}
	}
	if len(v.Clauses) == 0 {
		c.at(v.By.Span(), diag.VerifyEmpty, "the verification says nothing").
			Help("write `confirmed when CONDITION`, or `refuted when CONDITION`, or both")
	}
}

// reader checks that id names a tool that only reads, on the same entity, and
// that the runtime can call by itself. It returns nil where that is not so.
func (c *checker) reader(id *ast.Ident, on *ir.Entity, none bool, what string, notRead, elsewhere diag.Code) *Tool {
	s := c.pkg.Use(id)
	if s == nil {
		return nil
	}
	by := c.Tools[s]
	if by.vague {
		return nil
	}
	if !by.IR.Read {
		c.at(id.Span(), notRead, "%s reads by `%s`, which can act", what, s.Name).
			See(s.Ident.Span(), "no `read` here").
			Help("name a tool that has `read`, or write `read` in `%s` if it changes nothing", s.Name)
		return nil
	}
	if none && !by.noTarget || !none && on != nil && (by.noTarget || by.IR.Target != nil && by.IR.Target != on) {
		d := c.at(id.Span(), elsewhere, "%s reads by `%s`, which acts on something else", what, s.Name).
			See(s.Ident.Span(), "it acts on %s", actsOn(by))
		if on != nil {
			d.Help("name a tool that reads a `%s`", on.Name)
		}
		return nil
	}
	for _, f := range by.IR.Args {
		if !f.Optional {
			c.at(id.Span(), diag.VerifyNeedsArgument, "%s reads by `%s`, which needs argument `%s`", what, s.Name, f.Name).
				Note("the runtime makes this call by itself, and has no arguments to give").
				Help("make `%s` optional, or name another tool", f.Name)
			return nil
		}
	}
	return by
}

func actsOn(t *Tool) string {
	if t.IR.Target == nil {
		return "nothing"
	}
	return "a `" + t.IR.Target.Name + "`"
}

// readsResult says whether a condition reads a field of a result anywhere.
func readsResult(e ast.Expr) bool {
	path := func(o ast.Operand) bool {
		p, ok := o.(*ast.Path)
		return ok && len(p.Parts) > 1 && p.Parts[0].Name == "result"
	}
	switch e := e.(type) {
	case *ast.Logic:
		return slices.ContainsFunc(e.Args, readsResult)
	case *ast.Not:
		return readsResult(e.X)
	case *ast.Paren:
		return readsResult(e.X)
	case *ast.Compare:
		return path(e.X) || path(e.Y)
	case *ast.In:
		return path(e.X)
	case *ast.Truth:
		return path(e.X)
	case *ast.Presence:
		return path(e.X)
	}
	return true // a condition that did not parse says so itself
}
