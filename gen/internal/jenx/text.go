package jenx

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxComment bounds one line of a comment, in bytes; what is longer is cut.
const maxComment = 400

// comments turns text into the lines of a `//` comment. Whatever the text holds,
// each line stays a comment, and none is a directive to a Go tool: a space
// stands after the slashes, and a line that a tool would still read as one is
// quoted.
func comments(text string) []string {
	var out []string
	for _, line := range splitLines(text) {
		line = strings.TrimRight(clean(line), " \t")
		switch {
		case line == "":
			out = append(out, "//")
		case directive(line):
			out = append(out, fmt.Sprintf("// %q", line))
		default:
			out = append(out, "// "+line)
		}
	}
	return out
}

// comment is one line of comment, whatever the text holds.
func comment(text string) string {
	return strings.Join(comments(strings.Join(splitLines(text), " ")), " ")
}

// lineEnds is what Go, or an editor, sees as the end of a line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

func splitLines(text string) []string { return strings.Split(lineEnds.Replace(text), "\n") }

// clean replaces what could end a comment, hide in it, or reorder it on a
// screen: control characters, invalid UTF-8, byte-order marks, and the marks that
// change the direction of text.
func clean(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		switch {
		case b.Len() > maxComment:
			b.WriteString(" ...")
			return b.String()
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, line[i])
		case r == '\t', unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

// directive says whether a Go tool reads a comment line with this text as an
// instruction although a space stands before it.
func directive(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, "+build") || strings.HasPrefix(line, "go:") || strings.HasPrefix(line, "line ")
}
