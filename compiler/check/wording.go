package check

import (
	"fmt"
	"strings"

	"github.com/provlang/prov/compiler/ir"
)

// quoteList writes names for a message: "`a`, `b` and `c`".
func quoteList(names []string, word string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = "`" + n + "`"
	}
	switch len(quoted) {
	case 0:
		return "none"
	case 1:
		return quoted[0]
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " " + word + " " + quoted[len(quoted)-1]
}

// some is quoteList of the first few, with how many more there are.
func some(names []string) string {
	const few = 5
	if len(names) <= few {
		return quoteList(names, "and")
	}
	return fmt.Sprintf("%s and %d more", strings.ReplaceAll(quoteList(names[:few], "and"), " and ", ", "), len(names)-few)
}

// typeName is a type as an author would write it.
func typeName(t *ir.Type) string {
	if t.Name != "" {
		return "`" + t.Name + "`"
	}
	switch t.Kind {
	case ir.Bool:
		return "`bool`"
	case ir.Int:
		return fmt.Sprintf("`int(%d..%d)`", t.Lo, t.Hi)
	case ir.Decimal:
		return fmt.Sprintf("`decimal(%d)`", t.Scale)
	case ir.String:
		if t.Lo == t.Hi {
			return fmt.Sprintf("`string(%d)`", t.Lo)
		}
		return fmt.Sprintf("`string(%d..%d)`", t.Lo, t.Hi)
	case ir.EnumType:
		return "`" + t.Enum.Name + "`"
	case ir.Ref:
		return "`ref " + t.Entity.Name + "`"
	}
	return "unknown"
}

func memberNames(e *ir.Enum) []string {
	out := make([]string, len(e.Members))
	for i := range e.Members {
		out[i] = e.Members[i].Name
	}
	return out
}

func fieldNames(fs []*ir.Field) []string {
	out := make([]string, len(fs))
	for i, f := range fs {
		out[i] = f.Name
	}
	return out
}

// plural gives "1 row", "2 rows".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
