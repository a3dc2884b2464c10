// Package printer writes the syntax tree in its one canonical form.
//
// The form, in short: two blanks of indentation; one statement a line; a block
// that its author wrote on one line stays on one line while it fits, with commas
// between its items, and any other has one item a line, without commas; rows of
// one kind on lines that follow each other are aligned; at most one blank line
// between two rows; a comment behind a row begins in one fixed column where the
// row leaves it room. Comments and docs are kept, in order.
package printer

import (
	"sort"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/source"
)

const (
	indentWidth   = 2
	maxWidth      = 100 // a row is broken where it would be wider
	commentColumn = 37  // columns before a comment behind a row
	commentGap    = 3   // at least so many blanks before it
)

// Print returns the canonical form of f. Printing what parses from it gives the
// same bytes, and its tree is that of f but for positions. f must have been
// parsed without a fault: a declaration that is not in the tree would be lost.
func Print(f *ast.File) []byte {
	p := &printer{src: f.Source, comments: f.Comments}
	if f.Package != nil {
		pkg := &row{doc: f.Doc, cells: []string{"package " + f.Package.Name}}
		pkg.place(f.Package.At)
		// The clause begins at its keyword, and a comment on its line is behind it.
		p.rows([]*row{pkg}, 0, true)
	}
	rows := make([]*row, 0, len(f.Decls))
	for _, d := range f.Decls {
		rows = append(rows, declRow(d))
	}
	if f.Package != nil && (len(rows) > 0 || p.next < len(p.comments)) {
		p.b.WriteByte('\n')
		p.fresh = true
	}
	p.rows(rows, 0, false)
	p.flush(len(p.text())+1, 0)
	return []byte(p.b.String())
}

// A row is a line: cells, and maybe a block behind them and more words behind
// the block.
type row struct {
	start, end int // bytes of the source; both 0 where there is none
	doc        ast.Doc
	// cells are separated by blanks. Within a cell, soft stands for a blank at
	// which the row may be broken.
	cells []string
	block *block
	tail  string

	// align is the kind of rows that this one is aligned with; "" for none.
	align string
	// widest is how wide a cell may be and still push its neighbours; a wider
	// one sticks out.
	widest int
}

// soft is a blank at which a row may be broken. No source contains it.
const soft = "\x00"

type block struct {
	rows   []*row
	items  bool // separated by commas when on one line
	inline bool // on one line
}

func (r *row) place(at ast.At) { r.start, r.end = at.Where.Start, at.Where.End }

type printer struct {
	src      *source.File
	comments []*ast.Comment
	next     int // the first comment that is not printed yet

	b     strings.Builder
	line  int  // of the source: where what was printed last ends
	fresh bool // a block has just begun, or a blank line has been written
}

func (p *printer) text() string {
	if p.src == nil {
		return ""
	}
	return p.src.Text()
}

func (p *printer) lineAt(off int) int {
	if p.src == nil {
		return 0
	}
	return p.src.LineAt(off)
}

// pending returns the next comment if it begins before offset end.
func (p *printer) pending(end int) *ast.Comment {
	if p.next < len(p.comments) && p.comments[p.next].Where.Start < end {
		return p.comments[p.next]
	}
	return nil
}

// gap writes a blank line if there was one in the source before line n.
func (p *printer) gap(n int) {
	if !p.fresh && p.line > 0 && n > p.line+1 {
		p.b.WriteByte('\n')
	}
	p.fresh = false
}

func (p *printer) indent(depth int) {
	for range depth * indentWidth {
		p.b.WriteByte(' ')
	}
}

// flush prints the comments that begin before offset end, a line each.
func (p *printer) flush(end, depth int) {
	for c := p.pending(end); c != nil; c = p.pending(end) {
		n := p.lineAt(c.Where.Start)
		p.gap(n)
		p.indent(depth)
		p.b.WriteString("//" + c.Text + "\n")
		p.line = n
		p.next++
	}
}

// rows prints rows, each on lines of its own, with the comments around them.
// first says that the rows open the file.
func (p *printer) rows(rows []*row, depth int, first bool) {
	if first {
		p.fresh = true
	}
	for _, r := range rows {
		r.settle(p, depth)
	}
	widths := p.columns(rows)
	for i, r := range rows {
		until := len(p.text()) + 1 // comments up to here may stand behind the row
		if i+1 < len(rows) {
			until = rows[i+1].start
		}
		p.row(r, widths[i], depth, until)
	}
}

// settle decides for every block of r whether it stays on one line.
func (r *row) settle(p *printer, depth int) {
	b := r.block
	if b == nil {
		return
	}
	for _, kid := range b.rows {
		kid.settle(p, depth+1)
	}
	oneLine := p.lineAt(r.start) == p.lineAt(r.end) || len(b.rows) == 0 && !p.commented(r)
	b.inline = b.inline && oneLine && (b.items || len(b.rows) <= 1)
	for _, kid := range b.rows {
		if len(kid.doc) > 0 || kid.block != nil && !kid.block.inline {
			b.inline = false
		}
	}
	if b.inline && depth*indentWidth+runeWidth(r.oneLine(nil)) > maxWidth {
		b.inline = false
	}
}

// commentAt is the index of the first comment that begins at offset off or later.
func (p *printer) commentAt(off int) int {
	return sort.Search(len(p.comments), func(i int) bool { return p.comments[i].Where.Start >= off })
}

// commented says whether a comment stands within r.
func (p *printer) commented(r *row) bool {
	i := p.commentAt(r.start)
	return i < len(p.comments) && p.comments[i].Where.Start < r.end
}

// row prints r, the comments that stand before it, and one behind it if it
// begins before offset until.
func (p *printer) row(r *row, widths []int, depth, until int) {
	// What stands within the row but not within its block cannot stay there: the
	// row is one line now.
	head := r.end
	if r.block != nil && !r.block.inline {
		head = r.start + 1
	}
	p.flush(r.start+1, depth)
	first := p.lineAt(r.start) - len(r.doc)
	p.gap(first)
	for c := p.pending(head); c != nil; c = p.pending(head) {
		p.indent(depth)
		p.b.WriteString("//" + c.Text + "\n")
		p.next++
	}
	for _, line := range r.doc {
		p.indent(depth)
		p.b.WriteString(strings.TrimRight("/// "+line, " ") + "\n")
	}
	p.indent(depth)
	if r.block == nil || r.block.inline {
		p.behind(p.wrap(r.oneLine(widths), depth), depth, r.end, until)
		return
	}
	inner := r.end
	if len(r.block.rows) > 0 {
		inner = r.block.rows[0].start
	}
	p.behind(p.wrap(r.head(widths)+" {", depth), depth, r.start, inner)
	p.fresh = true
	p.rows(r.block.rows, depth+1, false)
	p.flush(r.end, depth+1)
	p.fresh = false
	p.indent(depth)
	closing := "}"
	if r.tail != "" {
		closing += " " + r.tail
	}
	p.behind(closing, depth, r.end, until)
}

// behind writes the last line of a row, which ends at offset end of the source,
// and the comment behind it, if it begins on the same line and before until.
func (p *printer) behind(text string, depth, end, until int) {
	p.b.WriteString(text)
	p.line = p.lineAt(max(end-1, 0))
	if c := p.pending(until); c != nil && p.lineAt(c.Where.Start) == p.lineAt(end) {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		width := runeWidth(last)
		if len(last) == len(text) {
			width += depth * indentWidth
		}
		for range max(commentColumn-width, commentGap) {
			p.b.WriteByte(' ')
		}
		p.b.WriteString("//" + c.Text)
		p.next++
	}
	p.b.WriteByte('\n')
}

// head is the cells of the row, padded to widths.
func (r *row) head(widths []int) string {
	var b strings.Builder
	for i, c := range r.cells {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c)
		if i < len(widths) && (i+1 < len(r.cells) || r.block != nil) {
			for range widths[i] - runeWidth(c) {
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// oneLine is the whole row, its block included.
func (r *row) oneLine(widths []int) string {
	var b strings.Builder
	b.WriteString(r.head(widths))
	if r.block != nil {
		b.WriteString(" {")
		for i, kid := range r.block.rows {
			if i > 0 && r.block.items {
				b.WriteByte(',')
			}
			b.WriteString(" " + kid.oneLine(nil))
		}
		b.WriteString(" }")
	}
	if r.tail != "" {
		b.WriteString(" " + r.tail)
	}
	return b.String()
}

// wrap breaks a row that is too wide at its soft blanks; what follows a break is
// indented further than any row around it.
func (p *printer) wrap(s string, depth int) string {
	if depth*indentWidth+runeWidth(s) <= maxWidth {
		return strings.ReplaceAll(s, soft, " ")
	}
	var b strings.Builder
	width := depth * indentWidth
	for i, part := range strings.Split(s, soft) {
		w := runeWidth(part)
		switch {
		case i == 0:
		case width+1+w > maxWidth:
			width = (depth + 2) * indentWidth
			b.WriteString("\n" + strings.Repeat(" ", width))
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(part)
		width += w
	}
	return b.String()
}

// columns returns the widths of the cells of each row: rows of one kind, on
// lines that follow each other, share them.
func (p *printer) columns(rows []*row) [][]int {
	out := make([][]int, len(rows))
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[from].alignable() && rows[to].alignable() &&
			rows[to].align == rows[from].align && !p.apart(rows[to-1], rows[to]) {
			to++
		}
		if to-from > 1 {
			widths := shared(rows[from:to])
			for i := from; i < to; i++ {
				out[i] = widths
			}
		}
		from = to
	}
	return out
}

func (r *row) alignable() bool {
	return r.align != "" && (r.block == nil || r.block.inline)
}

// apart says whether the source has a blank line between two rows.
func (p *printer) apart(a, b *row) bool {
	line := p.lineAt(max(a.end-1, 0))
	for i := p.commentAt(a.end); i < len(p.comments) && p.comments[i].Where.Start < b.start; i++ {
		n := p.lineAt(p.comments[i].Where.Start)
		if n > line+1 {
			return true
		}
		line = n
	}
	return p.lineAt(b.start)-len(b.doc) > line+1
}

func shared(rows []*row) []int {
	var widths []int
	for _, r := range rows {
		n := len(r.cells) - 1
		if r.block != nil {
			n++
		}
		for i := range n {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if w := runeWidth(r.cells[i]); r.widest == 0 || w <= r.widest {
				widths[i] = max(widths[i], w)
			}
		}
	}
	return widths
}

// width is measured under one fixed condition: the default one of the library
// follows the environment.
var width = &runewidth.Condition{StrictEmojiNeutral: true}

// runeWidth is the columns that s takes; a soft blank is one.
func runeWidth(s string) int { return width.StringWidth(s) + strings.Count(s, soft) }
