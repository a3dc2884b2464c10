package timeline

import (
	"encoding/json"
	"io"

	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
)

// Lines writes events for programs: one JSON object a line, as loop.Event has it.
type Lines struct {
	enc *json.Encoder
	err error
}

// NewLines writes to w.
func NewLines(w io.Writer) *Lines {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &Lines{enc: enc}
}

// Observe writes one event.
func (l *Lines) Observe(e loop.Event) {
	if l.err == nil {
		l.err = l.enc.Encode(&e)
	}
}

// Err is the first error of writing. What comes after it is not written.
func (l *Lines) Err() error { return l.err }

// Report is how one task ended, for programs. Its members are stable.
type Report struct {
	Task   string       `json:"task"`
	Run    string       `json:"run,omitempty"` // "" where the task could not begin
	End    string       `json:"end"`
	Reason string       `json:"reason,omitempty"`
	Why    string       `json:"why,omitempty"`
	Error  string       `json:"error,omitempty"` // of a run that failed
	Steps  int64        `json:"steps"`
	Usage  ledger.Usage `json:"usage"`
}

// Reports of the results of a folder, in its order.
func Reports(results []host.Result) []Report {
	list := make([]Report, 0, len(results))
	for i := range results {
		r := &results[i]
		rep := Report{Task: r.Task, Run: r.Run, End: string(r.End), Why: r.Why, Steps: r.Steps, Usage: r.Usage}
		if r.Reason != policy.NoReason {
			rep.Reason = r.Reason.String()
		}
		if r.Err != nil {
			rep.Error = r.Err.Error()
		}
		list = append(list, rep)
	}
	return list
}
