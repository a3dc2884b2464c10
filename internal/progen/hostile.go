package progen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
)

// spoil does one thing to a proposal that keeps it, as a rule, from fitting.
func (m *maker) spoil(t *ir.Tool, object, args []pair) (o, a []pair) {
	junk := m.junk()
	switch m.IntN(18) {
	case 0: // something left out
		object = m.without(object)
	case 1:
		args = m.without(args)
	case 2: // something that rates
		object = append(object, pair{[]string{"confidence", "risk", "severity", "reason", "score"}[m.IntN(5)], junk})
	case 3:
		args = append(args, pair{[]string{"confidence", "approved", "force", "Tool"}[m.IntN(4)], junk})
	case 4: // for another tenant, or so it says
		claim := pair{[]string{"tenant", "tenant_id"}[m.IntN(2)], m.quote([]string{Tenant, Another, ""}[m.IntN(3)])}
		if m.chance(15) {
			claim.value = junk
		}
		if m.chance(50) {
			object = append(object, claim)
		} else {
			args = append(args, claim)
		}
	case 5: // given twice
		if len(object) > 0 {
			object = append(object, object[m.IntN(len(object))])
		}
	case 6:
		if len(args) > 0 {
			args = append(args, args[m.IntN(len(args))])
		}
	case 7: // of another type
		if len(object) > 0 {
			object = slices.Clone(object)
			object[m.IntN(len(object))].value = junk
		}
	case 8:
		if len(args) > 0 {
			args = slices.Clone(args)
			args[m.IntN(len(args))].value = junk
		}
	case 9: // what the contract does not take
		object = append(object, pair{[]string{"target", "cause", "rests_on", "args"}[m.IntN(4)], junk})
	case 10: // another tool
		object = slices.Clone(object)
		for i := range object {
			if object[i].name == "tool" {
				other := m.program.Tools[m.IntN(len(m.program.Tools))].Name
				object[i].value = m.quote([]string{other, "no_such_tool", strings.ToUpper(other), ""}[m.IntN(4)])
			}
		}
	default: // a value that nearly fits
		if i := m.IntN(len(t.Args) + 1); i < len(t.Args) {
			name := t.Args[i].Name
			args = slices.DeleteFunc(slices.Clone(args), func(p pair) bool { return p.name == name })
			args = append(args, pair{name, m.nearly(t.Args[i].Type)})
			if !slices.ContainsFunc(object, func(p pair) bool { return p.name == "args" }) {
				object = append(object, pair{"args", ""})
			}
		}
	}
	return object, args
}

func (m *maker) without(pairs []pair) []pair {
	if len(pairs) == 0 {
		return pairs
	}
	i := m.IntN(len(pairs))
	return slices.Concat(pairs[:i], pairs[i+1:])
}

// junk is a JSON value that is hardly ever what is wanted.
func (m *maker) junk() string {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	list := []string{
		"null", "true", "0", "0.97", "1e3", "-0", "[]", "{}", `""`, `"high"`, `"12.50"`, `["o1"]`, `[1]`,
		`{"x":1,"x":2}`, `{"x":{"tenant":"south"}}`, `"` + strings.Repeat("x", 201) + `"`,
		nest(6), nest(7), nest(8), `{"a":[{"b":[{"c":[{"d":1}]}]}]}`, `"\ud800"`, `"\u0000"`, "\"tab\there\"",
		"tru", "01", "+1", ".5", "1.", "nan", "'x'", "",
	}
	return list[m.IntN(len(list))]
}

// nearly is the text of a value that misses the type by little, or just fits it.
func (m *maker) nearly(t *ir.Type) string {
	switch t.Kind {
	case ir.Bool:
		return []string{`"true"`, "1", "null", "True"}[m.IntN(4)]
	case ir.Int:
		return []string{
			fmt.Sprint(t.Hi), fmt.Sprint(t.Lo), fmt.Sprintf("%d0", t.Hi), fmt.Sprint(t.Hi + 1), fmt.Sprint(t.Lo - 1),
			fmt.Sprintf("%d.0", t.Lo), "1e0", "-0", "99999999999999999999", "-99999999999999999999",
			fmt.Sprintf("%q", fmt.Sprint(t.Lo)),
		}[m.IntN(11)]
	case ir.Decimal:
		return []string{
			`"1.` + strings.Repeat("0", t.Scale+1) + `"`, `"1.` + strings.Repeat("5", t.Scale) + `"`, `"-0"`,
			`"-0.00"`, `"+1"`, `"01"`, `"1."`, `".5"`, `"1e2"`, `""`, `" 1"`, `"1 "`, "1", "1.5", `"0x1"`, `"١"`, `"-"`,
			`"9223372036854775807"`, `"-9223372036854775808"`, `"9223372036854775808"`, `"99999999999999999999999"`,
			`"-99999999999999999999999.5"`, `"--1"`, `"1_000"`, `"0.0"`, `"0"`,
		}[m.IntN(26)]
	case ir.EnumType:
		name := t.Enum.Members[0].Name
		return []string{m.quote(strings.ToUpper(name)), m.quote(name + " "), "0", `""`, "null"}[m.IntN(5)]
	case ir.Ref:
		return []string{`""`, `"z"`, `"nowhere"`, "1", `"` + strings.Repeat("é", 100) + `"`, `"` + strings.Repeat("é", 101) + `"`}[m.IntN(6)]
	}
	text, _ := m.text(t)
	s := []rune(text)
	switch m.IntN(5) {
	case 0:
		return m.quote(string(s) + "\n")
	case 1:
		if len(s) > 0 {
			others := []rune("x\x00é日A0 \u212a")
			s[m.IntN(len(s))] = others[m.IntN(len(others))]
		}
	case 2:
		s = s[:m.IntN(len(s)+1)]
	case 3:
		s = append(s, s...)
	case 4:
		s = []rune(strings.Repeat("é", int(t.Hi)+m.IntN(2)))
	}
	return m.quote(string(s))
}

// spoilText breaks the text itself.
func (m *maker) spoilText(text string) string {
	i := m.IntN(len(text) + 1)
	switch m.IntN(9) {
	case 0:
		return text[:i]
	case 1:
		return text[:i] + "\xff" + text[i:]
	case 2:
		return text + " {}"
	case 3:
		return text[:i] + string(`{}[],:"0\ x`[m.IntN(11)]) + text[i:]
	case 4:
		return "[" + text + "]"
	case 5:
		return ""
	case 6:
		return "null"
	case 7:
		return text[:i] + strings.Repeat(" ", 64<<10) + text[i:]
	}
	return "\ufeff" + text
}
