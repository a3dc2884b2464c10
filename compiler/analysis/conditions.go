package analysis

import (
	"slices"

	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// conditions asks of each condition whether it can hold, whether it can fail,
// and whether a part of it says nothing.
func (a *analyser) conditions() {
	for _, s := range a.facts.Package.Symbols {
		t := a.facts.Tools[s]
		if t == nil {
			continue
		}
		fault := make([]bool, len(t.Flags))
		for i, f := range t.Flags {
			fault[i] = !a.condition(f.When, t.IR.Flags[i].When, "flag `"+f.Name.Name+"` is never set")
		}
		a.flags(t, fault)
		a.requirements(t)
		if t.Verify != nil {
			a.verification(t)
		}
	}
	a.proofs()
}

// condition reports what is wrong with one condition, once, and says whether
// nothing was.
func (a *analyser) condition(e ast.Expr, c ir.Cond, effect string) bool {
	if !possible(c) {
		a.never(e, c, effect)
		return false
	}
	if always(c) {
		a.report.At(e.Span(), diag.AlwaysFires, "the condition always holds").
			Note("no value of the types that it reads makes it fail").
			Help("say what is meant, or leave the condition out")
		return false
	}
	return a.parts(e, c)
}

// strip takes brackets away, as lowering did.
func strip(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// operandsOf gives the parts of an `and` or `or` beside their lowered forms.
func operandsOf(e ast.Expr, c ir.Cond) ([]ast.Expr, []ir.Cond) {
	l, ok := strip(e).(*ast.Logic)
	if !ok {
		return nil, nil
	}
	switch c := c.(type) {
	case ir.And:
		return l.Args, c.Args
	case ir.Or:
		return l.Args, c.Args
	}
	return nil, nil
}

// never reports a condition that cannot hold, at the first part that makes it so.
func (a *analyser) never(e ast.Expr, c ir.Cond, effect string) {
	es, cs := operandsOf(e, c)
	if _, ok := c.(ir.And); ok {
		for i := range cs {
			if !possible(cs[i]) {
				a.never(es[i], cs[i], effect)
				return
			}
		}
		for i := 1; i < len(cs); i++ {
			if possible(ir.And{Args: cs[:i+1]}) {
				continue
			}
			d := a.report.At(es[i].Span(), diag.NeverFires, "this can never hold together with what stands before it, so %s", effect)
			for j := range i {
				if !possible(ir.And{Args: []ir.Cond{cs[j], cs[i]}}) {
					d.See(es[j].Span(), "it contradicts this")
					break
				}
			}
			d.Help("correct one of the two; to accept either, write `or`")
			return
		}
	}
	a.report.At(e.Span(), diag.NeverFires, "this can never hold, so %s", effect).
		Note("no value of the types that it reads makes it hold").
		Help("correct the comparison, or the type")
}

// parts reports a part of a possible condition that can never hold, and one that
// says nothing beside the others.
func (a *analyser) parts(e ast.Expr, c ir.Cond) bool {
	es, cs := operandsOf(e, c)
	_, or := c.(ir.Or)
	good := true
	for i := range cs {
		switch {
		case !possible(cs[i]):
			a.never(es[i], cs[i], "this part of the condition says nothing")
			good = false
		case always(cs[i]):
			a.report.At(es[i].Span(), diag.AlwaysFires, "this always holds, so it says nothing here").
				Note("no value of the types that it reads makes it fail").
				Help("remove it, or say what is meant")
			good = false
		default:
			good = a.parts(es[i], cs[i]) && good
		}
	}
	if !good {
		return false
	}
	for i := range cs {
		for j := range cs {
			if i == j || !share(cs[i], cs[j]) {
				continue
			}
			// Of `and` a part is idle that follows from another; of `or`, one that
			// leads to another. Of two equal parts the later one is idle.
			idle := implies(cs[j], cs[i])
			same := idle && implies(cs[i], cs[j])
			if or {
				idle = implies(cs[i], cs[j])
				same = idle && implies(cs[j], cs[i])
			}
			if !idle || same && i < j {
				continue
			}
			d := a.report.At(es[i].Span(), diag.ClauseImplied, "this says nothing beside the other part").
				See(es[j].Span(), "the other part")
			if or {
				d.Note("wherever the one holds, the other holds as well")
			} else {
				d.Note("wherever the other holds, this holds as well")
			}
			d.Help("remove it, or correct it")
			return false
		}
	}
	return true
}

// share says whether two conditions read something in common: otherwise neither
// can imply the other, and asking is the dear part.
func share(x, y ir.Cond) bool {
	var a, b [8]key // on the stack: most conditions read no more
	in := operands(x, a[:0])
	for _, k := range operands(y, b[:0]) {
		if slices.Contains(in, k) {
			return true
		}
	}
	return false
}

// flags compares the flags of one tool with each other.
func (a *analyser) flags(t *check.Tool, fault []bool) {
	fs := t.IR.Flags
	for i := range fs {
		for j := range fs {
			if i == j || fault[i] || fault[j] || !share(fs[i].When, fs[j].When) || !implies(fs[i].When, fs[j].When) {
				continue
			}
			same := implies(fs[j].When, fs[i].When)
			switch {
			case same && i < j:
				continue // said at the later one
			case !same && fs[i].Hold && !fs[j].Hold:
				continue // the narrower one is the stricter one: a step up
			}
			d := a.report.At(t.Flags[i].Name.Span(), diag.ClauseImplied, "wherever flag `%s` is set, flag `%s` is set as well", fs[i].Name, fs[j].Name).
				See(t.Flags[j].Name.Span(), "the other flag")
			if same {
				d.Message = "flags `" + fs[j].Name + "` and `" + fs[i].Name + "` are set under the same condition"
			}
			d.Help("remove one of the two, or make the conditions exclude each other")
			fault[i] = true
			break
		}
	}
}

func (a *analyser) verification(t *check.Tool) {
	v := t.IR.Verify
	var confirmed, refuted *ast.VerifyClause
	good := true
	for _, cl := range t.Verify.Clauses {
		c := v.Confirmed
		if cl.Verdict.Name == "refuted" {
			c, refuted = v.Refuted, cl
		} else {
			confirmed = cl
		}
		good = a.condition(cl.When, c, "nothing is ever "+cl.Verdict.Name) && good
	}
	if confirmed == nil || refuted == nil || !good {
		return
	}
	for _, p := range []struct {
		cl    *ast.VerifyClause
		x, y  ir.Cond
		other *ast.VerifyClause
	}{{confirmed, v.Confirmed, v.Refuted, refuted}, {refuted, v.Refuted, v.Confirmed, confirmed}} {
		if implies(p.x, p.y) {
			a.report.At(p.cl.When.Span(), diag.NeverFires, "nothing is ever %s: wherever this holds, the other condition holds as well", p.cl.Verdict.Name).
				See(p.other.When.Span(), "the other condition").
				Note("where both hold, the verification is inconclusive").
				Help("make the two exclude each other")
			return
		}
	}
}

func (a *analyser) proofs() {
	i := 0
	for _, d := range a.facts.Package.Decls {
		p, ok := d.(*ast.Prove)
		if !ok {
			continue
		}
		if w := a.low.Program.Proofs[i].Where; w != nil && !possible(w) {
			a.never(p.Where, w, "the proof is about no cell at all")
		}
		i++
	}
}
