package loop_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
	"github.com/provlang/prov/runtime/store"
)

// The package of these tests, as a generator would write it down: parcels that
// are packed, weighed, mended and shipped, and that only a person closes.
func parcelSpec() *policy.Spec {
	at := func(n uint32) policy.Pos { return policy.Pos{Line: n} }
	state := policy.Field{Name: "state", Kind: policy.KindEnum, Members: []string{"new", "packed", "closed"}, Entity: -1}
	size := policy.Field{Name: "size", Kind: policy.KindEnum, Members: []string{"small", "big"}, Entity: -1}
	pkg := &policy.Package{
		Name:     "parcels",
		Digest:   strings.Repeat("a1", 32),
		Files:    []string{"parcels.prov"},
		Entities: []policy.Entity{{Name: "parcel", Attrs: []policy.Field{state, size}}},
		Tools: []policy.Tool{
			{Name: "close_parcel", Line: at(10), Approval: true, Moves: []policy.Move{{Attr: 0, From: 1, To: 2, Line: at(11)}}},
			{Name: "mend", Line: at(20), Idempotent: true, Verify: &policy.Verify{
				By:        5,
				Confirmed: func(result, _ *policy.Record) bool { return result.Int(0) < 10 },
				Refuted:   func(result, _ *policy.Record) bool { return result.Int(0) > 20 || result.Int(0) == 0 },
				Line:      at(21),
			}},
			{Name: "pack", Line: at(30), Idempotent: true, Moves: []policy.Move{{Attr: 0, From: 0, To: 1, Line: at(31)}}},
			{Name: "ship", Line: at(40), Args: []policy.Field{
				{Name: "carrier", Kind: policy.KindString, Lo: 1, Hi: 20, Entity: -1},
				{Name: "with", Kind: policy.KindRef, Optional: true, Entity: 0},
				{Name: "beside", Kind: policy.KindRef, Optional: true, Entity: 0},
				{Name: "code", Kind: policy.KindString, Optional: true, Sensitive: true, Lo: 1, Hi: 20, Entity: -1},
			}},
			{Name: "stray", Line: at(50)},
			{Name: "weigh", Line: at(60), Read: true, Result: []policy.Field{
				{Name: "grams", Kind: policy.KindInt, Lo: 0, Hi: 1000, Trusted: true, Class: "scale", Entity: -1},
			}},
		},
		Workflows: []policy.Workflow{{Name: "out", Steps: []int32{2, 3}}, {Name: "fix", Steps: []int32{1, 2}}},
	}
	both := policy.InScope | policy.Allowlisted
	row := func(points int32) policy.Row {
		return policy.Row{Scored: true, Base: points, Points: points, Attrs: []int32{1}, Members: []int32{-1}}
	}
	return &policy.Spec{
		Package: pkg,
		Name:    "counter",
		Line:    at(70),
		Agent:   "packer",
		Grants:  []policy.Grant{0, both, both, both, policy.InScope, both},
		Risk: &policy.Risk{
			Name: "parcel_risk",
			Rows: []policy.Row{{}, row(1), row(1), row(3), {}, {}},
			Factors: []policy.Factor{{
				Name: "target.size", Registry: true, Members: []string{"small", "big"}, Points: []int32{0, 5}, Lines: []policy.Pos{at(80), at(80)},
			}},
			Bands: []policy.Band{
				{Lo: math.MinInt32, Hi: 3, Outcome: policy.Allow, Line: at(81)},
				{Lo: 4, Hi: 6, Outcome: policy.Notify, Line: at(82)},
				{Lo: 7, Hi: math.MaxInt32, Outcome: policy.Hold, Line: at(83)},
			},
		},
		MaxSteps:         6,
		Deadline:         time.Minute,
		MalformedRetries: 1,
		Replans:          1,
		Lessons: []policy.Lesson{{
			Belief: "mended", Entity: 0, Confirmed: policy.Teaching{State: "yes"}, Refuted: policy.Teaching{State: "yes", Not: true},
		}},
	}
}

const parcelRegistry = `{
  "agents": [
    {"tenant": "acme", "id": "packer-1", "role": "packer", "standing": "good", "version": 1},
    {"tenant": "acme", "id": "clerk-1", "role": "clerk", "standing": "good", "version": 1}
  ],
  "entities": [
    {"tenant": "acme", "kind": "parcel", "id": "P1", "version": 3, "attributes": {"state": "new", "size": "small"}},
    {"tenant": "acme", "kind": "parcel", "id": "P2", "version": 1, "attributes": {"state": "packed", "size": "big"}},
    {"tenant": "acme", "kind": "parcel", "id": "P3", "version": 1, "attributes": {"state": "new", "size": "small"}},
    {"tenant": "globex", "kind": "parcel", "id": "G1", "version": 1, "attributes": {"state": "new", "size": "small"}}
  ]
}`

// world is a run's surroundings, all in memory and all injected.
type world struct {
	t        testing.TB
	spec     *policy.Spec
	store    *counted
	ledger   *ledger.Ledger
	registry *registry.Registry
	tools    map[string]loop.Tool
	extract  loop.Tool
	now      time.Time
	tick     time.Duration // that the clock moves by when it is read
	calls    map[string]int
	keys     map[string][]string
	grams    string // what weigh brings; "" is an error
	lessons  []loop.Lesson
	learnErr error
	events   []loop.Event
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{
		t: t, spec: parcelSpec(), now: time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC),
		calls: map[string]int{}, keys: map[string][]string{}, grams: `{"grams": 5}`,
	}
	w.store = &counted{Memory: store.NewMemory()}
	var err error
	if w.ledger, err = ledger.Open(t.Context(), w.store, entropy()); err != nil {
		t.Fatal(err)
	}
	if w.registry, err = registry.Load(w.spec.Package.Entities, []byte(parcelRegistry)); err != nil {
		t.Fatal(err)
	}
	note := func(next loop.Tool) loop.Tool {
		return func(ctx context.Context, c *loop.Call) ([]byte, error) {
			w.calls[c.Tool]++
			w.keys[c.Tool] = append(w.keys[c.Tool], c.Key)
			return next(ctx, c)
		}
	}
	w.tools = map[string]loop.Tool{
		"mend": note(func(context.Context, *loop.Call) ([]byte, error) { return nil, nil }),
		"pack": note(func(_ context.Context, c *loop.Call) ([]byte, error) {
			_, err := w.registry.Update(c.Tenant, "parcel", c.Target, c.Version, []byte(`{"state": "packed"}`))
			return nil, err
		}),
		"ship": note(func(context.Context, *loop.Call) ([]byte, error) { return nil, nil }),
		"weigh": note(func(context.Context, *loop.Call) ([]byte, error) {
			if w.grams == "" {
				return nil, fmt.Errorf("the scale is gone")
			}
			return []byte(w.grams), nil
		}),
	}
	return w
}

// entropy is a fixed stream: the keys of these runs are no secret.
func entropy() *bytes.Reader {
	var b []byte
	for i := range 64 {
		sum := sha256.Sum256([]byte{byte(i)})
		b = append(b, sum[:]...)
	}
	return bytes.NewReader(b)
}

func (w *world) clock() time.Time {
	now := w.now
	w.now = w.now.Add(w.tick)
	return now
}

func (w *world) Learn(_ context.Context, l loop.Lesson) error {
	w.lessons = append(w.lessons, l)
	return w.learnErr
}

func (w *world) policy() *policy.Policy {
	w.t.Helper()
	p, err := policy.Open(w.spec)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) runner(m model.Model) *loop.Runner {
	w.t.Helper()
	r, err := loop.New(loop.Options{
		Policy: w.policy(), Registry: w.registry, Ledger: w.ledger, Tools: w.tools, Model: m, Extract: w.extract,
		Clock: w.clock, Learner: w, Observe: func(e loop.Event) { w.events = append(w.events, e) },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func task() loop.Task {
	return loop.Task{ID: "t1", Title: "a task", Tenant: "acme", Agent: "packer-1", Mode: loop.ModeAgent}
}

// run runs a script to its end.
func (w *world) run(lines ...string) loop.Result {
	w.t.Helper()
	res, err := w.runner(script(w.t, lines...)).Run(w.t.Context(), task())
	if err != nil {
		w.t.Fatal(err)
	}
	w.replays(res.Run)
	return res
}

// replays holds that every decision of a run can be made again.
func (w *world) replays(run string) {
	w.t.Helper()
	if _, err := loop.ReplayRun(w.t.Context(), w.ledger, w.policy(), "acme", run); err != nil {
		w.t.Error(err)
	}
}

func script(t testing.TB, lines ...string) model.Model {
	t.Helper()
	s, err := model.ParseScript("script", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return s.Model()
}

// log is the run as the ledger holds it, a line an entry.
func (w *world) log(run string) []string {
	w.t.Helper()
	var lines []string
	for line, err := range w.ledger.Run(w.t.Context(), "acme", run, 0) {
		if err != nil {
			w.t.Fatal(err)
		}
		lines = append(lines, brief(&line.Entry))
	}
	return lines
}

func brief(e *ledger.Entry) string {
	switch e.Kind {
	case ledger.KindDecision:
		return fmt.Sprintf("%d %s %s/%s", e.Step, e.Decision.Verdict.Outcome, e.Decision.Verdict.Rung, e.Decision.Verdict.Reason)
	case ledger.KindOutcome:
		return fmt.Sprintf("%d outcome %s %s", e.Step, e.Outcome.Tool, e.Outcome.Status)
	case ledger.KindVerification:
		return strings.TrimRight(fmt.Sprintf("%d %s %s", e.Step, e.Verification.Verdict, e.Verification.Why), " ")
	case ledger.KindEvidence:
		return fmt.Sprintf("%d evidence %s %t", e.Step, e.Evidence.Belief, !e.Evidence.Not)
	case ledger.KindRunEnded:
		return strings.TrimRight("ended "+e.RunEnded.End+" "+e.RunEnded.Reason, " ")
	}
	return fmt.Sprintf("%d %s", e.Step, e.Kind)
}

// counted counts batches, and refuses them from a given one on.
type counted struct {
	*store.Memory
	batches   int
	failAt    int  // 0: never
	cancelled bool // answer a moment later, to those who still wait
}

func (c *counted) Submit(b *store.Batch) *store.Pending {
	c.batches++
	if c.failAt > 0 && c.batches >= c.failAt {
		return c.Memory.Submit(&store.Batch{Do: []store.Change{{Key: nil}}}) // refused by every engine
	}
	if !c.cancelled {
		return c.Memory.Submit(b)
	}
	p := store.NewPending()
	time.AfterFunc(time.Millisecond, func() {
		if p.Take() {
			p.Resolve(c.Memory.Submit(b).Wait(context.Background()))
		}
	})
	return p
}
