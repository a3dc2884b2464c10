package diag

// Codes 5xx: tools, agents, policies, lifecycles.
const (
	DangerousContract   Code = 500
	ReadToolActs        Code = 501
	VerifyNotRead       Code = 502
	VerifyElsewhere     Code = 503
	VerifyVerdict       Code = 504
	VerifyEmpty         Code = 505
	NeverFires          Code = 506
	AlwaysFires         Code = 507
	ClauseImplied       Code = 508
	MissingMaxSteps     Code = 509
	MissingDeadline     Code = 510
	MissingPart         Code = 511
	ToolNotInScope      Code = 512
	BadCount            Code = 513
	BadBudget           Code = 514
	PersonOnlyReached   Code = 515
	TransitionElsewhere Code = 516
	StateUnreachable    Code = 517
	AmbiguousTransition Code = 518
	WorkflowTool        Code = 519
	FlagRefuses         Code = 520
	TooMany             Code = 521
	VerifyNeedsArgument Code = 522
	NeedlessDangerous   Code = 523
)

var toolInfos = []Info{}
