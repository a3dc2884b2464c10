package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
)

// TestResult is what became of a `test` block, in the words of its author: each
// line of Given reads like the statement it stands for, and Expected and Got are
// written alike so that they can be held against each other.
type TestResult struct {
	Test     *ir.Test
	Passed   bool
	Given    []string // the registry, what went before, and the proposal
	Expected string
	Got      string
	Decision Decision
	// Problem says why the test could not be decided: it leaves something unsaid
	// that the decision reads. The test has failed then, whatever Got says.
	Problem string
}

// String shows what was given, expected and got, and the sum where there is one.
func (r TestResult) String() string {
	var b strings.Builder
	label := "given"
	for _, line := range r.Given {
		fmt.Fprintf(&b, "  %-8s  %s\n", label, line)
		label = ""
	}
	fmt.Fprintf(&b, "  %-8s  %s\n", "expected", r.Expected)
	fmt.Fprintf(&b, "  %-8s  %s\n", "got", r.Got)
	if r.Problem != "" {
		fmt.Fprintf(&b, "  %-8s  %s\n", "problem", r.Problem)
	}
	if r.Decision.Scored {
		s := Sum{Parts: r.Decision.Parts, Total: r.Decision.Score, Band: *bandOf(r.Test.Policy.Risk, r.Decision.Score)}
		b.WriteString(indented(s.String()))
	}
	return b.String()
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

// testTenant is whose registry the tests of a package fill in. It is not a name
// that a test can write down, since a tenant is never an argument.
const testTenant = "test"

// RunTests runs every `test` block of the program, in source order.
func (m *Machine) RunTests() []TestResult {
	var results []TestResult
	for _, t := range m.program.Tests {
		results = append(results, m.runTest(t))
	}
	return results
}

func (m *Machine) runTest(t *ir.Test) TestResult {
	c := testCase(t)
	d := m.Decide(c)
	r := TestResult{
		Test:     t,
		Given:    givenLines(t),
		Expected: expectedText(&t.Expect),
		Got:      gotText(&t.Expect, d),
		Decision: d,
		Problem:  unsaid(t, d),
	}
	r.Passed = r.Problem == "" && meets(&t.Expect, d)
	return r
}

// testCase turns a block into the case that it describes. The proposal is
// written out as a model would send it, so a test goes down the whole ladder.
func testCase(t *ir.Test) Case {
	c := Case{Policy: t.Policy, Identity: Identity(t.Standing), Tenant: testTenant, Proposal: Proposal(t.Policy, &t.Propose)}
	for _, g := range t.Given {
		c.Entities = append(c.Entities, Entity{Tenant: testTenant, Kind: g.Entity, ID: g.ID, Attrs: g.Attrs})
	}
	for _, a := range t.After {
		c.Done = append(c.Done, Action{Tool: a.Tool, Target: a.Target, Args: a.Args})
	}
	return c
}

// unsaid names an attribute that the decision asked for and the test does not
// give, "" where there is none. Guessing it would let a test pass for a reason that
// its author never wrote.
func unsaid(t *ir.Test, d Decision) string {
	if d.Reason != ReferenceUnknown {
		return ""
	}
	tool := t.Propose.Tool
	for _, g := range t.Given {
		if g.Entity != tool.Target || g.ID != t.Propose.Target {
			continue
		}
		for _, i := range slices.Concat(scored(t.Policy, tool), conditioned(tool), moved(tool)) {
			if g.Attrs[i] == nil {
				return fmt.Sprintf("the test does not say `%s` of %s %q, which the decision reads",
					g.Entity.Attrs[i].Name, g.Entity.Name, g.ID)
			}
		}
	}
	return ""
}

// meets says whether a decision is what was expected. What a test leaves out is
// not compared.
func meets(e *ir.Expect, d Decision) bool {
	return d.Outcome == e.Outcome &&
		(e.Reason == "" || Reason(e.Reason) == d.Reason) &&
		(e.Score == nil || d.Scored && d.Score == *e.Score) &&
		(!e.HasFlags || slices.Equal(slices.Sorted(slices.Values(e.Flags)), slices.Sorted(slices.Values(d.Flags))))
}

// ---- in the author's words ----

func givenLines(t *ir.Test) []string {
	var lines []string
	for _, g := range t.Given {
		var attrs []string
		for i, v := range g.Attrs {
			if v != nil {
				attrs = append(attrs, g.Entity.Attrs[i].Name+" "+valueText(g.Entity.Attrs[i].Type, *v))
			}
		}
		lines = append(lines, fmt.Sprintf("%s %q%s", g.Entity.Name, g.ID, braced(attrs)))
	}
	if Identity(t.Standing) != IdentityGood {
		lines = append(lines, "standing "+t.Standing)
	}
	for i := range t.After {
		lines = append(lines, "after "+callText(t.Policy, &t.After[i]))
	}
	return append(lines, "propose "+callText(t.Policy, &t.Propose))
}

func callText(p *ir.Policy, call *ir.Call) string {
	text := call.Tool.Name
	if call.Tool.Target != nil {
		text += fmt.Sprintf(" on %q", call.Target)
	}
	var args []string
	for i, v := range call.Args {
		if v != nil {
			args = append(args, call.Tool.Args[i].Name+" "+valueText(call.Tool.Args[i].Type, *v))
		}
	}
	text += braced(args)
	if call.Cause >= 0 && p.Cause != nil {
		text += " because " + p.Cause.Members[call.Cause].Name
	}
	return text
}

func braced(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return " { " + strings.Join(items, ", ") + " }"
}

func expectedText(e *ir.Expect) string {
	text := e.Outcome.String()
	if e.Reason != "" {
		text += " " + e.Reason
	}
	if e.Score != nil {
		text += fmt.Sprintf(" score %d", *e.Score)
	}
	if e.HasFlags {
		text += " flags " + listText(e.Flags)
	}
	return text
}

// gotText says of a decision what an `expect` could have said, the parts that
// were asked for always, and the reason wherever it tells more than the outcome.
func gotText(e *ir.Expect, d Decision) string {
	text := d.Outcome.String()
	if e.Reason != "" || d.Outcome == ir.Refuse || d.Reason == OutcomeUnknown {
		text += " " + string(d.Reason)
	}
	if d.Fault != NoFault {
		text += fmt.Sprintf(" (%s: %s)", d.Field, d.Fault)
	}
	switch {
	case d.Scored:
		text += fmt.Sprintf(" score %d", d.Score)
	case e.Score != nil:
		text += ", not scored"
	}
	if len(d.Flags) > 0 || e.HasFlags {
		text += " flags " + listText(d.Flags)
	}
	for _, q := range d.Failed {
		text += fmt.Sprintf(", failed %s (%s:%d)", q.Text, q.Pos.File, q.Pos.Line)
	}
	if len(d.Holds) > 0 {
		var causes []string
		for _, h := range d.Holds {
			causes = append(causes, string(h))
		}
		text += ", held for " + strings.Join(causes, ", ")
	}
	return text
}

func listText(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
