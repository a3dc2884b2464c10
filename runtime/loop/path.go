package loop

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/provlang/prov/runtime/model"
)

// proposer is where proposals come from. All of them go through the same gate.
type proposer interface {
	next(ctx context.Context, r *run) (answer, error)
	// advance says that the last proposal was carried out.
	advance()
	// fixed says that there is no other proposal to offer in place of a refused one.
	fixed() bool
}

// answer of a proposer. asked says that a model was, and usage what that cost.
type answer struct {
	reply []byte
	done  bool
	asked bool
	usage model.Usage
}

// proposer for the task's mode.
func (r *run) proposer() (proposer, error) {
	switch r.task.Mode {
	case ModeAgent:
		if r.o.Model == nil {
			return nil, errors.New("an agent needs a model")
		}
		if r.task.Workflow != "" || r.task.Target != "" {
			return nil, errors.New("an agent is given no path and no target; it proposes them")
		}
		return agent{}, nil
	case ModeWorkflow, ModeBaseline:
		return r.newPath()
	}
	return nil, fmt.Errorf("mode %q is not one of %s, %s, %s", r.task.Mode, ModeAgent, ModeWorkflow, ModeBaseline)
}

// agent asks the model for each step.
type agent struct{}

func (agent) next(ctx context.Context, r *run) (answer, error) {
	a, err := r.o.Model.Ask(ctx, r.turn(model.WantProposal, nil))
	if err != nil {
		return answer{asked: true, usage: a.Usage}, fmt.Errorf("ask the model: %w", err)
	}
	return answer{reply: a.Reply, done: a.Done, asked: true, usage: a.Usage}, nil
}

func (agent) advance()    {}
func (agent) fixed() bool { return false }

// path proposes the steps of a workflow, one after another. The tool and the
// target are the runtime's; of each step only the arguments can be somebody
// else's.
type path struct {
	steps     []int32
	at        int
	takesArgs []string // names of the steps that take arguments
	args      map[string]jsontext.Value
}

func (r *run) newPath() (*path, error) {
	p := &path{}
	found := false
	for i := range r.pkg.Workflows {
		if w := &r.pkg.Workflows[i]; w.Name == r.task.Workflow {
			p.steps, found = w.Steps, true
		}
	}
	if !found {
		return nil, fmt.Errorf("package %s has no workflow %q", r.pkg.Name, r.task.Workflow)
	}
	for _, i := range p.steps {
		t := &r.pkg.Tools[i]
		if len(t.Args) > 0 {
			p.takesArgs = append(p.takesArgs, t.Name)
		}
	}
	switch {
	case len(p.takesArgs) == 0:
	case r.task.Mode == ModeBaseline && r.o.Extract == nil:
		return nil, fmt.Errorf("workflow %s takes arguments and nothing was given that extracts them", r.task.Workflow)
	case r.task.Mode == ModeWorkflow && r.o.Model == nil:
		return nil, fmt.Errorf("workflow %s takes arguments and there is no model to ask for them", r.task.Workflow)
	}
	return p, nil
}

func (p *path) next(ctx context.Context, r *run) (answer, error) {
	if p.at == len(p.steps) {
		return answer{done: true}, nil
	}
	t := &r.pkg.Tools[p.steps[p.at]]
	target := r.task.Target
	if t.Entity < 0 {
		target = ""
	}
	if len(t.Args) == 0 {
		return answer{reply: compose(t.Name, target, nil)}, nil
	}
	if r.task.Mode == ModeBaseline {
		args, err := call(ctx, r.o.Extract, &Call{
			Tenant: r.task.Tenant, Run: r.log.ID(), Agent: r.task.Agent, Tool: t.Name, Target: target,
		})
		if err != nil {
			return answer{}, fmt.Errorf("extract the arguments of %s: %w", t.Name, err)
		}
		return answer{reply: compose(t.Name, target, args)}, nil
	}
	if p.args != nil {
		return answer{reply: compose(t.Name, target, p.args[t.Name])}, nil
	}
	a, err := r.o.Model.Ask(ctx, r.turn(model.WantArguments, p.takesArgs))
	out := answer{asked: true, usage: a.Usage}
	switch {
	case err != nil:
		return out, fmt.Errorf("ask the model: %w", err)
	case a.Done:
		return out, errors.New("ask the model: it was asked for arguments, and gave none")
	}
	out.reply = p.take(t.Name, target, a.Reply)
	return out, nil
}

// take reads the one reply for the whole path: an object that holds, under each
// tool's name, its arguments. What is no such object goes to the gate in the place
// of the arguments, and is refused there: the loop itself judges nothing that a
// model said. Tool and target stand before it, so it can be anything but another
// action.
func (p *path) take(tool, target string, reply []byte) []byte {
	if len(bytes.TrimSpace(reply)) == 0 {
		return nil // no reply is not a reply without arguments
	}
	args := map[string]jsontext.Value{}
	if err := json.Unmarshal(reply, &args); err != nil || args == nil {
		return compose(tool, target, reply)
	}
	for name := range args {
		if !p.takes(name) {
			return compose(tool, target, reply)
		}
	}
	p.args = args
	return compose(tool, target, args[tool])
}

func (p *path) takes(name string) bool {
	for _, t := range p.takesArgs {
		if t == name {
			return true
		}
	}
	return false
}

func (p *path) advance()    { p.at++ }
func (p *path) fixed() bool { return true }

// compose writes the proposal of a step. The names are the package's and the
// target the task's. Whatever args is, it cannot become another tool or target: a
// member that stands twice is malformed.
func compose(tool, target string, args []byte) []byte {
	b := append([]byte(nil), `{"tool":`...)
	b = appendQuoted(b, tool)
	if target != "" {
		b = appendQuoted(append(b, `,"target":`...), target)
	}
	if args = bytes.TrimSpace(args); len(args) > 0 {
		b = append(append(b, `,"args":`...), args...)
	}
	return append(b, '}')
}

// appendQuoted writes a JSON string. Invalid UTF-8 becomes the replacement
// character, and then names nothing.
func appendQuoted(b []byte, s string) []byte {
	q, err := jsontext.AppendQuote(nil, s)
	if err != nil && q == nil {
		q = []byte(`""`)
	}
	return append(b, q...)
}
