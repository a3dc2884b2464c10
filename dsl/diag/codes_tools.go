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
	UnknownElse         Code = 520
	TooMany             Code = 521
	VerifyNeedsArgument Code = 522
	RequireElse         Code = 523
	RequireOutcome      Code = 524
	MissingRisk         Code = 525
	NoApprover          Code = 526
)

var toolInfos = []Info{
	{
		Code: DangerousContract, Name: "DangerousContract", Severity: Error,
		Title: "a contract that amounts to a shell, to SQL, or to fetching any address",
		Page: `A contract through which a model can write a program, a query or an address makes all other contracts pointless: what they
refuse can be done through it. Such a tool is declared with typed arguments for what it is meant to do, or marked
"dangerous", and then every call waits for a person.

What a tool does cannot be seen from its contract, only what it is called. The words are a closed list, looked for
between underscores and capitals, with or without a final s:

- in the name of a tool: shell, bash, zsh, ksh, sh, cmd, powershell, pwsh, terminal, subprocess, ssh, exec, eval, sql (also
  within a word), psql, command, script, python, javascript, perl, ruby, php;
- in the name of a tool with a free text among its arguments: execute, run, query, code, program; and fetch, http, https,
  url, uri, curl, wget, download, browse, scrape, crawl, webhook;
- in the name of an argument that is a text: command, cmd, shell, script, sql, query, eval, exec, bash, python; and url,
  uri, href, link, endpoint, webhook, host, hostname;
- in the name of an argument that is a free text: code, expression, statement, program.

An argument named like a program may have a pattern that is a vocabulary (/start|stop/) or a single word (/[a-z_]+/); one named
like an address may have one that fixes the host (/https:\/\/api\.example\.com\/.*/). A free text is a string of more than 40
letters without such a pattern. The list finds the honest mistake; a tool under another name that does the same is for a reviewer to find.`,
		Example: "package demo\n\ntool run_sql {\n  args { text string(1..400) }\n}\n",
		Fixed:   "package demo\n\ntool run_sql {\n  args { text string(1..400) }\n  dangerous\n}\n",
	},
	{
		Code: ReadToolActs, Name: "ReadToolActs", Severity: Error,
		Title: "a tool that only reads, with a statement for one that acts",
		Page: `"read" says that a tool changes nothing. It has no traits, no verification, no approval and needs no "idempotent". If the tool
can act after all, "read" is what is wrong.`,
		Example: "package demo\n\ntool look {\n  read\n  idempotent\n}\n",
		Fixed:   "package demo\n\ntool look {\n  read\n}\n",
	},
	{
		Code: VerifyNotRead, Name: "VerifyNotRead", Severity: Error,
		Title:   "a verification by a tool that can act",
		Page:    `After an action the runtime calls the tool behind "verify by" by itself. It must change nothing, so it says "read".`,
		Example: alter(exVerify, "  read\n", ""),
		Fixed:   exVerify,
	},
	{
		Code: VerifyElsewhere, Name: "VerifyElsewhere", Severity: Error,
		Title:   "a verification that reads something else",
		Page:    `The tool behind "verify by" acts on the same entity as the tool that it verifies: the runtime calls it with the same target.`,
		Example: alter(exVerify, "tool look on service {", "entity host { name string(1..20) }\n\ntool look on host {"),
		Fixed:   exVerify,
	},
	{
		Code: VerifyVerdict, Name: "VerifyVerdict", Severity: Error,
		Title: "a verdict that cannot be declared",
		Page: `A verification is confirmed or refuted by a condition that was declared before the action ran. Inconclusive is what remains:
neither holds, both hold, reading fails, or time runs out. It cannot be declared, because nobody may decide in advance that
not knowing is good enough.`,
		Example: alter(exVerify, "refuted   when", "inconclusive when"),
		Fixed:   exVerify,
	},
	{
		Code: VerifyEmpty, Name: "VerifyEmpty", Severity: Error,
		Title:   "a verification without a condition",
		Page:    `A verification has a condition for "confirmed", for "refuted", or for both. Without one every action would be inconclusive.`,
		Example: alter(exVerify, "    confirmed when result.deployed == target.good\n    refuted   when result.deployed != target.good\n", ""),
		Fixed:   exVerify,
	},
	{
		Code: NeverFires, Name: "NeverFires", Severity: Error,
		Title: "a condition that can never hold",
		Page: `No value of the types that the condition reads makes it hold, so the rule is there to be read and does nothing. The compiler
follows comparisons with constants, sets, bools, members, presence, and the same two values compared twice, through
"and", "or" and "not"; where it cannot tell, it says nothing.`,
		Example: alter(exArgs, "amount > 1000.00", "amount > 1000.00 and amount < 100.00"),
		Fixed:   alter(exArgs, "amount > 1000.00", "amount > 1000.00 or amount < 100.00"),
	},
	{
		Code: AlwaysFires, Name: "AlwaysFires", Severity: Warning,
		Title:   "a condition that always holds",
		Page:    `No value of the types that the condition reads makes it fail: a flag with it is set on every proposal, a requirement refuses none, and neither says anything.`,
		Example: alter(exArgs, "amount > 1000.00", "amount > 10.00 or amount < 100.00"),
		Fixed:   exArgs,
	},
	{
		Code: ClauseImplied, Name: "ClauseImplied", Severity: Warning,
		Title: "two clauses of which one implies the other",
		Page: `Wherever the one holds the other holds as well, so one of them says nothing: two parts of one condition, or two flags of one
tool. A narrower flag that holds the action beside a wider one that does not is a step up, and is not reported.`,
		Example: alter(exArgs, "amount > 1000.00", "amount > 1000.00 and amount > 100.00"),
		Fixed:   exArgs,
	},
	{
		Code: MissingMaxSteps, Name: "MissingMaxSteps", Severity: Error,
		Title: "a policy without max_steps",
		Page: `Every policy says after how many steps a run ends. A model that goes in circles is otherwise asked again for ever, and pays
for it with somebody's money.`,
		Example: alter(exPolicy, "  max_steps 8\n", ""),
		Fixed:   exPolicy,
	},
	{
		Code: MissingDeadline, Name: "MissingDeadline", Severity: Error,
		Title:   "a policy without a deadline",
		Page:    `Every policy says after how much time a run ends. A run that waits for ever keeps what it has begun.`,
		Example: alter(exPolicy, "  deadline  2m\n", ""),
		Fixed:   exPolicy,
	},
	{
		Code: MissingPart, Name: "MissingPart", Severity: Error,
		Title: "a declaration that lacks what it cannot do without",
		Page: `A policy names its agent and its tools, an agent its scope, an approval who decides and until when, a table of evidence its
classes; an enum has members, and a workflow has steps.`,
		Example: alter(exPolicy, "  agent     keeper\n", ""),
		Fixed:   exPolicy,
	},
	{
		Code: ToolNotInScope, Name: "ToolNotInScope", Severity: Error,
		Title:   "a tool of a policy that is outside its agent's scope",
		Page:    `An agent's scope is what it may ever do; a policy's tools are what it may do here. A tool outside the scope would be refused every time.`,
		Example: alter(exPolicy, "scope restart\n", "scope look\n") + "\ntool look on service {\n  read\n}\n",
		Fixed:   alter(exPolicy, "scope restart\n", "scope restart, look\n") + "\ntool look on service {\n  read\n}\n",
	},
	{
		Code: BadCount, Name: "BadCount", Severity: Error,
		Title:   "a number of times that makes no sense",
		Page:    `Steps, retries, approvers and the like are whole numbers within the range that the message names. A policy has at least one step.`,
		Example: alter(exPolicy, "max_steps 8", "max_steps 0"),
		Fixed:   exPolicy,
	},
	{
		Code: BadBudget, Name: "BadBudget", Severity: Error,
		Title:   "a budget that bounds nothing",
		Page:    `A budget bounds model_calls and tokens, which are counted, and cost, which has a currency: usd, eur, gbp, chf or jpy.`,
		Example: alter(exPolicy, "  deadline  2m\n", "  deadline  2m\n  budget    { calls 12 }\n"),
		Fixed:   alter(exPolicy, "  deadline  2m\n", "  deadline  2m\n  budget    { model_calls 12 }\n"),
	},
	{
		Code: PersonOnlyReached, Name: "PersonOnlyReached", Severity: Error,
		Title: "a lifecycle in which an agent reaches a state that is a person's",
		Page: `A state into which a tool with "approval required" leads is a person's to give. Another path of transitions, each by a tool in
some agent's scope and none of them with a person, would reach the state behind the person's back. The message shows the
shortest one.`,
		Example: alter(exLifecycle, "  checked -> sent    by send_letter\n", "  checked -> sent    by send_letter\n  draft   -> sent    by express\n") +
			"\ntool express on letter {\n  idempotent\n}\n\nagent runner {\n  scope express\n}\n",
		Fixed: alter(exLifecycle, "  checked -> sent    by send_letter\n", "  checked -> sent    by send_letter\n  draft   -> sent    by express\n") +
			"\ntool express on letter {\n  approval required\n}\n\nagent runner {\n  scope express\n}\n",
	},
	{
		Code: TransitionElsewhere, Name: "TransitionElsewhere", Severity: Error,
		Title: "a transition by a tool that cannot make it",
		Page: `The tool of a transition acts on an entity with exactly one attribute of the lifecycle's type, and does not only read. Otherwise
nothing would say whose state it changes.`,
		Example: alter(exLifecycle, "tool check_letter on letter {", "tool check_letter {"),
		Fixed:   exLifecycle,
	},
	{
		Code: StateUnreachable, Name: "StateUnreachable", Severity: Error,
		Title:   "a state to which nothing comes",
		Page:    `A lifecycle begins in the first state that it names. No path of transitions leads from there to this state, so what begins in it never happens; most often a name has a typing mistake.`,
		Example: alter(exLifecycle, "  checked -> sent    by send_letter\n", "  chequed -> sent    by send_letter\n  checked -> draft   by send_letter\n"),
		Fixed:   exLifecycle,
	},
	{
		Code: AmbiguousTransition, Name: "AmbiguousTransition", Severity: Error,
		Title:   "a tool that leads from one state to two",
		Page:    `From one state a tool leads to one state, so that what an action will do is known before it is done.`,
		Example: alter(exLifecycle, "  checked -> sent    by send_letter\n", "  checked -> sent    by send_letter\n  checked -> draft   by send_letter\n"),
		Fixed:   exLifecycle,
	},
	{
		Code: WorkflowTool, Name: "WorkflowTool", Severity: Error,
		Title:   "a workflow that no policy could run",
		Page:    `A workflow is a fixed path, run under one policy and through the same gate. All of its tools are in the tools of one policy.`,
		Example: exPolicy + "\ntool look on service {\n  read\n}\n\nworkflow fixed { look, restart }\n",
		Fixed:   alter(alter(exPolicy, "scope restart", "scope restart, look"), "tools     restart", "tools     restart, look") + "\ntool look on service {\n  read\n}\n\nworkflow fixed { look, restart }\n",
	},
	{
		Code: UnknownElse, Name: "UnknownElse", Severity: Error,
		Title:   "an `else` that cannot be",
		Page:    `A flag and a budget may say "else hold": a person looks at it. A flag does not refuse and never allows; a spent budget ends the run where nothing is said.`,
		Example: alter(exArgs, "amount > 1000.00", "amount > 1000.00 else refuse"),
		Fixed:   alter(exArgs, "amount > 1000.00", "amount > 1000.00 else hold"),
	},
	{
		Code: TooMany, Name: "TooMany", Severity: Error,
		Title: "more than a declaration can have",
		Page:  `A tool has at most 64 flags, 64 requirements and 256 fields in each block, a risk table 64 factors, a table of evidence 64 classes, a condition 64 comparisons. They are read by people.`,
		Why:   "it takes a long file",
	},
	{
		Code: VerifyNeedsArgument, Name: "VerifyNeedsArgument", Severity: Error,
		Title:   "a reading tool that the runtime cannot call by itself",
		Page:    `The runtime calls the tool behind "verify by" or "reverify by" with the target alone. An argument that it must have would have to come from a model.`,
		Example: alter(exVerify, "  read\n", "  read\n  args { depth int(1..5) }\n"),
		Fixed:   alter(exVerify, "  read\n", "  read\n  args { depth int(1..5) optional }\n"),
	},
	{
		Code: RequireElse, Name: "RequireElse", Severity: Error,
		Title: "a requirement that does not say what happens where it fails",
		Page: `A requirement is a condition that an action has to meet, and what becomes of one that does not: "else refuse", and the model is
told which clause failed; "else hold", and the people who approve for the policy look at it; "else hold for GROUP", and those
of the approval that is named do. Nothing is assumed, since the reader of a contract should not have to know a default.`,
		Example: alter(exRequire, " else refuse", ""),
		Fixed:   exRequire,
	},
	{
		Code: RequireOutcome, Name: "RequireOutcome", Severity: Error,
		Title: "a requirement that neither refuses nor holds",
		Page: `A requirement may read what a model said, because it can only cost the model something: where it fails the action is refused, or
a person looks at it. So there is no "else allow" and no "else notify"; adding a requirement never lets through what was not let
through before. Whether an action is told of is for the bands of a risk table to say, and what is only to be recorded is a flag.
A refusal waits for nobody, so it names no group.`,
		Example: alter(exRequire, "else refuse", "else deny"),
		Fixed:   exRequire,
	},
	{
		Code: MissingRisk, Name: "MissingRisk", Severity: Error,
		Title: "a policy without a risk table that lists a tool made for one",
		Page: `A policy without "risk" scores nothing: its tools are allowed unless something holds them. That is right for tools that nobody
rates. A tool that states traits, or that a table of the package scores, was made to be scored; listed by such a policy it would
be allowed without a word, whatever the table says of it elsewhere.`,
		Example: alter(exPolicy, "  risk      care_risk\n", "") + "\nagent second { scope restart }\n\npolicy scored {\n  agent     second\n  tools     restart\n  risk      care_risk\n  max_steps 2\n  deadline  1m\n}\n",
		Fixed:   exPolicy,
	},
	{
		Code: NoApprover, Name: "NoApprover", Severity: Warning,
		Title: "a policy in which something waits for a person, and nobody is named",
		Page: `What holds waits for the group that the policy names with "approval". Without one it waits all the same, and whoever operates
the service has to decide; who that is, is then written nowhere.`,
		Example: alter(exPolicy, "  effects reversible\n", "  effects reversible\n  approval required\n"),
		Fixed: alter(alter(exPolicy, "  effects reversible\n", "  effects reversible\n  approval required\n"), "  max_steps 8\n", "  approval  duty\n  max_steps 8\n") +
			"\napproval duty { 1 of duty_manager, within 4h }\n",
	},
}
