package policy

import (
	"errors"
	"fmt"
	"slices"
)

// Bounds of a package. They keep what Open lays out in proportion; no package
// that a person wrote comes near.
const (
	maxTools    = 1 << 20
	maxEntities = 1 << 16
	maxFlags    = 64 // a FlagSet
	maxClauses  = 64 // a ClauseSet
)

// validate asks of a Spec everything that the decoder and the gate later take for
// granted. Generated tables pass by construction; that they are asked all the
// same is what makes a table that was edited by hand, or built in Go, as safe.
func validate(s *Spec) error {
	if s == nil || s.Package == nil {
		return errors.New("policy: no package to open")
	}
	c := checker{s: s, p: s.Package}
	if err := c.pkg(); err != nil {
		return fmt.Errorf("package %q: %w", s.Package.Name, err)
	}
	if err := c.policy(); err != nil {
		return fmt.Errorf("policy %q: %w", s.Name, err)
	}
	if s.Risk != nil {
		if err := c.risk(s.Risk); err != nil {
			return fmt.Errorf("policy %q: risk %q: %w", s.Name, s.Risk.Name, err)
		}
	}
	return nil
}

type checker struct {
	s *Spec
	p *Package

	groups map[string]bool // that requirements may name
}

func (c *checker) pkg() error {
	p := c.p
	switch {
	case !identifier(p.Name):
		return errors.New("its name is not an identifier")
	case !hexDigest(p.Digest):
		return errors.New("its digest is not 64 lower-case hex digits")
	case len(p.Files) == 0 || slices.Contains(p.Files, ""):
		return errors.New("it names no files")
	case !ascending(p.Files):
		return errors.New("its files are not sorted, or one stands twice")
	case len(p.Tools) == 0 || len(p.Tools) > maxTools:
		return fmt.Errorf("it has %d tools, not 1 to %d", len(p.Tools), maxTools)
	case len(p.Entities) > maxEntities:
		return fmt.Errorf("it has %d entities, more than %d", len(p.Entities), maxEntities)
	}
	names := make(map[string]bool, len(p.Entities))
	for i := range p.Entities {
		e := &p.Entities[i]
		if !identifier(e.Name) || names[e.Name] {
			return fmt.Errorf("entity %q: its name is not an identifier, or stands twice", e.Name)
		}
		names[e.Name] = true
		if err := c.fields(e.Attrs); err != nil {
			return fmt.Errorf("entity %q: attribute %w", e.Name, err)
		}
	}
	if err := c.approvals(); err != nil {
		return err
	}
	for i := range p.Tools {
		t := &p.Tools[i]
		if !identifier(t.Name) || i > 0 && p.Tools[i-1].Name >= t.Name {
			return fmt.Errorf("tool %q: its name is not an identifier, stands twice, or is out of order", t.Name)
		}
		if err := c.tool(t); err != nil {
			return fmt.Errorf("tool %q: %w", t.Name, err)
		}
	}
	return c.workflows()
}

// approvals checks the groups that requirements name.
func (c *checker) approvals() error {
	c.groups = make(map[string]bool, len(c.p.Approvals))
	for i := range c.p.Approvals {
		a := &c.p.Approvals[i]
		if err := a.check(); err != nil || c.groups[a.Name] {
			return fmt.Errorf("approval %q: it stands twice, or a name, a count, a role and a time are wanted", a.Name)
		}
		c.groups[a.Name] = true
		// One name is one declaration: a hold that meets both must not find two.
		if own := c.s.Approval; own != nil && own.Name == a.Name && *own != *a {
			return fmt.Errorf("approval %q: the policy's own of that name is another one", a.Name)
		}
	}
	return nil
}

func (a *Approval) check() error {
	if !identifier(a.Name) || a.Count < 1 || a.Of == "" || a.Within <= 0 {
		return errors.New("approval: a name, a count, a role and a time are wanted")
	}
	return nil
}

func (c *checker) workflows() error {
	names := make(map[string]bool, len(c.p.Workflows))
	for _, w := range c.p.Workflows {
		if !identifier(w.Name) || names[w.Name] {
			return fmt.Errorf("workflow %q: its name is not an identifier, or stands twice", w.Name)
		}
		names[w.Name] = true
		if len(w.Steps) == 0 {
			return fmt.Errorf("workflow %q: it has no steps", w.Name)
		}
		for _, step := range w.Steps {
			if !within(step, len(c.p.Tools)) {
				return fmt.Errorf("workflow %q: there is no tool %d", w.Name, step)
			}
		}
	}
	return nil
}

// policy checks what is the policy's own.
func (c *checker) policy() error {
	s := c.s
	switch {
	case !identifier(s.Name):
		return errors.New("its name is not an identifier")
	case !identifier(s.Agent):
		return errors.New("its agent is not an identifier")
	case s.MaxSteps < 1:
		return fmt.Errorf("max_steps is %d: a policy without a stop is none", s.MaxSteps)
	case s.Deadline <= 0:
		return fmt.Errorf("deadline is %s: a policy without a stop is none", s.Deadline)
	case s.MalformedRetries < 0 || s.Replans < 0 || s.NoProgress < 0:
		return errors.New("malformed_retries, replans or no_progress is below 0")
	case len(s.Grants) != len(c.p.Tools):
		return fmt.Errorf("it has %d grants for %d tools", len(s.Grants), len(c.p.Tools))
	case s.Cause != nil && !vocabulary(s.Cause):
		return errors.New("its causes are no vocabulary")
	case !c.pos(s.Line):
		return errors.New("its line is in no file")
	}
	for i, g := range s.Grants {
		if g&^(InScope|Allowlisted) != 0 {
			return fmt.Errorf("grant %#x of tool %q is none", uint8(g), c.p.Tools[i].Name)
		}
	}
	if err := c.fields(s.Inputs); err != nil {
		return fmt.Errorf("input %w", err)
	}
	if s.Approval != nil {
		if err := s.Approval.check(); err != nil {
			return err
		}
	}
	if err := c.budget(s.Budget); err != nil {
		return fmt.Errorf("budget: %w", err)
	}
	for _, l := range s.Lessons {
		if err := c.lesson(l); err != nil {
			return fmt.Errorf("lesson of belief %q: %w", l.Belief, err)
		}
	}
	return nil
}

func (c *checker) budget(b *Budget) error {
	switch {
	case b == nil:
		return nil
	case b.ModelCalls < -1 || b.Tokens < -1 || b.CostMicros < -1:
		return errors.New("a bound is below -1, which says that there is none")
	case b.ModelCalls == -1 && b.Tokens == -1 && b.CostMicros == -1:
		return errors.New("it bounds nothing")
	case (b.CostMicros >= 0) != (b.Currency != ""):
		return errors.New("a cost and a currency are only wanted together")
	case !c.pos(b.Line):
		return errors.New("its line is in no file")
	}
	return nil
}

func (c *checker) lesson(l Lesson) error {
	switch {
	case !identifier(l.Belief):
		return errors.New("its name is not an identifier")
	case !within(l.Entity, len(c.p.Entities)):
		return fmt.Errorf("there is no entity %d", l.Entity)
	case l.Confirmed.State == "" && l.Confirmed.Not || l.Refuted.State == "" && l.Refuted.Not:
		return errors.New("it teaches the negation of nothing")
	case l.Confirmed.State == "" && l.Refuted.State == "":
		return errors.New("it teaches nothing")
	}
	return nil
}

// pos says that a line is in one of the package's files.
func (c *checker) pos(at Pos) bool { return int(at.File) < len(c.p.Files) }

// identifier says whether s is a name as the language writes one.
func identifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// vocabulary says whether names are identifiers, one or more, each once.
func vocabulary(names []string) bool {
	have := make(map[string]bool, len(names))
	for _, n := range names {
		if !identifier(n) || have[n] {
			return false
		}
		have[n] = true
	}
	return len(names) > 0
}

func ascending(names []string) bool {
	for i := 1; i < len(names); i++ {
		if names[i-1] >= names[i] {
			return false
		}
	}
	return true
}

func hexDigest(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == 64
}

func within(i int32, n int) bool { return i >= 0 && int(i) < n }
