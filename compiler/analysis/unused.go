package analysis

import (
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// unused finds declarations that nothing but a test names. A package without a
// policy is a library: what it declares is used by others.
func (a *analyser) unused() {
	if len(a.low.Program.Policies) == 0 {
		return
	}
	for _, s := range a.facts.Package.Symbols {
		if s.Kind == resolve.Policy || s.Kind == resolve.Workflow || a.facts.Package.Used(s) {
			continue
		}
		_, kind, _ := strings.Cut(s.Kind.String(), " ")
		d := a.report.At(s.Ident.Span(), diag.Unused, "%s `%s` is used by nothing", kind, s.Name)
		switch s.Kind {
		case resolve.Tool:
			d.Help("name it in an agent's `scope` and a policy's `tools`, or remove it")
		case resolve.Risk:
			d.Help("write `risk %s` in a policy: until then it scores nothing", s.Name)
		case resolve.Approval:
			d.Help("write `approval %[1]s` in a policy, or `else hold for %[1]s` behind a requirement: until then nobody is asked", s.Name)
		case resolve.Agent:
			d.Help("write `agent %s` in a policy, or remove it", s.Name)
		case resolve.Belief:
			d.Help("write `believes %s` in an agent, or remove it", s.Name)
		case resolve.Lifecycle:
			d.Help("give an entity an attribute of it: `state %s`", s.Name)
		default:
			d.Help("use it, or remove it")
		}
	}
}

// beliefs finds lessons that no verification can ever teach.
func (a *analyser) beliefs() {
	for _, b := range a.low.Program.Beliefs {
		if b.Learn.Confirmed == nil && b.Learn.Refuted == nil || verified(a.low.Program, b.On) {
			continue
		}
		for _, st := range a.low.Symbols[b].Decl.(*ast.Belief).Stmts {
			if l, ok := st.(*ast.LearnStmt); ok {
				a.report.At(l.Lessons[0].Verdict.Span(), diag.NothingTeaches, "nothing teaches belief `%s`: no tool that acts on a `%s` is verified", b.Name, b.On.Name).
					Note("a lesson is learned when a verification confirms or refutes").
					Help("write `verify by ...` in such a tool, or remove `learn`")
			}
		}
	}
}

func verified(p *ir.Program, e *ir.Entity) bool {
	for _, t := range p.Tools {
		if t.Verify != nil && t.Target == e {
			return true
		}
	}
	return false
}
