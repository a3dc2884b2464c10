package policy

import "math"

// Contract is one tool under one policy, laid out so that the gate reads it with
// few loads. It is read through methods alone: nobody can loosen it.
type Contract struct {
	grant  Grant
	holds  HoldCause // contract, dangerous
	read   bool
	scored bool
	entity int32 // -1: acts on nothing
	base   int32 // cells: the first; otherwise the points without registry factors

	factors []factor // registry factors of the risk row
	states  []state  // lifecycle attributes that the tool moves
	needs   []int32  // attributes that the check reads
	cells   []Cell   // nil: additive
	bands   []Band
	check   func(args, target *Record, set *FlagSet)
	flags   FlagSet // declared
	holding FlagSet // those that hold

	line    Pos
	holdPos []Pos // by flag
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

// Grants says whether the policy gives all of g.
func (c *Contract) Grants(g Grant) bool { return c.grant&g == g }

// Acts says whether the tool acts on an entity.
func (c *Contract) Acts() bool { return c.entity >= 0 }

// Reads says that the tool changes nothing.
func (c *Contract) Reads() bool { return c.read }

// Scored says that the risk table has a row for the tool.
func (c *Contract) Scored() bool { return c.scored }

// Holds is what of the contract itself holds every action.
func (c *Contract) Holds() HoldCause { return c.holds }

// Line of the contract.
func (c *Contract) Line() Pos { return c.line }

// Moves says that a lifecycle speaks of the tool.
func (c *Contract) Moves() bool { return len(c.states) > 0 }

// Place of a target in the risk table, for Cell. It is false where an attribute
// that the table reads is absent or outside its vocabulary.
func (c *Contract) Place(attrs *Record) (place int32, ok bool) {
	place = c.base
	for i := range c.factors {
		f := &c.factors[i]
		n := attrs.Int(int(f.attr))
		if !attrs.Has(int(f.attr)) || uint64(n) >= uint64(f.members) {
			return 0, false
		}
		if f.points == nil {
			place += int32(n) * f.stride
		} else {
			place += f.points[n] // cannot overflow: Open has added the extremes
		}
	}
	return place, true
}

// Complete says whether the target has every attribute that the flags read.
func (c *Contract) Complete(attrs *Record) bool {
	for _, n := range c.needs {
		if !attrs.Has(int(n)) {
			return false
		}
	}
	return true
}

// Cell of a place.
func (c *Contract) Cell(place int32) Cell {
	if c.cells != nil {
		if uint(place) < uint(len(c.cells)) {
			return c.cells[place]
		}
		return Cell{Score: math.MaxInt32, Outcome: Refuse}
	}
	for i := range c.bands {
		if place <= c.bands[i].Hi {
			return Cell{Score: place, Outcome: c.bands[i].Outcome, Line: c.bands[i].Line}
		}
	}
	return Cell{Score: place, Outcome: Refuse}
}

// State says whether the target is where the tool may take it from. known is
// false where the lifecycle's attribute is absent or not a state. A tool that
// moves two attributes must be allowed by both.
func (c *Contract) State(attrs *Record) (known, allowed bool, line Pos) {
	allowed = true
	for i := range c.states {
		st := &c.states[i]
		n := attrs.Int(int(st.attr))
		if !attrs.Has(int(st.attr)) || uint64(n) >= uint64(len(st.from)) {
			return false, false, st.line
		}
		if allowed && !st.from[n] {
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
