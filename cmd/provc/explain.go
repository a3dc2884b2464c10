package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/diag"
)

func (a *app) explain() *cobra.Command {
	var policy string
	c := &cobra.Command{
		Use:   "explain CODE | explain FOLDER [TOOL [FACTOR=MEMBER]...]",
		Short: "explain a finding's code, or how a tool's score comes about",
		Long: `explain CODE prints the page of a finding: what it means, why the rule stands, an
example, and the example mended.

explain FOLDER TOOL prints the sum of a tool's score as a person would write it. What
the contract says is known; say for the rest which member you mean. Without a TOOL it
lists the tools.`,
		Example: `  provc explain P300
  provc explain ./examples/incident disable_compliance_checks target.tier=tier1`,
		RunE: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return errors.New("explain what? Name a finding's code, such as: provc explain P300; or a folder and a tool, such as: provc explain ./examples/incident rollback_config target.tier=tier2")
			case 1:
				if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
					return a.explainFolder(args[0])
				}
				return a.explainCode(args[0])
			}
			return a.explainScore(args[0], args[1], policy, args[2:])
		},
	}
	c.Flags().StringVar(&policy, "policy", "", "whose risk table, where the package has several")
	return c
}

func (a *app) explainCode(text string) error {
	code, ok := diag.ParseCode(text)
	if !ok {
		var known []string
		for _, in := range diag.All() {
			known = append(known, in.Code.String())
		}
		if near, ok := diag.Nearest(strings.ToUpper(text), known); ok {
			return fmt.Errorf("there is no code %s; did you mean %s?", text, near)
		}
		return fmt.Errorf("there is no code %s; codes look like P300, and docs/ERRORS.md lists them. To explain a score, name a folder and a tool", text)
	}
	in := diag.Lookup(code)
	if a.json {
		return a.printJSON(struct {
			Code     string `json:"code"`
			Name     string `json:"name"`
			Severity string `json:"severity"`
			Title    string `json:"title"`
			Page     string `json:"page"`
			Example  string `json:"example,omitempty"`
			Fixed    string `json:"fixed,omitempty"`
		}{in.Code.String(), in.Name, in.Severity.String(), in.Title, in.Page, in.Example, in.Fixed})
	}
	fmt.Fprintf(a.out, "%s %s: %s\n\n%s\n", in.Code, in.Severity, in.Title, strings.TrimSpace(in.Page))
	for _, part := range []struct{ head, text string }{{"For example", in.Example}, {"Mended", in.Fixed}} {
		if part.text != "" {
			fmt.Fprintf(a.out, "\n%s:\n\n%s\n", part.head, indent(part.text))
		}
	}
	return nil
}

func indent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "\n")
}

// explainFolder lists what can be explained of a package.
func (a *app) explainFolder(dir string) error {
	p, err := a.compileOne(dir)
	if err != nil {
		return err
	}
	names := []string{}
	for _, t := range p.Tools {
		names = append(names, t.Name)
	}
	if a.json {
		return a.printJSON(struct {
			Package string   `json:"package"`
			Tools   []string `json:"tools"`
		}{p.Name, names})
	}
	if len(names) == 0 {
		_, err := fmt.Fprintf(a.out, "package %s has no tools\n", p.Name)
		return err
	}
	_, err = fmt.Fprintf(a.out, "The tools of package %s:\n\n  %s\n\nFor the sum of one tool's score: provc explain %s TOOL\n",
		p.Name, strings.Join(names, "\n  "), dir)
	return err
}

// compileOne compiles a folder that is one package.
func (a *app) compileOne(dir string) (*ir.Program, error) {
	pkgs, err := a.compileOperands([]string{dir}, compiler.Unproved)
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("explain takes one folder; %s is %d packages", dir, len(pkgs))
	}
	return pkgs[0].program, nil
}

func (a *app) explainScore(dir, tool, policy string, assignments []string) error {
	p, err := a.compileOne(dir)
	if err != nil {
		return err
	}
	t, err := findTool(p, tool)
	if err != nil {
		return err
	}
	risk, err := riskOf(p, t, policy)
	if err != nil {
		return err
	}
	given := map[string]string{}
	for _, as := range assignments {
		name, member, ok := strings.Cut(as, "=")
		if !ok {
			return fmt.Errorf("%q is not FACTOR=MEMBER, such as target.tier=tier1", as)
		}
		if before, twice := given[name]; twice {
			return fmt.Errorf("%s is given twice, as %s and as %s; a factor has one member", name, before, member)
		}
		given[name] = member
	}
	sum, err := interp.New(p).Explain(t, risk, given)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(sum)
	}
	_, err = fmt.Fprint(a.out, sum.String())
	return err
}

func findTool(p *ir.Program, name string) (*ir.Tool, error) {
	var names []string
	for _, t := range p.Tools {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return nil, fmt.Errorf("package %s has no tool %s%s", p.Name, name, suggestion(name, names))
}

// riskOf finds the one table that scores a tool: the policy's, or that of the
// only policies which list the tool.
func riskOf(p *ir.Program, t *ir.Tool, policy string) (*ir.Risk, error) {
	var names []string
	var found []*ir.Risk
	var users []string
	for _, pol := range p.Policies {
		names = append(names, pol.Name)
		if policy != "" && pol.Name != policy {
			continue
		}
		if slices.Contains(pol.Tools, t) && pol.Risk != nil {
			users = append(users, pol.Name)
			if !slices.Contains(found, pol.Risk) {
				found = append(found, pol.Risk)
			}
		}
	}
	if policy != "" && !slices.Contains(names, policy) {
		return nil, fmt.Errorf("package %s has no policy %s%s", p.Name, policy, suggestion(policy, names))
	}
	switch {
	case len(found) == 1:
		if found[0].BaseOf(t) == nil {
			return nil, fmt.Errorf("%s only reads: it has no score, and is allowed unless something says no", t.Name)
		}
		return found[0], nil
	case len(found) == 0:
		return nil, fmt.Errorf("no risk table scores %s: it is allowed unless something says no", t.Name)
	}
	return nil, fmt.Errorf("several tables score %s; say --policy with one of %s", t.Name, strings.Join(users, ", "))
}

func suggestion(got string, known []string) string {
	if near, ok := diag.Nearest(got, known); ok {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return "; it has " + strings.Join(known, ", ")
}
