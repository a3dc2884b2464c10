package diag

// Codes 120 to 199: structure, and habits from other languages.
const (
	// Structure.
	MissingPackage      Code = 120
	UnknownDeclaration  Code = 121
	NotAStatement       Code = 122
	UnexpectedToken     Code = 123
	UnclosedBrace       Code = 124
	StrayBrace          Code = 125
	OutsideDeclaration  Code = 126
	MixedLogic          Code = 127
	ChainedComparison   Code = 128
	TooDeep             Code = 129
	NotInThisVersion    Code = 130
	BraceOnNextLine     Code = 131
	StatementNotOnALine Code = 132

	// Habits from other languages.
	ForeignOperator Code = 140
	ForeignComment  Code = 141
	ForeignWord     Code = 142
	QuotedName      Code = 143
)

var syntaxInfos = []Info{
	{
		Code: MissingPackage, Name: "MissingPackage", Severity: Error,
		Title: "no `package` at the beginning of the file",
		Page:  "The files of a folder make one package, and each of them begins with the same `package` and name, once.",
		Example: `enum Tier { low, high }
`,
		Fixed: `package demo

enum Tier { low, high }
`,
	},
	{
		Code: UnknownDeclaration, Name: "UnknownDeclaration", Severity: Error,
		Title: "a word that begins no declaration",
		Page:  "The list of declarations is closed. A misspelled word is never passed over: a rule that was not read would silently not apply.",
		Example: `package demo

enun Tier { low, high }
`,
		Fixed: `package demo

enum Tier { low, high }
`,
	},
	{
		Code: NotAStatement, Name: "NotAStatement", Severity: Error,
		Title: "a word that begins no statement of its block",
		Page:  "Each block has a closed list of statements. A misspelled word is never passed over: a limit that was not read would silently not apply.",
		Example: `package demo

agent clerk { scopes read_mail }

tool read_mail { read }
`,
		Fixed: `package demo

agent clerk { scope read_mail }

tool read_mail { read }
`,
	},
	{
		Code: UnexpectedToken, Name: "UnexpectedToken", Severity: Error,
		Title: "something else was due here",
		Page:  "The message says what was due and what was found. The underlined token is the first that does not fit.",
		Example: `package demo

enum Tier { low high }
`,
		Fixed: `package demo

enum Tier { low, high }
`,
	},
	{
		Code: UnclosedBrace, Name: "UnclosedBrace", Severity: Error,
		Title: "a `{` that is never closed",
		Page:  "Every `{` has its `}`. Where one is missing, the declaration ends before the next line that begins, in column one, like a declaration; the underlined `{` is found by the indentation of the lines.",
		Example: `package demo

enum Tier { low, high

enum Size { small, large }
`,
		Fixed: `package demo

enum Tier { low, high }

enum Size { small, large }
`,
	},
	{
		Code: StrayBrace, Name: "StrayBrace", Severity: Error,
		Title: "a `}` that closes nothing",
		Page:  "There is a `}` more than there are `{`. The place where the declaration ended before is shown too.",
		Example: `package demo

enum Tier { low, high } }
`,
		Fixed: `package demo

enum Tier { low, high }
`,
	},
	{
		Code: OutsideDeclaration, Name: "OutsideDeclaration", Severity: Error,
		Title: "something that stands outside of any declaration",
		Page:  "Everything but `package` belongs to a declaration, between its `{` and `}`.",
		Example: `package demo

enum Tier { low, high }
  largest high
`,
		Fixed: `package demo

enum Tier { low, high }
`,
	},
	{
		Code: MixedLogic, Name: "MixedLogic", Severity: Error,
		Title: "`and` and `or` mixed without parentheses",
		Page:  "Languages and readers do not agree on which of the two binds tighter, and here a misreading would allow what should have been held. So a mix says in parentheses what belongs together.",
		Example: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { large bool, old bool, seen bool }
  flag odd when large == true and old == true or seen == true
}
`,
		Fixed: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { large bool, old bool, seen bool }
  flag odd when (large == true and old == true) or seen == true
}
`,
	},
	{
		Code: ChainedComparison, Name: "ChainedComparison", Severity: Error,
		Title: "comparisons in a chain",
		Page:  "`0 < amount < 9` means different things in different languages. Two comparisons joined by `and` mean one.",
		Example: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { age int(0..99) }
  flag middle when 30 < age < 60
}
`,
		Fixed: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { age int(0..99) }
  flag middle when age > 30 and age < 60
}
`,
	},
	{
		Code: TooDeep, Name: "TooDeep", Severity: Error,
		Title: "nested deeper than 64 levels",
		Page:  "Brackets and `not` are nested at most 64 deep. No policy that a person can read needs more, and the bound keeps a file from exhausting the compiler.",
		Why:   "an example would have 65 brackets",
	},
	{
		Code: NotInThisVersion, Name: "NotInThisVersion", Severity: Error,
		Title: "a word of the language that this version does not have",
		Page:  "The word is known, but this version of the compiler does nothing with it. It is refused rather than passed over: what is written takes effect, or does not compile.",
		Example: `package demo

label private
`,
		Fixed: `package demo
`,
	},
	{
		Code: BraceOnNextLine, Name: "BraceOnNextLine", Severity: Error,
		Title: "a `{` on a line of its own",
		Page:  "A statement ends at the end of its line, so a `{` stands on the line that it belongs to.",
		Example: `package demo

enum Tier
{
  low
  high
}
`,
		Fixed: `package demo

enum Tier {
  low
  high
}
`,
	},
	{
		Code: StatementNotOnALine, Name: "StatementNotOnALine", Severity: Error,
		Title: "a statement that does not begin on a line of its own",
		Page:  "Statements and declarations are separated by line ends and nothing else.",
		Example: `package demo

enum Tier { low, high } enum Size { small, large }
`,
		Fixed: `package demo

enum Tier { low, high }
enum Size { small, large }
`,
	},
	{
		Code: ForeignOperator, Name: "ForeignOperator", Severity: Error,
		Title: "an operator of another language",
		Page:  "Conditions are written in words, `and`, `or`, `not`, and compared with `==`, `!=`, `<`, `<=`, `>`, `>=`. Nothing is assigned, and statements end with their line. The message names what to write.",
		Example: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { old bool, seen bool }
  flag odd when old == true && seen == true
}
`,
		Fixed: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { old bool, seen bool }
  flag odd when old == true and seen == true
}
`,
	},
	{
		Code: ForeignComment, Name: "ForeignComment", Severity: Error,
		Title: "a comment of another language",
		Page:  "A comment begins with `//` and goes to the end of its line.",
		Example: `package demo

# how much depends on it
enum Tier { low, high }
`,
		Fixed: `package demo

// how much depends on it
enum Tier { low, high }
`,
	},
	{
		Code: ForeignWord, Name: "ForeignWord", Severity: Error,
		Title: "a word of another language",
		Page:  "Other languages have this word where this one has another way. The help names it.",
		Example: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { age int(0..99) }
  flag old if age > 60
}
`,
		Fixed: `package demo

entity mail { size int(0..100) }

tool file_mail on mail {
  args { age int(0..99) }
  flag old when age > 60
}
`,
	},
	{
		Code: QuotedName, Name: "QuotedName", Severity: Error,
		Title: "quotes around a name",
		Page:  "Data is quoted, names are not: so a name can be looked up, and a misspelled one is found.",
		Example: `package demo

enum Tier { "low", high }
`,
		Fixed: `package demo

enum Tier { low, high }
`,
	},
}
