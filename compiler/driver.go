package compiler

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

// driver holds what goes from pass to pass, and catches what must not happen.
type driver struct {
	files  []*source.File // sorted by name
	digest [32]byte
	report *diag.Report
	trees  []*ast.File
	lost   []resolve.LostName // declarations that did not parse
	broken bool               // a pass gave up; the ones after it are left out
}

func newDriver(files []File) *driver {
	sorted := sortFiles(files)
	d := &driver{digest: Digest(files), report: &diag.Report{}}
	for _, f := range sorted {
		d.files = append(d.files, source.NewFile(f.Name, string(f.Text)))
	}
	return d
}

// sortFiles orders by name. Two files of one name cannot come from a folder; by
// their text they have an order all the same, so that it never depends on the
// caller.
func sortFiles(files []File) []File {
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b File) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), bytes.Compare(a.Text, b.Text))
	})
	return sorted
}

// Digest names a package by its sources: SHA-256 over a header, and then for
// each file, sorted by name, its name, the length of its text, the text and a line
// end. The length keeps two different packages from running into the same bytes.
// The name is the file's own, without its folder: a package that moved is the same.
func Digest(files []File) [32]byte {
	h := sha256.New()
	h.Write([]byte("prov package 1\n"))
	for _, f := range sortFiles(files) {
		h.Write([]byte(path.Base(f.Name) + "\n" + strconv.Itoa(len(f.Text)) + "\n"))
		h.Write(f.Text)
		h.Write([]byte("\n"))
	}
	return [32]byte(h.Sum(nil))
}

// parse parses all files, on as many processors as there are, and puts trees and
// findings together in the order of the files.
func (d *driver) parse() {
	type result struct {
		tree   *ast.File
		report diag.Report
		panic  any
	}
	if len(d.files) == 0 {
		d.report.At(source.Span{}, diag.MissingPackage, "there is no .prov file, so there is no package").
			Help("write one that starts with `package NAME`")
	}
	results := make([]result, len(d.files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(d.files)) {
		wg.Go(func() {
			for i := range next {
				r := &results[i]
				r.panic = caught(func() { r.tree = parser.ParseFile(d.files[i], &r.report) })
			}
		})
	}
	for i := range d.files {
		next <- i
	}
	close(next)
	wg.Wait()
	for i := range results {
		r := &results[i]
		d.report.Merge(&r.report)
		if r.panic != nil {
			d.internal("parse", d.files[i], r.panic)
			continue
		}
		d.trees = append(d.trees, r.tree)
		if r.report.HasErrors() {
			d.lost = append(d.lost, lostNames(d.files[i], r.tree, &r.report)...)
		}
	}
}

// pass runs one pass over the whole package. A panic is a fault of the compiler:
// it becomes one diagnostic that names the pass, and ends the compilation.
func (d *driver) pass(name string, run func()) {
	if d.broken || len(d.files) == 0 {
		return
	}
	if p := caught(run); p != nil {
		d.internal(name, d.files[0], p)
	}
}

// caught runs f and returns what it panicked with.
func caught(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

func (d *driver) internal(pass string, file *source.File, p any) {
	d.broken = true
	d.report.At(file.Span(0, 0), diag.Internal, "internal error in pass %s: %v", pass, p).
		Note("this is a fault of the compiler, not of the package; nothing was written").
		Help("report it with the smallest package that shows it")
}

func (d *driver) failed() Result { return Result{Report: d.report} }

// Heads of declarations, as they look in a file with a fault: a keyword at the
// start of a line, with a name or without one, in column one or with a `{` or `=`
// behind it (an indented `agent NAME` is a statement of a policy); and a word in
// column one that is no keyword, with a name behind it, or with what follows one.
var (
	head     = regexp.MustCompile(`(?m)^([ \t]*)(enum|trait|type|entity|lifecycle|tool|risk|approval|agent|policy|evidence|belief|workflow)\b[ \t]*(?:"?([A-Za-z][A-Za-z0-9_]*))?([^\n{=]*[{=])?`)
	mistyped = regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z0-9_]*)[ \t]+(?:"?([A-Za-z][A-Za-z0-9_]*)|[{=])`)
)

// keywords are the words that a line in column one starts with by right.
var keywords = map[string]bool{
	"package": true, "enum": true, "trait": true, "type": true, "entity": true, "lifecycle": true, "tool": true,
	"risk": true, "approval": true, "agent": true, "policy": true, "evidence": true, "belief": true,
	"workflow": true, "standing": true, "test": true, "prove": true,
}

// lostNames lists the names that a file seems to declare and its tree does not
// have. They are known to exist, so that a fault in one declaration does not
// make every use of its name a fault as well.
func lostNames(f *source.File, tree *ast.File, report *diag.Report) []resolve.LostName {
	have := make(map[string]bool)
	if tree != nil {
		for _, decl := range tree.Decls {
			if id := decl.DeclName(); id != nil {
				have[id.Name] = true
			}
		}
	}
	var lost []resolve.LostName
	add := func(keyword, name string) {
		if !have[name] {
			have[name] = true
			lost = append(lost, resolve.LostName{Keyword: keyword, Name: name})
		}
	}
	for _, m := range head.FindAllStringSubmatch(f.Text(), -1) {
		switch keyword, name := m[2], m[3]; {
		case m[1] != "" && m[4] == "":
			// A statement.
		case name == "" || name == "on":
			// An `on` in a name's place is what follows the name.
			lost = append(lost, resolve.LostName{Keyword: keyword})
		default:
			add(keyword, name)
		}
	}
	for _, d := range report.Sorted() {
		if d.Code == diag.OutsideDeclaration {
			add("", d.Span.Text()) // the parser found a name without a keyword
		}
	}
	for _, m := range mistyped.FindAllStringSubmatch(f.Text(), -1) {
		switch first, second := m[1], m[2]; {
		case keywords[first]:
		case second == "" || second == "on":
			add("", first) // the keyword is missing
		default:
			add("", second) // the keyword is not one
		}
	}
	return lost
}
