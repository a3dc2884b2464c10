// Package ir is the closed, total program that everything after lowering reads:
// the reference evaluator, the proofs, and the generator. Every name is
// resolved, every table complete, every number exact. Nothing here can fail.
//
// Order is part of the meaning: every slice is in source order, files sorted by
// name, so the same package gives the same program in any order of its files.
package ir

import "time"

// Pos is where something was written. Line and Col count from 1; Col counts code points.
type Pos struct {
	File string
	Line int
	Col  int
}

// Decl is what every declared thing has.
type Decl struct {
	Name string
	Doc  []string // the `///` lines
	Pos  Pos
}

// Program is one compiled package.
type Program struct {
	Name       string
	Digest     [32]byte // SHA-256 over the sources; see Digest in package compiler
	Files      []string // sorted
	Enums      []*Enum  // enums, traits and lifecycles, in source order
	Types      []*Named // declared type names
	Entities   []*Entity
	Lifecycles []*Lifecycle
	Tools      []*Tool
	Risks      []*Risk
	Approvals  []*Approval
	Agents     []*Agent
	Policies   []*Policy
	Evidences  []*Evidence
	Beliefs    []*Belief
	Standing   *Standing // nil where the package declares none
	Workflows  []*Workflow
	Tests      []*Test
	Proofs     []*Proof
}

// ---- values ----

// EnumKind says which declaration an enum came from.
type EnumKind uint8

const (
	EnumPlain EnumKind = iota
	EnumTrait
	EnumLifecycle // members are states, in order of first appearance
)

// Enum is a closed, ordered vocabulary. A member's ordinal is its index.
type Enum struct {
	Decl
	Kind    EnumKind
	Members []Decl
}

// Index of a member, -1 where there is none.
func (e *Enum) Index(name string) int {
	for i := range e.Members {
		if e.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Kind of a type.
type Kind uint8

const (
	Bool Kind = iota
	Int
	Decimal
	String
	EnumType
	Ref
)

// Type of a field. Types are bounded by construction.
type Type struct {
	Kind    Kind
	Name    string   // the declared alias, "" where written in place
	Lo, Hi  int64    // Int: inclusive bounds. String: length in code points, inclusive
	Scale   int      // Decimal: digits after the point, 0..9; the value times 10^Scale fits an int64
	Pattern *Pattern // String: the whole text matches; nil where none was written
	Enum    *Enum    // EnumType
	Entity  *Entity  // Ref
}

// Named is `type version = string(1..32) /v[0-9]+/`.
type Named struct {
	Decl
	Type *Type
}

// Pattern is an anchored RE2 pattern and its deterministic automaton over code
// points. State 0 is the start; a dead state is Dead.
type Pattern struct {
	Source  string
	ASCII   [128]uint8  // code point -> class
	Ranges  []RuneRange // the others, sorted, disjoint; a code point in none is class 0
	Classes int
	Next    []uint16 // state*Classes + class -> state
	Accept  []bool   // by state
}

// Dead is the state from which nothing is accepted; it has no row in Next.
const Dead = 0xffff

// RuneRange maps code points Lo..Hi (inclusive) to a class.
type RuneRange struct {
	Lo, Hi rune
	Class  uint8
}

// Value is a constant of a type: N for bool (0, 1), int, decimal (scaled by the
// type's Scale) and enum (ordinal); S for string and ref.
type Value struct {
	N int64
	S string
}

// Field of an entity, of arguments, of a result, of inputs.
type Field struct {
	Decl
	Type      *Type
	Optional  bool
	Default   *Value // with Optional
	Sensitive bool
	Trusted   bool   // results
	Class     string // results: evidence class after `trusted as`, "" where none
}

// Entity is a kind of thing that the registry keeps.
type Entity struct {
	Decl
	Attrs []*Field
}

// Attr returns the index of an attribute, -1 where there is none.
func (e *Entity) Attr(name string) int { return index(e.Attrs, name) }

func index(fs []*Field, name string) int {
	for i, f := range fs {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// Lifecycle is a state machine; States is the enum that entity attributes have.
type Lifecycle struct {
	Decl
	States      *Enum
	Transitions []Transition
	Person      []bool // by state: only a person brings something there
}

// Transition is `from -> to by tool`.
type Transition struct {
	From, To int
	By       *Tool
	Pos      Pos
}

// ---- tools ----

// Tool is one contract.
type Tool struct {
	Decl
	Index      int     // in Program.Tools
	Target     *Entity // nil where it acts on nothing
	Read       bool
	Idempotent bool
	Dangerous  bool
	Approval   bool // `approval required`
	Traits     []TraitValue
	Args       []*Field
	Result     []*Field
	Verify     *Verify // nil where none is declared
	Flags      []*Flag
	Requires   []*Requirement
	Moves      []Move // what lifecycles say of this tool
}

// Arg returns the index of an argument, -1 where there is none.
func (t *Tool) Arg(name string) int { return index(t.Args, name) }

// TraitOf returns the member of a trait that the contract states, -1 where none.
func (t *Tool) TraitOf(trait *Enum) int {
	for _, v := range t.Traits {
		if v.Trait == trait {
			return v.Member
		}
	}
	return -1
}

// TraitValue is `blast_radius single`.
type TraitValue struct {
	Trait  *Enum
	Member int
	Pos    Pos
}

// Move: the target's attribute Attr goes From -> To when the tool has run.
type Move struct {
	Attr     int // in Target.Attrs
	From, To int
	Pos      Pos
}

// Verify is the predicate declared before the action ran. Either condition may
// be nil (never). Both true, neither true, or an unreadable result: inconclusive.
type Verify struct {
	By        *Tool
	Confirmed Cond
	Refuted   Cond
	Pos       Pos
}

// Flag is recorded when its condition holds; Hold says whether it also holds.
type Flag struct {
	Decl
	Index int // in Tool.Flags, at most 64 a tool
	When  Cond
	Hold  bool
}

// Requirement is a condition that an action has to meet. One that fails refuses
// or holds, and nothing else: that is why it may read what a model said.
type Requirement struct {
	Doc     []string // the `///` lines
	Pos     Pos
	Index   int       // in Tool.Requires, at most 64 a tool
	When    Cond      // what has to hold
	Text    string    // the clause in its canonical form, on one line
	Outcome Outcome   // Refuse or Hold, where it fails
	Group   *Approval // `else hold for GROUP`; nil: the policy's
}

// ---- conditions: total, two-valued ----

// Cond is a condition. The checker has proved that every Arg operand read is
// present where it is read, in left-to-right evaluation.
type Cond interface{ cond() }

type (
	And struct{ Args []Cond } // two or more
	Or  struct{ Args []Cond } // two or more
	Not struct{ X Cond }
	// Compare: both sides have one Kind, and one Enum or Entity; decimals of
	// different scale were brought to the larger one by the lowering (Const) or
	// are compared as X × 10^ScaleX and Y × 10^ScaleY, in exact arithmetic.
	Compare struct {
		Op             Op
		X, Y           Operand
		ScaleX, ScaleY int
		Pos            Pos
	}
	// In: X equals one of Set.
	In struct {
		X   Operand
		Set []Value
		Pos Pos
	}
	// Present: an optional argument was given (or has a default).
	Present struct{ Arg int }
	// Truth: a bool operand.
	Truth struct{ X Operand }
)

func (And) cond()     {}
func (Or) cond()      {}
func (Not) cond()     {}
func (Compare) cond() {}
func (In) cond()      {}
func (Present) cond() {}
func (Truth) cond()   {}

// Op is a comparison.
type Op uint8

const (
	Eq Op = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

func (o Op) String() string { return [...]string{"==", "!=", "<", "<=", ">", ">="}[o] }

// Operand of a condition.
type Operand interface {
	operand()
	// Of is the operand's type.
	Of() *Type
}

type (
	// Arg is argument Index of the tool whose condition this is. Origin: model.
	Arg struct {
		Index int
		Type  *Type
	}
	// Target is attribute Attr of the tool's target. Origin: registry.
	Target struct {
		Attr int
		Type *Type
	}
	// Result is field Index of the verifying tool's result.
	Result struct {
		Index int
		Type  *Type
	}
	// FactorValue is factor Index of the risk table in a Proof's condition.
	FactorValue struct {
		Name string // as written: `blast_radius`, `target.tier`, `tool`
		Type *Type  // EnumType; for `tool` an Enum of the package's tools
	}
	// Const is a constant.
	Const struct {
		Value Value
		Type  *Type
	}
)

func (Arg) operand()         {}
func (Target) operand()      {}
func (Result) operand()      {}
func (FactorValue) operand() {}
func (Const) operand()       {}

func (o Arg) Of() *Type         { return o.Type }
func (o Target) Of() *Type      { return o.Type }
func (o Result) Of() *Type      { return o.Type }
func (o FactorValue) Of() *Type { return o.Type }
func (o Const) Of() *Type       { return o.Type }

// ---- risk ----

// Outcome of a risk table or a decision, in order of strictness. The zero value refuses.
type Outcome uint8

const (
	Refuse Outcome = iota
	Hold
	Notify
	Allow
)

func (o Outcome) String() string { return [...]string{"refuse", "hold", "notify", "allow"}[o] }

// Risk is an additive table: score = base[tool] + Σ factor points; the band that
// holds the score gives the outcome. Bands are sorted, contiguous, cover every
// score, and only tighten upwards. It never refuses.
type Risk struct {
	Decl
	Base    []BaseRow // by source order; exactly the tools that are scored
	Factors []*Factor
	Bands   []Band
}

// BaseOf returns the row of a tool, nil where the tool has none.
func (r *Risk) BaseOf(t *Tool) *BaseRow {
	for i := range r.Base {
		if r.Base[i].Tool == t {
			return &r.Base[i]
		}
	}
	return nil
}

type BaseRow struct {
	Tool   *Tool
	Points int
	Pos    Pos
}

// Factor adds points by a trait of the contract or by an attribute of the
// target. There is no third kind, so there is no place for a model's value.
type Factor struct {
	Name   string // as written: `blast_radius`, `target.tier`
	Trait  *Enum  // the trait, or nil
	Attr   string // the attribute's name, or ""
	Enum   *Enum  // the vocabulary either way
	Points []int  // by ordinal
	RowPos []Pos  // by ordinal
	Pos    Pos
}

// Band is Lo..Hi inclusive; open ends are math.MinInt and math.MaxInt.
type Band struct {
	Outcome Outcome // Allow, Notify, Hold
	Lo, Hi  int
	Text    string // as written, for people: `0..3`
	Pos     Pos
}

// ---- who and how long ----

// Approval is `1 of role, within 4h`.
type Approval struct {
	Decl
	Count  int
	Of     string
	Within time.Duration
}

// Agent is a role.
type Agent struct {
	Decl
	Scope    []*Tool
	Believes []*Belief
}

// Policy is a deployment: an agent, its list of tools, and the bounds of its loop.
type Policy struct {
	Decl
	Agent            *Agent
	Tools            []*Tool
	Risk             *Risk     // nil: nothing is scored
	Approval         *Approval // nil: holds name no group
	Inputs           []*Field
	Cause            *Enum // nil: a proposal carries no cause
	MaxSteps         int   // at least 1
	Deadline         time.Duration
	MalformedRetries int
	Replans          int
	NoProgress       int // steps in a row that bring nothing; 0: bounded by MaxSteps alone
	Budget           *Budget
}

// Budget is what a run may spend; -1 where no bound is stated.
type Budget struct {
	ModelCalls int64
	Tokens     int64
	CostMicros int64 // millionths of the currency
	Currency   string
	Hold       bool // `else hold`; otherwise the run ends
	Pos        Pos
}

// Workflow is the fixed path.
type Workflow struct {
	Decl
	Steps []*Tool
}

// ---- what is believed ----

// Evidence is a table of weights by source class, in millionths, and a half-life.
type Evidence struct {
	Decl
	Classes  []Weight
	HalfLife time.Duration
}

type Weight struct {
	Class  string
	Micros int64 // 0..1_000_000
	Pos    Pos
}

// Belief is what may be believed of an entity, and when.
type Belief struct {
	Decl
	On       *Entity
	States   *Enum
	Evidence *Evidence
	Commit   int64 // millionths
	Flip     int64
	Retract  int64
	Learn    Learn
	Expires  time.Duration // 0: never
	Reverify *Tool         // nil: becomes unknown at expiry
}

// Learn has two entries. There is no third, so an inconclusive verification has
// nowhere to write.
type Learn struct {
	Confirmed *Lesson
	Refuted   *Lesson
}

// Lesson is a state or its negation.
type Lesson struct {
	State int
	Not   bool
	Pos   Pos
}

// Standing is `degrade after N rejections in D`.
type Standing struct {
	Pos    Pos
	Count  int
	Within time.Duration
}

// ---- tests and proofs ----

// Test is one `test` block, complete: the policy is the one named by `in`, or
// the only one in the package whose tools hold the proposed tool.
type Test struct {
	Title    string
	Pos      Pos
	Policy   *Policy
	Given    []Given
	Standing string // "good", "degraded", "suspended"
	After    []Call
	Propose  Call
	Expect   Expect
}

// Given is an entity of the test's registry; Attrs has one value for each
// attribute of the entity, nil where the test gave none.
type Given struct {
	Entity *Entity
	ID     string
	Attrs  []*Value
	Pos    Pos
}

// Call is a proposal; Args has one value for each argument of the contract, nil
// where left out. Cause is -1 where none was given.
type Call struct {
	Tool   *Tool
	Target string
	Args   []*Value
	Cause  int
	Pos    Pos
}

// Expect: Reason "" and Score nil are not compared; Flags are compared when
// HasFlags (a list was written).
type Expect struct {
	Outcome  Outcome
	Reason   string
	Score    *int
	Flags    []string
	HasFlags bool
	Pos      Pos
}

// Proof holds for every cell of every risk table that has all factors it names.
type Proof struct {
	Title  string
	Pos    Pos
	Where  Cond // over FactorValue and Const; nil: every cell
	Risks  []*Risk
	Expect Outcome
}
