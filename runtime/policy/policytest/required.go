package policytest

import (
	"time"

	"github.com/provlang/prov/runtime/policy"
)

// Indexes of the requirements that Required gives to FreezeAccount.
const (
	RequiredDays   = iota // refuses
	RequiredRich          // holds for the board; reads the target's balance
	RequiredAbroad        // holds; for the policy's own group
	RequiredTier          // refuses; reads the target's tier
)

// Board is the group that one of them holds for, Tellers the policy's own.
var (
	Board   = policy.Approval{Name: "board", Count: 2, Of: "director", Within: 24 * time.Hour}
	Tellers = policy.Approval{Name: "tellers", Count: 1, Of: "teller", Within: time.Hour}
)

// Required is Desk with four requirements on FreezeAccount in place of its flags:
//
//	require days <= 90                                 else refuse
//	require target.balance < 50000.00                  else hold for board
//	require days < 30 or target.region == home         else hold
//	require target.tier != high                        else refuse
func Required() *policy.Spec {
	s := Desk()
	s.Package.Approvals = []policy.Approval{Board}
	own := Tellers
	s.Approval = &own
	t := &s.Package.Tools[FreezeAccount]
	t.Flags, t.Check = nil, nil
	t.Requirements = []policy.Requirement{
		RequiredDays:   {Text: "require days <= 90 else refuse", Doc: "A longer one is a closure.", Outcome: policy.Refuse, Line: line(34)},
		RequiredRich:   {Text: "require target.balance < 50000.00 else hold for board", Outcome: policy.Hold, Group: Board.Name, Line: line(35)},
		RequiredAbroad: {Text: "require days < 30 or target.region == home else hold", Outcome: policy.Hold, Line: line(36)},
		RequiredTier:   {Text: "require target.tier != high else refuse", Outcome: policy.Refuse, Line: line(37)},
	}
	t.Require = func(args, target *policy.Record, failed *policy.ClauseSet) {
		if args.Int(0) > 90 {
			failed.Add(RequiredDays)
		}
		if target.Int(AccountBalance) >= 5000000 {
			failed.Add(RequiredRich)
		}
		if args.Int(0) >= 30 && target.Int(AccountRegion) != 0 {
			failed.Add(RequiredAbroad)
		}
		if target.Int(AccountTier) == 2 {
			failed.Add(RequiredTier)
		}
	}
	t.Needs = []int32{AccountTier, AccountRegion, AccountBalance}
	return s
}
