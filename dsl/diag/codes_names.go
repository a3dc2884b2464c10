package diag

// Codes 2xx: names.
const (
	PackageMismatch  Code = 200
	UnknownName      Code = 201
	WrongKind        Code = 202
	Duplicate        Code = 203
	DuplicateMember  Code = 204
	RepeatedSetting  Code = 205
	RepeatedEntry    Code = 206
	ConfusableName   Code = 207
	ReservedName     Code = 208
	TraitIsStatement Code = 209
	UnknownMember    Code = 210
	UnknownField     Code = 211
	Unused           Code = 212
	UnknownStatement Code = 213
	AmbiguousName    Code = 214
)

var nameInfos = []Info{
	{
		Code: PackageMismatch, Name: "PackageMismatch", Severity: Error,
		Title: "files of one folder name different packages",
		Page: `All .prov files of a folder are one package, and each starts with the same "package NAME". A file that names another
package would be left out by anybody who reads the folder as one policy, so the compiler does not guess which was meant.`,
		Why: "it takes two files",
	},
	{
		Code: UnknownName, Name: "UnknownName", Severity: Error,
		Title: "a name that nothing declares",
		Page: `Every name in a package stands for something that is declared in it, or in another file of the same package. A name
that is not declared is an error wherever it stands, and never "no rule": a typing mistake cannot make a rule silently
disappear. Where a known name is near, the message proposes it.`,
		Example: alter(exPolicy, "tools     restart", "tools     restrat"),
		Fixed:   exPolicy,
	},
	{
		Code: WrongKind, Name: "WrongKind", Severity: Error,
		Title: "a name that stands for something else",
		Page: `The name is declared, but as another kind of thing than the place asks for: an agent where a risk table is named, a tool
where an entity is. All declarations share one space of names, so a name stands for one thing everywhere.`,
		Example: alter(exPolicy, "risk      care_risk", "risk      keeper"),
		Fixed:   exPolicy,
	},
	{
		Code: Duplicate, Name: "Duplicate", Severity: Error,
		Title: "a name that is declared twice",
		Page: `A package declares each name once, over all of its files and all kinds of declarations. Were the later one to win, or
the earlier one, a file added to a folder could change a policy without anybody seeing it.`,
		Example: exArgs + "\nenum pay { now, later }\n",
		Fixed:   exArgs + "\nenum When { now, later }\n",
	},
	{
		Code: DuplicateMember, Name: "DuplicateMember", Severity: Error,
		Title: "a member, a field, a flag or a class that stands twice",
		Page: `Members of an enum or a trait, attributes of an entity, arguments, result fields, flags and classes of evidence are each
named once where they are declared.`,
		Example: "package demo\n\nenum Tier { gold, silver, gold }\n",
		Fixed:   "package demo\n\nenum Tier { gold, silver }\n",
	},
	{
		Code: RepeatedSetting, Name: "RepeatedSetting", Severity: Error,
		Title: "a statement that stands twice",
		Page: `A declaration states each of its settings once. Two "deadline" lines in one policy would leave it to the reader to
know which of them counts.`,
		Example: alter(exPolicy, "  max_steps 8\n", "  max_steps 8\n  max_steps 80\n"),
		Fixed:   exPolicy,
	},
	{
		Code: RepeatedEntry, Name: "RepeatedEntry", Severity: Error,
		Title: "an entry that stands twice in a list",
		Page: `A list names each of its entries once: tools of a policy, the scope of an agent, the words of an "in { }", transitions
of a lifecycle. The second entry says nothing, and often stands where another was meant.`,
		Example: alter(exPolicy, "scope restart", "scope restart, restart"),
		Fixed:   exPolicy,
	},
	{
		Code: ConfusableName, Name: "ConfusableName", Severity: Error,
		Title: "two names that a reader, or Go, takes for one",
		Page: `Two names of one list differ only in case or underscores, or only in letters that look alike (0 and O; 1, l and I).
In generated Go they would become one identifier, or nearly so, and a person who reviews the policy would take one for
the other.`,
		Example: "package demo\n\nenum Tier { top_level, topLevel }\n",
		Fixed:   "package demo\n\nenum Tier { top_level, second_level }\n",
	},
	{
		Code: ReservedName, Name: "ReservedName", Severity: Error,
		Title: "a name that means something else already",
		Page: `Some names cannot be declared: the language's own types; names that every generated package has for itself (Tool,
Digest, Package, Proposal, Policy); a package named like a keyword or a predeclared name of Go, or with capitals; a flag
named "none", which a test says for no flag; and a name of more than 64 letters.`,
		Example: "package demo\n\nenum tool { hammer, saw }\n",
		Fixed:   "package demo\n\nenum tool_kind { hammer, saw }\n",
	},
	{
		Code: TraitIsStatement, Name: "TraitIsStatement", Severity: Error,
		Title: "a trait that is named like a statement of a tool",
		Page: `A tool states its traits as "TRAIT MEMBER". A trait called "read", "flag" or "verify" would make such a line mean two
things, and a mistyped statement would read as a trait. The words are those that start a statement of a tool today or
in a planned version: read, idempotent, dangerous, approval, args, result, verify, flag, require, confirm, fact, send,
yields, calls, limit, claim, needs.`,
		Example: "package demo\n\ntrait limit { low, high }\n",
		Fixed:   "package demo\n\ntrait limit_kind { low, high }\n",
	},
	{
		Code: UnknownMember, Name: "UnknownMember", Severity: Error,
		Title: "a member that its enum does not have",
		Page: `A value of an enum, a trait or a lifecycle is one of the members that its declaration lists. Another word would never
be equal to anything, so a rule with it would never apply.`,
		Example: alter(exTable, "  effects reversible\n", "  effects revirsible\n"),
		Fixed:   exTable,
	},
	{
		Code: UnknownField, Name: "UnknownField", Severity: Error,
		Title: "an attribute, an argument, a result field or a flag that is not declared",
		Page: `What stands after "target." is an attribute of the entity that the tool acts on, what stands after "result." is a field
of the result, and a test gives arguments that the contract has.`,
		Example: alter(exVerify, "confirmed when result.deployed == target.good", "confirmed when result.deployed == target.goood"),
		Fixed:   exVerify,
	},
	{
		Code: Unused, Name: "Unused", Severity: Warning,
		Title: "a declaration that nothing uses",
		Page: `Nothing but a test names it, so it decides nothing. Most often a statement that should name it is missing: a risk table
that no policy names scores nothing. A package without any policy is a library, and is not asked.`,
		Example: exPolicy + "\napproval manager { 1 of shift_manager, within 4h }\n",
		Fixed:   alter(exPolicy, "  risk      care_risk\n", "  risk      care_risk\n  approval  manager\n") + "\napproval manager { 1 of shift_manager, within 4h }\n",
	},
	{
		Code: UnknownStatement, Name: "UnknownStatement", Severity: Error,
		Title: "a word that starts no statement here",
		Page: `The word is no statement of this declaration. In a tool that is most often a mark with a typing mistake, or a member of a
trait without the trait's name before it.`,
		Example: alter(exTable, "  effects reversible\n", "  effects reversible\n  idempotant\n"),
		Fixed:   alter(exTable, "  effects reversible\n", "  effects reversible\n  idempotent\n"),
	},
	{
		Code: AmbiguousName, Name: "AmbiguousName", Severity: Error,
		Title: "a name that may be two things where it stands",
		Page: `In a comparison a bare name is an argument, or a member of the enum on the other side; in a risk table it is a trait, and
an argument can have the same name. Where it could be both, half of its readers would think of the other one.`,
		Example: `package demo

enum Reason { health, weather }

tool cancel {
  args {
    reason Reason
    health Reason
  }
  flag sick when reason == health
}
`,
		Fixed: `package demo

enum Reason { health, weather }

tool cancel {
  args {
    reason Reason
    second Reason
  }
  flag sick when reason == health
}
`,
	},
}
