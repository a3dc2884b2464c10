package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// Filter picks entries. The zero value picks all of them.
type Filter struct {
	Tenant string // "": the whole store, which is the operator's to read
	Run    string
	Kind   Kind
	From   uint64 // the first seq
	Tail   int    // only the last so many of what is left; 0: all
}

// Check says what is wrong with a filter, in words for whoever typed it.
func (f Filter) Check() error {
	if f.Kind != "" && !slices.Contains(Kinds(), f.Kind) {
		return fmt.Errorf("unknown kind %q: the kinds are %s", f.Kind, join(Kinds()))
	}
	if f.Tail < 0 {
		return fmt.Errorf("a tail of %d entries", f.Tail)
	}
	return nil
}

func join(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}

// Select reads the entries that a filter picks, in order.
func (l *Ledger) Select(ctx context.Context, f Filter) iter.Seq2[Line, error] {
	if err := f.Check(); err != nil {
		return fails(err)
	}
	if f.Tail == 0 {
		return l.pick(ctx, f, false)
	}
	return func(yield func(Line, error) bool) {
		var last []Line // bounded by Tail
		for line, err := range l.pick(ctx, f, true) {
			if err != nil {
				yield(Line{}, err)
				return
			}
			if last = append(last, line); len(last) == f.Tail {
				break
			}
		}
		for _, line := range slices.Backward(last) {
			if !yield(line, nil) {
				return
			}
		}
	}
}

func (l *Ledger) pick(ctx context.Context, f Filter, down bool) iter.Seq2[Line, error] {
	all := l.whole(ctx, f.From, down)
	if f.Tenant != "" {
		all = l.index(ctx, f.Tenant, f.Run, f.From, down)
	}
	return func(yield func(Line, error) bool) {
		for line, err := range all {
			if err == nil && (f.Run != "" && line.Entry.Run != f.Run || f.Kind != "" && line.Entry.Kind != f.Kind) {
				continue
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// ShowJSON writes entries as they are stored, one a line: the bytes that are
// hashed are the bytes that are shown.
func ShowJSON(w io.Writer, lines iter.Seq2[Line, error]) error {
	out := bufio.NewWriter(w)
	for line, err := range lines {
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		// A bufio.Writer keeps its first error, and Flush returns it.
		_, _ = out.Write(line.Bytes)
		_ = out.WriteByte('\n')
	}
	return out.Flush()
}

// showBlock is how many lines share the widths of their columns, so that a long
// ledger is not held in memory to be laid out.
const showBlock = 1000

// Show writes entries as a table for people. What is not said is a dot.
func Show(w io.Writer, lines iter.Seq2[Line, error]) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	n := 0
	for line, err := range lines {
		if err == nil && n%showBlock == 0 {
			if err = t.Flush(); err == nil {
				_, err = fmt.Fprintln(t, "SEQ\tTIME\tRUN\tSTEP\tKIND\tTOOL\tTARGET\tRUNG\tRESULT\tSCORE\tLINE")
			}
		}
		if err == nil {
			n++
			_, err = fmt.Fprintln(t, row(&line.Entry))
		}
		if err != nil {
			return errors.Join(err, t.Flush())
		}
	}
	return t.Flush()
}

// columns of one line of the table, after the ones that every entry has.
type columns struct{ tool, target, rung, result, score, line string }

func row(e *Entry) string {
	c := shown(e)
	cells := []string{strconv.FormatUint(e.Seq, 10), shortTime(e.At), e.Run, strconv.Itoa(e.Step), string(e.Kind),
		c.tool, c.target, c.rung, c.result, c.score, c.line}
	for i, cell := range cells {
		if cell == "" {
			cells[i] = "."
		}
	}
	return strings.Join(cells, "\t")
}

// shortTime keeps the milliseconds: more is for machines, which read the JSON.
func shortTime(at string) string {
	t, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return at
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func shown(e *Entry) columns {
	switch e.Kind {
	case KindRunStarted:
		r := e.RunStarted
		return columns{target: r.Task, result: fmt.Sprintf("%s.%s for %s (%s)", r.Package, r.Policy, r.Agent, r.Mode)}
	case KindDecision:
		return shownDecision(e.Decision)
	case KindIntent:
		return columns{tool: e.Intent.Tool, target: e.Intent.Target, result: of("decision", e.Intent.Decision)}
	case KindOutcome:
		return columns{tool: e.Outcome.Tool, result: e.Outcome.Status + " " + of("intent", e.Outcome.Intent)}
	case KindVerification:
		v := e.Verification
		result := v.Verdict
		if v.Why != "" {
			result += ": " + v.Why
		}
		return columns{tool: v.By, result: result + " " + of("intent", v.Intent), line: v.Line}
	case KindEvidence:
		v := e.Evidence
		state := v.State
		if v.Not {
			state = "not " + state
		}
		return columns{target: v.Target, result: fmt.Sprintf("%s: %s (%s)", v.Belief, state, v.Class)}
	case KindRunEnded:
		result := e.RunEnded.End
		if e.RunEnded.Reason != "" {
			result += ": " + e.RunEnded.Reason
		}
		return columns{result: result}
	}
	return columns{}
}

func of(what string, seq uint64) string { return fmt.Sprintf("(%s %d)", what, seq) }

func shownDecision(d *Decision) columns {
	v := &d.Verdict
	c := columns{tool: d.Tool, target: d.Target, rung: v.Rung, result: v.Outcome + ": " + v.Reason, line: v.Line}
	if v.Score != nil {
		c.score = strconv.FormatInt(int64(*v.Score), 10)
	}
	var more []string
	if v.Fault != "" {
		more = append(more, v.Fault)
	}
	if v.Field != "" {
		more = append(more, v.Field)
	}
	if d.First != 0 {
		more = append(more, fmt.Sprintf("first %d", d.First))
	}
	more = append(more, v.Holds...)
	for _, f := range v.Flags {
		more = append(more, "flag "+f)
	}
	for _, f := range v.Failed {
		more = append(more, "failed "+f)
	}
	if len(more) > 0 {
		c.result += " (" + strings.Join(more, ", ") + ")"
	}
	return c
}
