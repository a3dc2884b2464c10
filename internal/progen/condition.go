package progen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// conditions writes conditions over the arguments and the target of one tool. It
// keeps to the rule about absence the way an author would, and to what the checker
// follows: from left to right, through `and`, `or` and `not`.
type conditions struct {
	*writer
	args  []field
	attrs []field
}

func (c *conditions) top() string { return c.cond(2+c.IntN(2), map[string]bool{}) }

// cond is a condition that may read the optional arguments that are known to be
// present. Whatever is not atomic stands in parentheses.
func (c *conditions) cond(depth int, known map[string]bool) string {
	if depth == 0 {
		return c.atom(known)
	}
	switch c.IntN(6) {
	case 0:
		return "not (" + c.cond(depth-1, known) + ")"
	case 1, 2:
		op := pick(c.writer, []string{" and ", " or "})
		var parts []string
		for range 2 + c.IntN(2) {
			parts = append(parts, "("+c.cond(depth-1, known)+")")
		}
		return strings.Join(parts, op)
	case 3, 4:
		if name, ok := c.unknown(known); ok {
			with := maps.Clone(known)
			with[name] = true
			rest := "(" + c.cond(depth-1, with) + ")"
			return pick(c.writer, []string{
				name + " present and " + rest,
				name + " absent or " + rest,
				"not (" + name + " absent) and " + rest,
				"not (" + name + " absent or not " + rest + ")",
			})
		}
	}
	return c.atom(known)
}

// unknown is an optional argument of which nothing is known yet.
func (c *conditions) unknown(known map[string]bool) (string, bool) {
	var names []string
	for _, f := range c.args {
		if f.optional && f.fallback == "" && !known[f.name] {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return pick(c.writer, names), true
}

// readable are the operands that may be read here, as written.
func (c *conditions) readable(known map[string]bool) map[string]typeExpr {
	out := map[string]typeExpr{}
	for _, f := range c.args {
		if !f.optional || f.fallback != "" || known[f.name] {
			out[f.name] = f.typ
		}
	}
	for _, f := range c.attrs {
		out["target."+f.name] = f.typ
	}
	return out
}

// able says whether there is always something to write a condition about.
func (c *conditions) able() bool {
	return len(c.attrs) > 0 || slices.ContainsFunc(c.args, func(f field) bool {
		return !f.optional && f.typ.constant != nil
	})
}

func (c *conditions) atom(known map[string]bool) string {
	operands := c.readable(known)
	var able []string
	for _, x := range slices.Sorted(maps.Keys(operands)) {
		if t := operands[x]; t.constant != nil || c.other(x, t, operands) != "" {
			able = append(able, x)
		}
	}
	if name, ok := c.unknown(known); ok && c.chance(15) {
		return name + pick(c.writer, []string{" present", " absent"})
	}
	x := pick(c.writer, able)
	t := operands[x]
	switch t.kind {
	case "bool":
		return pick(c.writer, []string{x, "not " + x, x + " == true", x + " != true"})
	case "int", "decimal":
		op := pick(c.writer, []string{"==", "!=", "<", "<=", ">", ">="})
		return fmt.Sprintf("%s %s %s", x, op, c.other(x, t, operands))
	case "enum":
		if len(t.members) > 2 && c.chance(50) {
			return fmt.Sprintf("%s in { %s }", x, strings.Join(c.distinct(2, t.members), ", "))
		}
	}
	return fmt.Sprintf("%s %s %s", x, pick(c.writer, []string{"==", "!="}), c.other(x, t, operands))
}

// other is something to compare an operand with: another of its kind, or a
// constant; "" where there is neither.
func (c *conditions) other(x string, t typeExpr, operands map[string]typeExpr) string {
	var same []string
	for _, y := range slices.Sorted(maps.Keys(operands)) {
		if y != x && operands[y].kind == t.kind && (t.kind != "ref" && t.kind != "enum" || operands[y].text == t.text) {
			same = append(same, y)
		}
	}
	switch {
	case len(same) > 0 && (t.constant == nil || c.chance(40)):
		return pick(c.writer, same)
	case t.constant == nil:
		return ""
	}
	return t.constant(c.writer)
}
