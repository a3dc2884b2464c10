package progen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// conditions writes conditions over the arguments and the target of one tool. It
// keeps to the rule about absence the way an author would, and to what the checker
// follows: from left to right, through `and`, `or` and `not`. No operand is read
// twice in all the flags and requirements of a tool, so that no part of what is written follows from
// another, which would not compile.
type conditions struct {
	*writer
	args  []field
	attrs []field
	asked map[string]bool // arguments whose presence was asked for
	read  map[string]bool // operands, as written
}

// top is a condition, "" where nothing is left to write about.
func (c *conditions) top() string { return c.cond(1+c.IntN(3), map[string]bool{}) }

// cond is a condition that may read the optional arguments that are known to be
// present. Whatever is not atomic stands in parentheses.
func (c *conditions) cond(depth int, known map[string]bool) string {
	if depth == 0 {
		return c.atom(known)
	}
	switch c.IntN(6) {
	case 0:
		if x := c.cond(depth-1, known); x != "" {
			return "not (" + x + ")"
		}
	case 1, 2:
		op := pick(c.writer, []string{" and ", " or "})
		var parts []string
		for range 2 + c.IntN(2) {
			if x := c.cond(depth-1, known); x != "" {
				parts = append(parts, "("+x+")")
			}
		}
		return strings.Join(parts, op)
	case 3, 4:
		return c.guarded(depth, known)
	}
	return c.atom(known)
}

// guarded asks first whether an optional argument is there.
func (c *conditions) guarded(depth int, known map[string]bool) string {
	var names []string
	for _, f := range c.args {
		if f.optional && f.fallback == "" && !c.asked[f.name] {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return c.atom(known)
	}
	name := pick(c.writer, names)
	c.asked[name] = true
	with := maps.Clone(known)
	with[name] = true
	rest := c.cond(depth-1, with)
	if rest == "" {
		return name + pick(c.writer, []string{" present", " absent"})
	}
	return pick(c.writer, []string{
		name + " present and (" + rest + ")",
		name + " absent or (" + rest + ")",
		"not (" + name + " absent) and (" + rest + ")",
		"not (" + name + " absent or not (" + rest + "))",
	})
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
	maps.DeleteFunc(out, func(x string, _ typeExpr) bool { return c.read[x] })
	return out
}

// atom is a comparison, "" where nothing is left to compare.
func (c *conditions) atom(known map[string]bool) string {
	operands := c.readable(known)
	var able []string
	for _, x := range slices.Sorted(maps.Keys(operands)) {
		if t := operands[x]; t.constant != nil || len(partners(x, operands)) > 0 {
			able = append(able, x)
		}
	}
	if len(able) == 0 {
		return ""
	}
	x := pick(c.writer, able)
	c.read[x] = true
	t := operands[x]
	switch t.kind {
	case "bool":
		return pick(c.writer, []string{x, "not " + x, x + " == true", x + " != true"})
	case "int", "decimal":
		op := pick(c.writer, []string{"==", "!=", "<", "<=", ">", ">="})
		return fmt.Sprintf("%s %s %s", x, op, c.other(x, operands))
	case "enum":
		if len(t.members) > 2 && c.chance(50) {
			return fmt.Sprintf("%s in { %s }", x, strings.Join(c.distinct(2, t.members), ", "))
		}
	}
	return fmt.Sprintf("%s %s %s", x, pick(c.writer, []string{"==", "!="}), c.other(x, operands))
}

// partners are the operands that x can be compared with.
func partners(x string, operands map[string]typeExpr) []string {
	t := operands[x]
	var same []string
	for _, y := range slices.Sorted(maps.Keys(operands)) {
		o := operands[y]
		alike := o.kind == t.kind && (t.kind != "ref" && t.kind != "enum" || o.text == t.text)
		if t.kind == "int" { // of other bounds, the answer may be the same for all
			alike = alike && o.lo == t.lo && o.hi == t.hi
		}
		if y != x && alike {
			same = append(same, y)
		}
	}
	return same
}

// other is something to compare an operand with: another of its kind, or a
// constant.
func (c *conditions) other(x string, operands map[string]typeExpr) string {
	t := operands[x]
	if same := partners(x, operands); len(same) > 0 && (t.constant == nil || c.chance(60)) {
		y := pick(c.writer, same)
		c.read[y] = true
		return y
	}
	return t.constant(c.writer)
}
