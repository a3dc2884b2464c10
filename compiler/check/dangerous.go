package check

import (
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/pattern"
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

// programs name an argument that carries one, if its type is a text that may be one.
var programs = words("command cmd shell script sql query eval exec bash python")

// perhaps name an argument that carries a program, if its type is a free text.
var perhaps = words("code expression statement program")

// fetchers in the name of a tool make it one if a free text goes in.
var fetchers = words("fetch http https url uri curl wget download browse scrape crawl webhook")

// addresses name an argument that carries one, if its type is a text that may be
// an address of any host.
var addresses = words("url uri href link endpoint webhook host hostname")

// Texts of the kind that must not go in. A pattern that matches one of them
// bounds nothing that matters; one that matches none is a vocabulary.
var (
	someProgram = []string{"rm -rf /", "ls;id", "$(id)", "select * from users", "drop table users", "import os"}
	someAddress = []string{
		"http://some-host.test", "https://some-host.test/x", "http://some-host.test:80/x?y=z", "some-host.test",
		"http://somehost.com", "https://somehost.com/x", "somehost.com", "10.0.0.1", "http://10.0.0.1/",
	}
)

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

func (c *checker) dangerous(t *Tool) {
	if t.IR.Dangerous {
		return
	}
	const program, address = "amounts to a shell, to SQL or to running a program", "amounts to fetching an arbitrary address"
	name := t.Decl.Name
	if w := wordIn(name.Name, interpreters); w != "" {
		c.refuseDangerous(name, t, program, w, nil)
		return
	}
	if w := wordIn(name.Name, runners); w != "" {
		if f := first(t.IR.Args, func(f *ir.Field) bool { return free(f, someProgram) }); f != nil {
			c.refuseDangerous(name, t, program, w, f)
			return
		}
	}
	if w := wordIn(name.Name, fetchers); w != "" {
		if f := first(t.IR.Args, func(f *ir.Field) bool { return free(f, someAddress) }); f != nil {
			c.refuseDangerous(name, t, address, w, f)
			return
		}
	}
	for _, st := range t.Decl.Stmts {
		fs, ok := st.(*ast.FieldsStmt)
		if !ok || fs.Key.Name != "args" {
			continue
		}
		for _, a := range fs.Fields {
			f := c.Fields[a]
			if f == nil {
				continue
			}
			if w := wordIn(a.Name.Name, programs); w != "" && takes(f, someProgram) {
				c.refuseDangerous(a.Name, t, program, w, nil)
				return
			}
			if w := wordIn(a.Name.Name, perhaps); w != "" && free(f, someProgram) {
				c.refuseDangerous(a.Name, t, program, w, nil)
				return
			}
			if w := wordIn(a.Name.Name, addresses); w != "" && takes(f, someAddress) {
				c.refuseDangerous(a.Name, t, address, w, nil)
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

func first(fs []*ir.Field, f func(*ir.Field) bool) *ir.Field {
	for _, x := range fs {
		if f(x) {
			return x
		}
	}
	return nil
}

// takes says whether a field is a text that may be one of the samples, or
// something like them: it has no pattern, or one that matches a sample.
func takes(f *ir.Field, samples []string) bool {
	if f.Type == nil || f.Type.Kind != ir.String {
		return false
	}
	return f.Type.Pattern == nil || slices.ContainsFunc(samples, func(s string) bool { return pattern.Match(f.Type.Pattern, s) })
}

// free says whether a field takes text of any wording: it takes the samples, and
// is longer than an identifier.
func free(f *ir.Field, samples []string) bool {
	const identifier = 40
	return takes(f, samples) && f.Type.Hi > identifier
}
