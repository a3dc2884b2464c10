package timeline

import (
	"fmt"
	"io"

	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/policy"
)

// Summary writes one line a task: how it ended, and why.
func Summary(w io.Writer, results []host.Result) error {
	name, end := len("task"), len("escalated")
	for i := range results {
		name = max(name, len(results[i].Task))
	}
	if _, err := fmt.Fprintf(w, "\n%-*s  %-*s  %5s  %5s  %s\n", name, "task", end, "end", "steps", "calls", "why"); err != nil {
		return err
	}
	for i := range results {
		r := &results[i]
		why := r.Why
		if r.Reason != policy.NoReason {
			why = r.Reason.String()
		}
		if r.Err != nil {
			why = r.Err.Error()
		}
		_, err := fmt.Fprintf(w, "%-*s  %-*s  %5d  %5d  %s\n", name, r.Task, end, r.End, r.Steps, r.Usage.ModelCalls, why)
		if err != nil {
			return err
		}
	}
	return nil
}
