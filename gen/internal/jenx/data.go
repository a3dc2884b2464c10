package jenx

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// Data writes one composite literal of constants. It is text from the start,
// because tables are most of what is generated and a tree of a hundred thousand
// rows costs more than the rows; so what it writes is checked here: types and
// keys are the generator's own words, everything else is a number, a quoted
// string, a checked identifier or a comment.
//
// There is no way to write a call, so a table never needs an init.
//
// A literal without comments, in which every struct lies on one line, comes out
// as gofmt would print it; see File.Bulk.
type Data struct {
	parts []part // what is finished, up to the first mention of each import
	b     []byte
	named [len(imports)]bool
	open  []level
	keyed bool
	trail string
	loose bool // gofmt would align something
}

type level struct {
	layout Layout
	n      int
}

// Layout of a literal's elements.
type Layout int

const (
	Line  Layout = iota // all on one line
	Rows                // one a line
	Dense               // sixteen a line
)

const denseRow = 16

// Slice begins []elem{ of an element type of package policy, or of a
// predeclared one.
func (d *Data) Slice(elem string, l Layout) { d.begin("[]", typeName(elem), l) }

// Struct begins T{.
func (d *Data) Struct(t string, l Layout) { d.begin("", typeName(t), l) }

// Pointer begins &T{.
func (d *Data) Pointer(t string, l Layout) { d.begin("&", typeName(t), l) }

// Elem begins { inside a slice, whose type says what it is.
func (d *Data) Elem(l Layout) { d.begin("", "", l) }

// Named begins []T{ of a type of the generated package.
func (d *Data) Named(t Ident, l Layout) { d.begin("[]", t.must(), l) }

func (d *Data) begin(prefix, t string, l Layout) {
	d.item()
	d.b = append(d.b, prefix...)
	if name, ok := strings.CutPrefix(t, "policy."); ok {
		d.ref(Policy, name)
	} else {
		d.b = append(d.b, t...)
	}
	d.b = append(d.b, '{')
	d.open = append(d.open, level{layout: l})
}

// End closes what was begun last.
func (d *Data) End() {
	top := d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
	if top.layout != Line && top.n > 0 {
		d.b = append(d.b, ',')
		d.flush()
		d.newline()
	}
	d.b = append(d.b, '}')
}

// item stands before every value: it separates it from the one before.
func (d *Data) item() {
	if d.keyed {
		d.keyed = false
		return
	}
	if len(d.open) == 0 {
		return
	}
	top := &d.open[len(d.open)-1]
	if top.n > 0 {
		d.b = append(d.b, ',')
		d.flush()
	}
	switch {
	case top.layout == Rows, top.layout == Dense && top.n%denseRow == 0:
		d.newline()
	case top.n > 0:
		d.b = append(d.b, ' ')
	}
	top.n++
}

// newline ends a line, and indents the next one.
func (d *Data) newline() {
	d.b = append(d.b, '\n')
	for range d.open {
		d.b = append(d.b, '\t')
	}
}

func (d *Data) flush() {
	if d.trail != "" {
		d.b = append(d.b, ' ')
		d.b = append(d.b, d.trail...)
		d.trail = ""
	}
}

// Note is a comment on lines of its own before the next element; only in Rows.
func (d *Data) Note(text string) {
	top := &d.open[len(d.open)-1]
	if top.layout != Rows {
		panic("jenx: a comment inside a line")
	}
	if top.n > 0 {
		d.b = append(d.b, ',')
		d.flush()
	}
	d.loose = true
	for _, l := range comments(text) {
		d.b = append(d.b, '\n')
		d.b = append(d.b, l...)
	}
	top.n = 0 // the separator is written
}

// Beside is a comment behind the element that was written last; only in Rows.
func (d *Data) Beside(text string) {
	if d.open[len(d.open)-1].layout != Rows {
		panic("jenx: a comment inside a line")
	}
	d.trail, d.loose = comment(text), true
}

// Key begins Name: of a struct's member.
func (d *Data) Key(name string) *Data {
	if d.open[len(d.open)-1].layout != Line {
		d.loose = true
	}
	d.item()
	d.b = append(d.b, Fixed(name).name...)
	d.b = append(d.b, ": "...)
	d.keyed = true
	return d
}

// Str writes a string literal.
func (d *Data) Str(s string) {
	d.item()
	d.b = strconv.AppendQuote(d.b, s)
}

// Long writes a string literal, broken into pieces of n bytes, one a line.
func (d *Data) Long(s string, n int) {
	d.item()
	d.loose = true
	for i := 0; i < len(s); i += n {
		if i > 0 {
			d.b = append(d.b, " +\n"...)
		}
		d.b = strconv.AppendQuote(d.b, s[i:min(i+n, len(s))])
	}
	if s == "" {
		d.b = append(d.b, `""`...)
	}
}

// Int writes an integer.
func (d *Data) Int(n int64) {
	d.item()
	d.b = append(d.b, integer(n)...)
}

// Bool writes true or false.
func (d *Data) Bool(v bool) {
	d.item()
	d.b = strconv.AppendBool(d.b, v)
}

// Name writes the name of a constant, a function or a table of the package.
func (d *Data) Name(id Ident) {
	d.item()
	d.b = append(d.b, id.must()...)
}

// Addr writes the address of a table of the package.
func (d *Data) Addr(id Ident) {
	d.item()
	d.b = append(d.b, '&')
	d.b = append(d.b, id.must()...)
}

// Const writes a constant of an import, times n where n is not 1.
func (d *Data) Const(p Import, name string, n int64) {
	d.item()
	if n != 1 {
		d.b = append(d.b, integer(n)...)
		d.b = append(d.b, " * "...)
	}
	d.ref(p, name)
}

// ref writes p.name. The first time it goes through jennifer, which collects the
// imports of the file.
func (d *Data) ref(p Import, name string) {
	if !d.named[p] {
		d.named[p] = true
		d.parts = append(d.parts, part{string(d.b), p, Fixed(name).name})
		d.b = d.b[:0]
		return
	}
	d.b = append(d.b, imports[p].name...)
	d.b = append(d.b, '.')
	d.b = append(d.b, Fixed(name).name...)
}

// Flags writes constants of package policy, joined by |.
func (d *Data) Flags(names ...string) {
	d.item()
	for i, n := range names {
		if i > 0 {
			d.b = append(d.b, " | "...)
		}
		d.ref(Policy, n)
	}
}

// part of a literal: text, and after it a name of an import.
type part struct {
	text string
	from Import
	name string
}

// code of the finished literal, which tells jennifer of the imports.
func (d *Data) code() []jen.Code {
	d.closed()
	out := make([]jen.Code, 0, 2*len(d.parts)+1)
	for _, p := range d.parts {
		out = append(out, jen.Op(p.text), In(p.from, p.name).s)
	}
	return append(out, jen.Op(string(d.b)))
}

// text of the finished literal, after b.
func (d *Data) text(b []byte) []byte {
	d.closed()
	for _, p := range d.parts {
		b = append(b, p.text...)
		b = append(b, imports[p.from].name...)
		b = append(b, '.')
		b = append(b, p.name...)
	}
	return append(b, d.b...)
}

func (d *Data) closed() {
	if len(d.open) != 0 {
		panic("jenx: a literal that was not closed")
	}
}

var typePattern = regexp.MustCompile(`^(policy\.[A-Z][A-Za-z]*|string|u?int(8|16|32|64)?)$`)

func typeName(t string) string {
	if !typePattern.MatchString(t) {
		panic("jenx: not a type of tables: " + t)
	}
	return t
}

// integer writes n; the ends of int32 as people write them.
func integer(n int64) string {
	switch n {
	case -1 << 31:
		return "-1 << 31"
	case 1<<31 - 1:
		return "1<<31 - 1"
	case -1 << 63:
		return "-1 << 63"
	case 1<<63 - 1:
		return "1<<63 - 1"
	}
	return strconv.FormatInt(n, 10)
}
