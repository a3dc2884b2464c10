package gen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// conditions is the functions that a contract needs: the one that sets its flags,
// and the two of its verification.
func (g *generator) conditions(t *ir.Tool) ([]jenx.Code, error) {
	var out []jenx.Code
	n := g.n.conds[t]
	if len(t.Flags) > 0 {
		c, err := g.check(t)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	if t.Verify == nil {
		return out, nil
	}
	for _, v := range []struct {
		name jenx.Ident
		word string
		cond ir.Cond
	}{{n.confirmed, "confirmed", t.Verify.Confirmed}, {n.refuted, "refuted", t.Verify.Refuted}} {
		if v.cond == nil {
			continue
		}
		w := g.writer(t)
		x, err := w.cond(v.cond, 0)
		if err != nil {
			return nil, fmt.Errorf("verification of %s: %w", t.Name, err)
		}
		w.loose = loose(v.cond)
		x, err = w.known(x, w.wide(v.cond))
		if err != nil {
			return nil, err
		}
		doc := fmt.Sprintf("%s says that a result of %s shows %s to be %s.\n\n%s: %s when %s",
			v.name, t.Verify.By.Name, t.Name, v.word, at(t.Verify.Pos), v.word, w.text(v.cond, 0))
		out = append(out, jenx.Func{
			Doc:  doc,
			Name: v.name,
			Params: []jenx.Param{
				{Name: jenx.Fixed("result"), Type: jenx.Ptr(jenx.In(jenx.Policy, "Record"))},
				{Name: jenx.Fixed("target"), Type: jenx.Ptr(jenx.In(jenx.Policy, "Record"))},
			},
			Results: []jenx.Param{{Type: jenx.Builtin("bool")}},
			Body:    append(w.constants(), jenx.Return(x)),
		}.Code())
	}
	return out, nil
}

// check is the function that sets the flags of a proposal, one plain if for each.
func (g *generator) check(t *ir.Tool) (jenx.Code, error) {
	w := g.writer(t)
	var body []jenx.Code
	for i, f := range t.Flags {
		x, err := w.cond(f.When, 0)
		if err != nil {
			return jenx.Code{}, fmt.Errorf("flag %s of %s: %w", f.Name, t.Name, err)
		}
		text := fmt.Sprintf("%s: flag %s when %s", at(f.Pos), f.Name, w.text(f.When, 0))
		if f.Hold {
			text += " else hold"
		}
		set := jenx.Call(jenx.Sel(jenx.Name(jenx.Fixed("set")), jenx.Fixed("Add")), jenx.Int(int64(i)))
		body = append(body, jenx.Blank(), jenx.Note(described(text, f.Doc)), jenx.If(x, jenx.Beside(set, f.Name)))
	}
	if consts := w.constants(); len(consts) > 0 {
		body = append(consts, body...)
	} else {
		body = body[1:]
	}
	record := jenx.Ptr(jenx.In(jenx.Policy, "Record"))
	target := jenx.Fixed("target")
	if !w.reads[target.String()] {
		target = jenx.Fixed("_")
	}
	args := jenx.Fixed("args")
	if !w.reads[args.String()] {
		args = jenx.Fixed("_")
	}
	return jenx.Func{
		Doc:  fmt.Sprintf("%s sets the flags of a proposal of %s.", g.n.conds[t].check, t.Name),
		Name: g.n.conds[t].check,
		Params: []jenx.Param{
			{Name: args, Type: record}, {Name: target, Type: record},
			{Name: jenx.Fixed("set"), Type: jenx.Ptr(jenx.In(jenx.Policy, "FlagSet"))},
		},
		Body: body,
	}.Code(), nil
}

// condWriter writes the conditions of one function. A field that is read gets a
// local constant for its index, so the expression reads like its source.
type condWriter struct {
	g      *generator
	tool   *ir.Tool
	scope  *jenx.Scope
	locals map[local]jenx.Ident
	order  []local
	reads  map[string]bool // records that are read
	loose  bool            // the condition is an or
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
	for _, n := range []string{"args", "target", "result", "set"} {
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

// known asks first that the registry has every attribute of the target that x
// reads: nothing is confirmed or refuted by an attribute that is not there.
func (w *condWriter) known(x jenx.Code, tall bool) (jenx.Code, error) {
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
	if w.loose {
		x = jenx.Paren(x)
	}
	return jenx.Join("&&", tall, append(all, x)...), nil
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

// text is a condition as a .prov file says it.
func (w *condWriter) text(c ir.Cond, context int) string {
	join := func(args []ir.Cond, word string, bind int) string {
		parts := make([]string, len(args))
		for i, a := range args {
			parts[i] = w.text(a, bind)
		}
		s := strings.Join(parts, word)
		if context != 0 && context != bind {
			return "(" + s + ")"
		}
		return s
	}
	switch c := c.(type) {
	case ir.And:
		return join(c.Args, " and ", bindAnd)
	case ir.Or:
		return join(c.Args, " or ", bindOr)
	case ir.Not:
		return "not " + w.text(c.X, bindNot)
	case ir.Compare:
		return w.operandText(c.X) + " " + c.Op.String() + " " + w.operandText(c.Y)
	case ir.In:
		parts := make([]string, len(c.Set))
		for i, v := range c.Set {
			parts[i] = valueText(v, c.X.Of())
		}
		return w.operandText(c.X) + " in { " + strings.Join(parts, ", ") + " }"
	case ir.Present:
		return w.tool.Args[c.Arg].Name + " present"
	case ir.Truth:
		return w.operandText(c.X)
	}
	return ""
}

func (w *condWriter) operandText(o ir.Operand) string {
	switch o := o.(type) {
	case ir.Arg:
		return w.tool.Args[o.Index].Name
	case ir.Target:
		return "target." + w.tool.Target.Attrs[o.Attr].Name
	case ir.Result:
		return "result." + w.tool.Verify.By.Result[o.Index].Name
	case ir.Const:
		return valueText(o.Value, o.Type)
	}
	return ""
}

func valueText(v ir.Value, t *ir.Type) string {
	switch t.Kind {
	case ir.Bool:
		return fmt.Sprint(v.N == 1)
	case ir.Int:
		return fmt.Sprint(v.N)
	case ir.Decimal:
		return decimalText(v.N, t.Scale)
	case ir.EnumType:
		return t.Enum.Members[v.N].Name
	default:
		return fmt.Sprintf("%q", v.S)
	}
}

func decimalText(n int64, scale int) string {
	sign := ""
	if n < 0 {
		sign = "-"
	}
	digits := strings.TrimPrefix(fmt.Sprint(n), "-")
	if scale == 0 {
		return sign + digits
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
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
		if t.Verify != nil {
			walk(t.Verify.Confirmed, look)
			walk(t.Verify.Refuted, look)
		}
	}
	return found
}

// attributes of the target that the flags of t read, in order. The gate refuses
// a target without one of them: a flag about nothing would never be set.
func attributes(t *ir.Tool) []int {
	var out []int
	add := func(o ir.Operand) {
		if a, ok := o.(ir.Target); ok && !slices.Contains(out, a.Attr) {
			out = append(out, a.Attr)
		}
	}
	for _, f := range t.Flags {
		walk(f.When, func(c ir.Cond) {
			switch c := c.(type) {
			case ir.Compare:
				add(c.X)
				add(c.Y)
			case ir.In:
				add(c.X)
			case ir.Truth:
				add(c.X)
			}
		})
	}
	slices.Sort(out)
	return out
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
