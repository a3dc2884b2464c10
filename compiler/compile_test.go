package compiler

import (
	"os"
	"testing"
)

func TestExamples(t *testing.T) {
	for _, name := range []string{"incident", "intake"} {
		b, err := os.ReadFile("../examples/" + name + "/" + name + ".prov")
		if err != nil {
			t.Fatal(err)
		}
		r := Compile([]File{{Name: name + ".prov", Text: b}})
		for _, d := range r.Report.Sorted() {
			t.Errorf("%s:%d %s %s %v %v", d.Span.File.Name(), d.Span.Line(), d.Code, d.Message, d.Notes, d.Helps)
		}
		if r.Program == nil {
			t.Error("no program")
		}
	}
}
