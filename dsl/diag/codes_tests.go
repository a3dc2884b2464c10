package diag

// Codes 7xx: tests and proofs.
const (
	TestIncomplete  Code = 700
	TestAttribute   Code = 701
	TestTarget      Code = 702
	UnknownReason   Code = 703
	UnknownOutcome  Code = 704
	TestPolicy      Code = 705
	ProofFactor     Code = 706
	ProofEmpty      Code = 707
	TestArgument    Code = 708
	UnknownStanding Code = 709
	TestScore       Code = 710
)

var testInfos = []Info{}
