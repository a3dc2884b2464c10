// Package differential holds the reference evaluator and the generated Go with the
// runtime's gate against each other, on random programs and random cases. The two
// share no code: what they agree on they agree on for different reasons.
package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/gen"
	"github.com/provlang/prov/internal/differential/answer"
	"github.com/provlang/prov/internal/progen"
	"github.com/provlang/prov/runtime/policy"
)

// size of a run: PROV_LONG asks for the long form, or says how many programs.
func size() (programs, cases int) {
	switch long := os.Getenv("PROV_LONG"); long {
	case "":
		return 12, 400
	default:
		if n, err := strconv.Atoi(long); err == nil && n > 1 {
			return n, 2000
		}
		return 200, 2000
	}
}

func TestGeneratedGoAgreesWithTheReference(t *testing.T) {
	programs, cases := size()
	var all []*ir.Program
	for seed := range uint64(programs) {
		all = append(all, compile(t, progen.Source(seed)))
	}
	ask := build(t, all)

	var questions []answer.Question
	var wants []answer.Answer
	for seed, p := range all {
		m := interp.New(p)
		for _, c := range progen.Cases(p, uint64(seed), cases) {
			questions = append(questions, question(p, &c))
			wants = append(wants, inWords(m.Decide(c)))
		}
		for _, r := range p.Risks {
			for c := range interp.Cells(r) {
				questions = append(questions, cellQuestion(p, r, c))
				wants = append(wants, answer.Answer{Outcome: c.Band.Outcome.String(), Scored: true, Score: int32(c.Score)})
			}
		}
	}

	const enough = 5
	differ := 0
	seen := map[string]int{}
	for i, got := range ask(questions) {
		seen[wants[i].Reason+" "+wants[i].Fault]++
		if diff := cmp.Diff(wants[i], got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-reference +generated)\n%s%s", describe(&questions[i]), diff, questions[i].Proposal)
			if differ++; differ == enough {
				t.Fatalf("and maybe more: %d of %d compared", i+1, len(questions))
			}
		}
	}
	covers(t, seen)
}

// covers asks that the cases met every reason and every fault: a comparison in
// which everything is malformed would agree as well.
func covers(t *testing.T, seen map[string]int) {
	t.Helper()
	met := func(word string, place int) bool {
		for key := range seen {
			if strings.Split(key, " ")[place] == word {
				return true
			}
		}
		return false
	}
	for _, r := range interp.Reasons() {
		if !met(string(r), 0) {
			t.Errorf("no case was decided as %s", r)
		}
	}
	for _, f := range interp.Faults() {
		if !met(string(f), 1) {
			t.Errorf("no case had the fault %s", f)
		}
	}
	if testing.Verbose() {
		for key, n := range seen {
			t.Logf("%6d %s", n, key)
		}
	}
}

func compile(t *testing.T, text []byte) *ir.Program {
	t.Helper()
	r := compiler.Compile([]compiler.File{{Name: "gen.prov", Text: text}})
	if r.Program != nil {
		return r.Program
	}
	for _, d := range r.Report.Sorted() {
		if d.Severity() == diag.Error {
			t.Errorf("line %d: %s: %s", d.Span.Line(), d.Code, d.Message)
		}
	}
	t.Fatalf("a random package does not compile:\n%s", text)
	return nil
}

func question(p *ir.Program, c *interp.Case) answer.Question {
	q := answer.Question{
		Package:  p.Name,
		Policy:   c.Policy.Name,
		Identity: string(c.Identity),
		Tenant:   c.Tenant,
		Proposal: c.Proposal,
	}
	for _, e := range c.Entities {
		q.Entities = append(q.Entities, answer.Entity{Tenant: e.Tenant, Kind: e.Kind.Name, ID: e.ID, Attrs: interp.Attributes(e.Kind, e.Attrs)})
	}
	for _, s := range c.Sources {
		q.Sources = append(q.Sources, answer.Source(s))
	}
	before := func(actions []interp.Action) (out [][]byte) {
		for _, a := range actions {
			out = append(out, interp.Proposal(c.Policy, &ir.Call{Tool: a.Tool, Target: a.Target, Args: a.Args, Cause: -1}))
		}
		return out
	}
	q.Done, q.Unknown = before(c.Done), before(c.Unknown)
	return q
}

func cellQuestion(p *ir.Program, r *ir.Risk, c *interp.Cell) answer.Question {
	cell := &answer.Cell{Risk: r.Name, Tool: c.Tool.Name}
	for i, f := range r.Factors {
		cell.Members = append(cell.Members, f.Enum.Members[c.Members[i]].Name)
	}
	return answer.Question{Package: p.Name, Cell: cell}
}

func inWords(d interp.Decision) answer.Answer {
	a := answer.Answer{
		Outcome: d.Outcome.String(),
		Rung:    string(d.Rung),
		Reason:  string(d.Reason),
		Scored:  d.Scored,
		Score:   int32(d.Score),
		Flags:   d.Flags,
		Fault:   string(d.Fault),
		Field:   d.Field,
	}
	for _, h := range d.Holds {
		a.Holds = append(a.Holds, string(h))
	}
	for _, part := range d.Parts {
		a.Parts = append(a.Parts, policy.Part{Name: part.Name, Value: part.Value, Points: int32(part.Points)})
	}
	if d.Pos != (ir.Pos{}) {
		a.Line = fmt.Sprintf("%s:%d", d.Pos.File, d.Pos.Line)
	}
	return a
}

func describe(q *answer.Question) string {
	if q.Cell != nil {
		return fmt.Sprintf("%s: %+v", q.Package, *q.Cell)
	}
	return fmt.Sprintf("%s, policy %s, identity %s, done %s, unknown %s", q.Package, q.Policy, q.Identity, q.Done, q.Unknown)
}

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
