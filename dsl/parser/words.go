package parser

import "slices"

// declWords are the words that begin a declaration.
var declWords = []string{
	"agent", "approval", "belief", "entity", "enum", "evidence", "lifecycle", "policy",
	"prove", "risk", "standing", "test", "tool", "trait", "type", "workflow",
}

func isDeclWord(w string) bool {
	return slices.Contains(declWords, w) || w == "package" || laterDecl(w)
}

// laterDecl says whether w begins a declaration that a later version of the
// language has. Naming it is kinder than calling it unknown.
func laterDecl(w string) bool {
	switch w {
	case "use", "record", "label", "table", "window", "scorecard", "brief", "guard", "review", "toolset":
		return true
	}
	return false
}

// listWord is the same for the words that begin a condition over a list.
func listWord(w string) bool {
	switch w {
	case "each", "any", "at", "distinct", "count", "done", "carries":
		return true
	}
	return false
}

// laterStmt is the same for statements.
func laterStmt(w string) bool {
	switch w {
	case "require", "requires", "confirm", "fact", "send", "yields", "limit", "requester", "calls", "toolset":
		return true
	}
	return false
}

// The words that begin a statement, by what they are a statement of.
var (
	toolWords   = []string{"approval", "args", "dangerous", "flag", "idempotent", "read", "require", "result", "verify"}
	riskWords   = []string{"add", "allow", "base", "hold", "notify"}
	agentWords  = []string{"believes", "scope"}
	policyWords = []string{
		"agent", "approval", "budget", "cause", "deadline", "inputs", "malformed_retries",
		"max_steps", "no_progress", "replans", "risk", "tools",
	}
	beliefWords = []string{"commit", "evidence", "expires", "flip", "learn", "retract", "states"}
	testWords   = []string{"after", "expect", "given", "in", "propose", "standing"}
)

// ToolWords returns the words that begin a statement of a tool. No trait may be
// called by one of them: `read single` would not be that trait's line.
func ToolWords() []string { return slices.Clone(toolWords) }

// foreignWords are words that other languages have where this one has another
// way, with what to write instead. None of them is reserved: they are looked
// up only where nothing that may stand there was found.
var foreignWords = map[string]string{
	"if":          "write the condition after `when`, as in `flag large when amount > 100.00`",
	"AND":         "write `and`",
	"OR":          "write `or`",
	"NOT":         "write `not`",
	"forall":      "write `for all`",
	"resource":    "a declaration has its own word and a name without quotes, as in `entity service { ... }`",
	"default":     "nothing is allowed unless a policy names it: there is no default to write",
	"SELECT":      "nothing is asked of a store: write `entity` for what a tool acts on, and `flag` for a condition",
	"timeout":     "how long a run may take is for the policy to say, as in `deadline 30s`",
	"unless":      "write `when not (...)`",
	"then":        "a flag holds by `else hold` behind its condition",
	"between":     "write two comparisons and join them with `and`",
	"contains":    "what a text must look like is for its type to say, as a pattern",
	"like":        "what a text must look like is for its type to say, as a pattern",
	"elif":        "write a flag for each condition",
	"switch":      "write a table: one `add` with a row for each member",
	"case":        "write a table: one `add` with a row for each member",
	"let":         "nothing is assigned: write the value where it is used",
	"var":         "nothing is assigned: write the value where it is used",
	"const":       "nothing is assigned: write the value where it is used",
	"func":        "there are no functions; a condition is written where it is used",
	"function":    "there are no functions; a condition is written where it is used",
	"def":         "there are no functions; a condition is written where it is used",
	"return":      "there are no functions; a condition is written where it is used",
	"import":      "the files of a package are read together: nothing is imported",
	"include":     "the files of a package are read together: nothing is included",
	"class":       "write `entity` for what a tool acts on",
	"struct":      "write `entity` for what a tool acts on",
	"interface":   "write `entity` for what a tool acts on",
	"object":      "write `entity` for what a tool acts on",
	"action":      "write `tool`",
	"rule":        "write a `require` or a `flag` in a tool, or a row of a `risk` table",
	"permit":      "write a band of a `risk` table, as in `allow 0..3`",
	"forbid":      "leave the tool out of the policy's `tools`, or give its row in the `risk` table points that hold",
	"allow":       "write it as a band of a `risk` table, as in `allow 0..3`",
	"deny":        "leave the tool out of the policy's `tools`, or give its row in the `risk` table points that hold",
	"null":        "an optional argument that was left out is `absent`",
	"nil":         "an optional argument that was left out is `absent`",
	"none":        "an optional argument that was left out is `absent`",
	"undefined":   "an optional argument that was left out is `absent`",
	"description": "write what it is for as `///` comments above it",
	"returns":     "write `result` and its fields",
	"output":      "write `result` and its fields",
	"params":      "write `args` and its fields",
	"parameters":  "write `args` and its fields",
	"arguments":   "write `args` and its fields",
	"is":          "write `==`, or `present` and `absent`",
	"equals":      "write `==`",
}
