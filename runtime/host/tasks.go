package host

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Files of a folder.
const (
	RegistryFile = "registry.json"
	TasksFile    = "tasks.json"
)

// task is a task with what the folder says around it.
type task struct {
	loop.Task
	policy string
	script *model.Script // nil: no model
}

// fileTasks is tasks.json:
//
//	{"tasks": [{
//	  "id": "inventory-errors", "title": "inventory-api answers with errors",
//	  "policy": "first_response", "tenant": "acme", "agent": "planner-1",
//	  "mode": "agent",                       agent, workflow or baseline
//	  "inputs": {"service": "inventory-api"},
//	  "workflow": "fixed", "target": "DOC-1",  in workflow and baseline mode
//	  "material": ["data/DOC-1.txt"],        texts that the model is shown, as untrusted data
//	  "script": "scripts/inventory-errors.jsonl"
//	}]}
type fileTasks struct {
	Tasks []fileTask `json:"tasks"`
}

type fileTask struct {
	ID       string         `json:"id"`
	Title    string         `json:"title"`
	Policy   string         `json:"policy"`
	Tenant   string         `json:"tenant"`
	Agent    string         `json:"agent"`
	Mode     loop.Mode      `json:"mode"`
	Inputs   jsontext.Value `json:"inputs"`
	Workflow string         `json:"workflow"`
	Target   string         `json:"target"`
	Material []string       `json:"material"`
	Script   string         `json:"script"`
}

func readTasks(folder fs.FS, policies map[string]*policy.Policy) ([]task, error) {
	data, err := fs.ReadFile(folder, TasksFile)
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	var f fileTasks
	if err := json.Unmarshal(data, &f, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("%s: %w", TasksFile, readable(err))
	}
	if len(f.Tasks) == 0 {
		return nil, fmt.Errorf("%s: no tasks", TasksFile)
	}
	var tasks []task
	for i := range f.Tasks {
		w := &f.Tasks[i]
		if slices.ContainsFunc(tasks, func(t task) bool { return t.ID == w.ID }) {
			return nil, fmt.Errorf("%s: tasks[%d].id: %q stands here twice", TasksFile, i, w.ID)
		}
		t, err := readTask(folder, policies, w)
		if err != nil {
			return nil, fmt.Errorf("%s: tasks[%d]%w", TasksFile, i, err)
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

func readTask(folder fs.FS, policies map[string]*policy.Policy, w *fileTask) (task, error) {
	for _, m := range []struct{ name, value string }{
		{"id", w.ID}, {"title", w.Title}, {"policy", w.Policy}, {"tenant", w.Tenant}, {"agent", w.Agent}, {"mode", string(w.Mode)},
	} {
		if m.value == "" {
			return task{}, fmt.Errorf(".%s: missing", m.name)
		}
	}
	if policies[w.Policy] == nil {
		names := slices.Sorted(maps.Keys(policies))
		return task{}, fmt.Errorf(".policy: %q is not one of %s", w.Policy, strings.Join(names, ", "))
	}
	t := task{policy: w.Policy, Task: loop.Task{
		ID: w.ID, Title: w.Title, Tenant: w.Tenant, Agent: w.Agent, Mode: w.Mode,
		Inputs: w.Inputs, Workflow: w.Workflow, Target: w.Target,
	}}
	for i, name := range w.Material {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return task{}, fmt.Errorf(".material[%d]: %w", i, err)
		}
		t.Material = append(t.Material, model.Material{Name: name, Text: text})
	}
	if w.Script == "" {
		return t, nil
	}
	data, err := fs.ReadFile(folder, w.Script)
	if err != nil {
		return task{}, fmt.Errorf(".script: %w", err)
	}
	if t.script, err = model.ParseScript(w.Script, data); err != nil {
		return task{}, fmt.Errorf(".script: %w", err)
	}
	return t, nil
}

// readable gives the place and the fault, without Go's types.
func readable(err error) error {
	var syn *jsontext.SyntacticError
	if errors.As(err, &syn) {
		return fmt.Errorf("at %s (byte %d): %w", registry.Place(syn.JSONPointer), syn.ByteOffset, syn.Err)
	}
	var sem *json.SemanticError
	if errors.As(err, &sem) {
		if sem.Err != nil {
			return fmt.Errorf("at %s: %w", registry.Place(sem.JSONPointer), sem.Err)
		}
		return fmt.Errorf("at %s: a JSON %s does not fit here", registry.Place(sem.JSONPointer), sem.JSONKind)
	}
	return err
}
