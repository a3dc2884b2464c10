package loop

import (
	"fmt"
	"strings"

	"github.com/provlang/prov/runtime/policy"
)

// The sentences of this file are for people. Nothing decides by them, and the
// ledger holds the names of the closed lists instead.

// faultWords says what was at fault with a proposal that was refused, "" where the
// reason says it all.
func (r *run) faultWords(s *step) string {
	pr := &s.q.proposal
	switch s.decision.Reason {
	case policy.Malformed, policy.SchemaInvalid:
		return describe(pr.Fault())
	case policy.UnknownTool:
		return fmt.Sprintf("package %s has no such tool", r.pkg.Name)
	case policy.ToolNotInScope:
		return fmt.Sprintf("it is not in the scope of a %s", r.spec.Agent)
	case policy.ToolNotAllowlisted:
		return fmt.Sprintf("it is not on the list of policy %s", r.spec.Name)
	case policy.CrossTenantDenied:
		if pr.ClaimsTenant() {
			return "it claims another tenant than the run's"
		}
		return "what it names belongs to another tenant"
	case policy.ReferenceUnknown:
		return "what it names does not exist in this tenant"
	case policy.StateConflict:
		return fmt.Sprintf("%s is not in a state from which %s can take it", plain(pr.Target), s.tool.Name)
	case policy.RequirementFailed:
		return "it fails " + clauseWords(s.clauses)
	case policy.IdempotentReplay:
		if first, ok := r.firsts[s.q.key]; ok {
			return fmt.Sprintf("step %d did this very action; its outcome stands", first.step)
		}
		return "this very action was done in this run; its outcome stands"
	case policy.AgentUnknown:
		return fmt.Sprintf("the registry knows no such %s in this tenant", r.spec.Agent)
	case policy.AgentSuspended:
		return "the agent is suspended"
	case policy.CredentialInvalid, policy.CredentialExpired:
		return "the credential does not hold"
	}
	return ""
}

// describe a fault in words, with the name from the closed list.
func describe(f policy.Fault) string {
	words := map[policy.FaultKind]string{
		policy.FaultSize:         fmt.Sprintf("it is longer than %d bytes", policy.MaxProposal),
		policy.FaultUTF8:         "it is not valid UTF-8",
		policy.FaultSyntax:       "it is not JSON",
		policy.FaultNotObject:    "it is not one JSON object",
		policy.FaultTrailing:     "something stands after the object",
		policy.FaultDuplicate:    "a member stands twice",
		policy.FaultDepth:        fmt.Sprintf("it is nested deeper than %d", policy.MaxDepth),
		policy.FaultNoTool:       "it names no tool",
		policy.FaultUnknownField: "is no field of the contract",
		policy.FaultMissing:      "is missing",
		policy.FaultWrongType:    "has the wrong type",
		policy.FaultOutOfRange:   "is out of range",
		policy.FaultTooShort:     "is too short",
		policy.FaultTooLong:      "is too long",
		policy.FaultPattern:      "does not match its pattern",
		policy.FaultNotAMember:   "is not one of the words that are allowed",
		policy.FaultScale:        "has more digits after the point than the contract",
		policy.FaultNumeral:      "is not written as a number is",
		policy.FaultTooMany:      "has too many entries",
	}[f.Kind]
	if f.Kind.Malformed() {
		return fmt.Sprintf("%s (%s, at byte %d)", words, f.Kind, f.Offset)
	}
	return fmt.Sprintf("%s %s (%s)", f.Where(), words, f.Kind)
}

// clauseWords are clauses as their author wrote them. No value stands in them but
// what the contract itself says.
func clauseWords(list []policy.Requirement) string {
	words := make([]string, len(list))
	for i := range list {
		words[i] = "`" + list[i].Text + "`"
	}
	return strings.Join(words, ", and ")
}

// holdWords says why an action waits for a person.
func holdWords(d *policy.Decision, failed []policy.Requirement) string {
	if d.Reason == policy.OutcomeUnknown {
		return "nobody knows whether this action was done; a person has to find out"
	}
	var because []string
	for _, c := range policy.HoldCauses() {
		if d.Holds&c == 0 {
			continue
		}
		switch c {
		case policy.HoldScore:
			because = append(because, fmt.Sprintf("its score of %d is in the hold band", d.Score))
		case policy.HoldContract:
			because = append(because, "its contract wants an approval")
		case policy.HoldDangerous:
			because = append(because, "its contract is marked dangerous")
		case policy.HoldFlag:
			because = append(because, "a flag of it holds")
		case policy.HoldStanding:
			because = append(because, "the agent is degraded")
		case policy.HoldUnknown:
			because = append(because, "an earlier outcome is unknown")
		case policy.HoldRequirement:
			because = append(because, "it fails "+clauseWords(failed))
		}
	}
	return "it waits for a person: " + strings.Join(because, ", and ")
}

func boundWords(p *policy.Policy, reason policy.Reason) string {
	switch reason {
	case policy.MaxStepsExceeded:
		return fmt.Sprintf("the policy gives a run %d steps", p.MaxSteps())
	case policy.DeadlineExceeded:
		return fmt.Sprintf("the policy gives a run %s", p.Deadline())
	case policy.NoProgress:
		return fmt.Sprintf("%d steps in a row brought nothing", p.NoProgress())
	case policy.BudgetExceeded:
		return "the budget of the run is spent"
	}
	return "a bound of the policy was reached"
}

// plans says how many plans a policy gives after a refuted verification.
func plans(n int32) string {
	switch n {
	case 0:
		return "no other plan"
	case 1:
		return "one more plan"
	}
	return fmt.Sprintf("%d more plans", n)
}
