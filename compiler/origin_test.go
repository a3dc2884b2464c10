package compiler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/provlang/prov/dsl/diag"
)

// TestOriginWhateverTheType tries every type and modifier that an argument can
// have, and every way to spell it in a factor: none of them reaches a score.
func TestOriginWhateverTheType(t *testing.T) {
	types := []string{
		"bool", "int(0..3)", "decimal(2)", "string(1..8)", "string(1..8) /[a-z]+/", "word", "Grade", "level",
		"effects", "progress", "ref service",
	}
	modifiers := []string{"", " optional", " sensitive", " optional sensitive"}
	spellings := []string{"value", "args.value", "act.value"}
	for _, typ := range types {
		for _, mod := range modifiers {
			for _, factor := range spellings {
				text := fmt.Sprintf(`package demo

enum Grade { low, high }
type word = string(1..8)
type level = Grade
trait effects { low, high }
lifecycle progress {
  low -> high by act
}
entity service { state progress, value_of Grade }

tool act on service {
  effects low
  args { value %s%s }
}
risk r {
  base        { act 1 }
  add effects { low 0, high 1 }
  add %s { low 0, high 1 }
  allow 0..
}
`, typ, mod, factor)
				got := findings(text)
				if len(got) != 1 || !strings.HasPrefix(got[0], diag.OriginForbidden.String()+" demo.prov:19 ") {
					t.Errorf("%s%s as %s:\n%s", typ, mod, factor, strings.Join(got, "\n"))
				}
			}
		}
	}
}

// TestOriginOfCauseAndResult does the same for the other words of a model.
func TestOriginOfCauseAndResult(t *testing.T) {
	for _, factor := range []string{"cause", "cause.high", "result.grade", "grade", "confidence", "risk_score", "model.grade", "proposal.grade"} {
		text := fmt.Sprintf(`package demo

enum Grade { low, high }
tool look {
  read
  result { grade Grade trusted }
}
tool act { idempotent }
risk r {
  base { act 1 }
  add %s { low 0, high 1 }
  allow 0..
}
agent keeper { scope act, look }
policy calm {
  agent     keeper
  tools     act, look
  risk      r
  cause     Grade
  max_steps 2
  deadline  1m
}
`, factor)
		got := findings(text)
		if len(got) != 1 || !strings.HasPrefix(got[0], diag.OriginForbidden.String()+" demo.prov:11 ") {
			t.Errorf("%s:\n%s", factor, strings.Join(got, "\n"))
		}
	}
}
