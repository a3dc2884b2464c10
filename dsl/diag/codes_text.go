package diag

// Codes 1xx: text and syntax.
const (
	// The text as a whole.
	FileTooLarge    Code = 101
	NulByte         Code = 102
	InvalidUTF8     Code = 103
	ByteOrderMark   Code = 104
	HiddenCharacter Code = 105
	EmptyFile       Code = 106
	TooManyFaults   Code = 107

	// Tokens.
	StrayCharacter Code = 110
	BadName        Code = 111
	ReservedWord   Code = 112
	OpenString     Code = 113
	BadEscape      Code = 114
	OpenPattern    Code = 115
	BadNumber      Code = 116
	BadUnit        Code = 117
	StrayDoc       Code = 118

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

var textInfos = []Info{
	{
		Code: FileTooLarge, Name: "FileTooLarge", Severity: Error,
		Title: "the file is larger than 2 MiB",
		Page:  "A file has at most 2,097,152 bytes. The bound keeps every later step bounded as well. A package may have any number of files, so nothing is out of reach: split the file between two declarations.",
		Why:   "an example would have two megabytes",
	},
	{
		Code: NulByte, Name: "NulByte", Severity: Error,
		Title: "the file contains a NUL byte",
		Page:  "A .prov file is text. A NUL byte means that it is another kind of file, or that it was saved as UTF-16, and editors disagree on how to show it.",
		Why:   "a NUL byte cannot be shown",
	},
	{
		Code: InvalidUTF8, Name: "InvalidUTF8", Severity: Error,
		Title: "the file is not valid UTF-8",
		Page:  "A .prov file is UTF-8, byte for byte: what is compiled must be what a reader sees, and a byte outside of UTF-8 is shown differently by every program.",
		Why:   "a byte that is not UTF-8 cannot be shown",
	},
	{
		Code: ByteOrderMark, Name: "ByteOrderMark", Severity: Error,
		Title: "the file begins with a byte-order mark",
		Page:  "UTF-8 needs no byte-order mark. Two files that look the same would differ in three bytes, and so in their digest. Editors can save without it.",
		Why:   "a byte-order mark cannot be seen",
	},
	{
		Code: HiddenCharacter, Name: "HiddenCharacter", Severity: Error,
		Title: "a character that cannot be seen",
		Page:  "Control characters, and marks that turn the direction of text around, make a reader see something else than what is compiled. They may stand nowhere in a file, not in a comment either. In a string they can be written as an escape such as `\\u{202E}`.",
		Why:   "the character cannot be seen",
	},
	{
		Code: EmptyFile, Name: "EmptyFile", Severity: Error,
		Title: "the file declares nothing",
		Page:  "A file without a single declaration is more likely a mistake (a file that was not saved, a wrong name) than an intention. The smallest file says which package it belongs to.",
		Example: `// to be written
`,
		Fixed: `package demo
`,
	},
	{
		Code: TooManyFaults, Name: "TooManyFaults", Severity: Error,
		Title: "more than 100 faults in one file",
		Page:  "After a hundred faults the rest of the file is not reported. It is probably not a .prov file, or one early fault has spoiled what follows.",
		Why:   "an example would have a hundred faults",
	},
	{
		Code: StrayCharacter, Name: "StrayCharacter", Severity: Error,
		Title: "a character that means nothing in this place",
		Page:  "Outside of strings, patterns and comments only letters, digits, `_` and a few signs have a meaning. There is no arithmetic. Text is put between straight double quotes.",
		Example: `package demo

enum Tier { low, high% }
`,
		Fixed: `package demo

enum Tier { low, high }
`,
	},
	{
		Code: BadName, Name: "BadName", Severity: Error,
		Title: "a name with a character that no name has",
		Page:  "A name begins with a letter from a to z or A to Z and goes on with such letters, digits and `_`. Letters of other alphabets are left out since some look exactly like these; text for people goes into `///` comments and strings.",
		Example: `package demo

trait blast-radius { single, wide }
`,
		Fixed: `package demo

trait blast_radius { single, wide }
`,
	},
	{
		Code: ReservedWord, Name: "ReservedWord", Severity: Error,
		Title: "a reserved word in the place of a name",
		Page:  "Nine words are reserved, since conditions are read by them: `and`, `or`, `not`, `in`, `matches`, `else`, `when`, `true` and `false`. Every other word can be a name.",
		Example: `package demo

enum Answer { true, unknown }
`,
		Fixed: `package demo

enum Answer { yes, unknown }
`,
	},
	{
		Code: OpenString, Name: "OpenString", Severity: Error,
		Title: "a string that is not closed on its line",
		Page:  "A string ends on the line on which it begins. A line end inside text is written `\\n`.",
		Example: `package demo

entity mail { subject string(1..20) }

tool file_mail on mail { idempotent }

agent clerk { scope file_mail }

policy desk {
  agent     clerk
  tools     file_mail
  max_steps 4
  deadline  30s
}

test "filing is allowed" {
  given mail "m1" { subject "hello }
  propose file_mail on "m1"
  expect  allow
}
`,
		Fixed: `package demo

entity mail { subject string(1..20) }

tool file_mail on mail { idempotent }

agent clerk { scope file_mail }

policy desk {
  agent     clerk
  tools     file_mail
  max_steps 4
  deadline  30s
}

test "filing is allowed" {
  given mail "m1" { subject "hello" }
  propose file_mail on "m1"
  expect  allow
}
`,
	},
	{
		Code: BadEscape, Name: "BadEscape", Severity: Error,
		Title: "an escape that does not exist",
		Page:  "In a string, a backslash begins an escape: `\\\"`, `\\\\`, `\\n`, `\\t`, `\\r`, and `\\u{1F4C4}` for the character of that number. Any other would be read differently by different readers.",
		Example: `package demo

entity mail { subject string(1..20) }

tool file_mail on mail { idempotent }

agent clerk { scope file_mail }

policy desk {
  agent     clerk
  tools     file_mail
  max_steps 4
  deadline  30s
}

test "filing is allowed" {
  given mail "m1" { subject "a\d" }
  propose file_mail on "m1"
  expect  allow
}
`,
		Fixed: `package demo

entity mail { subject string(1..20) }

tool file_mail on mail { idempotent }

agent clerk { scope file_mail }

policy desk {
  agent     clerk
  tools     file_mail
  max_steps 4
  deadline  30s
}

test "filing is allowed" {
  given mail "m1" { subject "a\\d" }
  propose file_mail on "m1"
  expect  allow
}
`,
	},
	{
		Code: OpenPattern, Name: "OpenPattern", Severity: Error,
		Title: "a pattern that is not closed, or closed too early",
		Page:  "A pattern stands between two slashes on one line. A slash inside of it is written `\\/`.",
		Example: `package demo

type path = string(1..9) /a\/b
`,
		Fixed: `package demo

type path = string(1..9) /a\/b/
`,
	},
	{
		Code: BadNumber, Name: "BadNumber", Severity: Error,
		Title: "a number or range that is written wrongly",
		Page:  "A number has digits, and maybe a point with digits on both sides. It does not begin with a zero before other digits, and its digits are not grouped. A range is one word: `0..3`, `7..`, `..3`.",
		Example: `package demo

type share = decimal(02)
`,
		Fixed: `package demo

type share = decimal(2)
`,
	},
	{
		Code: BadUnit, Name: "BadUnit", Severity: Error,
		Title: "a number with a unit that does not exist",
		Page:  "The units of time are `ms`, `s`, `m`, `h` and `d`, directly behind a whole number; a day is 24 hours. Nothing else stands directly behind a number.",
		Example: `package demo

approval manager { 1 of owner, within 4hours }
`,
		Fixed: `package demo

approval manager { 1 of owner, within 4h }
`,
	},
	{
		Code: StrayDoc, Name: "StrayDoc", Severity: Error,
		Title: "a `///` comment that documents nothing",
		Page:  "A `///` comment stands on a line of its own above a declaration, a member, an attribute, an argument or a flag, and is carried into everything that is made of it. In another place it would be lost, so it is refused there; an ordinary comment begins with `//`.",
		Example: `package demo

enum Tier { low, high }
/// the end
`,
		Fixed: `package demo

enum Tier { low, high }
// the end
`,
	},
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
