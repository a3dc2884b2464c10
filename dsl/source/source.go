// Package source holds .prov files as text: names, byte spans and the line
// index. Everything upstream of a renderer speaks in byte spans; line and
// column are computed here, and only when something is shown to a person.
package source

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// File is one .prov file. It is immutable once made.
type File struct {
	name  string
	text  string
	lines []int // byte offset at which each line starts; lines[0] == 0
}

// NewFile indexes text under name. The name is shown to people and goes into
// generated headers, so it is a slash-separated path relative to the package's
// folder or to the working folder, never an absolute one.
func NewFile(name, text string) *File {
	f := &File{name: name, text: text, lines: []int{0}}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			f.lines = append(f.lines, i+1)
		case '\r':
			// CRLF is one line end. A lone CR is counted as one, so that a place in
			// a file can be shown; the parser refuses the file.
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Name is the name given to NewFile.
func (f *File) Name() string { return f.name }

// Text is the whole text, byte for byte as read.
func (f *File) Text() string { return f.text }

// Span makes a span over bytes [start, end) of f, clamped to the text.
func (f *File) Span(start, end int) Span {
	start = min(max(start, 0), len(f.text))
	end = min(max(end, start), len(f.text))
	return Span{File: f, Start: start, End: end}
}

// Lines is the number of lines. An empty file has one; a final line end opens
// no further line that a reader would count, but has an index of its own here.
func (f *File) Lines() int { return len(f.lines) }

// Line returns line n (1-based) without its line end.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.text)
	if n < len(f.lines) {
		end = f.lines[n]
	}
	return strings.TrimRight(f.text[f.lines[n-1]:end], "\r\n")
}

// Position is a place as people count: line and column from 1. The column
// counts Unicode code points, a tab being one; an invalid byte counts one.
type Position struct{ Line, Column int }

// LineAt is the line, from 1, of a byte offset. Unlike Position it does not look
// at the text, so it costs the same on a line of any length.
func (f *File) LineAt(off int) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > off })
}

// Position of a byte offset. Offsets past the end give the end.
func (f *File) Position(off int) Position {
	off = min(max(off, 0), len(f.text))
	n := f.LineAt(off)
	start := f.lines[n-1]
	return Position{Line: n, Column: utf8.RuneCountInString(f.text[start:off]) + 1}
}

// Span is bytes [Start, End) of a file. The zero Span is "no place".
type Span struct {
	File       *File
	Start, End int
}

// Valid says whether the span is a place in a file.
func (s Span) Valid() bool { return s.File != nil }

// Text is what the span covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.text[s.Start:s.End]
}

// To is the span from the start of s to the end of t, both in one file.
func (s Span) To(t Span) Span {
	switch {
	case !s.Valid():
		return t
	case !t.Valid() || t.File != s.File:
		return s
	}
	return Span{File: s.File, Start: min(s.Start, t.Start), End: max(s.End, t.End)}
}

// Start position and end position of the span, for renderers.
func (s Span) Positions() (start, end Position) {
	if s.File == nil {
		return Position{}, Position{}
	}
	return s.File.Position(s.Start), s.File.Position(s.End)
}

// Line is the line on which the span starts, 0 for no place. It is what
// travels into generated Go as `file:line`.
func (s Span) Line() int {
	if s.File == nil {
		return 0
	}
	return s.File.LineAt(s.Start)
}
