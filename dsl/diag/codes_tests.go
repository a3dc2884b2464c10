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
	ProofFails      Code = 711
)

var testInfos = []Info{
	{
		Code: TestIncomplete, Name: "TestIncomplete", Severity: Error,
		Title:   "a test that cannot fail",
		Page:    `A test proposes something and expects something. Without either it would pass whatever the policy says.`,
		Example: alter(exTest, "  expect allow score 3\n", ""),
		Fixed:   exTest,
	},
	{
		Code: TestAttribute, Name: "TestAttribute", Severity: Error,
		Title: "a test that leaves out what the decision reads",
		Page: `What the table, the flags and the lifecycles of the tool read of its target is given in the test. A registry entry without it is
refused as reference_unknown, so the test would come out for another reason than it says.`,
		Example: alter(exTest, "{ tier gold }", "{ busy true }"),
		Fixed:   exTest,
	},
	{
		Code: TestTarget, Name: "TestTarget", Severity: Error,
		Title:   "a test whose target is not there",
		Page:    `A proposal names what it acts on exactly where the contract says "on ENTITY", and the test gives that entity with its attributes.`,
		Example: alter(exTest, `given service "s1"`, `given service "s2"`),
		Fixed:   exTest,
	},
	{
		Code: UnknownReason, Name: "UnknownReason", Severity: Error,
		Title: "a reason that no such decision has",
		Page: `The reasons are a closed list. A decision to allow has the reason allowed; to notify, allowed_with_notice; to hold,
needs_human_approval or outcome_unknown; the others belong to refusals: tool_not_in_scope, tool_not_allowlisted,
cross_tenant_denied, schema_invalid, reference_unknown, state_conflict, idempotent_replay, agent_suspended and the like.`,
		Example: alter(exTest, "expect allow score 3", "expect refuse tool_not_in_scop"),
		Fixed:   exTest,
	},
	{
		Code: UnknownOutcome, Name: "UnknownOutcome", Severity: Error,
		Title:   "an outcome that does not exist",
		Page:    `A decision allows, notifies, holds or refuses. A proof speaks of a risk table, which does not refuse.`,
		Example: alter(exTest, "expect allow score 3", "expect deny"),
		Fixed:   exTest,
	},
	{
		Code: TestPolicy, Name: "TestPolicy", Severity: Error,
		Title:   "a test that does not say under which policy",
		Page:    `A test runs under the policy that it names with "in", under the only one that has the tool, or under the only one of the package.`,
		Example: exTest + "\npolicy second {\n  agent     keeper\n  tools     restart\n  risk      care_risk\n  max_steps 2\n  deadline  1m\n}\n",
		Fixed:   alter(exTest, `  given service "s1"`, "  in care\n"+`  given service "s1"`) + "\npolicy second {\n  agent     keeper\n  tools     restart\n  risk      care_risk\n  max_steps 2\n  deadline  1m\n}\n",
	},
	{
		Code: ProofFactor, Name: "ProofFactor", Severity: Error,
		Title:   "a proof that reads something else than a table does",
		Page:    `A proof goes over the cells of risk tables: the tool, and a member of each factor. It reads factors as they stand after "add", and "tool".`,
		Example: alter(exProof, "effects == reversible", "effect == reversible"),
		Fixed:   exProof,
	},
	{
		Code: ProofEmpty, Name: "ProofEmpty", Severity: Error,
		Title:   "a proof over no cell",
		Page:    `No risk table of the package has all the factors that the proof names, so it would hold without saying anything.`,
		Example: exArgs + "\nprove \"all is well\" {\n  for all\n  expect allow\n}\n",
		Fixed:   exArgs,
	},
	{
		Code: TestArgument, Name: "TestArgument", Severity: Error,
		Title:   "a test without what a proposal must have, or with what it cannot have",
		Page:    `A proposal of a test gives every argument that is not optional, and a cause only under a policy that has one.`,
		Example: alter(exTest, `propose restart on "s1"`, `propose restart on "s1" because overload`),
		Fixed:   exTest,
	},
	{
		Code: UnknownStanding, Name: "UnknownStanding", Severity: Error,
		Title:   "a standing that does not exist",
		Page:    `An agent's standing is good, degraded (everything holds) or suspended (everything is refused).`,
		Example: alter(exTest, "expect allow score 3", "standing degarded\n  expect hold score 3"),
		Fixed:   alter(exTest, "expect allow score 3", "standing degraded\n  expect hold score 3"),
	},
	{
		Code: TestScore, Name: "TestScore", Severity: Error,
		Title:   "a score where nothing is scored",
		Page:    `There is a score where the policy has a risk table with a row for the tool, and the decision came as far as the table: a refusal has none.`,
		Example: alter(exTest, "expect allow score 3", "expect refuse state_conflict score 3"),
		Fixed:   exTest,
	},
	{
		Code: ProofFails, Name: "ProofFails", Severity: Error,
		Title: "a proof that does not hold",
		Page: `A proof states the outcome of every cell of the risk tables that a contract can reach and that its condition fits. All of them are
tried. The smallest one that comes out otherwise is shown as a sum; "provc prove" shows the same beside the proofs that hold.
A condition that fits no cell proves nothing, and fails.`,
		Example: alter(exProof, "expect allow", "expect hold"),
		Fixed:   exProof,
	},
}
