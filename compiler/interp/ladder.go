package interp

import (
	"slices"

	"github.com/provlang/prov/compiler/ir"
)

// Decide answers a case: one question a rung, and the first no ends it.
func (m *Machine) Decide(c Case) Decision {
	p, fault := m.read(c)
	if fault != NoFault {
		return Decision{Rung: RungShape, Reason: Malformed, Fault: fault}
	}
	if reason := standing(c.Identity); reason != "" {
		return Decision{Rung: RungIdentity, Reason: reason}
	}
	tool := p.tool
	if tool == nil {
		return Decision{Rung: RungTool, Reason: UnknownTool}
	}
	if !slices.Contains(c.Policy.Agent.Scope, tool) {
		return Decision{Rung: RungScope, Reason: ToolNotInScope, Pos: c.Policy.Pos}
	}
	if !slices.Contains(c.Policy.Tools, tool) {
		return Decision{Rung: RungScope, Reason: ToolNotAllowlisted, Pos: c.Policy.Pos}
	}
	named := c.lookUp(p)
	if p.claims || named.foreign {
		return Decision{Rung: RungTenant, Reason: CrossTenantDenied, Pos: tool.Pos}
	}
	if p.fault != NoFault {
		return Decision{Rung: RungSchema, Reason: SchemaInvalid, Fault: p.fault, Field: p.field, Pos: p.pos}
	}
	if named.unknown {
		return Decision{Rung: RungReference, Reason: ReferenceUnknown, Pos: tool.Pos}
	}
	done, begun := c.before(p)
	if d, ok := c.stateOf(p, named.target, done || begun); !ok {
		return d
	}

	// From here on a decision says which flags were set, and which clauses failed.
	subject := facts{args: p.args, attrs: named.target}
	var s said
	for _, flag := range tool.Flags {
		if holds(flag.When, subject) {
			s.flags = append(s.flags, flag.Name)
			if flag.Hold {
				s.holding = append(s.holding, flag)
			}
		}
	}
	for _, r := range tool.Requires {
		if !holds(r.When, subject) {
			s.failed = append(s.failed, r)
		}
	}
	// An action that was begun may have brought about what now fails, so the next
	// rung answers for it: it refuses or holds either way.
	again := !tool.Read && (done || begun)
	if r := s.refusing(); r != nil && !again {
		return Decision{Rung: RungRequirements, Reason: RequirementFailed, Flags: s.flags, Failed: s.failed, Pos: r.Pos}
	}
	if !tool.Read && done {
		return Decision{Rung: RungReplay, Reason: IdempotentReplay, Flags: s.flags, Failed: s.failed, Pos: tool.Pos}
	}
	if !tool.Read && begun {
		return c.approved(Decision{Outcome: ir.Hold, Rung: RungReplay, Reason: OutcomeUnknown,
			Holds: []HoldCause{HoldUnknown}, Flags: s.flags, Failed: s.failed, Pos: tool.Pos})
	}
	return c.approved(c.risk(tool, named.target, s))
}

// said is what the requirements rung found.
type said struct {
	flags   []string
	holding []*ir.Flag
	failed  []*ir.Requirement
}

// refusing is the first clause that failed and refuses, nil where there is none.
func (s said) refusing() *ir.Requirement {
	for _, r := range s.failed {
		if r.Outcome != ir.Hold {
			return r
		}
	}
	return nil
}

// approved names the groups that must approve a hold: the policy's own, but for
// what clauses hold that name one, and those.
func (c Case) approved(d Decision) Decision {
	for _, cause := range d.Holds {
		if cause != HoldRequirement {
			d.approver(c.Policy.Approval)
			continue
		}
		for _, r := range d.Failed {
			if r.Group == nil {
				d.approver(c.Policy.Approval)
			} else {
				d.approver(r.Group)
			}
		}
	}
	slices.Sort(d.Approvers)
	return d
}

// approver adds one group, once. Where there is none nobody is named, and the hold
// is marked as one that cannot be approved.
func (d *Decision) approver(g *ir.Approval) {
	switch {
	case g == nil:
		d.Nobody = true
	case !slices.Contains(d.Approvers, g.Name):
		d.Approvers = append(d.Approvers, g.Name)
	}
}

// standing gives the reason to refuse whoever is asking, "" where there is none.
func standing(id Identity) Reason {
	switch id {
	case IdentityGood, IdentityDegraded:
		return ""
	case IdentityExpired:
		return CredentialExpired
	case IdentityUnknown:
		return AgentUnknown
	case IdentitySuspended:
		return AgentSuspended
	}
	return CredentialInvalid
}

// found is what the registry says of all that a proposal names.
type found struct {
	foreign bool        // something belongs to another tenant
	unknown bool        // something is nowhere
	target  []*ir.Value // attributes; nil where the tool acts on nothing
}

func (c Case) lookUp(p *proposal) found {
	var f found
	if p.tool.Target != nil {
		target := c.entity(p.tool.Target, p.target, &f)
		if target != nil {
			f.target = target.Attrs
		}
	}
	for i, arg := range p.tool.Args {
		if arg.Type.Kind == ir.Ref && p.args[i] != nil {
			c.entity(arg.Type.Entity, p.args[i].S, &f)
		}
	}
	for _, id := range p.sources {
		own := slices.Contains(c.Sources, Source{c.Tenant, id})
		elsewhere := slices.ContainsFunc(c.Sources, func(s Source) bool { return s.ID == id })
		f.note(own, elsewhere)
	}
	return f
}

// entity finds one of a kind in the run's tenant. An id that another tenant has
// is foreign only where our own has none.
func (c Case) entity(kind *ir.Entity, id string, f *found) *Entity {
	var own *Entity
	elsewhere := false
	for i := range c.Entities {
		switch e := &c.Entities[i]; {
		case e.Kind != kind || e.ID != id:
		case e.Tenant == c.Tenant:
			own = e
		default:
			elsewhere = true
		}
	}
	f.note(own != nil, elsewhere)
	return own
}

func (f *found) note(own, elsewhere bool) {
	switch {
	case own:
	case elsewhere:
		f.foreign = true
	default:
		f.unknown = true
	}
}

// before says whether this very action was done in this run, or begun with an
// outcome that nobody knows.
func (c Case) before(p *proposal) (done, begun bool) {
	same := func(a Action) bool {
		return a.Tool == p.tool && a.Target == p.target && slices.EqualFunc(a.withDefaults(), p.args, equalValues)
	}
	return slices.ContainsFunc(c.Done, same), slices.ContainsFunc(c.Unknown, same)
}

func (a Action) withDefaults() []*ir.Value {
	args := make([]*ir.Value, len(a.Tool.Args))
	copy(args, a.Args)
	for i, arg := range a.Tool.Args {
		if args[i] == nil {
			args[i] = arg.Default
		}
	}
	return args
}

func equalValues(x, y *ir.Value) bool {
	if x == nil || y == nil {
		return x == y
	}
	return *x == *y
}

// stateOf asks whether the target has every attribute that the contract's tables
// read, and is in a state that the tool starts from. An action that was begun may
// have moved the state itself, so then the second question is not asked.
func (c Case) stateOf(p *proposal, target []*ir.Value, before bool) (Decision, bool) {
	unknown := Decision{Rung: RungReference, Reason: ReferenceUnknown, Pos: p.tool.Pos}
	for _, attr := range slices.Concat(scored(c.Policy, p.tool), conditioned(p.tool)) {
		if target[attr] == nil {
			return unknown, false
		}
	}
	for _, attr := range moved(p.tool) {
		if target[attr] == nil {
			unknown.Pos = firstMove(p.tool, attr).Pos
			return unknown, false
		}
	}
	for _, attr := range moved(p.tool) {
		from := func(m ir.Move) bool { return m.Attr == attr && int64(m.From) == target[attr].N }
		if !before && !slices.ContainsFunc(p.tool.Moves, from) {
			return Decision{Rung: RungReference, Reason: StateConflict, Pos: firstMove(p.tool, attr).Pos}, false
		}
	}
	return Decision{}, true
}

// scored lists the attributes of a tool's target that the risk table adds up.
func scored(p *ir.Policy, t *ir.Tool) []int {
	if p.Risk == nil || p.Risk.BaseOf(t) == nil {
		return nil
	}
	var attrs []int
	for _, f := range p.Risk.Factors {
		if f.Attr != "" {
			attrs = append(attrs, t.Target.Attr(f.Attr))
		}
	}
	return attrs
}

// conditioned lists the attributes that the tool's flags and requirements read.
func conditioned(t *ir.Tool) []int {
	var attrs []int
	read := func(o ir.Operand) {
		if o, ok := o.(ir.Target); ok {
			attrs = append(attrs, o.Attr)
		}
	}
	for _, flag := range t.Flags {
		operands(flag.When, read)
	}
	for _, r := range t.Requires {
		operands(r.When, read)
	}
	return attrs
}

// moved lists the attributes that lifecycles move when the tool runs.
func moved(t *ir.Tool) []int {
	var attrs []int
	for _, m := range t.Moves {
		if !slices.Contains(attrs, m.Attr) {
			attrs = append(attrs, m.Attr)
		}
	}
	return attrs
}

func firstMove(t *ir.Tool, attr int) ir.Move {
	return t.Moves[slices.IndexFunc(t.Moves, func(m ir.Move) bool { return m.Attr == attr })]
}

// risk is the last rung: the table's band, met by everything that holds.
func (c Case) risk(tool *ir.Tool, target []*ir.Value, s said) Decision {
	d := Decision{Outcome: ir.Allow, Rung: RungRisk, Flags: s.flags, Failed: s.failed, Pos: tool.Pos}
	if c.Policy.Risk != nil && c.Policy.Risk.BaseOf(tool) != nil {
		sum := add(c.Policy.Risk, tool, func(f *ir.Factor) int {
			if f.Trait != nil {
				return tool.TraitOf(f.Trait)
			}
			return int(target[tool.Target.Attr(f.Attr)].N)
		})
		d.Scored, d.Score, d.Parts = true, sum.Total, sum.Parts
		d.Outcome, d.Pos = sum.Band.Outcome, sum.Band.Pos
	}

	causes := map[HoldCause]bool{
		HoldScore:       d.Outcome == ir.Hold,
		HoldContract:    tool.Approval,
		HoldDangerous:   tool.Dangerous,
		HoldFlag:        len(s.holding) > 0,
		HoldStanding:    c.Identity == IdentityDegraded,
		HoldRequirement: len(s.failed) > 0,
	}
	for _, cause := range HoldCauses() {
		if causes[cause] {
			d.Holds = append(d.Holds, cause)
		}
	}

	// The line is that of the strictest speaker; of several, the table before the
	// contract, the contract before its requirements, those before its flags, and
	// those before the policy.
	if len(d.Holds) > 0 && d.Outcome != ir.Hold {
		d.Outcome = ir.Hold
		switch {
		case tool.Approval || tool.Dangerous:
			d.Pos = tool.Pos
		case len(s.failed) > 0:
			d.Pos = s.failed[0].Pos
		case len(s.holding) > 0:
			d.Pos = s.holding[0].Pos
		default:
			d.Pos = c.Policy.Pos
		}
	}
	d.Reason = map[ir.Outcome]Reason{
		ir.Allow: Allowed, ir.Notify: AllowedWithNotice, ir.Hold: NeedsHumanApproval,
	}[d.Outcome]
	return d
}

// facts is what the condition of a flag or a requirement may read.
type facts struct{ args, attrs []*ir.Value }

func (f facts) value(o ir.Operand) ir.Value {
	switch o := o.(type) {
	case ir.Arg:
		return *f.args[o.Index]
	case ir.Target:
		return *f.attrs[o.Attr]
	}
	panic("interp: a flag or a requirement reads what it cannot")
}

func (f facts) present(arg int) bool { return f.args[arg] != nil }
