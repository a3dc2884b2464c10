package check

import (
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
var interpreters = words("shell bash zsh ksh sh cmd powershell pwsh terminal subprocess ssh exec eval sql psql command script python javascript perl ruby php")

// runners in the name of a tool make it one if a free text goes in.
var runners = words("execute run query code program")

// programs name an argument that carries one, if its type is a text that may be
// one.
var programs = words("command cmd shell script sql query eval exec bash python")

// perhaps name an argument that carries a program, if its type is a free text.
var perhaps = words("code expression statement program")

// fetchers in the name of a tool make it one if a free text goes in.
var fetchers = words("fetch http https url uri curl wget download browse scrape crawl webhook")

// addresses name an argument that carries one, if its type is a text that may be
// an address of any host.
var addresses = words("url uri href link endpoint webhook host hostname")

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
		if f := first(t.IR.Args, func(f *ir.Field) bool { return free(f, openProgram) }); f != nil {
			c.refuseDangerous(name, t, program, w, f)
			return
		}
	}
	if w := wordIn(name.Name, fetchers); w != "" {
		if f := first(t.IR.Args, func(f *ir.Field) bool { return openAddress(f) }); f != nil {
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
			if w := wordIn(a.Name.Name, programs); w != "" && openProgram(f) {
				c.refuseDangerous(a.Name, t, program, w, nil)
				return
			}
			if w := wordIn(a.Name.Name, perhaps); w != "" && free(f, openProgram) {
				c.refuseDangerous(a.Name, t, program, w, nil)
				return
			}
			if w := wordIn(a.Name.Name, addresses); w != "" && openAddress(f) {
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
		if list["sql"] && strings.Contains(w, "sql") { // runsql, mysql
			return w
		}
	}
	return ""
}

// splitWords cuts a name at underscores, digits and the beginnings of capitalised
// words (`runSQLQuery` is run, sql, query), in lower case.
func splitWords(name string) []string {
	lower := func(i int) bool { return i < len(name) && name[i] >= 'a' && name[i] <= 'z' }
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && (lower(i-1) || lower(i+1)) {
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

// openProgram says whether a field is a text that may carry a program: one without
// a pattern, or whose pattern leaves open what more than one word says.
func openProgram(f *ir.Field) bool {
	return isText(f) && (f.Type.Pattern == nil || newLanguage(f.Type.Pattern).openPhrase())
}

// openAddress says whether a field is a text that may be an address of any host:
// one without a pattern, or whose pattern leaves the host open.
func openAddress(f *ir.Field) bool {
	return isText(f) && (f.Type.Pattern == nil || newLanguage(f.Type.Pattern).openHost())
}

func isText(f *ir.Field) bool { return f.Type != nil && f.Type.Kind == ir.String }

// free says whether a field is such a text, and longer than an identifier: what
// runs a report takes its title.
func free(f *ir.Field, open func(*ir.Field) bool) bool {
	const identifier = 40
	return open(f) && f.Type.Hi > identifier
}
