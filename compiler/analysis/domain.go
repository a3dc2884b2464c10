package analysis

import (
	"math"
	"slices"

	"github.com/provlang/prov/compiler/ir"
)

// Which values a condition leaves possible. A condition is written as a choice
// among conjunctions of simple tests; in each conjunction every operand has a
// domain (an interval, a set, what is excluded), and every pair of operands a
// relation. A conjunction that empties one of them can never hold. Where this
// reasoning does not see through a condition it says "possible": it may miss a
// fault, and never invents one.

// maxTerms bounds the conjunctions of one condition; beyond, nothing is claimed.
const maxTerms = 256

// test is one simple test, or its negation.
type test struct {
	cond ir.Cond
	neg  bool
}

// terms writes a condition as a choice among conjunctions. It returns false
// where there would be too many.
func terms(c ir.Cond, neg bool) ([][]test, bool) {
	switch c := c.(type) {
	case ir.Not:
		return terms(c.X, !neg)
	case ir.And:
		if neg {
			return either(c.Args, neg)
		}
		return both(c.Args, neg)
	case ir.Or:
		if neg {
			return both(c.Args, neg)
		}
		return either(c.Args, neg)
	}
	return [][]test{{{cond: c, neg: neg}}}, true
}

func either(args []ir.Cond, neg bool) ([][]test, bool) {
	var out [][]test
	for _, a := range args {
		ts, ok := terms(a, neg)
		if out = append(out, ts...); !ok || len(out) > maxTerms {
			return nil, false
		}
	}
	return out, true
}

func both(args []ir.Cond, neg bool) ([][]test, bool) {
	out := [][]test{nil}
	for _, a := range args {
		ts, ok := terms(a, neg)
		if !ok || len(out)*len(ts) > maxTerms {
			return nil, false
		}
		next := make([][]test, 0, len(out)*len(ts))
		for _, o := range out {
			for _, t := range ts {
				next = append(next, append(o[:len(o):len(o)], t...))
			}
		}
		out = next
	}
	return out, true
}

// possible says whether a condition may hold. It is true in doubt.
func possible(c ir.Cond) bool { return possibleNeg(c, false) }

// always says whether a condition cannot fail. It is false in doubt.
func always(c ir.Cond) bool { return !possibleNeg(c, true) }

// implies says whether b holds wherever a does. It is false in doubt.
func implies(a, b ir.Cond) bool { return !possible(ir.And{Args: []ir.Cond{a, ir.Not{X: b}}}) }

func possibleNeg(c ir.Cond, neg bool) bool {
	ts, ok := terms(c, neg)
	if !ok {
		return true
	}
	for _, t := range ts {
		if consistent(t) {
			return true
		}
	}
	return false
}

// key names an operand.
type key struct {
	kind  uint8
	index int
	name  string
}

func keyOf(o ir.Operand) (key, bool) {
	switch o := o.(type) {
	case ir.Arg:
		return key{kind: 1, index: o.Index}, true
	case ir.Target:
		return key{kind: 2, index: o.Attr}, true
	case ir.Result:
		return key{kind: 3, index: o.Index}, true
	case ir.FactorValue:
		return key{kind: 4, name: o.Name}, true
	}
	return key{}, false
}

// domain is what an operand may still be.
type domain struct {
	text    bool
	lo, hi  int64
	not     map[ir.Value]bool
	only    map[ir.Value]bool // nil: anything
	present int8              // 1 present, -1 absent, 0 not said
}

func newDomain(t *ir.Type) *domain {
	d := &domain{lo: math.MinInt64, hi: math.MaxInt64}
	switch t.Kind {
	case ir.Bool:
		d.lo, d.hi = 0, 1
	case ir.Int:
		d.lo, d.hi = t.Lo, t.Hi
	case ir.EnumType:
		d.lo, d.hi = 0, int64(len(t.Enum.Members)-1)
	case ir.String, ir.Ref:
		d.text = true
	}
	return d
}

func (d *domain) empty() bool {
	if d.only != nil {
		for v := range d.only {
			if !d.not[v] && (d.text || v.N >= d.lo && v.N <= d.hi) {
				return false
			}
		}
		return true
	}
	if d.text {
		return false
	}
	if d.lo > d.hi {
		return true
	}
	// Count in unsigned arithmetic: the distance of two int64 fits.
	size := uint64(d.hi) - uint64(d.lo)
	if size >= uint64(len(d.not)) {
		return false
	}
	for n := d.lo; ; n++ {
		if !d.not[ir.Value{N: n}] {
			return false
		}
		if n == d.hi {
			return true
		}
	}
}

func (d *domain) keep(set map[ir.Value]bool) {
	if d.only == nil {
		d.only = set
		return
	}
	both := make(map[ir.Value]bool)
	for v := range set {
		if d.only[v] {
			both[v] = true
		}
	}
	d.only = both
}

func (d *domain) exclude(v ir.Value) {
	if d.not == nil {
		d.not = make(map[ir.Value]bool)
	}
	d.not[v] = true
}

func (d *domain) compare(op ir.Op, v ir.Value) {
	switch op {
	case ir.Eq:
		d.keep(map[ir.Value]bool{v: true})
	case ir.Ne:
		d.exclude(v)
	case ir.Lt:
		if v.N == math.MinInt64 {
			d.lo, d.hi = 1, 0
			return
		}
		d.hi = min(d.hi, v.N-1)
	case ir.Le:
		d.hi = min(d.hi, v.N)
	case ir.Gt:
		if v.N == math.MaxInt64 {
			d.lo, d.hi = 1, 0
			return
		}
		d.lo = max(d.lo, v.N+1)
	case ir.Ge:
		d.lo = max(d.lo, v.N)
	}
}

// Relations of two operands, as bits.
const (
	less = 1 << iota
	equal
	greater
)

var relation = map[ir.Op]uint8{
	ir.Eq: equal, ir.Ne: less | greater, ir.Lt: less, ir.Le: less | equal, ir.Gt: greater, ir.Ge: greater | equal,
}

var negated = map[ir.Op]ir.Op{ir.Eq: ir.Ne, ir.Ne: ir.Eq, ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Gt: ir.Le, ir.Le: ir.Gt}

var mirrored = map[ir.Op]ir.Op{ir.Eq: ir.Eq, ir.Ne: ir.Ne, ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le}

// state is what a conjunction says of its operands. Conjunctions are short, so
// they are searched rather than hashed.
type state struct {
	keys    []key
	domains []*domain
	pairs   []pair
}

// pair is which relations two operands may have. Numbers says that both are
// whole numbers of one scale, so that their intervals may be compared.
type pair struct {
	x, y    key
	rel     uint8
	numbers bool
}

// related is which relations two intervals leave.
func related(x, y *domain) uint8 {
	rel := uint8(less | equal | greater)
	if x.lo >= y.hi {
		rel &^= less
	}
	if x.hi <= y.lo {
		rel &^= greater
	}
	if x.lo > y.hi || x.hi < y.lo {
		rel &^= equal
	}
	return rel
}

// at is the domain of a key, made by the function where there is none.
func (s *state) at(k key, make func() *domain) *domain {
	if i := slices.Index(s.keys, k); i >= 0 {
		return s.domains[i]
	}
	d := make()
	s.keys = append(s.keys, k)
	s.domains = append(s.domains, d)
	return d
}

func (s *state) domain(o ir.Operand) (*domain, bool) {
	k, ok := keyOf(o)
	if !ok {
		return nil, false
	}
	return s.at(k, func() *domain { return newDomain(o.Of()) }), true
}

// consistent says whether all tests of a conjunction may hold at once.
func consistent(tests []test) bool {
	var s state
	for _, t := range tests {
		if !s.add(t) {
			return false
		}
	}
	for _, d := range s.domains {
		if d.empty() {
			return false
		}
	}
	for _, p := range s.pairs {
		if !p.numbers {
			continue
		}
		x, y := s.domains[slices.Index(s.keys, p.x)], s.domains[slices.Index(s.keys, p.y)]
		if p.rel&related(x, y) == 0 {
			return false
		}
	}
	return true
}

func (s *state) add(t test) bool {
	switch c := t.cond.(type) {
	case ir.Present:
		return s.present(c.Arg, !t.neg)
	case ir.Truth:
		if d, ok := s.domain(c.X); ok {
			n := int64(1)
			if t.neg {
				n = 0
			}
			d.compare(ir.Eq, ir.Value{N: n})
		}
	case ir.In:
		d, ok := s.domain(c.X)
		if !ok {
			return true
		}
		set := make(map[ir.Value]bool, len(c.Set))
		for _, v := range c.Set {
			set[v] = true
			if t.neg {
				d.exclude(v)
			}
		}
		if !t.neg {
			d.keep(set)
		}
	case ir.Compare:
		op := c.Op
		if t.neg {
			op = negated[op]
		}
		return s.compare(c, op)
	}
	return true
}

func (s *state) present(arg int, yes bool) bool {
	k := key{kind: 5, index: arg}
	want := int8(-1)
	if yes {
		want = 1
	}
	d := s.at(k, func() *domain { return &domain{text: true} })
	if d.present == -want {
		return false
	}
	d.present = want
	return true
}

func (s *state) compare(c ir.Compare, op ir.Op) bool {
	x, y := c.X, c.Y
	if k, ok := x.(ir.Const); ok {
		if d, ok := s.domain(y); ok {
			d.compare(mirrored[op], k.Value)
		}
		return true
	}
	if k, ok := y.(ir.Const); ok {
		if d, ok := s.domain(x); ok {
			d.compare(op, k.Value)
		}
		return true
	}
	kx, ok1 := keyOf(x)
	ky, ok2 := keyOf(y)
	if !ok1 || !ok2 {
		return true
	}
	rel := relation[op]
	if kx == ky {
		return rel&equal != 0
	}
	numbers := c.ScaleX == 0 && c.ScaleY == 0
	for _, o := range []ir.Operand{x, y} {
		d, _ := s.domain(o)
		numbers = numbers && !d.text
	}
	if after(kx, ky) {
		kx, ky, rel = ky, kx, relation[mirrored[op]]
	}
	for i := range s.pairs {
		if p := &s.pairs[i]; p.x == kx && p.y == ky {
			p.rel &= rel
			return p.rel != 0
		}
	}
	s.pairs = append(s.pairs, pair{x: kx, y: ky, rel: rel, numbers: numbers})
	return true
}

func after(a, b key) bool {
	if a.kind != b.kind {
		return a.kind > b.kind
	}
	if a.index != b.index {
		return a.index > b.index
	}
	return a.name > b.name
}

// operands appends the operands of a condition to keys.
func operands(c ir.Cond, keys []key) []key {
	switch c := c.(type) {
	case ir.And:
		for _, a := range c.Args {
			keys = operands(a, keys)
		}
	case ir.Or:
		for _, a := range c.Args {
			keys = operands(a, keys)
		}
	case ir.Not:
		keys = operands(c.X, keys)
	case ir.Compare:
		keys = appendKey(appendKey(keys, c.X), c.Y)
	case ir.In:
		keys = appendKey(keys, c.X)
	case ir.Truth:
		keys = appendKey(keys, c.X)
	case ir.Present:
		keys = append(keys, key{kind: 1, index: c.Arg})
	}
	return keys
}

func appendKey(keys []key, o ir.Operand) []key {
	if k, ok := keyOf(o); ok {
		return append(keys, k)
	}
	return keys
}
