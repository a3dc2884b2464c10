package interp_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/compiler/interp"
	"github.com/provlang/prov/compiler/ir"
)

// saying is a condition as text with what it means, worked out from the text's own
// words by somebody who has never seen the compiler: numbers are fractions.
type saying struct {
	text  string
	means func(values map[string]string) bool
}

var colours = []string{"red", "green", "blue"}

// drawn values, by operand; close to each other, so that comparisons come out
// either way.
var drawn = map[string][]string{
	"apples": {"-5", "-1", "0", "1", "5"},
	"pears":  {"-5", "0", "1", "4"},
	"price":  {"0", "0.50", "1.25", "-1.25", "12"},
	"tax":    {"0.0000", "0.5", "0.5001", "1.25", "-1.2500"},
	"paint":  colours,
	"frame":  colours,
	"sold":   {"true", "false"},
}

// kinds of operands that may stand beside each other, and constants for them.
var comparable = [][]string{{"apples", "pears"}, {"price", "tax"}, {"paint", "frame"}}

func fraction(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

func number(text string) bool { return strings.ContainsAny(text[:1], "-0123456789") }

func comparison(r *rand.Rand) saying {
	group := comparable[r.IntN(len(comparable))]
	i := r.IntN(2)
	x, y := group[i], group[1-i]
	if r.IntN(2) == 0 {
		y = drawn[x][r.IntN(len(drawn[x]))] // a constant, on either side
		if r.IntN(4) == 0 {
			x, y = y, x
		}
	}
	ops := []string{"==", "!="}
	if group[0] != "paint" {
		ops = []string{"==", "!=", "<", "<=", ">", ">="}
	}
	op := ops[r.IntN(len(ops))]
	return saying{x + " " + op + " " + y, func(values map[string]string) bool {
		read := func(operand string) string {
			if v, ok := values[operand]; ok {
				return v
			}
			return operand
		}
		a, b := read(x), read(y)
		if !number(a) {
			return (a == b) == (op == "==")
		}
		sign := fraction(a).Cmp(fraction(b))
		switch op {
		case "==":
			return sign == 0
		case "!=":
			return sign != 0
		case "<":
			return sign < 0
		case "<=":
			return sign <= 0
		case ">":
			return sign > 0
		}
		return sign >= 0
	}}
}

func randomSaying(r *rand.Rand, depth int) saying {
	if depth == 0 || r.IntN(5) == 0 {
		switch r.IntN(8) {
		case 0:
			return saying{"sold", func(v map[string]string) bool { return v["sold"] == "true" }}
		case 1:
			i := r.IntN(3)
			set := []string{colours[i], colours[(i+1)%3]}
			return saying{"paint in { " + strings.Join(set, ", ") + " }", func(v map[string]string) bool { return slices.Contains(set, v["paint"]) }}
		}
		return comparison(r)
	}
	if r.IntN(4) == 0 {
		x := randomSaying(r, depth-1)
		return saying{"not (" + x.text + ")", func(v map[string]string) bool { return !x.means(v) }}
	}
	or := r.IntN(2) == 0
	var parts []saying
	var texts []string
	for range 2 + r.IntN(2) {
		p := randomSaying(r, depth-1)
		parts, texts = append(parts, p), append(texts, "("+p.text+")")
	}
	word := map[bool]string{true: " or ", false: " and "}[or]
	return saying{strings.Join(texts, word), func(v map[string]string) bool {
		return slices.ContainsFunc(parts, func(p saying) bool { return p.means(v) == or }) == or
	}}
}

// What a condition means survives parsing, checking and lowering: numbers of
// different scale, constants on either side, members, brackets and negations.
func TestConditionsMeanWhatTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	compiled, held, failed := 0, 0, 0
	for range 2500 {
		s := randomSaying(r, r.IntN(3))
		p := compiler.Compile([]compiler.File{{Name: "p.prov", Text: fmt.Appendf(nil, `package p
enum Colour { red, green, blue }
tool act {
  args {
    apples int(-5..5)
    pears  int(-5..5)
    price  decimal(2)
    tax    decimal(4)
    paint  Colour
    frame  Colour
    sold   bool
  }
  flag it when %s
}
agent someone { scope act }
policy one {
  agent someone
  tools act
  max_steps 1
  deadline 1m
}
`, s.text)}}).Program
		if p == nil {
			continue // it says nothing, or never holds
		}
		compiled++
		m := interp.New(p)
		for range 20 {
			values := map[string]string{}
			var args []string
			for _, f := range p.Tools[0].Args {
				v := drawn[f.Name][r.IntN(len(drawn[f.Name]))]
				values[f.Name] = v
				if f.Type.Kind == ir.Decimal || f.Type.Kind == ir.EnumType {
					v = fmt.Sprintf("%q", v)
				}
				args = append(args, fmt.Sprintf("%q:%s", f.Name, v))
			}
			d := m.Decide(interp.Case{
				Policy:   p.Policies[0],
				Identity: interp.IdentityGood,
				Tenant:   "t",
				Proposal: fmt.Appendf(nil, `{"tool":"act","args":{%s}}`, strings.Join(args, ",")),
			})
			want := s.means(values)
			if want {
				held++
			} else {
				failed++
			}
			if d.Reason != interp.Allowed || slices.Contains(d.Flags, "it") != want {
				t.Fatalf("`%s` of %v: %+v, want the flag: %v", s.text, values, d, want)
			}
		}
	}
	if compiled < 500 || held < 2000 || failed < 2000 {
		t.Errorf("%d conditions compiled, held %d times and failed %d times: too few to mean anything", compiled, held, failed)
	}
}
