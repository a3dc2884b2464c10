// Package gate is the one door for actions: an ordered ladder from a decoded
// proposal to a decision. It is pure: what it is given is all it knows.
//
// The ladder asks one question a rung, and the first "no" ends it. Nothing below
// a failed rung is evaluated, so a reason says both what failed and that all
// above it held. The rungs stand in the order in which an answer may be given
// away: who asks before what exists, what is allowed before what it would be
// done to, another tenant's before whether the arguments fit.
package gate

import "github.com/provlang/prov/runtime/policy"

// Decide climbs the ladder from shape to risk and fills in d, whatever d held.
// Bounds, the rung before, is asked before the model is.
//
// It fails closed: an input that was not filled in, that belongs to another
// policy, or that contradicts another input refuses. It is one flat body and
// answers by pointer because that is what measured fastest; it allocates nothing.
func Decide(p *policy.Policy, id policy.Identity, pr *policy.Proposal, s *policy.Subject, prior policy.Prior, d *policy.Decision) {
	*d = policy.Decision{Tool: -1}

	// Shape: one typed proposal, decoded by this very policy.
	if pr == nil || s == nil || !pr.By(p) {
		d.Rung, d.Reason = policy.RungShape, policy.Malformed
		return
	}

	// Identity: who is asking, with what standing.
	var holds policy.HoldCause
	if id != policy.IdentityGood {
		d.Rung = policy.RungIdentity
		switch id {
		case policy.IdentityDegraded:
			holds = policy.HoldStanding
		case policy.IdentityExpired:
			d.Reason = policy.CredentialExpired
			return
		case policy.IdentityUnknown:
			d.Reason = policy.AgentUnknown
			return
		case policy.IdentitySuspended:
			d.Reason = policy.AgentSuspended
			return
		default:
			d.Reason = policy.CredentialInvalid
			return
		}
	}

	// Tool: does it exist?
	c := pr.Contract()
	if c == nil {
		d.Rung, d.Reason = policy.RungTool, policy.UnknownTool
		return
	}
	d.Tool = c.Index()

	// Scope: in the agent's scope, and on this deployment's list.
	if !c.Grants(policy.InScope | policy.Allowlisted) {
		d.Rung, d.Reason, d.Line = policy.RungScope, policy.ToolNotAllowlisted, p.Line()
		if !c.Grants(policy.InScope) {
			d.Reason = policy.ToolNotInScope
		}
		return
	}

	// Tenant: everything that it names belongs to the run's. Schema: the arguments
	// fit the contract, exactly. Reference: what it names exists. One question
	// sees whether any of the three has something to say.
	if !c.Found(pr, s) || pr.ClaimsTenant() || !pr.Fits() {
		d.Line = c.Line()
		switch {
		case pr.ClaimsTenant(), s.Target == policy.SubjectForeign, s.Refs == policy.SubjectForeign, s.Sources == policy.SubjectForeign:
			d.Rung, d.Reason = policy.RungTenant, policy.CrossTenantDenied
		case !pr.Fits():
			d.Rung, d.Reason = policy.RungSchema, policy.SchemaInvalid
			if line := pr.Fault().Line; line.Line != 0 {
				d.Line = line
			}
		default:
			d.Rung, d.Reason = policy.RungReference, policy.ReferenceUnknown
		}
		return
	}

	// Reference: with all that the tables read of it, in a state that allows this.
	// An action already done has itself moved the state, so then the replay rung
	// answers.
	place, known := c.Lone(&s.Attrs)
	if !known {
		if place, known = c.Place(&s.Attrs); !known {
			d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, c.Line()
			return
		}
	}
	if c.Asks() {
		if !c.Complete(&s.Attrs) {
			d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, c.Line()
			return
		}
		known, allowed, line := c.State(&s.Attrs)
		if !known {
			d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, line
			return
		}
		if !allowed && prior == policy.PriorNone {
			d.Rung, d.Reason, d.Line = policy.RungReference, policy.StateConflict, line
			return
		}

		// Requirements: flags are recorded, whatever comes of them.
		if !c.Flags(&pr.Args, &s.Attrs, &d.Flags) {
			d.Rung, d.Flags = policy.RungRequirements, 0
			return
		}
		if c.Holding(d.Flags) != 0 {
			holds |= policy.HoldFlag
		}
		// So are the clauses that fail, all of them. Refusing beats holding. What was
		// begun before may have brought about what now fails, so then it is recorded,
		// and the next rung answers, which refuses or holds either way.
		if c.Requires() {
			if !c.Unmet(&pr.Args, &s.Attrs, &d.Failed) {
				d.Rung, d.Flags, d.Failed = policy.RungRequirements, 0, 0
				return
			}
			if no := c.Refusing(d.Failed); no != 0 && (prior == policy.PriorNone || c.Reads()) {
				d.Rung, d.Reason, d.Line = policy.RungRequirements, policy.RequirementFailed, c.ClauseLine(no)
				return
			}
			if d.Failed != 0 {
				holds |= policy.HoldRequirement
			}
		}
	}

	// Replay: has this very action been done? Reading twice does no harm.
	if prior != policy.PriorNone && !c.Reads() {
		d.Rung, d.Line = policy.RungReplay, c.Line()
		if prior == policy.PriorDone {
			d.Reason = policy.IdempotentReplay
			return
		}
		d.Outcome, d.Reason, d.Holds = policy.Hold, policy.OutcomeUnknown, policy.HoldUnknown
		return
	}

	// Risk: the table's band meets all that holds; it never refuses.
	cell := c.Cell(place)
	d.Rung, d.Scored, d.Score, d.Line = policy.RungRisk, c.Scored(), cell.Score, cell.Line
	holds |= c.Holds()
	switch {
	case cell.Outcome == policy.Hold:
		d.Outcome, d.Reason, d.Holds = policy.Hold, policy.NeedsHumanApproval, holds|policy.HoldScore
	case cell.Outcome != policy.Notify && cell.Outcome != policy.Allow:
		return // no table that Open let through gets here
	case holds != 0:
		d.Outcome, d.Reason, d.Holds = policy.Hold, policy.NeedsHumanApproval, holds
		switch {
		case c.Holds() != 0:
			d.Line = c.Line()
		case holds&policy.HoldRequirement != 0:
			d.Line = c.ClauseLine(d.Failed)
		case holds&policy.HoldFlag != 0:
			d.Line = c.FlagLine(c.Holding(d.Flags))
		default:
			d.Line = p.Line()
		}
	case cell.Outcome == policy.Notify:
		d.Outcome, d.Reason = policy.Notify, policy.AllowedWithNotice
	default:
		d.Outcome, d.Reason = policy.Allow, policy.Allowed
	}
}
