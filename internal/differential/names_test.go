package differential

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/policy"
)

// words of a closed list, without some.
func words[T any](list []T, without ...string) []string {
	var out []string
	for _, v := range list {
		if w := fmt.Sprint(v); !slices.Contains(without, w) {
			out = append(out, w)
		}
	}
	return out
}

// The two halves spell the closed lists alike. What is left out on the runtime's
// side has no place in a single decision: the zero values, and the bounds of a run,
// which are asked before there is a proposal.
func TestClosedListsAreSpelledAlike(t *testing.T) {
	tests := []struct {
		what               string
		reference, runtime []string
	}{
		{"rungs", words(interp.Rungs()), words(policy.Rungs(), "none", "bounds")},
		{"reasons", words(interp.Reasons()), words(policy.Reasons(), "none",
			"max_steps_exceeded", "deadline_exceeded", "budget_exceeded", "no_progress")},
		{"hold causes", words(interp.HoldCauses()), words(policy.HoldCauses())},
		{"identities", words(interp.Identities()), words(policy.Identities())},
		{"faults", words(interp.Faults()), words(policy.FaultKinds(), "none")},
		{"verdicts", words([]interp.Verdict{interp.Confirmed, interp.Refuted, interp.Inconclusive}),
			[]string{ledger.Confirmed, ledger.Refuted, ledger.Inconclusive}},
		{"bounds of a proposal", words([]int{interp.MaxProposal, interp.MaxDepth, interp.MaxSources, interp.MaxID}),
			words([]int{policy.MaxProposal, policy.MaxDepth, policy.MaxRestsOn, policy.MaxID})},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.reference, tt.runtime); diff != "" {
			t.Errorf("%s (-reference +runtime)\n%s", tt.what, diff)
		}
	}
}
