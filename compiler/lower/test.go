package lower

import (
	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/ast"
)

var outcomes = map[string]ir.Outcome{"allow": ir.Allow, "notify": ir.Notify, "hold": ir.Hold, "refuse": ir.Refuse}

func (l *lowerer) test(d *ast.Test) {
	t := &ir.Test{Title: d.Title.Value, Pos: l.pos(d), Standing: "good", Policy: l.policies[l.TestPolicy[d]]}
	if t.Policy == nil {
		panic(place(d) + ": a test reached lowering without a policy")
	}
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.GivenStmt:
			e := l.Entities[l.must(st.Entity)]
			t.Given = append(t.Given, ir.Given{Entity: e, ID: st.ID.Value, Attrs: l.values(st.Attrs, e.Attrs), Pos: l.pos(st)})
		case *ast.StandingStmt:
			t.Standing = st.Value.Name
		case *ast.AfterStmt:
			t.After = append(t.After, l.call(st.Tool, st.On, st.Args, st))
		case *ast.ProposeStmt:
			t.Propose = l.call(st.Tool, st.On, st.Args, st)
			if st.Cause != nil {
				t.Propose.Cause, _ = l.Member(t.Policy.Cause, st.Cause.Name)
			}
		case *ast.ExpectStmt:
			t.Expect = l.expect(st)
		}
	}
	l.out.Program.Tests = append(l.out.Program.Tests, t)
}

// values gives one value for each field, nil where none was written.
func (l *lowerer) values(as []*ast.Assign, fs []*ir.Field) []*ir.Value {
	byName := make(map[string]*ast.Assign, len(as))
	for _, a := range as {
		byName[a.Name.Name] = a
	}
	out := make([]*ir.Value, len(fs))
	for i, f := range fs {
		if a := byName[f.Name]; a != nil {
			v, ok := l.Values[a.Value]
			if !ok {
				panic(place(a) + ": a value reached lowering without a type")
			}
			out[i] = &v
		}
	}
	return out
}

func (l *lowerer) call(tool *ast.Ident, on *ast.String, args []*ast.Assign, n ast.Node) ir.Call {
	t := l.tools[l.must(tool)]
	c := ir.Call{Tool: t, Args: l.values(args, t.Args), Cause: -1, Pos: l.pos(n)}
	if on != nil {
		c.Target = on.Value
	}
	return c
}

func (l *lowerer) expect(st *ast.ExpectStmt) ir.Expect {
	e := ir.Expect{Outcome: outcomes[st.Outcome.Name], Pos: l.pos(st)}
	if st.Reason != nil {
		e.Reason = st.Reason.Name
	}
	if st.Score != nil {
		n := number(st.Score)
		e.Score = &n
	}
	e.HasFlags = len(st.Flags) > 0
	if check.NoFlags(st) {
		return e
	}
	for _, f := range st.Flags {
		e.Flags = append(e.Flags, f.Name)
	}
	return e
}

func (l *lowerer) proof(d *ast.Prove) {
	p := &ir.Proof{Title: d.Title.Value, Pos: l.pos(d), Expect: outcomes[d.Expect.Name]}
	if d.Where != nil {
		p.Where = l.cond(d.Where)
	}
	for _, s := range l.ProofRisks[d] {
		p.Risks = append(p.Risks, l.risks[s])
	}
	l.out.Program.Proofs = append(l.out.Program.Proofs, p)
	l.out.Proofs[p] = d
}
