package gen_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/provlang/prov/gen"
)

const policyPath = "github.com/provlang/prov/runtime/policy"

// stdlib gives the two packages that generated code may import, from source, and
// nothing else.
var stdlib = sync.OnceValues(func() (map[string]*types.Package, error) {
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	out := make(map[string]*types.Package)
	for _, p := range []string{policyPath, "time"} {
		pkg, err := imp.Import(p)
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", p, err)
		}
		out[p] = pkg
	}
	return out, nil
})

type closedImporter map[string]*types.Package

func (c closedImporter) Import(path string) (*types.Package, error) {
	if p, ok := c[path]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("generated code imports %q", path)
}

// audited is a generated package that was read as Go.
type audited struct {
	decls   []string // "func OpenNormal", "method Tier.String", in order
	strings []string // the value of every string constant in an expression
}

// audit reads generated files as Go, type-checks them, and holds them to what
// generated code may be: two imports, no init, no function literal, no any, no
// variable that another package sees, and tables that are constants.
func audit(t testing.TB, files []gen.File) audited {
	t.Helper()
	a, err := auditFiles(files)
	if err != nil {
		t.Fatalf("%v\n%s", err, files[0].Content)
	}
	return a
}

func auditFiles(files []gen.File) (audited, error) {
	var out audited
	known, err := stdlib()
	if err != nil {
		return out, err
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		p, err := parser.ParseFile(fset, f.Name, f.Content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return out, err
		}
		parsed = append(parsed, p)
		for _, g := range p.Comments {
			for _, c := range g.List {
				if c.Text != "//" && !strings.HasPrefix(c.Text, "// ") && !strings.HasPrefix(c.Text, "//\t") {
					return out, fmt.Errorf("%s: a comment that a tool may obey: %q", fset.Position(c.Pos()), c.Text)
				}
			}
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: closedImporter(known)}
	if _, err := config.Check(parsed[0].Name.Name, fset, parsed, info); err != nil {
		return out, err
	}
	for _, f := range parsed {
		for _, d := range f.Decls {
			if err := out.decl(d, info); err != nil {
				return out, fmt.Errorf("%s: %w", fset.Position(d.Pos()), err)
			}
		}
	}
	for e, tv := range info.Types {
		if _, ok := e.(*ast.BasicLit); ok && tv.Value != nil && tv.Value.Kind() == constant.String {
			out.strings = append(out.strings, constant.StringVal(tv.Value))
		}
	}
	slices.Sort(out.strings)
	return out, nil
}

// declared is what files declare, without asking whether it is Go that compiles.
func declared(files []gen.File) ([]string, error) {
	var out audited
	for _, f := range files {
		p, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range p.Decls {
			if err := out.decl(d, nil); err != nil {
				return nil, err
			}
		}
	}
	return out.decls, nil
}

// decl adds a declaration. Without info the initialisers are not looked at.
func (a *audited) decl(d ast.Decl, info *types.Info) error {
	var bad error
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.InterfaceType, *ast.GoStmt, *ast.DeferStmt:
			bad = fmt.Errorf("generated code has a %T", n)
		case *ast.Ident:
			if n.Name == "any" {
				bad = fmt.Errorf("generated code has any")
			}
		}
		return bad == nil
	})
	if bad != nil {
		return bad
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			a.decls = append(a.decls, "method "+types.ExprString(d.Recv.List[0].Type)+"."+d.Name.Name)
			return nil
		}
		if d.Name.Name == "init" {
			return fmt.Errorf("generated code has an init")
		}
		a.decls = append(a.decls, "func "+d.Name.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ImportSpec:
				p, _ := strconv.Unquote(s.Path.Value)
				a.decls = append(a.decls, "import "+path.Base(p))
			case *ast.TypeSpec:
				a.decls = append(a.decls, "type "+s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					a.decls = append(a.decls, d.Tok.String()+" "+n.Name)
					if d.Tok == token.VAR && n.IsExported() {
						return fmt.Errorf("%s can be changed by everybody", n.Name)
					}
				}
				for _, v := range s.Values {
					if d.Tok != token.VAR || info == nil {
						continue
					}
					if err := fixed(v, info); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// fixed says that an initialiser needs no code at start: constants, functions,
// addresses, tables by reference, and literals of those. A copy of a struct
// variable is none of them; the Go compiler makes an init for it.
func fixed(e ast.Expr, info *types.Info) error {
	if info.Types[e].Value != nil {
		return nil
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if err := fixed(x, info); err != nil {
				return err
			}
		}
		return nil
	case *ast.UnaryExpr:
		if _, ok := e.X.(*ast.Ident); ok && e.Op == token.AND {
			return nil
		}
		if _, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
			return fixed(e.X, info)
		}
	case *ast.Ident:
		switch o := info.Uses[e].(type) {
		case *types.Func:
			return nil
		case *types.Var:
			if _, ok := o.Type().Underlying().(*types.Slice); ok {
				return nil
			}
		}
	}
	return fmt.Errorf("an initialiser that is no constant: %s", types.ExprString(e))
}

func TestSampleIsFitToBeGenerated(t *testing.T) {
	files, err := gen.Package(sample(plainWords))
	if err != nil {
		t.Fatal(err)
	}
	audit(t, files)
}

// The audit itself must notice.
func TestAuditNotices(t *testing.T) {
	head := "package p\n\nimport \"github.com/provlang/prov/runtime/policy\"\n\nconst _ = policy.ABI1\n\n"
	for name, body := range map[string]string{
		"init":       "func init() {}",
		"call":       "var x = f()\n\nfunc f() int { return 1 }",
		"exported":   "var X = 1",
		"struct":     "type s struct{ a int }\n\nvar x = s{1}\n\nvar y = []s{x}",
		"any":        "func f(x any) {}",
		"literal":    "var x = func() {}",
		"directive":  "//go:noinline\nfunc f() {}",
		"import":     "import \"os\"\n\nvar x = os.Args",
		"type error": "var x int = \"a\"",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := auditFiles([]gen.File{{Name: "p.prov.go", Content: []byte(head + body + "\n")}}); err == nil {
				t.Error("the audit lets this pass:\n" + body)
			}
		})
	}
}
