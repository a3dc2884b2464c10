package diag

// Codes 1xx: text and syntax.
const (
	FileTooLarge    Code = 101
	NulByte         Code = 102
	InvalidUTF8     Code = 103
	ByteOrderMark   Code = 104
	EmptyFile       Code = 105
	TooDeep         Code = 106
	MissingPackage  Code = 107
	StrayCharacter  Code = 110
	OpenString      Code = 111
	BadEscape       Code = 112
	OpenPattern     Code = 113
	BadNumber       Code = 114
	BadUnit         Code = 115
	BlockComment    Code = 116
	StrayDoc        Code = 117
	UnexpectedToken Code = 120
	NotADeclaration Code = 121
	UnclosedBrace   Code = 122
	StrayBrace      Code = 123
	MissingNewline  Code = 124
	ReservedWord    Code = 125
	ForeignOperator Code = 130
	QuotedName      Code = 131
	BareText        Code = 132
	MixedLogic      Code = 133
	ForeignWord     Code = 134
	MissingElse     Code = 135
)

var textInfos = []Info{}
