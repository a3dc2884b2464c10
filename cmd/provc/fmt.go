package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/printer"
	"github.com/provlang/prov/dsl/source"
)

func (a *app) fmt() *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "fmt [--check] [FOLDER|FOLDER/...|-]...",
		Short: "rewrite .prov files in their canonical form",
		Long: `fmt rewrites the .prov files of the given packages in the one canonical form and
prints the names of those that it changed. A file that does not parse is left
as it is. With - it formats stdin to stdout.`,
		Example: `  provc fmt ./...
  provc fmt --check ./...    # name what would change, exit 1 if anything would
  provc fmt - < draft.prov`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "-" {
				return a.fmtStdin()
			}
			return a.fmtFolders(args, check)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "change nothing; exit 1 if a file is not in canonical form")
	return c
}

func (a *app) fmtStdin() error {
	text, err := io.ReadAll(io.LimitReader(a.in, parser.MaxBytes+1))
	if err != nil {
		return fmt.Errorf("read stdin: %w", err)
	}
	out, report := format("<stdin>", text)
	if report.HasErrors() {
		return a.fail(report)
	}
	_, err = a.out.Write(out)
	return err
}

// fmtResult is one file in the answer of `provc fmt --json`.
type fmtResult struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"` // or would be, with --check
}

func (a *app) fmtFolders(args []string, check bool) error {
	folders, err := load(args)
	if err != nil {
		return err
	}
	// Everything is formatted before anything is written.
	var all diag.Report
	var results []fmtResult
	formatted := map[string][]byte{}
	changed := false
	for _, f := range folders {
		for _, file := range f.files {
			out, report := format(file.Name, file.Text)
			all.Merge(report)
			if report.HasErrors() {
				continue
			}
			differs := !bytes.Equal(out, file.Text)
			results = append(results, fmtResult{file.Name, differs})
			if differs {
				changed = true
				formatted[file.Name] = out
			}
		}
	}
	if all.HasErrors() {
		return a.fail(&all)
	}
	if !check {
		for _, r := range results {
			if out, ok := formatted[r.File]; ok {
				if err := replaceFile(filepath.FromSlash(r.File), out); err != nil {
					return err
				}
			}
		}
	}
	if a.json {
		if err := a.printJSON(struct {
			Files []fmtResult `json:"files"`
		}{results}); err != nil {
			return err
		}
	} else {
		for _, r := range results {
			if r.Changed {
				fmt.Fprintln(a.out, r.File)
			}
		}
	}
	if check && changed {
		return errNotFine
	}
	return nil
}

func format(name string, text []byte) ([]byte, *diag.Report) {
	report := &diag.Report{}
	tree := parser.ParseFile(source.NewFile(name, string(text)), report)
	if report.HasErrors() {
		return nil, report
	}
	return printer.Print(tree), report
}

// replaceFile writes by rename, so a reader sees the old file or the new one. It
// keeps the file's permissions.
func replaceFile(name string, content []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already where the rename worked
	if _, err := tmp.Write(content); err != nil {
		tmp.Close()
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := tmp.Chmod(info.Mode().Perm()); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return os.Rename(tmp.Name(), name)
}
