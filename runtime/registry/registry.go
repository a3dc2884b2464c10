// Package registry holds what operators and systems of record say: the entities
// that actions are done to, with typed attributes, and the agents that may
// propose them, with their standing. It is the source of every fact that a score
// reads, so it is strict about what it takes in, and asks for a tenant in every
// look-up: there is no way to ask for an entity without saying whose it is.
//
// Everything carries a version, which rises with each change. A look-up is a
// copy; nobody caches one across a decision, since what a decision read is
// recorded with its version.
package registry

import (
	"errors"
	"fmt"
	"sync"

	"github.com/provlang/prov/runtime/policy"
)

// Standing of an agent. The zero value is not a standing: an agent without one
// does not load.
type Standing string

const (
	Good      Standing = "good"
	Degraded  Standing = "degraded"  // everything it proposes holds
	Suspended Standing = "suspended" // nothing it proposes is decided
)

// Agent is one holder of a role in one tenant.
type Agent struct {
	Tenant   string
	ID       string
	Role     string
	Standing Standing
	Version  uint64
}

// Entity is one entry as it stands now.
type Entity struct {
	Tenant  string
	Kind    string
	ID      string
	Version uint64
	Attrs   policy.Record // against the Attrs of its kind
}

// Found is the answer to a look-up. Version and Attrs are set only where Status
// is SubjectFound: of another tenant's entity nothing is told but that it is not
// this tenant's.
type Found struct {
	Status  policy.SubjectStatus
	Version uint64
	Attrs   policy.Record
}

// Refusals of a change.
var (
	ErrUnknown = errors.New("no such entry in this tenant")
	ErrStale   = errors.New("the entry has moved on since it was read")
)

type entityKey struct {
	tenant string
	kind   int32
	id     string
}

// owned counts the tenants that hold an id, so that "another tenant's" is
// answered without a scan.
type ownedKey struct {
	kind int32
	id   string
}

type agentKey struct{ tenant, id string }

// Registry is safe for use by several runs at once.
type Registry struct {
	kinds []policy.Entity

	mu       sync.RWMutex
	entities map[entityKey]Entity
	owners   map[ownedKey]int
	agents   map[agentKey]Agent
}

// New is an empty registry for the entities of a package.
func New(kinds []policy.Entity) *Registry {
	return &Registry{
		kinds:    kinds,
		entities: map[entityKey]Entity{},
		owners:   map[ownedKey]int{},
		agents:   map[agentKey]Agent{},
	}
}

// Lookup finds the entity of a kind, an index into the package's entities, for a
// tenant. A kind that does not exist and an empty tenant find nothing.
func (r *Registry) Lookup(tenant string, kind int32, id string) Found {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if e, ok := r.entities[entityKey{tenant, kind, id}]; ok {
		return Found{Status: policy.SubjectFound, Version: e.Version, Attrs: e.Attrs}
	}
	if r.owners[ownedKey{kind, id}] > 0 {
		return Found{Status: policy.SubjectForeign}
	}
	return Found{Status: policy.SubjectUnknown}
}

// Agent finds an agent of a tenant. An agent of the same id elsewhere is another
// agent.
func (r *Registry) Agent(tenant, id string) (Agent, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	a, ok := r.agents[agentKey{tenant, id}]
	return a, ok
}

// HasTenant says whether anything here is of this tenant.
func (r *Registry) HasTenant(tenant string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for k := range r.agents {
		if k.tenant == tenant {
			return true
		}
	}
	for k := range r.entities {
		if k.tenant == tenant {
			return true
		}
	}
	return false
}

// Kind is the index of an entity kind by name, or -1.
func (r *Registry) Kind(name string) int32 {
	for i := range r.kinds {
		if r.kinds[i].Name == name {
			return int32(i)
		}
	}
	return -1
}

// Update changes some attributes of an entity that stands at version from, and
// returns the version that it now has. changes is a JSON object of attributes,
// decoded as strictly as a registry file; what it leaves out stays as it is. An
// entry that has moved on is ErrStale, and nothing is changed.
func (r *Registry) Update(tenant, kind, id string, from uint64, changes []byte) (uint64, error) {
	k := r.Kind(kind)
	if k < 0 {
		return 0, fmt.Errorf("update %s %q: no such kind of entity", kind, id)
	}
	delta, err := decodeSome(r.kinds[k].Attrs, changes)
	if err != nil {
		return 0, fmt.Errorf("update %s %q: %w", kind, id, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := entityKey{tenant, k, id}
	e, ok := r.entities[key]
	if !ok {
		return 0, fmt.Errorf("update %s %q: %w", kind, id, ErrUnknown)
	}
	if e.Version != from {
		return e.Version, fmt.Errorf("update %s %q from version %d: %w", kind, id, from, ErrStale)
	}
	e.Attrs = overlay(r.kinds[k].Attrs, e.Attrs, delta)
	e.Version++
	r.entities[key] = e
	return e.Version, nil
}

// SetStanding changes an agent's standing. The next decision sees it.
func (r *Registry) SetStanding(tenant, id string, from uint64, s Standing) (uint64, error) {
	if !s.valid() {
		return 0, fmt.Errorf("standing of agent %q: %q is not one of good, degraded, suspended", id, s)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.agents[agentKey{tenant, id}]
	if !ok {
		return 0, fmt.Errorf("standing of agent %q: %w", id, ErrUnknown)
	}
	if a.Version != from {
		return a.Version, fmt.Errorf("standing of agent %q from version %d: %w", id, from, ErrStale)
	}
	a.Standing = s
	a.Version++
	r.agents[agentKey{tenant, id}] = a
	return a.Version, nil
}

func (s Standing) valid() bool { return s == Good || s == Degraded || s == Suspended }
