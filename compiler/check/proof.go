package check

import (
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// toolEnum is the package's tools as a vocabulary: what `tool` is in a proof.
func (c *checker) toolEnum() *ir.Enum {
	if c.tools != nil {
		return c.tools
	}
	e := &ir.Enum{Decl: ir.Decl{Name: "tool"}}
	index := make(map[string]int)
	for _, s := range c.pkg.Of(resolve.Tool) {
		index[s.Name] = len(e.Members)
		e.Members = append(e.Members, Decl(s.Ident, nil))
	}
	c.tools = e
	c.members[e] = index
	return e
}

// prove checks a proof: it speaks of the cells of risk tables, so it may read
// factors, and `tool`, and nothing else.
func (c *checker) prove(d *ast.Prove) {
	if d.Expect == nil {
		c.at(d.Title.Span(), diag.TestIncomplete, "the proof expects nothing").Help("write `expect hold`")
		return
	}
	if _, ok := outcomes[d.Expect.Name]; !ok {
		c.unknownOutcome(d.Expect, outcomeNames)
	}
	type tab struct {
		sym     *resolve.Symbol
		factors map[string]*ir.Enum
	}
	var tables []tab
	sc := &scope{what: "a proof", factors: map[string]*ir.Enum{"tool": c.toolEnum()}, known: []string{"tool"}}
	poisoned := c.pkg.LostAny("risk")
	for _, s := range c.pkg.Of(resolve.Risk) {
		r := s.Decl.(*ast.Risk)
		t := tab{sym: s, factors: map[string]*ir.Enum{"tool": c.toolEnum()}}
		for _, st := range r.Stmts {
			a, ok := st.(*ast.AddStmt)
			if !ok {
				continue
			}
			f, ok := c.Factors[a]
			if !ok {
				poisoned = true
				continue
			}
			t.factors[f.Name] = f.Enum
			if sc.factors[f.Name] == nil {
				sc.factors[f.Name] = f.Enum
				sc.known = append(sc.known, f.Name)
			}
		}
		tables = append(tables, t)
	}
	sc.anyFactor = poisoned
	if len(tables) == 0 && !poisoned {
		c.at(d.Title.Span(), diag.ProofEmpty, "the package has no risk table, so there is nothing to prove").
			Help("declare a `risk` table")
		return
	}
	c.condition(d.Where, sc)
	if poisoned {
		return
	}
	used := make(map[string]*ir.Enum)
	var names []string
	if d.Where != nil {
		eachOperand(d.Where, func(o ast.Operand) {
			if f, ok := c.Operands[o].(ir.FactorValue); ok && used[f.Name] == nil {
				used[f.Name] = f.Type.Enum
				names = append(names, f.Name)
			}
		})
	}
	for _, t := range tables {
		all := true
		for _, n := range names {
			all = all && t.factors[n] == used[n]
		}
		if all {
			c.ProofRisks[d] = append(c.ProofRisks[d], t.sym)
		}
	}
	if len(c.ProofRisks[d]) == 0 {
		c.at(d.Title.Span(), diag.ProofEmpty, "no risk table has all of %s", quoteList(names, "and")).
			Note("a proof over no cell holds without saying anything").
			Help("name factors of one table")
	}
}

// proofPath finds a factor in a proof.
func (c *checker) proofPath(p *ast.Path, sc *scope, other *hint) ir.Operand {
	name := pathText(p)
	if e := sc.factors[name]; e != nil {
		return ir.FactorValue{Name: name, Type: &ir.Type{Kind: ir.EnumType, Enum: e}}
	}
	if other != nil && other.of.Kind == ir.EnumType && len(p.Parts) == 1 {
		v, ok := c.member(p.Parts[0], other.of.Enum)
		if !ok {
			return nil
		}
		return ir.Const{Value: v, Type: other.of}
	}
	if sc.anyFactor {
		return nil // it may be the factor that was not understood
	}
	head := p.Parts[0]
	if s := c.pkg.Named(head.Name); s != nil && s.Decl == nil {
		return nil
	}
	last := p.Parts[len(p.Parts)-1]
	if t := c.argOf[last.Name]; t != nil && (len(p.Parts) == 1 || head.Name != "target") {
		c.at(p.Span(), diag.ProofFactor, "a proof does not read `%s`: it is an argument, and no score depends on it", name).
			Note("a proof goes over the cells of a table").
			Help("name a factor: %s", some(sc.known))
		return nil
	}
	if len(p.Parts) == 1 && c.rating(head, sc) {
		return nil
	}
	d := c.at(p.Span(), diag.ProofFactor, "no risk table has a factor `%s`", name)
	c.pkg.Suggest(d, name, resolve.Among(sc.known...))
	return nil
}
