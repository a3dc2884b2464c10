// Package ast is the syntax tree of .prov: closed node types, each with a span.
// It is made by the parser and never changed afterwards; what later passes find
// out goes into tables of their own. A name here is only spelled, not resolved.
//
// The tree is deliberately wider than the language: a keyword's place holds an
// Ident where an author might write another word, so that the checker can say
// something better than "unexpected token" (`deny 7..` in a risk table).
package ast

import "github.com/provlang/prov/dsl/source"

// Node is anything in the tree.
type Node interface{ Span() source.Span }

// At is embedded in every node and holds its span.
type At struct{ Where source.Span }

func (a At) Span() source.Span { return a.Where }

// Ident is a name as spelled.
type Ident struct {
	At
	Name string
}

// Doc is the text of the `///` lines before a node, one string a line, without
// the slashes and one leading blank.
type Doc []string

// File is one parsed file. Decls holds what could be parsed; a declaration with
// a syntax error is left out after its diagnostic.
type File struct {
	At
	Source   *source.File
	Doc      Doc    // before the package clause
	Package  *Ident // nil where the file has none (diagnosed by the parser)
	Decls    []Decl
	Broken   []*Ident   // the names whose declaration was left out; nothing more is to be said about them
	Comments []*Comment // every `//` comment that is not a Doc, in order; for the printer
}

// Comment is one `//` line, text without the slashes.
type Comment struct {
	At
	Text string
}

// ---- literals and types ----

// Literal is a value written in the source.
type Literal interface {
	Node
	literal()
}

type (
	// Number is an integer or decimal as written, sign included ("+2", "-3.10").
	Number struct {
		At
		Text string
	}
	// String is a quoted string; Value is unquoted.
	String struct {
		At
		Value string
	}
	// Bool is `true` or `false`.
	Bool struct {
		At
		Value bool
	}
	// Duration is a number and a unit, one token: 30s, 2m, 4h, 30d. Unit is one
	// of ms, s, m, h, d (d is 24 hours).
	Duration struct {
		At
		Text string // the digits
		Unit string
	}
	// Range is one token: `0..3`, `7..`, `..3`. Lo and Hi are "" where open.
	// Decimal bounds are allowed by the grammar.
	Range struct {
		At
		Lo, Hi string
	}
	// Name is an identifier in a value's place: an enum member.
	Name struct{ Ident }
)

func (*Number) literal()   {}
func (*String) literal()   {}
func (*Bool) literal()     {}
func (*Duration) literal() {}
func (*Name) literal()     {}

// TypeExpr is a type as written: `Tier`, `bool`, `ref service`, `string(1..32) /v[0-9]+/`.
// Base is a built-in word (bool, int, decimal, string, ref, and words refused
// later: any, map, json, list, float) or a declared name.
type TypeExpr struct {
	At
	Base    *Ident
	Ref     *Ident   // after `ref`
	Arg     *Range   // string(1..32), int(0..5)
	Size    *Number  // string(3), decimal(4): a single number
	Pattern *Pattern // /.../
}

// Pattern is `/.../`; Text has `\/` turned into `/` and nothing else changed.
type Pattern struct {
	At
	Text string
}

// Field is a member of args, result, inputs or an entity.
type Field struct {
	At
	Doc       Doc
	Name      *Ident
	Type      *TypeExpr
	Optional  *Ident  // the word `optional`
	Default   Literal // after `default`
	Sensitive *Ident  // the word `sensitive`
	Trust     *Ident  // `trusted` or `untrusted`
	TrustedAs *Ident  // the evidence class after `trusted as`
}

// ---- conditions ----

// Expr is a condition.
type Expr interface {
	Node
	expr()
}

type (
	// Logic is `x and y` or `x or y`, two operands or more of one operator.
	Logic struct {
		At
		Op   string // "and" or "or"
		Args []Expr
	}
	// Not is `not x`.
	Not struct {
		At
		X Expr
	}
	// Paren is a bracketed condition; it stays in the tree for the printer.
	Paren struct {
		At
		X Expr
	}
	// Compare is `x == y`; Op is one of == != < <= > >=.
	Compare struct {
		At
		Op   string
		OpAt source.Span
		X, Y Operand
	}
	// In is `x in { a, b }`.
	In struct {
		At
		X   Operand
		Set []Literal
	}
	// Presence is `x present` or `x absent`.
	Presence struct {
		At
		X      *Path
		Absent bool
	}
	// Truth is an operand that stands for a condition by itself (a bool).
	Truth struct {
		At
		X Operand
	}
)

func (*Logic) expr()    {}
func (*Not) expr()      {}
func (*Paren) expr()    {}
func (*Compare) expr()  {}
func (*In) expr()       {}
func (*Presence) expr() {}
func (*Truth) expr()    {}

// Operand is a Path or a Literal other than Name (a single identifier in an
// operand's place is a Path of one part; the checker decides whether it is an
// argument or an enum member).
type Operand interface {
	Node
	operand()
}

// Path is `amount`, `target.tier`, `result.deployed`.
type Path struct {
	At
	Parts []*Ident
}

func (*Path) operand()     {}
func (*Number) operand()   {}
func (*String) operand()   {}
func (*Bool) operand()     {}
func (*Duration) operand() {}

// ---- declarations ----

// Decl is a top-level declaration.
type Decl interface {
	Node
	decl()
	// DeclName is the declared name, nil for those that have none (standing, test, prove).
	DeclName() *Ident
}

type (
	// Enum is `enum Tier { tier1, tier2 }`.
	Enum struct {
		At
		Doc     Doc
		Name    *Ident
		Members []*Member
	}
	// Trait is `trait effects { reversible, irreversible }`.
	Trait struct {
		At
		Doc     Doc
		Name    *Ident
		Members []*Member
	}
	// Member of an enum or a trait.
	Member struct {
		At
		Doc  Doc
		Name *Ident
	}
	// TypeDecl is `type version = string(1..32) /v[0-9]+/`.
	TypeDecl struct {
		At
		Doc  Doc
		Name *Ident
		Type *TypeExpr
	}
	// Entity is `entity service { tier Tier ... }`.
	Entity struct {
		At
		Doc   Doc
		Name  *Ident
		Attrs []*Field
	}
	// Lifecycle is `lifecycle s { a -> b by tool }`.
	Lifecycle struct {
		At
		Doc         Doc
		Name        *Ident
		Transitions []*Transition
	}
	Transition struct {
		At
		From, To, By *Ident
	}
	// Tool is `tool t on service { ... }`.
	Tool struct {
		At
		Doc   Doc
		Name  *Ident
		On    *Ident // nil where the tool acts on nothing
		Stmts []ToolStmt
	}
	// Risk is `risk r { base {...} add f {...} allow 0..3 ... }`.
	Risk struct {
		At
		Doc   Doc
		Name  *Ident
		Stmts []RiskStmt
	}
	// Approval is `approval manager { 1 of role, within 4h }`.
	Approval struct {
		At
		Doc    Doc
		Name   *Ident
		Count  *Number
		Of     *Ident
		Within *Duration
	}
	// Agent is `agent planner { scope a, b  believes c }`.
	Agent struct {
		At
		Doc   Doc
		Name  *Ident
		Stmts []*NamesStmt // keywords scope, believes
	}
	// Policy is `policy p { ... }`.
	Policy struct {
		At
		Doc   Doc
		Name  *Ident
		Stmts []PolicyStmt
	}
	// Evidence is `evidence e { class 0.60  half_life 30d }`.
	Evidence struct {
		At
		Doc      Doc
		Name     *Ident
		Weights  []*Weight
		HalfLife []*DurationStmt // all that were written; one is right
	}
	Weight struct {
		At
		Class *Ident
		Value *Number
	}
	// Belief is `belief b on entity { ... }`.
	Belief struct {
		At
		Doc   Doc
		Name  *Ident
		On    *Ident
		Stmts []BeliefStmt
	}
	// Standing is `standing { degrade after 3 rejections in 24h }`.
	Standing struct {
		At
		Doc   Doc
		Count *Number
		In    *Duration
	}
	// Workflow is `workflow w { a, b }`.
	Workflow struct {
		At
		Doc   Doc
		Name  *Ident
		Steps []*Ident
	}
	// Test is `test "..." { given ... propose ... expect ... }`.
	Test struct {
		At
		Doc   Doc
		Title *String
		Stmts []TestStmt
	}
	// Prove is `prove "..." { for all where COND  expect OUTCOME }`.
	Prove struct {
		At
		Doc    Doc
		Title  *String
		ForAll source.Span // the words `for all`
		Where  Expr        // nil: every cell
		Expect *Ident      // allow, notify, hold
	}
)

func (*Enum) decl()      {}
func (*Trait) decl()     {}
func (*TypeDecl) decl()  {}
func (*Entity) decl()    {}
func (*Lifecycle) decl() {}
func (*Tool) decl()      {}
func (*Risk) decl()      {}
func (*Approval) decl()  {}
func (*Agent) decl()     {}
func (*Policy) decl()    {}
func (*Evidence) decl()  {}
func (*Belief) decl()    {}
func (*Standing) decl()  {}
func (*Workflow) decl()  {}
func (*Test) decl()      {}
func (*Prove) decl()     {}

func (d *Enum) DeclName() *Ident      { return d.Name }
func (d *Trait) DeclName() *Ident     { return d.Name }
func (d *TypeDecl) DeclName() *Ident  { return d.Name }
func (d *Entity) DeclName() *Ident    { return d.Name }
func (d *Lifecycle) DeclName() *Ident { return d.Name }
func (d *Tool) DeclName() *Ident      { return d.Name }
func (d *Risk) DeclName() *Ident      { return d.Name }
func (d *Approval) DeclName() *Ident  { return d.Name }
func (d *Agent) DeclName() *Ident     { return d.Name }
func (d *Policy) DeclName() *Ident    { return d.Name }
func (d *Evidence) DeclName() *Ident  { return d.Name }
func (d *Belief) DeclName() *Ident    { return d.Name }
func (d *Standing) DeclName() *Ident  { return nil }
func (d *Workflow) DeclName() *Ident  { return d.Name }
func (d *Test) DeclName() *Ident      { return nil }
func (d *Prove) DeclName() *Ident     { return nil }

// ---- statements of a tool ----

type ToolStmt interface {
	Node
	toolStmt()
}

type (
	// TraitStmt is `blast_radius single`: any two words that are no other statement.
	TraitStmt struct {
		At
		Trait, Member *Ident
	}
	// MarkStmt is one word: read, idempotent, dangerous (others are refused by the checker).
	MarkStmt struct {
		At
		Mark *Ident
	}
	// ApprovalStmt is `approval required`.
	ApprovalStmt struct{ At }
	// FieldsStmt is `args { ... }` or `result { ... }`; also `inputs { ... }` in a policy.
	FieldsStmt struct {
		At
		Key    *Ident
		Fields []*Field
	}
	// VerifyStmt is `verify by tool { confirmed when c  refuted when c }`.
	VerifyStmt struct {
		At
		By      *Ident
		Clauses []*VerifyClause
	}
	VerifyClause struct {
		At
		Verdict *Ident // confirmed, refuted; anything else is refused by the checker
		When    Expr
	}
	// FlagStmt is `flag name when cond` and, after it, maybe `else hold`.
	FlagStmt struct {
		At
		Doc  Doc
		Name *Ident
		When Expr
		Else *Ident // nil, or the word after `else`
	}
	// RequireStmt is `require cond else refuse`, `else hold` or `else hold for group`.
	// What stands behind it is for the checker: another word, or nothing.
	RequireStmt struct {
		At
		Doc  Doc
		Key  *Ident // the word `require`
		When Expr
		Else *Ident // nil, or the word after `else`
		For  *Ident // nil, or the name after `for`
	}
)

func (*TraitStmt) toolStmt()    {}
func (*MarkStmt) toolStmt()     {}
func (*ApprovalStmt) toolStmt() {}
func (*FieldsStmt) toolStmt()   {}
func (*VerifyStmt) toolStmt()   {}
func (*FlagStmt) toolStmt()     {}
func (*RequireStmt) toolStmt()  {}

// ---- statements of a risk table ----

type RiskStmt interface {
	Node
	riskStmt()
}

type (
	// BaseStmt is `base { tool 1, tool 4 }`.
	BaseStmt struct {
		At
		Rows []*Row
	}
	// AddStmt is `add target.tier { tier1 +2 } any order`.
	AddStmt struct {
		At
		Factor   *Path
		Rows     []*Row
		AnyOrder bool
	}
	// Row is a name and its points.
	Row struct {
		At
		Name   *Ident
		Points *Number
	}
	// BandStmt is `allow 0..3`. Outcome may be any word here.
	BandStmt struct {
		At
		Outcome *Ident
		Range   *Range
	}
)

func (*BaseStmt) riskStmt() {}
func (*AddStmt) riskStmt()  {}
func (*BandStmt) riskStmt() {}

// ---- statements of a policy, an agent, a belief ----

type PolicyStmt interface {
	Node
	policyStmt()
}

type (
	// NamesStmt is a keyword and names: agent, tools, risk, approval, cause in a
	// policy; scope, believes in an agent.
	NamesStmt struct {
		At
		Key   *Ident
		Names []*Ident
	}
	// CountStmt is a keyword and a number: max_steps, malformed_retries, replans, no_progress.
	CountStmt struct {
		At
		Key *Ident
		N   *Number
	}
	// DurationStmt is a keyword and a duration: deadline; half_life in evidence.
	DurationStmt struct {
		At
		Key *Ident
		D   *Duration
	}
	// BudgetStmt is `budget { model_calls 12, tokens 60000, cost 0.75 usd } else hold`.
	BudgetStmt struct {
		At
		Items []*BudgetItem
		Else  *Ident
	}
	BudgetItem struct {
		At
		Kind   *Ident
		Amount *Number
		Unit   *Ident // usd after cost
	}
)

func (*NamesStmt) policyStmt()    {}
func (*CountStmt) policyStmt()    {}
func (*DurationStmt) policyStmt() {}
func (*BudgetStmt) policyStmt()   {}
func (*FieldsStmt) policyStmt()   {}

type BeliefStmt interface {
	Node
	beliefStmt()
}

type (
	// ThresholdStmt is `commit 0.50`, `flip 0.70`, `retract 0.50`.
	ThresholdStmt struct {
		At
		Key   *Ident
		Value *Number
	}
	// LearnStmt is `learn { confirmed state, refuted not state }`.
	LearnStmt struct {
		At
		Lessons []*Lesson
	}
	Lesson struct {
		At
		Verdict *Ident // confirmed, refuted; anything else is refused by the checker
		Not     bool
		State   *Ident
	}
	// ExpiresStmt is `expires 30d then reverify by tool`; By is nil without `then`.
	ExpiresStmt struct {
		At
		After *Duration
		By    *Ident
	}
)

// In a belief, `states Cause` and `evidence e` are NamesStmt.
func (*NamesStmt) beliefStmt()     {}
func (*ThresholdStmt) beliefStmt() {}
func (*LearnStmt) beliefStmt()     {}
func (*ExpiresStmt) beliefStmt()   {}

// ---- statements of a test ----

type TestStmt interface {
	Node
	testStmt()
}

type (
	// GivenStmt is `given service "inventory-api" { tier tier2, deployed "v42" }`.
	GivenStmt struct {
		At
		Entity *Ident
		ID     *String
		Attrs  []*Assign
	}
	// StandingStmt is `standing degraded` (good, degraded, suspended).
	StandingStmt struct {
		At
		Value *Ident
	}
	// AfterStmt is `after rollback_config on "inventory-api" { ... }`: that action
	// was already done in this run.
	AfterStmt struct {
		At
		Tool *Ident
		On   *String
		Args []*Assign
	}
	// InStmt is `in acme`: which policy, where the package has several.
	InStmt struct {
		At
		Policy *Ident
	}
	// ProposeStmt is `propose tool on "id" { arg value, ... } because cause`.
	ProposeStmt struct {
		At
		Tool  *Ident
		On    *String
		Args  []*Assign
		Cause *Ident
	}
	// Assign is a name and a value.
	Assign struct {
		At
		Name  *Ident
		Value Literal
	}
	// ExpectStmt is `expect allow score 2`, `expect refuse schema_invalid`,
	// `expect hold score 11 flags a, b`.
	ExpectStmt struct {
		At
		Outcome *Ident
		Reason  *Ident
		Score   *Number
		Flags   []*Ident
	}
)

func (*GivenStmt) testStmt()    {}
func (*StandingStmt) testStmt() {}
func (*AfterStmt) testStmt()    {}
func (*InStmt) testStmt()       {}
func (*ProposeStmt) testStmt()  {}
func (*ExpectStmt) testStmt()   {}
