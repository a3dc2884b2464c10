// Package spec holds one test for each numbered rule of docs/SPEC.md: a case in
// testdata/RULE.txtar, or a Go test TestRule_RULE (with _ for -). TestEveryRule
// fails where a rule has no test, or a test no rule.
package spec

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/dsl/diag"
)

var (
	ruleInText = regexp.MustCompile(`(?m)^- \*\*([A-Z]{3}-[0-9]+)\*\*`)
	ruleInGo   = regexp.MustCompile(`(?m)^func TestRule_([A-Z]{3}_[0-9]+)\(`)
)

func TestEveryRule(t *testing.T) {
	text, err := os.ReadFile("../../docs/SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string][]string{}
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		rule := strings.TrimSuffix(filepath.Base(c), ".txtar")
		tested[rule] = append(tested[rule], c)
	}
	sources, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		src, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ruleInGo.FindAllStringSubmatch(string(src), -1) {
			rule := strings.ReplaceAll(m[1], "_", "-")
			tested[rule] = append(tested[rule], s)
		}
	}
	rules := map[string]bool{}
	for _, m := range ruleInText.FindAllStringSubmatch(string(text), -1) {
		rule := m[1]
		if rules[rule] {
			t.Errorf("rule %s is numbered twice", rule)
		}
		rules[rule] = true
		if len(tested[rule]) == 0 {
			t.Errorf("rule %s has no test", rule)
		}
	}
	if len(rules) < 60 {
		t.Errorf("found %d rules in docs/SPEC.md; the pattern is broken", len(rules))
	}
	for rule, where := range tested {
		if !rules[rule] {
			t.Errorf("%v tests rule %s, which docs/SPEC.md does not have", where, rule)
		}
	}
}

// TestRules runs the cases. A case is a folder in the archive: one package, and
// a file `want` with one line:
//
//	ok                    no error
//	nothing               no finding at all
//	error                 at least one error
//	errors N              exactly N errors
//	P401 [TEXT]           errors of exactly this code, one of them saying TEXT;
//	P401 or P402          either will do
//	reports P412 [TEXT]   a finding of this code among others
//	tests N passed        no error, and all N test blocks pass
//	tests N failed        no error, and N test blocks fail
//	proofs N passed       the same of proofs
//	proofs N failed [TEXT]
func TestRules(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range cases {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]compiler.File{}
		want := map[string]string{}
		var order []string
		for _, f := range ar.Files {
			dir, base := path.Split(f.Name)
			if base == "want" {
				want[dir] = strings.TrimSpace(string(f.Data))
				order = append(order, dir)
				continue
			}
			files[dir] = append(files[dir], compiler.File{Name: base, Text: f.Data})
		}
		if len(order) == 0 {
			t.Errorf("%s has no case", file)
		}
		rule := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, dir := range order {
			t.Run(rule+"/"+strings.TrimSuffix(dir, "/"), func(t *testing.T) {
				checkCase(t, files[dir], want[dir])
			})
		}
	}
}

func checkCase(t *testing.T, files []compiler.File, want string) {
	how := compiler.Compile
	if strings.HasPrefix(want, "tests ") || strings.HasPrefix(want, "proofs ") {
		how = compiler.Unproved
	}
	res := how(files)
	var errs, all []string
	for _, d := range res.Report.Sorted() {
		line := fmt.Sprintf("%s %s %s", d.Code, d.Message, strings.Join(d.Helps, " "))
		all = append(all, line)
		if d.Severity() == diag.Error {
			errs = append(errs, line)
		}
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("want %q: %s\nfindings:\n\t%s", want, fmt.Sprintf(format, args...), strings.Join(all, "\n\t"))
	}
	if res.Program == nil && len(errs) == 0 {
		fail("no program and no error")
		return
	}
	words := strings.Fields(want)
	noErrors := func() bool {
		if len(errs) > 0 {
			fail("%d errors", len(errs))
		}
		return len(errs) == 0
	}
	switch words[0] {
	case "ok":
		noErrors()
	case "nothing":
		if len(all) > 0 {
			fail("%d findings", len(all))
		}
	case "error":
		if len(errs) == 0 {
			fail("no error")
		}
	case "errors":
		if n, err := strconv.Atoi(words[1]); err != nil || n != len(errs) {
			fail("%d errors", len(errs))
		}
	case "reports":
		if !hasLine(all, words[1], strings.Join(words[2:], " ")) {
			fail("no such finding")
		}
	case "tests", "proofs":
		if !noErrors() {
			return
		}
		passed, failed, text := outcome(res, words[0])
		n, err := strconv.Atoi(words[1])
		if err != nil {
			t.Fatalf("bad want %q", want)
		}
		got := passed
		if words[2] == "failed" {
			got = failed
		} else if failed > 0 {
			fail("%d failed\n%s", failed, text)
		}
		if got != n {
			fail("%d passed, %d failed\n%s", passed, failed, text)
		}
		if say := strings.Join(words[3:], " "); !strings.Contains(squeeze(text), say) {
			fail("the answer does not say %q:\n%s", say, text)
		}
	default: // codes
		var codes []string
		for len(words) > 0 {
			codes = append(codes, words[0])
			if words = words[1:]; len(words) == 0 || words[0] != "or" {
				break
			}
			words = words[1:]
		}
		if len(errs) == 0 {
			fail("no error")
			return
		}
		for _, e := range errs {
			if !slices.Contains(codes, strings.Fields(e)[0]) {
				fail("another error")
				return
			}
		}
		if say := strings.Join(words, " "); !slices.ContainsFunc(errs, func(e string) bool { return strings.Contains(e, say) }) {
			fail("no error says %q", say)
		}
	}
}

func hasLine(lines []string, code, say string) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		return strings.HasPrefix(l, code+" ") && strings.Contains(l, say)
	})
}

// squeeze makes runs of blanks one, so that alignment is not part of a case.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func outcome(res compiler.Result, what string) (passed, failed int, text string) {
	m := interp.New(res.Program)
	count := func(ok bool, s fmt.Stringer) {
		if ok {
			passed++
		} else {
			failed++
		}
		text += s.String() + "\n"
	}
	if what == "tests" {
		for _, r := range m.RunTests() {
			count(r.Passed, r)
		}
		return passed, failed, text
	}
	for _, r := range m.Prove() {
		count(r.Passed, r)
	}
	return passed, failed, text
}
