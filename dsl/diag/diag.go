// Package diag holds the diagnostics of the language as typed values: a closed
// list of codes, one Report that collects, sorts and de-duplicates, and the
// renderers (text, JSON, SARIF).
//
// Wording, for everybody who adds a message:
//
//   - The message says what is wrong: lower case, no full stop, no blame.
//   - The primary span is the smallest token that is wrong.
//   - A note gives a fact that the reader may not know.
//   - Help says what to change, as an instruction.
//   - At most one "did you mean".
//   - One cause, one diagnostic.
package diag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/dsl/source"
)

// Severity of a code. Errors cannot be switched off; warnings can, with a reason.
type Severity uint8

const (
	Error Severity = iota + 1
	Warning
)

func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "invalid"
}

// Code is one kind of finding. The list is closed and append-only: a number is
// never used again for something else. It prints as P and three digits.
type Code uint16

func (c Code) String() string { return fmt.Sprintf("P%03d", uint16(c)) }

// Info documents a code. A test compiles Example and demands exactly this code,
// compiles Fixed and demands none, and docs/ERRORS.md is generated from it.
type Info struct {
	Code     Code
	Name     string   // the constant's name, e.g. "UnknownName"
	Severity Severity // of every diagnostic with this code
	Title    string   // one line, lower case
	Page     string   // what it means and why the rule stands, in plain sentences
	Example  string   // a smallest package (one file) that has it; "" only with Why
	Fixed    string   // the example with the fault mended; "" only with Why
	Why      string   // why there is no example in text (a NUL byte, two megabytes)
}

// Label points at a further place that belongs to a finding.
type Label struct {
	Span source.Span
	Text string
}

// Edit is a replacement that would mend the finding.
type Edit struct {
	Span source.Span
	New  string
}

// Diagnostic is one finding.
type Diagnostic struct {
	Code    Code
	Message string
	Span    source.Span // the smallest wrong token
	Label   string      // a few words under the underline; may be ""
	Related []Label
	Notes   []string
	Helps   []string
	Edit    *Edit // at most one
}

// Severity is the code's.
func (d *Diagnostic) Severity() Severity { return Lookup(d.Code).Severity }

// Note adds a fact and returns d.
func (d *Diagnostic) Note(format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
	return d
}

// Help adds an instruction and returns d.
func (d *Diagnostic) Help(format string, args ...any) *Diagnostic {
	d.Helps = append(d.Helps, fmt.Sprintf(format, args...))
	return d
}

// Under sets the words below the underline and returns d.
func (d *Diagnostic) Under(format string, args ...any) *Diagnostic {
	d.Label = fmt.Sprintf(format, args...)
	return d
}

// See adds a further place and returns d.
func (d *Diagnostic) See(span source.Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Label{Span: span, Text: fmt.Sprintf(format, args...)})
	return d
}

// DidYouMean proposes the candidate nearest to got as a replacement of the
// primary span, if one is near enough, and returns d.
func (d *Diagnostic) DidYouMean(got string, candidates []string) *Diagnostic {
	if best, ok := Nearest(got, candidates); ok {
		d.Edit = &Edit{Span: d.Span, New: best}
		d.Help("did you mean `%s`?", best)
	}
	return d
}

// Report collects findings. The zero value is ready for use.
type Report struct{ list []*Diagnostic }

// At adds a finding and returns it, so that notes and help can be chained.
func (r *Report) At(span source.Span, code Code, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Code: code, Message: fmt.Sprintf(format, args...), Span: span}
	r.list = append(r.list, d)
	return d
}

// Merge appends the findings of another report (passes that ran in parallel).
func (r *Report) Merge(o *Report) { r.list = append(r.list, o.list...) }

// Add appends findings that were made elsewhere.
func (r *Report) Add(list ...*Diagnostic) { r.list = append(r.list, list...) }

// Len is the number of findings so far.
func (r *Report) Len() int { return len(r.list) }

// HasErrors says whether any finding so far is an error.
func (r *Report) HasErrors() bool {
	return slices.ContainsFunc(r.list, func(d *Diagnostic) bool { return d.Severity() == Error })
}

// Sorted returns the findings by file, place and code, without duplicates
// (same code, place and message). It is called once, at the end.
func (r *Report) Sorted() []*Diagnostic {
	out := slices.Clone(r.list)
	name := func(s source.Span) string {
		if s.File == nil {
			return ""
		}
		return s.File.Name()
	}
	slices.SortStableFunc(out, func(a, b *Diagnostic) int {
		if c := strings.Compare(name(a.Span), name(b.Span)); c != 0 {
			return c
		}
		if a.Span.Start != b.Span.Start {
			return a.Span.Start - b.Span.Start
		}
		if a.Span.End != b.Span.End {
			return a.Span.End - b.Span.End
		}
		if a.Code != b.Code {
			return int(a.Code) - int(b.Code)
		}
		return strings.Compare(a.Message, b.Message)
	})
	return slices.CompactFunc(out, func(a, b *Diagnostic) bool {
		return a.Code == b.Code && a.Span == b.Span && a.Message == b.Message
	})
}
