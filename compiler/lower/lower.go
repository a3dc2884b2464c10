// Package lower turns a checked package into the closed program of package ir.
// Everything was decided before: names are resolved, types known, tables total.
// What is missing here is a broken invariant, and panics.
package lower

import (
	"fmt"
	"path"
	"slices"

	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/printer"
)

// Result is the program, and the way back from it to the source for passes that
// find something in it.
type Result struct {
	Program *ir.Program
	// Symbols gives the declaration of a declared thing, by its pointer.
	Symbols map[any]*resolve.Symbol
	// Proofs gives the declaration of a proof, which has no name.
	Proofs map[*ir.Proof]*ast.Prove
}

type lowerer struct {
	*check.Info
	out *Result

	enums    map[*resolve.Symbol]*ir.Enum
	tools    map[*resolve.Symbol]*ir.Tool
	risks    map[*resolve.Symbol]*ir.Risk
	groups   map[*resolve.Symbol]*ir.Approval
	agents   map[*resolve.Symbol]*ir.Agent
	policies map[*resolve.Symbol]*ir.Policy
	evidence map[*resolve.Symbol]*ir.Evidence
	beliefs  map[*resolve.Symbol]*ir.Belief
}

// Run lowers. It is called only where no error was reported.
func Run(in *check.Info, digest [32]byte) *Result {
	l := &lowerer{
		Info: in,
		out: &Result{
			Proofs:  make(map[*ir.Proof]*ast.Prove),
			Program: &ir.Program{Name: in.Package.Name, Digest: digest},
			Symbols: make(map[any]*resolve.Symbol),
		},
		enums:    in.Enums,
		tools:    make(map[*resolve.Symbol]*ir.Tool),
		risks:    make(map[*resolve.Symbol]*ir.Risk),
		groups:   make(map[*resolve.Symbol]*ir.Approval),
		agents:   make(map[*resolve.Symbol]*ir.Agent),
		policies: make(map[*resolve.Symbol]*ir.Policy),
		evidence: make(map[*resolve.Symbol]*ir.Evidence),
		beliefs:  make(map[*resolve.Symbol]*ir.Belief),
	}
	p := l.out.Program
	for _, f := range in.Package.Files {
		p.Files = append(p.Files, path.Base(f.Source.Name()))
	}
	l.vocabularies()
	// Tools point at each other (who reads for whose verification), so all of
	// them exist before any is filled in.
	l.each(func(s *resolve.Symbol) {
		if s.Kind == resolve.Tool {
			t := in.Tools[s].IR
			t.Index = len(p.Tools)
			p.Tools = append(p.Tools, t)
			l.tools[s] = t
			l.link(t, s)
		}
	})
	// So do the groups that a requirement may hold for.
	l.each(func(s *resolve.Symbol) {
		if d, ok := s.Decl.(*ast.Approval); ok {
			l.approval(s, d)
		}
	})
	l.each(func(s *resolve.Symbol) {
		switch d := s.Decl.(type) {
		case *ast.Tool:
			l.tool(in.Tools[s])
		case *ast.Lifecycle:
			l.lifecycle(s, d)
		case *ast.Risk:
			l.risk(s, d)
		case *ast.Evidence:
			l.evidenceTable(s, d)
		}
	})
	// Beliefs name evidence, agents name beliefs, policies name agents.
	l.each(func(s *resolve.Symbol) {
		if d, ok := s.Decl.(*ast.Belief); ok {
			l.belief(s, d)
		}
	})
	l.each(func(s *resolve.Symbol) {
		if d, ok := s.Decl.(*ast.Agent); ok {
			l.agent(s, d)
		}
	})
	l.each(func(s *resolve.Symbol) {
		switch d := s.Decl.(type) {
		case *ast.Policy:
			l.policy(s)
		case *ast.Workflow:
			w := &ir.Workflow{Decl: check.Decl(d.Name, d.Doc), Steps: l.toolList(d.Steps)}
			p.Workflows = append(p.Workflows, w)
			l.link(w, s)
		}
	})
	for _, d := range in.Package.Decls {
		switch d := d.(type) {
		case *ast.Standing:
			l.standing(d)
		case *ast.Test:
			l.test(d)
		case *ast.Prove:
			l.proof(d)
		}
	}
	if invariants {
		whole(l.out.Program)
	}
	return l.out
}

func (l *lowerer) each(f func(*resolve.Symbol)) {
	for _, s := range l.Package.Symbols {
		f(s)
	}
}

func (l *lowerer) link(x any, s *resolve.Symbol) {
	l.out.Symbols[x] = s
}

// must is the symbol of a name that was resolved.
func (l *lowerer) must(id *ast.Ident) *resolve.Symbol {
	s := l.Package.Use(id)
	if s == nil {
		panic(fmt.Sprintf("%s: name %q reached lowering unresolved", place(id), id.Name))
	}
	return s
}

func place(n ast.Node) string {
	s := n.Span()
	if !s.Valid() {
		return "?"
	}
	return fmt.Sprintf("%s:%d", s.File.Name(), s.Line())
}

// vocabularies are enums, traits and lifecycles in one list, then types and
// entities.
func (l *lowerer) vocabularies() {
	p := l.out.Program
	l.each(func(s *resolve.Symbol) {
		switch s.Kind {
		case resolve.Enum, resolve.Trait, resolve.Lifecycle:
			p.Enums = append(p.Enums, l.enums[s])
			l.link(l.enums[s], s)
		case resolve.Type:
			d := s.Decl.(*ast.TypeDecl)
			n := &ir.Named{Decl: check.Decl(d.Name, d.Doc), Type: l.Types[s]}
			p.Types = append(p.Types, n)
			l.link(n, s)
		case resolve.Entity:
			p.Entities = append(p.Entities, l.Entities[s])
			l.link(l.Entities[s], s)
		}
	})
}

func (l *lowerer) toolList(ids []*ast.Ident) []*ir.Tool {
	out := make([]*ir.Tool, 0, len(ids))
	for _, id := range ids {
		out = append(out, l.tools[l.must(id)])
	}
	return out
}

// tool fills in what conditions and tables did not need.
func (l *lowerer) tool(t *check.Tool) {
	r := t.IR
	for _, st := range t.Decl.Stmts {
		if st, ok := st.(*ast.TraitStmt); ok {
			e := l.enums[l.must(st.Trait)]
			m, ok := l.Member(e, st.Member.Name)
			if !ok {
				panic(place(st) + ": a contract states a member that its trait does not have")
			}
			r.Traits = append(r.Traits, ir.TraitValue{Trait: e, Member: m, Pos: check.Pos(st.Where)})
		}
	}
	for i, f := range t.Flags {
		r.Flags = append(r.Flags, &ir.Flag{
			Decl:  check.Decl(f.Name, f.Doc),
			Index: i,
			When:  l.cond(f.When),
			Hold:  f.Else != nil,
		})
	}
	for i, q := range t.Requirements {
		r.Requires = append(r.Requires, l.requirement(i, q))
	}
	if v := t.Verify; v != nil {
		r.Verify = &ir.Verify{By: l.tools[l.must(v.By)], Pos: check.Pos(v.Where)}
		for _, cl := range v.Clauses {
			if cl.Verdict.Name == "confirmed" {
				r.Verify.Confirmed = l.cond(cl.When)
			} else {
				r.Verify.Refuted = l.cond(cl.When)
			}
		}
	}
}

func (l *lowerer) requirement(i int, q *ast.RequireStmt) *ir.Requirement {
	r := &ir.Requirement{
		Doc:     q.Doc,
		Pos:     l.pos(q.Key),
		Index:   i,
		When:    l.cond(q.When),
		Text:    printer.Requirement(q),
		Outcome: outcomes[q.Else.Name],
	}
	if r.Outcome != ir.Refuse && r.Outcome != ir.Hold {
		panic(place(q) + ": a requirement reached lowering that neither refuses nor holds")
	}
	if q.For != nil {
		r.Group = l.groups[l.must(q.For)]
	}
	return r
}

func (l *lowerer) lifecycle(s *resolve.Symbol, d *ast.Lifecycle) {
	e := l.enums[s]
	r := &ir.Lifecycle{Decl: check.Decl(d.Name, d.Doc), States: e, Person: make([]bool, len(e.Members))}
	for _, t := range d.Transitions {
		from, _ := l.Member(e, t.From.Name)
		to, _ := l.Member(e, t.To.Name)
		by := l.tools[l.must(t.By)]
		pos := check.Pos(t.Where)
		r.Transitions = append(r.Transitions, ir.Transition{From: from, To: to, By: by, Pos: pos})
		if by.Approval {
			r.Person[to] = true
		}
		attr := slices.IndexFunc(by.Target.Attrs, func(a *ir.Field) bool { return a.Type.Enum == e })
		by.Moves = append(by.Moves, ir.Move{Attr: attr, From: from, To: to, Pos: pos})
	}
	l.out.Program.Lifecycles = append(l.out.Program.Lifecycles, r)
	l.link(r, s)
}

func (l *lowerer) risk(s *resolve.Symbol, d *ast.Risk) {
	r := &ir.Risk{Decl: check.Decl(d.Name, d.Doc)}
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.BaseStmt:
			for _, row := range st.Rows {
				r.Base = append(r.Base, ir.BaseRow{Tool: l.tools[l.must(row.Name)], Points: l.Points[row], Pos: check.Pos(row.Where)})
			}
		case *ast.AddStmt:
			r.Factors = append(r.Factors, l.factor(st))
		case *ast.BandStmt:
			b := l.Bands[st]
			r.Bands = append(r.Bands, ir.Band{Outcome: b.Outcome, Lo: b.Lo, Hi: b.Hi, Text: st.Range.Lo + ".." + st.Range.Hi, Pos: check.Pos(st.Where)})
		}
	}
	slices.SortFunc(r.Bands, func(a, b ir.Band) int {
		if a.Lo < b.Lo {
			return -1
		}
		return 1
	})
	// The checker has shown that no score lies below the lowest band and that the
	// highest is open; the program covers every number all the same.
	r.Bands[0].Lo = minInt
	l.out.Program.Risks = append(l.out.Program.Risks, r)
	l.risks[s] = r
	l.link(r, s)
}

func (l *lowerer) factor(st *ast.AddStmt) *ir.Factor {
	f, ok := l.Factors[st]
	if !ok {
		panic(place(st) + ": a factor reached lowering without a vocabulary")
	}
	r := &ir.Factor{
		Name:   f.Name,
		Attr:   f.Attr,
		Enum:   f.Enum,
		Points: make([]int, len(f.Enum.Members)),
		RowPos: make([]ir.Pos, len(f.Enum.Members)),
		Pos:    check.Pos(st.Factor.Where),
	}
	if f.Attr == "" {
		r.Trait = f.Enum
	}
	for _, row := range st.Rows {
		i, ok := l.Member(f.Enum, row.Name.Name)
		if !ok {
			panic(place(row) + ": a row reached lowering without a member")
		}
		r.Points[i] = l.Points[row]
		r.RowPos[i] = check.Pos(row.Where)
	}
	return r
}
