// Package sentence writes made-up sentences of the grammar as .prov text, for the
// tests of parser and printer.
package sentence

import (
	"math/rand/v2"
	"strings"
)

// Text writes terminals of the grammar as a file, with blanks, line ends and
// comments as an author might set them. names are what NAME may become.
func Text(r *rand.Rand, terminals []string, names []string) string {
	var b strings.Builder
	depth := 0
	line := true // at the beginning of a line
	for _, t := range terminals {
		if t == "NEWLINE" {
			b.WriteString([]string{"\n", "\n\n", " // why\n", "\r\n", "\n// above\n", "\n\n\t// above\n\n"}[r.IntN(6)])
			line = true
			continue
		}
		if t == "DOC" {
			if !line {
				b.WriteByte('\n')
			}
			b.WriteString("/// because\n")
			line = true
			continue
		}
		switch {
		case !line:
			b.WriteByte(' ')
		case depth > 0:
			b.WriteString([]string{"  ", "\t", "  "}[r.IntN(3)])
		}
		line = false
		switch t {
		case "NAME":
			b.WriteString(names[r.IntN(len(names))])
		case "STRING":
			b.WriteString([]string{`""`, `"a b"`, `"\"\\\u{1F600}ü"`}[r.IntN(3)])
		case "NUMBER":
			b.WriteString([]string{"0", "12", "+2", "-3.10", "0.0200"}[r.IntN(5)])
		case "DURATION":
			b.WriteString([]string{"30s", "2m", "4h", "30d", "5ms"}[r.IntN(5)])
		case "RANGE":
			b.WriteString([]string{"0..3", "7..", "..3", "-1.50..2"}[r.IntN(4)])
		case "PATTERN":
			b.WriteString([]string{"/v[0-9]+/", `/a\/b{2}/`}[r.IntN(2)])
		default:
			word := strings.Trim(t, `"`)
			b.WriteString(word)
			switch word {
			case "{":
				depth++
			case "}":
				depth--
			}
		}
		// The scanner takes up a line after these, so a line end means nothing.
		if (t == `"{"` || t == `","` || t == `"and"`) && r.IntN(4) == 0 {
			b.WriteString([]string{"\n", " // because\n", "\n  // below\n"}[r.IntN(3)])
			line = true
		}
	}
	b.WriteString([]string{"", "\n"}[r.IntN(2)])
	return b.String()
}
