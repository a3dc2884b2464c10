package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
)

func (a *app) test() *cobra.Command {
	return &cobra.Command{
		Use:   "test [FOLDER|FOLDER/...]...",
		Short: "run the test blocks of .prov packages",
		Long: `test runs every test block on the reference evaluator: the registry that the test
gives, the proposal, and what is expected of it. For a failure it prints what was
given, what was expected and what came out.`,
		Example: `  provc test ./examples/incident
  provc test ./...`,
		RunE: func(_ *cobra.Command, args []string) error {
			pkgs, err := a.compileOperands(args, compiler.Unproved)
			if err != nil {
				return err
			}
			return a.runTests(pkgs)
		},
	}
}

// testResult is one test or proof in the answer of --json.
type testResult struct {
	Package string `json:"package"`
	Title   string `json:"title"`
	Place   string `json:"place"` // file:line
	Passed  bool   `json:"passed"`
	Cells   int    `json:"cells,omitempty"` // proofs: how many were enumerated
	Detail  string `json:"detail,omitempty"`
}

// tallied is the answer of `provc test` and `provc prove`.
type tallied struct {
	Passed  int          `json:"passed"`
	Failed  int          `json:"failed"`
	Results []testResult `json:"results"`
}

func (t *tallied) add(r testResult) {
	if r.Passed {
		t.Passed++
	} else {
		t.Failed++
	}
	t.Results = append(t.Results, r)
}

func (a *app) runTests(pkgs []compiled) error {
	out := tallied{Results: []testResult{}}
	for _, p := range pkgs {
		for _, r := range interp.New(p.program).RunTests() {
			res := testResult{
				Package: p.program.Name,
				Title:   r.Test.Title,
				Place:   p.place(r.Test.Pos),
				Passed:  r.Passed,
			}
			if !r.Passed {
				res.Detail = r.String()
			}
			out.add(res)
		}
	}
	return a.showTally(out)
}

// showTally prints what failed, then the count in one line.
func (a *app) showTally(t tallied) error {
	if a.json {
		if err := a.printJSON(t); err != nil {
			return err
		}
	} else {
		for _, r := range t.Results {
			switch {
			case !r.Passed:
				fmt.Fprintf(a.out, "FAIL  %s  %q\n%s\n", r.Place, r.Title, r.Detail)
			case r.Cells > 0:
				fmt.Fprintf(a.out, "ok    %s  %q  (%d cells)\n", r.Place, r.Title, r.Cells)
			default:
				fmt.Fprintf(a.out, "ok    %s  %q\n", r.Place, r.Title)
			}
		}
		fmt.Fprintf(a.out, "%d passed, %d failed\n", t.Passed, t.Failed)
	}
	if t.Failed > 0 {
		return errNotFine
	}
	return nil
}
