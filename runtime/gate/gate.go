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
	switch id {
	case policy.IdentityGood:
	case policy.IdentityDegraded:
		holds = policy.HoldStanding
	case policy.IdentityExpired:
		d.Rung, d.Reason = policy.RungIdentity, policy.CredentialExpired
		return
	case policy.IdentityUnknown:
		d.Rung, d.Reason = policy.RungIdentity, policy.AgentUnknown
		return
	case policy.IdentitySuspended:
		d.Rung, d.Reason = policy.RungIdentity, policy.AgentSuspended
		return
	default:
		d.Rung, d.Reason = policy.RungIdentity, policy.CredentialInvalid
		return
	}

	// Tool: does it exist?
	c := p.Contract(pr.Tool)
	if c == nil {
		d.Rung, d.Reason = policy.RungTool, policy.UnknownTool
		return
	}
	d.Tool = pr.Tool

	// Scope: in the agent's scope, and on this deployment's list.
	if !c.Grants(policy.InScope | policy.Allowlisted) {
		d.Rung, d.Reason, d.Line = policy.RungScope, policy.ToolNotAllowlisted, p.Line()
		if !c.Grants(policy.InScope) {
			d.Reason = policy.ToolNotInScope
		}
		return
	}

	// Tenant: everything that it names belongs to the run's.
	if pr.ClaimsTenant() || s.Target == policy.SubjectForeign || s.Refs == policy.SubjectForeign || s.Sources == policy.SubjectForeign {
		d.Rung, d.Reason, d.Line = policy.RungTenant, policy.CrossTenantDenied, c.Line()
		return
	}

	// Schema: the arguments fit the contract, exactly.
	if !pr.Fits() {
		d.Rung, d.Reason, d.Line = policy.RungSchema, policy.SchemaInvalid, pr.Fault().Line
		if d.Line.Line == 0 {
			d.Line = c.Line()
		}
		return
	}

	// Reference: what it names exists, with all that the tables read of it, in a
	// state that allows this. An action already done has itself moved the state,
	// so then the replay rung answers.
	if !found(s.Target, c.Acts()) || !found(s.Refs, pr.HasRefs()) || !found(s.Sources, pr.HasSources()) {
		d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, c.Line()
		return
	}
	place, ok := c.Place(&s.Attrs)
	if !ok || !c.Complete(&s.Attrs) {
		d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, c.Line()
		return
	}
	if c.Moves() {
		known, allowed, line := c.State(&s.Attrs)
		if !known {
			d.Rung, d.Reason, d.Line = policy.RungReference, policy.ReferenceUnknown, line
			return
		}
		if !allowed && prior == policy.PriorNone {
			d.Rung, d.Reason, d.Line = policy.RungReference, policy.StateConflict, line
			return
		}
	}

	// Requirements: flags are recorded, whatever comes of them.
	if !c.Flags(&pr.Args, &s.Attrs, &d.Flags) {
		d.Rung, d.Flags = policy.RungRequirements, 0
		return
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
	d.Rung = policy.RungRisk
	outcome, line := policy.Allow, c.Line()
	if c.Scored() {
		cell := c.Cell(place)
		d.Scored, d.Score = true, cell.Score
		outcome, line = cell.Outcome, cell.Line
		if outcome == policy.Hold {
			holds |= policy.HoldScore
		}
	}
	holds |= c.Holds()
	if c.Holding(d.Flags) != 0 {
		holds |= policy.HoldFlag
	}
	if holds != 0 && outcome > policy.Hold {
		outcome = policy.Hold
		line = p.Line()
		switch {
		case c.Holds() != 0:
			line = c.Line()
		case holds&policy.HoldFlag != 0:
			line = c.FlagLine(c.Holding(d.Flags))
		}
	}
	switch outcome {
	case policy.Allow:
		d.Reason = policy.Allowed
	case policy.Notify:
		d.Reason = policy.AllowedWithNotice
	case policy.Hold:
		d.Reason = policy.NeedsHumanApproval
	default: // no table that Open let through gets here
		return
	}
	d.Outcome, d.Holds, d.Line = outcome, holds, line
}

// found says whether what is named was found. Where nothing is named, nothing may
// have been looked up either: a registry that answers unasked contradicts the
// proposal.
func found(s policy.SubjectStatus, named bool) bool {
	if named {
		return s == policy.SubjectFound
	}
	return s == policy.SubjectNone || s == policy.SubjectUnread
}
