package policytest

import (
	"fmt"
	"time"

	"github.com/provlang/prov/runtime/policy"
)

// Indexes of the desk package's tools.
const (
	CloseAccount  = iota // on account, approval required, moves the lifecycle
	FreezeAccount        // on account, moves the lifecycle, has flags
	Ping                 // only reads, acts on nothing, takes nothing
	ReadAccount          // only reads
	RunQuery             // only reads, dangerous
	Spare                // in scope, not on the list
	Transfer             // every kind of argument; scored
	Wipe                 // on the list, not in scope
)

// Indexes of the desk package's entities, and of account's attributes.
const (
	Account = iota
	Person

	AccountState   = 0
	AccountTier    = 1
	AccountRegion  = 2
	AccountBalance = 3
)

// Indexes of Transfer's arguments and FreezeAccount's flags.
const (
	TransferAmount = iota
	TransferCount
	TransferNote
	TransferCode
	TransferUrgency
	TransferExpress
	TransferPayee

	FreezeLarge = 0 // recorded
	FreezeRich  = 1 // holds, and reads the target's balance
)

// Code is /[A-Z]{3}|é+/: a table with a class above ASCII.
func Code() *policy.Pattern {
	const dead = policy.Dead
	return &policy.Pattern{
		Source:  "[A-Z]{3}|é+",
		ASCII:   classes(nil, 'A', 'Z', 1),
		Ranges:  []policy.RuneRange{{Lo: 'é', Hi: 'é', Class: 2}},
		Classes: 3,
		Next: []uint16{
			dead, 1, 4,
			dead, 2, dead,
			dead, 3, dead,
			dead, dead, dead,
			dead, dead, 4,
		},
		Accept: "00011",
	}
}

// Desk has a tool for every rung and a field of every kind. Its risk table is
// additive; see WithCells.
func Desk() *policy.Spec {
	enum := func(name string, at uint32, members ...string) policy.Field {
		return policy.Field{Name: name, Kind: policy.KindEnum, Members: members, Entity: -1, Line: line(at)}
	}
	pkg := &policy.Package{
		Name:   "desk",
		Digest: digest,
		Files:  []string{"desk.prov"},
		Entities: []policy.Entity{
			{Name: "account", Attrs: []policy.Field{
				AccountState:   enum("state", 3, "open", "frozen", "closed"),
				AccountTier:    enum("tier", 4, "low", "middle", "high"),
				AccountRegion:  enum("region", 5, "home", "abroad"),
				AccountBalance: {Name: "balance", Kind: policy.KindDecimal, Scale: 2, Entity: -1, Line: line(6)},
			}},
			{Name: "person", Attrs: []policy.Field{{Name: "known", Kind: policy.KindBool, Entity: -1, Line: line(9)}}},
		},
		Tools: []policy.Tool{
			CloseAccount: {
				Name: "close_account", Entity: Account, Approval: true, Line: line(20),
				Moves: []policy.Move{
					{Attr: AccountState, From: 0, To: 2, Line: line(12)},
					{Attr: AccountState, From: 1, To: 2, Line: line(13)},
				},
			},
			FreezeAccount: {
				Name: "freeze_account", Entity: Account, Line: line(30),
				Args:  []policy.Field{{Name: "days", Kind: policy.KindInt, Lo: 1, Hi: 365, Entity: -1, Line: line(31)}},
				Moves: []policy.Move{{Attr: AccountState, From: 0, To: 1, Line: line(14)}},
				Flags: []policy.Flag{
					FreezeLarge: {Name: "long_freeze", Line: line(32)},
					FreezeRich:  {Name: "rich_account", Hold: true, Line: line(33)},
				},
				Check: func(args, target *policy.Record, set *policy.FlagSet) {
					if args.Int(0) > 100 {
						set.Add(FreezeLarge)
					}
					if target.Int(AccountBalance) > 1000000 {
						set.Add(FreezeRich)
					}
				},
				Needs: []int32{AccountBalance},
			},
			Ping:        {Name: "ping", Entity: -1, Read: true, Line: line(40)},
			ReadAccount: {Name: "read_account", Entity: Account, Read: true, Line: line(41), Result: []policy.Field{enum("state", 42, "open", "frozen", "closed")}},
			RunQuery:    {Name: "run_query", Entity: -1, Read: true, Dangerous: true, Line: line(43), Args: []policy.Field{{Name: "text", Kind: policy.KindString, Lo: 1, Hi: 100, Entity: -1, Line: line(44)}}},
			Spare:       {Name: "spare", Entity: -1, Line: line(45)},
			Transfer: {
				Name: "transfer", Entity: Account, Line: line(50),
				Args: []policy.Field{
					TransferAmount:  {Name: "amount", Kind: policy.KindDecimal, Scale: 2, Entity: -1, Line: line(51)},
					TransferCount:   {Name: "count", Kind: policy.KindInt, Lo: -5, Hi: 100, Entity: -1, Optional: true, Line: line(52)},
					TransferNote:    {Name: "note", Kind: policy.KindString, Lo: 2, Hi: 8, Entity: -1, Optional: true, Line: line(53)},
					TransferCode:    {Name: "code", Kind: policy.KindString, Lo: 1, Hi: 3, Pattern: Code(), Entity: -1, Optional: true, Line: line(54)},
					TransferUrgency: {Name: "urgency", Kind: policy.KindEnum, Members: []string{"calm", "soon", "now"}, Entity: -1, Optional: true, Default: &policy.Value{N: 1, Set: true}, Line: line(55)},
					TransferExpress: {Name: "express", Kind: policy.KindBool, Entity: -1, Optional: true, Line: line(56)},
					TransferPayee:   {Name: "payee", Kind: policy.KindRef, Entity: Person, Optional: true, Line: line(57)},
				},
			},
			Wipe: {Name: "wipe", Entity: Account, Line: line(70)},
		},
		Workflows: []policy.Workflow{{Name: "fixed", Steps: []int32{ReadAccount, FreezeAccount}}},
	}
	factor := func(name string, registry bool, members []string, points ...int32) policy.Factor {
		return policy.Factor{Name: name, Registry: registry, Members: members, Points: points, Lines: make([]policy.Pos, len(members))}
	}
	both := policy.InScope | policy.Allowlisted
	rows := make([]policy.Row, len(pkg.Tools))
	row := func(tool int, base, traits int32, member int32) {
		pkg.Tools[tool].Traits = []policy.TraitValue{{Trait: "effects", Member: []string{"reversible", "irreversible"}[member]}}
		rows[tool] = policy.Row{Scored: true, Base: base, Points: base + traits, Attrs: []int32{AccountTier, AccountRegion}, Members: []int32{-1, member, -1}, Line: line(60)}
	}
	row(CloseAccount, 1, 3, 1)
	row(FreezeAccount, 0, 0, 0)
	row(Transfer, 0, 3, 1)
	row(Wipe, 4, 3, 1)
	return &policy.Spec{
		Package: pkg,
		Name:    "counter",
		Line:    line(80),
		Agent:   "clerk",
		Grants: []policy.Grant{
			CloseAccount: both, FreezeAccount: both, ReadAccount: both, RunQuery: both, Transfer: both, Ping: both,
			Spare: policy.InScope, Wipe: policy.Allowlisted,
		},
		Risk: &policy.Risk{
			Name: "desk_risk", Line: line(59), Rows: rows,
			Factors: []policy.Factor{
				factor("target.tier", true, []string{"low", "middle", "high"}, 0, 1, 3),
				factor("effects", false, []string{"reversible", "irreversible"}, 0, 3),
				factor("target.region", true, []string{"home", "abroad"}, 0, 2),
			},
			Bands: Bands(),
		},
		MaxSteps:         4,
		Deadline:         30 * time.Second,
		MalformedRetries: 2,
		NoProgress:       3,
		Budget:           &policy.Budget{ModelCalls: 10, Tokens: -1, CostMicros: -1, Line: line(85)},
	}
}

// WithCells lays the risk table of a spec out as cells, as a generator does below
// its cap.
func WithCells(s *policy.Spec) *policy.Spec {
	r := s.Risk
	r.Cells = []policy.Cell{}
	for i := range r.Rows {
		if !r.Rows[i].Scored {
			continue
		}
		r.Rows[i].Start = int32(len(r.Cells))
		scores := []int32{r.Rows[i].Points}
		for _, f := range r.Factors {
			if !f.Registry {
				continue
			}
			var next []int32
			for _, score := range scores {
				for _, points := range f.Points {
					next = append(next, score+points)
				}
			}
			scores = next
		}
		for _, score := range scores {
			r.Cells = append(r.Cells, cell(score))
		}
	}
	return s
}

// Many has n tools on nothing, each with one argument, under one policy.
func Many(n int) *policy.Spec {
	s := Desk()
	s.Risk, s.Package.Workflows = nil, nil
	s.Package.Tools = make([]policy.Tool, n)
	s.Grants = make([]policy.Grant, n)
	for i := range s.Package.Tools {
		s.Package.Tools[i] = policy.Tool{
			Name: fmt.Sprintf("tool_%05d", i), Entity: -1, Line: line(uint32(i + 1)),
			Args: []policy.Field{{Name: "count", Kind: policy.KindInt, Lo: 0, Hi: 9, Entity: -1}},
		}
		s.Grants[i] = policy.InScope | policy.Allowlisted
	}
	return s
}
