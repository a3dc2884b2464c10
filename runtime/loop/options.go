package loop

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
)

// Options is everything that a Runner uses. Nothing else reaches a run: no
// environment, no clock and no randomness of its own.
type Options struct {
	Policy   *policy.Policy
	Registry Registry
	Ledger   *ledger.Ledger
	// Tools by name. Every tool that the policy grants, and every reading tool that
	// verifies one, must be here; nothing that the package does not declare may be.
	Tools map[string]Tool
	// Model is asked in ModeAgent, and in ModeWorkflow where a step takes
	// arguments. It serves one run at a time.
	Model model.Model
	// Extract makes the arguments in ModeBaseline: a Tool whose result is the
	// arguments of the tool that its Call names.
	Extract Tool
	// Clock tells the time of the world and of the deadline.
	Clock func() time.Time
	// Learner is told what settled verifications teach; nil: the ledger alone is.
	Learner Learner
	// Observe is told of everything that was written, in order, after it is on
	// disk; nil: nobody is.
	Observe func(Event)
	// CommitWithin bounds one commit to the ledger; 0: DefaultCommitWithin.
	CommitWithin time.Duration
}

// DefaultCommitWithin is how long a commit may take before the run fails closed.
const DefaultCommitWithin = 10 * time.Second

// Learner takes in what a settled verification teaches. It is called after the
// evidence is on disk, so it can always catch up from there.
type Learner interface {
	Learn(ctx context.Context, l Lesson) error
}

// Lesson is one settled verification. There is no such value for an inconclusive
// one.
type Lesson struct {
	Tenant       string
	Run          string
	Verification uint64 // seq in the ledger
	Belief       string
	Target       string
	Settled      Settled
	Teaching     policy.Teaching
	Class        string // of the evidence
}

// Mode is who makes the proposals.
type Mode string

const (
	ModeAgent    Mode = ledger.ModeAgent    // a model, step by step
	ModeWorkflow Mode = ledger.ModeWorkflow // a fixed path; a model fills in its arguments, once
	ModeBaseline Mode = ledger.ModeBaseline // a fixed path; no model at all
)

// Task is one thing to be done, as the operator or an authenticated principal
// gave it. No part of it comes from a model.
type Task struct {
	ID     string // for the ledger
	Title  string // for people and for the model
	Tenant string // from the verified claim
	Agent  string // from the verified claim
	Mode   Mode
	// Inputs is a JSON object that fits the policy's inputs; nil: none.
	Inputs []byte
	// Workflow and Target are the fixed path and what it acts on; "" in ModeAgent.
	Workflow string
	Target   string
	Material []model.Material
}

// Result is how a run ended.
type Result struct {
	Run    string
	End    End
	Reason policy.Reason // NoReason where the end is nobody's refusal
	Why    string        // one sentence, for people
	Steps  int64
	Usage  ledger.Usage
}

// Runner runs tasks under one policy.
type Runner struct {
	o    Options
	spec *policy.Spec
	pkg  *policy.Package
	// personOnly holds, by entity, attribute and state, where only a person can
	// move on.
	personOnly map[place]bool
}

// New checks that the options fit together. A policy whose tools are not all
// there would find out in the middle of a run, so it does not begin one.
func New(o Options) (*Runner, error) {
	switch {
	case o.Policy == nil || o.Policy.Name() == "":
		return nil, errors.New("loop: no policy")
	case o.Registry == nil:
		return nil, errors.New("loop: no registry")
	case o.Ledger == nil:
		return nil, errors.New("loop: no ledger")
	case o.Clock == nil:
		return nil, errors.New("loop: no clock")
	case o.CommitWithin < 0:
		return nil, errors.New("loop: a commit cannot take less than no time")
	}
	if o.CommitWithin == 0 {
		o.CommitWithin = DefaultCommitWithin
	}
	o.Tools = maps.Clone(o.Tools) // what was checked is what runs
	r := &Runner{o: o, spec: o.Policy.Spec()}
	r.pkg = r.spec.Package
	if err := r.checkTools(); err != nil {
		return nil, fmt.Errorf("loop: policy %s: %w", r.spec.Name, err)
	}
	r.personOnly = personOnly(r.pkg)
	return r, nil
}

func (r *Runner) checkTools() error {
	for i := range r.pkg.Tools {
		t := &r.pkg.Tools[i]
		if r.spec.Grants[i]&(policy.InScope|policy.Allowlisted) != policy.InScope|policy.Allowlisted {
			continue
		}
		if r.o.Tools[t.Name] == nil {
			return fmt.Errorf("tool %s is on the list and has no implementation", t.Name)
		}
		if t.Verify == nil {
			continue
		}
		if by := r.pkg.Tools[t.Verify.By].Name; r.o.Tools[by] == nil {
			return fmt.Errorf("tool %s verifies %s and has no implementation", by, t.Name)
		}
	}
	var unknown []string
	for name := range r.o.Tools {
		if r.o.Policy.ToolIndex(name) < 0 {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fmt.Errorf("an implementation was given for %s, which package %s does not declare", unknown[0], r.pkg.Name)
	}
	return nil
}

// place is a state of a lifecycle.
type place struct {
	entity, attr int32
	state        int64
}

// personOnly finds the states that can be left, and by nothing but tools that
// want an approval.
func personOnly(pkg *policy.Package) map[place]bool {
	only := map[place]bool{}
	for i := range pkg.Tools {
		t := &pkg.Tools[i]
		for _, m := range t.Moves {
			at := place{t.Entity, m.Attr, m.From}
			byPerson, seen := only[at]
			only[at] = t.Approval && (byPerson || !seen)
		}
	}
	return only
}
