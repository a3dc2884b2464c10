// Command provd runs governed agents under the policies that are linked into it,
// and reads the ledger of what was decided.
//
// Output: results go to stdout, diagnostics and progress to stderr; with --json
// the one result goes to stdout. Exit code 0: fine. 1: what was asked about is
// not fine (a run that was refused, ran into a bound, or failed). 2: the call or
// the program is at fault.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], stdio{out: os.Stdout, err: os.Stderr}, time.Now)
	stop()
	os.Exit(code)
}

// stdio is where a command writes.
type stdio struct{ out, err io.Writer }

// errNotFine is the answer of a command that worked and has bad news: exit code
// 1, nothing more to say.
var errNotFine = errors.New("not fine")

// app is what all commands share.
type app struct {
	stdio
	clock func() time.Time
	json  bool
	data  string // folder of the store
}

func run(ctx context.Context, args []string, std stdio, clock func() time.Time) int {
	a := &app{stdio: std, clock: clock}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(std.out)
	root.SetErr(std.err)
	switch err := root.ExecuteContext(ctx); {
	case err == nil:
		return 0
	case errors.Is(err, errNotFine):
		return 1
	default:
		fmt.Fprintf(std.err, "provd: %v\n", err)
		return 2
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "provd",
		Short: "run governed agents, and read the ledger of what was decided",
		Long: `provd runs agents under .prov policies: a bounded loop in which a model proposes and
code decides, with an exact reason for every refusal and a ledger of every decision.

The policies are linked into this program as generated Go ("provc gen"); the list is
"provd version". Its store lies in the folder that --data names.`,
		Example: `  provd run examples/incident
  provd ledger show --run run-000001
  provd run examples/intake --json --data /var/lib/prov`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as JSON on stdout")
	root.PersistentFlags().StringVar(&a.data, "data", ".prov", "the folder of the store; it is made where it does not exist")
	root.SetFlagErrorFunc(noFlag)
	root.AddCommand(a.run(), a.ledger(), a.version())
	return root
}

// printJSON writes one value, indented, with a final line end.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "say which provd this is, and which policies it has",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				v = info.Main.Version
			}
			type pkg struct {
				Name     string   `json:"name"`
				Digest   string   `json:"digest"`
				Policies []string `json:"policies"`
			}
			out := struct {
				Version  string `json:"version"`
				Go       string `json:"go"`
				Packages []pkg  `json:"packages"`
			}{Version: v, Go: runtime.Version()}
			for _, l := range linked() {
				p := pkg{Name: l.name, Digest: l.digest}
				for _, open := range l.deployment.Policies {
					pol, err := open()
					if err != nil {
						return fmt.Errorf("linked package %s: %w", l.name, err)
					}
					p.Policies = append(p.Policies, pol.Name())
				}
				out.Packages = append(out.Packages, p)
			}
			if a.json {
				return a.printJSON(out)
			}
			fmt.Fprintf(a.out, "provd %s %s\n", out.Version, out.Go)
			for _, p := range out.Packages {
				fmt.Fprintf(a.out, "  %-10s %s  %v\n", p.Name, p.Digest, p.Policies)
			}
			return nil
		},
	}
}
