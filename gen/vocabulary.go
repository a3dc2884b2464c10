package gen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

var none jenx.Ident

// columns is how wide a comment or a condition gets before it is broken.
const columns = 96

// described is a doc comment: what the thing is, then the author's own words.
func described(lead string, doc []string) string {
	lead = wrap(lead)
	own := strings.Trim(strings.Join(doc, "\n"), " \t\r\n")
	if own == "" {
		return lead
	}
	return lead + "\n\n" + own
}

// wrap breaks the lines of a text at spaces.
func wrap(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		width := 0
		for j, word := range strings.Split(line, " ") {
			switch n := utf8.RuneCountInString(word); {
			case j > 0 && width+1+n > columns:
				b.WriteByte('\n')
				width = n
			case j > 0:
				b.WriteByte(' ')
				width += 1 + n
			default:
				width = n
			}
			b.WriteString(word)
		}
	}
	return b.String()
}

// vocabularies is every enum, trait and lifecycle, and the tools.
func (g *generator) vocabularies() []jenx.Code {
	var out []jenx.Code
	if len(g.tools) > 0 {
		members := make([]ir.Decl, len(g.tools))
		for i, t := range g.tools {
			members[i] = t.Decl
		}
		v := g.n.tool
		out = append(out, g.vocabulary(&v,
			fmt.Sprintf("%s is one of the tools of the package. The zero %s is not set.", v.typ, v.typ), members)...)
	}
	for _, e := range g.p.Enums {
		v := g.n.enums[e]
		lead := fmt.Sprintf("%s is the %s %s of %s. The zero %s is not set.", v.typ, kindWord(e), e.Name, at(e.Pos), v.typ)
		out = append(out, g.vocabulary(v, described(lead, e.Doc), e.Members)...)
	}
	return out
}

func (g *generator) vocabulary(v *vocabulary, doc string, members []ir.Decl) []jenx.Code {
	comments := make([]string, len(members))
	for i, m := range members {
		comments[i] = strings.Join(m.Doc, " ")
	}
	out := []jenx.Code{jenx.Type(doc, v.typ, jenx.Builtin(smallest(len(members))))}
	order, table := fmt.Sprintf("The members of %s, in order.", v.typ), jenx.Var
	switch {
	case len(members) > maxSwitch:
		out = append(out, jenx.BulkEnum(order, v.typ, v.members))
		table = jenx.Bulk
	case len(members) > 0:
		out = append(out, jenx.Enum(order, v.typ, v.members, comments))
	}
	layout := jenx.Line
	switch {
	case len(members) > maxSwitch:
		layout = jenx.Dense
	case len(members) > 6:
		layout = jenx.Rows
	}
	d := &jenx.Data{}
	d.Slice("string", layout)
	for _, m := range members {
		d.Str(m.Name)
	}
	d.End()
	out = append(out, table(fmt.Sprintf("%s is the name of every %s, in order.", v.names, v.typ), v.names, d), g.stringer(v))
	sorted := slices.IsSortedFunc(members, func(a, b ir.Decl) int { return cmp.Compare(a.Name, b.Name) })
	switch {
	case len(members) <= maxSwitch:
		out = append(out, g.parseLoop(v))
	case sorted:
		out = append(out, g.parseSearch(v, none))
	default:
		order := make([]int, len(members))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(members[a].Name, members[b].Name) })
		d := &jenx.Data{}
		d.Named(v.typ, jenx.Dense)
		for _, i := range order {
			d.Int(int64(i) + 1)
		}
		d.End()
		out = append(out, jenx.Bulk(fmt.Sprintf("%s is every %s, sorted by name.", v.sorted, v.typ), v.sorted, d), g.parseSearch(v, v.sorted))
	}
	return out
}

// smallest unsigned type that holds n members and the one that is not set.
func smallest(n int) string {
	switch {
	case n <= math.MaxUint8:
		return "uint8"
	case n <= math.MaxUint16:
		return "uint16"
	default:
		return "uint32"
	}
}

func (g *generator) stringer(v *vocabulary) jenx.Code {
	x := jenx.Fixed("v")
	return jenx.Func{
		Doc:     `String is the name as the sources write it, "" where v is not set.`,
		Recv:    &jenx.Param{Name: x, Type: jenx.Name(v.typ)},
		Name:    jenx.Fixed("String"),
		Results: []jenx.Param{{Type: jenx.Builtin("string")}},
		Body: []jenx.Code{
			jenx.If(outside(x, v.names), jenx.Return(jenx.Str(""))),
			jenx.Return(jenx.Index(jenx.Name(v.names), minusOne(jenx.Name(x)))),
		},
	}.Code()
}

// outside is x == 0 || int(x) > len(table).
func outside(x, table jenx.Ident) jenx.Code {
	return jenx.Join("||", false,
		jenx.Binary(jenx.Name(x), "==", jenx.Int(0)),
		jenx.Binary(jenx.Call(jenx.Builtin("int"), jenx.Name(x)), ">", length(jenx.Name(table))))
}

func length(x jenx.Code) jenx.Code   { return jenx.Call(jenx.Builtin("len"), x) }
func minusOne(x jenx.Code) jenx.Code { return jenx.Binary(x, "-", jenx.Int(1)) }
func plusOne(x jenx.Code) jenx.Code  { return jenx.Binary(x, "+", jenx.Int(1)) }

func (g *generator) parse(v *vocabulary, body ...jenx.Code) jenx.Code {
	return jenx.Func{
		Doc:     fmt.Sprintf("%s is the %s of that name. There is none where it reports false.", v.parse, v.typ),
		Name:    v.parse,
		Params:  []jenx.Param{{Name: jenx.Fixed("name"), Type: jenx.Builtin("string")}},
		Results: []jenx.Param{{Type: jenx.Name(v.typ)}, {Type: jenx.Builtin("bool")}},
		Body:    append(body, jenx.Return(jenx.Int(0), jenx.Builtin("false"))),
	}.Code()
}

func (g *generator) parseLoop(v *vocabulary) jenx.Code {
	i, n, name := jenx.Fixed("i"), jenx.Fixed("n"), jenx.Fixed("name")
	return g.parse(v,
		jenx.Range(i, n, jenx.Name(v.names),
			jenx.If(jenx.Binary(jenx.Name(n), "==", jenx.Name(name)),
				jenx.Return(jenx.Call(jenx.Name(v.typ), plusOne(jenx.Name(i))), jenx.Builtin("true")))))
}

// parseSearch is a binary search in the names, by way of the sorted members where
// the names themselves are not in order.
func (g *generator) parseSearch(v *vocabulary, sorted jenx.Ident) jenx.Code {
	lo, hi, mid, name := jenx.Fixed("lo"), jenx.Fixed("hi"), jenx.Fixed("mid"), jenx.Fixed("name")
	table := v.names
	nameAt := func(i jenx.Ident) jenx.Code { return jenx.Index(jenx.Name(v.names), jenx.Name(i)) }
	member := func(i jenx.Ident) jenx.Code { return jenx.Call(jenx.Name(v.typ), plusOne(jenx.Name(i))) }
	if sorted != none {
		table = sorted
		nameAt = func(i jenx.Ident) jenx.Code {
			return jenx.Index(jenx.Name(v.names), minusOne(jenx.Index(jenx.Name(sorted), jenx.Name(i))))
		}
		member = func(i jenx.Ident) jenx.Code { return jenx.Index(jenx.Name(sorted), jenx.Name(i)) }
	}
	return g.parse(v,
		jenx.Binary(jenx.Pair(jenx.Name(lo), jenx.Name(hi)), ":=", jenx.Pair(jenx.Int(0), length(jenx.Name(table)))),
		jenx.While(jenx.Binary(jenx.Name(lo), "<", jenx.Name(hi)),
			jenx.Binary(jenx.Name(mid), ":=", jenx.Join("+", false, jenx.Name(lo),
				jenx.Binary(jenx.Paren(jenx.Binary(jenx.Name(hi), "-", jenx.Name(lo))), "/", jenx.Int(2)))),
			jenx.IfElse(jenx.Binary(nameAt(mid), "<", jenx.Name(name)),
				[]jenx.Code{jenx.Binary(jenx.Name(lo), "=", plusOne(jenx.Name(mid)))},
				[]jenx.Code{jenx.Binary(jenx.Name(hi), "=", jenx.Name(mid))})),
		jenx.If(jenx.Join("&&", false, jenx.Binary(jenx.Name(lo), "<", length(jenx.Name(table))), jenx.Binary(nameAt(lo), "==", jenx.Name(name))),
			jenx.Return(member(lo), jenx.Builtin("true"))))
}

// ids is a type for the id of each entity, so that the id of one kind of thing is
// not taken for another's.
func (g *generator) ids() []jenx.Code {
	var out []jenx.Code
	for _, e := range g.p.Entities {
		id := g.n.ids[e]
		out = append(out, jenx.Type(described(fmt.Sprintf("%s names a %s, the entity of %s.", id, e.Name, at(e.Pos)), e.Doc), id, jenx.Builtin("string")))
	}
	return out
}

// namedTypes is the declared types, and one for each scale of the decimals that
// have no name.
func (g *generator) namedTypes() []jenx.Code {
	var out []jenx.Code
	for _, t := range g.p.Types {
		id, ok := g.n.types[t.Name]
		if !ok {
			continue
		}
		lead := fmt.Sprintf("%s is the type %s of %s: %s.", id, t.Name, at(t.Pos), typeText(t.Type))
		if t.Type.Kind == ir.Decimal {
			lead += " It counts " + unitText(t.Type.Scale) + "."
		}
		out = append(out, jenx.Type(described(lead, t.Doc), id, jenx.Builtin(basic(t.Type))))
	}
	for scale := range 10 {
		if id := g.n.decimals[scale]; id != none {
			out = append(out, jenx.Type(fmt.Sprintf("%s is decimal(%d), exact. It counts %s.", id, scale, unitText(scale)), id, jenx.Builtin("int64")))
		}
	}
	return out
}

// basic is the Go type under a type.
func basic(t *ir.Type) string {
	switch t.Kind {
	case ir.Bool:
		return "bool"
	case ir.Int, ir.Decimal:
		return "int64"
	default:
		return "string"
	}
}

// goType is what a value of the type is in a typed struct.
func (g *generator) goType(t *ir.Type) jenx.Code {
	switch t.Kind {
	case ir.EnumType:
		return jenx.Name(g.n.enums[t.Enum].typ)
	case ir.Ref:
		return jenx.Name(g.n.ids[t.Entity])
	}
	if id, ok := g.n.types[t.Name]; ok {
		return jenx.Name(id)
	}
	if id := g.n.decimals[t.Scale]; t.Kind == ir.Decimal && id != none {
		return jenx.Name(id)
	}
	return jenx.Builtin(basic(t))
}
