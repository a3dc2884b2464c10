package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/provlang/prov/dsl/source"
)

// TextOptions is how WriteText writes.
type TextOptions struct {
	Color bool // ANSI colours, for a terminal
}

// WriteText writes findings for people, in the order given:
//
//	desk.prov:7:10: error[P123]: expected a range such as `0..3`, found `7`
//	  |
//	7 |   allow  7
//	  |          ^
//	  = help: write `7..7` for this one value, `7..` for this value and all above
//
// Line and column count from 1, the column in code points. The underline stands
// exactly below its span in a terminal: tabs are shown as blanks up to the next
// fourth column, wide characters take two columns, and what cannot be shown is
// replaced. The bytes depend on nothing but the arguments.
func WriteText(w io.Writer, list []*Diagnostic, o TextOptions) error {
	t := textWriter{color: o.Color}
	for i, d := range list {
		if i > 0 {
			t.b.WriteByte('\n')
		}
		t.finding(d)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type textWriter struct {
	b     strings.Builder
	color bool
}

const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
)

// paint writes s in a colour.
func (t *textWriter) paint(color, s string) {
	if t.color && s != "" {
		t.b.WriteString("\x1b[" + color + "m" + s + "\x1b[0m")
		return
	}
	t.b.WriteString(s)
}

func (t *textWriter) finding(d *Diagnostic) {
	color := red
	if d.Severity() == Warning {
		color = yellow
	}
	if d.Span.Valid() {
		t.paint(bold, place(d.Span)+":")
		t.b.WriteByte(' ')
	}
	t.paint(color, fmt.Sprintf("%s[%s]:", d.Severity(), d.Code))
	t.b.WriteByte(' ')
	t.paint(bold, visible(d.Message))
	t.b.WriteByte('\n')

	gutter := t.gutter(d)
	if d.Span.Valid() {
		t.snippet(d.Span, gutter, '^', color, d.Label)
	}
	for _, l := range d.Related {
		if !l.Span.Valid() {
			t.remark(gutter, "see", l.Text)
			continue
		}
		t.b.WriteString(strings.Repeat(" ", gutter))
		t.paint(blue, "-->")
		t.b.WriteString(" " + place(l.Span) + ": " + visible(l.Text) + "\n")
		t.snippet(l.Span, gutter, '-', blue, "")
	}
	for _, n := range d.Notes {
		t.remark(gutter, "note", n)
	}
	for _, h := range d.Helps {
		t.remark(gutter, "help", h)
	}
}

// place is `file:line:column`.
func place(s source.Span) string {
	start, _ := s.Positions()
	return fmt.Sprintf("%s:%d:%d", visible(s.File.Name()), start.Line, start.Column)
}

// gutter is the width of the widest line number that is shown.
func (t *textWriter) gutter(d *Diagnostic) int {
	widest := d.Span.Line()
	for _, l := range d.Related {
		widest = max(widest, l.Span.Line())
	}
	return len(strconv.Itoa(widest))
}

func (t *textWriter) remark(gutter int, kind, text string) {
	t.b.WriteString(strings.Repeat(" ", gutter+1))
	t.paint(blue, "=")
	t.b.WriteByte(' ')
	t.paint(bold, kind+":")
	t.b.WriteString(" " + visible(text) + "\n")
}

// snippet writes the line on which s starts, and marks s in it.
func (t *textWriter) snippet(s source.Span, gutter int, mark byte, color, label string) {
	start, _ := s.Positions()
	line := s.File.Line(start.Line)
	lineStart := s.Start - prefixLen(line, start.Column-1)
	from := min(s.Start-lineStart, len(line))
	to := min(max(s.End-lineStart, from), len(line))
	shown, col, width := layout(line, from, to)

	blank := strings.Repeat(" ", gutter)
	t.paint(blue, blank+" |")
	t.b.WriteByte('\n')
	t.paint(blue, fmt.Sprintf("%*d |", gutter, start.Line))
	if shown != "" {
		t.b.WriteString(" " + shown)
	}
	t.b.WriteByte('\n')
	t.paint(blue, blank+" |")
	t.b.WriteString(" " + strings.Repeat(" ", col))
	t.paint(color, strings.Repeat(string(mark), max(width, 1)))
	if label != "" {
		t.b.WriteByte(' ')
		t.paint(color, visible(label))
	}
	t.b.WriteByte('\n')
}

// prefixLen is the length in bytes of the first n characters of line.
func prefixLen(line string, n int) int {
	i := 0
	for ; n > 0 && i < len(line); n-- {
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
	}
	return i
}

const (
	tabStop = 4
	// A line wider than this is cut, so that a long one does not bury the message.
	maxWidth = 160
	maxBytes = 4096
	context  = 60 // columns that stay before the mark in a line that is cut
	ellipsis = "..."
)

// layout turns a line into what a terminal shows, and returns in which column
// bytes [from, to) begin there, and how many columns they take.
func layout(line string, from, to int) (shown string, col, width int) {
	// Of a line of megabytes only the neighbourhood is looked at. Both sides stay
	// wider than what is cut below.
	if len(line) > maxBytes {
		lo, hi := max(from-maxBytes/4, 0), min(from+maxBytes/2, len(line))
		for lo > 0 && !utf8.RuneStart(line[lo]) {
			lo--
		}
		for hi < len(line) && !utf8.RuneStart(line[hi]) {
			hi++
		}
		line, from, to = line[lo:hi], from-lo, min(to, hi)-lo
	}
	var b strings.Builder
	at := 0
	cells := make([]int, 0, len(line)) // byte offset in b at which each column begins
	put := func(s string, w int) {
		for range w {
			cells = append(cells, b.Len())
		}
		b.WriteString(s)
		at += w
	}
	start, end := -1, -1
	for i := 0; i < len(line); {
		if i >= from && start < 0 {
			start = at
		}
		if i >= to && end < 0 {
			end = at
		}
		c, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case c == '\t':
			w := tabStop - at%tabStop
			put(strings.Repeat(" ", w), w)
		default:
			c = visibleRune(c)
			put(string(c), runeWidth(c))
		}
		i += size
	}
	if start < 0 {
		start = at
	}
	if end < 0 {
		end = at
	}
	shown = b.String()
	if at <= maxWidth {
		return strings.TrimRight(shown, " "), start, end - start
	}
	// Cut: keep some columns before the mark, and as many after as fit.
	left := max(min(start-context, at-maxWidth), 0)
	right := min(left+maxWidth, at)
	text := shown[cells[left]:]
	if right < at {
		text = shown[cells[left]:cells[right]] + ellipsis
	}
	offset := 0
	if left > 0 {
		text = ellipsis + text
		offset = len(ellipsis)
	}
	return text, start - left + offset, min(end, right) - start
}

// width is measured under one fixed condition: the default one of the library
// follows the environment, and output would follow with it.
var width = &runewidth.Condition{StrictEmojiNeutral: true}

func runeWidth(c rune) int { return width.RuneWidth(c) }

// visible replaces what a terminal would not show, or would obey.
func visible(s string) string { return strings.Map(visibleRune, s) }

func visibleRune(c rune) rune {
	switch {
	case c < 0x20:
		return 0x2400 + c // its picture
	case c == 0x7f:
		return '\u2421'
	case c >= 0x80 && c <= 0x9f, c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069,
		c == 0x2028, c == 0x2029, c == 0xfeff:
		return utf8.RuneError
	}
	return c
}
