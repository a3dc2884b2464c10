// Package jenx is the only door through which text becomes generated Go. It
// stands in front of jennifer, whose Id, Op and raw comments print what they are
// given: here an identifier is an Ident, which only a Scope hands out; a string
// is always a literal; a comment is always a comment; and the names of packages
// are a closed list that is fixed before the first line.
package jenx

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"
)

// Import is one of the packages that generated code may name.
type Import int

const (
	Policy Import = iota
	Time
)

var imports = [...]struct{ path, name string }{
	Policy: {"github.com/provlang/prov/runtime/policy", "policy"},
	Time:   {"time", "time"},
}

// File is one generated file.
type File struct {
	f    *jen.File
	pkg  Ident
	head string
	code bool   // jennifer has a declaration
	tail []byte // declarations that need no formatting
}

// NewFile begins a file of package pkg with a comment at its head, and the doc
// comment of the package, if any.
func NewFile(pkg Ident, header, doc string) *File {
	f := jen.NewFile(pkg.must())
	for _, l := range comments(header) {
		f.HeaderComment(l)
	}
	if doc != "" {
		for _, l := range comments(doc) {
			f.PackageComment(l)
		}
	}
	for _, p := range imports {
		f.ImportName(p.path, p.name)
	}
	return &File{f: f, pkg: pkg, head: strings.Join(comments(header), "\n")}
}

// Add puts declarations into the file, an empty line before each.
func (f *File) Add(decls ...Code) {
	for _, d := range decls {
		if d.bulk != nil {
			f.tail = append(f.tail, d.bulk...)
			continue
		}
		f.code = true
		f.f.Line()
		f.f.Add(d.s)
	}
}

// Bytes is the formatted file.
func (f *File) Bytes() ([]byte, error) {
	if !f.code {
		head := fmt.Sprintf("%s\n\npackage %s\n\nimport %q\n", f.head, f.pkg.must(), imports[Policy].path)
		return append([]byte(head), f.tail...), nil
	}
	var b bytes.Buffer
	if err := f.f.Render(&b); err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	return append(bytes.Replace(b.Bytes(), sortedImports, groupedImports, 1), f.tail...), nil
}

// jennifer sorts imports by path; people put the standard library first.
var (
	sortedImports  = fmt.Appendf(nil, "\nimport (\n\t%q\n\t%q\n)\n", imports[Policy].path, imports[Time].path)
	groupedImports = fmt.Appendf(nil, "\nimport (\n\t%q\n\n\t%q\n)\n", imports[Time].path, imports[Policy].path)
)

// Code is a piece of Go: an expression, a statement or a declaration. It is
// never changed once made.
type Code struct {
	s *jen.Statement
	t string // of a type: the same text for the same type

	bulk []byte // a declaration that is finished
}

func raw(cs []Code) []jen.Code {
	out := make([]jen.Code, len(cs))
	for i, c := range cs {
		out[i] = c.s
	}
	return out
}

// ---- expressions and types ----

// Name refers to something declared in the package.
func Name(id Ident) Code { return Code{s: jen.Id(id.must()), t: id.name} }

// In refers to an exported name of an import.
func In(p Import, name string) Code {
	if !token.IsExported(name) || !plain(name) {
		panic("jenx: not an exported name: " + name)
	}
	return Code{s: jen.Qual(imports[p].path, name), t: imports[p].name + "." + name}
}

// Builtin refers to a predeclared name of Go: string, true, nil.
func Builtin(name string) Code {
	if types.Universe.Lookup(name) == nil || name == "any" {
		panic("jenx: not a predeclared name: " + name)
	}
	return Code{s: jen.Id(name), t: name}
}

// Str is a string literal.
func Str(s string) Code { return Code{s: jen.Lit(s)} }

// Int is an untyped integer literal.
func Int(n int64) Code {
	return Code{s: jen.Op(integer(n))}
}

// Sel is x.name.
func Sel(x Code, name Ident) Code { return Code{s: jen.Add(x.s).Dot(name.must())} }

// Call is fn(args...), and a conversion.
func Call(fn Code, args ...Code) Code { return Code{s: jen.Add(fn.s).Call(raw(args)...)} }

// Index is x[i].
func Index(x, i Code) Code { return Code{s: jen.Add(x.s).Index(i.s)} }

// Addr is &x.
func Addr(x Code) Code { return Code{s: jen.Op("&").Add(x.s)} }

// Ptr is the type *t.
func Ptr(t Code) Code { return Code{s: jen.Op("*").Add(t.s), t: "*" + t.t} }

// Not is !x.
func Not(x Code) Code { return Code{s: jen.Op("!").Add(x.s)} }

// Paren is (x).
func Paren(x Code) Code { return Code{s: jen.Parens(x.s)} }

// operators is the closed list of binary operators and assignments.
var operators = map[string]bool{
	"&&": true, "||": true, "==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true,
	"+": true, "-": true, "*": true, "/": true, "%": true, "=": true, ":=": true, "+=": true, "-=": true,
}

func operator(op string) string {
	if !operators[op] {
		panic("jenx: not an operator: " + op)
	}
	return op
}

// Binary is x op y, and an assignment.
func Binary(x Code, op string, y Code) Code {
	return Code{s: jen.Add(x.s).Op(operator(op)).Add(y.s)}
}

// Join is xs[0] op xs[1] op ..., an operand a line where tall.
func Join(op string, tall bool, xs ...Code) Code {
	s := jen.Add(xs[0].s)
	for _, x := range xs[1:] {
		s.Op(operator(op))
		if tall {
			s.Line()
		}
		s.Add(x.s)
	}
	return Code{s: s}
}

// Value is T{Name: x, ...} on one line.
func Value(t Code, fields ...FieldValue) Code {
	s := jen.Add(t.s)
	s.ValuesFunc(func(g *jen.Group) {
		for _, f := range fields {
			g.Id(f.Name.must()).Op(":").Add(f.X.s)
		}
	})
	return Code{s: s}
}

// FieldValue is one member of a composite literal.
type FieldValue struct {
	Name Ident
	X    Code
}

// ---- statements ----

// Note is a comment on lines of its own.
func Note(text string) Code {
	s := jen.Null()
	for i, l := range comments(text) {
		if i > 0 {
			s.Line()
		}
		s.Comment(l)
	}
	return Code{s: s}
}

// Beside puts a comment behind a statement, on its line.
func Beside(x Code, text string) Code { return Code{s: jen.Add(x.s).Comment(comment(text))} }

// Blank is an empty line.
func Blank() Code { return Code{s: jen.Line()} }

// If is if cond { body }.
func If(cond Code, body ...Code) Code { return Code{s: jen.If(cond.s).Block(raw(body)...)} }

// IfElse is if cond { then } else { otherwise }.
func IfElse(cond Code, then, otherwise []Code) Code {
	return Code{s: jen.If(cond.s).Block(raw(then)...).Else().Block(raw(otherwise)...)}
}

// Return is return xs...
func Return(xs ...Code) Code { return Code{s: jen.Return(raw(xs)...)} }

// Declare is var name t, the zero value.
func Declare(name Ident, t Code) Code { return Code{s: jen.Var().Id(name.must()).Add(t.s)} }

// Pair is x, y, on either side of an assignment.
func Pair(x, y Code) Code { return Code{s: jen.List(x.s, y.s)} }

// Range is for key := range x { body }, or for key, value := range x { body }
// where value is claimed.
func Range(key, value Ident, x Code, body ...Code) Code {
	l := jen.Id(key.must())
	if value != (Ident{}) {
		l = jen.List(l, jen.Id(value.must()))
	}
	return Code{s: jen.For(l.Op(":=").Range().Add(x.s)).Block(raw(body)...)}
}

// While is for cond { body }.
func While(cond Code, body ...Code) Code { return Code{s: jen.For(cond.s).Block(raw(body)...)} }

// Switch is switch x { cases }; without x the zero Code.
func Switch(x Code, cases ...Case) Code {
	s := jen.Switch()
	if x.s != nil {
		s.Add(x.s)
	}
	return Code{s: s.BlockFunc(func(g *jen.Group) {
		for _, c := range cases {
			var head *jen.Statement
			if len(c.Of) == 0 {
				head = g.Default()
			} else {
				head = g.Case(raw(c.Of)...)
			}
			head.Block(raw(c.Body)...)
		}
	})}
}

// Case of a switch; the default where Of is empty.
type Case struct {
	Of   []Code
	Body []Code
}

// LocalConst is a constant of a function.
type LocalConst struct {
	Name    Ident
	X       Code
	Comment string
}

// LocalConsts declares constants in a function.
func LocalConsts(cs ...LocalConst) Code {
	defs := make([]jen.Code, len(cs))
	for i, c := range cs {
		defs[i] = jen.Id(c.Name.must()).Op("=").Add(c.X.s).Comment(comment(c.Comment))
	}
	if len(defs) == 1 {
		return Code{s: jen.Const().Add(defs[0])}
	}
	return Code{s: jen.Const().Defs(defs...)}
}

// ---- declarations ----

func documented(doc string) *jen.Statement {
	s := jen.Null()
	if doc == "" {
		return s
	}
	for _, l := range comments(doc) {
		s.Comment(l).Line()
	}
	return s
}

// Const is a documented constant.
func Const(doc string, name Ident, x Code) Code {
	return Code{s: documented(doc).Const().Id(name.must()).Op("=").Add(x.s)}
}

// Uses refers to something that must exist, and keeps nothing of it.
func Uses(doc string, x Code) Code {
	return Code{s: documented(doc).Const().Id("_").Op("=").Add(x.s)}
}

// Enum is the constants of an enumeration of type t, from 1 upwards.
func Enum(doc string, t Ident, names []Ident, comments []string) Code {
	d := &Data{}
	for i, n := range names {
		d.b = append(d.b, n.must()...)
		if i == 0 {
			d.b = append(d.b, ' ')
			d.b = append(d.b, t.must()...)
			d.b = append(d.b, " = iota + 1"...)
		}
		if comments[i] != "" {
			d.b = append(d.b, ' ')
			d.b = append(d.b, comment(comments[i])...)
		}
		d.b = append(d.b, '\n')
	}
	return Code{s: documented(doc).Const().Op("(\n" + string(d.b) + ")")}
}

// Type is type name of.
func Type(doc string, name Ident, of Code) Code {
	return Code{s: documented(doc).Type().Id(name.must()).Add(of.s)}
}

// Member of a struct.
type Member struct {
	Doc  string
	Name Ident
	Type Code
}

// Struct is a struct type.
func Struct(doc string, name Ident, members ...Member) Code {
	return Code{s: documented(doc).Type().Id(name.must()).StructFunc(func(g *jen.Group) {
		for _, m := range members {
			g.Add(documented(m.Doc).Id(m.Name.must()).Add(m.Type.s))
		}
	})}
}

// Param of a function, or its receiver or result (then perhaps without a name).
type Param struct {
	Name Ident
	Type Code
}

func (p Param) code() *jen.Statement {
	if p.Name == (Ident{}) {
		return jen.Add(p.Type.s)
	}
	return jen.Id(p.Name.must()).Add(p.Type.s)
}

// Func is a function, or a method where it has a receiver.
type Func struct {
	Doc     string
	Recv    *Param
	Name    Ident
	Params  []Param
	Results []Param
	Body    []Code
}

// Code of the declaration.
func (f Func) Code() Code {
	s := documented(f.Doc).Func()
	if f.Recv != nil {
		s.Params(f.Recv.code())
	}
	s.Id(f.Name.must()).ParamsFunc(func(g *jen.Group) {
		for i, p := range f.Params {
			// a run of one type is written once, as people do
			if i+1 < len(f.Params) && sameType(p.Type, f.Params[i+1].Type) {
				g.Id(p.Name.must())
				continue
			}
			g.Add(p.code())
		}
	})
	switch {
	case len(f.Results) == 1 && f.Results[0].Name == (Ident{}):
		s.Add(f.Results[0].Type.s)
	case len(f.Results) > 0:
		s.ParamsFunc(func(g *jen.Group) {
			for _, r := range f.Results {
				g.Add(r.code())
			}
		})
	}
	return Code{s: s.Block(raw(f.Body)...)}
}

func sameType(a, b Code) bool { return a.t == b.t }

// Var is an unexported table. Its value is data alone.
func Var(doc string, name Ident, d *Data) Code {
	return Code{s: documented(doc).Var().Id(unexported(name)).Op("=").Add(d.code()...)}
}

func unexported(name Ident) string {
	if token.IsExported(name.must()) {
		panic("jenx: an exported variable: " + name.name)
	}
	return name.name
}

// Bulk is a large table, which File.Add puts at the end of the file past the
// formatter: that would take several times as long for it as everything else
// together. The table must be written as the formatter would leave it, and Bulk
// panics where Data knows that it is not. It names package policy at most.
func Bulk(doc string, name Ident, d *Data) Code {
	if d.loose || d.named[Time] {
		panic("jenx: a table that needs formatting: " + name.name)
	}
	b := declare(doc, "var "+unexported(name)+" = ")
	return Code{bulk: append(d.text(b), '\n')}
}

// BulkEnum is Enum past the formatter, without comments.
func BulkEnum(doc string, t Ident, names []Ident) Code {
	b := declare(doc, "const (\n")
	for i, n := range names {
		b = append(b, '\t')
		b = append(b, n.must()...)
		if i == 0 {
			b = append(b, ' ')
			b = append(b, t.must()...)
			b = append(b, " = iota + 1"...)
		}
		b = append(b, '\n')
	}
	return Code{bulk: append(b, ")\n"...)}
}

func declare(doc, begin string) []byte {
	b := []byte{'\n'}
	if doc != "" {
		for _, l := range comments(doc) {
			b = append(b, l...)
			b = append(b, '\n')
		}
	}
	return append(b, begin...)
}
