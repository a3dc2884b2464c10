// Package policytest has specs for the tests of whatever runs on a policy: what
// a generator would have written, small enough to read and to break.
//
// Every call makes a new Spec that shares nothing with another one, so that a
// test may change it before it opens it.
package policytest

import (
	"math"
	"strings"
	"time"

	"github.com/provlang/prov/runtime/policy"
)

// Indexes of the incident package's tools.
const (
	DisableComplianceChecks = iota
	ReadService
	RollbackConfig
)

// Indexes of the incident package's entities.
const (
	Service = iota
	Supplier
)

// digest stands for one over sources that a fixture does not have.
var digest = strings.Repeat("0123456789abcdef", 4)

func line(n uint32) policy.Pos { return policy.Pos{Line: n} }

// Version is /v[0-9]+/.
func Version() *policy.Pattern {
	return &policy.Pattern{
		Source:  "v[0-9]+",
		ASCII:   classes(map[rune]byte{'v': 1}, '0', '9', 2),
		Classes: 3,
		Next: []uint16{
			policy.Dead, 1, policy.Dead,
			policy.Dead, policy.Dead, 2,
			policy.Dead, policy.Dead, 2,
		},
		Accept: "001",
	}
}

// classes of the ASCII code points: single ones, and a range.
func classes(single map[rune]byte, lo, hi rune, class byte) string {
	var b [128]byte
	for r, c := range single {
		b[r] = c
	}
	for r := lo; r <= hi; r++ {
		b[r] = class
	}
	return string(b[:])
}

// Bands are allow up to 3, notify to 6, hold from 7.
func Bands() []policy.Band {
	return []policy.Band{
		{Lo: math.MinInt32, Hi: 3, Outcome: policy.Allow, Line: line(58)},
		{Lo: 4, Hi: 6, Outcome: policy.Notify, Line: line(59)},
		{Lo: 7, Hi: math.MaxInt32, Outcome: policy.Hold, Line: line(60)},
	}
}

// cell is the cell of a score under Bands.
func cell(score int32) policy.Cell {
	for _, b := range Bands() {
		if score <= b.Hi {
			return policy.Cell{Score: score, Outcome: b.Outcome, Line: b.Line}
		}
	}
	panic("unreachable")
}

// Incident is the policy first_response of the incident example.
func Incident() *policy.Spec {
	tiers := func() []string { return []string{"tier1", "tier2", "tier3"} }
	version := func(name string, at uint32) policy.Field {
		return policy.Field{Name: name, Kind: policy.KindString, Lo: 1, Hi: 32, Pattern: Version(), Entity: -1, Line: line(at)}
	}
	rate := func(at uint32) policy.Field {
		return policy.Field{Name: "error_rate", Kind: policy.KindDecimal, Scale: 4, Entity: -1, Line: line(at)}
	}
	trusted := func(f policy.Field) policy.Field {
		f.Trusted, f.Class = true, "verified_system_observation"
		return f
	}
	pkg := &policy.Package{
		Name:   "incident",
		Digest: digest,
		Files:  []string{"incident.prov"},
		Entities: []policy.Entity{
			{Name: "service", Attrs: []policy.Field{
				{Name: "tier", Kind: policy.KindEnum, Members: tiers(), Entity: -1, Line: line(10)},
				version("deployed", 11), version("last_good", 12), rate(13),
			}},
			{Name: "supplier", Attrs: []policy.Field{
				{Name: "tier", Kind: policy.KindEnum, Members: tiers(), Entity: -1, Line: line(16)},
				{Name: "certified", Kind: policy.KindBool, Entity: -1, Line: line(17)},
			}},
		},
		Tools: []policy.Tool{
			DisableComplianceChecks: {
				Name: "disable_compliance_checks", Entity: Supplier, Line: line(35),
				Traits: []policy.TraitValue{{Trait: "blast_radius", Member: "org_wide"}, {Trait: "effects", Member: "irreversible"}},
			},
			ReadService: {
				Name: "read_service", Entity: Service, Read: true, Line: line(40),
				Result: []policy.Field{trusted(version("deployed", 43)), trusted(rate(44))},
			},
			RollbackConfig: {
				Name: "rollback_config", Entity: Service, Idempotent: true, Line: line(24),
				Traits: []policy.TraitValue{{Trait: "blast_radius", Member: "single"}, {Trait: "effects", Member: "reversible"}},
				Verify: &policy.Verify{
					By: ReadService,
					Confirmed: func(result, target *policy.Record) bool {
						return result.Text(0) == target.Text(2) && result.Int(1) <= 200
					},
					Refuted: func(result, target *policy.Record) bool {
						return result.Text(0) != target.Text(2) || result.Int(1) > 200
					},
					Line: line(28),
				},
			},
		},
	}
	trait := func(name string, members []string, points []int32) policy.Factor {
		return policy.Factor{Name: name, Members: members, Points: points, Lines: make([]policy.Pos, len(members))}
	}
	tier := trait("target.tier", tiers(), []int32{2, 1, 0})
	tier.Registry = true
	return &policy.Spec{
		Package: pkg,
		Name:    "first_response",
		Line:    line(72),
		Agent:   "planner",
		Grants:  []policy.Grant{policy.InScope | policy.Allowlisted, policy.InScope | policy.Allowlisted, policy.InScope | policy.Allowlisted},
		Risk: &policy.Risk{
			Name: "incident_risk",
			Line: line(53),
			Rows: []policy.Row{
				DisableComplianceChecks: {Scored: true, Start: 0, Base: 4, Points: 9, Attrs: []int32{0}, Members: []int32{-1, 2, 1}, Line: line(54)},
				RollbackConfig:          {Scored: true, Start: 3, Base: 1, Points: 1, Attrs: []int32{0}, Members: []int32{-1, 0, 0}, Line: line(54)},
			},
			Factors: []policy.Factor{
				tier,
				trait("blast_radius", []string{"single", "multi_service", "org_wide"}, []int32{0, 1, 2}),
				trait("effects", []string{"reversible", "irreversible"}, []int32{0, 3}),
			},
			Cells: []policy.Cell{cell(11), cell(10), cell(9), cell(3), cell(2), cell(1)},
			Bands: Bands(),
		},
		Approval:         &policy.Approval{Name: "manager", Count: 1, Of: "store_operations_manager", Within: 4 * time.Hour},
		Inputs:           []policy.Field{{Name: "service", Kind: policy.KindRef, Entity: Service, Line: line(77)}},
		Cause:            []string{"config_regression", "capacity", "dependency_outage"},
		MaxSteps:         8,
		Deadline:         2 * time.Minute,
		MalformedRetries: 1,
		Replans:          1,
		Budget:           &policy.Budget{ModelCalls: 12, Tokens: 60000, CostMicros: 750000, Currency: "usd", Hold: true, Line: line(81)},
		Lessons: []policy.Lesson{{
			Belief: "root_cause", Entity: Service,
			Confirmed: policy.Teaching{State: "config_regression"},
			Refuted:   policy.Teaching{State: "config_regression", Not: true},
		}},
	}
}

// Open is for specs that cannot fail.
func Open(s *policy.Spec) *policy.Policy {
	p, err := policy.Open(s)
	if err != nil {
		panic(err)
	}
	return p
}
