package spec

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	incidentcompany "github.com/provlang/prov/examples/incident/company"
	intakecompany "github.com/provlang/prov/examples/intake/company"
	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
	"github.com/provlang/prov/runtime/store"
)

// ran is an example's folder after its tasks.
type ran struct {
	t       *testing.T
	store   *store.Memory
	ledger  *ledger.Ledger
	host    *host.Host
	results map[string]host.Result
}

type setup struct {
	example  string
	script   []string // one task of its own with a model that says these lines; nil: the folder's tasks
	policy   string   // of that task
	document string   // data/… of intake that the model is shown
	learner  loop.Learner
	spoil    func(ledger.Store) ledger.Store            // what stands between ledger and store
	tools    func(map[string]loop.Tool, *policy.Policy) // changes the company
}

func execute(t *testing.T, s setup) *ran {
	t.Helper()
	r := &ran{t: t, store: store.NewMemory(), results: map[string]host.Result{}}
	var below ledger.Store = r.store
	if s.spoil != nil {
		below = s.spoil(below)
	}
	var err error
	if r.ledger, err = ledger.Open(t.Context(), below, rand.Reader); err != nil {
		t.Fatal(err)
	}
	d := map[string]func() host.Deployment{"incident": incidentcompany.Deployment, "intake": intakecompany.Deployment}[s.example]()
	if s.tools != nil {
		company := d.Company
		d.Company = func(folder fs.FS, reg *registry.Registry) (host.Company, error) {
			c, err := company(folder, reg)
			if err == nil {
				s.tools(c.Tools, nil)
			}
			return c, err
		}
	}
	folder := os.DirFS("../../examples/" + s.example)
	if s.script != nil {
		folder = overlay{folder, fstest.MapFS{
			"tasks.json": {Data: []byte(fmt.Sprintf(`{"tasks":[{"id":"it","title":"it","policy":%q,"tenant":"acme","agent":%q,"mode":"agent","script":"it.jsonl"%s}]}`,
				s.policy, map[string]string{"incident": "planner-1", "intake": "clerk-1"}[s.example], s.document))},
			"it.jsonl": {Data: []byte(strings.Join(s.script, "\n"))},
		}}
	}
	if r.host, err = host.Open(host.Options{Folder: folder, Deployment: d, Ledger: r.ledger, Clock: time.Now, Learner: s.learner}); err != nil {
		t.Fatal(err)
	}
	results, err := r.host.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range results {
		r.results[res.Task] = res
	}
	return r
}

// overlay is a folder with some files replaced.
type overlay struct {
	below fs.FS
	above fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	if _, ok := o.above[name]; ok {
		return o.above.Open(name)
	}
	return o.below.Open(name)
}

func (r *ran) lines() []ledger.Line {
	r.t.Helper()
	var lines []ledger.Line
	for l, err := range r.ledger.WholeStore(r.t.Context(), 0) {
		if err != nil {
			r.t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// log is what a task's run decided, did and ended with, one word or two each.
func (r *ran) log(task string) []string {
	var log []string
	for _, l := range r.lines() {
		e := &l.Entry
		if e.Run != r.results[task].Run {
			continue
		}
		switch e.Kind {
		case ledger.KindDecision:
			log = append(log, e.Decision.Verdict.Reason)
		case ledger.KindIntent:
			log = append(log, "intent")
		case ledger.KindOutcome:
			log = append(log, "outcome "+e.Outcome.Status)
		case ledger.KindVerification:
			log = append(log, e.Verification.Verdict)
		case ledger.KindEvidence:
			log = append(log, "evidence")
		case ledger.KindRunEnded:
			log = append(log, e.RunEnded.End)
		}
	}
	return log
}

func (r *ran) want(task string, want ...string) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.log(task)); diff != "" {
		r.t.Errorf("%s (-want +got):\n%s", task, diff)
	}
}

func TestRule_GAT_7(t *testing.T) {
	for _, example := range []string{"incident", "intake"} {
		r := execute(t, setup{example: example})
		replayed := 0
		for task, res := range r.results {
			p := r.host.Policy(r.policyOf(res.Run))
			n, err := loop.ReplayRun(t.Context(), r.ledger, p, "acme", res.Run)
			if err != nil {
				t.Errorf("%s: %v", task, err)
			}
			replayed += n
		}
		if replayed < 4 {
			t.Errorf("%s: only %d decisions were replayed", example, replayed)
		}
	}
}

func (r *ran) policyOf(run string) string {
	for _, l := range r.lines() {
		if l.Entry.Run == run && l.Entry.Kind == ledger.KindRunStarted {
			return l.Entry.RunStarted.Policy
		}
	}
	r.t.Fatalf("no run %s", run)
	return ""
}

const classify = `{"propose":{"tool":"classify_document","target":"DOC-3001"}}`

// Another argument is another action: it is no replay of the first.
func TestAnotherArgumentIsAnotherAction(t *testing.T) {
	extract := func(amount string) string {
		return `{"propose":{"tool":"propose_extraction","target":"DOC-3001","args":{"amount":"` + amount + `"}}}`
	}
	r := execute(t, setup{example: "intake", policy: "acme", script: []string{classify, extract("1.00"), extract("2.00"), extract("1.0")}})
	r.want("it",
		"allowed", "intent", "outcome done",
		"allowed", "intent", "outcome done",
		"state_conflict",    // the document is past it
		"idempotent_replay", // the same number in another spelling
		"max_steps_exceeded", "bounded")
}

func TestRule_LOP_2(t *testing.T) {
	bad := `{"say":"I think we should approve it"}`
	r := execute(t, setup{example: "intake", policy: "acme", script: []string{bad, bad, classify, `{"done":true}`}})
	r.want("it", "malformed", "malformed", "allowed", "intent", "outcome done", "completed")
	r = execute(t, setup{example: "intake", policy: "acme", script: []string{bad, bad, bad, classify}})
	r.want("it", "malformed", "malformed", "malformed", "bounded")
	if steps := r.results["it"].Steps; steps != 3 {
		t.Errorf("three malformed proposals cost %d steps", steps)
	}
}

// broken is a store that takes so many batches and then no more.
type broken struct {
	ledger.Store
	left int
}

func (b *broken) Submit(batch *store.Batch) *store.Pending {
	if b.left--; b.left < 0 {
		return store.Resolved(errors.New("the disk is gone"))
	}
	return b.Store.Submit(batch)
}

func TestRule_LOP_3(t *testing.T) {
	r := execute(t, setup{example: "intake", policy: "acme", script: []string{classify, `{"done":true}`}})
	r.want("it", "allowed", "intent", "outcome done", "completed")

	called := 0
	count := func(tools map[string]loop.Tool, _ *policy.Policy) {
		tools["classify_document"] = func(context.Context, *loop.Call) ([]byte, error) { called++; return nil, nil }
	}
	execute(t, setup{example: "intake", policy: "acme", script: []string{classify, `{"done":true}`}, tools: count})
	if called != 1 {
		t.Fatalf("the tool ran %d times", called)
	}
	called = 0
	r = execute(t, setup{example: "intake", policy: "acme", script: []string{classify, `{"done":true}`}, tools: count,
		spoil: func(s ledger.Store) ledger.Store { return &broken{s, 1} }}) // the start of the run is written, and nothing after
	if called != 0 {
		t.Errorf("the tool ran %d times without its intent on disk", called)
	}
	if res := r.results["it"]; res.End != loop.Failed || res.Err == nil {
		t.Errorf("the run ended %s, %v", res.End, res.Err)
	}
}

const rollback = `{"propose":{"tool":"rollback_config","target":"inventory-api","cause":"config_regression"}}`

func reading(result string, err error) func(map[string]loop.Tool, *policy.Policy) {
	return func(tools map[string]loop.Tool, _ *policy.Policy) {
		tools["read_service"] = func(context.Context, *loop.Call) ([]byte, error) { return []byte(result), err }
	}
}

// learned counts what a learner is told.
type learned []loop.Lesson

func (l *learned) Learn(_ context.Context, lesson loop.Lesson) error {
	*l = append(*l, lesson)
	return nil
}

func TestRule_LOP_4(t *testing.T) {
	for _, c := range []struct {
		name, result string
		err          error
		want         string
	}{
		{"as declared", `{"deployed":"v41","error_rate":"0.0100"}`, nil, "CONFIRMED"},
		{"at the bound", `{"deployed":"v41","error_rate":"0.0200"}`, nil, "CONFIRMED"},
		{"over the bound", `{"deployed":"v41","error_rate":"0.0201"}`, nil, "REFUTED"},
		{"another version", `{"deployed":"v42","error_rate":"0.0100"}`, nil, "REFUTED"},
		{"an error", ``, errors.New("no answer"), "INCONCLUSIVE"},
		{"a field is missing", `{"deployed":"v41"}`, nil, "INCONCLUSIVE"},
		{"a field too many", `{"deployed":"v41","error_rate":"0.0100","confidence":1}`, nil, "INCONCLUSIVE"},
		{"no object", `"CONFIRMED"`, nil, "INCONCLUSIVE"},
	} {
		r := execute(t, setup{example: "incident", policy: "first_response", script: []string{rollback, `{"done":true}`},
			document: `,"inputs":{"service":"inventory-api"}`, tools: reading(c.result, c.err)})
		var got []string
		for _, l := range r.lines() {
			if l.Entry.Kind == ledger.KindVerification {
				got = append(got, l.Entry.Verification.Verdict)
			}
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestRule_LOP_5(t *testing.T) {
	for _, c := range []struct {
		name, result string
		err          error
		want         int
	}{
		{"CONFIRMED", `{"deployed":"v41","error_rate":"0.0100"}`, nil, 1},
		{"REFUTED", `{"deployed":"v42","error_rate":"0.9000"}`, nil, 1},
		{"INCONCLUSIVE", ``, errors.New("no answer"), 0},
	} {
		var told learned
		r := execute(t, setup{example: "incident", policy: "first_response", script: []string{rollback, `{"done":true}`},
			document: `,"inputs":{"service":"inventory-api"}`, tools: reading(c.result, c.err), learner: &told})
		evidence := 0
		for _, l := range r.lines() {
			if l.Entry.Kind == ledger.KindEvidence {
				evidence++
			}
		}
		if len(told) != c.want || evidence != c.want {
			t.Errorf("%s: the learner was told %d times, and %d entries of evidence were written, want %d", c.name, len(told), evidence, c.want)
		}
	}
}

func TestRule_LOP_6(t *testing.T) {
	other := strings.Replace(rollback, "inventory-api", "pricing-api", 1)
	third := strings.Replace(rollback, "inventory-api", "search-api", 1)
	r := execute(t, setup{example: "incident", policy: "first_response", script: []string{rollback, other, third, `{"done":true}`},
		document: `,"inputs":{"service":"inventory-api"}`, tools: reading(`{"deployed":"v9","error_rate":"0.5000"}`, nil)})
	r.want("it", // one more plan after the first refutation, and none after the second
		"allowed", "intent", "outcome done", "REFUTED", "evidence",
		"allowed", "intent", "outcome done", "REFUTED", "evidence",
		"escalated")
}

// TestRule_LOP_7 runs the same proposals over a document that gives orders and one
// that gives none: what is decided is the same.
func TestRule_LOP_7(t *testing.T) {
	r := execute(t, setup{example: "intake"})
	hostile, plain := r.log("hostile-document"), r.log("outside-scope")
	if len(hostile) == 0 || len(plain) == 0 {
		t.Fatal("the tasks are not there")
	}
	for _, l := range r.lines() {
		if d := l.Entry.Decision; d != nil && d.Tool == "approve_document" && d.Verdict.Outcome != "refuse" {
			t.Errorf("approve_document: %s", d.Verdict.Outcome)
		}
	}
	if state, _ := r.host.Registry().Get("acme", "document", "DOC-3002", "state"); state == "approved" {
		t.Error("the document approved itself")
	}
}

func TestRule_LOP_8(t *testing.T) {
	r := execute(t, setup{example: "incident"})
	r.want("supplier-blocked", "needs_human_approval", "held")
	r = execute(t, setup{example: "intake"})
	happy := r.log("happy-path")
	if happy[len(happy)-1] != "held" {
		t.Errorf("the happy path of a document ends with a person: %v", happy)
	}
}

func TestRule_LED_1(t *testing.T) {
	r := execute(t, setup{example: "intake"})
	for i, l := range r.lines() {
		if l.Entry.Seq != uint64(i)+1 {
			t.Fatalf("entry %d has the number %d", i+1, l.Entry.Seq)
		}
	}
	before := r.lines()
	second, err := ledger.Open(t.Context(), r.store, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	run, err := second.StartRun(t.Context(), "acme", time.Now(), *before[0].Entry.RunStarted)
	if err != nil {
		t.Fatal(err)
	}
	if run.ID() == before[len(before)-1].Entry.Run {
		t.Errorf("run %s was given twice", run.ID())
	}
	after := r.lines()
	if diff := cmp.Diff(before, after[:len(before)]); diff != "" {
		t.Errorf("appending changed what was there:\n%s", diff)
	}
	if len(after) != len(before)+1 {
		t.Errorf("%d entries became %d", len(before), len(after))
	}
}

func TestRule_LED_2(t *testing.T) {
	for _, l := range execute(t, setup{example: "incident"}).lines() {
		e, err := ledger.Decode(l.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ledger.Encode(&e)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(l.Bytes) {
			t.Errorf("%s\nbecame\n%s", l.Bytes, again)
		}
		var loose map[string]any
		if err := json.Unmarshal(l.Bytes, &loose); err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string]string{
			"a blank":           strings.Replace(string(l.Bytes), ",", ", ", 1),
			"an unknown member": strings.Replace(string(l.Bytes), "{", `{"x":1,`, 1),
			"another version":   strings.Replace(string(l.Bytes), `"v":1`, `"v":2`, 1),
			"a line end":        string(l.Bytes) + "\n",
		} {
			if _, err := ledger.Decode([]byte(other)); err == nil {
				t.Errorf("with %s an entry is still read: %s", name, other)
			}
		}
	}
}

func TestRule_LED_3(t *testing.T) {
	secrets := []string{"INV-774411", "913.37", "planted-in-a-name", "planted-in-a-tool", "planted-in-prose"}
	r := execute(t, setup{example: "intake", policy: "acme", script: []string{
		classify,
		`{"propose":{"tool":"propose_extraction","target":"DOC-3001","args":{"invoice_id":"INV-774411","amount":"913.37"}}}`,
		`{"say":"planted-in-prose"}`,
		`{"propose":{"tool":"planted-in-a-tool","target":"planted-in-a-name","planted-in-a-name":1}}`,
	}})
	if got := r.log("it"); len(got) < 7 {
		t.Fatalf("the run is too short to show anything: %v", got)
	}
	for _, l := range r.lines() {
		for _, s := range secrets {
			if strings.Contains(string(l.Bytes), s) {
				t.Errorf("%s is in the ledger: %s", s, l.Bytes)
			}
		}
	}
}

// counted counts the batches that a store is handed; each is one synced commit.
type counted struct {
	ledger.Store
	batches *int
}

func (c counted) Submit(b *store.Batch) *store.Pending {
	*c.batches++
	return c.Store.Submit(b)
}

func TestRule_LED_4(t *testing.T) {
	commits := func(script ...string) int {
		n := 0
		execute(t, setup{example: "intake", policy: "acme", script: script,
			spoil: func(s ledger.Store) ledger.Store { return counted{s, &n} }})
		return n
	}
	none := commits(`{"done":true}`) // the start and the end
	if got := commits(`{"say":"?"}`, `{"done":true}`) - none; got != 1 {
		t.Errorf("a step in which nothing runs took %d commits", got)
	}
	if got := commits(classify, `{"done":true}`) - none; got != 2 {
		t.Errorf("a step with an effect took %d commits", got)
	}
	if got := commits(classify, classify, `{"done":true}`) - none; got != 3 {
		t.Errorf("a step with an effect and its replay took %d commits", got)
	}
}
