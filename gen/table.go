package gen

import (
	"fmt"
	"strings"
	"time"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// Members that have their zero value are left out, as people leave them out.

func whole(d *jenx.Data, key string, n int64) {
	if n != 0 {
		d.Key(key).Int(n)
	}
}

func text(d *jenx.Data, key, s string) {
	if s != "" {
		d.Key(key).Str(s)
	}
}

func truth(d *jenx.Data, key string, v bool) {
	if v {
		d.Key(key).Bool(true)
	}
}

func ints(d *jenx.Data, key string, ns []int) {
	if len(ns) == 0 {
		return
	}
	d.Key(key).Slice("int32", jenx.Line)
	for _, n := range ns {
		d.Int(int64(n))
	}
	d.End()
}

// pos writes a position as an element of a slice.
func (g *generator) pos(d *jenx.Data, p ir.Pos) {
	d.Elem(jenx.Line)
	g.place(d, p)
}

// line writes a position as a member.
func (g *generator) line(d *jenx.Data, key string, p ir.Pos) {
	if p.Line == 0 && g.files[p.File] == 0 {
		return
	}
	d.Key(key).Struct("policy.Pos", jenx.Line)
	g.place(d, p)
}

func (g *generator) place(d *jenx.Data, p ir.Pos) {
	file, ok := g.files[p.File]
	if !ok && p != (ir.Pos{}) {
		panic("gen: a position in " + p.File + ", which is no file of the program")
	}
	whole(d, "File", int64(file))
	whole(d, "Line", int64(p.Line))
	d.End()
}

// span writes a duration in the largest unit that divides it.
func span(d *jenx.Data, key string, v time.Duration) {
	if v == 0 {
		return
	}
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Nanosecond, "Nanosecond"}} {
		if v%u.unit == 0 {
			d.Key(key).Const(jenx.Time, u.name, int64(v/u.unit))
			return
		}
	}
}

// fieldList writes descriptors under a key of the surrounding literal.
func (g *generator) fieldList(d *jenx.Data, key string, fs []*ir.Field) {
	if len(fs) == 0 {
		return
	}
	d.Key(key)
	g.fieldSlice(d, fs)
}

func (g *generator) fieldSlice(d *jenx.Data, fs []*ir.Field) {
	d.Slice("policy.Field", jenx.Rows)
	for _, f := range fs {
		g.field(d, f)
	}
	d.End()
}

var kinds = [...]string{
	ir.Bool: "KindBool", ir.Int: "KindInt", ir.Decimal: "KindDecimal",
	ir.String: "KindString", ir.EnumType: "KindEnum", ir.Ref: "KindRef",
}

func (g *generator) field(d *jenx.Data, f *ir.Field) {
	t := f.Type
	d.Elem(jenx.Line)
	d.Key("Name").Str(f.Name)
	d.Key("Kind").Const(jenx.Policy, kinds[t.Kind], 1)
	truth(d, "Optional", f.Optional)
	truth(d, "Sensitive", f.Sensitive)
	truth(d, "Trusted", f.Trusted)
	text(d, "Class", f.Class)
	switch t.Kind {
	case ir.Int:
		whole(d, "Lo", t.Lo)
		whole(d, "Hi", t.Hi)
	case ir.String:
		whole(d, "Lo", t.Lo)
		whole(d, "Hi", t.Hi)
		if t.Pattern != nil {
			d.Key("Pattern").Addr(g.n.patterns[t.Pattern.Source])
		}
	case ir.Decimal:
		whole(d, "Scale", int64(t.Scale))
	case ir.EnumType:
		d.Key("Members").Name(g.n.enums[t.Enum].names)
	}
	if t.Kind == ir.Ref {
		d.Key("Entity").Int(int64(g.entities[t.Entity]))
	} else {
		d.Key("Entity").Int(-1)
	}
	if f.Default != nil {
		d.Key("Default").Pointer("policy.Value", jenx.Line)
		whole(d, "N", f.Default.N)
		text(d, "S", f.Default.S)
		d.Key("Set").Bool(true)
		d.End()
	}
	g.line(d, "Line", f.Pos)
	d.End()
}

// fields is the descriptors of a tool as tables of their own, beside the tool, in
// a package whose tools lie in several files.
func (g *generator) fields(t *ir.Tool) ([]jenx.Code, error) {
	if !g.split {
		return nil, nil
	}
	var out []jenx.Code
	n := g.n.fields[t]
	if len(t.Args) > 0 {
		d := &jenx.Data{}
		g.fieldSlice(d, t.Args)
		out = append(out, jenx.Bulk(wrap(fmt.Sprintf("%s is the arguments of %s, %s.", n.args, t.Name, at(t.Pos))), n.args, d))
	}
	if len(t.Result) > 0 {
		d := &jenx.Data{}
		g.fieldSlice(d, t.Result)
		out = append(out, jenx.Bulk(wrap(fmt.Sprintf("%s is the result of %s, %s.", n.result, t.Name, at(t.Pos))), n.result, d))
	}
	return out, nil
}

// patterns is each pattern's automaton, once.
func (g *generator) patterns() []jenx.Code {
	var out []jenx.Code
	for _, p := range g.n.pattern {
		id := g.n.patterns[p.Source]
		d := &jenx.Data{}
		d.Struct("policy.Pattern", jenx.Rows)
		d.Key("Source").Str(p.Source)
		d.Key("ASCII").Long(string(p.ASCII[:]), 32)
		if len(p.Ranges) > 0 {
			d.Key("Ranges").Slice("policy.RuneRange", jenx.Rows)
			for _, r := range p.Ranges {
				d.Elem(jenx.Line)
				d.Key("Lo").Int(int64(r.Lo))
				d.Key("Hi").Int(int64(r.Hi))
				whole(d, "Class", int64(r.Class))
				d.End()
			}
			d.End()
		}
		d.Key("Classes").Int(int64(p.Classes))
		layout := jenx.Line
		if len(p.Next) > 16 {
			layout = jenx.Dense
		}
		d.Key("Next").Slice("uint16", layout)
		for _, n := range p.Next {
			if n == ir.Dead {
				d.Const(jenx.Policy, "Dead", 1)
				continue
			}
			d.Int(int64(n))
		}
		d.End()
		accept := make([]byte, len(p.Accept))
		for i, ok := range p.Accept {
			accept[i] = '0'
			if ok {
				accept[i] = '1'
			}
		}
		d.Key("Accept").Str(string(accept))
		d.End()
		out = append(out, jenx.Var(fmt.Sprintf("%s accepts what matches %s as a whole.", id, printable(p.Source)), id, d))
	}
	return out
}

// sharedTables is what the policies of the package share.
func (g *generator) sharedTables() []jenx.Code {
	var out []jenx.Code
	if g.scales() {
		out = append(out, g.compareDecimals())
	}
	if len(g.p.Entities) > 0 {
		d := &jenx.Data{}
		d.Slice("policy.Entity", jenx.Rows)
		for _, e := range g.p.Entities {
			d.Elem(jenx.Rows)
			d.Key("Name").Str(e.Name)
			g.fieldList(d, "Attrs", e.Attrs)
			d.End()
		}
		d.End()
		doc := fmt.Sprintf("%s is every kind of thing that the registry keeps.", g.n.entities)
		out = append(out, jenx.Var(doc, g.n.entities, d))
	}
	if len(g.tools) > 0 {
		d := &jenx.Data{}
		d.Slice("policy.Tool", jenx.Rows)
		for _, t := range g.tools {
			g.toolRow(d, t)
		}
		d.End()
		table := jenx.Var
		if g.split {
			table = jenx.Bulk
		}
		out = append(out, table(fmt.Sprintf("%s is every contract, sorted by name.", g.n.tools), g.n.tools, d))
	}
	d := &jenx.Data{}
	d.Struct("policy.Package", jenx.Rows)
	d.Key("Name").Str(g.p.Name)
	d.Key("Digest").Name(g.n.digest)
	d.Key("Files").Slice("string", jenx.Line)
	for _, f := range g.p.Files {
		d.Str(f)
	}
	d.End()
	if len(g.p.Entities) > 0 {
		d.Key("Entities").Name(g.n.entities)
	}
	if len(g.tools) > 0 {
		d.Key("Tools").Name(g.n.tools)
	}
	if named := groups(g.p); len(named) > 0 {
		d.Key("Approvals").Slice("policy.Approval", jenx.Rows)
		for _, a := range named {
			d.Elem(jenx.Line)
			approval(d, a)
			d.End()
		}
		d.End()
	}
	if len(g.p.Workflows) > 0 {
		d.Key("Workflows").Slice("policy.Workflow", jenx.Rows)
		for _, w := range g.p.Workflows {
			d.Elem(jenx.Line)
			d.Key("Name").Str(w.Name)
			steps := make([]int, len(w.Steps))
			names := make([]string, len(w.Steps))
			for i, t := range w.Steps {
				steps[i], names[i] = g.index[t], t.Name
			}
			ints(d, "Steps", steps)
			d.End()
			d.Beside(some(names))
		}
		d.End()
	}
	d.End()
	return append(out, jenx.Var(fmt.Sprintf("%s is what the policies of the package share.", g.n.pkg), g.n.pkg, d))
}

// groups are the approvals that requirements hold for, in source order.
func groups(p *ir.Program) []*ir.Approval {
	named := make(map[*ir.Approval]bool)
	for _, t := range p.Tools {
		for _, r := range t.Requires {
			named[r.Group] = true
		}
	}
	var out []*ir.Approval
	for _, a := range p.Approvals {
		if named[a] {
			out = append(out, a)
		}
	}
	return out
}

func approval(d *jenx.Data, a *ir.Approval) {
	d.Key("Name").Str(a.Name)
	d.Key("Count").Int(int64(a.Count))
	d.Key("Of").Str(a.Of)
	span(d, "Within", a.Within)
}

func (g *generator) toolRow(d *jenx.Data, t *ir.Tool) {
	n := g.n.conds[t]
	layout := jenx.Rows
	beside := d.Beside
	if g.split {
		layout, beside = jenx.Line, func(string) {}
	}
	d.Elem(layout)
	d.Key("Name").Str(t.Name)
	text(d, "Doc", strings.Join(t.Doc, "\n"))
	g.line(d, "Line", t.Pos)
	if t.Target != nil {
		d.Key("Entity").Int(int64(g.entities[t.Target]))
		beside(t.Target.Name)
	} else {
		d.Key("Entity").Int(-1)
	}
	truth(d, "Read", t.Read)
	truth(d, "Idempotent", t.Idempotent)
	truth(d, "Dangerous", t.Dangerous)
	truth(d, "Approval", t.Approval)
	if g.split {
		if len(t.Args) > 0 {
			d.Key("Args").Name(g.n.fields[t].args)
		}
		if len(t.Result) > 0 {
			d.Key("Result").Name(g.n.fields[t].result)
		}
	} else {
		g.fieldList(d, "Args", t.Args)
		g.fieldList(d, "Result", t.Result)
	}
	if len(t.Moves) > 0 {
		d.Key("Moves").Slice("policy.Move", layout)
		for _, m := range t.Moves {
			d.Elem(jenx.Line)
			whole(d, "Attr", int64(m.Attr))
			whole(d, "From", int64(m.From))
			whole(d, "To", int64(m.To))
			g.line(d, "Line", m.Pos)
			d.End()
			states := t.Target.Attrs[m.Attr].Type.Enum.Members
			beside(states[m.From].Name + " -> " + states[m.To].Name)
		}
		d.End()
	}
	if len(t.Flags) > 0 {
		d.Key("Flags").Slice("policy.Flag", layout)
		for _, f := range t.Flags {
			d.Elem(jenx.Line)
			d.Key("Name").Str(f.Name)
			truth(d, "Hold", f.Hold)
			g.line(d, "Line", f.Pos)
			d.End()
		}
		d.End()
		d.Key("Check").Name(n.check.name)
	}
	if len(t.Requires) > 0 {
		d.Key("Requirements").Slice("policy.Requirement", layout)
		for _, r := range t.Requires {
			d.Elem(layout)
			d.Key("Text").Str(r.Text)
			text(d, "Doc", strings.Join(r.Doc, "\n"))
			if r.Outcome == ir.Hold {
				d.Key("Outcome").Flags("Hold")
			} else {
				d.Key("Outcome").Flags("Refuse")
			}
			if r.Group != nil {
				d.Key("Group").Str(r.Group.Name)
			}
			g.line(d, "Line", r.Pos)
			d.End()
		}
		d.End()
		d.Key("Require").Name(n.require.name)
	}
	ints(d, "Needs", attributes(t))
	if t.Verify != nil {
		d.Key("Verify").Pointer("policy.Verify", layout)
		d.Key("By").Int(int64(g.index[t.Verify.By]))
		beside(t.Verify.By.Name)
		if n.confirmed != nil {
			d.Key("Confirmed").Name(n.confirmed.name)
		}
		if n.refuted != nil {
			d.Key("Refuted").Name(n.refuted.name)
		}
		g.line(d, "Line", t.Verify.Pos)
		d.End()
	}
	if len(t.Traits) > 0 {
		d.Key("Traits").Slice("policy.TraitValue", jenx.Line)
		for _, v := range t.Traits {
			d.Elem(jenx.Line)
			d.Key("Trait").Str(v.Trait.Name)
			d.Key("Member").Str(v.Trait.Members[v.Member].Name)
			d.End()
		}
		d.End()
	}
	d.End()
}
