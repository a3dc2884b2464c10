package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// function of the package that belongs to a tool, and in a package of very many
// tools to all the others as well whose contracts say the same.
type function struct {
	name  jenx.Ident
	of    *ir.Tool
	tools int
}

// whose says whose function it is.
func (f *function) whose() string {
	if f.tools == 1 {
		return f.of.Name
	}
	return fmt.Sprintf("%s, and of %d more that say the same", f.of.Name, f.tools-1)
}

// conditionFuncs of a tool; nil where its contract needs none.
type conditionFuncs struct{ check, require, confirmed, refuted *function }

// claimConditions claims the functions of every contract.
func (g *generator) claimConditions(table func(what string, words ...string) jenx.Ident) {
	same := make(map[string]*function)
	for _, t := range g.tools {
		claim := func(key, what string, words ...string) *function {
			if f := same[key]; f != nil && !g.typed {
				f.tools++
				return f
			}
			f := &function{table(what+" of "+t.Name, words...), t, 1}
			same[key] = f
			return f
		}
		var n conditionFuncs
		w := g.writer(t)
		if len(t.Flags) > 0 {
			n.check = claim(w.flagsKey(), "the flags", "check", t.Name)
		}
		if len(t.Requires) > 0 {
			n.require = claim(w.requiresKey(), "the requirements", "require", t.Name)
		}
		if v := t.Verify; v != nil && v.Confirmed != nil {
			n.confirmed = claim("confirmed by "+v.By.Name+w.key(v.Confirmed), "the verification", t.Name, "confirmed")
		}
		if v := t.Verify; v != nil && v.Refuted != nil {
			n.refuted = claim("refuted by "+v.By.Name+w.key(v.Refuted), "the verification", t.Name, "refuted")
		}
		g.n.conds[t] = n
	}
}

// flagsKey is equal for contracts whose flags become the same function.
func (w *condWriter) flagsKey() string {
	var b strings.Builder
	for _, f := range w.tool.Flags {
		fmt.Fprintf(&b, "flag %s %t %s\n", f.Name, f.Hold, w.key(f.When))
	}
	return b.String()
}

// requiresKey is the same for requirements.
func (w *condWriter) requiresKey() string {
	var b strings.Builder
	for _, r := range w.tool.Requires {
		fmt.Fprintf(&b, "%s %s\n", r.Text, w.key(r.When))
	}
	return b.String()
}

// key is equal for conditions that become the same Go: they read the same, and so
// do the places and the types of what they read.
func (w *condWriter) key(c ir.Cond) string {
	var b strings.Builder
	b.WriteString(w.text(c, 0))
	operand := func(o ir.Operand) {
		switch o := o.(type) {
		case ir.Arg:
			fmt.Fprintf(&b, " a%d", o.Index)
		case ir.Target:
			fmt.Fprintf(&b, " t%d", o.Attr)
		case ir.Result:
			fmt.Fprintf(&b, " r%d", o.Index)
		}
		fmt.Fprintf(&b, ":%d", o.Of().Kind)
		if e := o.Of().Enum; e != nil {
			b.WriteString(e.Name)
		}
	}
	walk(c, func(c ir.Cond) {
		switch c := c.(type) {
		case ir.Present:
			fmt.Fprintf(&b, " p%d", c.Arg)
		case ir.Compare:
			operand(c.X)
			operand(c.Y)
			fmt.Fprintf(&b, " %d/%d", c.ScaleX, c.ScaleY)
		case ir.In:
			operand(c.X)
		case ir.Truth:
			operand(c.X)
		}
	})
	return b.String()
}

// conditions is the functions that a contract needs: the one that sets its flags,
// the one that asks its requirements, and the two of its verification.
func (g *generator) conditions(t *ir.Tool) ([]jenx.Code, error) {
	var out []jenx.Code
	n := g.n.conds[t]
	if n.check != nil && n.check.of == t {
		c, err := g.check(t)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	if n.require != nil && n.require.of == t {
		c, err := g.require(t)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	if t.Verify == nil {
		return out, nil
	}
	for _, v := range []struct {
		f    *function
		word string
		cond ir.Cond
	}{{n.confirmed, "confirmed", t.Verify.Confirmed}, {n.refuted, "refuted", t.Verify.Refuted}} {
		if v.f == nil || v.f.of != t {
			continue
		}
		w := g.writer(t)
		x, err := w.known(v.cond)
		if err != nil {
			return nil, fmt.Errorf("verification of %s: %w", t.Name, err)
		}
		doc := described(fmt.Sprintf("%s says that a result of %s shows an action to be %s that is of %s.",
			v.f.name, t.Verify.By.Name, v.word, v.f.whose()),
			[]string{fmt.Sprintf("%s: %s when %s", at(t.Verify.Pos), v.word, w.text(v.cond, 0))})
		out = append(out, jenx.Func{
			Doc:  doc,
			Name: v.f.name,
			Params: []jenx.Param{
				{Name: jenx.Fixed("result"), Type: jenx.Ptr(jenx.In(jenx.Policy, "Record"))},
				{Name: jenx.Fixed("target"), Type: jenx.Ptr(jenx.In(jenx.Policy, "Record"))},
			},
			Results: []jenx.Param{{Type: jenx.Builtin("bool")}},
			Body:    append(w.constants(), jenx.Return(x)),
		}.Code())
	}
	return out, nil
}

// check is the function that sets the flags of a proposal, one plain if for each.
func (g *generator) check(t *ir.Tool) (jenx.Code, error) {
	f, w := g.n.conds[t].check, g.writer(t)
	var body []jenx.Code
	for i, f := range t.Flags {
		x, err := w.cond(f.When, 0)
		if err != nil {
			return jenx.Code{}, fmt.Errorf("flag %s of %s: %w", f.Name, t.Name, err)
		}
		text := fmt.Sprintf("%s: flag %s when %s", at(f.Pos), f.Name, w.text(f.When, 0))
		if f.Hold {
			text += " else hold"
		}
		set := jenx.Call(jenx.Sel(jenx.Name(jenx.Fixed("set")), jenx.Fixed("Add")), jenx.Int(int64(i)))
		body = append(body, jenx.Blank(), jenx.Note(described(text, f.Doc)), jenx.If(x, jenx.Beside(set, f.Name)))
	}
	return w.ask(f.name, fmt.Sprintf("%s sets the flags of a proposal of %s.", f.name, f.whose()), "set", "FlagSet", body), nil
}

// require is the function that asks the requirements of a contract, one plain if
// for each clause, which holds where the clause fails.
func (g *generator) require(t *ir.Tool) (jenx.Code, error) {
	f, w := g.n.conds[t].require, g.writer(t)
	var body []jenx.Code
	for i, r := range t.Requires {
		x, err := w.not(r.When)
		if err != nil {
			return jenx.Code{}, fmt.Errorf("requirement %d of %s: %w", i, t.Name, err)
		}
		fails := jenx.Call(jenx.Sel(jenx.Name(jenx.Fixed("failed")), jenx.Fixed("Add")), jenx.Int(int64(i)))
		body = append(body, jenx.Blank(), jenx.Note(described(at(r.Pos)+": "+r.Text, r.Doc)), jenx.If(x, fails))
	}
	return w.ask(f.name, fmt.Sprintf("%s fails the requirements that a proposal of %s does not meet.", f.name, f.whose()), "failed", "ClauseSet", body), nil
}

// ask is a function over arguments and target that fills in a set. Each part of
// its body begins with a blank line.
func (w *condWriter) ask(name jenx.Ident, doc, set, typ string, body []jenx.Code) jenx.Code {
	if consts := w.constants(); len(consts) > 0 {
		body = append(consts, body...)
	} else {
		body = body[1:]
	}
	record := jenx.Ptr(jenx.In(jenx.Policy, "Record"))
	var params []jenx.Param
	for _, n := range []string{"args", "target"} {
		id := jenx.Fixed(n)
		if !w.reads[n] {
			id = jenx.Fixed("_")
		}
		params = append(params, jenx.Param{Name: id, Type: record})
	}
	return jenx.Func{
		Doc:    doc,
		Name:   name,
		Params: append(params, jenx.Param{Name: jenx.Fixed(set), Type: jenx.Ptr(jenx.In(jenx.Policy, typ))}),
		Body:   body,
	}.Code()
}

// attributes of the target that the flags and requirements of t read, in order.
// The gate refuses a target without one of them: a flag about nothing would never
// be set.
func attributes(t *ir.Tool) []int {
	var out []int
	add := func(o ir.Operand) {
		if a, ok := o.(ir.Target); ok && !slices.Contains(out, a.Attr) {
			out = append(out, a.Attr)
		}
	}
	look := func(c ir.Cond) {
		switch c := c.(type) {
		case ir.Compare:
			add(c.X)
			add(c.Y)
		case ir.In:
			add(c.X)
		case ir.Truth:
			add(c.X)
		}
	}
	for _, f := range t.Flags {
		walk(f.When, look)
	}
	for _, r := range t.Requires {
		walk(r.When, look)
	}
	slices.Sort(out)
	return out
}
