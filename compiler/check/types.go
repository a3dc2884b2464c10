package check

import (
	"strconv"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/pattern"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// Bounds of what a type may say.
const (
	maxLength = 65536 // code points of a string: a whole proposal has as many bytes
	maxScale  = 9
)

// vocabularies makes the enums of enums, traits and lifecycles.
func (c *checker) vocabularies() {
	c.each(func(s *resolve.Symbol) {
		switch d := s.Decl.(type) {
		case *ast.Enum:
			c.Enums[s] = c.vocabulary(ir.EnumPlain, d.Name, d.Doc, d.Members)
		case *ast.Trait:
			c.Enums[s] = c.vocabulary(ir.EnumTrait, d.Name, d.Doc, d.Members)
		case *ast.Lifecycle:
			var states []*ast.Member
			for _, t := range d.Transitions {
				for _, id := range []*ast.Ident{t.From, t.To} {
					if id != nil {
						states = append(states, &ast.Member{At: id.At, Name: id})
					}
				}
			}
			c.Enums[s] = c.vocabulary(ir.EnumLifecycle, d.Name, d.Doc, states)
		}
	})
}

func (c *checker) vocabulary(kind ir.EnumKind, name *ast.Ident, doc ast.Doc, members []*ast.Member) *ir.Enum {
	e := &ir.Enum{Decl: Decl(name, doc), Kind: kind}
	index := make(map[string]int, len(members))
	for _, m := range members {
		if m.Name == nil {
			continue
		}
		if _, ok := index[m.Name.Name]; ok {
			// Said by resolve, or a state that is named again. Of a repeated member
			// it is not known which other one was meant.
			c.vague[e] = c.vague[e] || kind != ir.EnumLifecycle
			continue
		}
		index[m.Name.Name] = len(e.Members)
		e.Members = append(e.Members, Decl(m.Name, m.Doc))
	}
	if len(e.Members) == 0 {
		c.at(name.Span(), diag.MissingPart, "`%s` has no members", name.Name).
			Help("write at least one, in braces")
	}
	c.members[e] = index
	return e
}

// declared is the type of a `type` declaration, nil where it has a fault.
func (c *checker) declared(s *resolve.Symbol) *ir.Type {
	if t, ok := c.Types[s]; ok {
		return t
	}
	d := s.Decl.(*ast.TypeDecl)
	if c.typing[s] {
		c.at(d.Name.Span(), diag.TypeCycle, "type `%s` is declared by itself", s.Name).
			Help("say what it is: a string, a number, an enum")
		c.Types[s] = nil
		return nil
	}
	c.typing[s] = true
	t := c.typeOf(d.Type)
	delete(c.typing, s)
	if known, ok := c.Types[s]; ok && known == nil {
		return nil // found to be a cycle meanwhile
	}
	if t != nil {
		named := *t
		named.Name = s.Name
		t = &named
	}
	c.Types[s] = t
	return t
}

// typeOf is what a type expression means, nil where it has a fault.
func (c *checker) typeOf(t *ast.TypeExpr) *ir.Type {
	if t == nil || t.Base == nil {
		return nil
	}
	switch t.Base.Name {
	case "bool":
		return c.bare(t, &ir.Type{Kind: ir.Bool})
	case "int":
		return c.intType(t)
	case "decimal":
		return c.decimalType(t)
	case "string":
		return c.stringType(t)
	case "ref":
		if s := c.pkg.Use(t.Ref); s != nil {
			return c.bare(t, &ir.Type{Kind: ir.Ref, Entity: c.Entities[s]})
		}
		if t.Ref == nil {
			c.at(t.Base.Span(), diag.BadBound, "`ref` does not say what it refers to").
				Help("write `ref ENTITY`")
		}
		return nil
	}
	s := c.pkg.Use(t.Base)
	switch {
	case s == nil:
		if c.pkg.Named(t.Base.Name) == nil && resolve.ForeignType(t.Base.Name) {
			c.foreignType(t)
		}
		return nil
	case s.Kind == resolve.Type:
		return c.bare(t, c.declared(s))
	default:
		return c.bare(t, &ir.Type{Kind: ir.EnumType, Enum: c.Enums[s]})
	}
}

// bare refuses bounds where the type has none.
func (c *checker) bare(t *ast.TypeExpr, typ *ir.Type) *ir.Type {
	var extra ast.Node
	switch {
	case t.Arg != nil:
		extra = t.Arg
	case t.Size != nil:
		extra = t.Size
	case t.Pattern != nil:
		extra = t.Pattern
	default:
		return typ
	}
	c.at(extra.Span(), diag.BadBound, "`%s` takes no bounds here", t.Base.Name).
		Help("remove them, or declare another type")
	return nil
}

func (c *checker) foreignType(t *ast.TypeExpr) {
	name := t.Base.Name
	d := c.at(t.Base.Span(), diag.FreeFormType, "`%s` is no type: every value has a closed type with bounds", name)
	switch strings.ToLower(name) {
	case "float", "double", "float32", "float64", "real", "numeric", "number":
		d.Note("numbers are exact; there is no binary floating point").
			Help("write `decimal(2)` with the digits that it has after the point, or `int(0..100)`")
	case "boolean":
		d.Help("write `bool`")
	case "integer", "long", "int32", "int64":
		d.Help("write `int(0..100)` with its bounds")
	case "text", "str", "varchar", "char", "bytes", "blob":
		d.Help("write `string(1..200)` with its bounds, or a pattern beside them")
	case "list", "array", "set", "tuple":
		d.Note("a list is not part of this version of the language").
			Help("declare one field for each value")
	default:
		d.Note("a free-form value is a place where anything can be smuggled in").
			Help("declare each field with a type of its own, or an `enum` of the allowed words")
	}
}

func (c *checker) intType(t *ast.TypeExpr) *ir.Type {
	if t.Size != nil || t.Pattern != nil {
		extra := ast.Node(t.Pattern)
		if t.Size != nil {
			extra = t.Size
		}
		c.at(extra.Span(), diag.BadBound, "an int takes a range").Help("write `int(0..100)` with its bounds")
		return nil
	}
	if t.Arg == nil || t.Arg.Lo == "" || t.Arg.Hi == "" {
		span := t.Base.Span()
		if t.Arg != nil {
			span = t.Arg.Span()
		}
		c.at(span, diag.UnboundedType, "an int needs both bounds").
			Help("write `int(0..100)` with the bounds that make sense")
		return nil
	}
	lo, ok1 := parseInt(t.Arg.Lo)
	hi, ok2 := parseInt(t.Arg.Hi)
	if !ok1 || !ok2 {
		c.at(t.Arg.Span(), diag.BadBound, "the bounds of an int are whole numbers of at most 18 digits")
		return nil
	}
	if lo > hi {
		c.at(t.Arg.Span(), diag.BadBound, "the range is empty: %d is above %d", lo, hi).Help("write the smaller bound first")
		return nil
	}
	return &ir.Type{Kind: ir.Int, Lo: lo, Hi: hi}
}

func (c *checker) decimalType(t *ast.TypeExpr) *ir.Type {
	if t.Pattern != nil || t.Arg != nil {
		extra := ast.Node(t.Pattern)
		if t.Arg != nil {
			extra = t.Arg
		}
		c.at(extra.Span(), diag.BadBound, "a decimal takes the number of its digits after the point").
			Help("write `decimal(2)`")
		return nil
	}
	if t.Size == nil {
		c.at(t.Base.Span(), diag.UnboundedType, "a decimal needs the number of its digits after the point").
			Help("write `decimal(2)` for an amount of money")
		return nil
	}
	n, ok := parseInt(t.Size.Text)
	if !ok || n < 0 || n > maxScale {
		c.at(t.Size.Span(), diag.BadBound, "a decimal has 0 to %d digits after the point, not %s", maxScale, t.Size.Text)
		return nil
	}
	return &ir.Type{Kind: ir.Decimal, Scale: int(n)}
}

func (c *checker) stringType(t *ast.TypeExpr) *ir.Type {
	typ := &ir.Type{Kind: ir.String}
	switch {
	case t.Size != nil:
		n, ok := parseInt(t.Size.Text)
		if !ok || n < 0 || n > maxLength {
			d := c.at(t.Size.Span(), diag.BadBound, "a string has 0 to %d letters, not %s", maxLength, t.Size.Text)
			if lo, hi, ok := strings.Cut(t.Size.Text, "."); ok {
				d.Help("write `%s..%s` for a range: it has two dots", lo, hi)
			}
			return nil
		}
		typ.Lo, typ.Hi = n, n
	case t.Arg != nil && t.Arg.Hi != "":
		lo := int64(0)
		ok1 := true
		if t.Arg.Lo != "" {
			lo, ok1 = parseInt(t.Arg.Lo)
		}
		hi, ok2 := parseInt(t.Arg.Hi)
		switch {
		case !ok1 || !ok2 || lo < 0 || hi > maxLength:
			c.at(t.Arg.Span(), diag.BadBound, "the length of a string lies within 0..%d", maxLength)
			return nil
		case lo > hi:
			c.at(t.Arg.Span(), diag.BadBound, "the range is empty: %d is above %d", lo, hi).Help("write the smaller bound first")
			return nil
		}
		typ.Lo, typ.Hi = lo, hi
	default:
		d := c.at(t.Base.Span(), diag.UnboundedType, "a string needs a length")
		if t.Pattern != nil {
			d.Note("a pattern says which letters, and not how many")
		}
		d.Help("write `string(1..200)` with the lengths that make sense")
		return nil
	}
	if t.Pattern != nil {
		p, err := pattern.Compile(t.Pattern.Text)
		if err != nil {
			c.at(t.Pattern.Span(), diag.BadPattern, "%s", err.Error()).
				Note("a pattern is RE2 syntax and matches the whole text")
			return nil
		}
		typ.Pattern = p
	}
	return typ
}

// parseInt reads a whole number that fits an int64 with room to spare.
func parseInt(s string) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimPrefix(s, "+"), 10, 64)
	const most = 1_000_000_000_000_000_000
	return n, err == nil && n > -most && n < most
}
