package progen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
)

// The tenant of every run, and another one.
const (
	Tenant  = "north"
	Another = "south"
)

// Cases makes n cases for a program: about half of the proposals fit their
// contract, the others miss it by one thing or by many, and some are no proposals.
func Cases(p *ir.Program, seed uint64, n int) []interp.Case {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x63617365)), program: p}
	cases := make([]interp.Case, n)
	for i := range cases {
		cases[i] = m.one()
	}
	return cases
}

// Observation is what there is to verify an action by.
type Observation struct {
	Tool   *ir.Tool
	Result []*ir.Value // of the verifying tool
	Target []*ir.Value // as it was decided on; nil for what it does not have
}

// Observations makes n observations for each tool that is verified. Every second
// one is of a target that looks as the result says, as far as names tell.
func Observations(p *ir.Program, seed uint64, n int) []Observation {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x76657269)), program: p}
	var out []Observation
	for _, t := range p.Tools {
		for range n {
			if t.Verify == nil {
				break
			}
			o := Observation{Tool: t, Target: m.attrs(t.Target)}
			alike, whole := m.chance(50), true
			for _, f := range t.Verify.By.Result {
				if i := t.Target.Attr(f.Name); alike && i >= 0 && o.Target[i] != nil {
					o.Result = append(o.Result, o.Target[i])
					continue
				}
				v, fits := m.value(f.Type)
				whole = whole && fits
				o.Result = append(o.Result, &v)
			}
			if whole { // the runtime asks for nothing of a result that does not fit
				out = append(out, o)
			}
		}
	}
	return out
}

// maker makes cases for one program.
type maker struct {
	*rand.Rand
	program *ir.Program
	policy  *ir.Policy
	world   []interp.Entity
}

func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

func (m *maker) one() interp.Case {
	if len(m.world) == 0 || m.chance(20) {
		m.world = m.registry()
	}
	m.policy = m.program.Policies[m.IntN(len(m.program.Policies))]
	tool := m.tool()
	action := m.action(tool)
	c := interp.Case{
		Policy:   m.policy,
		Identity: m.identity(),
		Tenant:   Tenant,
		Entities: m.world,
		Sources:  []interp.Source{{Tenant: Tenant, ID: "o1"}, {Tenant: Tenant, ID: "o2"}, {Tenant: Another, ID: "o9"}},
		Proposal: m.proposal(action),
	}
	if m.chance(25) {
		before := action
		if m.chance(30) {
			before = m.action(tool)
		}
		if m.chance(50) {
			c.Done = []interp.Action{before}
		} else {
			c.Unknown = []interp.Action{before}
		}
	}
	return c
}

// Scored makes n cases that go down to the risk rung, with nothing in their way:
// they are about scores and bands, and about flags and requirements.
func Scored(p *ir.Program, seed uint64, n int) []interp.Case {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x73636f72)), program: p}
	var cases []interp.Case
	for range n {
		m.policy = p.Policies[m.IntN(len(p.Policies))]
		tool := m.policy.Tools[m.IntN(len(m.policy.Tools))]
		c := interp.Case{Policy: m.policy, Identity: interp.IdentityGood, Tenant: Tenant}
		call := ir.Call{Tool: tool, Args: make([]*ir.Value, len(tool.Args)), Cause: -1}
		whole := true
		value := func(t *ir.Type) *ir.Value {
			v, fits := m.value(t)
			whole = whole && fits
			if t.Kind == ir.Ref {
				v.S = "a"
			}
			return &v
		}
		for i, arg := range tool.Args {
			if !arg.Optional || m.chance(60) {
				call.Args[i] = value(arg.Type)
			}
		}
		if tool.Target != nil {
			call.Target = "target"
			e := interp.Entity{Tenant: Tenant, Kind: tool.Target, ID: call.Target}
			for _, a := range tool.Target.Attrs {
				e.Attrs = append(e.Attrs, value(a.Type))
			}
			for _, move := range tool.Moves {
				e.Attrs[move.Attr] = &ir.Value{N: int64(move.From)}
			}
			c.Entities = append(c.Entities, e)
		}
		for _, kind := range p.Entities { // what arguments refer to
			c.Entities = append(c.Entities, interp.Entity{Tenant: Tenant, Kind: kind, ID: "a", Attrs: make([]*ir.Value, len(kind.Attrs))})
		}
		if whole {
			c.Proposal = interp.Proposal(m.policy, &call)
			cases = append(cases, c)
		}
	}
	return cases
}

func (m *maker) identity() interp.Identity {
	switch {
	case m.chance(85):
		return interp.IdentityGood
	case m.chance(50):
		return interp.IdentityDegraded
	}
	all := interp.Identities()
	return all[m.IntN(len(all))]
}

// registry has some of each kind in both tenants, under ids that collide, and a
// few entries that are not complete.
func (m *maker) registry() []interp.Entity {
	var world []interp.Entity
	for _, kind := range m.program.Entities {
		for _, id := range []string{"a", "b", "c", "é-1", "other"} {
			if m.chance(85) {
				world = append(world, interp.Entity{Tenant: Tenant, Kind: kind, ID: id, Attrs: m.attrs(kind)})
			}
		}
		for _, id := range []string{"c", "z"} {
			world = append(world, interp.Entity{Tenant: Another, Kind: kind, ID: id, Attrs: m.attrs(kind)})
		}
	}
	return world
}

func (m *maker) attrs(kind *ir.Entity) []*ir.Value {
	attrs := make([]*ir.Value, len(kind.Attrs))
	complete := m.chance(93)
	for i, a := range kind.Attrs {
		if complete || m.chance(70) {
			if v, fits := m.value(a.Type); fits {
				attrs[i] = &v
			}
		}
	}
	return attrs
}

func (m *maker) id() string {
	if m.chance(90) {
		return []string{"a", "b", "c", "é-1"}[m.IntN(4)]
	}
	return []string{"z", "nowhere", "A"}[m.IntN(3)]
}

func (m *maker) tool() *ir.Tool {
	if m.chance(88) {
		return m.policy.Tools[m.IntN(len(m.policy.Tools))]
	}
	return m.program.Tools[m.IntN(len(m.program.Tools))]
}

// action is a tool with a target and arguments that fit its contract.
func (m *maker) action(t *ir.Tool) interp.Action {
	a := interp.Action{Tool: t, Args: make([]*ir.Value, len(t.Args))}
	if t.Target != nil {
		a.Target = m.id()
	}
	for i, arg := range t.Args {
		if arg.Optional && m.chance(40) {
			continue
		}
		v, _ := m.value(arg.Type)
		a.Args[i] = &v
	}
	return a
}

// value is one that fits the type, mostly at its edges or at what conditions are
// likely to speak of.
func (m *maker) value(t *ir.Type) (v ir.Value, fits bool) {
	switch t.Kind {
	case ir.Bool:
		return ir.Value{N: m.Int64N(2)}, true
	case ir.Int:
		near := []int64{t.Lo, t.Hi, t.Lo + 1, t.Hi - 1, 0, 1, -1}
		for range 8 {
			near = append(near, t.Lo+int64(m.IntN(50)), int64(m.IntN(2000))-1000)
		}
		near = slices.DeleteFunc(near, func(n int64) bool { return n < t.Lo || n > t.Hi })
		return ir.Value{N: near[m.IntN(len(near))]}, true
	case ir.Decimal:
		return ir.Value{N: m.decimal(t.Scale)}, true
	case ir.EnumType:
		return ir.Value{N: m.Int64N(int64(len(t.Enum.Members)))}, true
	case ir.Ref:
		return ir.Value{S: m.id()}, true
	}
	v.S, fits = m.text(t)
	return v, fits
}

func (m *maker) decimal(scale int) int64 {
	one := int64(1)
	for range scale {
		one *= 10
	}
	near := []int64{0, 1, -1, one, one + 1, -one, 12 * one, 1_000_000 * one, 1_000_000*one + 1,
		m.Int64N(3 * one), 1<<63 - 1, -1 << 63, m.Int64N(1 << 62)}
	return near[m.IntN(len(near))]
}

// ---- spelling ----

// pair is a member of an object as text, so that an object may be spelled in any
// order, and wrongly.
type pair struct{ name, value string }

func (m *maker) proposal(a interp.Action) []byte {
	var args []pair
	for i, v := range a.Args {
		if v != nil {
			args = append(args, pair{a.Tool.Args[i].Name, m.spell(a.Tool.Args[i].Type, *v)})
		}
	}
	object := []pair{{"tool", m.quote(a.Tool.Name)}}
	if a.Tool.Target != nil {
		object = append(object, pair{"target", m.quote(a.Target)})
	}
	if len(args) > 0 || m.chance(20) {
		m.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
		object = append(object, pair{"args", ""})
	}
	if m.chance(20) {
		object = append(object, pair{"rests_on", m.restsOn()})
	}
	if m.policy.Cause != nil && m.chance(40) {
		members := m.policy.Cause.Members
		object = append(object, pair{"cause", m.quote(members[m.IntN(len(members))].Name)})
	}
	if m.chance(45) {
		for range 1 + m.IntN(2) {
			object, args = m.spoil(a.Tool, object, args)
		}
	}
	if m.chance(40) {
		m.Shuffle(len(object), func(i, j int) { object[i], object[j] = object[j], object[i] })
	}
	for i := range object {
		if object[i].name == "args" && object[i].value == "" {
			object[i].value = m.object(args)
		}
	}
	text := m.space() + m.object(object) + m.space()
	if m.chance(4) {
		text = m.spoilText(text)
	}
	return []byte(text)
}

func (m *maker) object(pairs []pair) string {
	var parts []string
	for _, p := range pairs {
		parts = append(parts, m.space()+m.quote(p.name)+m.space()+":"+m.space()+p.value+m.space())
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (m *maker) space() string {
	if m.chance(90) {
		return ""
	}
	return []string{" ", "\n", "\t\r\n"}[m.IntN(3)]
}

// quote spells a JSON string, with escapes that nobody asked for now and then.
func (m *maker) quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || m.chance(1):
			if r > 0xffff {
				r -= 0x10000
				fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (m *maker) spell(t *ir.Type, v ir.Value) string {
	switch t.Kind {
	case ir.Bool:
		return fmt.Sprint(v.N != 0)
	case ir.Int:
		return fmt.Sprint(v.N)
	case ir.Decimal:
		return m.quote(m.spellDecimal(v.N, t.Scale))
	case ir.EnumType:
		return m.quote(t.Enum.Members[v.N].Name)
	}
	return m.quote(v.S)
}

// spellDecimal leaves out zeros at the end, some or all of them.
func (m *maker) spellDecimal(n int64, scale int) string {
	sign, digits := "", fmt.Sprint(n)
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for len(digits) <= scale {
		digits = "0" + digits
	}
	whole, fraction := digits[:len(digits)-scale], digits[len(digits)-scale:]
	for strings.HasSuffix(fraction, "0") && m.chance(60) {
		fraction = fraction[:len(fraction)-1]
	}
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

func (m *maker) restsOn() string {
	n := m.IntN(4)
	if m.chance(5) {
		n = 30 + m.IntN(6)
	}
	var ids []string
	for range n {
		id := []string{"o1", "o2"}[m.IntN(2)]
		if m.chance(5) {
			id = []string{"o9", "o7"}[m.IntN(2)]
		}
		ids = append(ids, m.quote(id))
	}
	return "[" + strings.Join(ids, ",") + "]"
}
