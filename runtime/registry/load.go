package registry

import (
	"errors"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/provlang/prov/runtime/policy"
)

// Bounds of a registry file. An id is a name, not a document.
const (
	MaxFile = 64 << 20
	maxID   = 200
)

// The file, as written. A member that is left out stays nil or zero and is
// refused by name below, since a registry entry without a version or a standing
// is a mistake and never a default.
type file struct {
	Agents   []fileAgent  `json:"agents"`
	Entities []fileEntity `json:"entities"`
}

type fileAgent struct {
	Tenant   string   `json:"tenant"`
	ID       string   `json:"id"`
	Role     string   `json:"role"`
	Standing Standing `json:"standing"`
	Version  uint64   `json:"version"`
}

type fileEntity struct {
	Tenant     string         `json:"tenant"`
	Kind       string         `json:"kind"`
	ID         string         `json:"id"`
	Version    uint64         `json:"version"`
	Attributes jsontext.Value `json:"attributes"`
}

// Load reads a registry file:
//
//	{
//	  "agents":   [{"tenant": "acme", "id": "planner-1", "role": "planner", "standing": "good", "version": 1}],
//	  "entities": [{"tenant": "acme", "kind": "service", "id": "inventory-api", "version": 7,
//	                "attributes": {"tier": "tier2", "deployed": "v42"}}]
//	}
//
// Every attribute of the kind must be there and fit its declaration; anything
// undeclared, twice or out of range is refused, with its path.
func Load(kinds []policy.Entity, data []byte) (*Registry, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("%d bytes are over the bound of %d", len(data), MaxFile)
	}
	var f file
	if err := json.Unmarshal(data, &f, json.RejectUnknownMembers(true)); err != nil {
		return nil, readable(err)
	}
	r := New(kinds)
	for i := range f.Agents {
		if err := r.addAgent(&f.Agents[i]); err != nil {
			return nil, fmt.Errorf("agents[%d]%w", i, err)
		}
	}
	for i := range f.Entities {
		if err := r.addEntity(&f.Entities[i]); err != nil {
			return nil, fmt.Errorf("entities[%d]%w", i, err)
		}
	}
	return r, r.checkReferences(f.Entities)
}

func (r *Registry) addAgent(a *fileAgent) error {
	switch {
	case !isID(a.Tenant):
		return at("tenant", a.Tenant)
	case !isID(a.ID):
		return at("id", a.ID)
	case !isID(a.Role):
		return at("role", a.Role)
	case !a.Standing.valid():
		return fmt.Errorf(".standing: %q is not one of good, degraded, suspended", a.Standing)
	case a.Version == 0:
		return errors.New(".version: must be 1 or more")
	}
	key := agentKey{a.Tenant, a.ID}
	if _, twice := r.agents[key]; twice {
		return fmt.Errorf(".id: agent %q of tenant %q stands here twice", a.ID, a.Tenant)
	}
	r.agents[key] = Agent(*a)
	return nil
}

func (r *Registry) addEntity(e *fileEntity) error {
	k := r.Kind(e.Kind)
	switch {
	case !isID(e.Tenant):
		return at("tenant", e.Tenant)
	case k < 0:
		return fmt.Errorf(".kind: the package declares no entity %q", e.Kind)
	case !isID(e.ID):
		return at("id", e.ID)
	case e.Version == 0:
		return errors.New(".version: must be 1 or more")
	case e.Attributes == nil:
		return errors.New(".attributes: missing")
	}
	attrs, err := decodeAll(r.kinds[k].Attrs, e.Attributes)
	if err != nil {
		return fmt.Errorf(".attributes%w", err)
	}
	key := entityKey{e.Tenant, k, e.ID}
	if _, twice := r.entities[key]; twice {
		return fmt.Errorf(".id: %s %q of tenant %q stands here twice", e.Kind, e.ID, e.Tenant)
	}
	r.entities[key] = Entity{Tenant: e.Tenant, Kind: e.Kind, ID: e.ID, Version: e.Version, Attrs: attrs}
	r.owners[ownedKey{k, e.ID}]++
	return nil
}

// checkReferences refuses an attribute that refers to nothing: a decision that
// follows it would find a hole.
func (r *Registry) checkReferences(entities []fileEntity) error {
	for i := range entities {
		e := &entities[i]
		k := r.Kind(e.Kind)
		attrs := r.entities[entityKey{e.Tenant, k, e.ID}].Attrs
		for j := range r.kinds[k].Attrs {
			f := &r.kinds[k].Attrs[j]
			if f.Kind != policy.KindRef || !attrs.Has(j) {
				continue
			}
			if r.Lookup(e.Tenant, f.Entity, attrs.Text(j)).Status != policy.SubjectFound {
				return fmt.Errorf("entities[%d].attributes.%s: %q is not in tenant %q",
					i, f.Name, attrs.Text(j), e.Tenant)
			}
		}
	}
	return nil
}

func at(member, value string) error {
	if value == "" {
		return fmt.Errorf(".%s: missing", member)
	}
	return fmt.Errorf(".%s: %s is not a name of 1 to %d printable characters without blanks",
		member, strconv.QuoteToASCII(value), maxID)
}

// isID keeps out what could not be told apart, or would move a terminal, in a
// timeline.
func isID(s string) bool {
	if s == "" || len(s) > maxID || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// readable turns the decoder's errors into the path and the fault alone.
func readable(err error) error {
	var syn *jsontext.SyntacticError
	if errors.As(err, &syn) {
		return fmt.Errorf("at %s (byte %d): %w", Place(syn.JSONPointer), syn.ByteOffset, syn.Err)
	}
	var sem *json.SemanticError
	if errors.As(err, &sem) {
		if sem.Err != nil {
			return fmt.Errorf("at %s: %w", Place(sem.JSONPointer), sem.Err)
		}
		return fmt.Errorf("at %s: a JSON %s does not fit here", Place(sem.JSONPointer), sem.JSONKind)
	}
	return err
}

// Place is a place in a JSON file, as people read it in an error. The names in it
// are whatever the file says, so what is not printable is escaped.
func Place(p jsontext.Pointer) string {
	if p == "" {
		return "the top"
	}
	quoted := strconv.Quote(string(p))
	return quoted[1 : len(quoted)-1]
}
