package host

import (
	"errors"
	"fmt"
	"slices"

	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/policy"
)

// check finds what is wrong with a task before any task begins: whatever the
// loop would not begin with, and whoever or whatever the registry does not know.
// Nobody joins the registry or leaves it during a run, so what is found now is
// found later.
func (h *Host) check(t *task) error {
	if !h.registry.HasTenant(t.Tenant) {
		return fmt.Errorf(".tenant: there is nothing of a tenant %q in %s", t.Tenant, RegistryFile)
	}
	if _, ok := h.registry.Agent(t.Tenant, t.Agent); !ok {
		return fmt.Errorf(".agent: tenant %s has no agent %q in %s", t.Tenant, t.Agent, RegistryFile)
	}
	if err := h.checkInputs(t); err != nil {
		return fmt.Errorf(".inputs: %w", err)
	}
	switch t.Mode {
	case loop.ModeAgent:
		return checkAgent(t)
	case loop.ModeWorkflow, loop.ModeBaseline:
		return h.checkPath(t)
	}
	return fmt.Errorf(".mode: %q is not one of %s, %s, %s", t.Mode, loop.ModeAgent, loop.ModeWorkflow, loop.ModeBaseline)
}

func checkAgent(t *task) error {
	switch {
	case t.script == nil:
		return errors.New(".script: missing; an agent needs a model")
	case t.Workflow != "":
		return errors.New(".workflow: an agent is given no path; it proposes each step")
	case t.Target != "":
		return errors.New(".target: an agent is given no target; it proposes one in each step")
	}
	return nil
}

// checkPath checks a task that follows a workflow.
func (h *Host) checkPath(t *task) error {
	pkg := h.policies[t.policy].Spec().Package
	i := slices.IndexFunc(pkg.Workflows, func(w policy.Workflow) bool { return w.Name == t.Workflow })
	if i < 0 {
		return fmt.Errorf(".workflow: package %s has no workflow %q", pkg.Name, t.Workflow)
	}
	takesArgs, takesTarget := false, false
	for _, step := range pkg.Workflows[i].Steps {
		tool := &pkg.Tools[step]
		takesArgs = takesArgs || len(tool.Args) > 0
		if tool.Entity < 0 {
			continue
		}
		takesTarget = true
		if h.registry.Lookup(t.Tenant, tool.Entity, t.Target).Status != policy.SubjectFound {
			return fmt.Errorf(".target: tenant %s has no %s %q in %s", t.Tenant, pkg.Entities[tool.Entity].Name, t.Target, RegistryFile)
		}
	}
	switch {
	case t.Target != "" && !takesTarget:
		return fmt.Errorf(".target: no step of workflow %s takes one", t.Workflow)
	case takesArgs && t.Mode == loop.ModeWorkflow && t.script == nil:
		return fmt.Errorf(".script: missing; workflow %s takes arguments, and a model fills them in", t.Workflow)
	case takesArgs && t.Mode == loop.ModeBaseline && h.company.Extract == nil:
		return fmt.Errorf(".mode: workflow %s takes arguments, and nothing here extracts them without a model", t.Workflow)
	}
	return nil
}

func (h *Host) checkInputs(t *task) error {
	data := t.Inputs
	if data == nil {
		data = []byte("{}")
	}
	p := h.policies[t.policy]
	var rec policy.Record
	if err := p.DecodeInputs(data, &rec); err != nil {
		return err
	}
	spec := p.Spec()
	for i := range spec.Inputs {
		f := &spec.Inputs[i]
		if f.Kind != policy.KindRef || !rec.Has(i) {
			continue
		}
		if h.registry.Lookup(t.Tenant, f.Entity, rec.Text(i)).Status != policy.SubjectFound {
			return fmt.Errorf("%s: tenant %s has no %s %q in %s", f.Name, t.Tenant, spec.Package.Entities[f.Entity].Name, rec.Text(i), RegistryFile)
		}
	}
	return nil
}
