package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

func TestParts(t *testing.T) {
	p := policytest.Open(policytest.Incident())
	tier := func(n int64) *policy.Record {
		r := policy.NewRecord(policy.Value{N: n, Set: true})
		return &r
	}
	for _, c := range []struct {
		tool  int32
		attrs *policy.Record
		want  []policy.Part
	}{
		{policytest.DisableComplianceChecks, tier(0), []policy.Part{
			{Name: "base", Value: "disable_compliance_checks", Points: 4}, {Name: "target.tier", Value: "tier1", Points: 2},
			{Name: "blast_radius", Value: "org_wide", Points: 2}, {Name: "effects", Value: "irreversible", Points: 3},
		}},
		{policytest.RollbackConfig, tier(1), []policy.Part{
			{Name: "base", Value: "rollback_config", Points: 1}, {Name: "target.tier", Value: "tier2", Points: 1},
			{Name: "blast_radius", Value: "single"}, {Name: "effects", Value: "reversible"},
		}},
		{policytest.ReadService, tier(0), nil},
		{policytest.RollbackConfig, tier(3), nil},
		{policytest.RollbackConfig, tier(-1), nil},
		{policytest.RollbackConfig, &policy.Record{}, nil},
		{3, tier(0), nil},
		{-1, tier(0), nil},
	} {
		if diff := cmp.Diff(c.want, p.AppendParts(nil, c.tool, c.attrs)); diff != "" {
			t.Errorf("tool %d (-want +got):\n%s", c.tool, diff)
		}
	}
}

func TestFlagNamesAndLines(t *testing.T) {
	p := policytest.Open(policytest.Desk())
	var set policy.FlagSet
	set.Add(policytest.FreezeRich)
	for _, c := range []struct {
		set  policy.FlagSet
		want []string
	}{
		{0, nil}, {set, []string{"rich_account"}}, {set | 1, []string{"long_freeze", "rich_account"}}, {1 << 63, nil},
	} {
		if diff := cmp.Diff(c.want, p.FlagNames(policytest.FreezeAccount, c.set)); diff != "" {
			t.Errorf("%#x (-want +got):\n%s", c.set, diff)
		}
	}
	for at, want := range map[policy.Pos]string{{}: "", {Line: 7}: "desk.prov:7", {File: 1, Line: 7}: ""} {
		if got := p.Where(at); got != want {
			t.Errorf("%v: got %q, want %q", at, got, want)
		}
	}
}

// Both layouts of a table are one table.
func TestCellsAndSums(t *testing.T) {
	sums, cells := policytest.Open(policytest.Desk()), policytest.Open(policytest.WithCells(policytest.Desk()))
	for tool := range int32(sums.Tools()) {
		for tier := range int64(3) {
			for region := range int64(2) {
				attrs := policy.NewRecord(policy.Value{}, policy.Value{N: tier, Set: true}, policy.Value{N: region, Set: true})
				a, b := sums.Contract(tool), cells.Contract(tool)
				if a.Scored() != b.Scored() {
					t.Fatalf("tool %d: scored %v, %v", tool, a.Scored(), b.Scored())
				}
				if !a.Scored() {
					continue
				}
				x, okA := a.Place(&attrs)
				y, okB := b.Place(&attrs)
				if !okA || !okB {
					t.Fatalf("tool %d: a place is missing", tool)
				}
				want := int32(0)
				for _, part := range sums.AppendParts(nil, tool, &attrs) {
					want += part.Points
				}
				if diff := cmp.Diff(a.Cell(x), b.Cell(y)); diff != "" || a.Cell(x).Score != want {
					t.Errorf("tool %d, tier %d, region %d: the sum is %d (-sums +cells):\n%s", tool, tier, region, want, diff)
				}
			}
		}
	}
}

// A place that is in no table gets no cell that allows.
func TestCellOutside(t *testing.T) {
	p := policytest.Open(policytest.Incident())
	for _, place := range []int32{-1, 3, 1 << 30} {
		if got := p.Contract(policytest.RollbackConfig).Cell(place).Outcome; got != policy.Refuse {
			t.Errorf("place %d: %v", place, got)
		}
	}
}

func TestMatch(t *testing.T) {
	for s, want := range map[string]bool{"": false, "v": false, "v1": true, "v12": true, "v1x": false, "xv1": false, "v١": false} {
		if got := policytest.Version().Match(s); got != want {
			t.Errorf("version %q: %v", s, got)
		}
	}
	for s, want := range map[string]bool{"": false, "ABC": true, "ABCD": false, "é": true, "éé": true, "éA": false, "è": false, "😀": false} {
		if got := policytest.Code().Match(s); got != want {
			t.Errorf("code %q: %v", s, got)
		}
	}
}
