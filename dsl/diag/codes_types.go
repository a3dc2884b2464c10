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
	BadDefault        Code = 309
	NotReadable       Code = 310
	NotACondition     Code = 311
	RatingDeclared    Code = 312
	RatingRead        Code = 313
	TenantArgument    Code = 314
	MisplacedModifier Code = 315
	BadPattern        Code = 316
	MisplacedType     Code = 317
)

var typeInfos = []Info{}
