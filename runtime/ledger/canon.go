package ledger

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"
)

// canon writes canonical JSON: members in the order of the struct, no blanks,
// and exactly one spelling of each string and number. It is written out by hand
// because these bytes are hashed: they must not change with a library. A test
// holds it equal to encoding/json over the struct tags, so a new member that is
// forgotten here is noticed.
type canon struct {
	b     []byte
	comma bool
}

func (c *canon) open()  { c.sep(); c.b = append(c.b, '{'); c.comma = false }
func (c *canon) close() { c.b = append(c.b, '}'); c.comma = true }

func (c *canon) openList()  { c.b = append(c.b, '['); c.comma = false }
func (c *canon) closeList() { c.b = append(c.b, ']'); c.comma = true }

func (c *canon) sep() {
	if c.comma {
		c.b = append(c.b, ',')
	}
	c.comma = true
}

// name writes a member's name, which is a constant of this package.
func (c *canon) name(n string) {
	c.sep()
	c.b = append(c.b, '"')
	c.b = append(c.b, n...)
	c.b = append(c.b, '"', ':')
	c.comma = false
}

func (c *canon) str(name, v string) {
	c.name(name)
	c.b = appendString(c.b, v)
	c.comma = true
}

func (c *canon) optStr(name, v string) {
	if v != "" {
		c.str(name, v)
	}
}

func (c *canon) num(name string, v int64) {
	c.name(name)
	c.b = strconv.AppendInt(c.b, v, 10)
	c.comma = true
}

func (c *canon) count(name string, v uint64) {
	c.name(name)
	c.b = strconv.AppendUint(c.b, v, 10)
	c.comma = true
}

func (c *canon) optCount(name string, v uint64) {
	if v != 0 {
		c.count(name, v)
	}
}

func (c *canon) flag(name string, v bool) {
	c.name(name)
	c.b = strconv.AppendBool(c.b, v)
	c.comma = true
}

func (c *canon) optStrs(name string, vs []string) {
	if len(vs) == 0 {
		return
	}
	c.name(name)
	c.openList()
	for _, v := range vs {
		c.sep()
		c.b = appendString(c.b, v)
	}
	c.closeList()
}

func (c *canon) bytes(name string, v []byte) {
	c.name(name)
	c.b = append(c.b, '"')
	c.b = base64.StdEncoding.AppendEncode(c.b, v)
	c.b = append(c.b, '"')
	c.comma = true
}

const hexDigits = "0123456789abcdef"

// appendString quotes s: a quote, a backslash and the control characters are
// escaped, the last ones as \u00xx, and everything else stands as it is.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		ch := s[i]
		if ch >= ' ' && ch != '"' && ch != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		if ch == '"' || ch == '\\' {
			b = append(b, '\\', ch)
		} else {
			b = append(b, '\\', 'u', '0', '0', hexDigits[ch>>4], hexDigits[ch&15])
		}
		from = i + 1
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// AppendCanonical appends the entry's canonical bytes to b. It does not look
// whether the entry is valid; Encode does.
func (e *Entry) AppendCanonical(b []byte) []byte {
	c := canon{b: b}
	c.open()
	c.num("v", int64(e.V))
	c.count("seq", e.Seq)
	c.str("at", e.At)
	c.str("tenant", e.Tenant)
	c.str("run", e.Run)
	c.num("step", int64(e.Step))
	c.str("kind", string(e.Kind))
	if e.RunStarted != nil {
		c.runStarted(e.RunStarted)
	}
	if e.Decision != nil {
		c.decision(e.Decision)
	}
	if e.Intent != nil {
		c.intent(e.Intent)
	}
	if e.Outcome != nil {
		c.outcome(e.Outcome)
	}
	if e.Verification != nil {
		c.verification(e.Verification)
	}
	if e.Evidence != nil {
		c.evidence(e.Evidence)
	}
	if e.RunEnded != nil {
		c.runEnded(e.RunEnded)
	}
	c.close()
	return c.b
}

func (c *canon) runStarted(r *RunStarted) {
	c.name("run_started")
	c.open()
	c.str("task", r.Task)
	c.str("package", r.Package)
	c.str("policy", r.Policy)
	c.str("policy_digest", r.PolicyDigest)
	c.str("agent", r.Agent)
	c.str("role", r.Role)
	c.str("mode", r.Mode)
	c.close()
}

func (c *canon) decision(d *Decision) {
	c.name("decision")
	c.open()
	c.str("policy_digest", d.PolicyDigest)
	c.str("agent", d.Agent)
	c.optStr("exhibit", d.Exhibit)
	c.optStr("tool", d.Tool)
	c.optStr("target", d.Target)
	c.optCount("version", d.Version)
	c.str("identity", d.Identity)
	c.str("prior", d.Prior)
	c.str("found", d.Found)
	if len(d.Factors) > 0 {
		c.name("factors")
		c.openList()
		for _, f := range d.Factors {
			c.open()
			c.str("name", f.Name)
			c.str("value", f.Value)
			c.close()
		}
		c.closeList()
	}
	c.usage(d.Usage)
	c.optStr("key", d.Key)
	c.optCount("first", d.First)
	c.verdict(&d.Verdict)
	c.close()
}

func (c *canon) verdict(v *Verdict) {
	c.name("verdict")
	c.open()
	c.str("outcome", v.Outcome)
	c.str("rung", v.Rung)
	c.str("reason", v.Reason)
	c.optStrs("holds", v.Holds)
	if v.Score != nil {
		c.num("score", int64(*v.Score))
	}
	if len(v.Parts) > 0 {
		c.name("parts")
		c.openList()
		for _, p := range v.Parts {
			c.open()
			c.str("name", p.Name)
			c.str("value", p.Value)
			c.num("points", int64(p.Points))
			c.close()
		}
		c.closeList()
	}
	c.optStrs("flags", v.Flags)
	c.optStrs("failed", v.Failed)
	c.optStr("fault", v.Fault)
	c.optStr("field", v.Field)
	c.optStr("line", v.Line)
	c.close()
}

func (c *canon) usage(u Usage) {
	c.name("usage")
	c.open()
	c.num("steps", u.Steps)
	c.num("model_calls", u.ModelCalls)
	c.num("tokens", u.Tokens)
	c.num("cost_micros", u.CostMicros)
	c.num("idle", u.Idle)
	c.num("malformed", u.Malformed)
	c.num("elapsed_ns", u.ElapsedNs)
	c.close()
}

func (c *canon) intent(i *Intent) {
	c.name("intent")
	c.open()
	c.count("decision", i.Decision)
	c.str("tool", i.Tool)
	c.optStr("target", i.Target)
	c.str("key", i.Key)
	c.close()
}

func (c *canon) outcome(o *Outcome) {
	c.name("outcome")
	c.open()
	c.count("intent", o.Intent)
	c.str("tool", o.Tool)
	c.str("status", o.Status)
	c.optStr("result", o.Result)
	c.close()
}

func (c *canon) verification(v *Verification) {
	c.name("verification")
	c.open()
	c.count("intent", v.Intent)
	c.str("by", v.By)
	c.str("verdict", v.Verdict)
	c.optStr("why", v.Why)
	c.optStr("result", v.Result)
	c.optStr("line", v.Line)
	c.close()
}

func (c *canon) evidence(e *Evidence) {
	c.name("evidence")
	c.open()
	c.count("verification", e.Verification)
	c.str("belief", e.Belief)
	c.str("target", e.Target)
	c.str("state", e.State)
	c.flag("not", e.Not)
	c.str("class", e.Class)
	c.close()
}

func (c *canon) runEnded(r *RunEnded) {
	c.name("run_ended")
	c.open()
	c.str("end", r.End)
	c.optStr("reason", r.Reason)
	c.num("steps", r.Steps)
	c.usage(r.Usage)
	c.close()
}

// validText says whether s can be written as JSON without loss.
func validText(s string) bool { return utf8.ValidString(s) }
