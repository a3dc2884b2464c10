// Package compiler turns a package of .prov files into one closed program.
// Compile is the list of passes; each stands where it does for the reason given.
package compiler

import (
	"github.com/provlang/prov/compiler/ir"
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
