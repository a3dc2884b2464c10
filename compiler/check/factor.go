package check

import (
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// Factor is what an `add` of a risk table reads: a trait of the contract, or an
// attribute of the target that the registry keeps. There is no third kind.
type Factor struct {
	Name string
	Enum *ir.Enum
	Attr string // "" for a trait
}

// factor finds what an `add` reads and answers the origin question for scores.
// on holds the entities that the scored tools act on.
func (c *checker) factor(p *ast.Path, t *table, on []*ir.Entity) (Factor, bool) {
	head := p.Parts[0]
	if len(p.Parts) == 1 {
		return c.traitFactor(p, head)
	}
	name := p.Parts[1]
	switch head.Name {
	case "target":
		if len(p.Parts) > 2 {
			c.at(p.Parts[2].Span(), diag.NotAFactor, "a score reads an attribute of the target itself, and nothing beyond").
				Help("write `target.ATTRIBUTE`")
			return Factor{}, false
		}
		return c.attrFactor(p, name, t, on)
	case "model", "proposal", "agent":
		c.origin(p, "`"+name.Name+"` is what the model says")
		return Factor{}, false
	case "args", "arg", "arguments":
		c.origin(p, "`"+name.Name+"` is an argument, and the model writes it")
		return Factor{}, false
	case "result", "results":
		c.origin(p, "`"+name.Name+"` is in a result that the model's own call brought")
		return Factor{}, false
	case "cause":
		c.origin(p, "the cause is a word that the model chose")
		return Factor{}, false
	case "input", "inputs":
		c.at(head.Span(), diag.NotAFactor, "a score of this version of the language reads no inputs").
			Help("read an attribute of the target: `target.ATTRIBUTE`")
		return Factor{}, false
	}
	s := c.pkg.Named(head.Name)
	switch {
	case s != nil && s.Kind == resolve.Lost:
	case s != nil && s.Kind == resolve.Tool:
		c.origin(p, "`"+head.Name+"."+name.Name+"` is what the model says to `"+head.Name+"`")
	case s != nil && s.Kind == resolve.Entity:
		d := c.at(head.Span(), diag.NotAFactor, "a score reads the entity that is acted on as `target`").
			Help("write `target.%s`", name.Name)
		d.Edit = &diag.Edit{Span: head.Span(), New: "target"}
	case c.argOf[head.Name] != nil:
		c.origin(p, "`"+head.Name+"` is an argument of `"+c.argOf[head.Name].Symbol.Name+"`, and the model writes it")
	default:
		d := c.at(head.Span(), diag.UnknownName, "a score reads a trait or `target.ATTRIBUTE`, not `%s.%s`", head.Name, name.Name)
		c.pkg.Suggest(d, head.Name, resolve.Among("target"))
	}
	return Factor{}, false
}

// origin is the heart of the compiler: a score reads no value that a model
// wrote, brought or chose.
func (c *checker) origin(p *ast.Path, whose string) {
	c.at(p.Span(), diag.OriginForbidden, "a score may not read `%s`: %s", pathText(p), whose).
		Under("the model's value").
		Note("whatever the type: a model that can move its own score can allow its own action").
		Help("read a trait of the contract, or an attribute of `target` that the registry keeps; a `flag` may read an argument, and make the action wait")
}

func (c *checker) traitFactor(p *ast.Path, id *ast.Ident) (Factor, bool) {
	s := c.pkg.Named(id.Name)
	switch {
	case s == nil:
	case s.Kind == resolve.Lost:
		return Factor{}, false
	case s.Kind == resolve.Trait:
		c.pkg.Mark(s)
		if t := c.argOf[id.Name]; t != nil {
			c.at(id.Span(), diag.AmbiguousName, "`%s` is a trait and an argument of `%s`", id.Name, t.Symbol.Name).
				See(s.Ident.Span(), "the trait").
				Note("a score reads the trait, which the contract states, and never the argument; a reader cannot see that here").
				Help("rename the argument")
			return Factor{}, false
		}
		e := c.Enums[s]
		return Factor{Name: s.Name, Enum: e}, len(e.Members) > 0
	}
	// An argument's name is asked before other declarations: `currency` may be a
	// type as well, and the author means the value.
	if t := c.argOf[id.Name]; t != nil {
		c.origin(p, "`"+id.Name+"` is an argument of `"+t.Symbol.Name+"`, and the model writes it")
		return Factor{}, false
	}
	if t := c.resultOf[id.Name]; t != nil && s == nil && !c.isAttr(id.Name) {
		c.origin(p, "`"+id.Name+"` is in the result of `"+t.Symbol.Name+"`, which the model's own call brought")
		return Factor{}, false
	}
	if id.Name == "cause" {
		c.origin(p, "the cause is a word that the model chose")
		return Factor{}, false
	}
	if s != nil {
		d := c.at(id.Span(), diag.NotAFactor, "`%s` is %s, and a score reads a trait or an attribute of the target", id.Name, s.Kind).
			See(s.Ident.Span(), "declared here")
		if s.Kind == resolve.Enum || s.Kind == resolve.Lifecycle {
			if a := c.attrOfType(c.Enums[s]); a != "" {
				d.Help("write `target.%s`", a)
				d.Edit = &diag.Edit{Span: id.Span(), New: "target." + a}
				return Factor{}, false
			}
		}
		d.Help("name a trait, or write `target.ATTRIBUTE`")
		return Factor{}, false
	}
	if c.isAttr(id.Name) {
		d := c.at(id.Span(), diag.UnknownName, "no trait is called `%s`", id.Name).
			Note("`%s` is an attribute; the score reads it from the target", id.Name).
			Help("write `target.%s`", id.Name)
		d.Edit = &diag.Edit{Span: id.Span(), New: "target." + id.Name}
		return Factor{}, false
	}
	if IsRating(id.Name) {
		c.origin(p, "a rating of that kind is a number that a model produced")
		return Factor{}, false
	}
	if c.pkg.Reported(id, resolve.Trait) {
		return Factor{}, false
	}
	d := c.at(id.Span(), diag.UnknownName, "no trait is called `%s`", id.Name)
	c.pkg.Suggest(d, id.Name, func() []string { return c.pkg.Names(resolve.Trait) })
	return Factor{}, false
}

func (c *checker) isAttr(name string) bool {
	for _, s := range c.pkg.Of(resolve.Entity) {
		if _, ok := c.attrs[c.Entities[s]][name]; ok {
			return true
		}
	}
	return false
}

// attrOfType is the first attribute of any entity that has the vocabulary.
func (c *checker) attrOfType(e *ir.Enum) string {
	for _, s := range c.pkg.Of(resolve.Entity) {
		for _, a := range c.Entities[s].Attrs {
			if a.Type != nil && a.Type.Enum == e {
				return a.Name
			}
		}
	}
	return ""
}

// attrFactor looks an attribute up in the entities that are scored. All that
// have it must have one vocabulary; that all have it is asked for each row of
// `base`.
func (c *checker) attrFactor(p *ast.Path, name *ast.Ident, t *table, on []*ir.Entity) (Factor, bool) {
	var typ *ir.Type
	var owner *ir.Entity
	found, poisoned := false, false
	var known []string
	for _, e := range on {
		known = append(known, fieldNames(e.Attrs)...)
		i, ok := c.attrs[e][name.Name]
		if !ok {
			continue
		}
		found = true
		at := e.Attrs[i].Type
		switch {
		case at == nil:
			poisoned = true
		case typ == nil:
			typ, owner = at, e
		case at.Kind != typ.Kind || at.Enum != typ.Enum:
			c.at(name.Span(), diag.AttributesDiffer, "`target.%s` is %s of `%s` and %s of `%s`", name.Name, typeName(typ), owner.Name, typeName(at), e.Name).
				Note("one table adds points for one vocabulary").
				Help("give both the same type, or score the tools in two tables")
			return Factor{}, false
		}
	}
	switch {
	case poisoned:
		return Factor{}, false
	case !found && len(on) == 0:
		// No row of base is understood, which was said, or what a tool acts on is
		// not. What is left: all of them act on nothing.
		if len(t.tools) > 0 && !slices.ContainsFunc(t.tools, func(x *Tool) bool { return !x.noTarget }) {
			c.at(p.Span(), diag.MissingAttribute, "no tool that is scored acts on anything, and the table reads `%s`", pathText(p)).
				Help("declare what the tools act on: `tool %s on ENTITY`", t.tools[0].Symbol.Name)
		}
		return Factor{}, false
	case !found:
		d := c.at(name.Span(), diag.UnknownField, "nothing that is scored has an attribute `%s`", name.Name)
		c.pkg.Suggest(d, name.Name, resolve.Among(known...))
		return Factor{}, false
	case typ.Kind != ir.EnumType:
		c.at(name.Span(), diag.NotAFactor, "`target.%s` is %s, and points belong to the members of an enum", name.Name, ofKind(typ)).
			Note("a table has a row for every value").
			Help("keep an enum in the registry, such as `low, middle, high`")
		return Factor{}, false
	}
	return Factor{Name: pathText(p), Enum: typ.Enum, Attr: name.Name}, len(typ.Enum.Members) > 0
}
