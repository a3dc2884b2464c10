// Package resolve finds what every name stands for. It merges the files of a
// package, refuses two declarations of one name and names that a reader or Go
// would confuse, and links each use of a declared name to its declaration.
//
// Members, attributes and arguments belong to a declaration and are looked up by
// package check, which knows the types.
package resolve

import (
	"slices"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// LostName is a declaration that did not parse: what it seemed to be. Keyword is
// empty where it was no keyword, and the declaration may have been any; Name is
// empty where there was none to read.
type LostName struct{ Keyword, Name string }

// Run resolves the files, which are sorted by name. lost holds names whose
// declarations did not parse: they are known to exist and nothing more, so a use
// of one is neither unknown nor checked any further.
func Run(files []*ast.File, lost []LostName, report *diag.Report) *Package {
	p := &Package{
		Files:    files,
		byName:   make(map[string]*Symbol),
		uses:     make(map[*ast.Ident]*Symbol),
		names:    make(map[Kind][]string),
		kinds:    make(map[Kind][]*Symbol),
		used:     make(map[*Symbol]bool),
		lost:     make(map[string]bool),
		noName:   make(map[string]bool),
		unknowns: make(map[string]*diag.Diagnostic),
		report:   report,
	}
	p.packageName()
	p.declare(lost)
	p.confusable()
	for _, d := range p.Decls {
		_, p.inTest = d.(*ast.Test)
		p.link(d)
	}
	return p
}

// packageName takes the name of the first file and holds the others to it.
func (p *Package) packageName() {
	var first *ast.Ident
	for _, f := range p.Files {
		switch {
		case f.Package == nil:
			// The parser has said so.
		case first == nil:
			first = f.Package
			p.Name = first.Name
			p.goPackageName(first)
		case f.Package.Name != first.Name:
			p.report.At(at(f.Package), diag.PackageMismatch,
				"package `%s` stands in one folder with package `%s`", f.Package.Name, first.Name).
				See(at(first), "the package is named here").
				Note("the .prov files of one folder are one package").
				Help("write `package %s`, or move the file to a folder of its own", first.Name)
		}
	}
}

// declare enters every declaration. The first of one name counts; a second one
// is reported and dropped, so it causes nothing further.
func (p *Package) declare(lost []LostName) {
	for _, f := range p.Files {
		for _, d := range f.Decls {
			id := d.DeclName()
			if id == nil {
				p.Decls = append(p.Decls, d)
				continue
			}
			kind := kindOf(d)
			if old := p.byName[id.Name]; old != nil {
				r := p.report.At(at(id), diag.Duplicate, "`%s` is declared twice", id.Name).
					See(at(old.Ident), "first declared here, as %s", old.Kind)
				r.Note("all declarations of a package share one space of names").
					Help("rename one of the two, or remove it")
				continue
			}
			s := &Symbol{Kind: kind, Name: id.Name, Ident: id, Decl: d, Index: len(p.Symbols)}
			p.byName[id.Name] = s
			p.Symbols = append(p.Symbols, s)
			p.Decls = append(p.Decls, d)
			p.names[kind] = append(p.names[kind], id.Name)
			p.kinds[kind] = append(p.kinds[kind], s)
		}
	}
	for _, l := range lost {
		if l.Name == "" {
			p.noName[l.Keyword] = true
			p.lost[l.Keyword] = true
			continue
		}
		if p.byName[l.Name] == nil {
			p.byName[l.Name] = &Symbol{Kind: Lost, Name: l.Name, Index: -1}
		}
		p.lost[l.Keyword] = true
	}
}

func kindOf(d ast.Decl) Kind {
	switch d.(type) {
	case *ast.Enum:
		return Enum
	case *ast.Trait:
		return Trait
	case *ast.TypeDecl:
		return Type
	case *ast.Entity:
		return Entity
	case *ast.Lifecycle:
		return Lifecycle
	case *ast.Tool:
		return Tool
	case *ast.Risk:
		return Risk
	case *ast.Approval:
		return Approval
	case *ast.Agent:
		return Agent
	case *ast.Policy:
		return Policy
	case *ast.Evidence:
		return Evidence
	case *ast.Belief:
		return Belief
	case *ast.Workflow:
		return Workflow
	}
	panic("resolve: a declaration with a name and no kind")
}

// use links id to a declaration of one of the kinds. where says what stands
// here, for the message: "the policy's agent".
func (p *Package) use(id *ast.Ident, where string, kinds ...Kind) {
	if id == nil {
		return
	}
	s := p.byName[id.Name]
	switch {
	case s == nil:
		p.unknown(id, where, kinds)
	case s.Kind == Lost:
		// Reported where it is declared.
	case !slices.Contains(kinds, s.Kind):
		p.wrongKind(id, s, where, kinds)
	default:
		p.uses[id] = s
		if !p.inTest {
			p.used[s] = true
		}
	}
}

func (p *Package) unknown(id *ast.Ident, where string, kinds []Kind) {
	if p.nameless(kinds) {
		return // it may be the one whose name could not be read
	}
	if p.again(id) {
		return
	}
	d := p.report.At(at(id), diag.UnknownName, "no %s is called `%s`", bare(kinds), id.Name).
		Under("%s", where)
	p.unknowns[id.Name] = d
	p.Suggest(d, id.Name, func() []string { return p.Names(kinds...) })
	if d.Edit != nil {
		return
	}
	any := slices.ContainsFunc(kinds, func(k Kind) bool { return len(p.names[k]) > 0 })
	switch {
	case !any:
		d.Help("declare it: the package has no %s", bare(kinds))
	case len(d.Notes) == 0:
		d.Help("declare it, or name one that the package has")
	}
}

// nameless says whether a declaration of one of the kinds did not parse as far as
// its name.
func (p *Package) nameless(kinds []Kind) bool {
	return slices.ContainsFunc(kinds, func(k Kind) bool { return p.noName[keyword(k)] })
}

// Reported says whether an unknown name of the kind has been reported already, or
// may be one whose declaration did not parse.
func (p *Package) Reported(id *ast.Ident, k Kind) bool {
	return p.nameless([]Kind{k}) || p.again(id)
}

// again says whether the name was reported as unknown before: that it is used in
// several places has one cause, and the later places stand with the first.
func (p *Package) again(id *ast.Ident) bool {
	d := p.unknowns[id.Name]
	if d == nil {
		return false
	}
	Also(d, at(id))
	return true
}

// Also adds a further place that has the cause of d. A few are shown.
func Also(d *diag.Diagnostic, span source.Span) {
	const shown = 3
	if len(d.Related) < shown {
		d.See(span, "used here as well")
	}
}

func (p *Package) wrongKind(id *ast.Ident, s *Symbol, where string, kinds []Kind) {
	d := p.report.At(at(id), diag.WrongKind, "`%s` is %s, and %s names %s", id.Name, s.Kind, where, either(kinds)).
		See(at(s.Ident), "declared here")
	p.Suggest(d, id.Name, func() []string { return p.Names(kinds...) })
	if d.Edit == nil {
		d.Help("name %s here", either(kinds))
	}
}
