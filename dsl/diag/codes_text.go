package diag

// Codes 100 to 119: the text of a file and its tokens.
const (
	// The text as a whole.
	FileTooLarge    Code = 101
	NulByte         Code = 102
	InvalidUTF8     Code = 103
	ByteOrderMark   Code = 104
	HiddenCharacter Code = 105
	EmptyFile       Code = 106
	TooManyFaults   Code = 107
	LoneReturn      Code = 108

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
		Code: LoneReturn, Name: "LoneReturn", Severity: Error,
		Title: "a carriage return without a line feed",
		Page:  "A line ends with LF or CRLF. A carriage return alone ends a line for some programs and not for others: an editor may show as the rest of a comment what a compiler would read as policy. It may stand nowhere in a file, not in a comment either. In a string it is written `\\r`.",
		Why:   "a carriage return cannot be seen",
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
}
