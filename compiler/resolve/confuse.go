package resolve

import (
	"strings"
	"unicode"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// confusable goes over every space of names: the declarations of the package,
// and what each of them declares inside.
func (p *Package) confusable() {
	var top []*ast.Ident
	for _, s := range p.Symbols {
		p.reserved(s)
		top = append(top, s.Ident)
	}
	p.apart(top)
	for _, s := range p.Symbols {
		switch d := s.Decl.(type) {
		case *ast.Enum:
			p.members(d.Members, "enum", s.Name)
		case *ast.Trait:
			p.members(d.Members, "trait", s.Name)
		case *ast.Entity:
			p.fieldNames(d.Attrs, "among the attributes")
		case *ast.Lifecycle:
			p.states(d)
		case *ast.Tool:
			p.toolNames(d)
		case *ast.Policy:
			for _, st := range d.Stmts {
				if f, ok := st.(*ast.FieldsStmt); ok {
					p.fieldNames(f.Fields, "among the inputs")
				}
			}
		case *ast.Evidence:
			var ids []*ast.Ident
			for _, w := range d.Weights {
				ids = append(ids, w.Class)
			}
			p.distinct(ids, "among the classes")
		}
	}
}

func (p *Package) members(ms []*ast.Member, kind, name string) {
	ids := make([]*ast.Ident, len(ms))
	for i, m := range ms {
		ids[i] = m.Name
	}
	p.distinct(ids, "in "+kind+" `"+name+"`")
}

func (p *Package) fieldNames(fs []*ast.Field, what string) {
	ids := make([]*ast.Ident, len(fs))
	for i, f := range fs {
		ids[i] = f.Name
	}
	p.distinct(ids, what)
}

func (p *Package) states(d *ast.Lifecycle) {
	seen := make(map[string]bool)
	var ids []*ast.Ident
	for _, t := range d.Transitions {
		for _, id := range []*ast.Ident{t.From, t.To} {
			if id != nil && !seen[id.Name] {
				seen[id.Name] = true
				ids = append(ids, id)
			}
		}
	}
	p.apart(ids)
}

func (p *Package) toolNames(d *ast.Tool) {
	var flags []*ast.Ident
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.FieldsStmt:
			what := "among the arguments"
			if st.Key.Name == "result" {
				what = "among the fields of the result"
			}
			p.fieldNames(st.Fields, what)
		case *ast.FlagStmt:
			flags = append(flags, st.Name)
		}
	}
	p.distinct(flags, "among the flags")
}

// distinct refuses a name that stands twice, and names that are too alike.
func (p *Package) distinct(ids []*ast.Ident, what string) {
	seen := make(map[string]*ast.Ident, len(ids))
	var once []*ast.Ident
	for _, id := range ids {
		if id == nil {
			continue
		}
		if old := seen[id.Name]; old != nil {
			p.report.At(at(id), diag.DuplicateMember, "`%s` is declared twice %s", id.Name, what).
				See(at(old), "first here").
				Help("rename one of the two, or remove it")
			continue
		}
		if len(id.Name) > maxName {
			p.tooLong(id)
		}
		seen[id.Name] = id
		once = append(once, id)
	}
	p.apart(once)
}

// apart refuses two different names of one space that become one in Go, or that
// a reader takes for each other.
func (p *Package) apart(ids []*ast.Ident) {
	inGo := make(map[string]*ast.Ident, len(ids))
	looks := make(map[string]*ast.Ident, len(ids))
	for _, id := range ids {
		g, l := goKey(id.Name), lookKey(id.Name)
		switch {
		case inGo[g] != nil && inGo[g].Name != id.Name:
			old := inGo[g]
			p.report.At(at(id), diag.ConfusableName, "`%s` and `%s` are told apart by case or `_` alone", id.Name, old.Name).
				See(at(old), "the other one").
				Note("both would become `%s` in Go, or nearly so", GoName(id.Name)).
				Help("rename one of the two so that a reader hears the difference")
		case looks[l] != nil && looks[l].Name != id.Name:
			old := looks[l]
			p.report.At(at(id), diag.ConfusableName, "`%s` and `%s` look alike", id.Name, old.Name).
				See(at(old), "the other one").
				Note("`0` and `O`, `1`, `l` and `I` are one letter to many readers").
				Help("rename one of the two so that a reader sees the difference")
		default:
			inGo[g], looks[l] = id, id
		}
	}
}

// goKey is equal for names that differ in case and underscores alone.
func goKey(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// lookKey is equal for names that differ in look-alikes alone.
func lookKey(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_':
			return -1
		case '0', 'O':
			return 'o'
		case '1', 'l', 'I':
			return 'l'
		}
		return unicode.ToLower(r)
	}, name)
}
