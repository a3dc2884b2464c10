package resolve

import (
	"strings"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// link resolves every use of a declared name within one declaration.
func (p *Package) link(d ast.Decl) {
	switch d := d.(type) {
	case *ast.Enum, *ast.Trait, *ast.Approval, *ast.Evidence, *ast.Standing:
		// They name nothing.
	case *ast.TypeDecl:
		p.typeExpr(d.Type)
	case *ast.Entity:
		p.fields(d.Attrs)
	case *ast.Lifecycle:
		for _, t := range d.Transitions {
			p.use(t.By, "the tool of a transition", Tool)
		}
	case *ast.Tool:
		p.tool(d)
	case *ast.Risk:
		p.risk(d)
	case *ast.Agent:
		for _, s := range d.Stmts {
			switch s.Key.Name {
			case "scope":
				p.useAll(s.Names, "the scope of an agent", Tool)
			case "believes":
				p.useAll(s.Names, "what an agent believes", Belief)
			}
		}
	case *ast.Policy:
		p.policy(d)
	case *ast.Belief:
		p.belief(d)
	case *ast.Workflow:
		p.useAll(d.Steps, "a step of a workflow", Tool)
	case *ast.Test:
		p.test(d)
	case *ast.Prove:
		// Its condition reads factors, which belong to risk tables.
	default:
		panic("resolve: a declaration that nobody links")
	}
}

func (p *Package) useAll(ids []*ast.Ident, where string, kinds ...Kind) {
	for _, id := range ids {
		p.use(id, where, kinds...)
	}
}

func (p *Package) tool(d *ast.Tool) {
	p.use(d.On, "what a tool acts on", Entity)
	for _, s := range d.Stmts {
		switch s := s.(type) {
		case *ast.TraitStmt:
			if !Statements[s.Trait.Name] {
				p.trait(s.Trait)
			}
		case *ast.FieldsStmt:
			p.fields(s.Fields)
		case *ast.VerifyStmt:
			p.use(s.By, "what reads for a verification", Tool)
		case *ast.RequireStmt:
			p.use(s.For, "whom a requirement holds for", Approval)
		}
	}
}

// trait links the first word of a two-word statement: a trait, or a statement
// with a typing mistake.
func (p *Package) trait(id *ast.Ident) {
	if p.byName[id.Name] == nil {
		if near, ok := diag.Nearest(id.Name, statementWords); ok {
			if p.nameless([]Kind{Trait}) || p.again(id) {
				return
			}
			d := p.report.At(at(id), diag.UnknownName, "no trait and no statement of a tool is called `%s`", id.Name).
				Help("did you mean `%s`?", near)
			d.Edit = &diag.Edit{Span: at(id), New: near}
			p.unknowns[id.Name] = d
			return
		}
	}
	p.use(id, "the trait of a contract", Trait)
}

// statementWords are the statements of a tool in this version.
var statementWords = []string{"read", "idempotent", "dangerous", "approval", "args", "result", "verify", "flag", "require"}

func (p *Package) risk(d *ast.Risk) {
	for _, s := range d.Stmts {
		switch s := s.(type) {
		case *ast.BaseStmt:
			for _, r := range s.Rows {
				p.use(r.Name, "a row of `base`", Tool)
			}
		case *ast.AddStmt:
			// A factor may be wrong in ways that deserve a better answer than
			// "unknown", so package check looks it up.
		}
	}
}

func (p *Package) policy(d *ast.Policy) {
	for _, s := range d.Stmts {
		switch s := s.(type) {
		case *ast.FieldsStmt:
			p.fields(s.Fields)
		case *ast.NamesStmt:
			switch s.Key.Name {
			case "agent":
				p.useAll(s.Names, "the agent of a policy", Agent)
			case "tools":
				p.useAll(s.Names, "the tools of a policy", Tool)
			case "risk":
				p.useAll(s.Names, "the risk table of a policy", Risk)
			case "approval":
				p.useAll(s.Names, "the approval of a policy", Approval)
			case "cause":
				p.useAll(s.Names, "the cause of a policy", Enum)
			}
		}
	}
}

func (p *Package) belief(d *ast.Belief) {
	p.use(d.On, "what a belief is about", Entity)
	for _, s := range d.Stmts {
		switch s := s.(type) {
		case *ast.NamesStmt:
			switch s.Key.Name {
			case "states":
				p.useAll(s.Names, "the states of a belief", Enum)
			case "evidence":
				p.useAll(s.Names, "the evidence of a belief", Evidence)
			}
		case *ast.ExpiresStmt:
			p.use(s.By, "what reads for a belief", Tool)
		}
	}
}

func (p *Package) test(d *ast.Test) {
	for _, s := range d.Stmts {
		switch s := s.(type) {
		case *ast.GivenStmt:
			p.use(s.Entity, "what a test gives", Entity)
		case *ast.AfterStmt:
			p.use(s.Tool, "what a test has done before", Tool)
		case *ast.InStmt:
			p.use(s.Policy, "the policy of a test", Policy)
		case *ast.ProposeStmt:
			p.use(s.Tool, "what a test proposes", Tool)
		}
	}
}

func (p *Package) fields(fs []*ast.Field) {
	for _, f := range fs {
		if t := f.Type; t != nil && t.Base != nil && modifiers[t.Base.Name] && p.byName[t.Base.Name] == nil {
			p.report.At(at(t.Base), diag.UnknownName, "`%s` has no type: `%s` stands in its place", f.Name.Name, t.Base.Name).
				Help("write the type before `%s`", t.Base.Name)
			continue
		}
		p.typeExpr(f.Type)
	}
}

// modifiers are the words that stand after the type of a field.
var modifiers = map[string]bool{"optional": true, "default": true, "sensitive": true, "trusted": true, "untrusted": true}

// typeExpr links a declared type; the built-in words, and the words that other
// languages have for free-form data, are left to package check.
func (p *Package) typeExpr(t *ast.TypeExpr) {
	if t == nil || t.Base == nil {
		return
	}
	if t.Base.Name == "ref" {
		p.use(t.Ref, "what a reference refers to", Entity)
		return
	}
	if Builtin(t.Base.Name) || p.byName[t.Base.Name] == nil && ForeignType(t.Base.Name) {
		return
	}
	p.use(t.Base, "the type of a field", Type, Enum, Trait, Lifecycle)
}

// Builtin says whether a word is a type of the language.
func Builtin(name string) bool {
	switch name {
	case "bool", "int", "decimal", "string", "ref":
		return true
	}
	return false
}

// ForeignType says whether a word is what other languages call a type. It gets a
// message of its own instead of "unknown name".
func ForeignType(name string) bool {
	switch strings.ToLower(name) {
	case "any", "map", "json", "list", "float", "object", "dict", "array", "number", "text", "double",
		"boolean", "integer", "str", "char", "varchar", "bytes", "blob", "float32", "float64", "int32",
		"int64", "long", "real", "numeric", "struct", "record", "set", "tuple", "interface", "unknown":
		return true
	}
	return false
}
