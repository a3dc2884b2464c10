package check

import (
	"math"
	"slices"
	"time"

	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// Bounds of a loop.
const (
	maxSteps   = 10_000
	maxRetries = 1_000
	maxTime    = 3650 * 24 * time.Hour
)

// Policy is a policy's settings, each at most once.
type Policy struct {
	Symbol    *resolve.Symbol
	Decl      *ast.Policy
	Agent     *resolve.Symbol
	Tools     []*resolve.Symbol
	ToolIdent []*ast.Ident
	Risk      *resolve.Symbol
	Approval  *resolve.Symbol
	Cause     *resolve.Symbol
	Inputs    *ast.FieldsStmt
	Counts    map[string]int
	Deadline  time.Duration
	Budget    *ast.BudgetStmt

	tools map[*resolve.Symbol]bool
	vague bool
	// ungoverned was said: what needs a table has none, and nothing more is said of it.
	ungoverned bool
}

// policyWords is every setting of a policy.
var policyWords = []string{"agent", "tools", "risk", "approval", "inputs", "cause", "max_steps", "deadline", "budget",
	"malformed_retries", "replans", "no_progress"}

func (c *checker) policy(s *resolve.Symbol, d *ast.Policy) {
	p := &Policy{Symbol: s, Decl: d, Counts: make(map[string]int), tools: make(map[*resolve.Symbol]bool)}
	c.Policies[s] = p
	seen := make(map[string]ast.Node)
	once := func(id *ast.Ident) bool {
		if old := seen[id.Name]; old != nil {
			c.repeated(id, id.Name, old)
			return false
		}
		seen[id.Name] = id
		return true
	}
	for _, st := range d.Stmts {
		switch st := st.(type) {
		case *ast.NamesStmt:
			known(st.Key, policyWords)
			if once(st.Key) {
				c.policyNames(p, st)
			}
		case *ast.CountStmt:
			known(st.Key, policyWords)
			if once(st.Key) {
				c.policyCount(p, st)
			}
		case *ast.DurationStmt:
			known(st.Key, policyWords)
			if once(st.Key) {
				p.Deadline, _ = c.duration(st.D, "the deadline")
			}
		case *ast.BudgetStmt:
			if old := seen["budget"]; old != nil {
				c.repeated(st, "budget", old)
				continue
			}
			seen["budget"] = st
			p.Budget = st
			c.budget(st)
		case *ast.FieldsStmt:
			if once(st.Key) {
				p.Inputs = st
				c.fields(st.Fields, inInputs)
			}
		}
	}
	c.policyParts(p, seen)
	c.scopeOf(p)
	c.unscored(p)
	if seen["risk"] == nil {
		c.ungoverned(p)
	}
}

// known holds the parser to its promise: a statement starts with one of the words
// of its block. One that nobody reads would be a rule that silently does not apply.
func known(key *ast.Ident, words []string) {
	if !slices.Contains(words, key.Name) {
		panic("check: a statement `" + key.Name + "` that nobody reads")
	}
}

func (c *checker) policyNames(p *Policy, st *ast.NamesStmt) {
	if st.Key.Name == "tools" {
		for _, id := range c.noRepeats(st.Names, "tools") {
			s := c.pkg.Use(id)
			if s == nil {
				p.vague = true
				continue
			}
			p.Tools = append(p.Tools, s)
			p.ToolIdent = append(p.ToolIdent, id)
			p.tools[s] = true
		}
		return
	}
	if len(st.Names) > 1 {
		c.at(st.Names[1].Span(), diag.RepeatedSetting, "a policy has one `%s`", st.Key.Name).
			Help("name one, or write a policy for each")
	}
	if len(st.Names) == 0 {
		return
	}
	s := c.pkg.Use(st.Names[0])
	if s == nil {
		p.vague = true
		return
	}
	switch st.Key.Name {
	case "agent":
		p.Agent = s
	case "risk":
		p.Risk = s
	case "approval":
		p.Approval = s
	case "cause":
		p.Cause = s
	}
}

// noRepeats reports an entry that stands in a list twice, and drops it.
func (c *checker) noRepeats(ids []*ast.Ident, list string) []*ast.Ident {
	first := make(map[string]*ast.Ident, len(ids))
	var out []*ast.Ident
	for _, id := range ids {
		if old := first[id.Name]; old != nil {
			c.at(id.Span(), diag.RepeatedEntry, "`%s` stands in `%s` twice", id.Name, list).
				See(old.Span(), "first here").
				Help("remove one of the two")
			continue
		}
		first[id.Name] = id
		out = append(out, id)
	}
	return out
}

func (c *checker) policyCount(p *Policy, st *ast.CountStmt) {
	lo, hi := int64(0), int64(maxRetries)
	switch st.Key.Name {
	case "max_steps":
		lo, hi = 1, maxSteps
	case "no_progress":
		lo, hi = 1, maxSteps
	}
	if n, ok := c.count(st.N, "`"+st.Key.Name+"`", lo, hi); ok {
		p.Counts[st.Key.Name] = int(n)
	}
}

// count reads a whole number within lo..hi.
func (c *checker) count(n *ast.Number, what string, lo, hi int64) (int64, bool) {
	if n == nil {
		return 0, false
	}
	v, ok := parseInt(n.Text)
	if !ok || v < lo || v > hi {
		c.at(n.Span(), diag.BadCount, "%s is a whole number within %d..%d, not %s", what, lo, hi, n.Text)
		return 0, false
	}
	return v, true
}

// duration reads a time span above zero.
func (c *checker) duration(d *ast.Duration, what string) (time.Duration, bool) {
	if d == nil {
		return 0, false
	}
	v, ok := Duration(d)
	if !ok || v <= 0 || v > maxTime {
		c.at(d.Span(), diag.BadDuration, "%s is above zero and at most 3650d, not %s", what, d.Span().Text())
		return 0, false
	}
	return v, true
}

// Duration is the time span that a literal states, and whether it can be held.
func Duration(d *ast.Duration) (time.Duration, bool) {
	n, ok := parseInt(d.Text)
	if !ok || n < 0 {
		return 0, false
	}
	unit := map[string]time.Duration{"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[d.Unit]
	if unit == 0 || n > math.MaxInt64/int64(unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}

// policyParts demands what no policy can do without, the two stops above all.
func (c *checker) policyParts(p *Policy, seen map[string]ast.Node) {
	name := p.Decl.Name.Span()
	if seen["max_steps"] == nil {
		c.at(name, diag.MissingMaxSteps, "policy `%s` has no `max_steps`", p.Symbol.Name).
			Note("no policy without a stop: a model that goes in circles is asked again for ever").
			Help("write `max_steps 8`, or as many steps as the task may take")
	}
	if seen["deadline"] == nil {
		c.at(name, diag.MissingDeadline, "policy `%s` has no `deadline`", p.Symbol.Name).
			Note("no policy without a stop: a run that waits for ever holds what it has begun").
			Help("write `deadline 2m`, or as long as the task may take")
	}
	for _, part := range []string{"agent", "tools"} {
		if seen[part] == nil {
			c.at(name, diag.MissingPart, "policy `%s` has no `%s`", p.Symbol.Name, part).
				Help("write `%s NAME`", part)
		}
	}
	if n, ok := p.Counts["no_progress"]; ok {
		if most, ok := p.Counts["max_steps"]; ok && n > most {
			c.at(seen["no_progress"].Span(), diag.BadCount, "`no_progress %d` never ends a run: `max_steps %d` does so before", n, most).
				Help("write a smaller number, or leave it out")
		}
	}
}

// scopeOf holds the policy's tools to its agent's scope.
func (c *checker) scopeOf(p *Policy) {
	if p.Agent == nil {
		return
	}
	scope := make(map[*resolve.Symbol]bool)
	var at *ast.NamesStmt
	for _, st := range p.Agent.Decl.(*ast.Agent).Stmts {
		if st.Key.Name != "scope" {
			continue
		}
		at = st
		for _, id := range st.Names {
			s := c.pkg.Use(id)
			if s == nil {
				return // the one that is missed may be the one that is unknown
			}
			scope[s] = true
		}
	}
	if at == nil {
		return
	}
	for i, s := range p.Tools {
		if !scope[s] {
			c.at(p.ToolIdent[i].Span(), diag.ToolNotInScope, "`%s` is not in the scope of agent `%s`", s.Name, p.Agent.Name).
				See(at.Key.Span(), "the agent's scope").
				Note("a policy chooses among what its agent may ever do").
				Help("add it to the agent's scope, or remove it here")
		}
	}
}

// unscored finds tools that act under a policy with a risk table, and have no
// row in it.
func (c *checker) unscored(p *Policy) {
	if p.Risk == nil || c.riskFault[p.Risk] {
		return
	}
	scored := c.scored[p.Risk]
	for i, s := range p.Tools {
		t := c.Tools[s]
		if scored[s] || t.IR.Read || t.vague {
			continue
		}
		c.at(p.ToolIdent[i].Span(), diag.UnscoredTool, "`%s` has no row in `base` of risk table `%s`", s.Name, p.Risk.Name).
			See(p.Risk.Ident.Span(), "the policy's table").
			Note("a tool without a row would have no score, and nothing would hold it").
			Help("add `%s POINTS` to `base`, or write `read` in the tool if it changes nothing", s.Name)
	}
}

// ungoverned finds a policy without a risk table that lists a tool which was made
// for one: it states traits, or a table of the package scores it. Such a tool would
// be allowed without a word.
func (c *checker) ungoverned(p *Policy) {
	for _, s := range p.Tools {
		t := c.Tools[s]
		if t.IR.Read || t.vague {
			continue
		}
		var table *resolve.Symbol
		for _, r := range c.pkg.Of(resolve.Risk) {
			if c.scored[r][s] {
				table = r
				break
			}
		}
		if table == nil && len(t.Traits) == 0 {
			continue
		}
		p.ungoverned = true
		d := c.at(p.Symbol.Ident.Span(), diag.MissingRisk, "policy `%s` has no risk table, and would allow `%s` unscored", p.Symbol.Name, s.Name)
		if table != nil {
			d.See(table.Ident.Span(), "this table scores it").Help("add `risk %s`", table.Name)
		} else {
			d.See(s.Ident.Span(), "it states traits, which only a table reads").Help("add `risk NAME`, or remove the traits")
		}
		return
	}
}

var currencies = []string{"usd", "eur", "gbp", "chf", "jpy"}

func (c *checker) budget(b *ast.BudgetStmt) {
	if b.Else != nil && b.Else.Name != "hold" {
		c.at(b.Else.Span(), diag.UnknownElse, "a budget cannot `%s`", b.Else.Name).
			Note("a spent budget ends the run, or makes it wait for a person").
			Help("write `else hold`, or leave it out")
	}
	seen := make(map[string]*ast.BudgetItem)
	for _, it := range b.Items {
		if old := seen[it.Kind.Name]; old != nil {
			c.repeated(it.Kind, it.Kind.Name, old.Kind)
			continue
		}
		seen[it.Kind.Name] = it
		switch it.Kind.Name {
		case "model_calls", "tokens":
			c.count(it.Amount, "`"+it.Kind.Name+"`", 1, math.MaxInt32)
			if it.Unit != nil {
				c.at(it.Unit.Span(), diag.BadBudget, "`%s` are counted and have no unit", it.Kind.Name).Help("remove `%s`", it.Unit.Name)
			}
		case "cost":
			c.cost(it)
		default:
			d := c.at(it.Kind.Span(), diag.BadBudget, "a budget does not count `%s`", it.Kind.Name)
			c.pkg.Suggest(d, it.Kind.Name, resolve.Among("model_calls", "tokens", "cost"))
		}
	}
	if len(b.Items) == 0 {
		c.at(b.Span(), diag.BadBudget, "the budget bounds nothing").Help("write `model_calls 12`, `tokens 60000` or `cost 0.75 usd`")
	}
}

func (c *checker) cost(it *ast.BudgetItem) {
	if it.Amount != nil {
		n, digits, ok := Scaled(it.Amount.Text, 6)
		if !ok || n <= 0 || digits > 6 {
			c.at(it.Amount.Span(), diag.BadBudget, "a cost is above zero, with at most 6 digits after the point, not %s", it.Amount.Text)
		}
	}
	switch {
	case it.Unit == nil:
		c.at(it.Kind.Span(), diag.BadBudget, "the cost does not say in which currency").Help("write `cost 0.75 usd`")
	case !slices.Contains(currencies, it.Unit.Name):
		d := c.at(it.Unit.Span(), diag.BadBudget, "`%s` is no currency of a budget", it.Unit.Name)
		c.pkg.Suggest(d, it.Unit.Name, resolve.Among(currencies...))
	}
}

func (c *checker) agent(s *resolve.Symbol, d *ast.Agent) {
	seen := make(map[string]*ast.NamesStmt)
	for _, st := range d.Stmts {
		if old := seen[st.Key.Name]; old != nil {
			c.repeated(st.Key, st.Key.Name, old.Key)
			continue
		}
		seen[st.Key.Name] = st
		switch st.Key.Name {
		case "scope", "believes":
			c.noRepeats(st.Names, st.Key.Name)
		default:
			panic("check: a statement `" + st.Key.Name + "` that nobody reads")
		}
	}
	if seen["scope"] == nil {
		c.at(d.Name.Span(), diag.MissingPart, "agent `%s` has no `scope`", s.Name).
			Help("write `scope TOOL, TOOL` with what it may ever do")
	}
}

func (c *checker) approval(d *ast.Approval) {
	name := d.Name.Span()
	switch {
	case d.Count == nil || d.Of == nil:
		c.at(name, diag.MissingPart, "approval `%s` does not say who decides", d.Name.Name).Help("write `1 of ROLE`")
	default:
		c.count(d.Count, "the number of approvers", 1, 100)
	}
	if d.Within == nil {
		c.at(name, diag.MissingPart, "approval `%s` does not say until when", d.Name.Name).
			Note("silence is no approval, so an approval expires").
			Help("write `within 4h`")
		return
	}
	c.duration(d.Within, "the time for an approval")
}

// workflow holds a fixed path to the tools of one policy.
func (c *checker) workflow(d *ast.Workflow) {
	if len(d.Steps) == 0 {
		c.at(d.Name.Span(), diag.MissingPart, "workflow `%s` has no steps", d.Name.Name).Help("name its tools in order")
		return
	}
	if c.pkg.LostAny("policy") {
		return
	}
	var policies []*Policy
	for _, s := range c.pkg.Of(resolve.Policy) {
		if c.Policies[s].vague {
			return
		}
		policies = append(policies, c.Policies[s])
	}
	var steps []*resolve.Symbol
	for _, id := range d.Steps {
		s := c.pkg.Use(id)
		if s == nil {
			return
		}
		steps = append(steps, s)
	}
	holdsAll := slices.ContainsFunc(policies, func(p *Policy) bool {
		return !slices.ContainsFunc(steps, func(s *resolve.Symbol) bool { return !p.tools[s] })
	})
	if holdsAll {
		return
	}
	for i, s := range steps {
		if !slices.ContainsFunc(policies, func(p *Policy) bool { return p.tools[s] }) {
			c.at(d.Steps[i].Span(), diag.WorkflowTool, "`%s` is in the `tools` of no policy, so the workflow could never run it", s.Name).
				Help("add it to a policy's `tools`, or leave it out here")
			return
		}
	}
	c.at(d.Name.Span(), diag.WorkflowTool, "no policy has all the tools of workflow `%s`", d.Name.Name).
		Note("a workflow runs under one policy").
		Help("add the tools to one policy, or write two workflows")
}
