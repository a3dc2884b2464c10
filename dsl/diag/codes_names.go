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
	TwoKinds         Code = 215
)

var nameInfos = []Info{}
