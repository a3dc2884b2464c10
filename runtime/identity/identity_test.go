package identity_test

import (
	"testing"

	"github.com/provlang/prov/runtime/identity"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

type agents map[[2]string]registry.Agent

func (a agents) Agent(tenant, id string) (registry.Agent, bool) {
	x, ok := a[[2]string{tenant, id}]
	return x, ok
}

func TestResolve(t *testing.T) {
	in := agents{}
	for _, s := range []registry.Standing{registry.Good, registry.Degraded, registry.Suspended, "odd"} {
		in[[2]string{"acme", string(s)}] = registry.Agent{Role: "planner", Standing: s, Version: 4}
	}
	for _, tt := range []struct {
		claim   identity.Claim
		role    string
		want    policy.Identity
		version uint64
	}{
		{identity.Claim{Tenant: "acme", Agent: "good"}, "planner", policy.IdentityGood, 4},
		{identity.Claim{Tenant: "acme", Agent: "degraded"}, "planner", policy.IdentityDegraded, 4},
		{identity.Claim{Tenant: "acme", Agent: "suspended"}, "planner", policy.IdentitySuspended, 4},
		{identity.Claim{Tenant: "acme", Agent: "odd"}, "planner", policy.IdentitySuspended, 4},
		{identity.Claim{Tenant: "acme", Agent: "good"}, "manager", policy.IdentityUnknown, 0},
		{identity.Claim{Tenant: "globex", Agent: "good"}, "planner", policy.IdentityUnknown, 0},
		{identity.Claim{Tenant: "acme", Agent: "nobody"}, "planner", policy.IdentityUnknown, 0},
		{identity.Claim{Tenant: "acme"}, "planner", policy.IdentityInvalid, 0},
		{identity.Claim{Agent: "good"}, "planner", policy.IdentityInvalid, 0},
		{identity.Claim{Tenant: "acme", Agent: "good"}, "", policy.IdentityInvalid, 0},
		{identity.Claim{}, "", policy.IdentityInvalid, 0},
	} {
		got, version := identity.Resolve(in, tt.claim, tt.role)
		if got != tt.want || version != tt.version {
			t.Errorf("%+v as %q is %s at %d, want %s at %d", tt.claim, tt.role, got, version, tt.want, tt.version)
		}
	}
}
