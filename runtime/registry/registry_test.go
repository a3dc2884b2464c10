package registry_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

var kinds = []policy.Entity{
	{Name: "service", Attrs: []policy.Field{
		{Name: "tier", Kind: policy.KindEnum, Members: []string{"tier1", "tier2"}, Entity: -1},
		{Name: "deployed", Kind: policy.KindString, Lo: 1, Hi: 8, Entity: -1},
		{Name: "error_rate", Kind: policy.KindDecimal, Scale: 4, Entity: -1},
		{Name: "live", Kind: policy.KindBool, Entity: -1},
		{Name: "owner", Kind: policy.KindRef, Entity: 1},
		{Name: "replicas", Kind: policy.KindInt, Lo: 0, Hi: 99, Optional: true, Entity: -1},
	}},
	{Name: "team", Attrs: []policy.Field{{Name: "size", Kind: policy.KindInt, Lo: 1, Hi: 9, Entity: -1}}},
}

const good = `{
  "agents": [{"tenant": "acme", "id": "a1", "role": "planner", "standing": "good", "version": 2}],
  "entities": [
    {"tenant": "acme", "kind": "service", "id": "api", "version": 7,
     "attributes": {"tier": "tier2", "deployed": "v42", "error_rate": "0.0130", "live": true, "owner": "core"}},
    {"tenant": "acme", "kind": "team", "id": "core", "version": 1, "attributes": {"size": 4}},
    {"tenant": "globex", "kind": "team", "id": "edge", "version": 1, "attributes": {"size": 3}}
  ]
}`

func load(t *testing.T) *registry.Registry {
	t.Helper()
	r, err := registry.Load(kinds, []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLookup(t *testing.T) {
	r := load(t)
	for _, tt := range []struct {
		tenant string
		kind   int32
		id     string
		want   policy.SubjectStatus
	}{
		{"acme", 0, "api", policy.SubjectFound},
		{"acme", 1, "core", policy.SubjectFound},
		{"acme", 1, "edge", policy.SubjectForeign},
		{"acme", 1, "api", policy.SubjectUnknown}, // another kind
		{"acme", 0, "API", policy.SubjectUnknown},
		{"globex", 0, "api", policy.SubjectForeign},
		{"", 0, "api", policy.SubjectForeign},
		{"acme", 9, "api", policy.SubjectUnknown},
		{"acme", -1, "api", policy.SubjectUnknown},
		{"acme", 0, "", policy.SubjectUnknown},
	} {
		got := r.Lookup(tt.tenant, tt.kind, tt.id)
		if got.Status != tt.want {
			t.Errorf("Lookup(%q, %d, %q) = %s, want %s", tt.tenant, tt.kind, tt.id, got.Status, tt.want)
		}
		if got.Status != policy.SubjectFound && (got.Version != 0 || got.Attrs.Len() != 0) {
			t.Errorf("Lookup(%q, %d, %q) tells something of what is not the tenant's: %+v", tt.tenant, tt.kind, tt.id, got)
		}
	}
	got := r.Lookup("acme", 0, "api")
	if got.Version != 7 || got.Attrs.Int(0) != 1 || got.Attrs.Text(1) != "v42" || got.Attrs.Int(2) != 130 || got.Attrs.Has(5) {
		t.Errorf("api is %+v", got)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, tt := range []struct{ name, from, to, want string }{
		{"not JSON", `"agents": [`, `"agents": {[`, "at /agents"},
		{"an unknown member", `"role": "planner"`, `"role": "planner", "admin": true`, "/agents/0/admin"},
		{"a member twice", `"role": "planner"`, `"role": "planner", "role": "admin"`, "/agents/0/role"},
		{"a wrong type", `"version": 2`, `"version": "2"`, "at /agents/0/version"},
		{"no standing", `"standing": "good", `, ``, `agents[0].standing: "" is not one of good, degraded, suspended`},
		{"a standing that is none", `"good"`, `"trusted"`, `agents[0].standing: "trusted"`},
		{"no version", `, "version": 2`, ``, "agents[0].version: must be 1 or more"},
		{"no tenant", `{"tenant": "acme", "id": "a1"`, `{"id": "a1"`, "agents[0].tenant: missing"},
		{"an id that moves a terminal", `"id": "a1"`, `"id": "a\u001b[2J"`, "agents[0].id: "},
		{"an id with a blank", `"id": "api"`, `"id": "api "`, "entities[0].id: "},
		{"a kind that is none", `"kind": "service"`, `"kind": "srvice"`, `entities[0].kind: the package declares no entity "srvice"`},
		{"an attribute that is missing", `"live": true, `, ``, "entities[0].attributes.live: missing"},
		{"an attribute that is none", `"live": true`, `"live": true, "risk": 0`, "entities[0].attributes.risk: unknown_field"},
		{"an attribute out of its vocabulary", `"tier2"`, `"tier9"`, "entities[0].attributes.tier: not_a_member"},
		{"a number for a decimal", `"0.0130"`, `0.0130`, "entities[0].attributes.error_rate: wrong_type"},
		{"a number out of range", `"size": 4`, `"size": 10`, "entities[1].attributes.size: out_of_range"},
		{"a reference to nothing", `"owner": "core"`, `"owner": "cora"`, `entities[0].attributes.owner: "cora" is not in tenant "acme"`},
		{"a reference to another tenant", `"owner": "core"`, `"owner": "edge"`, `entities[0].attributes.owner: "edge" is not in tenant "acme"`},
		{"no attributes", `, "attributes": {"size": 4}`, ``, "entities[1].attributes: missing"},
		{"an entity twice", `{"tenant": "globex", "kind": "team", "id": "edge"`, `{"tenant": "acme", "kind": "team", "id": "core"`, `entities[2].id: team "core" of tenant "acme" stands here twice`},
		{"something after it", "]\n}", "]\n} {}", "at the top (byte "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := strings.Replace(good, tt.from, tt.to, 1)
			if bad == good {
				t.Fatalf("%q is not in the file", tt.from)
			}
			_, err := registry.Load(kinds, []byte(bad))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestUpdate(t *testing.T) {
	r := load(t)
	v, err := r.Update("acme", "service", "api", 7, []byte(`{"deployed": "v41", "error_rate": "0.002"}`))
	if err != nil || v != 8 {
		t.Fatalf("version %d, %v", v, err)
	}
	got := r.Lookup("acme", 0, "api")
	if got.Version != 8 || got.Attrs.Text(1) != "v41" || got.Attrs.Int(2) != 20 || got.Attrs.Int(0) != 1 || got.Attrs.Text(4) != "core" {
		t.Errorf("api is %+v", got)
	}
	for _, tt := range []struct {
		name, tenant, kind, id string
		from                   uint64
		changes                string
		want                   string
	}{
		{"stale", "acme", "service", "api", 7, `{"live": false}`, "moved on"},
		{"another tenant's", "globex", "service", "api", 8, `{"live": false}`, "no such entry in this tenant"},
		{"unknown", "acme", "service", "web", 1, `{"live": false}`, "no such entry in this tenant"},
		{"no kind", "acme", "svc", "api", 8, `{"live": false}`, "no such kind"},
		{"undeclared", "acme", "service", "api", 8, `{"risk": 0}`, ".risk: unknown_field"},
		{"wrong type", "acme", "service", "api", 8, `{"live": "no"}`, ".live: wrong_type"},
	} {
		if _, err := r.Update(tt.tenant, tt.kind, tt.id, tt.from, []byte(tt.changes)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q in it", tt.name, err, tt.want)
		}
	}
	if again := r.Lookup("acme", 0, "api"); again.Version != 8 {
		t.Errorf("a refused change moved the version to %d", again.Version)
	}
}

// A look-up is a copy: what changes later does not reach into a decision.
func TestLookupIsACopy(t *testing.T) {
	r := load(t)
	before := r.Lookup("acme", 0, "api")
	if _, err := r.Update("acme", "service", "api", 7, []byte(`{"deployed": "v41"}`)); err != nil {
		t.Fatal(err)
	}
	if got := before.Attrs.Text(1); got != "v42" {
		t.Errorf("an earlier look-up now says %q", got)
	}
}

func TestStanding(t *testing.T) {
	r := load(t)
	if v, err := r.SetStanding("acme", "a1", 2, registry.Suspended); err != nil || v != 3 {
		t.Fatalf("version %d, %v", v, err)
	}
	a, ok := r.Agent("acme", "a1")
	if diff := cmp.Diff(registry.Agent{Tenant: "acme", ID: "a1", Role: "planner", Standing: registry.Suspended, Version: 3}, a); !ok || diff != "" {
		t.Errorf("agent (-want +got):\n%s", diff)
	}
	if _, err := r.SetStanding("acme", "a1", 2, registry.Good); !errors.Is(err, registry.ErrStale) {
		t.Errorf("stale: got %v", err)
	}
	if _, err := r.SetStanding("globex", "a1", 3, registry.Good); !errors.Is(err, registry.ErrUnknown) {
		t.Errorf("another tenant's: got %v", err)
	}
	if _, err := r.SetStanding("acme", "a1", 3, "root"); err == nil {
		t.Error("a standing that is none was taken")
	}
	if _, ok := r.Agent("globex", "a1"); ok {
		t.Error("an agent was found in another tenant")
	}
}

func TestGet(t *testing.T) {
	r := load(t)
	got := map[string]string{}
	for _, a := range []string{"tier", "deployed", "error_rate", "live", "owner", "replicas", "nothing"} {
		if s, ok := r.Get("acme", "service", "api", a); ok {
			got[a] = s
		}
	}
	want := map[string]string{"tier": "tier2", "deployed": "v42", "error_rate": "0.0130", "live": "true", "owner": "core"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	if _, ok := r.Get("globex", "service", "api", "tier"); ok {
		t.Error("another tenant's attribute was read")
	}
}

func TestText(t *testing.T) {
	decimal := func(scale uint8) *policy.Field { return &policy.Field{Kind: policy.KindDecimal, Scale: scale} }
	for _, tt := range []struct {
		f    *policy.Field
		n    int64
		want string
	}{
		{decimal(2), 1250, "12.50"},
		{decimal(2), 5, "0.05"},
		{decimal(2), -5, "-0.05"},
		{decimal(0), 7, "7"},
		{decimal(9), math.MinInt64, "-9223372036.854775808"},
		{decimal(0), math.MinInt64, "-9223372036854775808"},
		{&policy.Field{Kind: policy.KindBool}, 1, "true"},
		{&policy.Field{Kind: policy.KindEnum, Members: []string{"a", "b"}}, 1, "b"},
		{&policy.Field{Kind: policy.KindEnum, Members: []string{"a", "b"}}, 2, ""},
		{&policy.Field{Kind: policy.KindInt}, -3, "-3"},
	} {
		if got := registry.Text(tt.f, policy.Value{N: tt.n, Set: true}); got != tt.want {
			t.Errorf("Text(%d of scale %d) = %q, want %q", tt.n, tt.f.Scale, got, tt.want)
		}
	}
}

// Every value has one spelling, and reads back from it alone.
func TestTextRoundTrip(t *testing.T) {
	fields := []*policy.Field{
		{Kind: policy.KindBool}, {Kind: policy.KindInt}, {Kind: policy.KindDecimal, Scale: 3},
		{Kind: policy.KindEnum, Members: []string{"a", "b", "c"}}, {Kind: policy.KindString}, {Kind: policy.KindRef},
	}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(fields).Draw(t, "field")
		v := policy.Value{Set: true}
		switch f.Kind {
		case policy.KindBool:
			v.N = rapid.Int64Range(0, 1).Draw(t, "n")
		case policy.KindEnum:
			v.N = rapid.Int64Range(0, 2).Draw(t, "n")
		case policy.KindInt, policy.KindDecimal:
			v.N = rapid.Int64().Draw(t, "n")
		default:
			v.S = rapid.String().Draw(t, "s")
		}
		text := registry.Text(f, v)
		got, ok := registry.ParseText(f, text)
		if !ok || got != v {
			t.Fatalf("%v is %q and reads back as %v, %t", v, text, got, ok)
		}
	})
	for _, tt := range []struct{ kind, text string }{
		{"bool", "True"}, {"int", "+1"}, {"int", "01"}, {"int", ""}, {"decimal", "1.5"}, {"decimal", "1.5000"}, {"decimal", "-0.000"},
		{"decimal", "1..500"}, {"enum", "d"}, {"enum", ""},
	} {
		f := map[string]*policy.Field{"bool": fields[0], "int": fields[1], "decimal": fields[2], "enum": fields[3]}[tt.kind]
		if v, ok := registry.ParseText(f, tt.text); ok {
			t.Errorf("%s %q was read as %v", tt.kind, tt.text, v)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"agents": [], "entities": []}`))
	f.Add([]byte(`{`))
	f.Add([]byte(`{"g\nts"`)) // its name is in the error
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := registry.Load(kinds, data)
		if err == nil && r == nil {
			t.Error("neither a registry nor an error")
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("the error moves a terminal: %s", fmt.Sprintf("%q", err.Error()))
		}
	})
}
