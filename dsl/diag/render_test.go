package diag_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/source"
)

// findings is one report with everything that a finding can have.
func findings() []*diag.Diagnostic {
	f := source.NewFile("desk/a b.prov", "package desk\n\ntool pay on order {\n\tflag\tbig when \"日本\" && x\n}\n")
	g := source.NewFile("desk/other.prov", strings.Repeat("// x\r\n", 99)+"enum e\u0301 { a }")
	at := func(f *source.File, s string) source.Span {
		i := strings.Index(f.Text(), s)
		return f.Span(i, i+len(s))
	}
	var r diag.Report
	d := r.At(at(f, "&&"), diag.ForeignOperator, "`&&` is not an operator").
		Under("here").
		See(at(g, "{"), "and <there>").
		Note("a fact").Note("another").
		Help("write `and`")
	d.Edit = &diag.Edit{Span: d.Span, New: "and"}
	r.At(at(f, "big"), diag.NotAStatement, "`big` is unknown").DidYouMean("big", []string{"bag", "by", "pig"})
	r.At(f.Span(len(f.Text()), len(f.Text())), diag.UnexpectedToken, "at the end")
	r.At(f.Span(20, 45), diag.UnexpectedToken, "over two lines")
	r.At(source.Span{}, diag.MissingPackage, "nowhere").See(source.Span{}, "nowhere either")
	r.At(at(f, "big"), diag.NotAStatement, "`big` is unknown") // once more
	return r.Sorted()
}

// PROV_UPDATE=1 rewrites the files, and fails.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	want, err := os.ReadFile(path)
	if err == nil && string(want) == got {
		return
	}
	if os.Getenv("PROV_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Fatal("rewritten")
	}
	t.Errorf("%s (-want +got):\n%s", path, cmp.Diff(string(want), got))
}

func TestText(t *testing.T) {
	var plain, color strings.Builder
	if err := diag.WriteText(&plain, findings(), diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "findings.txt", plain.String())
	if err := diag.WriteText(&color, findings(), diag.TextOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	bare := color.String()
	for _, c := range []string{"1", "1;31", "1;33", "1;34", "0"} {
		bare = strings.ReplaceAll(bare, "\x1b["+c+"m", "")
	}
	if diff := cmp.Diff(plain.String(), bare); diff != "" || plain.String() == color.String() {
		t.Errorf("colour changes more than the colour (-want +got):\n%s", diff)
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := diag.WriteJSON(&b, findings()); err != nil {
		t.Fatal(err)
	}
	golden(t, "findings.json", b.String())
	b.Reset()
	if err := diag.WriteJSON(&b, nil); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"schema\": \"prov.diagnostics/1\",\n  \"errors\": 0,\n  \"warnings\": 0,\n  \"diagnostics\": []\n}\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("without findings (-want +got):\n%s", diff)
	}
}

func TestSARIF(t *testing.T) {
	var b strings.Builder
	if err := diag.WriteSARIF(&b, findings(), diag.Tool{Name: "provc", Version: "1.0.0"}); err != nil {
		t.Fatal(err)
	}
	golden(t, "findings.sarif", b.String())
}

// What SARIF 2.1.0 demands of each log, whatever the findings.
func TestSARIFIsWellFormed(t *testing.T) {
	var b strings.Builder
	if err := diag.WriteSARIF(&b, findings(), diag.Tool{Name: "provc"}); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].ColumnKind != "unicodeCodePoints" {
		t.Fatalf("the head is %+v", log)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	for _, r := range log.Runs[0].Results {
		if r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s is not rule %d", r.RuleID, r.RuleIndex)
		}
		for _, l := range r.Locations {
			p := l.PhysicalLocation
			if p.Region.StartLine < 1 || p.Region.StartColumn < 1 || p.Region.EndLine < p.Region.StartLine {
				t.Errorf("%s: region %+v", r.RuleID, p.Region)
			}
			if strings.ContainsAny(p.ArtifactLocation.URI, " \\") || strings.HasPrefix(p.ArtifactLocation.URI, "/") {
				t.Errorf("%s: %q is no relative URI", r.RuleID, p.ArtifactLocation.URI)
			}
		}
	}
}

// and how it is shown.
func TestUnderline(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "ab |cd| ef", "  ab cd ef\n     ^^"},
		{"empty span", "ab||cd", "  abcd\n    ^"},
		{"tab before", "\t|x|", "      x\n      ^"},
		{"tab stops", "ab\t|x|\ty", "  ab  x   y\n      ^"},
		{"tab within", "|a\tb|", "  a   b\n  ^^^^^"},
		{"wide before", "日本|x|", "  日本x\n      ^"},
		{"wide within", "|日本|", "  日本\n  ^^^^"},
		{"wide and a tab", "日\t|x|", "  日  x\n      ^"},
		{"combining", "e\u0301|x|", "  e\u0301x\n   ^"},
		{"only combining", "e|\u0301|x", "  e\u0301x\n   ^"},
		{"control", "a\x1b[31m|x|", "  a␛[31mx\n        ^"},
		{"invalid byte", "a\xff|x|", "  a\ufffdx\n    ^"},
		{"over the end", "a |b\nc|d", "  a b\n    ^"},
		{"at the end", "ab||", "  ab\n    ^"},
		{"CRLF", "ab||\r\ncd", "  ab\n    ^"},
		{"long line", strings.Repeat("a", 500) + "|bb|" + strings.Repeat("c", 500),
			"  ..." + strings.Repeat("a", 60) + "bb" + strings.Repeat("c", 98) + "...\n" + strings.Repeat(" ", 65) + "^^"},
		{"very long line", strings.Repeat("日", 50_000) + "|bb|" + strings.Repeat("c", 50_000),
			"  ..." + strings.Repeat("日", 30) + "bb" + strings.Repeat("c", 98) + "...\n" + strings.Repeat(" ", 65) + "^^"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parts := strings.Split(tt.text, "|")
			f := source.NewFile("x", strings.Join(parts, ""))
			var r diag.Report
			r.At(f.Span(len(parts[0]), len(parts[0])+len(parts[1])), diag.UnexpectedToken, "m")
			var b strings.Builder
			if err := diag.WriteText(&b, r.Sorted(), diag.TextOptions{}); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(b.String(), "\n")
			got := strings.TrimPrefix(lines[2], "1 |")
			mark := strings.TrimPrefix(lines[3], "  |")
			if diff := cmp.Diff(tt.want, " "+got+"\n "+mark); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
		})
	}
}

// The three renderers do not look at the environment.
func TestEnvironmentMeansNothing(t *testing.T) {
	render := func() string {
		var b strings.Builder
		if err := diag.WriteText(&b, findings(), diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := render()
	for _, kv := range [][2]string{{"LANG", "ja_JP.UTF-8"}, {"LC_ALL", "zh_CN.UTF-8"}, {"RUNEWIDTH_EASTASIAN", "1"}, {"TERM", "dumb"}} {
		t.Setenv(kv[0], kv[1])
	}
	if diff := cmp.Diff(want, render()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
