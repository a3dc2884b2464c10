// Package compiler turns a package of .prov files into one closed program.
// Compile is the list of passes; each stands where it does for the reason given.
package compiler

import (
	"github.com/provlang/prov/compiler/analysis"
	"github.com/provlang/prov/compiler/check"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/lower"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/diag"
)

// File is one source file: a slash-separated name and its bytes as read.
type File struct {
	Name string
	Text []byte
}

// Result of a compilation. Program is nil exactly where Report has errors.
type Result struct {
	Program *ir.Program
	Report  *diag.Report
}

// Compile compiles the files of one package. Their order means nothing. It does
// not fail: a fault of the author is a diagnostic, and a fault of the compiler
// is one as well (diag.Internal), caught here and nowhere else.
func Compile(files []File) Result { return compile(files, true) }

// Unproved is Compile without its last pass: the program of a package whose
// proofs may fail, for those who want to show how (`provc prove`).
func Unproved(files []File) Result { return compile(files, false) }

func compile(files []File, proofs bool) Result {
	d := newDriver(files)

	// Parse each file by itself, in parallel: nothing about a file's text depends
	// on another's, and this is where most of the time goes.
	d.parse()

	// Resolve before anything asks what a name means. It sees the whole package at
	// once, so that a name may be used before and in another file than it is
	// declared. Declarations that did not parse are known by name alone.
	var names *resolve.Package
	d.pass("resolve", func() { names = resolve.Run(d.trees, d.lost, d.report) })

	// Check after resolve and although it may have found faults: what it could not
	// link is skipped, so a file shows the faults of all its declarations at once.
	var facts *check.Info
	d.pass("check", func() { facts = check.Run(names, d.report) })

	// From here on the package is right, or there is no program. Lowering decides
	// nothing, so it must not see what was found wrong.
	if d.report.HasErrors() {
		return d.failed()
	}
	var low *lower.Result
	d.pass("lower", func() { low = lower.Run(facts, d.digest) })

	// Findings about the whole program come last: they ask about paths, cells and
	// conditions with every name, type and number known, and would be noise in a
	// package that has a fault anyway.
	d.pass("analysis", func() { analysis.Run(low, facts, d.report) })

	// Proofs are about a program with no other fault: they enumerate its tables. A
	// package whose proof fails is not what its author says that it is.
	if proofs && !d.report.HasErrors() {
		d.pass("prove", func() { prove(low, d.report) })
	}
	if d.report.HasErrors() {
		return d.failed()
	}
	return Result{Program: low.Program, Report: d.report}
}
