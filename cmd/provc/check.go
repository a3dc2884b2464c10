package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/dsl/diag"
)

func (a *app) check() *cobra.Command {
	var sarif bool
	c := &cobra.Command{
		Use:   "check [--sarif] [FOLDER|FOLDER/...]...",
		Short: "check .prov packages; show each fault with its place and what to change",
		Long: `check reads .prov packages and reports everything that is wrong with them: each
finding with its place, the words it is about, and what to change. It writes nothing.

A finding has a code; "provc explain CODE" is its page.`,
		Example: `  provc check
  provc check ./...
  provc check --sarif ./... > findings.sarif`,
		RunE: func(_ *cobra.Command, args []string) error {
			folders, err := load(args)
			if err != nil {
				return err
			}
			pkgs, report := compileAll(folders, compiler.Compile)
			list := report.Sorted()
			switch {
			case sarif:
				err = diag.WriteSARIF(a.out, list, diag.Tool{Name: "provc", Version: buildVersion()})
			case a.json:
				err = diag.WriteJSON(a.out, list)
			default:
				a.showFindings(report)
				for _, p := range pkgs {
					fmt.Fprintf(a.out, "ok    %s  (%s, %s, %s, %s, %s)\n", p.dir,
						plural(len(p.files), "file"), plural(len(p.program.Tools), "tool"), policies(len(p.program.Policies)),
						plural(len(p.program.Tests), "test"), plural(len(p.program.Proofs), "proof"))
				}
			}
			if err != nil {
				return err
			}
			if report.HasErrors() {
				return errNotFine
			}
			return nil
		},
	}
	c.Flags().BoolVar(&sarif, "sarif", false, "print the findings as SARIF 2.1.0 on stdout")
	return c
}

func policies(n int) string {
	if n == 1 {
		return "1 policy"
	}
	return fmt.Sprintf("%d policies", n)
}
