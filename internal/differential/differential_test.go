// Package differential holds the reference evaluator and the generated Go with the
// runtime's gate against each other, on random programs and random cases. The two
// share no code: what they agree on they agree on for different reasons.
package differential

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/internal/differential/answer"
	"github.com/provlang/prov/internal/progen"
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
		text := progen.Source(seed)
		if seed%2 == 0 {
			all = append(all, compile(t, text))
			continue
		}
		vocabulary, rules := progen.Split(text)
		all = append(all, compile(t, rules, vocabulary))
	}
	ask := build(t, all)

	const enough = 5
	differ := 0
	seen := map[string]int{}
	for seed, p := range all {
		questions, wants := examine(p, uint64(seed), cases)
		for i, got := range ask(questions) {
			seen[kind(&questions[i], &wants[i])]++
			for _, cause := range wants[i].Holds {
				seen["held for "+cause]++
			}
			seen[fmt.Sprintf("clauses failed: %d", min(len(wants[i].Failed), 2))]++
			seen[fmt.Sprintf("groups: %d, nobody %t", min(len(wants[i].Approvers), 2), wants[i].Nobody)]++
			diff := cmp.Diff(wants[i], got, cmpopts.EquateEmpty())
			if diff == "" {
				continue
			}
			t.Errorf("%s (-reference +generated)\n%s%s", describe(&questions[i]), diff, questions[i].Proposal)
			if differ++; differ == enough {
				t.Fatal("and maybe more")
			}
		}
	}
	covers(t, seen)
}

// examine makes the questions for one program, with what the reference answers.
func examine(p *ir.Program, seed uint64, cases int) (questions []answer.Question, wants []answer.Answer) {
	m := interp.New(p)
	random := progen.Cases(p, seed, cases)
	for _, c := range append(random, progen.Scored(p, seed, cases)...) {
		questions = append(questions, question(p, &c))
		wants = append(wants, inWords(m.Decide(c)))
	}
	for _, o := range progen.Observations(p, seed, cases/10) {
		questions = append(questions, answer.Question{Package: p.Name, Policy: p.Policies[0].Name, Reading: &answer.Reading{
			Tool:   o.Tool.Name,
			Result: interp.Record(o.Tool.Verify.By.Result, o.Result),
			Target: interp.Record(o.Tool.Target.Attrs, o.Target),
		}})
		wants = append(wants, answer.Answer{Outcome: string(m.Verify(o.Tool, o.Result, o.Target))})
	}
	for _, r := range p.Risks {
		every := 1 + interp.Count(r)/maxCells
		sample := rand.New(rand.NewPCG(seed, 1))
		for c := range interp.Cells(r) {
			if sample.IntN(every) != 0 {
				continue
			}
			questions = append(questions, cellQuestion(p, r, c))
			wants = append(wants, answer.Answer{Outcome: c.Band.Outcome.String(), Scored: true, Score: int32(c.Score)})
		}
	}
	return questions, wants
}

// kind of an answer, for counting.
func kind(q *answer.Question, want *answer.Answer) string {
	switch {
	case q.Cell != nil:
		return "cell " + want.Outcome
	case q.Reading != nil:
		return "verified " + want.Outcome
	case want.Fault != "":
		return want.Reason + " " + want.Fault
	}
	return want.Reason
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
	for _, h := range interp.HoldCauses() {
		want = append(want, "held for "+string(h))
	}
	want = append(want, "clauses failed: 1", "clauses failed: 2",
		"groups: 0, nobody true", "groups: 1, nobody true", "groups: 1, nobody false", "groups: 2, nobody false")
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

// compile compiles the files of one random package.
func compile(t *testing.T, texts ...[]byte) *ir.Program {
	t.Helper()
	var files []compiler.File
	for i, text := range texts {
		files = append(files, compiler.File{Name: fmt.Sprintf("gen%d.prov", i), Text: text})
	}
	r := compiler.Compile(files)
	if r.Program != nil {
		return r.Program
	}
	for _, d := range r.Report.Sorted() {
		if d.Severity() == diag.Error {
			t.Errorf("line %d: %s: %s", d.Span.Line(), d.Code, d.Message)
		}
	}
	t.Fatalf("a random package does not compile:\n%s", bytes.Join(texts, []byte("\n---\n")))
	return nil
}
