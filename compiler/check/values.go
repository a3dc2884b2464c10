package check

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/pattern"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// value types a literal as a t. what names the place for messages. It reports
// and returns false where the literal can never be a value of the type.
func (c *checker) value(l ast.Literal, t *ir.Type, what string) (ir.Value, bool) {
	v, ok := c.literal(l, t, what)
	if ok {
		c.Values[l] = v
	}
	return v, ok
}

func (c *checker) literal(l ast.Literal, t *ir.Type, what string) (ir.Value, bool) {
	switch l := l.(type) {
	case *ast.Number:
		switch t.Kind {
		case ir.Int:
			n, ok := parseInt(l.Text)
			if !ok {
				c.at(l.Span(), diag.ImpossibleValue, "%s is a whole number, %s is not", what, l.Text).
					Note("its type is %s", typeName(t))
				return ir.Value{}, false
			}
			if n < t.Lo || n > t.Hi {
				c.at(l.Span(), diag.ImpossibleValue, "%s is never %d", what, n).
					Note("it lies within %d..%d", t.Lo, t.Hi).
					Help("write a number of that range, or widen the type")
				return ir.Value{}, false
			}
			return ir.Value{N: n}, true
		case ir.Decimal:
			return c.decimal(l, t, what)
		}
	case *ast.String:
		switch t.Kind {
		case ir.String:
			return c.text(l, t, what)
		case ir.Ref:
			return ir.Value{S: l.Value}, true
		case ir.EnumType:
			if _, ok := c.Member(t.Enum, l.Value); ok {
				d := c.at(l.Span(), diag.TypeMismatch, "%q is quoted, and a member of %s is a name", l.Value, typeName(t)).
					Help("write `%s` without quotes", l.Value)
				d.Edit = &diag.Edit{Span: l.Span(), New: l.Value}
				return ir.Value{}, false
			}
		}
	case *ast.Bool:
		if t.Kind == ir.Bool {
			n := int64(0)
			if l.Value {
				n = 1
			}
			return ir.Value{N: n}, true
		}
	case *ast.Name:
		if t.Kind == ir.EnumType {
			return c.member(&l.Ident, t.Enum)
		}
	}
	d := c.at(l.Span(), diag.TypeMismatch, "%s is %s, and this is %s", what, ofKind(t), literalKind(l))
	switch {
	case t.Kind == ir.EnumType:
		d.Help("write a member of %s: %s", typeName(t), some(memberNames(t.Enum)))
	case t.Kind == ir.String || t.Kind == ir.Ref:
		d.Help("write it in quotes")
	}
	return ir.Value{}, false
}

// member looks a member up.
func (c *checker) member(id *ast.Ident, e *ir.Enum) (ir.Value, bool) {
	if n, ok := c.Member(e, id.Name); ok {
		return ir.Value{N: int64(n)}, true
	}
	if c.vague[e] {
		return ir.Value{}, false
	}
	d := c.at(id.Span(), diag.UnknownMember, "`%s` has no member `%s`", e.Name, id.Name)
	c.pkg.Suggest(d, id.Name, func() []string { return memberNames(e) })
	return ir.Value{}, false
}

// decimal brings a number to the scale of t. A number with more digits than the
// type has is refused: it could never be equal, and an author who wrote it has
// another type in mind.
func (c *checker) decimal(l *ast.Number, t *ir.Type, what string) (ir.Value, bool) {
	n, digits, ok := Scaled(l.Text, t.Scale)
	switch {
	case digits > t.Scale:
		c.at(l.Span(), diag.ImpossibleValue, "%s has %s after the point, %s has %d", what, plural(t.Scale, "digit"), l.Text, digits).
			Note("its type is %s", typeName(t)).
			Help("write fewer digits, or give the type more")
		return ir.Value{}, false
	case !ok:
		c.at(l.Span(), diag.ImpossibleValue, "%s is too large for %s", l.Text, typeName(t))
		return ir.Value{}, false
	}
	return ir.Value{N: n}, true
}

// Scaled reads a decimal and multiplies it by 10^scale. It returns how many
// digits stood after the point (trailing zeros not counted), and whether the
// result is exact and fits.
func Scaled(text string, scale int) (n int64, digits int, ok bool) {
	neg := strings.HasPrefix(text, "-")
	text = strings.TrimLeft(text, "+-")
	whole, frac, _ := strings.Cut(text, ".")
	frac = strings.TrimRight(frac, "0")
	if len(frac) > scale {
		return 0, len(frac), false
	}
	n, err := strconv.ParseInt(whole+frac+strings.Repeat("0", scale-len(frac)), 10, 64)
	if err != nil {
		return 0, len(frac), false
	}
	if neg {
		n = -n
	}
	return n, len(frac), true
}

func (c *checker) text(l *ast.String, t *ir.Type, what string) (ir.Value, bool) {
	n := int64(utf8.RuneCountInString(l.Value))
	switch {
	case n < t.Lo || n > t.Hi:
		c.at(l.Span(), diag.ImpossibleValue, "%s is never %q: its length is %d", what, l.Value, n).
			Note("its type is %s, with a length of %d..%d", typeName(t), t.Lo, t.Hi)
		return ir.Value{}, false
	case t.Pattern != nil && !pattern.Match(t.Pattern, l.Value):
		c.at(l.Span(), diag.ImpossibleValue, "%s is never %q: the pattern does not match", what, l.Value).
			Note("its type is %s, and matches /%s/ as a whole", typeName(t), t.Pattern.Source)
		return ir.Value{}, false
	}
	return ir.Value{S: l.Value}, true
}

func ofKind(t *ir.Type) string {
	switch t.Kind {
	case ir.Bool:
		return "`true` or `false`"
	case ir.Int:
		return "a whole number"
	case ir.Decimal:
		return "a decimal number"
	case ir.String:
		return "a text"
	case ir.EnumType:
		return "a member of " + typeName(t)
	case ir.Ref:
		return "the id of a `" + t.Entity.Name + "`"
	}
	return "something else"
}

func literalKind(l ast.Literal) string {
	switch l.(type) {
	case *ast.Number:
		return "a number"
	case *ast.String:
		return "a text in quotes"
	case *ast.Bool:
		return "`true` or `false`"
	case *ast.Duration:
		return "a duration"
	case *ast.Name:
		return "a name"
	}
	return "something else"
}
