package resolve

import (
	"fmt"
	"strings"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// Kind of a declaration.
type Kind uint8

const (
	Lost Kind = iota // its declaration did not parse; it may be anything
	Enum
	Trait
	Type
	Entity
	Lifecycle
	Tool
	Risk
	Approval
	Agent
	Policy
	Evidence
	Belief
	Workflow
)

var kindNames = [...]string{
	Lost:      "a declaration with a fault",
	Enum:      "an enum",
	Trait:     "a trait",
	Type:      "a type",
	Entity:    "an entity",
	Lifecycle: "a lifecycle",
	Tool:      "a tool",
	Risk:      "a risk table",
	Approval:  "an approval",
	Agent:     "an agent",
	Policy:    "a policy",
	Evidence:  "an evidence table",
	Belief:    "a belief",
	Workflow:  "a workflow",
}

// String is the kind with its article, as messages need it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", k)
}

// Symbol is a declared name. A name that is only spelled is an *ast.Ident; a
// *Symbol is one that was found, so the two cannot be mixed up.
type Symbol struct {
	Kind  Kind
	Name  string
	Ident *ast.Ident // where it is declared; nil for a Lost one
	Decl  ast.Decl   // nil for a Lost one
	Index int        // among the symbols of the package, in source order
}

// Package is the merged package with its names. The trees are not changed: what
// was found stands in side tables here.
type Package struct {
	Name    string
	Files   []*ast.File // sorted by name
	Decls   []ast.Decl  // of all files, in order; without second declarations of one name
	Symbols []*Symbol   // in the same order

	byName   map[string]*Symbol
	uses     map[*ast.Ident]*Symbol
	names    map[Kind][]string // by kind, for suggestions
	kinds    map[Kind][]*Symbol
	used     map[*Symbol]bool
	lost     map[string]bool             // keywords of declarations that did not parse
	noName   map[string]bool             // keywords of declarations whose name could not be read
	unknowns map[string]*diag.Diagnostic // by name
	inTest   bool                        // while a test is linked: a test uses nothing up
	asked    int                         // suggestions looked for so far
	report   *diag.Report
}

// Use returns what a name stands for: nil where it is unknown, of the wrong
// kind, or lost. That has been reported, so a caller stays silent about it.
func (p *Package) Use(id *ast.Ident) *Symbol {
	if id == nil {
		return nil
	}
	return p.uses[id]
}

// Used says whether anything but a test names the symbol.
func (p *Package) Used(s *Symbol) bool { return p.used[s] }

// Mark says that s is used in a place that this package does not look at.
func (p *Package) Mark(s *Symbol) { p.used[s] = true }

// LostAny says whether a declaration that starts with the keyword did not parse.
// What seems to be missing from the package may be in it.
func (p *Package) LostAny(keyword string) bool { return p.lost[keyword] || p.lost[""] }

// Named returns the declaration of a name, nil where there is none.
func (p *Package) Named(name string) *Symbol { return p.byName[name] }

// Names of all declarations of the given kinds, in source order.
func (p *Package) Names(kinds ...Kind) []string {
	if len(kinds) == 1 {
		return p.names[kinds[0]]
	}
	var out []string
	for _, k := range kinds {
		out = append(out, p.names[k]...)
	}
	return out
}

// maxSuggestions bounds the search for near names: each looks at every
// candidate, and a file of nothing but unknown names must not take minutes.
const maxSuggestions = 200

// Of returns the symbols of a kind, in source order.
func (p *Package) Of(k Kind) []*Symbol { return p.kinds[k] }

// Suggest adds to d which of the known names was meant: the nearest, or the only
// one of which got is a part. Where there is none, and the list is short enough
// to be read, it is shown. names is called only while suggestions are made.
func (p *Package) Suggest(d *diag.Diagnostic, got string, names func() []string) *diag.Diagnostic {
	p.asked++
	if p.asked > maxSuggestions {
		return d
	}
	known := names()
	if d.DidYouMean(got, known).Edit != nil {
		return d
	}
	if part, ok := partOf(got, known); ok {
		d.Edit = &diag.Edit{Span: d.Span, New: part}
		return d.Help("did you mean `%s`?", part)
	}
	const few = 8
	switch {
	case len(known) == 1:
		d.Note("there is only `%s`", known[0])
	case len(known) > 1 && len(known) <= few:
		d.Note("there are %s", list(known))
	}
	return d
}

// Among is a list of names for Suggest that is known already.
func Among(names ...string) func() []string { return func() []string { return names } }

// partOf is the one name of which got is a part, or that is a part of got.
func partOf(got string, names []string) (string, bool) {
	const short = 4
	found := ""
	if len(got) < short {
		return "", false
	}
	for _, n := range names {
		if n != got && (strings.Contains(n, got) || len(n) >= short && strings.Contains(got, n)) {
			if found != "" {
				return "", false
			}
			found = n
		}
	}
	return found, found != ""
}

// at is the span of an identifier.
func at(id *ast.Ident) source.Span { return id.Span() }
