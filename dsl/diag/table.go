package diag

import (
	"fmt"
	"slices"
	"sync"
)

// areas is the closed list of codes, one slice a file codes_*.go. A code that
// stands in none of them does not exist.
func areas() [][]Info {
	return [][]Info{
		textInfos,     // 1xx text and tokens
		syntaxInfos,   // 1xx structure and habits
		nameInfos,     // 2xx names
		typeInfos,     // 3xx types and origins
		tableInfos,    // 4xx tables and risk
		toolInfos,     // 5xx tools, agents, policies, lifecycles
		evidenceInfos, // 6xx evidence and beliefs
		testInfos,     // 7xx tests and proofs
		internalInfos, // 9xx internal
	}
}

// table is made once, on first use. It never changes afterwards.
var table = sync.OnceValue(func() *codeTable { return newCodeTable(areas()) })

type codeTable struct {
	sorted []Info
	byCode map[Code]int // index into sorted
}

// newCodeTable sorts the codes of all areas. Two entries for one number, or one
// name, are a mistake in this package and panic: a diagnostic whose page is
// ambiguous must not be shipped.
func newCodeTable(areas [][]Info) *codeTable {
	t := &codeTable{byCode: make(map[Code]int)}
	names := make(map[string]Code)
	for _, area := range areas {
		for _, in := range area {
			if _, ok := t.byCode[in.Code]; ok {
				panic(fmt.Sprintf("diag: code %s is declared twice", in.Code))
			}
			if other, ok := names[in.Name]; ok {
				panic(fmt.Sprintf("diag: codes %s and %s are both called %s", other, in.Code, in.Name))
			}
			t.byCode[in.Code] = 0
			names[in.Name] = in.Code
			t.sorted = append(t.sorted, in)
		}
	}
	slices.SortFunc(t.sorted, func(a, b Info) int { return int(a.Code) - int(b.Code) })
	for i, in := range t.sorted {
		t.byCode[in.Code] = i
	}
	return t
}

// All returns every code, sorted by number. The slice is the caller's own.
func All() []Info { return slices.Clone(table().sorted) }

// Lookup returns what is known of a code. A code outside the list comes back as
// an undocumented error, never as a warning: what nobody classified must not
// be something that a reader can switch off.
func Lookup(c Code) Info {
	t := table()
	if i, ok := t.byCode[c]; ok {
		return t.sorted[i]
	}
	return Info{Code: c, Name: "Undocumented", Severity: Error, Title: "undocumented code"}
}

// ParseCode reads `P123`, as people type it (`p123` and `123` as well), and says
// whether it is in the list.
func ParseCode(s string) (Code, bool) {
	if len(s) == 4 && (s[0] == 'P' || s[0] == 'p') {
		s = s[1:]
	}
	if len(s) != 3 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	_, ok := table().byCode[Code(n)]
	return Code(n), ok
}
