// Package progen makes random .prov packages and random cases for them, from a
// seed and from nothing else. What it makes is valid by construction, so a package
// that does not compile, or a case on which two evaluators differ, is a finding.
//
// It writes text and not trees: parser, checker and lowering are under test with
// everything behind them.
package progen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Source writes the package of a seed. Its name is gen and the seed's number. Some
// seeds give a package of a size from which on generated code takes another form:
// tables with very many cells, or very many tools.
func Source(seed uint64) []byte {
	g := &writer{
		Rand:  rand.New(rand.NewPCG(seed, 0x70726f76)),
		names: map[string]bool{},
		wide:  seed%8 == 5,
		many:  seed%24 == 17,
	}
	g.line("package gen%d", seed)
	g.vocabularies()
	g.namedTypes()
	g.entities()
	g.tools()
	g.readTools()
	g.approvals()
	g.beliefs()
	g.agents()
	return []byte(g.text.String())
}

// Split cuts the text of a package into two files of it: the vocabulary, and what
// is ruled by it.
func Split(text []byte) (vocabulary, rules []byte) {
	header, _, _ := bytes.Cut(text, []byte("\n"))
	i := bytes.Index(text, []byte("\nentity ")) + 1
	return text[:i], slices.Concat(header, []byte("\n\n"), text[i:])
}

// writer writes one package. What it has declared so far, later declarations use.
type writer struct {
	*rand.Rand
	text  strings.Builder
	names map[string]bool
	wide  bool // tables have very many cells
	many  bool // tools are very many

	enums   []vocabulary
	traits  []vocabulary
	types   []typeExpr
	kinds   []*entity
	actions []*tool // tools that act
	readers []*tool
	belief  string
	groups  []string // approvals that requirements hold for
}

type vocabulary struct {
	name    string
	members []string
}

type entity struct {
	name  string
	attrs []field
	cycle *lifecycle
}

type lifecycle struct {
	attr   string
	states []string
	by     []*tool // tool of the transition from state i to i+1
}

type field struct {
	name     string
	typ      typeExpr
	optional bool
	fallback string // default, "" for none
}

type tool struct {
	name   string
	on     *entity // nil: acts on nothing
	traits map[string]string
	person bool // `approval required`
	plain  bool // acts, states no traits, and is for policies without a risk table

	verified bool
}

func (g *writer) line(format string, args ...any) {
	fmt.Fprintf(&g.text, format+"\n", args...)
}

func (g *writer) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *writer, list []T) T { return list[g.IntN(len(list))] }

// Words that mean nothing to the checker, and that no reader takes for each other.
var (
	nouns = strings.Fields(`crate ferry garden harbour island kettle lantern meadow orchard parcel
		quarry ribbon saddle timber umbrella valley wagon yarn zinc anchor bridge candle drawer engine
		feather goblet hammer inkwell jacket kiosk ladder magnet needle oven pillow racket shovel tunnel`)
	verbs = strings.Fields(`paint lift fold carry wash stack trim polish bake plant sort weigh
		mend grind rinse press move label pack tie`)
	adjectives = strings.Fields(`amber brisk calm dusty early faint grand humble idle jolly keen loyal
		mild neat odd plain quick rapid solid tidy upper vast warm young`)
)

// fresh is a name that the package does not have yet.
func (g *writer) fresh(words ...[]string) string {
	for {
		var parts []string
		for _, list := range words {
			parts = append(parts, pick(g, list))
		}
		name := strings.Join(parts, "_")
		if !g.names[name] {
			g.names[name] = true
			return name
		}
	}
}

// distinct gives n names that need only differ among themselves.
func (g *writer) distinct(n int, list []string) []string {
	out := slices.Clone(list)
	g.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:n]
}

func (g *writer) vocabularies() {
	for range 2 + g.IntN(3) {
		size := 2 + g.IntN(4)
		if g.wide {
			size = len(adjectives) - g.IntN(3)
		}
		e := vocabulary{strings.ToUpper(pick(g, adjectives)[:1]) + g.fresh(nouns), g.distinct(size, adjectives)}
		g.enums = append(g.enums, e)
		g.line("/// One of %d.\nenum %s { %s }", len(e.members), e.name, strings.Join(e.members, ", "))
	}
	for range 1 + g.IntN(2) {
		t := vocabulary{g.fresh(adjectives, nouns), g.distinct(2+g.IntN(2), adjectives)}
		g.traits = append(g.traits, t)
		g.line("trait %s { %s }", t.name, strings.Join(t.members, ", "))
	}
}

func (g *writer) namedTypes() {
	for range 1 + g.IntN(3) {
		t := g.inlineType()
		if t.kind == "bool" || t.kind == "enum" {
			continue
		}
		name := g.fresh(adjectives, nouns)
		g.line("type %s = %s", name, t.text)
		t.text = name
		g.types = append(g.types, t)
	}
}

func (g *writer) entities() {
	for n := range 1 + g.IntN(2) {
		e := &entity{name: g.fresh(nouns)}
		names := g.distinct(12, nouns)
		// Every entity has the same two vocabularies under the same names, so that a
		// table can add up over tools that act on different kinds.
		e.attrs = append(e.attrs, field{name: "grade", typ: enumType(g.enums[0])}, field{name: "shade", typ: enumType(g.enums[1])})
		for i := range g.IntN(4) {
			e.attrs = append(e.attrs, field{name: names[i], typ: g.someType()})
		}
		// What nothing uses does not compile, so the first kind has all of it.
		for i, t := range g.declared() {
			if n == 0 {
				e.attrs = append(e.attrs, field{name: names[4+i], typ: t})
			}
		}
		if g.chance(50) {
			e.cycle = &lifecycle{attr: "stage", states: g.distinct(3+g.IntN(2), verbs)}
		}
		g.kinds = append(g.kinds, e)
	}
	for _, e := range g.kinds {
		g.line("entity %s {", e.name)
		for _, a := range e.attrs {
			g.line("  %s %s", a.name, a.typ.text)
		}
		if e.cycle != nil {
			g.line("  %s %s_cycle", e.cycle.attr, e.name)
		}
		g.line("}")
	}
}

// declared is a type of each declaration that makes one.
func (g *writer) declared() []typeExpr {
	list := slices.Clone(g.types)
	for _, e := range g.enums {
		list = append(list, enumType(e))
	}
	return list
}

// tools writes those that act. The transitions of a lifecycle are given to them
// in turn; the last one needs a person, so no agent gets to the end alone.
func (g *writer) tools() {
	count := 2 + g.IntN(4)
	switch {
	case g.wide:
		count = 24
	case g.many:
		count = 210
	}
	for range count {
		t := &tool{name: g.fresh(verbs, nouns), traits: map[string]string{}}
		if g.wide || g.chance(80) {
			t.on = pick(g, g.kinds)
		}
		t.plain = !g.wide && g.chance(25)
		g.actions = append(g.actions, t)
	}
	for _, e := range g.kinds {
		if e.cycle == nil {
			continue
		}
		for i := range len(e.cycle.states) - 1 {
			t := &tool{name: g.fresh(verbs, nouns), on: e, traits: map[string]string{}}
			t.person = i == len(e.cycle.states)-2
			e.cycle.by = append(e.cycle.by, t)
			g.actions = append(g.actions, t)
		}
		g.line("lifecycle %s_cycle {", e.name)
		for i, t := range e.cycle.by {
			g.line("  %s -> %s by %s", e.cycle.states[i], e.cycle.states[i+1], t.name)
		}
		g.line("}")
	}
	for _, t := range g.actions {
		g.action(t)
	}
}

func (g *writer) header(t *tool) string {
	if t.on == nil {
		return "tool " + t.name
	}
	return "tool " + t.name + " on " + t.on.name
}

func (g *writer) action(t *tool) {
	if g.chance(30) {
		g.line("/// Do what `%s` says.", t.name)
	}
	g.line("%s {", g.header(t))
	for _, trait := range g.traits {
		if t.plain {
			break
		}
		t.traits[trait.name] = pick(g, trait.members)
		g.line("  %s %s", trait.name, t.traits[trait.name])
	}
	if g.chance(50) {
		g.line("  idempotent")
	}
	if g.chance(8) {
		g.line("  dangerous")
	}
	if t.person = t.person || g.chance(8); t.person {
		g.line("  approval required")
	}
	if t.on != nil && g.chance(40) {
		g.verification(t)
	}
	args := g.arguments()
	c := &conditions{writer: g, args: args, asked: map[string]bool{}, read: map[string]bool{}}
	if t.on != nil {
		c.attrs = t.on.attrs
	}
	for _, name := range g.distinct(g.IntN(4), adjectives) {
		hold := ""
		if g.chance(40) {
			hold = " else hold"
		}
		if when := c.top(); when != "" {
			g.line("  flag %s when %s%s", name, when, hold)
		}
	}
	if g.chance(50) {
		g.requirements(c)
	}
	g.line("}")
}

// requirements are clauses over what the flags of the tool have not read.
func (g *writer) requirements(c *conditions) {
	for range 1 + g.IntN(4) {
		when := c.top()
		if when == "" {
			return
		}
		if g.chance(20) {
			g.line("  /// What has to be so.")
		}
		outcome := "refuse"
		switch {
		case g.chance(30):
			outcome = "hold for " + g.group()
		case g.chance(40):
			outcome = "hold"
		}
		g.line("  require %s else %s", when, outcome)
	}
}

// group is the name of an approval, one of a few.
func (g *writer) group() string {
	if len(g.groups) == 0 || len(g.groups) < 3 && g.chance(40) {
		g.groups = append(g.groups, g.fresh(adjectives, nouns))
		return g.groups[len(g.groups)-1]
	}
	return pick(g, g.groups)
}

// approvals declares the groups that were named.
func (g *writer) approvals() {
	for _, name := range g.groups {
		g.line("approval %s { %d of %s, within %dh }", name, 1+g.IntN(3), g.fresh(nouns), 1+g.IntN(48))
	}
}

// verification is by an attribute that every kind has, or by any other.
func (g *writer) verification(t *tool) {
	t.verified = true
	a := pick(g, t.on.attrs)
	x, y := "result."+a.name, "target."+a.name
	if a.typ.kind == "enum" && g.chance(50) {
		y = a.typ.constant(g)
	}
	g.line("  verify by %s {\n    confirmed when %s == %s\n    refuted when %s != %s\n  }", reader(t.on), x, y, x, y)
}

// reader is the name of the tool that reads a kind.
func reader(e *entity) string { return "look_at_" + e.name }

func (g *writer) arguments() []field {
	n := g.IntN(6)
	if n == 0 {
		return nil
	}
	var args []field
	g.line("  args {")
	for _, name := range g.distinct(n, nouns) {
		f := field{name: name, typ: g.someType()}
		text := f.typ.text
		if f.optional = g.chance(45); f.optional {
			text += " optional"
			if f.typ.constant != nil && g.chance(30) {
				f.fallback = f.typ.constant(g)
				text += " default " + f.fallback
			}
		}
		if g.chance(15) {
			text += " sensitive"
		}
		g.line("    %s %s", f.name, text)
		args = append(args, f)
	}
	g.line("  }")
	return args
}

// readTools writes tools that change nothing, one for each kind of entity.
func (g *writer) readTools() {
	for _, e := range g.kinds {
		t := &tool{name: reader(e), on: e}
		g.readers = append(g.readers, t)
		g.line("%s {\n  read\n  result {", g.header(t))
		for _, a := range e.attrs {
			g.line("    %s %s trusted", a.name, a.typ.text)
		}
		g.line("  }")
		if g.chance(15) {
			g.requirements(&conditions{writer: g, attrs: e.attrs, asked: map[string]bool{}, read: map[string]bool{}})
		}
		g.line("}")
	}
}
