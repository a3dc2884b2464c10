package check

import (
	"strings"

	"github.com/provlang/prov/compiler/ir"
)

// language is what a pattern accepts, as a graph: which states lie on the way to
// an accepted text, and where each code point leads.
type language struct {
	p      *ir.Pattern
	useful []bool // by state: an accepted text can still come
}

func newLanguage(p *ir.Pattern) *language {
	l := &language{p: p, useful: make([]bool, len(p.Accept))}
	from := make([][]int, len(p.Accept))
	for i, to := range p.Next {
		if to != ir.Dead {
			from[to] = append(from[to], i/p.Classes)
		}
	}
	var todo []int
	mark := func(s int) {
		if !l.useful[s] {
			l.useful[s] = true
			todo = append(todo, s)
		}
	}
	for s, accepts := range p.Accept {
		if accepts {
			mark(s)
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, before := range from[s] {
			mark(before)
		}
	}
	return l
}

// step is where a class leads from a state, -1 where no accepted text lies there.
func (l *language) step(state, class int) int {
	to := l.p.Next[state*l.p.Classes+class]
	if to == ir.Dead || !l.useful[to] {
		return -1
	}
	return int(to)
}

// classes says of each class whether it holds one of the ASCII characters of a
// set, or, with rest, whether it holds anything else.
func (l *language) classes(set string, rest bool) []bool {
	in := make([]bool, l.p.Classes)
	for c := range rune(128) {
		if strings.ContainsRune(set, c) != rest {
			in[l.p.ASCII[c]] = true
		}
	}
	if rest {
		in[0] = true // a code point of 128 and above that is in no range
		for _, r := range l.p.Ranges {
			in[r.Class] = true
		}
	}
	return in
}

const wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

// openPhrase says that the texts are without number, and that some of them have
// a character that is in no single word: a blank, a quote, a semicolon.
func (l *language) openPhrase() bool {
	every := l.classes("", true)
	if !l.endless(0, every) {
		return false
	}
	outside := l.classes(wordCharacters, true)
	for state := range l.reached(0, every) {
		for c := range outside {
			if outside[c] && l.step(state, c) >= 0 {
				return true
			}
		}
	}
	return false
}

// openHost says that the texts are without number, and that they do not all begin
// with http:// or https:// and one of a fixed number of hosts.
func (l *language) openHost() bool {
	if !l.endless(0, l.classes("", true)) {
		return false
	}
	hosts, ok := l.afterScheme()
	if !ok {
		return true
	}
	inHost := l.classes("/?#", true)
	for _, state := range hosts {
		if l.p.Accept[state] || l.endless(state, inHost) {
			return true
		}
	}
	return false
}

// afterScheme is the states behind `http://` and `https://`; false where a text can
// begin with anything else.
func (l *language) afterScheme() (states []int, ok bool) {
	only := func(state int, next string) bool {
		other := l.classes(next, true)
		for c := range other {
			// A class that holds a wanted character and others is too wide as well.
			if other[c] && l.step(state, c) >= 0 {
				return false
			}
		}
		return true
	}
	state := 0
	for _, c := range "http" {
		if l.p.Accept[state] || !only(state, string(c)) {
			return nil, false
		}
		if state = l.step(state, int(l.p.ASCII[c])); state < 0 {
			return nil, false
		}
	}
	if l.p.Accept[state] || !only(state, "s:") {
		return nil, false
	}
	for _, rest := range []string{"://", "s://"} {
		at := state
		for i, c := range rest {
			if i > 0 && (l.p.Accept[at] || !only(at, string(c))) {
				return nil, false
			}
			if at = l.step(at, int(l.p.ASCII[c])); at < 0 {
				break
			}
		}
		if at >= 0 {
			states = append(states, at)
		}
	}
	return states, len(states) > 0
}

// reached is every state to which the classes lead from one, itself included.
func (l *language) reached(from int, with []bool) map[int]bool {
	seen := map[int]bool{from: true}
	for todo := []int{from}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for c := range with {
			if to := l.step(s, c); with[c] && to >= 0 && !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// endless says that the classes lead round a circle, so that there are texts of
// any length.
func (l *language) endless(from int, with []bool) bool {
	const (
		open = 1
		done = 2
	)
	mark := map[int]int{}
	var visit func(int) bool
	visit = func(s int) bool {
		mark[s] = open
		for c := range with {
			to := l.step(s, c)
			if !with[c] || to < 0 || mark[to] == done {
				continue
			}
			if mark[to] == open || visit(to) {
				return true
			}
		}
		mark[s] = done
		return false
	}
	return visit(from)
}
