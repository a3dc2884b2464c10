package ledger

import (
	"fmt"
	"slices"
	"time"
)

// Words of the closed lists in entries. They are in ledgers, so they never change.
const (
	ModeAgent    = "agent"
	ModeWorkflow = "workflow"
	ModeBaseline = "baseline"

	StatusDone    = "done"
	StatusFailed  = "failed"
	StatusUnknown = "unknown"

	Confirmed    = "CONFIRMED"
	Refuted      = "REFUTED"
	Inconclusive = "INCONCLUSIVE"

	WhyReadFailed    = "read_failed"
	WhyResultInvalid = "result_invalid"
	WhyNeither       = "neither"
	WhyBoth          = "both"

	EndCompleted = "completed"
	EndHeld      = "held"
	EndRefused   = "refused"
	EndBounded   = "bounded"
	EndEscalated = "escalated"
	EndFailed    = "failed"
)

// Validate says what is wrong with an entry. Every entry that is appended, and
// every one that is read, passes it.
func (e *Entry) Validate() error {
	if e.V != Version {
		return fmt.Errorf("entry version %d: this program knows %d", e.V, Version)
	}
	if e.Seq == 0 {
		return fmt.Errorf("entry has no seq")
	}
	if err := checkTime(e.At); err != nil {
		return err
	}
	if err := checkID("tenant", e.Tenant); err != nil {
		return err
	}
	if err := checkID("run", e.Run); err != nil {
		return err
	}
	if e.Step < 0 || (e.Kind == KindRunStarted && e.Step != 0) {
		return fmt.Errorf("step %d of a %s", e.Step, e.Kind)
	}
	if err := e.checkKind(); err != nil {
		return err
	}
	v := checker{seq: e.Seq}
	switch e.Kind {
	case KindRunStarted:
		v.runStarted(e.RunStarted)
	case KindDecision:
		v.decision(e.Decision)
	case KindIntent:
		v.intent(e.Intent)
	case KindOutcome:
		v.outcome(e.Outcome)
	case KindVerification:
		v.verification(e.Verification)
	case KindEvidence:
		v.evidence(e.Evidence)
	case KindRunEnded:
		v.runEnded(e.RunEnded)
	}
	if v.err != nil {
		return fmt.Errorf("%s: %w", e.Kind, v.err)
	}
	return nil
}

// checkKind holds that exactly the member is set that Kind names.
func (e *Entry) checkKind() error {
	set := [...]struct {
		kind Kind
		is   bool
	}{
		{KindRunStarted, e.RunStarted != nil},
		{KindDecision, e.Decision != nil},
		{KindIntent, e.Intent != nil},
		{KindOutcome, e.Outcome != nil},
		{KindVerification, e.Verification != nil},
		{KindEvidence, e.Evidence != nil},
		{KindRunEnded, e.RunEnded != nil},
	}
	if !slices.Contains(Kinds(), e.Kind) {
		return fmt.Errorf("entry of unknown kind %q", e.Kind)
	}
	for _, m := range set {
		if m.is != (m.kind == e.Kind) {
			return fmt.Errorf("entry of kind %q: member %q does not fit it", e.Kind, m.kind)
		}
	}
	return nil
}

// checkTime holds that there is one spelling of each instant.
func checkTime(at string) error {
	t, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return fmt.Errorf("at: %w", err)
	}
	if Time(t) != at {
		return fmt.Errorf("at: %q is not the canonical form %q", at, Time(t))
	}
	return nil
}

// Time spells an instant as entries do.
func Time(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// checker keeps the first fault.
type checker struct {
	seq uint64
	err error
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// text is any printable text of a stated length, empty or not.
func (c *checker) text(name, v string) {
	if len(v) > MaxID {
		c.fail("%s has %d bytes: the most is %d", name, len(v), MaxID)
	}
	if err := checkText(v); err != nil {
		c.fail("%s: %w", name, err)
	}
}

func (c *checker) must(name, v string) {
	if v == "" {
		c.fail("%s is empty", name)
	}
	c.text(name, v)
}

// word is a name from a list that another package keeps.
func (c *checker) word(name, v string) {
	if v == "" {
		c.fail("%s is empty", name)
	}
	c.optWord(name, v)
}

func (c *checker) optWord(name, v string) {
	for i, r := range []byte(v) {
		if r >= 'a' && r <= 'z' || i > 0 && (r == '_' || r >= '0' && r <= '9') {
			continue
		}
		c.fail("%s: %q is not a word of a closed list", name, v)
		return
	}
	if len(v) > 64 {
		c.fail("%s: %d bytes are no word of a closed list", name, len(v))
	}
}

func (c *checker) oneOf(name, v string, list ...string) {
	if !slices.Contains(list, v) {
		c.fail("%s: %q is not one of %q", name, v, list)
	}
}

func (c *checker) digest(name, v string) {
	if len(v) != 64 {
		c.fail("%s has %d digits: a digest has 64", name, len(v))
		return
	}
	for _, r := range []byte(v) {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'f') {
			c.fail("%s is not written in hex digits", name)
			return
		}
	}
}

func (c *checker) optDigest(name, v string) {
	if v != "" {
		c.digest(name, v)
	}
}

// before holds that a reference goes back, never forward or to itself.
func (c *checker) before(name string, seq uint64) {
	if seq == 0 || seq >= c.seq {
		c.fail("%s refers to entry %d from entry %d", name, seq, c.seq)
	}
}

func (c *checker) runStarted(r *RunStarted) {
	c.must("task", r.Task)
	c.must("package", r.Package)
	c.must("policy", r.Policy)
	c.digest("policy_digest", r.PolicyDigest)
	c.must("agent", r.Agent)
	c.text("role", r.Role)
	c.oneOf("mode", r.Mode, ModeAgent, ModeWorkflow, ModeBaseline)
}

func (c *checker) decision(d *Decision) {
	c.digest("policy_digest", d.PolicyDigest)
	c.text("agent", d.Agent)
	c.optDigest("exhibit", d.Exhibit)
	c.text("tool", d.Tool)
	c.text("target", d.Target)
	c.word("identity", d.Identity)
	c.word("prior", d.Prior)
	c.word("found", d.Found)
	for _, f := range d.Factors {
		c.must("factor name", f.Name)
		c.text("factor value", f.Value)
	}
	c.usage(d.Usage)
	c.text("key", d.Key)
	if d.First != 0 {
		c.before("first", d.First)
	}
	v := &d.Verdict
	c.oneOf("outcome", v.Outcome, "refuse", "hold", "notify", "allow")
	c.word("rung", v.Rung)
	c.word("reason", v.Reason)
	for _, h := range v.Holds {
		c.word("hold", h)
	}
	for _, p := range v.Parts {
		c.must("part name", p.Name)
		c.text("part value", p.Value)
	}
	for _, f := range v.Flags {
		c.must("flag", f)
	}
	for _, f := range v.Failed {
		c.must("failed", f)
	}
	c.text("fault", v.Fault)
	c.text("field", v.Field)
	c.text("line", v.Line)
}

func (c *checker) usage(u Usage) {
	for _, n := range [...]int64{u.Steps, u.ModelCalls, u.Tokens, u.CostMicros, u.Idle, u.Malformed, u.ElapsedNs} {
		if n < 0 {
			c.fail("usage has the negative count %d", n)
		}
	}
}

func (c *checker) intent(i *Intent) {
	c.before("decision", i.Decision)
	c.must("tool", i.Tool)
	c.text("target", i.Target)
	c.must("key", i.Key)
}

func (c *checker) outcome(o *Outcome) {
	c.before("intent", o.Intent)
	c.must("tool", o.Tool)
	c.oneOf("status", o.Status, StatusDone, StatusFailed, StatusUnknown)
	c.optDigest("result", o.Result)
}

func (c *checker) verification(v *Verification) {
	c.before("intent", v.Intent)
	c.must("by", v.By)
	c.oneOf("verdict", v.Verdict, Confirmed, Refuted, Inconclusive)
	switch v.Verdict {
	case Inconclusive:
		c.oneOf("why", v.Why, WhyReadFailed, WhyResultInvalid, WhyNeither, WhyBoth)
	default:
		c.oneOf("why", v.Why, "")
	}
	c.optDigest("result", v.Result)
	c.text("line", v.Line)
}

func (c *checker) evidence(e *Evidence) {
	c.before("verification", e.Verification)
	c.must("belief", e.Belief)
	c.must("target", e.Target)
	c.must("state", e.State)
	c.must("class", e.Class)
}

func (c *checker) runEnded(r *RunEnded) {
	c.oneOf("end", r.End, EndCompleted, EndHeld, EndRefused, EndBounded, EndEscalated, EndFailed)
	c.optWord("reason", r.Reason)
	if r.Steps < 0 {
		c.fail("steps: %d", r.Steps)
	}
	c.usage(r.Usage)
}
