package policy

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

func (c *checker) tool(t *Tool) error {
	switch {
	case t.Entity != -1 && !within(t.Entity, len(c.p.Entities)):
		return fmt.Errorf("there is no entity %d", t.Entity)
	case !c.pos(t.Line):
		return errors.New("its line is in no file")
	}
	for i := range t.Args {
		// The tenant is the run's, from a verified credential. An argument of that
		// name would be a second one, from a model.
		if n := t.Args[i].Name; n == "tenant" || n == "tenant_id" {
			return fmt.Errorf("argument %q: the tenant is never an argument", n)
		}
	}
	if err := c.fields(t.Args); err != nil {
		return fmt.Errorf("argument %w", err)
	}
	if err := c.fields(t.Result); err != nil {
		return fmt.Errorf("result %w", err)
	}
	for _, m := range t.Moves {
		if err := c.move(t, m); err != nil {
			return err
		}
	}
	if err := c.flags(t); err != nil {
		return err
	}
	if err := c.requirements(t); err != nil {
		return err
	}
	if err := c.needs(t); err != nil {
		return err
	}
	if t.Verify != nil {
		if err := c.verify(t); err != nil {
			return fmt.Errorf("verify: %w", err)
		}
	}
	traits := make(map[string]bool, len(t.Traits))
	for _, v := range t.Traits {
		if !identifier(v.Trait) || !identifier(v.Member) || traits[v.Trait] {
			return fmt.Errorf("trait %q: it is no identifier, or stands twice", v.Trait)
		}
		traits[v.Trait] = true
	}
	return nil
}

// attrs of what a tool acts on.
func (c *checker) attrs(t *Tool) []Field {
	if t.Entity < 0 {
		return nil
	}
	return c.p.Entities[t.Entity].Attrs
}

func (c *checker) move(t *Tool, m Move) error {
	attrs := c.attrs(t)
	switch {
	case t.Read:
		return errors.New("it only reads, and moves a lifecycle")
	case !within(m.Attr, len(attrs)):
		return fmt.Errorf("a move of attribute %d, which its target does not have", m.Attr)
	case attrs[m.Attr].Kind != KindEnum:
		return fmt.Errorf("a move of attribute %q, which has no states", attrs[m.Attr].Name)
	case uint64(m.From) >= uint64(len(attrs[m.Attr].Members)) || uint64(m.To) >= uint64(len(attrs[m.Attr].Members)):
		return fmt.Errorf("a move of attribute %q from %d to %d, which it does not have", attrs[m.Attr].Name, m.From, m.To)
	case !c.pos(m.Line):
		return errors.New("the line of a move is in no file")
	}
	return nil
}

func (c *checker) flags(t *Tool) error {
	if len(t.Flags) > maxFlags {
		return fmt.Errorf("it has %d flags, more than %d", len(t.Flags), maxFlags)
	}
	if (len(t.Flags) > 0) != (t.Check != nil) {
		return errors.New("flags and a check are only wanted together")
	}
	names := make(map[string]bool, len(t.Flags))
	for _, f := range t.Flags {
		if !identifier(f.Name) || names[f.Name] {
			return fmt.Errorf("flag %q: its name is not an identifier, or stands twice", f.Name)
		}
		names[f.Name] = true
		if !c.pos(f.Line) {
			return fmt.Errorf("flag %q: its line is in no file", f.Name)
		}
	}
	return nil
}

func (c *checker) requirements(t *Tool) error {
	if len(t.Requirements) > maxClauses {
		return fmt.Errorf("it has %d requirements, more than %d", len(t.Requirements), maxClauses)
	}
	if (len(t.Requirements) > 0) != (t.Require != nil) {
		return errors.New("requirements and a function that asks them are only wanted together")
	}
	for i := range t.Requirements {
		r := &t.Requirements[i]
		switch {
		case r.Text == "" || !utf8.ValidString(r.Text) || !utf8.ValidString(r.Doc):
			return fmt.Errorf("requirement %d: it has no text, or one that is not UTF-8", i)
		case r.Outcome != Refuse && r.Outcome != Hold:
			return fmt.Errorf("requirement %d: it ends in %s, and can only refuse or hold", i, r.Outcome)
		case r.Group != "" && r.Outcome != Hold:
			return fmt.Errorf("requirement %d: it refuses, and names group %q", i, r.Group)
		case r.Group != "" && !c.groups[r.Group]:
			return fmt.Errorf("requirement %d: there is no group %q", i, r.Group)
		case !c.pos(r.Line) || r.Line.Line == 0:
			return fmt.Errorf("requirement %d: its line is in no file", i) // what is recorded of a failure is its line
		}
	}
	return nil
}

// needs checks the attributes that flags and requirements read.
func (c *checker) needs(t *Tool) error {
	for i, n := range t.Needs {
		if !within(n, len(c.attrs(t))) || i > 0 && t.Needs[i-1] >= n {
			return fmt.Errorf("its check needs attribute %d, which its target does not have, or which is out of order", n)
		}
	}
	if t.Check == nil && t.Require == nil && len(t.Needs) > 0 {
		return errors.New("it needs attributes for no check")
	}
	return nil
}

func (c *checker) verify(t *Tool) error {
	v := t.Verify
	switch {
	case !within(v.By, len(c.p.Tools)):
		return fmt.Errorf("there is no tool %d", v.By)
	case !c.p.Tools[v.By].Read:
		return fmt.Errorf("tool %q does not only read", c.p.Tools[v.By].Name)
	case c.p.Tools[v.By].Entity != t.Entity:
		return fmt.Errorf("tool %q reads something else", c.p.Tools[v.By].Name)
	case v.Confirmed == nil && v.Refuted == nil:
		return errors.New("it can neither confirm nor refute")
	case !c.pos(v.Line):
		return errors.New("its line is in no file")
	}
	return nil
}

// fields checks a list of fields. The error begins with the name of one.
func (c *checker) fields(fields []Field) error {
	names := make(map[string]bool, len(fields))
	for i := range fields {
		f := &fields[i]
		if !identifier(f.Name) || names[f.Name] {
			return fmt.Errorf("%q: its name is not an identifier, or stands twice", f.Name)
		}
		names[f.Name] = true
		if err := c.field(f); err != nil {
			return fmt.Errorf("%q: %w", f.Name, err)
		}
	}
	return nil
}

func (c *checker) field(f *Field) error {
	switch f.Kind {
	case KindBool:
	case KindInt:
		if f.Lo > f.Hi {
			return fmt.Errorf("%d..%d holds no integer", f.Lo, f.Hi)
		}
	case KindDecimal:
		if f.Scale > MaxScale {
			return fmt.Errorf("a scale of %d is over %d", f.Scale, MaxScale)
		}
	case KindString:
		if f.Lo < 0 || f.Lo > f.Hi || f.Hi > MaxProposal {
			return fmt.Errorf("%d..%d is no length up to %d", f.Lo, f.Hi, MaxProposal)
		}
	case KindEnum:
		if !vocabulary(f.Members) {
			return errors.New("its members are no vocabulary")
		}
	case KindRef:
		if !within(f.Entity, len(c.p.Entities)) {
			return fmt.Errorf("there is no entity %d", f.Entity)
		}
	default:
		return fmt.Errorf("there is no kind %d", f.Kind)
	}
	switch {
	case f.Kind != KindRef && f.Entity != -1:
		return errors.New("it refers to an entity and is no reference")
	case f.Kind != KindDecimal && f.Scale != 0:
		return errors.New("it has a scale and is no decimal")
	case f.Kind != KindEnum && f.Members != nil:
		return errors.New("it has members and is no enum")
	case f.Kind != KindString && f.Pattern != nil:
		return errors.New("it has a pattern and is no string")
	case !c.pos(f.Line):
		return errors.New("its line is in no file")
	}
	if f.Pattern != nil {
		if err := f.Pattern.check(); err != nil {
			return fmt.Errorf("pattern: %w", err)
		}
	}
	return f.checkDefault()
}

// checkDefault asks that a default would have been accepted from a model.
func (f *Field) checkDefault() error {
	v := f.Default
	if v == nil {
		return nil
	}
	fits := v.Set
	switch f.Kind {
	case KindBool:
		fits = fits && (v.N == 0 || v.N == 1) && v.S == ""
	case KindInt:
		fits = fits && v.N >= f.Lo && v.N <= f.Hi && v.S == ""
	case KindDecimal:
		fits = fits && v.S == ""
	case KindEnum:
		fits = fits && uint64(v.N) < uint64(len(f.Members)) && v.S == ""
	case KindString:
		fits = fits && v.N == 0 && utf8.ValidString(v.S) && f.fits(v.S) == NoFault
	case KindRef:
		fits = fits && v.N == 0 && utf8.ValidString(v.S) && id(v.S) == NoFault
	}
	if !fits || !f.Optional {
		return errors.New("its default does not fit it, or it is not optional")
	}
	return nil
}

// check asks that every walk through the table stays in it.
func (p *Pattern) check() error {
	classes := int(p.Classes)
	if len(p.ASCII) != utf8.RuneSelf || classes == 0 {
		return errors.New("it does not class the 128 code points of ASCII")
	}
	for i := range len(p.ASCII) {
		if int(p.ASCII[i]) >= classes {
			return fmt.Errorf("code point %d is in class %d of %d", i, p.ASCII[i], classes)
		}
	}
	last := rune(utf8.RuneSelf - 1)
	for _, r := range p.Ranges {
		if r.Lo <= last || r.Hi < r.Lo || r.Hi > utf8.MaxRune || int(r.Class) >= classes {
			return fmt.Errorf("range %d..%d is out of order, or its class %d is not one of %d", r.Lo, r.Hi, r.Class, classes)
		}
		last = r.Hi
	}
	states := len(p.Accept)
	if states == 0 || states >= Dead || len(p.Next) != states*classes {
		return fmt.Errorf("%d states and %d classes do not make %d transitions", states, classes, len(p.Next))
	}
	for _, n := range p.Next {
		if n != Dead && int(n) >= states {
			return fmt.Errorf("a transition to state %d of %d", n, states)
		}
	}
	for i := range states {
		if p.Accept[i] != '0' && p.Accept[i] != '1' {
			return fmt.Errorf("state %d neither accepts nor does not", i)
		}
	}
	return nil
}
