package interp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
)

// Sum is a score taken apart.
type Sum struct {
	Parts []Part // the base row, then the factors in source order
	Total int
	Band  ir.Band // that holds the total
}

// Outcome that the band gives.
func (s Sum) Outcome() ir.Outcome { return s.Band.Outcome }

// MarshalJSON writes the sum with its outcome and band as words.
func (s Sum) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Parts   []Part `json:"parts"`
		Total   int    `json:"total"`
		Outcome string `json:"outcome"`
		Band    string `json:"band"`
	}{s.Parts, s.Total, s.Outcome().String(), bandText(s.Band)})
}

// Explain adds up the score of a tool. Traits come from the contract; given has a
// member for each attribute of the target that the table reads, by the factor's
// name as written ("target.tier"). What is missing, unknown or too much is an
// error that says what there is to choose from.
func (m *Machine) Explain(tool *ir.Tool, risk *ir.Risk, given map[string]string) (Sum, error) {
	if risk.BaseOf(tool) == nil {
		return Sum{}, fmt.Errorf("`%s` has no base row in `%s`", tool.Name, risk.Name)
	}
	var open []string // factors that the caller answers
	for _, f := range risk.Factors {
		if f.Trait == nil {
			open = append(open, f.Name)
		}
	}
	chosen := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f := factorNamed(risk, name)
		switch {
		case f == nil:
			return Sum{}, fmt.Errorf("`%s` has no factor `%s`%s", risk.Name, name, suggestion(name, open))
		case f.Trait != nil:
			if says := f.Enum.Members[tool.TraitOf(f.Trait)].Name; says != given[name] {
				return Sum{}, fmt.Errorf("`%s` comes from the contract of `%s`, which says `%s`", name, tool.Name, says)
			}
			continue
		}
		i := f.Enum.Index(given[name])
		if i < 0 {
			members := memberNames(f.Enum)
			return Sum{}, fmt.Errorf("`%s` is no member of `%s`, which has %s%s",
				given[name], f.Enum.Name, strings.Join(members, ", "), suggestion(given[name], members))
		}
		chosen[name] = i
	}
	for _, f := range risk.Factors {
		if _, ok := chosen[f.Name]; f.Trait == nil && !ok {
			return Sum{}, fmt.Errorf("`%s` is missing: say %s=MEMBER, one of %s",
				f.Name, f.Name, strings.Join(memberNames(f.Enum), ", "))
		}
	}
	return add(risk, tool, func(f *ir.Factor) int {
		if f.Trait != nil {
			return tool.TraitOf(f.Trait)
		}
		return chosen[f.Name]
	}), nil
}

func factorNamed(r *ir.Risk, name string) *ir.Factor {
	for _, f := range r.Factors {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func memberNames(e *ir.Enum) []string {
	var names []string
	for _, m := range e.Members {
		names = append(names, m.Name)
	}
	return names
}

// suggestion names the candidate that was most likely meant, if one is near; an
// attribute may have been given without saying whose it is.
func suggestion(got string, candidates []string) string {
	if slices.Contains(candidates, "target."+got) {
		return fmt.Sprintf("; did you mean `target.%s`?", got)
	}
	if near, ok := diag.Nearest(got, candidates); ok {
		return fmt.Sprintf("; did you mean `%s`?", near)
	}
	return ""
}

// String writes the sum as a person would: names, members and points in columns,
// the total below, and beside it the outcome and its band.
func (s Sum) String() string {
	rows := [][3]string{}
	for i, p := range s.Parts {
		rows = append(rows, [3]string{p.Name, p.Value, pointsText(p.Points, i > 0)})
	}
	rows = append(rows, [3]string{"total", "", fmt.Sprint(s.Total)})
	var widths [3]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "%-*s  %-*s  %*s", widths[0], row[0], widths[1], row[1], widths[2], row[2])
		if i == len(rows)-1 {
			fmt.Fprintf(&b, "   %s   (%s)", s.Band.Outcome, bandText(s.Band))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// pointsText: what is added has a sign, unless it adds nothing.
func pointsText(n int, added bool) string {
	if added && n > 0 {
		return fmt.Sprintf("+%d", n)
	}
	return fmt.Sprint(n)
}

// bandText is the range as the author wrote it, or would have.
func bandText(b ir.Band) string {
	if b.Text != "" {
		return b.Text
	}
	text := ".."
	if b.Lo != math.MinInt {
		text = fmt.Sprint(b.Lo) + text
	}
	if b.Hi != math.MaxInt {
		text += fmt.Sprint(b.Hi)
	}
	return text
}
