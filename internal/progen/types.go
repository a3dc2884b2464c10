package progen

import (
	"fmt"
	"strings"
)

// typeExpr is a type as written, with what a condition can say about it.
type typeExpr struct {
	text    string
	kind    string // bool, int, decimal, string, enum, ref
	members []string
	lo, hi  int
	scale   int
	pattern bool
	// constant is a value as an author writes it; nil where none can be made
	// without knowing more.
	constant func(*writer) string
}

func enumType(v vocabulary) typeExpr {
	return typeExpr{text: v.name, kind: "enum", members: v.members,
		constant: func(g *writer) string { return pick(g, v.members) }}
}

// someType is any type that a field may have.
func (g *writer) someType() typeExpr {
	switch n := g.IntN(10); {
	case n < 2 && len(g.types) > 0:
		return pick(g, g.types)
	case n == 2 && len(g.kinds) > 0:
		return typeExpr{text: "ref " + pick(g, g.kinds).name, kind: "ref"}
	}
	return g.inlineType()
}

func (g *writer) inlineType() typeExpr {
	switch g.IntN(7) {
	case 0:
		return typeExpr{text: "bool", kind: "bool", constant: func(g *writer) string {
			return pick(g, []string{"true", "false"})
		}}
	case 1:
		return g.intType()
	case 2, 4:
		scale := g.IntN(6)
		return typeExpr{text: fmt.Sprintf("decimal(%d)", scale), kind: "decimal", scale: scale,
			constant: func(g *writer) string { return g.decimal(scale) }}
	case 3:
		return enumType(pick(g, g.enums))
	}
	return g.stringType()
}

func (g *writer) intType() typeExpr {
	t := typeExpr{kind: "int"}
	switch g.IntN(4) {
	case 0:
		t.lo, t.hi = 0, 3+g.IntN(20)
	case 1:
		t.lo, t.hi = -g.IntN(50), 5+g.IntN(50)
	case 2:
		t.lo, t.hi = -900_000_000_000_000_000, 900_000_000_000_000_000
	case 3:
		t.lo, t.hi = 100, 100_000
	}
	t.text = fmt.Sprintf("int(%d..%d)", t.lo, t.hi)
	t.constant = func(g *writer) string { return fmt.Sprint(t.lo + 1 + g.IntN(min(t.hi-t.lo-1, 1000))) }
	if t.hi > 1<<40 {
		t.constant = func(g *writer) string { return fmt.Sprint(g.IntN(2000) - 1000) }
	}
	return t
}

// decimal is a numeral with at most so many digits after the point.
func (g *writer) decimal(scale int) string {
	sign := ""
	if g.chance(20) {
		sign = "-"
	}
	whole := pick(g, []int{0, 1, 12, 1_000_000})
	digits := g.IntN(scale + 1)
	if digits == 0 {
		return fmt.Sprintf("%s%d", sign, whole+1)
	}
	fraction := ""
	for range digits {
		fraction += fmt.Sprint(1 + g.IntN(9))
	}
	return fmt.Sprintf("%s%d.%s", sign, whole, fraction)
}

// Pieces of patterns; a pattern is one to three of them in a row.
var pieces = []string{
	`[A-Z]{2,3}`, `v[0-9]+`, `(?:ab|cd|é)`, `[^x-z]`, `\pL`, `-?`, `(?i)ok`, `[0-9a-f]*`, `日?`, `\d{1,4}`, `.`,
	`(?:a|b)*a(?:a|b)`, `[[:upper:]]`, `\.`, `[^\n\x{4e00}-\x{9fff}]{1,3}`, `\s?`,
}

func (g *writer) stringType() typeExpr {
	t := typeExpr{kind: "string", lo: g.IntN(3), hi: 8 + g.IntN(60)}
	t.text = fmt.Sprintf("string(%d..%d)", t.lo, t.hi)
	if g.chance(60) {
		t.pattern = true
		var p strings.Builder
		if g.chance(15) {
			p.WriteString("^")
		}
		for range 1 + g.IntN(3) {
			p.WriteString(pick(g, pieces))
		}
		if g.chance(15) {
			p.WriteString("$")
		}
		t.text += " /" + p.String() + "/"
		return t
	}
	t.constant = func(g *writer) string { return fmt.Sprintf("%q", pick(g, nouns)[:max(3, t.lo)]) }
	return t
}
