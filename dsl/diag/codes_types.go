package diag

// Codes 3xx: types and origins.
const (
	OriginForbidden   Code = 300
	FreeFormType      Code = 301
	UnboundedType     Code = 302
	BadBound          Code = 303
	TypeMismatch      Code = 304
	NoOrder           Code = 305
	ImpossibleValue   Code = 306
	AbsenceUnsaid     Code = 307
	AlwaysPresent     Code = 308
	NotReadable       Code = 310
	NotACondition     Code = 311
	RatingDeclared    Code = 312
	RatingRead        Code = 313
	TenantArgument    Code = 314
	MisplacedModifier Code = 315
	BadPattern        Code = 316
	TypeCycle         Code = 317
)

var typeInfos = []Info{
	{
		Code: OriginForbidden, Name: "OriginForbidden", Severity: Error,
		Title: "a score that reads a value of the model's",
		Page: `This is the rule that everything else exists for. A risk table adds points by what the contract says of an action (its
traits), by what the registry knows of the target (its attributes), and by which tool was chosen. It never reads a value
that a model wrote, brought or chose: not an argument, not a field of a result, not the cause. That holds whatever the
type: an enum that the model fills in rates its own action just as a number does, and a model that can move its score can
allow its action.

If the value matters, keep it where somebody else writes it: an attribute of what the action is about, in the registry,
or a trait of the contract (two tools, one for small amounts, one for large ones). A "flag" may read an argument: it is
recorded, and with "else hold" the action waits for a person. A flag can cost the model something, and never win it
anything.`,
		Example: `package demo

enum Urgency { low, high }

tool pay {
  args {
    urgency Urgency
  }
}

risk pay_risk {
  base        { pay 1 }
  add urgency { low 0, high +3 }
  allow  0..3
  hold   4..
}
`,
		Fixed: `package demo

enum Urgency { low, high }

entity account { urgency Urgency }

tool pay on account {
  idempotent
}

risk pay_risk {
  base               { pay 1 }
  add target.urgency { low 0, high +3 }
  allow  0..3
  hold   4..
}
`,
	},
	{
		Code: FreeFormType, Name: "FreeFormType", Severity: Error,
		Title: "a type without a closed set of values",
		Page: `Every value has a type with bounds: bool, int(A..B), decimal(N), string(A..B), an enum, a reference, or a declared type of
these. There is no any, map, json, object, list or float. A free-form value is a place where anything can be put, and no
rule can be total over it.`,
		Example: alter(exArgs, "    note   string(0..40) optional\n", "    note   json\n"),
		Fixed:   exArgs,
	},
	{
		Code: UnboundedType, Name: "UnboundedType", Severity: Error,
		Title: "a type that does not say how large its values are",
		Page: `A string states its length, an int both of its bounds, a decimal the digits after the point. A pattern says which
letters a text has and not how many, so it needs a length beside it.`,
		Example: alter(exArgs, "string(0..40)", "string"),
		Fixed:   exArgs,
	},
	{
		Code: BadBound, Name: "BadBound", Severity: Error,
		Title: "bounds that make no sense",
		Page: `The bounds of the type cannot be: an empty range, a length over 65536, more than 9 digits after the point, or bounds on a
type that takes none.`,
		Example: alter(exArgs, "string(0..40)", "string(40..0)"),
		Fixed:   exArgs,
	},
	{
		Code: TypeMismatch, Name: "TypeMismatch", Severity: Error,
		Title: "two types where one is needed",
		Page: `A comparison has one type on both sides, and a value has the type of what it is given to. Nothing is converted: "5" is not
5, and a member of one enum is not a member of another of the same name.`,
		Example: alter(exArgs, "amount > 1000.00", `amount > "1000.00"`),
		Fixed:   exArgs,
	},
	{
		Code: NoOrder, Name: "NoOrder", Severity: Error,
		Title: "an order where there is none",
		Page: `Only numbers are compared with <, <=, > and >=. The order of the members of an enum serves tables; in a condition, list the
members that are meant, so that a new member makes somebody look.`,
		Example: alter(exVerify, "confirmed when result.deployed == target.good", "confirmed when result.deployed >= target.good"),
		Fixed:   exVerify,
	},
	{
		Code: ImpossibleValue, Name: "ImpossibleValue", Severity: Error,
		Title: "a value that its type does not have",
		Page: `The number is out of range, has more digits than the type, or the text has another length or does not match the pattern. A
comparison with it would never hold, or always, and a test with it would be refused before it tests anything.`,
		Example: alter(exArgs, "amount > 1000.00", "amount > 1000.005"),
		Fixed:   exArgs,
	},
	{
		Code: AbsenceUnsaid, Name: "AbsenceUnsaid", Severity: Error,
		Title: "an optional argument that is read without saying what absence means",
		Page: `An argument that may be left out has no value then, and a condition that reads it must say what that means. Otherwise a
model could skip a rule by leaving out what the rule is about. A condition is read from left to right: after
"x present and" the argument is there, and so it is after "x absent or".`,
		Example: alter(exArgs, "    amount decimal(2)\n", "    amount decimal(2) optional\n"),
		Fixed:   alter(alter(exArgs, "    amount decimal(2)\n", "    amount decimal(2) optional\n"), "when amount >", "when amount present and amount >"),
	},
	{
		Code: AlwaysPresent, Name: "AlwaysPresent", Severity: Error,
		Title:   "a question whether something is there that always is",
		Page:    `Only an optional argument without a default can be absent. Of anything else the question has one answer.`,
		Example: alter(exArgs, "when amount >", "when amount present and amount >"),
		Fixed:   exArgs,
	},
	{
		Code: NotReadable, Name: "NotReadable", Severity: Error,
		Title: "something that this condition cannot read",
		Page: `A flag reads the arguments of its tool and attributes of what the tool acts on. The conditions of "verify" read the result
of the reading tool and the target as it was when the action was decided, and no argument: an action must not be verified
by what the model said of it. A tool that acts on nothing has no target.`,
		Example: alter(exArgs, "amount > 1000.00", "target.amount > 1000.00"),
		Fixed:   exArgs,
	},
	{
		Code: NotACondition, Name: "NotACondition", Severity: Error,
		Title: "a value that is no condition",
		Page: `A condition is a comparison, "in { }", "present" or "absent", or a bool by itself, joined by "and", "or", "not". A number, a
text or a constant alone decides nothing.`,
		Example: alter(exArgs, "amount > 1000.00", "amount"),
		Fixed:   exArgs,
	},
	{
		Code: RatingDeclared, Name: "RatingDeclared", Severity: Warning,
		Title: "an argument in which a model rates itself",
		Page: `The argument is called confidence, certainty, likelihood, probability, risk, severity, score or rating. The tool will receive
it as data, and nothing in the package can read it: no table and no condition may decide by a rating that a model made.
If the tool needs no such number, remove it; if it does, a name that says what it is for is better.`,
		Example: "package demo\n\ntool warn {\n  args { severity int(1..5) }\n}\n",
		Fixed:   "package demo\n\ntool warn {\n  args { copies int(1..5) }\n}\n",
	},
	{
		Code: RatingRead, Name: "RatingRead", Severity: Error,
		Title: "a decision by a rating that a model made",
		Page: `"confidence > 0.8" is how many systems decide, and it decides nothing: a model that wants an action to pass says that it is
sure, and so does one that was told to. A number that a model produced is never read, whether the contract has it or not.
Read what others know: attributes of the target, traits of the contract.`,
		Example: alter(exArgs, "amount > 1000.00", "confidence > 0.8"),
		Fixed:   exArgs,
	},
	{
		Code: TenantArgument, Name: "TenantArgument", Severity: Error,
		Title: "a tenant as an argument",
		Page: `Whose run it is comes from the run, and is never said by a model. No contract, result or input can declare "tenant" or
"tenant_id"; a proposal that names another tenant is refused as cross_tenant_denied.`,
		Example: alter(exArgs, "    amount decimal(2)\n", "    amount decimal(2)\n    tenant_id string(1..40)\n"),
		Fixed:   exArgs,
	},
	{
		Code: MisplacedModifier, Name: "MisplacedModifier", Severity: Error,
		Title: "a word that this field cannot have",
		Page: `Arguments and inputs may be optional. Result fields may be trusted or untrusted. An attribute is neither: a registry entry has
all of its attributes, and whoever keeps the registry is trusted with it.`,
		Example: alter(exTable, "  busy bool\n", "  busy bool optional\n"),
		Fixed:   exTable,
	},
	{
		Code: BadPattern, Name: "BadPattern", Severity: Error,
		Title: "a pattern that cannot be used",
		Page: `A pattern has RE2 syntax, matches the whole text, and becomes a table at compile time, so that matching takes one step for
each letter. What has no such table (back references, look-ahead, word boundaries) or too large a one is refused.`,
		Example: "package demo\n\ntype code = string(1..8) /[A-Z/\n",
		Fixed:   "package demo\n\ntype code = string(1..8) /[A-Z]+/\n",
	},
	{
		Code: TypeCycle, Name: "TypeCycle", Severity: Error,
		Title:   "a type that is declared by itself",
		Page:    `A declared type is in the end a bool, a number, a text, an enum or a reference.`,
		Example: "package demo\n\ntype code = code\n",
		Fixed:   "package demo\n\ntype code = string(1..8)\n",
	},
}
