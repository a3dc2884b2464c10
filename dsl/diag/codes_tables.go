package diag

// Codes 4xx: tables and risk.
const (
	RefusalInTable   Code = 400
	UnknownBand      Code = 401
	NotAFactor       Code = 402
	UnknownRow       Code = 403
	MissingRow       Code = 404
	DuplicateRow     Code = 405
	NotMonotone      Code = 406
	NeedlessAnyOrder Code = 407
	BandGap          Code = 408
	BandOverlap      Code = 409
	ScoreUncovered   Code = 410
	BandLoosens      Code = 411
	BandUnreachable  Code = 412
	MissingBase      Code = 413
	BadPoints        Code = 414
	BadBand          Code = 415
	DuplicateFactor  Code = 416
	MissingTrait     Code = 417
	ReadToolScored   Code = 418
	MissingAttribute Code = 419
	UnscoredTool     Code = 420
	AttributesDiffer Code = 421
)

var tableInfos = []Info{}
