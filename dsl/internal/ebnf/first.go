package ebnf

import "fmt"

// End is the terminal behind the last one of a sentence.
const End terminal = "END"

// solve computes which productions can be empty, what each can begin with, and
// what can follow it, as the least sets that fulfil their equations.
func (g *Grammar) solve() {
	g.first, g.follow, g.empty = map[string]set{}, map[string]set{}, map[string]bool{}
	for _, n := range g.Names {
		g.first[n], g.follow[n] = set{}, set{}
	}
	for grew := true; grew; {
		grew = false
		for _, n := range g.Names {
			f, e := g.firstOf(g.rules[n])
			if g.first[n].add(f) || e != g.empty[n] {
				grew = true
			}
			g.empty[n] = e
		}
	}
	g.follow[g.Start][End] = true
	for grew := true; grew; {
		grew = false
		for _, n := range g.Names {
			g.visit(g.rules[n], g.follow[n], func(x expr, after set) {
				if r, ok := x.(rule); ok && g.follow[r.name].add(after) {
					grew = true
				}
			})
		}
	}
}

// firstOf returns what x can begin with, and whether it can be empty.
func (g *Grammar) firstOf(x expr) (set, bool) {
	out := set{}
	switch x := x.(type) {
	case term:
		out[x.t] = true
		return out, false
	case rule:
		out.add(g.first[x.name])
		return out, g.empty[x.name]
	case option:
		f, _ := g.firstOf(x.x)
		return f, true
	case repeat:
		f, _ := g.firstOf(x.x)
		return f, true
	case choice:
		empty := false
		for _, y := range x {
			f, e := g.firstOf(y)
			out.add(f)
			empty = empty || e
		}
		return out, empty
	case seq:
		for _, y := range x {
			f, e := g.firstOf(y)
			out.add(f)
			if !e {
				return out, false
			}
		}
		return out, true
	}
	panic("ebnf: an expression of an unknown kind")
}

// visit calls f for x and everything in it, each with what can follow it.
func (g *Grammar) visit(x expr, after set, f func(x expr, after set)) {
	f(x, after)
	switch x := x.(type) {
	case choice:
		for _, y := range x {
			g.visit(y, after, f)
		}
	case option:
		g.visit(x.x, after, f)
	case repeat:
		again := set{}
		again.add(after)
		first, _ := g.firstOf(x.x)
		again.add(first)
		g.visit(x.x, again, f)
	case seq:
		for i, y := range x {
			rest, empty := g.firstOf(x[i+1:])
			if empty {
				rest.add(after)
			}
			g.visit(y, rest, f)
		}
	}
}

// Conflicts returns the places at which one token does not tell how to go on. A
// quoted word beside NAME is no conflict where the word comes first, since words
// are taken first; where NAME comes first it would swallow the word.
func (g *Grammar) Conflicts() []string {
	var out []string
	for _, n := range g.Names {
		g.visit(g.rules[n], g.follow[n], func(x expr, after set) {
			switch x := x.(type) {
			case choice:
				for i, a := range x {
					for _, b := range x[i+1:] {
						out = append(out, g.clash(n, a, b, after)...)
					}
				}
			case option:
				out = append(out, g.stays(n, x.x, after)...)
			case repeat:
				out = append(out, g.stays(n, x.x, after)...)
			}
		})
	}
	return out
}

// clash compares two alternatives, a written before b.
func (g *Grammar) clash(in string, a, b expr, after set) []string {
	fa, ea := g.firstOf(a)
	fb, eb := g.firstOf(b)
	if ea {
		fa.add(after)
	}
	if eb {
		fb.add(after)
	}
	return overlap(in, fa, fb)
}

// stays compares what may be left out with what follows it.
func (g *Grammar) stays(in string, x expr, after set) []string {
	first, empty := g.firstOf(x)
	if empty {
		return []string{fmt.Sprintf("%s: what may be left out may be empty", in)}
	}
	return overlap(in, first, after)
}

// overlap reports what is in both sets, and a NAME of the first that would
// swallow a quoted word of the second.
func overlap(in string, a, b set) []string {
	var out []string
	for _, t := range a.sorted() {
		if b[t] {
			out = append(out, fmt.Sprintf("%s: %s goes both ways", in, t))
		}
	}
	if a[NameClass] {
		for _, t := range b.sorted() {
			if IsKeyword(t) {
				out = append(out, fmt.Sprintf("%s: NAME would swallow %s", in, t))
			}
		}
	}
	return out
}

// IsKeyword says whether a terminal is a quoted word that may also be a name.
func IsKeyword(t terminal) bool {
	return len(t) > 2 && t[0] == '"' && (isWord(t[1])) && !reserved[t[1:len(t)-1]]
}

// reserved words are never names, so they collide with none.
var reserved = map[string]bool{
	"and": true, "or": true, "not": true, "in": true, "matches": true,
	"else": true, "when": true, "true": true, "false": true,
}
