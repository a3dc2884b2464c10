package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen"
	"github.com/provlang/prov/internal/differential/answer"
)

// build links the generated packages with the answering side and returns a way to
// ask. The packages are laid over the module by the go command, so nothing is
// written beside the sources and no other module is needed.
func build(t *testing.T, programs []*ir.Program) func([]answer.Question) []answer.Answer {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	put := func(name string, text []byte) {
		real := filepath.Join(dir, strings.ReplaceAll(name, "/", "+"))
		if err := os.WriteFile(real, text, 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = real
	}
	for _, p := range programs {
		files, err := gen.Package(p)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for _, f := range files {
			put("internal/differential/over/"+p.Name+"/"+f.Name, f.Content)
		}
	}
	put("internal/differential/over/main.go", mainProgram(programs))
	table, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), table, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "ask")
	cmd := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, "./internal/differential/over")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the generated packages do not build: %v\n%s", err, out)
	}

	return func(questions []answer.Question) []answer.Answer {
		var in, out, errs bytes.Buffer
		enc := json.NewEncoder(&in)
		for i := range questions {
			if err := enc.Encode(&questions[i]); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(binary)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, errs.Bytes())
		}
		answers := make([]answer.Answer, len(questions))
		dec := json.NewDecoder(&out)
		for i := range answers {
			if err := dec.Decode(&answers[i]); err != nil {
				t.Fatalf("answer %d of %d: %v", i, len(answers), err)
			}
		}
		return answers
	}
}

// mainProgram links everything that there is to ask.
func mainProgram(programs []*ir.Program) []byte {
	var imports, body strings.Builder
	for _, p := range programs {
		fmt.Fprintf(&imports, "\t%q\n", "github.com/provlang/prov/internal/differential/over/"+p.Name)
		for _, pol := range p.Policies {
			fmt.Fprintf(&body, "\tg.Policies[%q] = must(%s.Open%s())\n", p.Name+"."+pol.Name, p.Name, exported(pol.Name))
		}
		for _, r := range p.Risks {
			fmt.Fprintf(&body, "\tg.Risks[%q] = func(tool string, members []string) (int32, policy.Outcome) {\n", p.Name+"."+r.Name)
			args := []string{"t"}
			fmt.Fprintf(&body, "\t\tt, _ := %s.ParseTool(tool)\n", p.Name)
			for i, f := range r.Factors {
				fmt.Fprintf(&body, "\t\tf%d, _ := %s.Parse%s(members[%d])\n", i, p.Name, exported(f.Enum.Name), i)
				args = append(args, fmt.Sprint("f", i))
			}
			fmt.Fprintf(&body, "\t\treturn %s.%s(%s)\n\t}\n", p.Name, exported(r.Name), strings.Join(args, ", "))
		}
	}
	return fmt.Appendf(nil, `package main

import (
	"fmt"
	"os"

	"github.com/provlang/prov/internal/differential/answer"
	"github.com/provlang/prov/runtime/policy"
%s)

func must(p *policy.Policy, err error) *policy.Policy {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return p
}

func main() {
	g := answer.Generated{Policies: map[string]*policy.Policy{}, Risks: map[string]answer.Risk{}}
%s	if err := g.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`, imports.String(), body.String())
}

// exported is the Go name of a name with underscores.
func exported(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
