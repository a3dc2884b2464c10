package diag

// Codes 6xx: evidence and beliefs.
const (
	WeightRange          Code = 600
	MissingHalfLife      Code = 601
	FlipBelowCommit      Code = 602
	UnknownEvidence      Code = 603
	InconclusiveLearns   Code = 604
	UnknownLesson        Code = 605
	ThresholdRange       Code = 606
	BeliefIncomplete     Code = 607
	ReverifyTool         Code = 608
	ThresholdUnreachable Code = 609
	NothingTeaches       Code = 610
	BadDuration          Code = 611
)

var evidenceInfos = []Info{}
