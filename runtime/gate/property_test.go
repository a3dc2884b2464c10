package gate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/provlang/prov/runtime/gate"
	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

// drawSpec draws a policy: a few entities and tools with random fields, grants,
// lifecycles, flags and a risk table. Whatever it draws opens.
func drawSpec(t *rapid.T) *policy.Spec {
	vocabulary := func(label string) []string {
		return []string{"a", "b", "c", "d"}[:rapid.IntRange(1, 4).Draw(t, label)]
	}
	state, tier := vocabulary("states"), vocabulary("tiers")
	s := policytest.Desk()
	s.Package.Workflows, s.Budget = nil, nil
	s.Package.Entities = nil
	for i := range rapid.IntRange(1, 2).Draw(t, "entities") {
		s.Package.Entities = append(s.Package.Entities, policy.Entity{Name: fmt.Sprintf("e%d", i), Attrs: []policy.Field{
			{Name: "state", Kind: policy.KindEnum, Members: state, Entity: -1},
			{Name: "tier", Kind: policy.KindEnum, Members: tier, Entity: -1},
			{Name: "size", Kind: policy.KindInt, Lo: 0, Hi: 9, Entity: -1},
		}})
	}
	points := func(n int) []int32 {
		return rapid.SliceOfN(rapid.Int32Range(-9, 9), n, n).Draw(t, "points")
	}
	traits := []string{"x", "y"}
	s.Risk = &policy.Risk{Name: "r", Bands: drawBands(t), Factors: []policy.Factor{
		{Name: "trait", Members: traits, Points: points(2), Lines: make([]policy.Pos, 2)},
		{Name: "target.tier", Registry: true, Members: tier, Points: points(len(tier)), Lines: make([]policy.Pos, len(tier))},
		{Name: "target.state", Registry: true, Members: state, Points: points(len(state)), Lines: make([]policy.Pos, len(state))},
	}[:rapid.IntRange(0, 3).Draw(t, "factors")]}
	const both = policy.InScope | policy.Allowlisted
	s.Package.Tools, s.Grants = nil, nil
	for i := range rapid.IntRange(1, 4).Draw(t, "tools") {
		s.Package.Tools = append(s.Package.Tools, drawTool(t, s, i))
		s.Grants = append(s.Grants, rapid.SampledFrom([]policy.Grant{both, both, both, both, policy.InScope, policy.Allowlisted, 0}).Draw(t, "grant"))
		s.Risk.Rows = append(s.Risk.Rows, drawRow(t, s, &s.Package.Tools[i]))
	}
	switch rapid.IntRange(0, 3).Draw(t, "risk") {
	case 0:
		s.Risk = nil
	case 1:
		layOut(s.Risk)
	}
	return s
}

func drawBands(t *rapid.T) []policy.Band {
	var bands []policy.Band
	lo := int32(math.MinInt32)
	for _, o := range []policy.Outcome{policy.Allow, policy.Notify, policy.Hold} {
		if o == policy.Hold || rapid.Bool().Draw(t, "band") {
			hi := int32(math.MaxInt32)
			if o != policy.Hold {
				hi = max(lo, -20) + rapid.Int32Range(0, 20).Draw(t, "hi")
			}
			bands = append(bands, policy.Band{Lo: lo, Hi: hi, Outcome: o, Line: at(uint32(o))})
			lo = hi + 1
		}
	}
	return bands
}

func drawTool(t *rapid.T, s *policy.Spec, i int) policy.Tool {
	yes := func(label string) bool { return rapid.IntRange(0, 3).Draw(t, label) == 2 }
	tool := policy.Tool{Name: fmt.Sprintf("t%d", i), Line: at(uint32(100 + i)), Read: yes("read"), Dangerous: yes("dangerous"), Approval: yes("approval")}
	tool.Entity = rapid.Int32Range(0, int32(len(s.Package.Entities)-1)).Draw(t, "entity")
	tool.Traits = []policy.TraitValue{{Trait: "trait", Member: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "trait")}}
	if yes("acts on nothing") {
		tool.Read, tool.Entity = true, -1
	}
	tool.Args = []policy.Field{
		{Name: "n", Kind: policy.KindInt, Lo: 0, Hi: 3, Entity: -1, Optional: yes("optional")},
		{Name: "who", Kind: policy.KindRef, Entity: 0, Optional: true},
	}[:rapid.IntRange(0, 2).Draw(t, "args")]
	attrs := []policy.Field(nil)
	if tool.Entity >= 0 {
		attrs = s.Package.Entities[tool.Entity].Attrs
	}
	if attrs != nil && !tool.Read && yes("moves") {
		last := int64(len(attrs[0].Members) - 1)
		tool.Moves = []policy.Move{{Attr: 0, From: rapid.Int64Range(0, last).Draw(t, "from"), To: last}}
	}
	if yes("flags") {
		tool.Flags = []policy.Flag{{Name: "f", Hold: yes("holds"), Line: at(7)}, {Name: "g", Hold: yes("holds"), Line: at(8)}}
		tool.Check = func(args, target *policy.Record, set *policy.FlagSet) {
			if args.Has(0) && args.Int(0) > 1 {
				set.Add(0)
			}
			if target.Int(2) > 4 {
				set.Add(1)
			}
		}
		if attrs != nil {
			tool.Needs = []int32{2}
		}
	}
	return tool
}

func drawRow(t *rapid.T, s *policy.Spec, tool *policy.Tool) policy.Row {
	if tool.Read {
		return policy.Row{}
	}
	row := policy.Row{Scored: true, Base: rapid.Int32Range(-9, 9).Draw(t, "base")}
	row.Points = row.Base
	for i := range s.Risk.Factors {
		f := &s.Risk.Factors[i]
		if f.Registry {
			row.Members = append(row.Members, -1)
			row.Attrs = append(row.Attrs, int32(map[string]int{"target.tier": 1, "target.state": 0}[f.Name]))
			continue
		}
		m := slices.Index(f.Members, tool.Traits[0].Member)
		row.Members = append(row.Members, int32(m))
		row.Points += f.Points[m]
	}
	return row
}

// layOut adds the cells of a table, the last factor varying fastest.
func layOut(r *policy.Risk) {
	r.Cells = []policy.Cell{{}} // the table's first cell is nobody's
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
				for _, p := range f.Points {
					next = append(next, score+p)
				}
			}
			scores = next
		}
		for _, score := range scores {
			b := r.Bands[slices.IndexFunc(r.Bands, func(b policy.Band) bool { return score <= b.Hi })]
			r.Cells = append(r.Cells, policy.Cell{Score: score, Outcome: b.Outcome, Line: b.Line})
		}
	}
}

// drawQuestion draws everything that a decision reads. Most of it is as it should
// be, so that the climb often gets far. Small numbers are drawn more often than
// others, so what is to be rare is a large one.
func drawQuestion(t *rapid.T, s *policy.Spec) question {
	rarely := func(label string) bool { return rapid.IntRange(0, 15).Draw(t, label) == 11 }
	status := func(good policy.SubjectStatus, label string) policy.SubjectStatus {
		if rarely(label) {
			return policy.SubjectStatus(rapid.IntRange(0, 6).Draw(t, label))
		}
		return good
	}
	q := question{p: policytest.Open(s), id: policy.IdentityGood, tenant: "acme", prior: policy.PriorNone}
	if rarely("identity") {
		q.id = policy.Identity(rapid.IntRange(0, 7).Draw(t, "identity"))
	}
	if rarely("prior") {
		q.prior = rapid.SampledFrom([]policy.Prior{2, 3, 0, 1, 9}).Draw(t, "prior")
	}
	tool := &s.Package.Tools[rapid.IntRange(0, len(s.Package.Tools)-1).Draw(t, "tool")]
	text := map[string]any{"tool": tool.Name}
	args := map[string]any{}
	q.s.Target, q.s.Refs, q.s.Sources = policy.SubjectNone, policy.SubjectNone, policy.SubjectNone
	if tool.Entity >= 0 {
		text["target"] = "X-1"
		q.s.Target = policy.SubjectFound
	}
	for _, f := range tool.Args {
		switch {
		case f.Optional && rapid.Bool().Draw(t, "left out"):
		case f.Kind == policy.KindInt:
			args[f.Name] = rapid.IntRange(0, 4).Draw(t, f.Name)
		default:
			args[f.Name] = "Y-1"
			q.s.Refs = policy.SubjectFound
		}
	}
	text["args"] = args
	if rapid.Bool().Draw(t, "rests on") {
		text["rests_on"] = []string{"o1"}
		q.s.Sources = policy.SubjectFound
	}
	if rarely("extra") {
		text[rapid.SampledFrom([]string{"confidence", "risk", "tenant"}).Draw(t, "extra")] = rapid.SampledFrom([]any{0.9, "acme", "other"}).Draw(t, "extra value")
	}
	if rarely("wrong tool") {
		text["tool"] = "t9"
	}
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	q.text = string(data)
	if rarely("cut") {
		q.text = q.text[:rapid.IntRange(0, len(q.text)).Draw(t, "cut")]
	}
	q.s.Target, q.s.Refs, q.s.Sources = status(q.s.Target, "target"), status(q.s.Refs, "refs"), status(q.s.Sources, "sources")
	var vs []policy.Value
	for i := range 3 {
		vs = append(vs, policy.Value{N: rapid.Int64Range(-1, []int64{4, 4, 9}[i]).Draw(t, "attribute"), Set: !rarely("attribute")})
	}
	q.s.Attrs = policy.NewRecord(vs...)
	return q
}

// rungOf is where each reason belongs.
var rungOf = map[policy.Reason]policy.Rung{
	policy.Allowed: policy.RungRisk, policy.AllowedWithNotice: policy.RungRisk, policy.NeedsHumanApproval: policy.RungRisk,
	policy.Malformed:         policy.RungShape,
	policy.CredentialInvalid: policy.RungIdentity, policy.CredentialExpired: policy.RungIdentity,
	policy.AgentUnknown: policy.RungIdentity, policy.AgentSuspended: policy.RungIdentity,
	policy.UnknownTool:    policy.RungTool,
	policy.ToolNotInScope: policy.RungScope, policy.ToolNotAllowlisted: policy.RungScope,
	policy.CrossTenantDenied: policy.RungTenant,
	policy.SchemaInvalid:     policy.RungSchema,
	policy.ReferenceUnknown:  policy.RungReference, policy.StateConflict: policy.RungReference,
	policy.RequirementFailed: policy.RungRequirements,
	policy.IdempotentReplay:  policy.RungReplay, policy.OutcomeUnknown: policy.RungReplay,
}

// Whatever it is asked, the gate answers from its lists, twice the same, and the
// two layouts of a table give one answer.
func TestDecisionsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		q := drawQuestion(t, s)
		d := q.decide()
		if rung, ok := rungOf[d.Reason]; !ok || rung != d.Rung {
			t.Fatalf("reason %s at rung %s", d.Reason, d.Rung)
		}
		if (d.Outcome == policy.Hold) != (d.Holds != 0) {
			t.Fatalf("outcome %s with holds %q", d.Outcome, d.Holds)
		}
		if (d.Reason == policy.Allowed) != (d.Outcome == policy.Allow) || (d.Reason == policy.AllowedWithNotice) != (d.Outcome == policy.Notify) {
			t.Fatalf("outcome %s with reason %s", d.Outcome, d.Reason)
		}
		if diff := cmp.Diff(d, q.decide()); diff != "" {
			t.Fatalf("asked twice (-first +second):\n%s", diff)
		}
		if s.Risk != nil {
			if s.Risk.Cells == nil {
				layOut(s.Risk)
			} else {
				s.Risk.Cells = nil
			}
			q.p = policytest.Open(s)
			if diff := cmp.Diff(d, q.decide()); diff != "" {
				t.Fatalf("by the other layout (-first +second):\n%s", diff)
			}
		}
	})
}

// What goes through, went through every rung: each condition is asked once more,
// of the spec and the question themselves.
func TestAllowedMeansEverythingHeld(t *testing.T) {
	allowed := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		q := drawQuestion(t, s)
		d := q.decide()
		if d.Outcome != policy.Allow && d.Outcome != policy.Notify {
			return
		}
		allowed++
		var text struct {
			Tool    string         `json:"tool"`
			Target  *string        `json:"target"`
			Args    map[string]any `json:"args"`
			RestsOn []string       `json:"rests_on"`
		}
		var members map[string]any
		if json.Unmarshal([]byte(q.text), &text) != nil || json.Unmarshal([]byte(q.text), &members) != nil {
			t.Fatal("not JSON")
		}
		i := sort.Search(len(s.Package.Tools), func(i int) bool { return s.Package.Tools[i].Name >= text.Tool })
		if i == len(s.Package.Tools) || s.Package.Tools[i].Name != text.Tool || int32(i) != d.Tool {
			t.Fatalf("tool %q", text.Tool)
		}
		tool := &s.Package.Tools[i]
		for name, v := range members {
			if !slices.Contains([]string{"tool", "target", "args", "rests_on"}, name) {
				t.Fatalf("member %s: %v", name, v)
			}
		}
		check := func(what string, ok bool) {
			if !ok {
				t.Fatalf("allowed, and not %s", what)
			}
		}
		found := func(named bool, st policy.SubjectStatus) bool {
			return named && st == policy.SubjectFound || !named && (st == policy.SubjectNone || st == policy.SubjectUnread)
		}
		_, who := text.Args["who"]
		n, hasN := text.Args["n"].(float64)
		check("a good identity", q.id == policy.IdentityGood)
		check("granted", s.Grants[i] == policy.InScope|policy.Allowlisted)
		check("a contract that lets it", !tool.Approval && !tool.Dangerous)
		check("its target", found(tool.Entity >= 0, q.s.Target) && (tool.Entity >= 0) == (text.Target != nil))
		check("its references", found(who, q.s.Refs))
		check("its sources", found(len(text.RestsOn) > 0, q.s.Sources))
		check("its argument in range", !hasN || n <= 3)
		check("its required argument", hasN || len(tool.Args) == 0 || tool.Args[0].Optional)
		check("new", tool.Read || q.prior == policy.PriorNone)
		for _, m := range tool.Moves {
			check("in its state", q.s.Attrs.Has(0) && (q.s.Attrs.Int(0) == m.From || q.prior != policy.PriorNone))
		}
		if tool.Check != nil {
			check("without a flag that holds", !(tool.Flags[0].Hold && n > 1) && !(tool.Flags[1].Hold && q.s.Attrs.Int(2) > 4))
		}
		if s.Risk != nil && s.Risk.Rows[i].Scored {
			score := s.Risk.Rows[i].Points
			for _, f := range s.Risk.Factors {
				if a := map[string]int{"target.tier": 1, "target.state": 0}[f.Name]; f.Registry {
					check("with its attributes", q.s.Attrs.Has(a))
					score += f.Points[q.s.Attrs.Int(a)]
				}
			}
			check("its score", d.Scored && d.Score == score)
			for _, b := range s.Risk.Bands {
				check("its band", (score >= b.Lo && score <= b.Hi) == (b.Outcome == d.Outcome))
			}
		}
	})
	if allowed == 0 {
		t.Error("nothing that was drawn was allowed")
	}
}

// Whatever can be added to hold an action never lets it through more easily.
func TestAddingAHoldNeverLoosens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		q := drawQuestion(t, s)
		before := q.decide()
		i := rapid.IntRange(0, len(s.Package.Tools)-1).Draw(t, "which tool")
		tool := &s.Package.Tools[i]
		what := rapid.SampledFrom([]string{"approval", "dangerous", "flag", "standing", "scope", "list", "band", "prior"}).Draw(t, "what")
		switch what {
		case "approval":
			tool.Approval = true
		case "dangerous":
			tool.Dangerous = true
		case "flag":
			for j := range tool.Flags {
				tool.Flags[j].Hold = true
			}
		case "standing":
			if q.id == policy.IdentityGood {
				q.id = policy.IdentityDegraded
			}
		case "scope":
			s.Grants[i] &^= policy.InScope
		case "list":
			s.Grants[i] &^= policy.Allowlisted
		case "band":
			if s.Risk == nil {
				return
			}
			s.Risk.Cells, s.Risk.Bands = nil, []policy.Band{{Lo: math.MinInt32, Hi: math.MaxInt32, Outcome: policy.Hold}}
		case "prior":
			if q.prior != policy.PriorNone || before.Reason == policy.StateConflict {
				return // an action that was begun may have moved its target itself
			}
			q.prior = policy.PriorUnknown
		}
		q.p = policytest.Open(s)
		if after := q.decide(); after.Outcome > before.Outcome {
			t.Fatalf("with %s, %s became %s", what, before.Outcome, after.Outcome)
		}
	})
}

// Bounds only ever say no for more usage, never yes.
func TestMoreUsageNeverHelps(t *testing.T) {
	p := policytest.Open(policytest.Incident())
	rapid.Check(t, func(t *rapid.T) {
		n := func(label string) int64 { return rapid.Int64Range(0, 70000).Draw(t, label) }
		u := gate.Usage{Steps: n("steps") % 12, ModelCalls: n("calls") % 15, Tokens: n("tokens"), CostMicros: n("cost"), Idle: n("idle")}
		more := u
		more.Steps += n("steps") % 5
		more.ModelCalls += n("calls") % 5
		more.Tokens += n("tokens")
		more.Idle += n("idle")
		var d policy.Decision
		if gate.Bounds(p, more, 0, &d) && !gate.Bounds(p, u, 0, &d) {
			t.Fatalf("%+v may not go on, and %+v may", u, more)
		}
	})
}
