package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// shapes makes entities and tools with their fields, in two steps, because a
// reference may point at an entity that stands further down.
func (c *checker) shapes() {
	c.each(func(s *resolve.Symbol) {
		if d, ok := s.Decl.(*ast.Entity); ok {
			e := &ir.Entity{Decl: Decl(d.Name, d.Doc)}
			c.Entities[s] = e
			c.entityOf[e] = s
		}
	})
	c.each(func(s *resolve.Symbol) {
		if s.Kind == resolve.Type {
			c.declared(s)
		}
	})
	c.each(func(s *resolve.Symbol) {
		if d, ok := s.Decl.(*ast.Entity); ok {
			e := c.Entities[s]
			e.Attrs, c.attrs[e] = c.fields(d.Attrs, inEntity)
		}
	})
	c.each(func(s *resolve.Symbol) {
		if d, ok := s.Decl.(*ast.Tool); ok {
			c.Tools[s] = c.toolShape(s, d)
		}
	})
}

// place says where a field stands, and with it which modifiers it may have.
type place uint8

const (
	inEntity place = iota
	inArgs
	inResult
	inInputs
)

var placeNames = [...]string{"an attribute", "an argument", "a result field", "an input"}

// fields checks a block of fields. The result has one entry for each name; a
// field whose type has a fault has a nil Type, and every use of it is silent.
func (c *checker) fields(fs []*ast.Field, where place) ([]*ir.Field, map[string]int) {
	var out []*ir.Field
	index := make(map[string]int, len(fs))
	for _, f := range fs {
		if _, ok := index[f.Name.Name]; ok {
			continue // said by resolve
		}
		r := &ir.Field{Decl: Decl(f.Name, f.Doc), Type: c.typeOf(f.Type)}
		c.fieldName(f, where)
		c.modifiers(f, r, where)
		index[f.Name.Name] = len(out)
		out = append(out, r)
		c.Fields[f] = r
	}
	return out, index
}

// fieldName refuses names that stand for something no field may carry.
func (c *checker) fieldName(f *ast.Field, where place) {
	name := strings.ToLower(f.Name.Name)
	switch {
	case where != inEntity && (name == "tenant" || name == "tenant_id" || name == "tenantid"):
		c.at(f.Name.Span(), diag.TenantArgument, "the tenant is never %s", placeNames[where]).
			Note("whose run it is comes from the run itself; a tenant that a model names would be one that it chose").
			Help("remove `%s`", f.Name.Name)
	case where == inArgs && (IsRating(f.Name.Name) || f.Type != nil && f.Type.Base != nil && IsRating(f.Type.Base.Name)):
		c.at(f.Name.Span(), diag.RatingDeclared, "nothing can read `%s`: it is a rating by the model of itself", f.Name.Name).
			Note("no table and no condition may read a rating that a model made; the tool receives it as data").
			Help("remove it, or give it a name that says what the tool does with it")
	}
}

func (c *checker) modifiers(f *ast.Field, r *ir.Field, where place) {
	misplaced := func(id *ast.Ident, help string) {
		c.at(id.Span(), diag.MisplacedModifier, "%s cannot be `%s`", placeNames[where], id.Name).Help("%s", help)
	}
	if f.Optional != nil {
		switch where {
		case inArgs, inInputs:
			r.Optional = true
		case inEntity:
			misplaced(f.Optional, "remove it: a registry entry has all of its attributes")
		case inResult:
			misplaced(f.Optional, "remove it: a result without the field is one that cannot be read, and inconclusive")
		}
	}
	// The parser takes a default only after `optional`; where that is misplaced,
	// so is the default.
	if f.Default != nil && r.Optional && r.Type != nil {
		if v, ok := c.value(f.Default, r.Type, "`"+f.Name.Name+"`"); ok {
			r.Default = &v
		}
	}
	if f.Sensitive != nil {
		r.Sensitive = true
	}
	if f.Trust != nil {
		if where != inResult {
			misplaced(f.Trust, "remove it: only a tool's result is trusted or not")
		} else {
			r.Trusted = f.Trust.Name == "trusted"
		}
	}
	if f.TrustedAs != nil && where == inResult {
		r.Class = f.TrustedAs.Name
		c.evidenceClass(f.TrustedAs)
	}
}

// evidenceClass looks up the class of a `trusted as`.
func (c *checker) evidenceClass(id *ast.Ident) {
	if c.classes[id.Name] {
		for _, s := range c.pkg.Of(resolve.Evidence) {
			for _, w := range s.Decl.(*ast.Evidence).Weights {
				if w.Class.Name == id.Name {
					c.pkg.Mark(s) // what a class weighs is read wherever it is named
				}
			}
		}
		return
	}
	if c.pkg.LostAny("evidence") {
		return
	}
	if first := c.unclassed[id.Name]; first != nil {
		resolve.Also(first, id.Span())
		return
	}
	d := c.at(id.Span(), diag.UnknownEvidence, "no evidence table has a class `%s`", id.Name)
	c.unclassed[id.Name] = d
	if len(c.classes) == 0 {
		d.Help("declare it: `evidence NAME { %s 0.50, half_life 30d }`", id.Name)
		return
	}
	c.pkg.Suggest(d, id.Name, func() []string { return slices.Sorted(maps.Keys(c.classes)) })
}

// classNames collects the classes of all evidence tables.
func (c *checker) classNames() {
	for _, s := range c.pkg.Of(resolve.Evidence) {
		for _, w := range s.Decl.(*ast.Evidence).Weights {
			c.classes[w.Class.Name] = true
		}
	}
}

// ratings are words for a judgement of a model about itself or about what it
// proposes: a closed list. A name that has one of them as a word is a rating.
var ratings = words("confidence confident certainty likelihood probability risk severity score rating")

// IsRating says whether a name is a rating.
func IsRating(name string) bool { return wordIn(name, ratings) != "" }

// rates says whether an argument is a rating by its own name or by its type's.
func rates(f *ir.Field) bool {
	return IsRating(f.Name) || f.Type != nil && (IsRating(f.Type.Name) || f.Type.Enum != nil && IsRating(f.Type.Enum.Name))
}

// identOf is where a tool declares a field.
func (c *checker) identOf(t *Tool, f *ir.Field) source.Span {
	for _, st := range t.Decl.Stmts {
		if fs, ok := st.(*ast.FieldsStmt); ok {
			for _, a := range fs.Fields {
				if c.Fields[a] == f {
					return a.Name.Span()
				}
			}
		}
	}
	return t.Decl.Name.Span()
}
