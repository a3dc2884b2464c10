// Package ebnf reads the normative grammar and works with it: it looks for LL(1)
// conflicts, recognises sentences and makes them up. The parser is written by
// hand; its tests use this package to hold it equal to the grammar's text.
//
// The notation is that of the Go specification: `|` for a choice, `[ ]` for at
// most once, `{ }` for any number of times, `( )` for a group, a full stop at the
// end of a production. A terminal is a word in quotes, or a class in capitals. The
// class NAME stands for every word that is not reserved; where a quoted word may
// stand as well, the quoted word is taken. That one rule is what makes a word
// a keyword in one place and a name in all others.
package ebnf

import (
	"fmt"
	"sort"
	"strings"
)

// NameClass is the class that a quoted word takes precedence over.
const NameClass = "NAME"

// Grammar is a set of productions. The first is the start.
type Grammar struct {
	Start string
	Names []string // of productions, in order
	rules map[string]expr

	first  map[string]set
	empty  map[string]bool
	follow map[string]set
}

// A terminal is a quoted word, such as `"tool"`, quotes included, or a class,
// such as NAME.
type terminal = string

type (
	expr   interface{}
	seq    []expr
	choice []expr
	option struct{ x expr }
	repeat struct{ x expr }
	term   struct{ t terminal }
	rule   struct{ name string }
)

// Parse reads a grammar.
func Parse(text string) (*Grammar, error) {
	p := &reader{toks: split(text)}
	g := &Grammar{rules: map[string]expr{}}
	for p.peek() != "" {
		name := p.next()
		if !isRule(name) || p.next() != "=" {
			return nil, fmt.Errorf("a production must begin at %q", name)
		}
		if _, ok := g.rules[name]; ok {
			return nil, fmt.Errorf("%s is defined twice", name)
		}
		x := p.choice()
		if p.err == nil && p.next() != "." {
			p.err = fmt.Errorf("a full stop is missing after %s", name)
		}
		if p.err != nil {
			return nil, p.err
		}
		if g.Start == "" {
			g.Start = name
		}
		g.Names = append(g.Names, name)
		g.rules[name] = x
	}
	if err := g.closed(); err != nil {
		return nil, err
	}
	g.solve()
	return g, nil
}

// closed checks that every production that is used exists, and is used.
func (g *Grammar) closed() error {
	used := map[string]bool{g.Start: true}
	var missing []string
	var walk func(expr)
	walk = func(x expr) {
		switch x := x.(type) {
		case seq:
			for _, y := range x {
				walk(y)
			}
		case choice:
			for _, y := range x {
				walk(y)
			}
		case option:
			walk(x.x)
		case repeat:
			walk(x.x)
		case rule:
			used[x.name] = true
			if _, ok := g.rules[x.name]; !ok {
				missing = append(missing, x.name)
			}
		}
	}
	for _, n := range g.Names {
		walk(g.rules[n])
	}
	if len(missing) > 0 {
		return fmt.Errorf("undefined: %s", strings.Join(missing, ", "))
	}
	for _, n := range g.Names {
		if !used[n] {
			return fmt.Errorf("never used: %s", n)
		}
	}
	return nil
}

func isRule(s string) bool {
	return s != "" && s[0] >= 'A' && s[0] <= 'Z' && s != strings.ToUpper(s)
}

func isClass(s string) bool {
	return s != "" && s[0] >= 'A' && s[0] <= 'Z' && s == strings.ToUpper(s)
}

// split cuts the text into symbols. Lines that begin with `//` are comments.
func split(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			continue
		}
		for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
			n := 1
			switch {
			case line[0] == '"':
				if end := strings.IndexByte(line[1:], '"'); end >= 0 {
					n = end + 2
				}
			default:
				for n < len(line) && isWord(line[0]) && isWord(line[n]) {
					n++
				}
			}
			out = append(out, line[:n])
			line = line[n:]
		}
	}
	return out
}

func isWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

type reader struct {
	toks []string
	i    int
	err  error
}

func (p *reader) peek() string {
	if p.i < len(p.toks) {
		return p.toks[p.i]
	}
	return ""
}

func (p *reader) next() string {
	s := p.peek()
	p.i++
	return s
}

func (p *reader) choice() expr {
	alts := choice{p.seq()}
	for p.peek() == "|" {
		p.next()
		alts = append(alts, p.seq())
	}
	if len(alts) == 1 {
		return alts[0]
	}
	return alts
}

func (p *reader) seq() expr {
	var out seq
	for p.err == nil {
		switch s := p.peek(); {
		case s == "[" || s == "{" || s == "(":
			p.next()
			x := p.choice()
			closing := map[string]string{"[": "]", "{": "}", "(": ")"}[s]
			if p.next() != closing && p.err == nil {
				p.err = fmt.Errorf("a %q is not closed", s)
			}
			switch s {
			case "[":
				out = append(out, option{x})
			case "{":
				out = append(out, repeat{x})
			default:
				out = append(out, x)
			}
		case isRule(s):
			p.next()
			out = append(out, rule{s})
		case isClass(s), len(s) > 2 && s[0] == '"':
			p.next()
			out = append(out, term{s})
		default:
			if len(out) == 1 {
				return out[0]
			}
			return out
		}
	}
	return out
}

type set map[terminal]bool

func (s set) add(o set) bool {
	grew := false
	for t := range o {
		if !s[t] {
			s[t] = true
			grew = true
		}
	}
	return grew
}

func (s set) sorted() []terminal {
	out := make([]terminal, 0, len(s))
	for t := range s {
		out = append(out, t)
	}
	sort.Strings(out)
	return out
}
