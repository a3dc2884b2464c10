package gen

import (
	"fmt"
	"math"
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// condWriter writes the conditions of one function. A field that is read gets a
// local constant for its index, so the expression reads like its source.
type condWriter struct {
	g      *generator
	tool   *ir.Tool
	scope  *jenx.Scope
	locals map[local]jenx.Ident
	order  []local
	reads  map[string]bool // records that are read
}

// loose says that a condition becomes an or, which stands in parentheses beside
// an and.
func loose(c ir.Cond) bool {
	switch c := c.(type) {
	case ir.Or:
		return true
	case ir.In:
		return len(c.Set) > 1
	}
	return false
}

type local struct {
	record string
	index  int
}

func (g *generator) writer(t *ir.Tool) *condWriter {
	s := jenx.NewScope()
	for _, n := range []string{"args", "target", "result", "set", "failed"} {
		if _, err := s.Claim("a parameter", n); err != nil {
			panic(err) // none of them is taken in a new scope
		}
	}
	return &condWriter{g: g, tool: t, scope: s, locals: make(map[local]jenx.Ident), reads: make(map[string]bool)}
}

// constants declares the indexes that the expressions use.
func (w *condWriter) constants() []jenx.Code {
	if len(w.order) == 0 {
		return nil
	}
	cs := make([]jenx.LocalConst, len(w.order))
	for i, l := range w.order {
		cs[i] = jenx.LocalConst{Name: w.locals[l], X: jenx.Int(int64(l.index)), Comment: "of " + l.record}
	}
	return []jenx.Code{jenx.LocalConsts(cs...)}
}

// known is c as Go, which asks first that the registry has every attribute of the
// target that c reads: nothing is confirmed or refuted by an attribute that is not
// there.
func (w *condWriter) known(c ir.Cond) (jenx.Code, error) {
	x, err := w.cond(c, 0)
	if err != nil {
		return jenx.Code{}, err
	}
	var all []jenx.Code
	for _, l := range w.order {
		if l.record != "target" {
			continue
		}
		has, err := w.access("target", l.index, "Has")
		if err != nil {
			return jenx.Code{}, err
		}
		all = append(all, has)
	}
	if len(all) == 0 {
		return x, nil
	}
	if loose(c) {
		x = jenx.Paren(x)
	}
	return jenx.Join("&&", w.wide(c), append(all, x)...), nil
}

// access is record.method(index).
func (w *condWriter) access(record string, index int, method string) (jenx.Code, error) {
	l := local{record, index}
	id, ok := w.locals[l]
	if !ok {
		var field *ir.Field
		switch record {
		case "args":
			field = nth(w.tool.Args, index)
		case "target":
			if w.tool.Target != nil {
				field = nth(w.tool.Target.Attrs, index)
			}
		case "result":
			if w.tool.Verify != nil {
				field = nth(w.tool.Verify.By.Result, index)
			}
		}
		if field == nil {
			return jenx.Code{}, fmt.Errorf("%s has no field %d", record, index)
		}
		var err error
		names := []string{jenx.Unexported(field.Name), jenx.Unexported(record, field.Name), jenx.Unexported(record, field.Name, "field")}
		if record == "target" && w.shadows(field.Name) {
			names = names[1:]
		}
		id, err = w.scope.Claim("field "+field.Name, names...)
		if err != nil {
			return jenx.Code{}, err
		}
		w.locals[l] = id
		w.order = append(w.order, l)
	}
	w.reads[record] = true
	return jenx.Call(jenx.Sel(jenx.Name(jenx.Fixed(record)), jenx.Fixed(method)), jenx.Name(id)), nil
}

// shadows says that an argument has the name, or a field of the result: the bare
// name is theirs, as it is in the source.
func (w *condWriter) shadows(name string) bool {
	named := func(f *ir.Field) bool { return f.Name == name }
	return slices.ContainsFunc(w.tool.Args, named) ||
		w.tool.Verify != nil && slices.ContainsFunc(w.tool.Verify.By.Result, named)
}

func nth(fs []*ir.Field, i int) *ir.Field {
	if i < 0 || i >= len(fs) {
		return nil
	}
	return fs[i]
}

// How tightly the context binds: an operand of a looser operator stands in
// parentheses.
const (
	bindOr = iota + 1
	bindAnd
	bindNot
)

// cond is a condition as a Go expression.
func (w *condWriter) cond(c ir.Cond, context int) (jenx.Code, error) {
	switch c := c.(type) {
	case ir.And:
		return w.join(c, c.Args, "&&", bindAnd, context)
	case ir.Or:
		return w.join(c, c.Args, "||", bindOr, context)
	case ir.Not:
		return w.not(c.X)
	case ir.Compare:
		return w.compare(c)
	case ir.In:
		return w.in(c, context)
	case ir.Present:
		return w.access("args", c.Arg, "Has")
	case ir.Truth:
		x, err := w.operand(c.X)
		return jenx.Binary(x, "==", jenx.Int(1)), err
	}
	return jenx.Code{}, fmt.Errorf("a condition of kind %T", c)
}

func (w *condWriter) join(c ir.Cond, args []ir.Cond, op string, bind, context int) (jenx.Code, error) {
	if len(args) == 0 {
		return jenx.Code{}, fmt.Errorf("%s of nothing", op)
	}
	xs := make([]jenx.Code, len(args))
	for i, a := range args {
		x, err := w.cond(a, bind)
		if err != nil {
			return jenx.Code{}, err
		}
		xs[i] = x
	}
	return group(jenx.Join(op, w.wide(c), xs...), bind, context), nil
}

// wide says that a condition is too long for one line. Its source is about as
// long as its Go.
func (w *condWriter) wide(c ir.Cond) bool { return len(w.text(c, 0)) > columns/2 }

// group puts a mix of operators in parentheses, as the source must, too.
func group(x jenx.Code, bind, context int) jenx.Code {
	if context != 0 && context != bind {
		return jenx.Paren(x)
	}
	return x
}

// not turns a negated comparison round, since that is how people write it.
func (w *condWriter) not(x ir.Cond) (jenx.Code, error) {
	switch x := x.(type) {
	case ir.Not:
		return w.cond(x.X, bindNot)
	case ir.Compare:
		x.Op = [...]ir.Op{ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le}[x.Op]
		return w.compare(x)
	case ir.Truth:
		v, err := w.operand(x.X)
		return jenx.Binary(v, "==", jenx.Int(0)), err
	case ir.In:
		if len(x.Set) == 1 {
			return w.compare(ir.Compare{Op: ir.Ne, X: x.X, Y: ir.Const{Value: x.Set[0], Type: x.X.Of()}})
		}
	}
	v, err := w.cond(x, bindNot)
	return jenx.Not(v), err
}

func (w *condWriter) compare(c ir.Compare) (jenx.Code, error) {
	x, err := w.operand(c.X)
	if err != nil {
		return jenx.Code{}, err
	}
	y, err := w.operand(c.Y)
	if err != nil {
		return jenx.Code{}, err
	}
	op := c.Op.String()
	sx, sy := c.ScaleX, c.ScaleY
	switch {
	case sx == sy:
		return jenx.Binary(x, op, y), nil
	case sx > sy:
		return w.scaled(x, sx-sy, op, y)
	default:
		flip := [...]ir.Op{ir.Eq: ir.Eq, ir.Ne: ir.Ne, ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le}
		return w.scaled(y, sy-sx, flip[c.Op].String(), x)
	}
}

// scaled compares x times ten to the n with y. The product may not fit, so a
// function of the package compares without it.
func (w *condWriter) scaled(x jenx.Code, n int, op string, y jenx.Code) (jenx.Code, error) {
	if n > 18 {
		return jenx.Code{}, fmt.Errorf("decimals whose scales differ by %d", n)
	}
	power := int64(math.Round(math.Pow10(n)))
	return jenx.Binary(jenx.Call(jenx.Name(w.g.n.compare), x, jenx.Int(power), y), op, jenx.Int(0)), nil
}

func (w *condWriter) in(c ir.In, context int) (jenx.Code, error) {
	xs := make([]jenx.Code, len(c.Set))
	for i, v := range c.Set {
		x, err := w.operand(c.X)
		if err != nil {
			return jenx.Code{}, err
		}
		y, err := w.constant(v, c.X.Of())
		if err != nil {
			return jenx.Code{}, err
		}
		xs[i] = jenx.Binary(x, "==", y)
	}
	if len(xs) == 0 {
		return jenx.Code{}, fmt.Errorf("in of nothing")
	}
	if len(xs) == 1 {
		return xs[0], nil
	}
	return group(jenx.Join("||", w.wide(c), xs...), bindOr, context), nil
}

// operand is a value of a record or a constant. A member of an enum is compared
// as its typed constant.
func (w *condWriter) operand(o ir.Operand) (jenx.Code, error) {
	var x jenx.Code
	var err error
	method := "Int"
	if k := o.Of().Kind; k == ir.String || k == ir.Ref {
		method = "Text"
	}
	switch o := o.(type) {
	case ir.Arg:
		x, err = w.access("args", o.Index, method)
	case ir.Target:
		x, err = w.access("target", o.Attr, method)
	case ir.Result:
		x, err = w.access("result", o.Index, method)
	case ir.Const:
		return w.constant(o.Value, o.Type)
	default:
		err = fmt.Errorf("an operand of kind %T", o)
	}
	if err == nil && o.Of().Kind == ir.EnumType {
		x = jenx.Call(w.g.goType(o.Of()), plusOne(x))
	}
	return x, err
}

func (w *condWriter) constant(v ir.Value, t *ir.Type) (jenx.Code, error) {
	switch t.Kind {
	case ir.String, ir.Ref:
		return jenx.Str(v.S), nil
	case ir.EnumType:
		members := w.g.n.enums[t.Enum].members
		if v.N < 0 || v.N >= int64(len(members)) {
			return jenx.Code{}, fmt.Errorf("member %d of %s", v.N, t.Enum.Name)
		}
		return jenx.Name(members[v.N]), nil
	default:
		return jenx.Int(v.N), nil
	}
}

// compareDecimals is the one function that scaled comparisons call.
func (g *generator) compareDecimals() jenx.Code {
	x, scale, y := jenx.Fixed("x"), jenx.Fixed("scale"), jenx.Fixed("y")
	q, r := jenx.Fixed("q"), jenx.Fixed("r")
	i64 := jenx.Builtin("int64")
	n := jenx.Name
	side := func(strict, ofRest string) []jenx.Code {
		return []jenx.Code{
			jenx.Binary(n(x), strict, n(q)),
			jenx.Binary(jenx.Binary(n(x), "==", n(q)), "&&", jenx.Binary(n(r), ofRest, jenx.Int(0))),
		}
	}
	return jenx.Func{
		Doc: fmt.Sprintf("%s compares x times scale with y: negative, 0 or positive where the product is\n"+
			"smaller, equal or larger. It divides y, because the product may not fit.", g.n.compare),
		Name:    g.n.compare,
		Params:  []jenx.Param{{Name: x, Type: i64}, {Name: scale, Type: i64}, {Name: y, Type: i64}},
		Results: []jenx.Param{{Type: jenx.Builtin("int")}},
		Body: []jenx.Code{
			jenx.Beside(jenx.Binary(jenx.Pair(n(q), n(r)), ":=", jenx.Pair(jenx.Binary(n(y), "/", n(scale)), jenx.Binary(n(y), "%", n(scale)))),
				"y is q times scale, plus r, which has y's sign"),
			jenx.Switch(jenx.Code{},
				jenx.Case{Of: side("<", ">"), Body: []jenx.Code{jenx.Return(jenx.Int(-1))}},
				jenx.Case{Of: side(">", "<"), Body: []jenx.Code{jenx.Return(jenx.Int(1))}},
				jenx.Case{Body: []jenx.Code{jenx.Return(jenx.Int(0))}},
			),
		},
	}.Code()
}

// scales says whether a condition of the package compares decimals of two scales.
func (g *generator) scales() bool {
	found := false
	look := func(c ir.Cond) {
		if c, ok := c.(ir.Compare); ok && c.ScaleX != c.ScaleY {
			found = true
		}
	}
	for _, t := range g.tools {
		for _, f := range t.Flags {
			walk(f.When, look)
		}
		for _, r := range t.Requires {
			walk(r.When, look)
		}
		if t.Verify != nil {
			walk(t.Verify.Confirmed, look)
			walk(t.Verify.Refuted, look)
		}
	}
	return found
}

// walk visits a condition and everything in it.
func walk(c ir.Cond, visit func(ir.Cond)) {
	if c == nil {
		return
	}
	visit(c)
	switch c := c.(type) {
	case ir.And:
		for _, x := range c.Args {
			walk(x, visit)
		}
	case ir.Or:
		for _, x := range c.Args {
			walk(x, visit)
		}
	case ir.Not:
		walk(c.X, visit)
	}
}
