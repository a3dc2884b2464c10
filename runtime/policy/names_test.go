package policy_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/policy"
)

// What is in ledgers cannot change: the lists are written out here once more, and
// may only grow at the end of each.
func TestNamesAreClosedLists(t *testing.T) {
	for _, c := range []struct {
		list string
		got  []string
		want []string
	}{
		{"outcomes", names(policy.Outcomes()), []string{"refuse", "hold", "notify", "allow"}},
		{"rungs", names(policy.Rungs()), []string{"none", "bounds", "shape", "identity", "tool", "scope", "tenant", "schema",
			"reference", "requirements", "replay", "risk"}},
		{"reasons", names(policy.Reasons()), []string{"none", "allowed", "allowed_with_notice", "needs_human_approval",
			"max_steps_exceeded", "deadline_exceeded", "budget_exceeded", "no_progress", "malformed",
			"credential_invalid", "credential_expired", "agent_unknown", "agent_suspended", "unknown_tool",
			"tool_not_in_scope", "tool_not_allowlisted", "cross_tenant_denied", "schema_invalid",
			"reference_unknown", "state_conflict", "idempotent_replay", "outcome_unknown", "requirement_failed"}},
		{"hold causes", names(policy.HoldCauses()), []string{"score", "contract", "dangerous", "flag", "standing", "unknown_outcome", "requirement"}},
		{"identities", names(policy.Identities()), []string{"invalid", "expired", "unknown", "suspended", "degraded", "good"}},
		{"priors", names(policy.Priors()), []string{"unread", "none", "done", "unknown"}},
		{"subject statuses", names(policy.SubjectStatuses()), []string{"unread", "none", "found", "unknown", "foreign"}},
		{"faults", names(policy.FaultKinds()), []string{"none", "size", "utf8", "syntax", "not_object", "trailing", "duplicate",
			"depth", "no_tool", "unknown_field", "missing", "wrong_type", "out_of_range", "too_short", "too_long",
			"pattern", "not_a_member", "scale", "numeral", "too_many"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.list, diff)
		}
	}
}

func names[E fmt.Stringer](all []E) []string {
	var n []string
	for _, e := range all {
		n = append(n, e.String())
	}
	return n
}

// Each name reads back as what it was written for, and nothing else does.
func TestNamesReadBack(t *testing.T) {
	readBack(t, policy.Outcomes(), policy.ParseOutcome)
	readBack(t, policy.Rungs(), policy.ParseRung)
	readBack(t, policy.Reasons(), policy.ParseReason)
	readBack(t, policy.HoldCauses(), policy.ParseHoldCause)
	readBack(t, policy.Identities(), policy.ParseIdentity)
	readBack(t, policy.Priors(), policy.ParsePrior)
	readBack(t, policy.SubjectStatuses(), policy.ParseSubjectStatus)
	readBack(t, policy.FaultKinds(), policy.ParseFaultKind)
}

func readBack[E interface {
	comparable
	fmt.Stringer
}](t *testing.T, all []E, parse func(string) (E, bool)) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range all {
		if e.String() == "" || seen[e.String()] {
			t.Errorf("%T %v has no name of its own", e, e)
		}
		seen[e.String()] = true
		if got, ok := parse(e.String()); !ok || got != e {
			t.Errorf("parse %T %q: got %v, %v", e, e, got, ok)
		}
	}
	for _, bad := range []string{"", "Allow", "allow ", "nobody"} {
		if got, ok := parse(bad); ok {
			t.Errorf("parse %T %q: got %v, want none", got, bad, got)
		}
	}
}

// A number outside a list reads as the list's first, which refuses.
func TestNamesOutsideTheLists(t *testing.T) {
	got := []string{
		policy.Outcome(200).String(), policy.Rung(200).String(), policy.Reason(200).String(), policy.Identity(200).String(),
		policy.Prior(200).String(), policy.SubjectStatus(200).String(), policy.FaultKind(200).String(), policy.HoldCause(0).String(),
	}
	want := []string{"refuse", "none", "none", "invalid", "unread", "unread", "none", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHoldCausesJoin(t *testing.T) {
	h := policy.HoldFlag | policy.HoldScore | policy.HoldStanding
	if got, want := h.String(), "score, flag, standing"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFaultsOfTheShape(t *testing.T) {
	var shape []string
	for _, k := range policy.FaultKinds() {
		if k.Malformed() {
			shape = append(shape, k.String())
		}
	}
	want := []string{"size", "utf8", "syntax", "not_object", "trailing", "duplicate", "depth", "no_tool"}
	if diff := cmp.Diff(want, shape); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
