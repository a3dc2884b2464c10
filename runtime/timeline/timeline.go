// Package timeline writes down a governed run so that the person who answers for
// it can read it: what was proposed, what was decided and why, what came of it,
// and how it ended. It shows no value that a contract marks as sensitive.
package timeline

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
)

// Timeline writes runs, one after another, as they happen.
type Timeline struct {
	w        io.Writer
	policies func(name string) *policy.Policy
	runs     int
	policy   *policy.Spec // of the run that is being written; nil where it is not known
	err      error
}

// New writes to w. policies finds the policy of a run by name, so that a score can
// be shown with its band; nil, or a policy that it does not know, leaves the band
// out.
func New(w io.Writer, policies func(name string) *policy.Policy) *Timeline {
	return &Timeline{w: w, policies: policies}
}

// Err is the first error of writing. What comes after it is not written.
func (t *Timeline) Err() error { return t.err }

// Observe writes one event.
func (t *Timeline) Observe(e loop.Event) {
	switch e.Entry.Kind {
	case ledger.KindRunStarted:
		t.started(&e)
	case ledger.KindDecision:
		t.decision(&e)
	case ledger.KindOutcome:
		t.outcome(&e)
	case ledger.KindVerification:
		t.verification(&e)
	case ledger.KindEvidence:
		t.evidence(e.Entry.Evidence)
	case ledger.KindRunEnded:
		t.ended(&e)
	}
}

func (t *Timeline) started(e *loop.Event) {
	s := e.Entry.RunStarted
	t.policy = nil
	if t.policies != nil {
		if p := t.policies(s.Policy); p != nil && p.Digest() == s.PolicyDigest {
			t.policy = p.Spec()
		}
	}
	if t.runs > 0 {
		t.print("\n")
	}
	t.runs++
	t.print("task %s: %s\n", s.Task, clean(e.Title))
	t.row("run", "%s for %s, policy %s.%s, %s", e.Entry.Run, e.Entry.Tenant, s.Package, s.Policy, who(s))
}

func who(s *ledger.RunStarted) string {
	switch s.Mode {
	case ledger.ModeWorkflow:
		return fmt.Sprintf("fixed path, %s (%s) fills in the arguments", s.Agent, s.Role)
	case ledger.ModeBaseline:
		return fmt.Sprintf("fixed path without a model, as %s (%s)", s.Agent, s.Role)
	}
	return fmt.Sprintf("agent %s (%s)", s.Agent, s.Role)
}

func (t *Timeline) decision(e *loop.Event) {
	d := e.Entry.Decision
	v := &d.Verdict
	t.print("\n")
	if v.Rung != policy.RungBounds.String() {
		t.row(fmt.Sprintf("step %d", e.Entry.Step), "%s", proposal(e.Proposal))
	}
	t.row("gate", "%-6s  %s, rung %s%s", strings.ToUpper(v.Outcome), v.Reason, v.Rung, at(v.Line))
	if e.Why != "" {
		t.row("because", "%s", e.Why)
	}
	if v.Score != nil {
		t.row("score", "%s", sum(*v.Score, v.Parts))
		if band := t.band(*v.Score); band != "" {
			t.row("band", "%s", band)
		}
	}
	if len(v.Flags) > 0 {
		t.row("flags", "%s", strings.Join(v.Flags, ", "))
	}
	for _, c := range e.Failed {
		t.row("failed", "%s (%s)", c.Text, c.Line)
		if c.Doc != "" {
			t.row("", "%s", strings.ReplaceAll(clean(strings.ReplaceAll(c.Doc, "\n", " ")), glue, "?"))
		}
	}
	if len(v.Holds) > 0 {
		t.row("holds", "%s%s", strings.Join(v.Holds, ", "), approval(e))
	}
}

// proposal says what was proposed, as far as it may be shown.
func proposal(s *loop.Shown) string {
	if s == nil {
		return "nothing that can be read as a proposal"
	}
	text := s.Tool
	if s.Target != "" {
		text += " on " + s.Target
	}
	if len(s.Fields) > 0 {
		text += " with " + fields(s.Fields)
	}
	if s.Cause != "" {
		text += ", cause " + s.Cause
	}
	if len(s.RestsOn) > 0 {
		text += ", rests on " + strings.Join(s.RestsOn, ", ")
	}
	return text
}

func fields(list []loop.ShownField) string {
	var shown []string
	for _, f := range list {
		if f.Sensitive {
			shown = append(shown, f.Name+" (sensitive)")
			continue
		}
		shown = append(shown, f.Name+" "+f.Value)
	}
	return strings.Join(shown, ", ")
}

// sum is a score as a person would add it up. The base row's value is the tool.
func sum(score int32, parts []ledger.Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d =", score)
	for i, p := range parts {
		what := p.Value
		if i > 0 {
			what = p.Name + " " + p.Value
		}
		n, op := int64(p.Points), "+"
		switch {
		case i == 0:
			op = ""
		case n < 0:
			n, op = -n, "-"
		}
		term := strings.TrimLeft(fmt.Sprintf("%s %d %s", op, n, what), " ")
		b.WriteString(" " + strings.ReplaceAll(term, " ", glue)) // a term stays on one line
	}
	return b.String()
}

// band is the band of the table that a score falls into.
func (t *Timeline) band(score int32) string {
	if t.policy == nil || t.policy.Risk == nil {
		return ""
	}
	for _, b := range t.policy.Risk.Bands {
		if score < b.Lo || score > b.Hi {
			continue
		}
		switch {
		case b.Lo == math.MinInt32 && b.Hi == math.MaxInt32:
			return fmt.Sprintf("%s, whatever the score", b.Outcome)
		case b.Lo == math.MinInt32:
			return fmt.Sprintf("%s, up to %d", b.Outcome, b.Hi)
		case b.Hi == math.MaxInt32:
			return fmt.Sprintf("%s, from %d on", b.Outcome, b.Lo)
		}
		return fmt.Sprintf("%s, %d to %d", b.Outcome, b.Lo, b.Hi)
	}
	return ""
}

// approval says who decides a hold, where a group is named.
func approval(e *loop.Event) string {
	if len(e.Approvers) == 0 {
		return ""
	}
	groups := make([]string, len(e.Approvers))
	for i, a := range e.Approvers {
		groups[i] = fmt.Sprintf("%d of %s within %s", a.Count, a.Of, period(a.Within))
	}
	text := "; decided by " + strings.Join(groups, " and ")
	if e.Unnamed {
		text += ", and for the rest nobody is named"
	}
	return text
}

func (t *Timeline) outcome(e *loop.Event) {
	o := e.Entry.Outcome
	text := o.Status
	switch {
	case e.Result != nil && len(e.Result.Fields) > 0:
		text += ": " + fields(e.Result.Fields)
	case o.Status == ledger.StatusFailed:
		text += ": it gave an error, and may be tried again"
	case o.Status == ledger.StatusUnknown:
		text += ": nobody knows whether it happened"
	}
	t.row("tool", "%s", text)
}

func (t *Timeline) verification(e *loop.Event) {
	v := e.Entry.Verification
	text := v.Verdict + " by " + v.By
	if v.Line != "" {
		text += " (" + v.Line + ")"
	}
	switch {
	case v.Why != "" && e.Result != nil:
		text += ": " + inconclusive(v.Why) + "; " + fields(e.Result.Fields)
	case v.Why != "":
		text += ": " + inconclusive(v.Why)
	case e.Result != nil:
		text += ": " + fields(e.Result.Fields)
	}
	t.row("verify", "%s", text)
	if v.Verdict == ledger.Inconclusive {
		t.row("learn", "nothing")
	}
}

func inconclusive(why string) string {
	switch why {
	case ledger.WhyReadFailed:
		return "it could not be read"
	case ledger.WhyResultInvalid:
		return "what was read does not fit its contract"
	case ledger.WhyNeither:
		return "neither condition holds"
	case ledger.WhyBoth:
		return "both conditions hold"
	}
	return why
}

func (t *Timeline) evidence(v *ledger.Evidence) {
	not := ""
	if v.Not {
		not = "not "
	}
	t.row("learn", "%s of %s: %s%s (evidence: %s)", v.Belief, v.Target, not, v.State, v.Class)
}

func (t *Timeline) ended(e *loop.Event) {
	v := e.Entry.RunEnded
	t.print("\n")
	text := strings.ToUpper(v.End)
	if v.Reason != "" {
		text += "  " + v.Reason
	}
	if e.Why != "" {
		text += ": " + e.Why
	}
	t.row("end", "%s", text)
	t.row("used", "%s", t.usage(v))
}

func (t *Timeline) usage(v *ledger.RunEnded) string {
	text := fmt.Sprintf("%s, %s", count(v.Steps, "step"), count(v.Usage.ModelCalls, "model call"))
	if v.Usage.Tokens > 0 {
		text += ", " + count(v.Usage.Tokens, "token")
	}
	// A cost has a currency only where the policy bounds it; without one the number
	// says nothing.
	if v.Usage.CostMicros > 0 && t.policy != nil && t.policy.Budget != nil && t.policy.Budget.Currency != "" {
		text += ", " + money(v.Usage.CostMicros) + " " + t.policy.Budget.Currency
	}
	return text
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.FormatInt(n, 10) + " " + what + "s"
}

// money writes millionths, without digits that say nothing.
func money(micros int64) string {
	s := fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6)
	for strings.HasSuffix(s, "0") && len(s)-strings.IndexByte(s, '.') > 3 {
		s = s[:len(s)-1]
	}
	return s
}

func period(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

func at(line string) string {
	if line == "" {
		return ""
	}
	return ", " + line
}

// glue is a space that a row is not wrapped at. No text of ours holds it.
const glue = "\x00"

// width that a row is wrapped at, and where its text begins.
const (
	width  = 100
	indent = 10
)

// row writes one labelled line, wrapped between words.
func (t *Timeline) row(label, format string, args ...any) {
	line, used := fmt.Sprintf("  %-7s ", label), indent
	for i, word := range strings.Split(fmt.Sprintf(format, args...), " ") {
		n := utf8.RuneCountInString(word)
		if i > 0 && used+1+n > width {
			line, used = strings.TrimRight(line, " ")+"\n"+strings.Repeat(" ", indent), indent
		} else if i > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	t.print("%s\n", strings.ReplaceAll(line, glue, " "))
}

func (t *Timeline) print(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// clean keeps an operator's title on its line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
