package policy

// Contract is one tool under one policy, laid out so that the gate reads it with
// few loads and few branches. It is read through methods alone: nobody can loosen
// what Open has let through.
type Contract struct {
	cells   []Cell   // the tool's own part of the table; nil: the sum is looked up in bands
	factors []factor // registry factors of the risk row
	base    int32    // without cells: the points without registry factors
	index   int32

	grant  Grant
	holds  HoldCause     // contract, dangerous
	target SubjectStatus // what the status of the target must be
	lone   uint8         // attribute of the only factor, with cells; inlineValues where there is none
	scored bool
	read   bool
	asks   bool // has states, needs, a check or requirements

	states  []state // lifecycle attributes that the tool moves
	needs   []int32 // attributes that check and require read
	check   func(args, target *Record, set *FlagSet)
	flags   FlagSet // declared
	holding FlagSet // those that hold
	bands   []Band

	require func(args, target *Record, failed *ClauseSet)
	clauses ClauseSet // declared
	refuse  ClauseSet // those that refuse

	line    Pos
	holdPos []Pos // by flag
	lines   []Pos // by requirement
}

// factor of a risk row that the registry answers.
type factor struct {
	attr    int32
	members int32   // size of the vocabulary
	stride  int32   // with cells
	points  []int32 // without
}

// state is a lifecycle attribute and what it may be before the tool runs.
type state struct {
	attr int32
	from []bool // by member
	line Pos
}

// must is the status of something that is named, and of nothing.
func must(named bool) SubjectStatus {
	if named {
		return SubjectFound
	}
	return SubjectNone
}

// meets says whether a status is the one that it must be. Where nothing is named,
// nothing need have been looked up; a registry that answers unasked contradicts
// the proposal. The second comparison is true of unread and none where none is
// wanted, and of nothing else; the constants below hold it to that.
func (s SubjectStatus) meets(must SubjectStatus) bool { return s == must || s|must == SubjectNone }

const (
	_ = uint(0 - SubjectUnread)                   // it is 0
	_ = uint(1-SubjectNone) + uint(SubjectNone-1) // it is 1
)

// Index of the tool in the package.
func (c *Contract) Index() int32 { return c.index }

// Grants says whether the policy gives all of g.
func (c *Contract) Grants(g Grant) bool { return c.grant&g == g }

// Found says whether everything that the proposal names was found in the run's
// tenant, and nothing that it does not name.
func (c *Contract) Found(pr *Proposal, s *Subject) bool {
	return s.Target.meets(c.target) && s.Refs.meets(pr.refs) && s.Sources.meets(pr.sources)
}

// Reads says that the tool changes nothing.
func (c *Contract) Reads() bool { return c.read }

// Asks says that State, Complete, Flags or Unmet have something to say.
func (c *Contract) Asks() bool { return c.asks }

// Scored says that the risk table has a row for the tool.
func (c *Contract) Scored() bool { return c.scored }

// Holds is what of the contract itself holds every action.
func (c *Contract) Holds() HoldCause { return c.holds }

// Line of the contract.
func (c *Contract) Line() Pos { return c.line }

// Lone is Place for the tables that most contracts have, which read one attribute
// or none. Where it is false, Place is to be asked. It is apart because it is
// small enough to become part of its caller.
func (c *Contract) Lone(attrs *Record) (place int32, ok bool) {
	if c.lone < inlineValues {
		v := &attrs.first[c.lone]
		return int32(v.N), v.Set && uint64(v.N) < uint64(len(c.cells))
	}
	return c.base, c.factors == nil
}

// Place of a target in the risk table, for Cell. It is false where an attribute
// that the table reads is absent or outside its vocabulary.
func (c *Contract) Place(attrs *Record) (place int32, ok bool) {
	place = c.base
	for i := range c.factors {
		f := &c.factors[i]
		v := attrs.at(int(f.attr))
		if !v.Set || uint64(v.N) >= uint64(f.members) {
			return 0, false
		}
		if f.points == nil {
			place += int32(v.N) * f.stride
		} else {
			place += f.points[v.N] // stays in 32 bits: Open has added the extremes
		}
	}
	return place, true
}

// Cell of a place. A tool that is not scored has one that allows.
func (c *Contract) Cell(place int32) Cell {
	if uint(place) < uint(len(c.cells)) {
		return c.cells[place]
	}
	return c.sum(place)
}

// sum looks a score up in the bands. A place that is outside the cells is in no
// table, and refuses.
func (c *Contract) sum(score int32) Cell {
	if c.cells == nil {
		for i := range c.bands {
			if score <= c.bands[i].Hi {
				return Cell{Score: score, Outcome: c.bands[i].Outcome, Line: c.bands[i].Line}
			}
		}
	}
	return Cell{Outcome: Refuse}
}

// Complete says whether the target has every attribute that the flags
// and requirements read.
func (c *Contract) Complete(attrs *Record) bool {
	for _, n := range c.needs {
		if !attrs.Has(int(n)) {
			return false
		}
	}
	return true
}

// State says whether the target is where the tool may take it from. known is
// false where the lifecycle's attribute is absent or not a state. A tool that
// moves two attributes must be allowed by both.
func (c *Contract) State(attrs *Record) (known, allowed bool, line Pos) {
	allowed = true
	for i := range c.states {
		st := &c.states[i]
		v := attrs.at(int(st.attr))
		if !v.Set || uint64(v.N) >= uint64(len(st.from)) {
			return false, false, st.line
		}
		if allowed && !st.from[v.N] {
			allowed, line = false, st.line
		}
	}
	return true, allowed, line
}

// Flags sets the flags of a proposal in set, which must be empty. It is false
// where the contract's check set one that is not declared, which no generated
// check does.
func (c *Contract) Flags(args, target *Record, set *FlagSet) bool {
	if c.check == nil {
		return true
	}
	c.check(args, target, set)
	return *set&^c.flags == 0
}

// Holding is the part of a set of flags that holds.
func (c *Contract) Holding(set FlagSet) FlagSet { return set & c.holding }

// FlagLine is the line of the first flag in a set.
func (c *Contract) FlagLine(set FlagSet) Pos {
	for i := range c.holdPos {
		if set.Has(i) {
			return c.holdPos[i]
		}
	}
	return c.line
}

// Requires says that the contract has requirements.
func (c *Contract) Requires() bool { return c.require != nil }

// Unmet puts the requirements that a proposal fails into failed, which must be
// empty: every clause is asked. It is false where the contract's function failed
// one that is not declared, which no generated one does.
func (c *Contract) Unmet(args, target *Record, failed *ClauseSet) bool {
	c.require(args, target, failed)
	return *failed&^c.clauses == 0
}

// Refusing is the part of a set of clauses that refuses. The others hold.
func (c *Contract) Refusing(set ClauseSet) ClauseSet { return set & c.refuse }

// ClauseLine is the line of the first clause in a set.
func (c *Contract) ClauseLine(set ClauseSet) Pos {
	for i := range c.lines {
		if set.Has(i) {
			return c.lines[i]
		}
	}
	return c.line
}
