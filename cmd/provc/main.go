// Command provc checks, formats, tests, proves and explains .prov packages, and
// compiles them to Go.
//
// Output: results go to stdout, diagnostics and progress to stderr; with --json
// the one result, findings included, goes to stdout. Exit code 0: fine. 1: what
// was asked about is not fine (findings, stale files, failed tests or proofs).
// 2: the call or the program is at fault.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// errNotFine is the answer of a command that worked and found something wrong:
// exit code 1, nothing more to say.
var errNotFine = errors.New("not fine")

// app is what all commands share.
type app struct {
	stdio
	json bool
}

func run(ctx context.Context, args []string, std stdio) int {
	a := &app{stdio: std}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	switch err := root.ExecuteContext(ctx); {
	case err == nil:
		return 0
	case errors.Is(err, errNotFine):
		return 1
	default:
		fmt.Fprintf(std.err, "provc: %v\n", err)
		return 2
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "provc",
		Short: "check, test, prove and explain .prov packages, and compile them to Go",
		Long: `provc reads .prov packages: the small files in which a policy author writes down
tools and their contracts, risk as tables, the bounds of an agent's loop, and who
approves. It checks them harder than a reviewer could, and compiles them to Go.

A package is the .prov files of one folder. Commands take folders and patterns:
./... is every package below this folder. Without one they take this folder.

Where to start:
  provc check            is it right? each fault with its place and what to change
  provc test             run the test blocks
  provc prove            enumerate every case of a risk table
  provc explain DIR TOOL how a score comes about
  provc gen              write the Go`,
		Example: `  provc check ./examples/...
  provc explain ./examples/incident disable_compliance_checks target.tier=tier1
  provc explain P401
  provc gen --check ./...`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			return c.Help()
		},
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as JSON on stdout")
	root.SetFlagErrorFunc(noFlag)
	root.AddCommand(a.check(), a.fmt(), a.gen(), a.test(), a.prove(), a.explain(), a.version())
	return root
}

// printJSON writes one value, indented, with a final line end.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
