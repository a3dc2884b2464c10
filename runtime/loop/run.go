package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// run is the state of one run. It belongs to one goroutine.
type run struct {
	*Runner
	task    Task
	log     *ledger.Run
	from    proposer
	inputs  []model.Input
	started time.Time
	usage   ledger.Usage
	broken  bool // the ledger gave an error: nothing may be done any more

	last         *model.Last
	observations []model.Observation
	firsts       map[string]first  // by action key: what came of it, to be told again
	targets      []target          // that something was done to, each once
	doubts       map[string]string // what is in doubt, by what it is about
	refuted      int64
}

// first time that an action was done.
type first struct {
	step int
	last model.Last
}

// target of an action.
type target struct {
	entity int32
	id     string
}

// start checks the task and writes the run's first entry. Nothing is recorded of
// a task that does not fit its policy: that is the caller's mistake, and no run.
func (r *Runner) start(ctx context.Context, t Task) (*run, error) {
	switch {
	case t.ID == "" || t.Tenant == "" || t.Agent == "":
		return nil, errors.New("a task has an id, a tenant and an agent")
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	run := &run{
		Runner: r,
		task:   t,
		firsts: map[string]first{},
		doubts: map[string]string{},
	}
	var err error
	if run.from, err = run.proposer(); err != nil {
		return nil, err
	}
	if run.inputs, err = run.readInputs(); err != nil {
		return nil, err
	}
	run.started = r.o.Clock()
	start := ledger.RunStarted{
		Task:         t.ID,
		Package:      r.pkg.Name,
		Policy:       r.spec.Name,
		PolicyDigest: r.o.Policy.Digest(),
		Agent:        t.Agent,
		Role:         r.spec.Agent,
		Mode:         string(t.Mode),
	}
	commit, stop := r.commitContext(ctx)
	defer stop()
	if run.log, err = r.o.Ledger.StartRun(commit, t.Tenant, run.started, start); err != nil {
		return nil, err
	}
	if r.o.Observe != nil {
		// The seq of the first entry is the ledger's to know: ask it, rather than guess.
		for line, err := range r.o.Ledger.Run(commit, t.Tenant, run.log.ID(), 0) {
			if err != nil {
				return nil, err
			}
			r.o.Observe(Event{Task: t.ID, Title: t.Title, Entry: line.Entry})
			break
		}
	}
	return run, nil
}

// readInputs decodes the inputs that the principal gave, and finds what they
// refer to.
func (r *run) readInputs() ([]model.Input, error) {
	data := r.task.Inputs
	if data == nil {
		data = []byte("{}")
	}
	var rec policy.Record
	if err := r.o.Policy.DecodeInputs(data, &rec); err != nil {
		return nil, fmt.Errorf("inputs: %w", err)
	}
	var inputs []model.Input
	for i := range r.spec.Inputs {
		f := &r.spec.Inputs[i]
		if !rec.Has(i) {
			continue
		}
		if f.Kind == policy.KindRef {
			if s := r.o.Registry.Lookup(r.task.Tenant, f.Entity, rec.Text(i)).Status; s != policy.SubjectFound {
				return nil, fmt.Errorf("inputs: %s: tenant %s has no such %s", f.Name, r.task.Tenant, r.pkg.Entities[f.Entity].Name)
			}
		}
		inputs = append(inputs, model.Input{Name: f.Name, Value: registry.Text(f, rec.Value(i))})
	}
	return inputs, nil
}

// used is the usage as the gate wants it.
func (r *run) used() gate.Usage { return gateUsage(r.usage) }

func gateUsage(u ledger.Usage) gate.Usage {
	return gate.Usage{
		Steps: u.Steps, ModelCalls: u.ModelCalls, Tokens: u.Tokens, CostMicros: u.CostMicros,
		Idle: u.Idle, Malformed: u.Malformed,
	}
}

// look reads the clock into the usage: what is decided by the time is recorded
// with that very time. A clock that ran backwards has run out.
func (r *run) look() time.Duration {
	elapsed := r.o.Clock().Sub(r.started)
	if elapsed < 0 {
		elapsed = r.o.Policy.Deadline()
	}
	r.usage.ElapsedNs = int64(elapsed)
	return elapsed
}

// step is the number of the step that is being taken, or was taken last.
func (r *run) step() int { return int(r.usage.Steps) }

func (r *run) entry(kind ledger.Kind, step int) ledger.Entry {
	return ledger.Entry{At: ledger.Time(r.o.Clock()), Step: step, Kind: kind}
}

// untilDeadline is a context for one call to something that may hang. It is cut
// off when the run's time is up by the wall; whether the run may go on is still
// decided by the run's own clock.
func (r *run) untilDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, r.o.Policy.Deadline()-r.look(), errDeadline)
}

var errDeadline = errors.New("the run's time is up")

// commitContext outlives the caller's: what was done is recorded, whoever has
// lost interest in it.
func (r *Runner) commitContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), r.o.CommitWithin)
}

// noted is a record with what is shown of it.
type noted struct {
	ledger.Record
	proposal *Shown
	result   *Shown
	why      string

	clauses   []Clause   // of a decision: the requirements that were not met
	approvers []Approver // of a decision that holds
	unnamed   bool       // somebody else has to approve, whom no approval names
}

// record writes entries in one commit, and tells the observer once they are on
// disk. After an error the run may do nothing more.
func (r *run) record(ctx context.Context, list ...noted) error {
	_, err := r.append(ctx, list)
	return err
}

func (r *run) append(ctx context.Context, list []noted) (first uint64, err error) {
	recs := make([]ledger.Record, len(list))
	for i := range list {
		recs[i] = list[i].Record
	}
	commit, stop := r.commitContext(ctx)
	defer stop()
	if first, err = r.log.Append(commit, recs...); err != nil {
		r.broken = true
		return 0, err
	}
	if r.o.Observe != nil {
		r.tell(first, list)
	}
	return first, nil
}

// tell the observer of records that are on disk from first on, with the numbers
// and the references that they were given there.
func (r *run) tell(first uint64, list []noted) {
	var decision, verification uint64
	for i := range list {
		e := list[i].Entry
		e.V, e.Seq, e.Tenant, e.Run = ledger.Version, first+uint64(i), r.task.Tenant, r.log.ID()
		switch {
		case e.Decision != nil:
			decision = e.Seq
		case e.Verification != nil:
			verification = e.Seq
		case e.Intent != nil:
			v := *e.Intent
			v.Decision = decision
			e.Intent = &v
		case e.Evidence != nil:
			v := *e.Evidence
			v.Verification = verification
			e.Evidence = &v
		}
		r.o.Observe(Event{Task: r.task.ID, Title: r.task.Title, Entry: e, Proposal: list[i].proposal, Result: list[i].result, Why: list[i].why,
			Failed: list[i].clauses, Approvers: list[i].approvers, Unnamed: list[i].unnamed})
	}
}

// turn is what the model is shown.
func (r *run) turn(want model.Want, tools []string) *model.Turn {
	t := &model.Turn{
		Run:          r.log.ID(),
		Task:         r.task.Title,
		Policy:       r.spec.Name,
		Agent:        r.task.Agent,
		Step:         r.step() + 1,
		Want:         want,
		Tools:        tools,
		Inputs:       r.inputs,
		Material:     r.task.Material,
		Observations: r.observations,
	}
	if r.last != nil {
		last := *r.last
		t.Last = &last
	}
	return t
}

// observed says that a tool brought this in this run.
func (r *run) observed(id string) bool {
	for i := range r.observations {
		if r.observations[i].ID == id {
			return true
		}
	}
	return false
}
