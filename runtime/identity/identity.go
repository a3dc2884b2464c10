// Package identity says who is asking, and with what standing, now. A model has
// no part in it: a claim comes from the credential of the process that speaks
// for the agent, and the standing from the registry, read again for each
// decision.
package identity

import (
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/registry"
)

// Claim is what a credential that verified says: this process speaks for this
// agent of this tenant. The zero value is no credential at all. Whoever runs a
// task on the operator's own machine states it; a server takes it from a token.
type Claim struct {
	Tenant string
	Agent  string
}

// Agents is the part of the registry that is asked.
type Agents interface {
	Agent(tenant, id string) (registry.Agent, bool)
}

// Resolve answers the identity rung for an agent that is to act in a role. The
// version is that of the agent's registry entry, 0 where there is none. An agent
// that holds another role is as unknown as one that does not exist: a role is
// never taken on by asking for it.
func Resolve(agents Agents, c Claim, role string) (id policy.Identity, version uint64) {
	if c.Tenant == "" || c.Agent == "" || role == "" {
		return policy.IdentityInvalid, 0
	}
	a, ok := agents.Agent(c.Tenant, c.Agent)
	if !ok || a.Role != role {
		return policy.IdentityUnknown, 0
	}
	switch a.Standing {
	case registry.Good:
		return policy.IdentityGood, a.Version
	case registry.Degraded:
		return policy.IdentityDegraded, a.Version
	case registry.Suspended:
		return policy.IdentitySuspended, a.Version
	default:
		return policy.IdentitySuspended, a.Version // a standing that nobody knows earns no trust
	}
}
