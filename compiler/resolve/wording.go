package resolve

import "strings"

// bare is the kinds without article: "tool", "type, enum or lifecycle".
func bare(kinds []Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		_, names[i], _ = strings.Cut(k.String(), " ")
	}
	return joined(names, "or")
}

// keyword is the word that starts a declaration of the kind.
func keyword(k Kind) string {
	word, _, _ := strings.Cut(bare([]Kind{k}), " ") // "risk table", "evidence table"
	return word
}

// either is the kinds with their articles.
func either(kinds []Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	return joined(names, "or")
}

// list quotes names: "`a`, `b` and `c`".
func list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = "`" + n + "`"
	}
	return joined(quoted, "and")
}

func joined(items []string, word string) string {
	switch len(items) {
	case 0:
		return "none"
	case 1:
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " " + word + " " + items[len(items)-1]
}
