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

var textInfos = []Info{}
