package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/timeline"
)

func (a *app) run() *cobra.Command {
	var tasks []string
	c := &cobra.Command{
		Use:   "run FOLDER",
		Short: "run a folder's tasks under its policy; print what happened as a timeline",
		Long: `run reads a folder's registry.json, tasks.json and scripted models, runs each task in
order, and prints a timeline: what was proposed in each step, at which rung it was
decided and why, the score and its parts, what was done, and how it was verified; then
how the run ended. Every decision is in the ledger before anything is done.

The folder's .prov files must be the ones that this program was built from.

Exit code 0: every run was completed, or waits for a person. 1: a run was refused, ran
into a bound, or failed.`,
		Example: `  provd run examples/incident
  provd run examples/intake --task happy-path
  provd run examples/incident --json`,
		RunE: func(c *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return errors.New("run which folder? Name one, such as: provd run examples/incident")
			case 1:
			default:
				return fmt.Errorf("run takes one folder, and here are %d; run them one after another", len(args))
			}
			return a.runFolder(c.Context(), args[0], tasks)
		},
	}
	c.Flags().StringArrayVar(&tasks, "task", nil, "only this task, by id; may be given more than once")
	return c
}

// runResult is one task in the answer of `provd run --json`.
type runResult struct {
	Task   string       `json:"task"`
	Run    string       `json:"run"`
	End    loop.End     `json:"end"`
	Reason string       `json:"reason,omitempty"` // of the closed list of reasons
	Why    string       `json:"why,omitempty"`    // one sentence
	Steps  int64        `json:"steps"`
	Usage  ledger.Usage `json:"usage"`
	Error  string       `json:"error,omitempty"`
	Events []loop.Event `json:"events"`
}

func (a *app) runFolder(ctx context.Context, dir string, tasks []string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	folder := os.DirFS(dir)
	link, err := linkFor(folder, filepath.ToSlash(filepath.Clean(dir)))
	if err != nil {
		return err
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		h, err := host.Open(host.Options{
			Folder:     folder,
			Deployment: link.deployment,
			Ledger:     l,
			Clock:      a.clock,
			Only:       tasks,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		return a.runTasks(ctx, h)
	})
}

func (a *app) runTasks(ctx context.Context, h *host.Host) error {
	tl := timeline.New(a.out, h.Policy)
	events := map[string][]loop.Event{}
	results, err := h.Run(ctx, func(e loop.Event) {
		if a.json {
			events[e.Entry.Run] = append(events[e.Entry.Run], e)
			fmt.Fprintf(a.err, "%s step %d: %s\n", e.Entry.Run, e.Entry.Step, e.Entry.Kind)
			return
		}
		tl.Observe(e)
	})
	if err := errors.Join(err, tl.Err()); err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(struct {
			Runs []runResult `json:"runs"`
		}{runResults(results, events)})
	} else {
		err = timeline.Summary(a.out, results)
	}
	if err != nil {
		return err
	}
	for _, r := range results {
		if r.Err != nil {
			fmt.Fprintf(a.err, "provd: %v\n", r.Err) // it names the task
		}
		if r.Err != nil || !fine(r.End) {
			err = errNotFine
		}
	}
	return err
}

func runResults(results []host.Result, events map[string][]loop.Event) []runResult {
	out := make([]runResult, 0, len(results))
	for _, r := range results {
		rr := runResult{Task: r.Task, Run: r.Run, End: r.End, Why: r.Why, Steps: r.Steps, Usage: r.Usage, Events: events[r.Run]}
		if r.Reason != 0 {
			rr.Reason = r.Reason.String()
		}
		if r.Err != nil {
			rr.Error = r.Err.Error()
		}
		out = append(out, rr)
	}
	return out
}

// fine says that a run came to its end by itself or waits for a person: nothing
// was refused, cut off or broken.
func fine(end loop.End) bool {
	switch end {
	case loop.Completed, loop.Held, loop.Escalated:
		return true
	}
	return false
}
