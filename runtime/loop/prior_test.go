package loop

import (
	"testing"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/policy"
)

// What is known of an action becomes what the gate is told. An action whose intent
// is on disk and whose outcome is not may have had its effect.
func TestPriorOf(t *testing.T) {
	for _, c := range []struct {
		status ledger.MarkStatus
		known  bool
		want   policy.Prior
	}{
		{"", false, policy.PriorNone},
		{ledger.MarkBegun, true, policy.PriorUnknown},
		{ledger.MarkDone, true, policy.PriorDone},
		{ledger.MarkFailed, true, policy.PriorNone},
		{ledger.MarkUnknown, true, policy.PriorUnknown},
		{"another", true, policy.PriorUnknown},
	} {
		if got := priorOf(ledger.Mark{Status: c.status}, c.known); got != c.want {
			t.Errorf("%q, known %v: %s, want %s", c.status, c.known, got, c.want)
		}
	}
}
