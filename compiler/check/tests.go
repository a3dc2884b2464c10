package check

import (
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// Reasons of a decision, by outcome: what a test may expect. The runtime's list
// is longer by the reasons that end a run before a typed proposal exists.
var reasons = map[string][]string{
	"allow":  {"allowed"},
	"notify": {"allowed_with_notice"},
	"hold":   {"needs_human_approval", "outcome_unknown"},
	"refuse": {
		"max_steps_exceeded", "deadline_exceeded", "budget_exceeded", "no_progress", "malformed",
		"credential_invalid", "credential_expired", "agent_unknown", "agent_suspended",
		"unknown_tool", "tool_not_in_scope", "tool_not_allowlisted", "cross_tenant_denied", "schema_invalid",
		"reference_unknown", "state_conflict", "requirement_failed", "idempotent_replay",
	},
}

var testOutcomes = []string{"allow", "notify", "hold", "refuse"}

// scene is what is known of a test while it is checked.
type scene struct {
	decl    *ast.Test
	given   map[string]*ast.GivenStmt // by entity and id
	propose *ast.ProposeStmt
	expect  *ast.ExpectStmt
	in      *ast.InStmt
	vague   bool
}

func (c *checker) test(d *ast.Test) {
	t := &scene{decl: d, given: make(map[string]*ast.GivenStmt)}
	seen := make(map[string]ast.Node)
	once := func(key string, n ast.Node) bool {
		if old := seen[key]; old != nil {
			c.repeated(n, key, old)
			return false
		}
		seen[key] = n
		return true
	}
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.GivenStmt:
			c.given(t, st)
		case *ast.StandingStmt:
			if once("standing", st) && !slices.Contains(standings, st.Value.Name) {
				dg := c.at(st.Value.Span(), diag.UnknownStanding, "no standing is called `%s`", st.Value.Name)
				c.pkg.Suggest(dg, st.Value.Name, resolve.Among(standings...))
			}
		case *ast.AfterStmt:
			if s := c.pkg.Use(st.Tool); s != nil {
				c.call(t, c.Tools[s], st.Tool, st.On, st.Args)
			}
		case *ast.InStmt:
			if once("in", st) {
				t.in = st
			}
		case *ast.ProposeStmt:
			if once("propose", st) {
				t.propose = st
			}
		case *ast.ExpectStmt:
			if once("expect", st) {
				t.expect = st
			}
		}
	}
	if t.propose == nil || t.expect == nil {
		what := "proposes nothing"
		help := "write `propose TOOL on \"ID\"`"
		if t.propose != nil {
			what, help = "expects nothing", "write `expect allow`, `expect hold` or `expect refuse REASON`"
		}
		c.at(d.Title.Span(), diag.TestIncomplete, "the test %s", what).
			Note("a test that cannot fail tests nothing").
			Help("%s", help)
		return
	}
	c.expectation(t.expect)
	s := c.pkg.Use(t.propose.Tool)
	if s == nil {
		return
	}
	tool := c.Tools[s]
	c.call(t, tool, t.propose.Tool, t.propose.On, t.propose.Args)
	p := c.policyOf(t, s)
	if p == nil {
		return
	}
	c.TestPolicy[d] = p.Symbol
	c.causeOf(t, p)
	c.scoreOf(t, p, s)
	c.sufficient(t, p, tool)
}

var standings = []string{"good", "degraded", "suspended"}

func (c *checker) given(t *scene, st *ast.GivenStmt) {
	s := c.pkg.Use(st.Entity)
	if s == nil || st.ID == nil {
		t.vague = true
		return
	}
	key := s.Name + "\x00" + st.ID.Value
	if old := t.given[key]; old != nil {
		c.at(st.ID.Span(), diag.RepeatedEntry, "`%s %q` is given twice", s.Name, st.ID.Value).
			See(old.ID.Span(), "first here").
			Help("write all of its attributes in one place")
		return
	}
	t.given[key] = st
	e := c.Entities[s]
	c.assigns(st.Attrs, e.Attrs, c.attrs[e], func(id *ast.Ident) { c.unknownAttr(id, e) })
}

// assigns checks `name value` pairs against fields.
func (c *checker) assigns(as []*ast.Assign, fs []*ir.Field, index map[string]int, unknown func(*ast.Ident)) {
	first := make(map[string]*ast.Assign)
	for _, a := range as {
		if old := first[a.Name.Name]; old != nil {
			c.repeated(a.Name, a.Name.Name, old.Name)
			continue
		}
		first[a.Name.Name] = a
		i, ok := index[a.Name.Name]
		if !ok {
			unknown(a.Name)
			continue
		}
		if fs[i].Type != nil && a.Value != nil {
			c.value(a.Value, fs[i].Type, "`"+a.Name.Name+"`")
		}
	}
}

// call checks a proposal of a test, or what was done before it.
func (c *checker) call(t *scene, tool *Tool, id *ast.Ident, on *ast.String, args []*ast.Assign) {
	switch {
	case tool.noTarget && on != nil:
		c.at(on.Span(), diag.TestTarget, "`%s` acts on nothing", tool.Symbol.Name).
			See(tool.Symbol.Ident.Span(), "declared here").
			Help("remove `on %q`", on.Value)
	case !tool.noTarget && on == nil && tool.IR.Target != nil:
		c.at(id.Span(), diag.TestTarget, "`%s` acts on a `%s`, and the test does not say on which", tool.Symbol.Name, tool.IR.Target.Name).
			Help("write `on \"ID\"` after it, and give that `%s` its attributes", tool.IR.Target.Name)
	}
	c.assigns(args, tool.IR.Args, tool.args, func(a *ast.Ident) {
		d := c.at(a.Span(), diag.UnknownField, "`%s` has no argument `%s`", tool.Symbol.Name, a.Name).
			See(tool.Symbol.Ident.Span(), "declared here")
		c.pkg.Suggest(d, a.Name, func() []string { return fieldNames(tool.IR.Args) })
	})
	given := make(map[string]bool)
	for _, a := range args {
		given[a.Name.Name] = true
	}
	for _, f := range tool.IR.Args {
		if f.Type != nil && !f.Optional && !given[f.Name] && !mistypedArg(args, tool, f.Name) {
			c.at(id.Span(), diag.TestArgument, "`%s` needs argument `%s`, and the test gives none", tool.Symbol.Name, f.Name).
				Help("write `{ %s VALUE }` after it", f.Name)
		}
	}
}

// mistypedArg says whether some argument of a test is unknown and near to want.
func mistypedArg(args []*ast.Assign, tool *Tool, want string) bool {
	for _, a := range args {
		if _, ok := tool.args[a.Name.Name]; ok {
			continue
		}
		if near, ok := diag.Nearest(a.Name.Name, fieldNames(tool.IR.Args)); ok && near == want {
			return true
		}
	}
	return false
}

func (c *checker) expectation(e *ast.ExpectStmt) {
	if !slices.Contains(testOutcomes, e.Outcome.Name) {
		c.unknownOutcome(e.Outcome, testOutcomes)
		return
	}
	if e.Reason != nil && !slices.Contains(reasons[e.Outcome.Name], e.Reason.Name) {
		d := c.at(e.Reason.Span(), diag.UnknownReason, "no decision to %s has the reason `%s`", e.Outcome.Name, e.Reason.Name)
		for _, o := range testOutcomes {
			if slices.Contains(reasons[o], e.Reason.Name) {
				d.Help("`%s` is a reason to %s", e.Reason.Name, o)
				return
			}
		}
		c.pkg.Suggest(d, e.Reason.Name, resolve.Among(reasons[e.Outcome.Name]...))
	}
	if e.Score != nil {
		if _, ok := parseInt(e.Score.Text); !ok {
			c.at(e.Score.Span(), diag.BadPoints, "a score is a whole number, not %s", e.Score.Text)
		}
	}
	c.noRepeats(e.Flags, "flags")
}

func (c *checker) unknownOutcome(id *ast.Ident, names []string) {
	d := c.at(id.Span(), diag.UnknownOutcome, "no outcome is called `%s`", id.Name)
	switch {
	case refusals[id.Name] && slices.Contains(names, "refuse"):
		d.Help("write `refuse`")
		d.Edit = &diag.Edit{Span: id.Span(), New: "refuse"}
	case refusals[id.Name]:
		d.Note("a risk table never refuses").Help("write `hold`")
		d.Edit = &diag.Edit{Span: id.Span(), New: "hold"}
	case permits[id.Name]:
		d.Help("write `allow`")
		d.Edit = &diag.Edit{Span: id.Span(), New: "allow"}
	default:
		c.pkg.Suggest(d, id.Name, resolve.Among(names...))
	}
}

// policyOf is the policy that a test is about: the one it names, the only one
// that has the tool, or the only one there is.
func (c *checker) policyOf(t *scene, tool *resolve.Symbol) *Policy {
	if t.in != nil {
		if s := c.pkg.Use(t.in.Policy); s != nil {
			return c.Policies[s]
		}
		return nil
	}
	if c.pkg.LostAny("policy") {
		return nil
	}
	var all, having []*Policy
	for _, s := range c.pkg.Of(resolve.Policy) {
		p := c.Policies[s]
		if p.vague {
			return nil
		}
		all = append(all, p)
		if p.tools[tool] {
			having = append(having, p)
		}
	}
	names := func(ps []*Policy) []string {
		var out []string
		for _, p := range ps {
			out = append(out, p.Symbol.Name)
		}
		return out
	}
	switch {
	case len(having) == 1:
		return having[0]
	case len(having) == 0 && len(all) == 1:
		return all[0]
	case len(all) == 0:
		c.at(t.propose.Tool.Span(), diag.TestPolicy, "the package has no policy, so nothing decides").Help("declare a `policy`")
	case len(having) == 0:
		c.at(t.propose.Tool.Span(), diag.TestPolicy, "`%s` is in the `tools` of no policy, and the package has several", tool.Name).
			Note("there is %s", quoteList(names(all), "and")).
			Help("write `in POLICY` in the test")
	default:
		c.at(t.propose.Tool.Span(), diag.TestPolicy, "several policies have `%s`: %s", tool.Name, quoteList(names(having), "and")).
			Help("write `in %s`, or another of them, in the test", having[0].Symbol.Name)
	}
	return nil
}

func (c *checker) causeOf(t *scene, p *Policy) {
	id := t.propose.Cause
	switch {
	case id == nil || p.vague:
	case p.Cause == nil:
		c.at(id.Span(), diag.TestArgument, "policy `%s` has no `cause`, so a proposal carries none", p.Symbol.Name).
			See(p.Decl.Name.Span(), "declared here").
			Help("remove `because %s`", id.Name)
	default:
		c.member(id, c.Enums[p.Cause])
	}
}

// scoreOf refuses an expected score where nothing is scored, and flags that the
// tool does not have.
func (c *checker) scoreOf(t *scene, p *Policy, tool *resolve.Symbol) {
	e := t.expect
	if e.Score != nil && !p.vague {
		switch {
		case p.Risk == nil:
			if p.ungoverned {
				break // said at the policy
			}
			c.at(e.Score.Span(), diag.TestScore, "policy `%s` has no risk table, so there is no score", p.Symbol.Name).
				Help("remove the score")
		case !c.riskFault[p.Risk] && !c.scored[p.Risk][tool] && (c.Tools[tool].IR.Read || !p.tools[tool]):
			c.at(e.Score.Span(), diag.TestScore, "`%s` is not scored: it has no row in `%s`", tool.Name, p.Risk.Name).
				Help("remove the score")
		case e.Outcome.Name == "refuse":
			c.at(e.Score.Span(), diag.TestScore, "a refusal has no score: the table is asked last").
				Help("remove the score")
		}
	}
	var names []string
	for _, f := range c.Tools[tool].Flags {
		names = append(names, f.Name.Name)
	}
	if NoFlags(e) {
		return
	}
	for _, f := range e.Flags {
		if !slices.Contains(names, f.Name) {
			d := c.at(f.Span(), diag.UnknownField, "`%s` has no flag `%s`", tool.Name, f.Name)
			c.pkg.Suggest(d, f.Name, resolve.Among(names...))
		}
	}
}

// NoFlags says whether a test expects that no flag is set: `flags none`.
func NoFlags(e *ast.ExpectStmt) bool { return len(e.Flags) == 1 && e.Flags[0].Name == "none" }

// sufficient demands of a test that what the decision reads is given: a test
// that leaves it out would pass or fail for another reason than it says.
func (c *checker) sufficient(t *scene, p *Policy, tool *Tool) {
	if t.vague || t.propose.On == nil || tool.IR.Target == nil || t.expect.Outcome.Name == "refuse" {
		return
	}
	e := tool.IR.Target
	st := t.given[e.Name+"\x00"+t.propose.On.Value]
	if st == nil {
		d := c.at(t.propose.On.Span(), diag.TestTarget, "the test gives no `%s %q`", e.Name, t.propose.On.Value)
		for _, other := range t.decl.Stmts {
			if g, ok := other.(*ast.GivenStmt); ok && g.Entity.Name == e.Name {
				d.See(g.ID.Span(), "it gives this one")
			}
		}
		d.Note("the gate would refuse it as reference_unknown").
			Help("write `given %s %q { ... }`", e.Name, t.propose.On.Value)
		return
	}
	has := make(map[string]bool)
	for _, a := range st.Attrs {
		if _, ok := c.attrs[e][a.Name.Name]; !ok {
			return // it may be the one that is missing
		}
		has[a.Name.Name] = true
	}
	for _, a := range c.readsOf(p, tool) {
		if !has[a] {
			c.at(st.ID.Span(), diag.TestAttribute, "the decision reads `target.%s`, and the test does not give it", a).
				Help("write `%s VALUE` in the braces after %q", a, st.ID.Value)
		}
	}
}

// readsOf lists the attributes of the target that a decision about the tool
// reads: factors of the table, conditions of flags and requirements, and states.
func (c *checker) readsOf(p *Policy, tool *Tool) []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if p.Risk != nil && c.scored[p.Risk][tool.Symbol] {
		for _, st := range p.Risk.Decl.(*ast.Risk).Stmts {
			if a, ok := st.(*ast.AddStmt); ok && c.Factors[a].Attr != "" {
				add(c.Factors[a].Attr)
			}
		}
	}
	condition := func(e ast.Expr) {
		eachOperand(e, func(o ast.Operand) {
			if tg, ok := c.Operands[o].(ir.Target); ok {
				add(tool.IR.Target.Attrs[tg.Attr].Name)
			}
		})
	}
	for _, f := range tool.Flags {
		condition(f.When)
	}
	for _, r := range tool.Requirements {
		condition(r.When)
	}
	for _, s := range c.pkg.Of(resolve.Lifecycle) {
		l := s.Decl.(*ast.Lifecycle)
		if !slices.ContainsFunc(l.Transitions, func(t *ast.Transition) bool { return c.pkg.Use(t.By) == tool.Symbol }) {
			continue
		}
		for _, a := range tool.IR.Target.Attrs {
			if a.Type != nil && a.Type.Enum == c.Enums[s] {
				add(a.Name)
			}
		}
	}
	return out
}

// eachOperand calls f for the operands of a condition, from left to right.
func eachOperand(e ast.Expr, f func(ast.Operand)) {
	switch e := e.(type) {
	case *ast.Logic:
		for _, x := range e.Args {
			eachOperand(x, f)
		}
	case *ast.Not:
		eachOperand(e.X, f)
	case *ast.Paren:
		eachOperand(e.X, f)
	case *ast.Compare:
		f(e.X)
		f(e.Y)
	case *ast.In:
		f(e.X)
	case *ast.Truth:
		f(e.X)
	}
}
