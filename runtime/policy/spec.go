// Package policy is the ABI between generated code and the runtime. Generated
// packages import it and nothing else of ours; it imports the standard library
// alone, does no I/O and reads no clock.
//
// Generated code fills in a Spec of constant tables. Nothing runs on a Spec:
// Open checks it once and returns the Policy that the gate and the loop take, so
// a policy without a stop, with a table that has a hole, or with a band that
// refuses does not exist at run time, whoever wrote the Go.
package policy

import "time"

// ABI1 is referred to by every generated package; a runtime that can no longer
// serve such a package drops the name, and the package stops compiling.
const ABI1 = 1

// Kind of a value.
type Kind uint8

const (
	KindBool    Kind = iota + 1 // JSON true or false; N is 0 or 1
	KindInt                     // JSON integer; N
	KindDecimal                 // JSON string "12.50"; N is scaled by 10^Scale
	KindString                  // JSON string; S
	KindEnum                    // JSON string, a member; N is the ordinal, from 0
	KindRef                     // JSON string, the id of an entity; S
)

// Field describes one member of arguments, a result, inputs, or an entity.
type Field struct {
	Name      string
	Kind      Kind
	Optional  bool
	Sensitive bool
	Trusted   bool     // results: a verified observation
	Class     string   // results: evidence class, "" where none
	Scale     uint8    // KindDecimal: digits after the point, 0..9
	Lo, Hi    int64    // KindInt: inclusive. KindString: code points, inclusive
	Members   []string // KindEnum
	Pattern   *Pattern // KindString: the whole text matches; nil: any
	Entity    int32    // KindRef: index into Spec.Entities; otherwise -1
	Default   *Value   // with Optional
	Line      Pos
}

// Pattern is an anchored deterministic automaton over code points, as a table.
// State 0 is the start. Next holds state*Classes+class; Dead accepts nothing.
type Pattern struct {
	Source  string // as the author wrote it, for messages
	ASCII   string // 128 bytes: code point -> class
	Ranges  []RuneRange
	Classes uint8
	Next    []uint16
	Accept  string // by state: '1' or '0'
}

// Dead is the state from which nothing is accepted.
const Dead = 0xffff

// RuneRange maps code points Lo..Hi (inclusive) to a class. Ranges are sorted
// and disjoint; a code point of 128 and above in no range has class 0.
type RuneRange struct {
	Lo, Hi rune
	Class  uint8
}

// Pos is a place in the package's sources: index into Spec.Files, and a line.
type Pos struct {
	File uint16
	Line uint32
}

// Value is one decoded value: N for bool, int, decimal and enum, S for string
// and ref. A value that was not given has Set false.
type Value struct {
	N   int64
	S   string
	Set bool
}

// Entity is a kind of thing that the registry keeps.
type Entity struct {
	Name  string
	Attrs []Field
}

// Tool is one contract.
type Tool struct {
	Name       string
	Doc        string
	Line       Pos
	Entity     int32 // index into Spec.Entities; -1: acts on nothing
	Read       bool
	Idempotent bool
	Dangerous  bool // always holds
	Approval   bool // `approval required`: always holds
	Args       []Field
	Result     []Field
	Moves      []Move
	Flags      []Flag
	// Check sets the flags of a proposal; nil where the contract has none.
	Check func(args, target *Record, set *FlagSet)
	// Requirements are the clauses that an action has to meet.
	Requirements []Requirement
	// Require puts the clauses that a proposal fails into failed; nil where the
	// contract has none. It is apart from Check, which a package without requirements
	// has alone, so that such a package is served as it stands.
	Require func(args, target *Record, failed *ClauseSet)
	// Needs are the attributes of the target that Check and Require read. A target
	// without one of them is reference_unknown: a flag about nothing would never be
	// set, and a clause about nothing would be met or failed by chance.
	Needs  []int32
	Verify *Verify // nil where none is declared
	Traits []TraitValue
}

// TraitValue is a trait of a contract, for people: the score is in the cells.
type TraitValue struct{ Trait, Member string }

// Move: attribute Attr of the target goes From -> To when the tool has run. A
// target whose Attr is not From is state_conflict.
type Move struct {
	Attr     int32
	From, To int64
	Line     Pos
}

// Flag is recorded when its condition holds, and holds the action if Hold.
type Flag struct {
	Name string
	Hold bool
	Line Pos
}

// Requirement is a clause of a contract: a condition that an action has to meet.
// It is written as data, so that whoever is told of a failure is told the clause.
type Requirement struct {
	Text    string  // the clause as the sources say it, on one line
	Doc     string  // the author's comment above it
	Outcome Outcome // Refuse or Hold, where it fails
	// Group is the approval that a hold waits for, by its name in
	// Package.Approvals; "" is the policy's own.
	Group string
	Line  Pos
}

// ClauseSet is a set of requirements of one tool, by index. It is another type
// than FlagSet, so that neither can be taken for the other.
type ClauseSet uint64

// Add puts clause i into the set. A tool has at most 64.
func (s *ClauseSet) Add(i int) { *s |= 1 << i }

// Has says whether clause i is in the set.
func (s ClauseSet) Has(i int) bool { return s&(1<<i) != 0 }

// FlagSet is a set of flags of one tool, by index.
type FlagSet uint64

// Add puts flag i into the set. A tool has at most 64.
func (s *FlagSet) Add(i int) { *s |= 1 << i }

// Has says whether flag i is in the set.
func (s FlagSet) Has(i int) bool { return s&(1<<i) != 0 }

// Verify is the predicate that was declared before the action ran. Both true,
// neither true, or a result that cannot be read: inconclusive.
type Verify struct {
	By        int32 // index into Spec.Tools; a read tool on the same entity
	Confirmed func(result, target *Record) bool
	Refuted   func(result, target *Record) bool
	Line      Pos
}

// Risk is the additive table, laid out for the gate.
//
// Where Cells is not nil it is the decision table itself: a tool's row starts at
// Rows[tool].Start, and the ordinals of the registry factors, in order, index
// into it (the last factor varies fastest). Above the generator's cap Cells is
// nil, and the score is Rows[tool].Points plus the factors' points.
type Risk struct {
	Name    string
	Line    Pos
	Rows    []Row    // by tool
	Factors []Factor // every factor, in source order
	Cells   []Cell
	Bands   []Band // sorted, contiguous, covering every int32
}

// Row of a tool in a risk table.
type Row struct {
	Scored bool  // false: the tool is not scored (it only reads)
	Start  int32 // first cell
	Base   int32 // the base row
	Points int32 // base and traits, without the registry factors
	// Attrs gives, for each registry factor in order, the target's attribute.
	Attrs []int32
	// Members gives, for each factor of the table, the contract's member of that
	// trait; -1 for a registry factor.
	Members []int32
	Line    Pos
}

// Factor of a risk table. Registry says that the ordinal comes from the target's
// attribute; otherwise it is a trait of the contract. There is no third source.
type Factor struct {
	Name     string // as written: "target.tier"
	Registry bool
	Members  []string
	Points   []int32 // by ordinal
	Lines    []Pos   // by ordinal
}

// Cell is one row of the decision table.
type Cell struct {
	Score   int32
	Outcome Outcome // Allow, Notify or Hold
	Line    Pos     // of the band
}

// Band is Lo..Hi inclusive.
type Band struct {
	Lo, Hi  int32
	Outcome Outcome
	Line    Pos
}

// Grant says what a policy gives its agent of one tool.
type Grant uint8

const (
	InScope     Grant = 1 << iota // in the agent's scope
	Allowlisted                   // on this deployment's list
)

// Approval is the group that decides a hold.
type Approval struct {
	Name   string
	Count  int32
	Of     string // role
	Within time.Duration
}

// Budget is what a run may spend; -1 where no bound is stated.
type Budget struct {
	ModelCalls int64
	Tokens     int64
	CostMicros int64 // millionths of Currency
	Currency   string
	Hold       bool
	Line       Pos
}

// Lesson is what a settled verification teaches of a target. It has two entries;
// there is no third, so an inconclusive one has nowhere to write.
type Lesson struct {
	Belief    string
	Entity    int32
	Confirmed Teaching
	Refuted   Teaching
}

// Teaching is a state of the belief or its negation; State "" teaches nothing.
type Teaching struct {
	State string
	Not   bool
}

// Workflow is a fixed path of tools, by index.
type Workflow struct {
	Name  string
	Steps []int32
}

// Package is what the policies of one .prov package share.
type Package struct {
	Name      string
	Digest    string   // 64 hex digits, over the sources
	Files     []string // sorted
	Entities  []Entity
	Tools     []Tool // sorted by name
	Workflows []Workflow
	Approvals []Approval // those that requirements name, each once
}

// Spec is one policy as generated code writes it down.
type Spec struct {
	Package          *Package
	Name             string
	Line             Pos
	Agent            string  // the role
	Grants           []Grant // by tool
	Risk             *Risk   // nil: nothing is scored
	Approval         *Approval
	Inputs           []Field
	Cause            []string // members; nil: a proposal carries no cause
	MaxSteps         int32    // at least 1
	Deadline         time.Duration
	MalformedRetries int32
	Replans          int32
	NoProgress       int32 // 0: bounded by MaxSteps alone
	Budget           *Budget
	Lessons          []Lesson
}
