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

var evidenceInfos = []Info{
	{
		Code: WeightRange, Name: "WeightRange", Severity: Error,
		Title:   "a weight outside 0..1",
		Page:    `A weight says how much one piece of evidence of a class counts, from 0 (for nothing) to 1 (settles the question alone), with at most six digits after the point.`,
		Example: alter(exBelief, "audit       0.60", "audit       60"),
		Fixed:   exBelief,
	},
	{
		Code: MissingHalfLife, Name: "MissingHalfLife", Severity: Error,
		Title:   "evidence that never ages",
		Page:    `A table of evidence says after how much time a piece of evidence weighs half. Without it, what was seen once would be believed for ever.`,
		Example: alter(exBelief, "  half_life   30d\n", ""),
		Fixed:   exBelief,
	},
	{
		Code: FlipBelowCommit, Name: "FlipBelowCommit", Severity: Error,
		Title:   "a belief that is easier to change than to form",
		Page:    `"flip" is the confidence at which a belief changes to another state, "commit" the one at which it is formed. Were flip lower, a belief would go back and forth on evidence that could not have formed it.`,
		Example: alter(exBelief, "flip     0.70", "flip     0.40"),
		Fixed:   exBelief,
	},
	{
		Code: UnknownEvidence, Name: "UnknownEvidence", Severity: Error,
		Title:   "a class of evidence that no table has",
		Page:    `"trusted as CLASS" says as what a result counts in a belief. The class stands in an evidence table, with its weight; another word would weigh nothing.`,
		Example: alter(exBelief, "result { deployed string(1..20) }", "result { deployed string(1..20) trusted as audits }"),
		Fixed:   alter(exBelief, "result { deployed string(1..20) }", "result { deployed string(1..20) trusted as audit }"),
	},
	{
		Code: InconclusiveLearns, Name: "InconclusiveLearns", Severity: Error,
		Title:   "something to be learned from an inconclusive verification",
		Page:    `"learn" has two entries, confirmed and refuted. An inconclusive verification means that nobody knows what happened, and a memory that took it for a result would be wrong from then on.`,
		Example: alter(exBelief, "refuted not config", "inconclusive not config"),
		Fixed:   exBelief,
	},
	{
		Code: UnknownLesson, Name: "UnknownLesson", Severity: Error,
		Title:   "an entry of `learn` that makes no sense",
		Page:    `"learn" says what a confirmed and what a refuted verification teaches: a state, or that it is not a state. The two do not teach the same.`,
		Example: alter(exBelief, "refuted not config", "refuted config"),
		Fixed:   exBelief,
	},
	{
		Code: ThresholdRange, Name: "ThresholdRange", Severity: Error,
		Title:   "a threshold outside 0..1",
		Page:    `"commit", "flip" and "retract" are confidences: above 0 and at most 1, with at most six digits after the point. At 0 anything would be believed.`,
		Example: alter(exBelief, "retract  0.50", "retract  0"),
		Fixed:   exBelief,
	},
	{
		Code: BeliefIncomplete, Name: "BeliefIncomplete", Severity: Error,
		Title:   "a belief that lacks what it cannot do without",
		Page:    `A belief names its states and its evidence, and the three thresholds: commit for a new belief, flip for another state, retract for giving it up.`,
		Example: alter(exBelief, "  retract  0.50\n", ""),
		Fixed:   exBelief,
	},
	{
		Code: ReverifyTool, Name: "ReverifyTool", Severity: Error,
		Title:   "a belief that is verified again by a tool that cannot",
		Page:    `The tool behind "reverify by" only reads, and reads the entity that the belief is about.`,
		Example: alter(exBelief, "reverify by look", "reverify by restart"),
		Fixed:   exBelief,
	},
	{
		Code: ThresholdUnreachable, Name: "ThresholdUnreachable", Severity: Error,
		Title: "a threshold that no evidence reaches",
		Page: `Confidence is 1 - Π(1 - weight) over the classes of evidence that are present. All classes of the table together, all of them
fresh, stay below this threshold, so what stands behind it never happens.`,
		Example: alter(exBelief, "flip     0.70", "flip     0.90"),
		Fixed:   exBelief,
	},
	{
		Code: NothingTeaches, Name: "NothingTeaches", Severity: Warning,
		Title:   "a lesson that no verification teaches",
		Page:    `"learn" is applied when the verification of an action confirms or refutes. No tool that acts on the entity of this belief has a "verify", so nothing is ever learned.`,
		Example: alter(exBelief, "  verify by look {\n    confirmed when result.deployed == target.good\n    refuted   when result.deployed != target.good\n  }\n", "  idempotent\n"),
		Fixed:   exBelief,
	},
	{
		Code: BadDuration, Name: "BadDuration", Severity: Error,
		Title:   "a time that makes no sense",
		Page:    `Deadlines, half-lives and the like are above zero and at most 3650d.`,
		Example: alter(exBelief, "half_life   30d", "half_life   0d"),
		Fixed:   exBelief,
	},
}
