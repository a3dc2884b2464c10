package check

import (
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// scope says what a condition may read. A nil part is one that cannot be read
// there at all.
type scope struct {
	what     string // "a flag", "a requirement", "a verification", "a proof", for messages
	args     *Tool  // arguments of this tool; origin: model
	target   *Tool  // attributes of what this tool acts on; origin: registry
	result   *Tool  // fields of this tool's result; origin: result
	verifies *Tool  // in a verification: the tool that is verified
	noResult bool   // the reading tool has a fault; say nothing about its result
	factors  map[string]*ir.Enum
	// anyFactor is set where the factors could not be found out.
	anyFactor bool
	known     []string // names of factors, for suggestions
}

// condition checks a condition: its operands, their types and their origins, and
// then that no optional argument is read before it is known to be there.
func (c *checker) condition(e ast.Expr, sc *scope) {
	if e == nil {
		return
	}
	if n := tests(e); n > maxTests {
		c.at(e.Span(), diag.TooMany, "the condition has %d comparisons, and at most %d can be read", n, maxTests).
			Help("list values with `in { }`, or write several %s", sc.several())
		return
	}
	c.expr(e, sc)
	if sc.args != nil {
		(&absence{checker: c, args: sc.args.IR.Args}).walk(e, nil)
	}
}

// several names what a condition can be split into.
func (sc *scope) several() string {
	if sc.what == aRequirement {
		return "requirements"
	}
	return "flags"
}

// maxTests bounds a condition. It is read by people, and package analysis asks of
// each part whether it says anything beside the others.
const maxTests = 64

// tests counts the comparisons of a condition.
func tests(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.Logic:
		n := 0
		for _, x := range e.Args {
			n += tests(x)
		}
		return n
	case *ast.Not:
		return tests(e.X)
	case *ast.Paren:
		return tests(e.X)
	}
	return 1
}

func (c *checker) expr(e ast.Expr, sc *scope) {
	switch e := e.(type) {
	case *ast.Logic:
		for _, x := range e.Args {
			c.expr(x, sc)
		}
	case *ast.Not:
		c.expr(e.X, sc)
	case *ast.Paren:
		c.expr(e.X, sc)
	case *ast.Compare:
		c.compare(e, sc)
	case *ast.In:
		c.in(e, sc)
	case *ast.Presence:
		c.present(e, sc)
	case *ast.Truth:
		o := c.operand(e.X, sc, nil)
		if _, ok := o.(ir.Const); ok {
			c.idle(e.X)
			return
		}
		if o != nil && o.Of().Kind != ir.Bool {
			c.at(e.X.Span(), diag.NotACondition, "`%s` is %s, and no condition by itself", e.X.Span().Text(), ofKind(o.Of())).
				Help("compare it: `%s == ...`", e.X.Span().Text())
		}
	default:
		panic("check: a condition of an unknown kind")
	}
}

func (c *checker) compare(e *ast.Compare, sc *scope) {
	x, y := e.X, e.Y
	// The side that has a type of its own goes first, so that the other may be a
	// literal or the name of a member.
	first, second := x, y
	swapped := c.needsHint(x, sc) && !c.needsHint(y, sc)
	if swapped {
		first, second = y, x
	}
	a := c.operand(first, sc, nil)
	if a == nil {
		return
	}
	b := c.operand(second, sc, &hint{of: a.Of(), text: first.Span().Text()})
	if b == nil {
		return
	}
	if isConst(a) && isConst(b) {
		c.idle(e)
		return
	}
	ta, tb := a.Of(), b.Of()
	if !comparable(ta, tb) {
		c.at(second.Span(), diag.TypeMismatch, "`%s` is %s, and `%s` is %s", first.Span().Text(), ofKind(ta), second.Span().Text(), ofKind(tb)).
			Note("a comparison has one type on both sides")
		return
	}
	if e.Op != "==" && e.Op != "!=" && ta.Kind != ir.Int && ta.Kind != ir.Decimal {
		d := c.at(e.OpAt, diag.NoOrder, "`%s` needs numbers, and `%s` is %s", e.Op, first.Span().Text(), ofKind(ta))
		if ta.Kind == ir.EnumType {
			d.Note("the order of members serves tables alone, so that a new member makes somebody look").
				Help("list the members that are meant: `%s in { ... }`", first.Span().Text())
		}
	}
}

func isConst(o ir.Operand) bool {
	_, ok := o.(ir.Const)
	return ok
}

// idle reports a condition that reads nothing.
func (c *checker) idle(n ast.Node) {
	c.at(n.Span(), diag.NotACondition, "`%s` decides nothing: it reads no value", n.Span().Text()).
		Help("compare an attribute or an argument with it")
}

// comparable says whether values of two types can be equal at all.
func comparable(a, b *ir.Type) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case ir.EnumType:
		return a.Enum == b.Enum
	case ir.Ref:
		return a.Entity == b.Entity
	}
	return true
}

// needsHint says whether an operand has no type by itself.
func (c *checker) needsHint(o ast.Operand, sc *scope) bool {
	p, ok := o.(*ast.Path)
	return !ok || len(p.Parts) == 1 && !sc.reads(p.Parts[0].Name)
}

func (sc *scope) reads(name string) bool {
	if sc.args != nil {
		if _, ok := sc.args.args[name]; ok {
			return true
		}
	}
	_, ok := sc.factors[name]
	return ok
}

func (c *checker) in(e *ast.In, sc *scope) {
	o := c.operand(e.X, sc, nil)
	if o == nil {
		return
	}
	seen := make(map[ir.Value]ast.Node)
	for _, l := range e.Set {
		v, ok := c.value(l, o.Of(), "`"+e.X.Span().Text()+"`")
		if !ok {
			continue
		}
		if old := seen[v]; old != nil {
			c.at(l.Span(), diag.RepeatedEntry, "`%s` stands in this list twice", l.Span().Text()).
				See(old.Span(), "first here").
				Help("remove one of the two")
			continue
		}
		seen[v] = l
	}
	if len(e.Set) == 0 {
		c.at(e.Span(), diag.MissingPart, "the list is empty, so nothing is in it").Help("write what it may be")
	}
}

func (c *checker) present(e *ast.Presence, sc *scope) {
	word := "present"
	if e.Absent {
		word = "absent"
	}
	o := c.path(e.X, sc, nil)
	if o == nil {
		return
	}
	a, ok := o.(ir.Arg)
	if !ok {
		c.at(e.X.Span(), diag.AlwaysPresent, "`%s` is always there", e.X.Span().Text()).
			Note("only an optional argument can be absent").
			Help("remove `%s %s`", e.X.Span().Text(), word)
		return
	}
	f := sc.args.IR.Args[a.Index]
	if !f.Optional || f.Default != nil {
		d := c.at(e.X.Span(), diag.AlwaysPresent, "`%s` is always there", f.Name)
		if f.Default != nil {
			d.Note("it has a default")
		} else {
			d.Note("its contract does not say `optional`")
		}
		d.Help("remove `%s %s`, or make the argument optional", f.Name, word)
	}
	c.Operands[e.X] = o
}

// hint is the side of a comparison that has a type already.
type hint struct {
	of   *ir.Type
	text string // as written
}

// operand types one side of a condition; other is the side that has a type
// already. It returns nil where a fault was reported or lies elsewhere.
func (c *checker) operand(o ast.Operand, sc *scope, other *hint) ir.Operand {
	var out ir.Operand
	switch o := o.(type) {
	case *ast.Path:
		out = c.path(o, sc, other)
	case ast.Literal:
		out = c.constant(o, other)
	}
	if out == nil || out.Of() == nil {
		return nil
	}
	c.Operands[o] = out
	return out
}

func (c *checker) constant(l ast.Literal, other *hint) ir.Operand {
	if d, ok := l.(*ast.Duration); ok {
		c.at(d.Span(), diag.TypeMismatch, "a duration cannot be compared here").
			Note("no value of this version of the language is a time")
		return nil
	}
	if b, ok := l.(*ast.Bool); ok && other == nil {
		t := &ir.Type{Kind: ir.Bool}
		v, _ := c.value(b, t, "this")
		return ir.Const{Value: v, Type: t}
	}
	if other == nil {
		c.idle(l)
		return nil
	}
	v, ok := c.value(l, other.of, "`"+other.text+"`")
	if !ok {
		return nil
	}
	return ir.Const{Value: v, Type: other.of}
}

// path finds what a path reads, and asks the origin question.
func (c *checker) path(p *ast.Path, sc *scope, other *hint) ir.Operand {
	head := p.Parts[0]
	if sc.factors != nil || sc.anyFactor {
		return c.proofPath(p, sc, other)
	}
	if len(p.Parts) == 1 {
		return c.bareName(p, head, sc, other)
	}
	if len(p.Parts) > 2 {
		c.at(p.Parts[2].Span(), diag.NotReadable, "a condition reads `%s.%s`, and nothing beyond", head.Name, p.Parts[1].Name).
			Note("attributes of what an attribute refers to are not part of this version of the language")
		return nil
	}
	name := p.Parts[1]
	switch head.Name {
	case "target":
		return c.targetPath(head, name, sc)
	case "result":
		return c.resultPath(head, name, sc)
	case "args", "arg", "arguments":
		d := c.at(head.Span(), diag.UnknownName, "there is no `%s` in a condition", head.Name)
		if sc.args != nil {
			if _, ok := sc.args.args[name.Name]; ok {
				d.Edit = &diag.Edit{Span: p.Span(), New: name.Name}
			}
			d.Note("an argument is read by its name alone").Help("write `%s`", name.Name)
		}
		return nil
	}
	if sc.args != nil {
		if _, ok := sc.args.args[head.Name]; ok {
			c.at(name.Span(), diag.NotReadable, "`%s` has no attributes that a condition could read", head.Name)
			return nil
		}
	}
	if e := c.pkg.Named(head.Name); e != nil && sc.target != nil && sc.target.IR.Target != nil && e.Name == sc.target.IR.Target.Name {
		d := c.at(head.Span(), diag.NotReadable, "%s reads what the tool acts on as `target`", sc.what).
			Help("write `target.%s`", name.Name)
		d.Edit = &diag.Edit{Span: head.Span(), New: "target"}
		return nil
	}
	c.unknownHead(head, sc)
	return nil
}

// reading is a name that a tool's conditions read.
type reading struct {
	tool *Tool
	name string
}

// unknownHead reports the first word of a path that names nothing readable.
func (c *checker) unknownHead(head *ast.Ident, sc *scope) {
	if c.rating(head, sc) {
		return
	}
	key := reading{sc.target, head.Name}
	if first := c.unread[key]; first != nil {
		resolve.Also(first, head.Span())
		return
	}
	d := c.at(head.Span(), diag.UnknownName, "%s has nothing called `%s` to read", sc.what, head.Name)
	c.unread[key] = d
	c.pkg.Suggest(d, head.Name, sc.readable)
	if d.Edit == nil && len(d.Notes) == 0 {
		if names := sc.readable(); len(names) > 0 {
			d.Note("it may read %s", some(names))
		}
	}
}

// readable lists the first words that a condition may start with.
func (sc *scope) readable() []string {
	var out []string
	if sc.args != nil {
		out = append(out, fieldNames(sc.args.IR.Args)...)
	}
	if sc.target != nil && sc.target.IR.Target != nil {
		for _, a := range sc.target.IR.Target.Attrs {
			out = append(out, "target."+a.Name)
		}
	}
	if sc.result != nil {
		for _, f := range sc.result.IR.Result {
			out = append(out, "result."+f.Name)
		}
	}
	return append(out, sc.known...)
}

// rating reports a model's rating of itself, whether it was declared or not.
func (c *checker) rating(id *ast.Ident, sc *scope) bool {
	if !IsRating(id.Name) {
		return false
	}
	if sc.factors != nil && id.Name == "score" {
		c.at(id.Span(), diag.ProofFactor, "a proof cannot name the score").
			Note("it speaks of cells: the tool, its traits, and attributes of the target").
			Help("write what the score comes to behind `expect`, and what brings it about behind `where`")
		return true
	}
	c.saysRating(id)
	return true
}

func (c *checker) saysRating(id *ast.Ident) {
	c.at(id.Span(), diag.RatingRead, "`%s` is a rating that a model made, and nothing may decide by it", id.Name).
		Note("a model that wants an action to pass says that it is sure").
		Help("read what the registry knows of the target, or what the contract says of the action")
}

func (c *checker) bareName(p *ast.Path, id *ast.Ident, sc *scope, other *hint) ir.Operand {
	isMember := false
	if other != nil && other.of.Kind == ir.EnumType {
		_, isMember = c.Member(other.of.Enum, id.Name)
	}
	if sc.args != nil {
		if i, ok := sc.args.args[id.Name]; ok {
			if isMember {
				c.at(id.Span(), diag.AmbiguousName, "`%s` is an argument of `%s` and a member of `%s`", id.Name, sc.args.Symbol.Name, other.of.Enum.Name).
					Help("rename the argument")
				return nil
			}
			if rates(sc.args.IR.Args[i]) {
				c.saysRating(id)
				return nil
			}
			return ir.Arg{Index: i, Type: sc.args.IR.Args[i].Type}
		}
	}
	if isMember {
		v, _ := c.member(id, other.of.Enum)
		return ir.Const{Value: v, Type: other.of}
	}
	if sc.verifies != nil {
		if _, ok := sc.verifies.args[id.Name]; ok {
			c.at(id.Span(), diag.NotReadable, "a verification does not read `%s`: it is an argument, and the model's own word", id.Name).
				Note("it reads what the tool behind `by` brought, and the target as it was when the action was decided").
				Help("compare `result` with `target` or with a constant")
			return nil
		}
	}
	if id.Name == "target" || id.Name == "result" {
		c.at(id.Span(), diag.NotACondition, "`%s` is no value by itself", id.Name).Help("write which attribute: `%s.NAME`", id.Name)
		return nil
	}
	// What a reader most likely meant, in order: a member, an attribute, an argument.
	if c.rating(id, sc) {
		return nil
	}
	if other != nil && other.of.Kind == ir.EnumType {
		if c.vague[other.of.Enum] {
			return nil
		}
		d := c.at(id.Span(), diag.UnknownMember, "`%s` has no member `%s`", other.of.Enum.Name, id.Name)
		c.pkg.Suggest(d, id.Name, func() []string { return memberNames(other.of.Enum) })
		return nil
	}
	if sc.result != nil {
		if _, ok := sc.result.result[id.Name]; ok {
			d := c.at(id.Span(), diag.UnknownName, "%s has nothing called `%s` to read", sc.what, id.Name).
				Note("`%s` is a field of what `%s` brings", id.Name, sc.result.Symbol.Name).
				Help("write `result.%s`", id.Name)
			d.Edit = &diag.Edit{Span: id.Span(), New: "result." + id.Name}
			return nil
		}
	}
	if sc.target != nil && sc.target.IR.Target != nil {
		if _, ok := c.attrs[sc.target.IR.Target][id.Name]; ok {
			d := c.at(id.Span(), diag.UnknownName, "%s has nothing called `%s` to read", sc.what, id.Name).
				Note("`%s` is an attribute of the `%s` that the tool acts on", id.Name, sc.target.IR.Target.Name).
				Help("write `target.%s`", id.Name)
			d.Edit = &diag.Edit{Span: id.Span(), New: "target." + id.Name}
			return nil
		}
	}
	if other != nil && (other.of.Kind == ir.String || other.of.Kind == ir.Ref) {
		d := c.at(id.Span(), diag.TypeMismatch, "`%s` is a name, and `%s` is a text", id.Name, other.text).
			Help("write %q in quotes, if that is the text", id.Name)
		d.Edit = &diag.Edit{Span: id.Span(), New: `"` + id.Name + `"`}
		return nil
	}
	if s := c.pkg.Named(id.Name); s != nil && s.Decl == nil {
		return nil // lost
	}
	c.unknownHead(id, sc)
	return nil
}

func (c *checker) targetPath(head, name *ast.Ident, sc *scope) ir.Operand {
	if sc.target == nil || sc.target.noTarget {
		who := "this tool"
		if sc.target != nil {
			who = "`" + sc.target.Symbol.Name + "`"
		}
		c.at(head.Span(), diag.NotReadable, "%s acts on nothing, so there is no `target`", who).
			Help("write `tool NAME on ENTITY`, if it does")
		return nil
	}
	e := sc.target.IR.Target
	if e == nil {
		return nil
	}
	i, ok := c.attrs[e][name.Name]
	if !ok {
		c.unknownAttr(name, e)
		return nil
	}
	return ir.Target{Attr: i, Type: e.Attrs[i].Type}
}

func (c *checker) unknownAttr(name *ast.Ident, e *ir.Entity) {
	d := c.at(name.Span(), diag.UnknownField, "`%s` has no attribute `%s`", e.Name, name.Name)
	if s := c.entityOf[e]; s != nil {
		d.See(s.Ident.Span(), "declared here")
	}
	c.pkg.Suggest(d, name.Name, func() []string { return fieldNames(e.Attrs) })
}

func (c *checker) resultPath(head, name *ast.Ident, sc *scope) ir.Operand {
	if sc.result == nil {
		if !sc.noResult {
			c.at(head.Span(), diag.NotReadable, "%s cannot read a result: nothing has run yet", sc.what).
				Note("`result` is read by the conditions of `verify`").
				Help("read an argument or an attribute of `target`")
		}
		return nil
	}
	i, ok := sc.result.result[name.Name]
	if !ok {
		d := c.at(name.Span(), diag.UnknownField, "the result of `%s` has no field `%s`", sc.result.Symbol.Name, name.Name).
			See(sc.result.Symbol.Ident.Span(), "declared here")
		c.pkg.Suggest(d, name.Name, func() []string { return fieldNames(sc.result.IR.Result) })
		return nil
	}
	return ir.Result{Index: i, Type: sc.result.IR.Result[i].Type}
}

// pathText is a path as written.
func pathText(p *ast.Path) string {
	parts := make([]string, len(p.Parts))
	for i, id := range p.Parts {
		parts[i] = id.Name
	}
	return strings.Join(parts, ".")
}
