package main

import (
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
)

func (a *app) prove() *cobra.Command {
	return &cobra.Command{
		Use:   "prove [FOLDER|FOLDER/...]...",
		Short: "enumerate every cell of the risk tables for each prove block",
		Long: `prove takes each prove block and tries every cell of the risk tables it speaks of:
every tool with every member of every factor. Where one breaks it, the smallest
counter-example is shown with its sum.`,
		Example: `  provc prove ./examples/incident`,
		RunE: func(_ *cobra.Command, args []string) error {
			pkgs, err := a.compileOperands(args, compiler.Unproved)
			if err != nil {
				return err
			}
			out := tallied{Results: []testResult{}}
			for _, p := range pkgs {
				for _, r := range interp.New(p.program).Prove() {
					res := testResult{
						Package: p.program.Name,
						Title:   r.Proof.Title,
						Place:   p.place(r.Proof.Pos),
						Passed:  r.Passed,
						Cells:   r.Cells,
					}
					if !r.Passed {
						res.Detail = r.String()
					}
					out.add(res)
				}
			}
			return a.showTally(out)
		},
	}
}

// place is file:line as the caller spelled the folder.
func (c *compiled) place(p ir.Pos) string {
	return fmt.Sprintf("%s:%d", path.Join(c.dir, path.Base(p.File)), p.Line)
}
