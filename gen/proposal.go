package gen

import (
	"fmt"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// proposal is the typed form of a proposal of t and of its arguments, for the
// code that carries the tool out.
func (g *generator) proposal(t *ir.Tool) ([]jenx.Code, error) {
	if !g.typed {
		return nil, nil
	}
	n := g.n.proposal[t]
	var out []jenx.Code
	var members []jenx.Member
	var values []jenx.FieldValue
	p := jenx.Fixed("p")
	if t.Target != nil {
		members = append(members, jenx.Member{Name: jenx.Fixed("Target"), Type: jenx.Name(g.n.ids[t.Target])})
		values = append(values, jenx.FieldValue{Name: jenx.Fixed("Target"),
			X: jenx.Call(jenx.Name(g.n.ids[t.Target]), jenx.Sel(jenx.Name(p), jenx.Fixed("Target")))})
	}
	if len(t.Args) > 0 {
		args, err := g.arguments(t)
		if err != nil {
			return nil, err
		}
		out = append(out, args...)
		members = append(members, jenx.Member{Name: jenx.Fixed("Args"), Type: jenx.Name(n.args)})
		values = append(values, jenx.FieldValue{Name: jenx.Fixed("Args"),
			X: jenx.Call(jenx.Name(n.read), jenx.Addr(jenx.Sel(jenx.Name(p), jenx.Fixed("Args"))))})
	}
	if cause := g.cause(); cause != nil {
		v := g.n.enums[cause]
		members = append(members, jenx.Member{Doc: "Not set where the proposal gives none.", Name: jenx.Fixed("Cause"), Type: jenx.Name(v.typ)})
		values = append(values, jenx.FieldValue{Name: jenx.Fixed("Cause"),
			X: jenx.Call(jenx.Name(v.typ), plusOne(jenx.Sel(jenx.Name(p), jenx.Fixed("Cause"))))})
	}
	lead := fmt.Sprintf("%s is a proposal of %s, the tool of %s.", n.typ, t.Name, at(t.Pos))
	out = append(out, jenx.Struct(described(lead, t.Doc), n.typ, members...))
	field := func(name string) jenx.Code { return jenx.Sel(jenx.Name(p), jenx.Fixed(name)) }
	out = append(out, jenx.Func{
		Doc: wrap(fmt.Sprintf("%s types a proposal that a policy of this package decoded. It reports "+
			"false where p is of another tool or has a fault.", n.make)),
		Name:    n.make,
		Params:  []jenx.Param{{Name: p, Type: jenx.Ptr(jenx.In(jenx.Policy, "Proposal"))}},
		Results: []jenx.Param{{Type: jenx.Name(n.typ)}, {Type: jenx.Builtin("bool")}},
		Body: []jenx.Code{
			jenx.If(jenx.Join("||", false,
				jenx.Call(field("Malformed")),
				jenx.Not(jenx.Call(field("Fits"))),
				jenx.Binary(field("Tool"), "!=", minusOne(jenx.Call(jenx.Builtin("int32"), jenx.Name(g.n.tool.members[g.index[t]]))))),
				jenx.Return(jenx.Value(jenx.Name(n.typ)), jenx.Builtin("false"))),
			jenx.Return(jenx.Value(jenx.Name(n.typ), values...), jenx.Builtin("true")),
		},
	}.Code())
	return out, nil
}

// cause is the vocabulary of causes, where all policies of the package that have
// one share it; nil otherwise.
func (g *generator) cause() *ir.Enum {
	var cause *ir.Enum
	for _, p := range g.p.Policies {
		switch {
		case p.Cause == nil:
		case cause == nil:
			cause = p.Cause
		case cause != p.Cause:
			return nil
		}
	}
	return cause
}

// arguments is the struct of t's arguments and the function that reads it from a
// record. An optional argument is a pointer, nil where it was left out; one with
// a default is always there.
func (g *generator) arguments(t *ir.Tool) ([]jenx.Code, error) {
	n := g.n.proposal[t]
	args, a := jenx.Fixed("args"), jenx.Fixed("a")
	scope := jenx.NewScope()
	var members []jenx.Member
	var always []jenx.FieldValue
	var optional []jenx.Code
	for i, f := range t.Args {
		name, err := scope.Claim("argument "+f.Name+" of tool "+t.Name, jenx.Exported(f.Name))
		if err != nil {
			return nil, err
		}
		typ, x := g.goType(f.Type), g.read(jenx.Name(args), i, f.Type)
		lead := at(f.Pos) + ": " + fieldText(f)
		if f.Optional && f.Default == nil {
			doc := described(lead+"\nNil where it was left out.", f.Doc)
			members = append(members, jenx.Member{Doc: doc, Name: name, Type: jenx.Ptr(typ)})
			v := jenx.Fixed("v")
			optional = append(optional, jenx.If(jenx.Call(jenx.Sel(jenx.Name(args), jenx.Fixed("Has")), jenx.Int(int64(i))),
				jenx.Binary(jenx.Name(v), ":=", x),
				jenx.Binary(jenx.Sel(jenx.Name(a), name), "=", jenx.Addr(jenx.Name(v)))))
			continue
		}
		members = append(members, jenx.Member{Doc: described(lead, f.Doc), Name: name, Type: typ})
		always = append(always, jenx.FieldValue{Name: name, X: x})
	}
	body := []jenx.Code{jenx.Return(jenx.Value(jenx.Name(n.args), always...))}
	if len(optional) > 0 {
		first := jenx.Declare(a, jenx.Name(n.args))
		if len(always) > 0 {
			first = jenx.Binary(jenx.Name(a), ":=", jenx.Value(jenx.Name(n.args), always...))
		}
		body = append(append([]jenx.Code{first}, optional...), jenx.Return(jenx.Name(a)))
	}
	return []jenx.Code{
		jenx.Struct(fmt.Sprintf("%s is the arguments of %s.", n.args, t.Name), n.args, members...),
		jenx.Func{
			Doc:     wrap(fmt.Sprintf("%s types arguments that were decoded against the contract of %s.", n.read, t.Name)),
			Name:    n.read,
			Params:  []jenx.Param{{Name: args, Type: jenx.Ptr(jenx.In(jenx.Policy, "Record"))}},
			Results: []jenx.Param{{Type: jenx.Name(n.args)}},
			Body:    body,
		}.Code(),
	}, nil
}

// read is field i of a record as a value of its Go type.
func (g *generator) read(record jenx.Code, i int, t *ir.Type) jenx.Code {
	number := jenx.Call(jenx.Sel(record, jenx.Fixed("Int")), jenx.Int(int64(i)))
	switch t.Kind {
	case ir.EnumType:
		return jenx.Call(g.goType(t), plusOne(number))
	case ir.Bool:
		truth := jenx.Binary(number, "==", jenx.Int(1))
		if _, named := g.n.types[t.Name]; named {
			return jenx.Call(g.goType(t), truth)
		}
		return truth
	case ir.Int:
		if _, named := g.n.types[t.Name]; !named {
			return number
		}
		return jenx.Call(g.goType(t), number)
	case ir.Decimal:
		return jenx.Call(g.goType(t), number)
	}
	text := jenx.Call(jenx.Sel(record, jenx.Fixed("Text")), jenx.Int(int64(i)))
	if _, named := g.n.types[t.Name]; !named && t.Kind == ir.String {
		return text
	}
	return jenx.Call(g.goType(t), text)
}
