package diag

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTableIsClosedAndSorted(t *testing.T) {
	all := All()
	if len(all) == 0 {
		t.Fatal("no codes")
	}
	if !slices.IsSortedFunc(all, func(a, b Info) int { return int(a.Code) - int(b.Code) }) {
		t.Error("not sorted")
	}
	for _, in := range all {
		if diff := cmp.Diff(in, Lookup(in.Code)); diff != "" {
			t.Errorf("Lookup(%s) (-want +got):\n%s", in.Code, diff)
		}
	}
	all[0].Name = "changed"
	if All()[0].Name == "changed" {
		t.Error("the list is not the caller's own")
	}
}

func TestDuplicatesPanic(t *testing.T) {
	for name, areas := range map[string][][]Info{
		"a number": {{{Code: 101, Name: "A"}}, {{Code: 101, Name: "B"}}},
		"a name":   {{{Code: 101, Name: "A"}, {Code: 102, Name: "A"}}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			newCodeTable(areas)
		})
	}
}

// What nobody classified is an error: it must not be possible to switch it off.
func TestUndocumentedCodeIsAnError(t *testing.T) {
	if got := Lookup(999).Severity; got != Error {
		t.Errorf("severity %s", got)
	}
	r := &Report{}
	r.list = append(r.list, &Diagnostic{Code: 998})
	if !r.HasErrors() {
		t.Error("a report with an undocumented code has no errors")
	}
}

// Each code is documented, and worded as the guide says.
func TestPages(t *testing.T) {
	for _, in := range All() {
		switch {
		case in.Name == "" || in.Title == "" || in.Page == "":
			t.Errorf("%s %s is not documented", in.Code, in.Name)
		case in.Severity != Error && in.Severity != Warning:
			t.Errorf("%s %s has no severity", in.Code, in.Name)
		case strings.HasSuffix(in.Title, "."):
			t.Errorf("%s %s: its title ends with a full stop", in.Code, in.Name)
		case (in.Example == "") != (in.Fixed == "") || (in.Example == "") == (in.Why == ""):
			t.Errorf("%s %s: it has either an example and its mended form, or a reason why not", in.Code, in.Name)
		}
	}
}

// A constant without an entry would be a code that nobody can look up.
func TestEachConstantHasAnEntry(t *testing.T) {
	decl := regexp.MustCompile(`(?m)^\t(\w+)\s+Code = (\d+)$`)
	n := 0
	for name, text := range codeFiles(t) {
		for _, m := range decl.FindAllStringSubmatch(text, -1) {
			n++
			if c, ok := ParseCode(m[2]); !ok || Lookup(c).Name != m[1] {
				t.Errorf("%s: %s (%s) has no entry of its name", name, m[1], m[2])
			}
		}
	}
	if n != len(All()) {
		t.Errorf("%d constants and %d entries", n, len(All()))
	}
}

func TestParseCode(t *testing.T) {
	for s, want := range map[string]bool{
		"P101": true, "p101": true, "101": true, "P1": false, "P0101": false, "": false, "P999999": false, "Q101": false, "P1x1": false, "-01": false, "P000": false,
	} {
		if c, ok := ParseCode(s); ok != want || ok && c != 101 {
			t.Errorf("ParseCode(%q) = %s, %v", s, c, ok)
		}
	}
}

func TestNearest(t *testing.T) {
	tools := []string{"rollback_config", "read_service", "disable_compliance_checks", "tier", "tier1", "tier2", "on", "by"}
	tests := []struct {
		got, want string
		ok        bool
	}{
		{"rollback_confg", "rollback_config", true},   // one left out
		{"rollback_confiig", "rollback_config", true}, // one too many
		{"rollback_cofnig", "rollback_config", true},  // two swapped
		{"rolback_cofnig", "rollback_config", true},
		{"rollbackConfig", "rollback_config", true},
		{"Rollback_Config", "rollback_config", true}, // case alone
		{"TIER", "tier", true},
		{"tire", "tier", true}, // a swap is one edit
		{"teir1", "tier1", true},
		{"tier3", "tier", true}, // the nearest, and of equals the first by name
		{"tier1", "tier", true}, // never itself
		{"no", "", false},       // short names are near to everything
		{"ON", "on", true},
		{"x", "", false},
		{"", "", false},
		{"service", "", false},
		{"completely_different", "", false},
		{"日本", "", false},
	}
	for _, tt := range tests {
		got, ok := Nearest(tt.got, tools)
		if got != tt.want && tt.ok || ok != tt.ok {
			t.Errorf("Nearest(%q) = %q, %v; want %q, %v", tt.got, got, ok, tt.want, tt.ok)
		}
		slices.Reverse(tools)
		if again, _ := Nearest(tt.got, tools); again != got {
			t.Errorf("Nearest(%q) depends on the order: %q and %q", tt.got, got, again)
		}
	}
	if _, ok := Nearest("a", nil); ok {
		t.Error("an answer out of nothing")
	}
}

// The distance is that of a plain implementation without a limit.
func TestDistance(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "abc", "acb", "cab", "abcd", "abdc", "badc", "xyz", "tier", "tire", "trie", "rite"}
	for _, a := range words {
		for _, b := range words {
			want := slowDistance([]rune(a), []rune(b))
			for limit := range 5 {
				got := distance([]rune(a), []rune(b), limit)
				if want <= limit && got != want || want > limit && got <= limit {
					t.Errorf("distance(%q, %q, %d) = %d; it is %d", a, b, limit, got, want)
				}
			}
		}
	}
}

func slowDistance(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	i, j := len(a)-1, len(b)-1
	d := slowDistance(a[:i], b[:j])
	if a[i] != b[j] {
		d++
	}
	d = min(d, slowDistance(a[:i], b)+1, slowDistance(a, b[:j])+1)
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		d = min(d, slowDistance(a[:i-1], b[:j-1])+1)
	}
	return d
}
