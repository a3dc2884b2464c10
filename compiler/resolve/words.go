package resolve

import (
	"go/build"
	"go/token"
	"io"
	"strings"

	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// Statements are the words that start a statement of a tool, the ones that a
// later version of the language gives a meaning included. A trait of that name
// would make a mistyped statement read as a trait, or the other way round.
var Statements = map[string]bool{
	"read": true, "idempotent": true, "dangerous": true, "approval": true, "args": true, "result": true,
	"verify": true, "flag": true, "require": true, "confirm": true, "fact": true, "send": true, "yields": true,
	"calls": true, "limit": true, "claim": true, "needs": true,
}

// generated are names that every generated package has for itself.
var generated = map[string]bool{"Digest": true, "Tool": true, "Package": true, "Proposal": true, "Policy": true}

// predeclared are Go's names that a package must not take: they would still
// compile, and no reader would know what they mean.
var predeclared = map[string]bool{
	"any": true, "append": true, "bool": true, "byte": true, "cap": true, "clear": true, "close": true,
	"comparable": true, "complex": true, "copy": true, "delete": true, "error": true, "false": true, "imag": true,
	"int": true, "iota": true, "len": true, "make": true, "max": true, "min": true, "new": true, "nil": true,
	"panic": true, "print": true, "println": true, "real": true, "recover": true, "rune": true, "string": true,
	"true": true, "uint": true, "init": true, "main": true, "policy": true, "time": true,
}

func (p *Package) goPackageName(id *ast.Ident) {
	why := ""
	switch {
	case token.IsKeyword(id.Name):
		why = "is a keyword of Go"
	case id.Name == "main":
		why = "is a program in Go, and nothing can import it"
	case id.Name == "policy" || id.Name == "time":
		why = "is what the generated code imports"
	case predeclared[id.Name]:
		why = "means something else in Go"
	case id.Name != strings.ToLower(id.Name):
		p.report.At(at(id), diag.ReservedName, "a package's name is lower case").
			Note("it becomes the name of a Go package").
			Help("write `package %s`", strings.ToLower(id.Name))
		return
	case len(id.Name) > maxName:
		p.tooLong(id)
		return
	case !builtEverywhere(id.Name + ".prov.go"):
		why = "ends in the name of a system, and Go would build it there alone"
	default:
		return
	}
	p.report.At(at(id), diag.ReservedName, "no package can be called `%s`: the word %s", id.Name, why).
		Note("the package's name becomes the name of a Go package").
		Help("take another name, such as `%s_rules`", id.Name)
}

// builtEverywhere says that the go command takes a file of this name for every
// system: rules_linux.prov.go would be for Linux alone.
func builtEverywhere(file string) bool {
	nowhere := build.Context{
		GOOS: "none", GOARCH: "none", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		},
	}
	ok, err := nowhere.MatchFile(".", file)
	return ok && err == nil
}

// maxName bounds a name: it becomes part of Go identifiers and of lines that
// people read.
const maxName = 64

func (p *Package) tooLong(id *ast.Ident) {
	p.report.At(at(id), diag.ReservedName, "a name has at most %d letters, this one has %d", maxName, len(id.Name)).
		Help("take a shorter name, and say the rest in a `///` comment")
}

// reserved refuses a declared name that means something else already.
func (p *Package) reserved(s *Symbol) {
	name := s.Name
	switch {
	case len(name) > maxName:
		p.tooLong(s.Ident)
	case s.Kind == Trait && Statements[name]:
		p.report.At(at(s.Ident), diag.TraitIsStatement, "a trait cannot be called `%s`: a tool's statement starts with that word", name).
			Note("`%s single` in a tool would no longer say which of the two is meant", name).
			Help("take another name, such as `%s_kind`", name)
	case Builtin(name) || name == "any":
		p.report.At(at(s.Ident), diag.ReservedName, "`%s` is a type of the language and cannot be declared", name).
			Help("take another name")
	case generated[GoName(name)]:
		p.report.At(at(s.Ident), diag.ReservedName, "`%s` becomes `%s` in Go, which every generated package has for itself", name, GoName(name)).
			Help("take another name, such as `%s_kind`", name)
	case s.Kind == Trait && (name == "tool" || name == "target"):
		p.report.At(at(s.Ident), diag.ReservedName, "a trait cannot be called `%s`: a proof and a table read that word as something else", name).
			Help("take another name, such as `%s_kind`", name)
	}
}

// GoName is the exported Go identifier that a name becomes: letters after `_`
// are capitals.
func GoName(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		if r == '_' {
			up = true
			continue
		}
		if up {
			b.WriteString(strings.ToUpper(string(r)))
		} else {
			b.WriteRune(r)
		}
		up = false
	}
	return b.String()
}
