// Package differential holds the reference evaluator and the generated Go with the
// runtime's gate against each other, on random programs and random cases. The two
// share no code: what they agree on they agree on for different reasons.
package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
		return 24, 600
	default:
		if n, err := strconv.Atoi(long); err == nil && n > 1 {
			return n, 2000
		}
		return 200, 2000
	}
}

// maxCells is about how many cells of a table are compared; of larger ones, a
// sample.
const maxCells = 5000

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
		random := progen.Cases(p, uint64(seed), cases)
		for _, c := range append(random, progen.Scored(p, uint64(seed), cases)...) {
			questions = append(questions, question(p, &c))
			wants = append(wants, inWords(m.Decide(c)))
		}
		for _, o := range progen.Observations(p, uint64(seed), cases/10) {
			questions = append(questions, answer.Question{Package: p.Name, Policy: p.Policies[0].Name, Reading: &answer.Reading{
				Tool:   o.Tool.Name,
				Result: interp.Record(o.Tool.Verify.By.Result, o.Result),
				Target: interp.Record(o.Tool.Target.Attrs, o.Target),
			}})
			wants = append(wants, answer.Answer{Outcome: string(m.Verify(o.Tool, o.Result, o.Target))})
		}
		for _, r := range p.Risks {
			every := 1 + interp.Count(r)/maxCells
			sample := rand.New(rand.NewPCG(uint64(seed), 1))
			for c := range interp.Cells(r) {
				if sample.IntN(every) != 0 {
					continue
				}
				questions = append(questions, cellQuestion(p, r, c))
				wants = append(wants, answer.Answer{Outcome: c.Band.Outcome.String(), Scored: true, Score: int32(c.Score)})
			}
		}
	}

	const enough = 5
	differ := 0
	seen := map[string]int{}
	for i, got := range ask(questions) {
		switch want := &wants[i]; {
		case questions[i].Cell != nil:
			seen["cell "+want.Outcome]++
		case questions[i].Reading != nil:
			seen["verified "+want.Outcome]++
		case want.Fault != "":
			seen[want.Reason+" "+want.Fault]++
		default:
			seen[want.Reason]++
		}
		if diff := cmp.Diff(wants[i], got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-reference +generated)\n%s%s", describe(&questions[i]), diff, questions[i].Proposal)
			if differ++; differ == enough {
				t.Fatalf("and maybe more: %d of %d compared", i+1, len(questions))
			}
		}
	}
	covers(t, seen)
}

// covers asks that every reason, fault, band and verdict was met: a comparison in
// which everything is malformed would agree as well.
func covers(t *testing.T, seen map[string]int) {
	t.Helper()
	var want []string
	for _, r := range interp.Reasons() {
		if r != interp.Malformed && r != interp.SchemaInvalid {
			want = append(want, string(r))
		}
	}
	schema := false
	for _, f := range interp.Faults() {
		schema = schema || f == interp.FaultUnknownField // the first of the schema
		if schema {
			want = append(want, string(interp.SchemaInvalid)+" "+string(f))
		} else {
			want = append(want, string(interp.Malformed)+" "+string(f))
		}
	}
	for _, o := range []string{"allow", "notify", "hold"} {
		want = append(want, "cell "+o)
	}
	for _, v := range []interp.Verdict{interp.Confirmed, interp.Refuted, interp.Inconclusive} {
		want = append(want, "verified "+string(v))
	}
	for _, w := range want {
		if seen[w] == 0 {
			t.Errorf("no question was answered by %s", w)
		}
	}
	if testing.Verbose() {
		for _, key := range slices.Sorted(maps.Keys(seen)) {
			t.Logf("%6d %s", seen[key], key)
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
		q.Entities = append(q.Entities, answer.Entity{Tenant: e.Tenant, Kind: e.Kind.Name, ID: e.ID, Attrs: interp.Record(e.Kind.Attrs, e.Attrs)})
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
	switch {
	case q.Cell != nil:
		return fmt.Sprintf("%s: %+v", q.Package, *q.Cell)
	case q.Reading != nil:
		return fmt.Sprintf("%s: %s read %s of %s", q.Package, q.Reading.Tool, q.Reading.Result, q.Reading.Target)
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
