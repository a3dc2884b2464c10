package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/gen"
)

func (a *app) gen() *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "gen [--check] [FOLDER|FOLDER/...]...",
		Short: "compile .prov packages to Go",
		Long: `gen writes NAME.prov.go beside each .prov package, and further files for a very
large one. Nothing is written unless every package compiles; files are replaced by
rename. The same input gives the same bytes.`,
		Example: `  provc gen ./...
  provc gen --check ./...    # exit 1 if a committed file is stale`,
		RunE: func(_ *cobra.Command, args []string) error {
			pkgs, err := a.compileOperands(args, compiler.Compile)
			if err != nil {
				return err
			}
			return a.generate(pkgs, check)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "write nothing; exit 1 if a generated file is stale")
	return c
}

// genResult is one package in the answer of `provc gen --json`.
type genResult struct {
	Package string   `json:"package"`
	Dir     string   `json:"dir"`
	Files   []string `json:"files"`
	Stale   []string `json:"stale"`   // missing, different or left over, and still so
	Written []string `json:"written"` // were missing or different
	Removed []string `json:"removed"` // were left over from an earlier package
}

// settle says of what was stale what became of it.
func (r *genResult) settle() {
	for _, name := range r.Stale {
		if slices.Contains(r.Files, name) {
			r.Written = append(r.Written, name)
		} else {
			r.Removed = append(r.Removed, name)
		}
	}
	r.Stale = []string{}
}

func (a *app) generate(pkgs []compiled, check bool) error {
	var results []genResult
	outputs := make([][]gen.File, len(pkgs))
	stale := false
	for i, p := range pkgs {
		files, err := gen.Package(p.program)
		if err != nil {
			return fmt.Errorf("generate %s: %w", p.dir, err)
		}
		outputs[i] = files
		committed, err := generatedIn(p.dir)
		if err != nil {
			return err
		}
		r := genResult{Package: p.program.Name, Dir: p.dir, Files: []string{}, Stale: []string{}, Written: []string{}, Removed: []string{}}
		for _, f := range files {
			r.Files = append(r.Files, path.Join(p.dir, f.Name))
		}
		for _, name := range gen.Check(files, committed) {
			r.Stale = append(r.Stale, path.Join(p.dir, name))
			stale = true
		}
		results = append(results, r)
	}
	if !check {
		for i, p := range pkgs {
			if err := gen.Write(filepath.FromSlash(p.dir), outputs[i]); err != nil {
				return err
			}
			results[i].settle()
		}
	}
	if err := a.showGenerated(results); err != nil {
		return err
	}
	if check && stale {
		return errNotFine
	}
	return nil
}

func (a *app) showGenerated(results []genResult) error {
	if a.json {
		return a.printJSON(struct {
			Packages []genResult `json:"packages"`
		}{results})
	}
	for _, r := range results {
		for _, name := range r.Stale {
			fmt.Fprintf(a.out, "stale: %s (run: provc gen %s)\n", name, r.Dir)
		}
		for _, name := range r.Written {
			fmt.Fprintln(a.out, name)
		}
		for _, name := range r.Removed {
			fmt.Fprintf(a.out, "removed: %s\n", name)
		}
	}
	return nil
}

// generatedIn reads the generated files that lie in a folder.
func generatedIn(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(filepath.FromSlash(dir))
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if e.Type()&fs.ModeType != 0 || !strings.HasSuffix(e.Name(), ".prov.go") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(filepath.FromSlash(dir), e.Name()))
		if err != nil {
			return nil, err
		}
		out[e.Name()] = b
	}
	return out, nil
}
