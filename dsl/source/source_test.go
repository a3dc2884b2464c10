package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPosition(t *testing.T) {
	const text = "ab\r\n\té\r日\xff\n"
	tests := []struct {
		off  int
		want Position
	}{
		{-1, Position{1, 1}},
		{0, Position{1, 1}},
		{2, Position{1, 3}},  // at CR
		{3, Position{1, 4}},  // at LF of a CRLF
		{4, Position{2, 1}},  // a tab is one column
		{5, Position{2, 2}},  // a letter of two bytes is one
		{7, Position{2, 3}},  // a lone CR ends a line
		{8, Position{3, 1}},  // a wide character is one
		{11, Position{3, 2}}, // an invalid byte is one
		{12, Position{3, 3}},
		{13, Position{4, 1}},
		{99, Position{4, 1}},
	}
	f := NewFile("x.prov", text)
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, f.Position(tt.off)); diff != "" {
			t.Errorf("offset %d (-want +got):\n%s", tt.off, diff)
		}
		if got := f.LineAt(min(max(tt.off, 0), len(text))); got != tt.want.Line {
			t.Errorf("offset %d: line %d, want %d", tt.off, got, tt.want.Line)
		}
	}
	var lines []string
	for n := range f.Lines() + 2 {
		lines = append(lines, f.Line(n))
	}
	if diff := cmp.Diff([]string{"", "ab", "\té", "日\xff", "", ""}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestSpan(t *testing.T) {
	f, g := NewFile("f", "hello\nworld"), NewFile("g", "")
	if got := f.Span(3, 99).Text(); got != "lo\nworld" {
		t.Errorf("a span past the end is %q", got)
	}
	if got := f.Span(4, 2); got.Start != 4 || got.End != 4 {
		t.Errorf("a span that ends before it starts is [%d, %d)", got.Start, got.End)
	}
	if got := f.Span(6, 8).To(f.Span(1, 2)); got != f.Span(1, 8) {
		t.Errorf("the span over two is [%d, %d)", got.Start, got.End)
	}
	if got := f.Span(1, 2).To(g.Span(0, 0)); got != f.Span(1, 2) {
		t.Error("a span into another file moved")
	}
	if got := (Span{}).To(f.Span(1, 2)); got != f.Span(1, 2) {
		t.Error("a span from nowhere is not the other")
	}
	if (Span{}).Valid() || (Span{}).Text() != "" || (Span{}).Line() != 0 {
		t.Error("nowhere is somewhere")
	}
	if got := f.Span(6, 7).Line(); got != 2 {
		t.Errorf("line %d", got)
	}
}
