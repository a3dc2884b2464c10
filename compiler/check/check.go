// Package check decides whether a package means something: types, origins,
// bounds, absence, completeness and order.
//
// # What it holds to
//
// Every value has an origin, the place that wrote it, and the heart of this
// package is one question: may this reader read that origin? A score reads what
// the contract, the registry and the choice of tool say. It never reads what a
// model said, whatever type that has. A condition may read a model's value,
// because a condition can only record, refuse or hold: the model can lose by it
// and never win. factor.go asks for scores, cond.go for conditions.
//
// # How it is built
//
// The tree is not changed. What is found goes into Info: the shapes that later
// passes need (vocabularies, types, fields, tools), a typed operand for every
// operand of a condition, a typed value for every literal.
//
// One cause gives one diagnostic. What could not be understood is left out of
// Info, or has a nil Type; whoever comes across it later says nothing. Faults
// are looked for in each declaration by itself, with what other declarations
// say of themselves, never with what was found wrong in them.
package check

import (
	"path"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// Info is what was found out. It is complete exactly where no error was reported.
type Info struct {
	Package    *resolve.Package
	Enums      map[*resolve.Symbol]*ir.Enum // enums, traits, lifecycles
	Types      map[*resolve.Symbol]*ir.Type // declared types
	Entities   map[*resolve.Symbol]*ir.Entity
	Tools      map[*resolve.Symbol]*Tool
	Fields     map[*ast.Field]*ir.Field
	Operands   map[ast.Operand]ir.Operand
	Values     map[ast.Literal]ir.Value
	Factors    map[*ast.AddStmt]Factor
	Points     map[*ast.Row]int
	Bands      map[*ast.BandStmt]Band
	Policies   map[*resolve.Symbol]*Policy
	Beliefs    map[*resolve.Symbol]*Belief
	TestPolicy map[*ast.Test]*resolve.Symbol
	ProofRisks map[*ast.Prove][]*resolve.Symbol

	members map[*ir.Enum]map[string]int
	tools   *ir.Enum // the package's tools as a vocabulary, for proofs
}

// Member is the ordinal of a member, and whether there is one. It takes constant
// time, where ir.Enum.Index walks: a table may have as many rows as members.
func (in *Info) Member(e *ir.Enum, name string) (int, bool) {
	i, ok := in.members[e][name]
	return i, ok
}

// Tool is a contract as far as conditions and tables need it.
type Tool struct {
	Symbol *resolve.Symbol
	Decl   *ast.Tool
	IR     *ir.Tool // name, target, marks, arguments, result; lowering adds the rest
	Traits map[*ir.Enum]*ast.TraitStmt
	Flags  []*ast.FlagStmt
	Verify *ast.VerifyStmt
	// Requirements in source order.
	Requirements []*ast.RequireStmt

	args, result map[string]int
	noTarget     bool // acts on nothing, as against an entity that is not known
	vague        bool // a statement of it was not understood: do not ask what it lacks
}

// checker is one run over one package.
type checker struct {
	*Info
	pkg    *resolve.Package
	report *diag.Report

	typing    map[*resolve.Symbol]bool
	argOf     map[string]*Tool // an argument's name -> the first tool that has it
	resultOf  map[string]*Tool
	entityOf  map[*ir.Entity]*resolve.Symbol
	scored    map[*resolve.Symbol]map[*resolve.Symbol]bool // risk -> tools with a base row
	riskFault map[*resolve.Symbol]bool                     // its base was not understood
	attrs     map[*ir.Entity]map[string]int
	classes   map[string]bool              // of evidence, of all tables
	unread    map[reading]*diag.Diagnostic // unknown names in conditions, first uses
	unclassed map[string]*diag.Diagnostic  // unknown classes of evidence, first uses
	vague     map[*ir.Enum]bool            // vocabularies with a fault: do not ask what they lack
}

// Run checks a resolved package.
func Run(pkg *resolve.Package, report *diag.Report) *Info {
	c := &checker{
		Info: &Info{
			Package:    pkg,
			Enums:      make(map[*resolve.Symbol]*ir.Enum),
			Types:      make(map[*resolve.Symbol]*ir.Type),
			Entities:   make(map[*resolve.Symbol]*ir.Entity),
			Tools:      make(map[*resolve.Symbol]*Tool),
			Fields:     make(map[*ast.Field]*ir.Field),
			Operands:   make(map[ast.Operand]ir.Operand),
			Values:     make(map[ast.Literal]ir.Value),
			Factors:    make(map[*ast.AddStmt]Factor),
			Points:     make(map[*ast.Row]int),
			Bands:      make(map[*ast.BandStmt]Band),
			Policies:   make(map[*resolve.Symbol]*Policy),
			Beliefs:    make(map[*resolve.Symbol]*Belief),
			TestPolicy: make(map[*ast.Test]*resolve.Symbol),
			ProofRisks: make(map[*ast.Prove][]*resolve.Symbol),
			members:    make(map[*ir.Enum]map[string]int),
		},
		pkg:       pkg,
		report:    report,
		typing:    make(map[*resolve.Symbol]bool),
		argOf:     make(map[string]*Tool),
		resultOf:  make(map[string]*Tool),
		entityOf:  make(map[*ir.Entity]*resolve.Symbol),
		scored:    make(map[*resolve.Symbol]map[*resolve.Symbol]bool),
		riskFault: make(map[*resolve.Symbol]bool),
		attrs:     make(map[*ir.Entity]map[string]int),
		vague:     make(map[*ir.Enum]bool),
		unread:    make(map[reading]*diag.Diagnostic),
		unclassed: make(map[string]*diag.Diagnostic),
		classes:   make(map[string]bool),
	}

	// Vocabularies need nothing. Types need them; fields need types.
	c.vocabularies()
	c.classNames()
	c.shapes()
	// Contracts before tables: a table asks tools for their traits.
	c.each(func(s *resolve.Symbol) {
		if s.Kind == resolve.Tool {
			c.tool(c.Tools[s])
		}
	})
	c.each(func(s *resolve.Symbol) {
		switch d := s.Decl.(type) {
		case *ast.Lifecycle:
			c.lifecycle(s, d)
		case *ast.Risk:
			c.risk(s, d)
		case *ast.Approval:
			c.approval(d)
		case *ast.Agent:
			c.agent(s, d)
		case *ast.Evidence:
			c.evidence(d)
		}
	})
	// Policies ask tables and agents, beliefs ask evidence, workflows ask policies.
	c.each(func(s *resolve.Symbol) {
		switch d := s.Decl.(type) {
		case *ast.Policy:
			c.policy(s, d)
		case *ast.Belief:
			c.belief(s, d)
		}
	})
	c.each(func(s *resolve.Symbol) {
		if d, ok := s.Decl.(*ast.Workflow); ok {
			c.workflow(d)
		}
	})
	// Tests and proofs ask everything.
	c.nameless()
	return c.Info
}

// each calls f for the symbols in source order.
func (c *checker) each(f func(*resolve.Symbol)) {
	for _, s := range c.pkg.Symbols {
		f(s)
	}
}

// nameless checks what has no name: standing, tests, proofs.
func (c *checker) nameless() {
	var standing *ast.Standing
	for _, d := range c.pkg.Decls {
		switch d := d.(type) {
		case *ast.Standing:
			if standing != nil {
				c.at(d.Where, diag.Duplicate, "a package has one `standing`, this is the second").
					See(standing.Where, "the first one").
					Help("remove one of the two")
				continue
			}
			standing = d
			c.standing(d)
		case *ast.Test:
			c.test(d)
		case *ast.Prove:
			c.prove(d)
		}
	}
}

func (c *checker) at(span source.Span, code diag.Code, format string, args ...any) *diag.Diagnostic {
	return c.report.At(span, code, format, args...)
}

// Pos is a span as the program carries it: base name of the file, line, column.
func Pos(s source.Span) ir.Pos {
	if !s.Valid() {
		return ir.Pos{}
	}
	p := s.File.Position(s.Start)
	return ir.Pos{File: path.Base(s.File.Name()), Line: p.Line, Col: p.Column}
}

// Decl is the head of a declared thing.
func Decl(id *ast.Ident, doc ast.Doc) ir.Decl {
	return ir.Decl{Name: id.Name, Doc: doc, Pos: Pos(id.Span())}
}
