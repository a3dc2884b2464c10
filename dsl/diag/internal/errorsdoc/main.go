// Command errorsdoc writes docs/ERRORS.md: one page of all diagnostics, from the
// same table that `provc explain CODE` reads.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/provlang/prov/dsl/diag"
)

func main() { os.Exit(run(os.Args[1:])) }

// run writes the page to the file that its one argument names. Exit codes: 0
// written, 2 the call or the file system is at fault.
func run(args []string) int {
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: errorsdoc FILE")
		return 2
	}
	if err := os.WriteFile(args[0], page(diag.All()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// areas are the headings, by the first digit of a code.
var areas = map[diag.Code]string{
	1: "Text and syntax",
	2: "Names",
	3: "Types and origins",
	4: "Tables and risk",
	5: "Tools, agents, policies, lifecycles",
	6: "Evidence and beliefs",
	7: "Tests and proofs",
	9: "The compiler itself",
}

// page renders the codes, which are sorted by number.
func page(codes []diag.Info) []byte {
	var b bytes.Buffer
	b.WriteString(`<!-- Generated from dsl/diag by "go generate ./dsl/diag". Do not edit. -->

# Diagnostics

Every finding of ` + "`provc`" + ` has a code. The list is closed and append-only: a number keeps its meaning. Errors cannot
be switched off. ` + "`provc explain CODE`" + ` prints one of these pages.

| code | name | |
|---|---|---|
`)
	for _, in := range codes {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s: %s |\n", in.Code, anchor(in), in.Name, in.Severity, in.Title)
	}
	area := diag.Code(0)
	for _, in := range codes {
		if a := in.Code / 100; a != area {
			area = a
			fmt.Fprintf(&b, "\n## %s\n", areas[a])
		}
		fmt.Fprintf(&b, "\n### %s %s\n\n%s: %s.\n\n%s\n", in.Code, in.Name, capital(in.Severity.String()), in.Title, in.Page)
		if in.Example == "" {
			fmt.Fprintf(&b, "\nThere is no example here: %s.\n", in.Why)
			continue
		}
		fmt.Fprintf(&b, "\n```prov\n%s```\n\nMended:\n\n```prov\n%s```\n", line(in.Example), line(in.Fixed))
	}
	return b.Bytes()
}

func anchor(in diag.Info) string { return strings.ToLower(in.Code.String() + "-" + in.Name) }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// line ends a text with exactly one line end.
func line(s string) string { return strings.TrimRight(s, "\n") + "\n" }
