package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/provlang/prov/runtime/policy"
)

// Script is a model's replies, written down: JSON Lines, one reply a line, blank
// lines ignored. For each ask the first line that is not used up and whose
// conditions hold is the reply, so a script can follow what happens:
//
//	{"step": 1, "propose": {"tool": "rollback_config", "target": "inventory-api"}}
//	{"after": "REFUTED", "propose": {"tool": "read_service", "target": "inventory-api"}}
//	{"say": "sure, I'll get right on that"}
//	{"done": true}
//
// A line has exactly one reply:
//
//	propose   the reply is this JSON value, as it stands in the line
//	say       the reply is this text, which need not be JSON
//	done      true: the model proposes nothing more
//	repeat    true: the reply before, again, as often as it is asked for
//
// and may have conditions, all of which must hold:
//
//	step      the ask is for this step of the run, from 1
//	after     what the step before came to: a reason of the gate, such as
//	          state_conflict, malformed or allowed; an outcome: done, failed,
//	          unknown; or a verdict: CONFIRMED, REFUTED, INCONCLUSIVE
//
// besides usage, {"tokens": N, "cost_micros": N}, which stands for the provider's
// meter and not for anything that the model said, and note, for people. Every
// line but repeat is used once. An ask that no line answers is an error of the
// adapter, never a quiet end.
type Script struct {
	name  string
	lines []line
}

type line struct {
	at     int // line number, from 1
	step   int // 0: any
	after  string
	answer Answer
	repeat bool
}

// MaxScript bounds a script's size.
const MaxScript = 4 << 20

type scriptLine struct {
	Step    *int           `json:"step"`
	After   *string        `json:"after"`
	Propose jsontext.Value `json:"propose"`
	Say     *string        `json:"say"`
	Done    *bool          `json:"done"`
	Repeat  *bool          `json:"repeat"`
	Usage   *scriptUsage   `json:"usage"`
	Note    *string        `json:"note"`
}

type scriptUsage struct {
	Tokens     int64 `json:"tokens"`
	CostMicros int64 `json:"cost_micros"`
}

// ParseScript reads a script. An error names the file and the line.
func ParseScript(name string, data []byte) (*Script, error) {
	if len(data) > MaxScript {
		return nil, fmt.Errorf("%s: %d bytes are over the bound of %d", name, len(data), MaxScript)
	}
	s := &Script{name: name}
	at := 0
	for raw := range bytes.Lines(data) {
		at++
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			continue
		}
		l, err := parseLine(raw)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, at, err)
		}
		if l.repeat && len(s.lines) == 0 {
			return nil, fmt.Errorf("%s:%d: repeat stands before any reply that it could repeat", name, at)
		}
		l.at = at
		s.lines = append(s.lines, l)
	}
	if len(s.lines) == 0 {
		return nil, fmt.Errorf("%s: a script without a line never answers", name)
	}
	return s, nil
}

func parseLine(raw []byte) (line, error) {
	var w scriptLine
	if err := json.Unmarshal(raw, &w, json.RejectUnknownMembers(true)); err != nil {
		return line{}, readable(err)
	}
	var l line
	replies := 0
	if w.Propose != nil {
		replies++
		l.answer.Reply = bytes.Clone(w.Propose)
	}
	if w.Say != nil {
		replies++
		l.answer.Reply = []byte(*w.Say)
	}
	for _, b := range []struct {
		set  *bool
		name string
		into *bool
	}{{w.Done, "done", &l.answer.Done}, {w.Repeat, "repeat", &l.repeat}} {
		if b.set == nil {
			continue
		}
		if !*b.set {
			return line{}, fmt.Errorf("%s can only be true", b.name)
		}
		replies++
		*b.into = true
	}
	if replies != 1 {
		return line{}, fmt.Errorf("a line has exactly one of propose, say, done, repeat; this one has %d", replies)
	}
	if w.Step != nil {
		if *w.Step < 1 {
			return line{}, errors.New("step counts from 1")
		}
		l.step = *w.Step
	}
	if w.After != nil {
		if !slices.Contains(Happenings(), *w.After) {
			return line{}, fmt.Errorf("after: %q is not one of %s", *w.After, strings.Join(Happenings(), ", "))
		}
		l.after = *w.After
	}
	if w.Usage != nil {
		if w.Usage.Tokens < 0 || w.Usage.CostMicros < 0 {
			return line{}, errors.New("usage: a meter does not run backwards")
		}
		l.answer.Usage = Usage(*w.Usage)
	}
	return l, nil
}

// Happenings is the closed list of what a step can come to, as `after` names it.
func Happenings() []string {
	names := []string{"done", "failed", "unknown", "CONFIRMED", "REFUTED", "INCONCLUSIVE"}
	for _, r := range policy.Reasons() {
		if r != policy.NoReason {
			names = append(names, r.String())
		}
	}
	return names
}

// readable gives the fault and its place in the line, without the decoder's own
// vocabulary of Go types.
func readable(err error) error {
	var syn *jsontext.SyntacticError
	if errors.As(err, &syn) {
		return fmt.Errorf("column %d: %w", syn.ByteOffset+1, syn.Err)
	}
	var sem *json.SemanticError
	if errors.As(err, &sem) {
		// The names are whatever the file says, so what is not printable is escaped.
		where := strings.Trim(strconv.Quote(strings.TrimPrefix(string(sem.JSONPointer), "/")), `"`)
		if sem.Err != nil {
			return fmt.Errorf("%s: %w", where, sem.Err)
		}
		return fmt.Errorf("%s: a JSON %s does not fit here", where, sem.JSONKind)
	}
	return err
}

// Model starts the script afresh, for one run.
func (s *Script) Model() *Scripted {
	return &Scripted{script: s, used: make([]bool, len(s.lines))}
}

// Scripted is a Model that reads its replies from a script. It serves one run.
type Scripted struct {
	script *Script
	used   []bool
	before *Answer // the reply that repeat repeats
}

// ErrExhausted says that no line of the script answers an ask.
var ErrExhausted = errors.New("the script has no reply left for this")

// Ask implements Model.
func (m *Scripted) Ask(ctx context.Context, t *Turn) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	for i := range m.script.lines {
		l := &m.script.lines[i]
		if m.used[i] || !l.answers(t) {
			continue
		}
		a := l.answer
		if l.repeat {
			if m.before == nil {
				continue
			}
			a = *m.before
			a.Usage = l.answer.Usage
		} else {
			m.used[i] = true
		}
		m.before = &a
		a.Reply = bytes.Clone(a.Reply)
		return a, nil
	}
	return Answer{}, fmt.Errorf("%s: step %d: %w", m.script.name, t.Step, ErrExhausted)
}

func (l *line) answers(t *Turn) bool {
	if l.step != 0 && l.step != t.Step {
		return false
	}
	if l.after == "" {
		return true
	}
	return t.Last != nil && (l.after == t.Last.Reason || l.after == t.Last.Outcome || l.after == t.Last.Verdict)
}
