package check

import (
	"regexp"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// A contract that lets a model write a program, a query or an address makes
// every other contract pointless: whatever they refuse can be done through it.
// What such a contract does cannot be seen from here, only what it is called, so
// the words below are a closed list (it is on the page of DangerousContract).

// interpreters in the name of a tool make it one, whatever its arguments.
var interpreters = words("shell bash zsh sh cmd powershell terminal subprocess exec eval sql command script python javascript")

// runners in the name of a tool make it one if a free text goes in.
var runners = words("execute run query code program")

// programs name an argument that carries one, if its type is a text.
var programs = words("command cmd shell script sql query code expression eval exec program statement bash python")

// fetchers in the name of a tool make it one if a free text goes in.
var fetchers = words("fetch http https url uri curl wget download browse scrape crawl webhook")

// addresses name an argument that carries one, if its type is a text that no
// pattern ties to a host.
var addresses = words("url uri href link endpoint webhook host hostname")

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// hostPattern is a pattern that starts with one host, spelled out.
var hostPattern = regexp.MustCompile(`^\^?https?:/{2}[A-Za-z0-9-]+(\\\.[A-Za-z0-9-]+)+/`)

func (c *checker) dangerous(t *Tool) {
	if t.IR.Dangerous {
		return
	}
	open := openText(t.IR.Args)
	name := t.Decl.Name
	switch w, how := wordIn(name.Name, interpreters), "amounts to a shell, to SQL or to running a program"; {
	case w != "":
		c.refuseDangerous(name, t, how, w, nil)
		return
	default:
		if w = wordIn(name.Name, runners); w != "" && open != nil {
			c.refuseDangerous(name, t, how, w, open)
			return
		}
		if w = wordIn(name.Name, fetchers); w != "" && open != nil && !pinned(open) {
			c.refuseDangerous(name, t, "amounts to fetching an arbitrary address", w, open)
			return
		}
	}
	for _, st := range t.Decl.Stmts {
		f, ok := st.(*ast.FieldsStmt)
		if !ok || f.Key.Name != "args" {
			continue
		}
		for _, a := range f.Fields {
			r := c.Fields[a]
			if r == nil || r.Type == nil || r.Type.Kind != ir.String {
				continue
			}
			if w := wordIn(a.Name.Name, programs); w != "" {
				c.refuseDangerous(a.Name, t, "amounts to a shell, to SQL or to running a program", w, nil)
				return
			}
			if w := wordIn(a.Name.Name, addresses); w != "" && !pinned(r) {
				c.refuseDangerous(a.Name, t, "amounts to fetching an arbitrary address", w, nil)
				return
			}
		}
	}
}

func (c *checker) refuseDangerous(id *ast.Ident, t *Tool, how, word string, open *ir.Field) {
	d := c.at(id.Span(), diag.DangerousContract, "`%s` %s, and is not marked `dangerous`", t.Symbol.Name, how).
		Under("the word `%s`", word)
	if open != nil {
		d.See(c.identOf(t, open), "and a free text goes in")
	}
	d.Note("whatever the other contracts refuse could be done through it").
		Help("declare what it does with typed arguments, or write `dangerous`: it then always waits for a person")
}

// wordIn is the first word of a name, between underscores or capitals, that is
// in the list.
func wordIn(name string, list map[string]bool) string {
	for _, w := range splitWords(name) {
		if list[w] || strings.HasSuffix(w, "s") && list[strings.TrimSuffix(w, "s")] {
			return w
		}
	}
	return ""
}

// splitWords cuts a name at underscores and before capitals, in lower case.
func splitWords(name string) []string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return r == '_' || r >= '0' && r <= '9' })
}

// openText is the first argument into which text of any wording goes: a string
// without a pattern that is longer than an identifier.
func openText(args []*ir.Field) *ir.Field {
	const identifier = 40
	for _, f := range args {
		if f.Type != nil && f.Type.Kind == ir.String && !pinned(f) && (f.Type.Pattern == nil && f.Type.Hi > identifier || anything(f.Type.Pattern)) {
			return f
		}
	}
	return nil
}

// anything says whether a pattern bounds nothing: from its start state it stays
// among accepting states whatever comes.
func anything(p *ir.Pattern) bool {
	if p == nil {
		return false
	}
	for s := range p.Accept {
		for c := 0; c < p.Classes; c++ {
			if p.Next[s*p.Classes+c] == ir.Dead {
				return false
			}
		}
	}
	return true
}

// pinned says whether a pattern ties an address to one host.
func pinned(f *ir.Field) bool {
	return f.Type.Pattern != nil && hostPattern.MatchString(f.Type.Pattern.Source)
}
