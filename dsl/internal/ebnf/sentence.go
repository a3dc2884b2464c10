package ebnf

// Symbol is one token of a sentence: the terminals that it can stand for, a
// quoted word before its class. A word such as tool stands for `"tool"` and NAME.
type Symbol struct {
	Quoted terminal // `"tool"`, `"{"`; "" for a token that is no fixed text
	Class  terminal // NAME, STRING, ...; "" for a token that has no class
}

// Accepts says whether the symbols are a sentence of the grammar. It follows the
// text of the grammar alone, one symbol of lookahead, never back.
func (g *Grammar) Accepts(symbols []Symbol) bool {
	r := &recogniser{g: g, in: symbols}
	return r.match(rule{g.Start}) && r.i == len(r.in)
}

type recogniser struct {
	g  *Grammar
	in []Symbol
	i  int
}

// starts says whether the current symbol can begin x, by its quoted word first.
func (r *recogniser) starts(x expr) (quoted, class bool) {
	if r.i >= len(r.in) {
		return false, false
	}
	first, _ := r.g.firstOf(x)
	s := r.in[r.i]
	return s.Quoted != "" && first[s.Quoted], s.Class != "" && first[s.Class]
}

func (r *recogniser) match(x expr) bool {
	switch x := x.(type) {
	case term:
		if r.i < len(r.in) && (r.in[r.i].Quoted == x.t || r.in[r.i].Class == x.t) {
			r.i++
			return true
		}
		return false
	case rule:
		return r.match(r.g.rules[x.name])
	case seq:
		for _, y := range x {
			if !r.match(y) {
				return false
			}
		}
		return true
	case option:
		if q, c := r.starts(x.x); q || c {
			return r.match(x.x)
		}
		return true
	case repeat:
		for {
			if q, c := r.starts(x.x); !q && !c {
				return true
			}
			if !r.match(x.x) {
				return false
			}
		}
	case choice:
		return r.choose(x)
	}
	panic("ebnf: an expression of an unknown kind")
}

// choose takes the alternative that begins with the current symbol's word, else
// the one that begins with its class, else one that can be empty.
func (r *recogniser) choose(x choice) bool {
	var byClass, byNothing expr
	for _, y := range x {
		q, c := r.starts(y)
		if q {
			return r.match(y)
		}
		if c && byClass == nil {
			byClass = y
		}
		if _, empty := r.g.firstOf(y); empty && byNothing == nil {
			byNothing = y
		}
	}
	switch {
	case byClass != nil:
		return r.match(byClass)
	case byNothing != nil:
		return r.match(byNothing)
	}
	return false
}

// Sentence makes up a sentence. choose(n) picks one of n ways; deep says that the
// sentence should come to its end.
func (g *Grammar) Sentence(choose func(n int) int) []terminal {
	m := &maker{g: g, choose: choose}
	m.make(rule{g.Start}, 0)
	return m.out
}

type maker struct {
	g      *Grammar
	choose func(int) int
	out    []terminal
}

// Beyond this depth, or this length, a sentence takes the shortest way out.
const (
	deepest = 40
	longest = 400
)

func (m *maker) make(x expr, depth int) {
	tired := depth > deepest || len(m.out) > longest
	switch x := x.(type) {
	case term:
		m.out = append(m.out, x.t)
	case rule:
		m.make(m.g.rules[x.name], depth+1)
	case seq:
		for _, y := range x {
			m.make(y, depth)
		}
	case option:
		if !tired && m.choose(2) == 0 {
			m.make(x.x, depth)
		}
	case repeat:
		for !tired && m.choose(3) > 0 && len(m.out) <= longest {
			m.make(x.x, depth)
		}
	case choice:
		if tired {
			m.make(x[len(x)-1], depth) // the last alternative never recurs
			return
		}
		m.make(x[m.choose(len(x))], depth)
	default:
		panic("ebnf: an expression of an unknown kind")
	}
}
