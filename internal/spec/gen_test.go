package spec

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/examples/incident"
	"github.com/provlang/prov/gen"
	"github.com/provlang/prov/runtime/policy"
)

func example(t *testing.T, name string) *ir.Program {
	t.Helper()
	file := filepath.Join("../../examples", name, name+".prov")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	res := compiler.Compile([]compiler.File{{Name: name + ".prov", Text: text}})
	if res.Program == nil {
		t.Fatalf("%s does not compile: %s", file, res.Report.Sorted()[0].Message)
	}
	return res.Program
}

func goFiles(t *testing.T, p *ir.Program) []*ast.File {
	t.Helper()
	files, err := gen.Package(p)
	if err != nil {
		t.Fatal(err)
	}
	var trees []*ast.File
	for _, f := range files {
		tree, err := goparser.ParseFile(token.NewFileSet(), f.Name, f.Content, goparser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees
}

func TestRule_GEN_1(t *testing.T) {
	for _, name := range []string{"incident", "intake"} {
		for _, f := range goFiles(t, example(t, name)) {
			for _, imp := range f.Imports {
				path := strings.Trim(imp.Path.Value, `"`)
				if strings.Contains(path, ".") && path != "github.com/provlang/prov/runtime/policy" {
					t.Errorf("%s imports %s", name, path)
				}
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has an init", name)
				}
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
					for _, s := range g.Specs {
						v := s.(*ast.ValueSpec)
						for i, id := range v.Names {
							if id.IsExported() {
								t.Errorf("%s: variable %s can be changed from outside", name, id.Name)
							}
							ast.Inspect(v.Values[i], func(n ast.Node) bool {
								if c, ok := n.(*ast.CallExpr); ok {
									t.Errorf("%s: variable %s is made by a call, %v", name, id.Name, c.Fun)
								}
								return true
							})
						}
					}
				}
			}
		}
	}
}

// TestRule_GEN_2 reads the signature: each parameter's type is declared in the
// package as an unsigned integer with a closed list of members.
func TestRule_GEN_2(t *testing.T) {
	files := goFiles(t, example(t, "incident"))
	enums := map[string]bool{}
	var risk *ast.FuncDecl
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok {
						if id, ok := ts.Type.(*ast.Ident); ok && strings.HasPrefix(id.Name, "uint") {
							enums[ts.Name.Name] = true
						}
					}
				}
			case *ast.FuncDecl:
				if d.Name.Name == "IncidentRisk" {
					risk = d
				}
			}
		}
	}
	if risk == nil {
		t.Fatal("there is no IncidentRisk")
	}
	var got []string
	for _, p := range risk.Type.Params.List {
		id, ok := p.Type.(*ast.Ident)
		if !ok || !enums[id.Name] {
			t.Errorf("a parameter of IncidentRisk is no enum: %v", p.Type)
			continue
		}
		got = append(got, id.Name)
	}
	if diff := cmp.Diff([]string{"Tool", "Tier", "BlastRadius", "Effects"}, got); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
}

// TestRule_GEN_3 compares all 36 cells of tool x tier x blast radius x effects; a
// differential test compares random programs and proposals.
func TestRule_GEN_3(t *testing.T) {
	risk := example(t, "incident").Risks[0]
	cells := 0
	for cell := range interp.Cells(risk) {
		var names [3]string // tier, blast radius, effects: the order of the table
		for i, m := range cell.Members {
			names[i] = risk.Factors[i].Enum.Members[m].Name
		}
		want := fmt.Sprint(cell.Score, " ", cell.Band.Outcome)
		tool, ok1 := incident.ParseTool(cell.Tool.Name)
		tier, ok2 := incident.ParseTier(names[0])
		blast, ok3 := incident.ParseBlastRadius(names[1])
		effects, ok4 := incident.ParseEffects(names[2])
		if !ok1 || !ok2 || !ok3 || !ok4 {
			t.Fatalf("%s %v do not parse", cell.Tool.Name, names)
		}
		score, outcome := incident.IncidentRisk(tool, tier, blast, effects)
		if got := fmt.Sprint(score, " ", outcome); got != want {
			t.Errorf("%s %v: generated %s, evaluated %s", cell.Tool.Name, names, got, want)
		}
		cells++
	}
	if cells != 36 {
		t.Errorf("%d cells", cells)
	}
	if s, o := incident.IncidentRisk(0, 0, 0, 0); s != 0 || o != policy.Hold {
		t.Errorf("what is not set gives %d %s", s, o)
	}
}

func TestRule_GEN_4(t *testing.T) {
	evil := "*/ func init() { panic(1) } /*"
	src := "package p\n\n/// " + evil + "\n/// `\" + evil() + \"`\n" +
		"enum Tier { high, low }\nentity thing {\n  tier Tier\n  /// " + evil + "\n  name string(1..20) /[^\"`*\\/]+/\n}\n" +
		"/// " + evil + "\ntool act on thing {\n  args { text string(1..90) }\n  flag odd when text == \"\\\"); evil(); (\\\"\" or text == \"`+evil()+`\"\n}\n" +
		"agent a { scope act }\npolicy pol {\n  agent a\n  tools act\n  max_steps 3\n  deadline 1m\n}\n"
	res := compiler.Compile([]compiler.File{{Name: "p.prov", Text: []byte(src)}})
	if res.Program == nil {
		t.Fatal(res.Report.Sorted()[0].Message)
	}
	for _, f := range goFiles(t, res.Program) {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (id.Name == "evil" || id.Name == "panic" || id.Name == "init") {
				t.Errorf("an author's text became code: %s", id.Name)
			}
			return true
		})
	}
}
