package gen_test

import (
	"math"
	"strings"
	"testing"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen"
)

// What cannot become right Go becomes no Go: the error says what it is about.
func TestRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ir.Program)
		want   string
	}{
		"two tools of one name": {func(p *ir.Program) { p.Tools[0].Name = "restart" }, "two tools"},
		"three members of one Go name": {func(p *ir.Program) {
			m := p.Enums[0].Members[0]
			p.Enums[0].Members = nil
			for _, m.Name = range []string{"a_b", "aB", "A_b"} {
				p.Enums[0].Members = append(p.Enums[0].Members, m)
			}
		}, "TierAB"},
		"two arguments, one name":   {func(p *ir.Program) { p.Tools[1].Args[4].Name = "a_mount"; p.Tools[1].Args[5].Name = "aMount" }, "AMount"},
		"a package for one system":  {func(p *ir.Program) { p.Name = "rules_linux" }, "rules_linux.prov.go"},
		"a package for one machine": {func(p *ir.Program) { p.Name = "rules_arm64" }, "rules_arm64.prov.go"},
		"a package for nobody":      {func(p *ir.Program) { p.Name = "_rules" }, "_rules.prov.go"},
		"a package called policy":   {func(p *ir.Program) { p.Name = "policy" }, "name of an import"},
		"a package called func":     {func(p *ir.Program) { p.Name = "func" }, "keyword"},
		"no name":                   {func(p *ir.Program) { p.Policies[0].Name = "" }, "policy"},
		"65 flags": {func(p *ir.Program) {
			for len(p.Tools[1].Flags) < 65 {
				p.Tools[1].Flags = append(p.Tools[1].Flags, p.Tools[1].Flags[0])
			}
		}, "65 flags"},
		"steps past 32 bits":           {func(p *ir.Program) { p.Policies[0].MaxSteps = math.MaxInt32 + 1 }, "32 bits"},
		"a negative number":            {func(p *ir.Program) { p.Policies[0].Replans = -1 }, "32 bits"},
		"too fine a decimal":           {func(p *ir.Program) { p.Tools[1].Args[0].Type.Scale = 10 }, "after the point"},
		"a pattern too wide":           {func(p *ir.Program) { p.Types[0].Type.Pattern.Classes = 256 }, "classes"},
		"a hole between bands":         {func(p *ir.Program) { p.Risks[0].Bands[1].Lo = 5 }, "hole"},
		"no band at the bottom":        {func(p *ir.Program) { p.Risks[0].Bands[0].Lo = 0 }, "do not cover"},
		"no band at the top":           {func(p *ir.Program) { p.Risks[0].Bands[1].Hi = 9 }, "do not cover"},
		"no bands":                     {func(p *ir.Program) { p.Risks[0].Bands = nil }, "do not cover"},
		"a band that refuses":          {func(p *ir.Program) { p.Risks[0].Bands[1].Outcome = ir.Refuse }, "does not allow"},
		"a score past 32 bits":         {func(p *ir.Program) { p.Risks[0].Base[0].Points = math.MaxInt32 }, "32 bits"},
		"a hole in a factor":           {func(p *ir.Program) { p.Risks[0].Factors[1].Points = []int{0} }, "1 rows for 2"},
		"a trait that is missing":      {func(p *ir.Program) { p.Tools[1].Traits = nil }, "does not state size"},
		"an attribute that is missing": {func(p *ir.Program) { p.Risks[0].Factors[0].Attr = "rank" }, "has no target.tier"},
		"a condition of no kind":       {func(p *ir.Program) { p.Tools[1].Flags[0].When = nil }, "condition"},
		"an empty and":                 {func(p *ir.Program) { p.Tools[1].Flags[0].When = ir.And{} }, "of nothing"},
		"an empty in": {func(p *ir.Program) {
			p.Tools[1].Flags[0].When = ir.In{X: ir.Arg{Index: 1, Type: p.Tools[1].Args[1].Type}}
		}, "of nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			p := sample(plainWords)
			c.change(p)
			files, err := gen.Package(p)
			if err == nil || files != nil {
				t.Fatalf("%d files, error %v", len(files), err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q does not say %q", err, c.want)
			}
		})
	}
}

// A name that is taken gets a longer one where there is one.
func TestSecondName(t *testing.T) {
	p := sample(plainWords)
	p.Enums[0].Name = "tool"
	got := audit(t, generate(t, p)).decls
	for _, want := range []string{"type Tool", "type ToolEnum", "func ParseTool", "func ParseToolEnum"} {
		found := false
		for _, d := range got {
			found = found || d == want
		}
		if !found {
			t.Errorf("no %s in %v", want, got)
		}
	}
}

// Comparing decimals of two scales is right where the product does not fit.
func TestScaledComparisonIsWritten(t *testing.T) {
	text := string(generate(t, sample(plainWords))[0].Content)
	if !strings.Contains(text, "compareDecimals(args.Int(amount), 100, target.Int(paid)) > 0") {
		t.Error("a comparison of two scales is not written")
	}
}
