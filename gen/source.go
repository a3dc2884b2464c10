package gen

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/provlang/prov/compiler/ir"
)

// What the sources say, for comments: positions, types and conditions in the
// words of the language.

// at is a position as a reader writes it.
func at(p ir.Pos) string { return fmt.Sprintf("%s:%d", printable(p.File), p.Line) }

// printable is text that stands inside a line of a comment: as it is where it is
// printable, quoted where it is not.
func printable(s string) string {
	for _, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return strconv.Quote(s)
		}
	}
	return s
}

// text is a condition as a .prov file says it.
func (w *condWriter) text(c ir.Cond, context int) string {
	join := func(args []ir.Cond, word string, bind int) string {
		parts := make([]string, len(args))
		for i, a := range args {
			parts[i] = w.text(a, bind)
		}
		s := strings.Join(parts, word)
		if context != 0 && context != bind {
			return "(" + s + ")"
		}
		return s
	}
	switch c := c.(type) {
	case ir.And:
		return join(c.Args, " and ", bindAnd)
	case ir.Or:
		return join(c.Args, " or ", bindOr)
	case ir.Not:
		return "not " + w.text(c.X, bindNot)
	case ir.Compare:
		return w.operandText(c.X) + " " + c.Op.String() + " " + w.operandText(c.Y)
	case ir.In:
		parts := make([]string, len(c.Set))
		for i, v := range c.Set {
			parts[i] = valueText(v, c.X.Of())
		}
		return w.operandText(c.X) + " in { " + strings.Join(parts, ", ") + " }"
	case ir.Present:
		return w.tool.Args[c.Arg].Name + " present"
	case ir.Truth:
		return w.operandText(c.X)
	}
	return ""
}

func (w *condWriter) operandText(o ir.Operand) string {
	switch o := o.(type) {
	case ir.Arg:
		return w.tool.Args[o.Index].Name
	case ir.Target:
		return "target." + w.tool.Target.Attrs[o.Attr].Name
	case ir.Result:
		return "result." + w.tool.Verify.By.Result[o.Index].Name
	case ir.Const:
		return valueText(o.Value, o.Type)
	}
	return ""
}

func valueText(v ir.Value, t *ir.Type) string {
	switch t.Kind {
	case ir.Bool:
		return fmt.Sprint(v.N == 1)
	case ir.Int:
		return fmt.Sprint(v.N)
	case ir.Decimal:
		return decimalText(v.N, t.Scale)
	case ir.EnumType:
		return t.Enum.Members[v.N].Name
	default:
		return fmt.Sprintf("%q", v.S)
	}
}

func decimalText(n int64, scale int) string {
	sign := ""
	if n < 0 {
		sign = "-"
	}
	digits := strings.TrimPrefix(fmt.Sprint(n), "-")
	if scale == 0 {
		return sign + digits
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// unitText says what an integer that stands for a decimal counts.
func unitText(scale int) string {
	if scale == 0 {
		return "whole units"
	}
	return "units of 0." + strings.Repeat("0", scale-1) + "1"
}

// typeText is a type as the sources write it out, whatever its name.
func typeText(t *ir.Type) string {
	switch t.Kind {
	case ir.Bool:
		return "bool"
	case ir.Int:
		return fmt.Sprintf("int(%d..%d)", t.Lo, t.Hi)
	case ir.Decimal:
		return fmt.Sprintf("decimal(%d)", t.Scale)
	case ir.EnumType:
		return t.Enum.Name
	case ir.Ref:
		return "ref " + t.Entity.Name
	}
	s := fmt.Sprintf("string(%d..%d)", t.Lo, t.Hi)
	if t.Lo == t.Hi {
		s = fmt.Sprintf("string(%d)", t.Lo)
	}
	if t.Pattern != nil {
		s += " /" + t.Pattern.Source + "/"
	}
	return s
}

// fieldText is a field as the sources write it.
func fieldText(f *ir.Field) string {
	s := f.Name + " "
	if f.Type.Name != "" {
		s += f.Type.Name
	} else {
		s += typeText(f.Type)
	}
	if f.Optional {
		s += " optional"
	}
	if f.Default != nil {
		s += " default " + valueText(*f.Default, f.Type)
	}
	if f.Sensitive {
		s += " sensitive"
	}
	return s
}

// bandText is a band as the source says it: `notify 4..6`.
func bandText(b ir.Band) string {
	lo, hi := "", ""
	if b.Lo != math.MinInt {
		lo = fmt.Sprint(b.Lo)
	}
	if b.Hi != math.MaxInt {
		hi = fmt.Sprint(b.Hi)
	}
	return fmt.Sprintf("%s %s..%s", b.Outcome, lo, hi)
}
