// Package host runs a folder: a registry, tasks and scripted models, under the
// policies of one package and against one company. Everything is read and checked
// before the first task begins.
package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Deployment is what a program brings for a folder: generated policies, and what
// stands behind their tools.
type Deployment struct {
	// Policies are the generated functions that open the package's policies.
	Policies []func() (*policy.Policy, error)
	// Company makes the tools over the folder's files and its registry.
	Company func(folder fs.FS, r *registry.Registry) (Company, error)
}

// Company is what stands behind the tools.
type Company struct {
	Tools   map[string]loop.Tool
	Extract loop.Tool // makes arguments in baseline mode; nil: there is no such mode
}

// Options of a run of a folder.
type Options struct {
	Folder     fs.FS
	Deployment Deployment
	Ledger     *ledger.Ledger
	Clock      func() time.Time
	Learner    loop.Learner
	// Only runs these tasks, by id, in the order of the folder; nil: all.
	Only []string
}

// Host is a folder that was read and checked, over one company: what a task
// changes, the next one finds.
type Host struct {
	options  Options
	policies map[string]*policy.Policy
	registry *registry.Registry
	company  Company
	tasks    []task
}

// Result is how one task ended. Err is set exactly where the run failed, or could
// not begin.
type Result struct {
	Task string
	loop.Result
	Err error
}

// Open reads and checks the folder.
func Open(o Options) (*Host, error) {
	h := &Host{options: o, policies: map[string]*policy.Policy{}}
	if o.Folder == nil || o.Ledger == nil || o.Clock == nil || o.Deployment.Company == nil {
		return nil, errors.New("host: a folder, a ledger, a clock and a company are needed")
	}
	if len(o.Deployment.Policies) == 0 {
		return nil, errors.New("host: a deployment without a policy")
	}
	if err := h.openPolicies(); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	entities := h.Policies()[0].Spec().Package.Entities
	data, err := fs.ReadFile(o.Folder, RegistryFile)
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	if h.registry, err = registry.Load(entities, data); err != nil {
		return nil, fmt.Errorf("%s: %w", RegistryFile, err)
	}
	if h.tasks, err = readTasks(o.Folder, h.policies); err != nil {
		return nil, err
	}
	if h.company, err = o.Deployment.Company(o.Folder, h.registry); err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	// A policy whose tools are not all there is found now, not in its first task;
	// so is what is wrong with a task, also with one that is not to be run.
	for i := range h.tasks {
		if err := h.check(&h.tasks[i]); err != nil {
			return nil, fmt.Errorf("%s: tasks[%d]%w", TasksFile, i, err)
		}
		if _, err := h.runner(&h.tasks[i], nil); err != nil {
			return nil, fmt.Errorf("host: task %s: %w", h.tasks[i].ID, err)
		}
	}
	if h.tasks, err = chosen(h.tasks, o.Only); err != nil {
		return nil, err
	}
	return h, nil
}

// openPolicies opens the deployment's policies. They share one registry, so they
// are of one package.
func (h *Host) openPolicies() error {
	digest := ""
	for _, open := range h.options.Deployment.Policies {
		p, err := open()
		if err != nil {
			return err
		}
		if h.policies[p.Name()] != nil {
			return fmt.Errorf("policy %s twice", p.Name())
		}
		if digest != "" && digest != p.Digest() {
			return fmt.Errorf("policy %s is of another package than the one before it", p.Name())
		}
		digest = p.Digest()
		h.policies[p.Name()] = p
	}
	return nil
}

// Registry is the folder's, as it stands now.
func (h *Host) Registry() *registry.Registry { return h.registry }

// Policy by name, nil where the deployment has none of it.
func (h *Host) Policy(name string) *policy.Policy { return h.policies[name] }

// Policies of the deployment, by name.
func (h *Host) Policies() []*policy.Policy {
	var list []*policy.Policy
	for _, p := range h.policies {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *policy.Policy) int {
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	return list
}

// Run runs the tasks in order, and tells observe, which may be nil, of everything
// that is on disk. A task that failed stops nothing but itself; a context that
// ended stops everything, and the results so far are returned with its cause.
func (h *Host) Run(ctx context.Context, observe func(loop.Event)) ([]Result, error) {
	var results []Result
	for i := range h.tasks {
		if ctx.Err() != nil {
			return results, context.Cause(ctx)
		}
		t := &h.tasks[i]
		runner, err := h.runner(t, observe)
		if err != nil {
			return results, err
		}
		res, err := runner.Run(ctx, t.Task)
		results = append(results, Result{Task: t.ID, Result: res, Err: err})
	}
	return results, nil
}

func (h *Host) runner(t *task, observe func(loop.Event)) (*loop.Runner, error) {
	var m model.Model
	if t.script != nil {
		m = t.script.Model()
	}
	return loop.New(loop.Options{
		Policy:   h.policies[t.policy],
		Registry: h.registry,
		Ledger:   h.options.Ledger,
		Tools:    h.company.Tools,
		Model:    m,
		Extract:  h.company.Extract,
		Clock:    h.options.Clock,
		Learner:  h.options.Learner,
		Observe:  observe,
	})
}

func chosen(tasks []task, only []string) ([]task, error) {
	if only == nil {
		return tasks, nil
	}
	var list []task
	for i := range tasks {
		if slices.Contains(only, tasks[i].ID) {
			list = append(list, tasks[i])
		}
	}
	for _, id := range only {
		if !slices.ContainsFunc(list, func(t task) bool { return t.ID == id }) {
			return nil, fmt.Errorf("%s: there is no task %q", TasksFile, id)
		}
	}
	return list, nil
}
