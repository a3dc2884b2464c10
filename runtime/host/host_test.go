package host_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
	"github.com/provlang/prov/runtime/store"
)

// A package of one tool, which looks at a lamp.
func lamp() (*policy.Policy, error) {
	return policy.Open(&policy.Spec{
		Package: &policy.Package{
			Name: "lamps", Digest: strings.Repeat("0c", 32), Files: []string{"lamps.prov"},
			Entities:  []policy.Entity{{Name: "lamp", Attrs: []policy.Field{{Name: "lit", Kind: policy.KindBool, Entity: -1}}}},
			Tools:     []policy.Tool{{Name: "look", Read: true}},
			Workflows: []policy.Workflow{{Name: "walk", Steps: []int32{0}}},
		},
		Name: "watch", Agent: "watcher", Grants: []policy.Grant{policy.InScope | policy.Allowlisted}, MaxSteps: 3, Deadline: time.Minute,
	})
}

func folder() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"registry.json": file(`{"agents": [{"tenant": "acme", "id": "w1", "role": "watcher", "standing": "good", "version": 1}],
			"entities": [{"tenant": "acme", "kind": "lamp", "id": "L1", "version": 1, "attributes": {"lit": true}}]}`),
		"tasks.json": file(`{"tasks": [
			{"id": "a", "title": "look", "policy": "watch", "tenant": "acme", "agent": "w1", "mode": "agent", "material": ["note.txt"], "script": "s.jsonl"},
			{"id": "b", "title": "look again", "policy": "watch", "tenant": "acme", "agent": "w1", "mode": "agent", "script": "s.jsonl"}]}`),
		"s.jsonl":  file(`{"propose": {"tool": "look", "target": "L1"}}` + "\n" + `{"done": true}`),
		"note.txt": file("a note"),
	}
}

func options(t *testing.T) host.Options {
	t.Helper()
	l, err := ledger.Open(t.Context(), store.NewMemory(), bytes.NewReader(make([]byte, 4096)))
	if err != nil {
		t.Fatal(err)
	}
	return host.Options{
		Folder: folder(), Ledger: l, Clock: func() time.Time { return time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC) },
		Deployment: host.Deployment{
			Policies: []func() (*policy.Policy, error){lamp},
			Company: func(fs.FS, *registry.Registry) (host.Company, error) {
				return host.Company{Tools: map[string]loop.Tool{
					"look": func(context.Context, *loop.Call) ([]byte, error) { return nil, nil },
				}}, nil
			},
		},
	}
}

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name string
		only []string
		want []string
	}{
		{"all, in order", nil, []string{"a completed", "b completed"}},
		{"some, in the folder's order", []string{"b", "a"}, []string{"a completed", "b completed"}},
		{"one", []string{"b"}, []string{"b completed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t)
			o.Only = tt.only
			h, err := host.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			events := 0
			results, err := h.Run(t.Context(), func(loop.Event) { events++ })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range results {
				got = append(got, r.Task+" "+string(r.End))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			if want := 4 * len(tt.want); events != want { // started, decision, outcome, ended
				t.Errorf("%d events, want %d", events, want)
			}
			if h.Policy("watch") == nil || h.Policy("other") != nil || len(h.Policies()) != 1 {
				t.Error("the policies are not the deployment's")
			}
		})
	}
}

// A context that ended stops the folder; what was done is returned.
func TestRunIsCalledOff(t *testing.T) {
	h, err := host.Open(options(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	results, err := h.Run(ctx, func(e loop.Event) {
		if e.Entry.Kind == ledger.KindRunEnded {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(results) != 1 {
		t.Errorf("%d results, %v", len(results), err)
	}
}

func TestOpenRefuses(t *testing.T) {
	tasks := func(from, to string) func(*host.Options) {
		return func(o *host.Options) {
			f := maps.Clone(folder())
			f["tasks.json"] = &fstest.MapFile{Data: bytes.Replace(f["tasks.json"].Data, []byte(from), []byte(to), 1)}
			o.Folder = f
		}
	}
	// The same in the last task, which is not the first to run.
	second := func(from, to string) func(*host.Options) {
		return func(o *host.Options) {
			f := maps.Clone(folder())
			text := f["tasks.json"].Data
			at := bytes.Index(text, []byte(`{"id": "b"`))
			f["tasks.json"] = &fstest.MapFile{Data: slices.Concat(text[:at], bytes.Replace(text[at:], []byte(from), []byte(to), 1))}
			o.Folder = f
		}
	}
	without := func(name string) func(*host.Options) {
		return func(o *host.Options) {
			f := maps.Clone(folder())
			delete(f, name)
			o.Folder = f
		}
	}
	for _, tt := range []struct {
		name string
		set  func(*host.Options)
		want string
	}{
		{"no ledger", func(o *host.Options) { o.Ledger = nil }, "a ledger"},
		{"no policy", func(o *host.Options) { o.Deployment.Policies = nil }, "without a policy"},
		{"a policy that does not open", func(o *host.Options) {
			o.Deployment.Policies = append(o.Deployment.Policies, func() (*policy.Policy, error) { return nil, errors.New("a hole") })
		}, "a hole"},
		{"policies of two packages", func(o *host.Options) {
			o.Deployment.Policies = append(o.Deployment.Policies, func() (*policy.Policy, error) {
				p, err := lamp()
				if err != nil {
					return nil, err
				}
				s := p.Spec()
				s.Name, s.Package.Digest = "other", strings.Repeat("0d", 32)
				return policy.Open(s)
			})
		}, "another package"},
		{"a policy twice", func(o *host.Options) { o.Deployment.Policies = append(o.Deployment.Policies, lamp) }, "policy watch twice"},
		{"no registry", without("registry.json"), "registry.json"},
		{"no tasks", without("tasks.json"), "tasks.json"},
		{"no script", without("s.jsonl"), ".script: "},
		{"no material", without("note.txt"), ".material[0]: "},
		{"a path out of the folder", tasks("note.txt", "../note.txt"), ".material[0]: "},
		{"a task without a title", tasks(`"title": "look", `, ""), "tasks[0].title: missing"},
		{"a mode that is none", second(`"mode": "agent"`, `"mode": "agnet"`), `tasks[1].mode: "agnet" is not one of agent, workflow, baseline`},
		{"no such tenant", second(`"acme"`, `"amce"`), `tasks[1].tenant: there is nothing of a tenant "amce" in registry.json`},
		{"no such agent", second(`"w1"`, `"w2"`), `tasks[1].agent: tenant acme has no agent "w2"`},
		{"inputs of no policy", second(`"script"`, `"inputs": {"x": 1}, "script"`), `tasks[1].inputs: `},
		{"an agent with a path", second(`"script"`, `"workflow": "walk", "script"`), `tasks[1].workflow: an agent is given no path`},
		{"an agent with a target", second(`"script"`, `"target": "L1", "script"`), `tasks[1].target: an agent is given no target`},
		{"an agent without a model", second(`, "script": "s.jsonl"`, ``), `tasks[1].script: missing`},
		{"no such path", second(`"mode": "agent"`, `"mode": "baseline", "workflow": "run"`), `tasks[1].workflow: package lamps has no workflow "run"`},
		{"no such target", second(`"mode": "agent"`, `"mode": "baseline", "workflow": "walk", "target": "L2"`), `tasks[1].target: tenant acme has no lamp "L2"`},
		{"no target", second(`"mode": "agent"`, `"mode": "baseline", "workflow": "walk"`), `tasks[1].target: tenant acme has no lamp ""`},
		{"a fault in a task that is not to be run", func(o *host.Options) {
			second(`"w1"`, `"w2"`)(o)
			o.Only = []string{"a"}
		}, `tasks[1].agent: `},
		{"a task that is none", func(o *host.Options) { o.Only = []string{"c"} }, `there is no task "c"`},
		{"a company that gives up", func(o *host.Options) {
			o.Deployment.Company = func(fs.FS, *registry.Registry) (host.Company, error) {
				return host.Company{}, errors.New("out of business")
			}
		}, "out of business"},
		{"a tool without an implementation", func(o *host.Options) {
			o.Deployment.Company = func(fs.FS, *registry.Registry) (host.Company, error) { return host.Company{}, nil }
		}, "tool look is on the list and has no implementation"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t)
			tt.set(&o)
			_, err := host.Open(o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}
