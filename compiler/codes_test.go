package compiler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/dsl/diag"
)

// findings lists what a package of one file is told: code, line and message.
func findings(text string) []string {
	r := Compile([]File{{Name: "demo.prov", Text: []byte(text)}})
	var out []string
	for _, d := range r.Report.Sorted() {
		out = append(out, fmt.Sprintf("%s %s:%d %s", d.Code, d.Span.File.Name(), d.Span.Line(), d.Message))
	}
	return out
}

// TestEveryCode compiles the example of each code, which has that finding and no
// other, and the mended one, which has none.
func TestEveryCode(t *testing.T) {
	for _, in := range diag.All() {
		t.Run(in.Code.String()+"_"+in.Name, func(t *testing.T) {
			if in.Title == "" || in.Page == "" {
				t.Error("no title or no page")
			}
			if in.Example == "" || in.Fixed == "" {
				if in.Why == "" {
					t.Error("no example, and no reason why there is none")
				}
				return
			}
			got := findings(in.Example)
			if len(got) != 1 || !strings.HasPrefix(got[0], in.Code.String()+" ") {
				t.Errorf("the example has\n%s\nwant one finding with code %s", strings.Join(got, "\n"), in.Code)
			}
			if diff := cmp.Diff([]string(nil), findings(in.Fixed)); diff != "" {
				t.Errorf("the mended example has findings (-want +got):\n%s", diff)
			}
		})
	}
}
