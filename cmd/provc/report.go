package main

import (
	"fmt"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
)

// compiled is a package that compiled.
type compiled struct {
	folder
	program *ir.Program
}

// compileAll compiles every folder. All findings of all folders are in the
// report; the packages are complete only where it has no errors. How is
// compiler.Compile, or compiler.Unproved for a command that goes on where a proof
// fails.
func compileAll(folders []folder, how func([]compiler.File) compiler.Result) ([]compiled, *diag.Report) {
	all := &diag.Report{}
	var out []compiled
	for _, f := range folders {
		res := how(f.files)
		all.Merge(res.Report)
		if res.Program != nil {
			out = append(out, compiled{f, res.Program})
		}
	}
	return out, all
}

// compileOperands loads and compiles. Where there are errors it has shown them,
// and the answer is errNotFine; warnings are shown and pass.
func (a *app) compileOperands(operands []string, how func([]compiler.File) compiler.Result) ([]compiled, error) {
	folders, err := load(operands)
	if err != nil {
		return nil, err
	}
	pkgs, report := compileAll(folders, how)
	if report.HasErrors() {
		return nil, a.fail(report)
	}
	if !a.json {
		a.showFindings(report)
	}
	return pkgs, nil
}

// fail shows findings as the answer of the command and says that it is not fine.
func (a *app) fail(report *diag.Report) error {
	if a.json {
		if err := diag.WriteJSON(a.out, report.Sorted()); err != nil {
			return err
		}
		return errNotFine
	}
	a.showFindings(report)
	return errNotFine
}

// showFindings prints findings for people, on stderr, with a closing count.
func (a *app) showFindings(report *diag.Report) {
	list := report.Sorted()
	if len(list) == 0 {
		return
	}
	if err := diag.WriteText(a.err, list, diag.TextOptions{}); err != nil {
		return // nobody is there to read
	}
	errs, warnings := tally(list)
	fmt.Fprintf(a.err, "\n%s\n", counted(errs, warnings))
}

func tally(list []*diag.Diagnostic) (errs, warnings int) {
	for _, d := range list {
		if d.Severity() == diag.Error {
			errs++
		} else {
			warnings++
		}
	}
	return errs, warnings
}

func counted(errs, warnings int) string {
	return plural(errs, "error") + ", " + plural(warnings, "warning")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
