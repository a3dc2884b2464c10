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

var tableInfos = []Info{
	{
		Code: RefusalInTable, Name: "RefusalInTable", Severity: Error,
		Title: "a refusal in a risk table",
		Page: `A risk table rates an action that the contract, the agent's scope and the policy permit. Its outcomes are allow, notify and
hold. Whether an action is permitted at all is not a matter of points: a sum of small numbers would then forbid what
nobody decided to forbid, and a changed number would permit it again. To forbid an action, leave its tool out of the
policy's tools; to let a person decide, write hold.`,
		Example: alter(exTable, "  hold   6..\n", "  deny   6..\n"),
		Fixed:   exTable,
	},
	{
		Code: UnknownBand, Name: "UnknownBand", Severity: Error,
		Title:   "an outcome that a risk table does not have",
		Page:    `The outcomes of a risk table are allow, notify and hold, in this order from low scores to high ones.`,
		Example: alter(exTable, "  notify 4..5\n", "  notfy 4..5\n"),
		Fixed:   exTable,
	},
	{
		Code: NotAFactor, Name: "NotAFactor", Severity: Error,
		Title: "something that a score cannot add up",
		Page: `A factor is a trait of the contract or an attribute of the target, and has a closed vocabulary: an enum, a trait or a
lifecycle. Points belong to members, one row each, so a number, a text or a bool is no factor; keep an enum in the
registry that says what the number means.`,
		Example: alter(exTable, "add target.tier { gold +2, silver 0 }", "add target.busy { yes +2, no 0 }"),
		Fixed:   exTable,
	},
	{
		Code: UnknownRow, Name: "UnknownRow", Severity: Error,
		Title:   "a row for something that is not declared",
		Page:    `A row of a table names a member of its vocabulary. A row for another word would never apply, and nobody would notice.`,
		Example: alter(exTable, "{ gold +2, silver 0 }", "{ gold +2, sliver 0 }"),
		Fixed:   exTable,
	},
	{
		Code: MissingRow, Name: "MissingRow", Severity: Error,
		Title: "a table with a hole",
		Page: `A table has a row for each member of its vocabulary, zeros included. A member that is added to an enum then makes every table
say what it is worth, instead of counting for nothing.`,
		Example: alter(exTable, "{ gold +2, silver 0 }", "{ gold +2 }"),
		Fixed:   exTable,
	},
	{
		Code: DuplicateRow, Name: "DuplicateRow", Severity: Error,
		Title:   "two rows for one member",
		Page:    `A table has one row for each member. Of two, a reader would take the first and a machine perhaps the last.`,
		Example: alter(exTable, "{ gold +2, silver 0 }", "{ gold +2, silver 0, gold +1 }"),
		Fixed:   exTable,
	},
	{
		Code: NotMonotone, Name: "NotMonotone", Severity: Error,
		Title: "points that rise and then fall",
		Page: `The members of an enum or a trait are declared in an order, and along it the points of a table rise or fall, but do not do
both. Points that turn around are most often two numbers exchanged. Where the order means nothing, write "any order"
after the table.`,
		Example: alter(alter(exTable, "{ gold, silver }", "{ gold, silver, bronze }"), "{ gold +2, silver 0 }", "{ gold +2, silver 0, bronze +1 }"),
		Fixed:   alter(alter(exTable, "{ gold, silver }", "{ gold, silver, bronze }"), "{ gold +2, silver 0 }", "{ gold +2, silver 0, bronze +1 } any order"),
	},
	{
		Code: NeedlessAnyOrder, Name: "NeedlessAnyOrder", Severity: Warning,
		Title:   "`any order` where the points have one direction",
		Page:    `The points rise or fall along the order of the members, so "any order" permits nothing that is there, and would hide a later mistake.`,
		Example: alter(exTable, "{ gold +2, silver 0 }", "{ gold +2, silver 0 } any order"),
		Fixed:   exTable,
	},
	{
		Code: BandGap, Name: "BandGap", Severity: Error,
		Title:   "scores between two bands",
		Page:    `Bands touch each other: a score between two of them would have no outcome. Both ends of a range belong to it.`,
		Example: alter(exTable, "  notify 4..5\n", "  notify 5..5\n"),
		Fixed:   exTable,
	},
	{
		Code: BandOverlap, Name: "BandOverlap", Severity: Error,
		Title:   "a score in two bands",
		Page:    `A score has one outcome. Both ends of a range belong to it, so the band above "0..3" begins at 4.`,
		Example: alter(exTable, "  notify 4..5\n", "  notify 3..5\n"),
		Fixed:   exTable,
	},
	{
		Code: ScoreUncovered, Name: "ScoreUncovered", Severity: Error,
		Title: "scores below or above all bands",
		Page: `The band at the top is open ("7.."), whatever the highest score of today is: points change over the years, and a score above
all bands must never be one that nobody thought of. The band at the bottom begins at the lowest score or is open.`,
		Example: alter(exTable, "  hold   6..\n", "  hold   6..9\n"),
		Fixed:   exTable,
	},
	{
		Code: BandLoosens, Name: "BandLoosens", Severity: Error,
		Title:   "a higher score that is treated more lightly",
		Page:    `Bands only tighten upwards: allow, then notify, then hold. A table that allows at 9 what it holds at 5 punishes caution.`,
		Example: alter(alter(exTable, "  notify 4..5\n", "  hold   4..5\n"), "  hold   6..\n", "  notify 6..\n"),
		Fixed:   exTable,
	},
	{
		Code: BandUnreachable, Name: "BandUnreachable", Severity: Warning,
		Title: "a band that no score reaches",
		Page: `No combination of a tool and members of the factors has a score in this band. The band may be kept for later, which is why this
is a warning; more often a number has a digit too many.`,
		Example: alter(alter(exTable, "  notify 4..5\n", "  notify 4..60\n"), "  hold   6..\n", "  hold   61..\n"),
		Fixed:   exTable,
	},
	{
		Code: MissingBase, Name: "MissingBase", Severity: Error,
		Title:   "a risk table without base rows",
		Page:    `"base" says which tools the table scores, and with how many points each of them starts. Without it the table scores nothing.`,
		Example: alter(exTable, "  base            { restart 1 }\n", ""),
		Fixed:   exTable,
	},
	{
		Code: BadPoints, Name: "BadPoints", Severity: Error,
		Title:   "points that are no whole number",
		Page:    `Points are whole numbers between minus and plus one million. They are counted, not measured: only their sum has a meaning.`,
		Example: alter(exTable, "gold +2", "gold +2.5"),
		Fixed:   exTable,
	},
	{
		Code: BadBand, Name: "BadBand", Severity: Error,
		Title:   "a band that holds no score",
		Page:    `A band is a range of whole numbers, the smaller end first; one end may be open.`,
		Example: alter(exTable, "  notify 4..5\n", "  notify 5..4\n"),
		Fixed:   exTable,
	},
	{
		Code: DuplicateFactor, Name: "DuplicateFactor", Severity: Error,
		Title:   "a factor that is added twice",
		Page:    `A risk table adds each trait and each attribute once. Were both to count, their points would stand in two places.`,
		Example: alter(exTable, "  allow  0..3\n", "  add effects     { reversible 0, irreversible +1 }\n  allow  0..3\n"),
		Fixed:   exTable,
	},
	{
		Code: MissingTrait, Name: "MissingTrait", Severity: Error,
		Title: "a contract without a trait that its table adds up",
		Page: `A tool with a row in "base" states every trait that the table reads. A part that is missing would count as nothing, and the
score would be too low.`,
		Example: alter(exTable, "  effects reversible\n", "  idempotent\n"),
		Fixed:   exTable,
	},
	{
		Code: ReadToolScored, Name: "ReadToolScored", Severity: Error,
		Title:   "a row for a tool that only reads",
		Page:    `A tool with "read" changes nothing. It has no traits and no row in a risk table, and is allowed unless a rule says no.`,
		Example: alter(exTable, "{ restart 1 }", "{ restart 1, look 0 }") + "\ntool look on service {\n  read\n}\n",
		Fixed:   exTable + "\ntool look on service {\n  read\n}\n",
	},
	{
		Code: MissingAttribute, Name: "MissingAttribute", Severity: Error,
		Title: "a tool whose target lacks what the table reads",
		Page: `Every tool with a row in "base" acts on an entity that has every attribute which the table adds up. For a tool that acts on
nothing, or on something else, the score would have a hole; score it in a table of its own.`,
		Example: alter(exTable, "{ restart 1 }", "{ restart 1, announce 1 }") + "\ntool announce {\n  effects irreversible\n}\n",
		Fixed:   alter(exTable, "{ restart 1 }", "{ restart 1, announce 1 }") + "\ntool announce on service {\n  effects irreversible\n}\n",
	},
	{
		Code: UnscoredTool, Name: "UnscoredTool", Severity: Error,
		Title: "a tool that acts and is not scored",
		Page: `A policy with a risk table has a row in "base" for each of its tools that can act. One without would have no score, and nothing
would hold it back, which is what happens to the tool that somebody adds in a hurry.`,
		Example: alter(alter(exPolicy, "scope restart", "scope restart, stop"), "tools     restart", "tools     restart, stop") +
			"\ntool stop on service {\n  effects reversible\n}\n",
		Fixed: alter(alter(alter(exPolicy, "scope restart", "scope restart, stop"), "tools     restart", "tools     restart, stop"), "{ restart 1 }", "{ restart 1, stop 1 }") +
			"\ntool stop on service {\n  effects reversible\n}\n",
	},
	{
		Code: AttributesDiffer, Name: "AttributesDiffer", Severity: Error,
		Title:   "one attribute with two types in one table",
		Page:    `A table adds points for the members of one vocabulary, so an attribute that it reads has the same type in every entity that its tools act on.`,
		Example: alter(exTable, "{ restart 1 }", "{ restart 1, fire 1 }") + "\nenum Rank { high, low }\n\nentity supplier { tier Rank }\n\ntool fire on supplier {\n  effects irreversible\n}\n",
		Fixed:   alter(exTable, "{ restart 1 }", "{ restart 1, fire 1 }") + "\nentity supplier { tier Tier }\n\ntool fire on supplier {\n  effects irreversible\n}\n",
	},
}
