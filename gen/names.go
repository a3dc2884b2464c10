package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// vocabulary is what an enum is called in Go.
type vocabulary struct {
	typ     jenx.Ident
	parse   jenx.Ident
	members []jenx.Ident
	names   jenx.Ident // the table of names
	sorted  jenx.Ident // members by name, where the enum is large
}

// names is every name of the package, claimed in a fixed order before anything is
// written: exported types first, so that they get the names that a reader
// expects, then their members, then what is unexported.
type names struct {
	scope    *jenx.Scope
	digest   jenx.Ident
	tool     vocabulary
	enums    map[*ir.Enum]*vocabulary
	ids      map[*ir.Entity]jenx.Ident
	types    map[string]jenx.Ident // by declared name
	decimals map[int]jenx.Ident    // by scale, of those without a name
	proposal map[*ir.Tool]proposalNames
	conds    map[*ir.Tool]conditionFuncs
	fields   map[*ir.Tool]fieldNames
	risk     map[*ir.Risk]riskNames
	open     map[*ir.Policy]jenx.Ident
	spec     map[*ir.Policy]jenx.Ident
	grants   map[*ir.Policy]jenx.Ident // where the tools are many
	patterns map[string]jenx.Ident     // by source
	pattern  []*ir.Pattern             // in the order of patterns' names
	compare  jenx.Ident                // the comparison of decimals of two scales
	entities jenx.Ident
	tools    jenx.Ident
	pkg      jenx.Ident
}

type proposalNames struct{ typ, make, args, read jenx.Ident }
type fieldNames struct{ args, result jenx.Ident }
type riskNames struct {
	score, table, rows, factors, cells jenx.Ident
	points, lines                      map[*ir.Factor]jenx.Ident // of the large factors
}

func newGenerator(p *ir.Program) (*generator, error) {
	g := &generator{
		p:        p,
		tools:    slices.Clone(p.Tools),
		index:    make(map[*ir.Tool]int, len(p.Tools)),
		entities: make(map[*ir.Entity]int, len(p.Entities)),
		files:    make(map[string]int, len(p.Files)),
		typed:    len(p.Tools) <= typedTools,
		split:    len(p.Tools) > fileTools,
	}
	slices.SortFunc(g.tools, func(a, b *ir.Tool) int { return cmp.Compare(a.Name, b.Name) })
	for i, t := range g.tools {
		g.index[t] = i
		if i > 0 && g.tools[i-1].Name == t.Name {
			return nil, fmt.Errorf("two tools are called %q", t.Name)
		}
	}
	for i, e := range p.Entities {
		g.entities[e] = i
	}
	for i, f := range p.Files {
		g.files[f] = i
	}
	if err := bounded(p); err != nil {
		return nil, err
	}
	pkg, err := jenx.NewScope().Claim("package "+p.Name, p.Name)
	if err != nil {
		return nil, err
	}
	if !builtEverywhere(p.Name + suffix) {
		return nil, fmt.Errorf("the go command would leave %s out, or build it for one system alone, because of its name", p.Name+suffix)
	}
	g.pkg = pkg
	g.n = &names{
		scope:    jenx.NewScope(),
		enums:    make(map[*ir.Enum]*vocabulary),
		ids:      make(map[*ir.Entity]jenx.Ident),
		types:    make(map[string]jenx.Ident),
		decimals: make(map[int]jenx.Ident),
		proposal: make(map[*ir.Tool]proposalNames),
		conds:    make(map[*ir.Tool]conditionFuncs),
		fields:   make(map[*ir.Tool]fieldNames),
		risk:     make(map[*ir.Risk]riskNames),
		open:     make(map[*ir.Policy]jenx.Ident),
		spec:     make(map[*ir.Policy]jenx.Ident),
		grants:   make(map[*ir.Policy]jenx.Ident),
		patterns: make(map[string]jenx.Ident),
	}
	return g, g.claim()
}

// claimer collects the first error of a run of claims.
type claimer struct {
	scope *jenx.Scope
	err   error
}

func (c *claimer) claim(what string, candidates ...string) jenx.Ident {
	id, err := c.scope.Claim(what, candidates...)
	if err != nil && c.err == nil {
		c.err = err
	}
	return id
}

func (g *generator) claim() error {
	n, c := g.n, &claimer{scope: g.n.scope}
	n.digest = c.claim("the digest", "Digest")
	if len(g.tools) > 0 {
		n.tool.typ = c.claim("the vocabulary of tools", "Tool")
		n.tool.parse = c.claim("the vocabulary of tools", "ParseTool")
	}
	g.claimTypes(c)
	g.claimMembers(c)
	g.claimFunctions(c)
	g.claimTables(c)
	return c.err
}

func (g *generator) claimTypes(c *claimer) {
	n := g.n
	for _, e := range g.p.Enums {
		what := kindWord(e) + " " + e.Name
		camel := jenx.Exported(e.Name)
		v := &vocabulary{typ: c.claim(what, camel, camel+map[ir.EnumKind]string{
			ir.EnumPlain: "Enum", ir.EnumTrait: "Trait", ir.EnumLifecycle: "State",
		}[e.Kind])}
		v.parse = c.claim("the parser of "+what, "Parse"+v.typ.String(), "Parse"+v.typ.String()+"Name")
		n.enums[e] = v
	}
	for _, e := range g.p.Entities {
		n.ids[e] = c.claim("the id of entity "+e.Name, jenx.Exported(e.Name, "id"), jenx.Exported(e.Name, "entity", "id"))
	}
	for _, t := range g.p.Types {
		if t.Type.Kind != ir.EnumType && t.Type.Kind != ir.Ref {
			n.types[t.Name] = c.claim("type "+t.Name, jenx.Exported(t.Name), jenx.Exported(t.Name, "value"))
		}
	}
	if g.typed {
		for _, t := range g.p.Tools {
			for _, f := range t.Args {
				if _, named := n.types[f.Type.Name]; f.Type.Kind == ir.Decimal && !named && n.decimals[f.Type.Scale] == (jenx.Ident{}) {
					name := fmt.Sprintf("Decimal%d", f.Type.Scale)
					n.decimals[f.Type.Scale] = c.claim("decimals of this scale", name, "Exact"+name)
				}
			}
		}
	}
}

// claimMembers claims the constants of every enum. A member that begins like its
// type, as tier1 of Tier does, does not say so twice.
func (g *generator) claimMembers(c *claimer) {
	for _, e := range g.p.Enums {
		v := g.n.enums[e]
		for i := range e.Members {
			m := &e.Members[i]
			what := "member " + m.Name + " of " + kindWord(e) + " " + e.Name
			long := v.typ.String() + jenx.Exported(m.Name)
			short := jenx.Exported(m.Name)
			if len(short) > len(v.typ.String()) && short[:len(v.typ.String())] == v.typ.String() {
				v.members = append(v.members, c.claim(what, short, long, long+"Member"))
				continue
			}
			v.members = append(v.members, c.claim(what, long, long+"Member"))
		}
	}
	for _, t := range g.tools {
		g.n.tool.members = append(g.n.tool.members, c.claim("tool "+t.Name, jenx.Exported("tool", t.Name), jenx.Exported("tool", t.Name, "contract")))
	}
}

func (g *generator) claimFunctions(c *claimer) {
	n := g.n
	for _, t := range g.tools {
		if !g.typed {
			break
		}
		what := "the proposal of tool " + t.Name
		var pn proposalNames
		pn.typ = c.claim(what, jenx.Exported(t.Name, "proposal"), jenx.Exported(t.Name, "tool", "proposal"))
		pn.make = c.claim(what, "New"+pn.typ.String(), "Make"+pn.typ.String())
		if len(t.Args) > 0 {
			what := "the arguments of tool " + t.Name
			pn.args = c.claim(what, jenx.Exported(t.Name, "args"), jenx.Exported(t.Name, "tool", "args"))
			pn.read = c.claim(what, "Read"+pn.args.String(), "Decoded"+pn.args.String())
		}
		n.proposal[t] = pn
	}
	for _, r := range g.p.Risks {
		n.risk[r] = riskNames{score: c.claim("risk "+r.Name, jenx.Exported(r.Name), jenx.Exported(r.Name, "score"), jenx.Exported(r.Name, "risk"))}
	}
	for _, p := range g.p.Policies {
		n.open[p] = c.claim("policy "+p.Name, jenx.Exported("open", p.Name), jenx.Exported("open", p.Name, "policy"))
	}
}

// claimTables claims the unexported names. They have suffixes of their own, which
// two declarations of different names share only by ill luck; then a number
// tells them apart, since nobody outside can name them.
func (g *generator) claimTables(c *claimer) {
	n := g.n
	table := func(what string, words ...string) jenx.Ident {
		name := jenx.Unexported(words...)
		return c.claim(what, name, name+"Table", name+"Table2", name+"Table3")
	}
	if len(g.tools) > 0 {
		n.tool.names = table("the names of tools", "tool", "names")
	}
	for _, e := range g.p.Enums {
		n.enums[e].names = table("the names of "+e.Name, e.Name, "names")
		if len(e.Members) > maxSwitch {
			n.enums[e].sorted = table("the sorted names of "+e.Name, e.Name, "by_name")
		}
	}
	for _, t := range g.tools {
		if g.split {
			var fn fieldNames
			if len(t.Args) > 0 {
				fn.args = table("the arguments of "+t.Name, t.Name, "args")
			}
			if len(t.Result) > 0 {
				fn.result = table("the result of "+t.Name, t.Name, "result")
			}
			n.fields[t] = fn
		}
	}
	g.claimConditions(table)
	for _, r := range g.p.Risks {
		rn := n.risk[r]
		rn.table = table("risk "+r.Name, r.Name, "table")
		rn.rows = table("risk "+r.Name, r.Name, "rows")
		rn.factors = table("risk "+r.Name, r.Name, "factors")
		rn.cells = table("risk "+r.Name, r.Name, "cells")
		rn.points, rn.lines = make(map[*ir.Factor]jenx.Ident), make(map[*ir.Factor]jenx.Ident)
		for _, f := range r.Factors {
			if len(f.Points) > maxSwitch {
				word := strings.ReplaceAll(f.Name, ".", "_")
				rn.points[f] = table("factor "+f.Name, r.Name, word, "points")
				rn.lines[f] = table("factor "+f.Name, r.Name, word, "lines")
			}
		}
		n.risk[r] = rn
	}
	for _, p := range g.p.Policies {
		n.spec[p] = table("policy "+p.Name, p.Name, "spec")
		if len(g.tools) > maxSwitch {
			n.grants[p] = table("policy "+p.Name, p.Name, "grants")
		}
	}
	n.pkg = table("the package", g.p.Name, "package")
	n.tools = table("the tools", g.p.Name, "tools")
	n.entities = table("the entities", g.p.Name, "entities")
	n.compare = table("a comparison", "compare_decimals")
	g.eachField(func(f *ir.Field) {
		if err := boundedField(f); err != nil && c.err == nil {
			c.err = err
		}
		p := f.Type.Pattern
		if f.Type.Kind != ir.String || p == nil || n.patterns[p.Source] != (jenx.Ident{}) {
			return
		}
		words := []string{"pattern", fmt.Sprint(len(n.pattern) + 1)}
		if f.Type.Name != "" {
			words = []string{f.Type.Name, "pattern"}
		}
		n.patterns[p.Source] = table("the pattern of "+f.Name, words...)
		n.pattern = append(n.pattern, p)
	})
}

// eachField visits every field that becomes a policy.Field, in order.
func (g *generator) eachField(visit func(*ir.Field)) {
	for _, e := range g.p.Entities {
		for _, f := range e.Attrs {
			visit(f)
		}
	}
	for _, t := range g.tools {
		for _, f := range t.Args {
			visit(f)
		}
		for _, f := range t.Result {
			visit(f)
		}
	}
	for _, p := range g.p.Policies {
		for _, f := range p.Inputs {
			visit(f)
		}
	}
}

func kindWord(e *ir.Enum) string {
	switch e.Kind {
	case ir.EnumTrait:
		return "trait"
	case ir.EnumLifecycle:
		return "lifecycle"
	default:
		return "enum"
	}
}
