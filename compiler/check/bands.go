package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

var outcomes = map[string]ir.Outcome{"allow": ir.Allow, "notify": ir.Notify, "hold": ir.Hold}

// outcomeNames in the order in which bands tighten.
var outcomeNames = []string{"allow", "notify", "hold"}

// refusals are what other languages call a refusal.
var refusals = words("refuse deny block reject forbid disallow stop prohibit abort drop")

// permits are what other languages call `allow`.
var permits = words("permit accept grant pass ok")

// synonyms of the other outcomes.
var synonyms = map[string]string{
	"warn": "notify", "alert": "notify", "tell": "notify", "inform": "notify", "log": "notify", "report": "notify",
	"ask": "hold", "review": "hold", "escalate": "hold", "wait": "hold", "confirm": "hold", "approve": "hold",
	"approval": "hold", "held": "hold", "pause": "hold",
}

// bands checks that the bands cover every score once and only tighten upwards.
func (c *checker) bands(t *table, stmts []*ast.BandStmt) {
	var bands []Band
	fault := false
	for _, st := range stmts {
		b, ok := c.band(st)
		if !ok {
			fault = true
			continue
		}
		c.Bands[st] = b
		bands = append(bands, b)
	}
	if fault {
		return
	}
	if len(bands) == 0 {
		c.at(t.decl.Name.Span(), diag.ScoreUncovered, "risk table `%s` has no bands, so no score has an outcome", t.symbol.Name).
			Help("write `allow 0..3`, `notify 4..6`, `hold 7..`")
		return
	}
	slices.SortStableFunc(bands, func(a, b Band) int {
		if a.Lo != b.Lo {
			if a.Lo < b.Lo {
				return -1
			}
			return 1
		}
		return 0
	})
	for i := 1; i < len(bands); i++ {
		c.neighbours(bands[i-1], bands[i])
	}
	last := bands[len(bands)-1]
	if last.Hi != math.MaxInt {
		d := c.at(last.stmt.Range.Span(), diag.ScoreUncovered, "the bands end at %d, and nothing says what happens above", last.Hi).
			Note("points change over the years; the band at the top is open, whatever the table gives today")
		if last.stmt.Outcome.Name == "hold" && last.Lo != math.MinInt {
			d.Help("write `hold %d..`", last.Lo)
		} else {
			d.Help("add `hold %d..`", last.Hi+1)
		}
	}
	if first := bands[0]; !t.fault && first.Lo != math.MinInt && len(t.tools) > 0 {
		if least := c.lowest(t); least < first.Lo {
			c.at(first.stmt.Range.Span(), diag.ScoreUncovered, "the bands start at %d, and the lowest score is %d", first.Lo, least).
				Help("write `%s ..%s`, or start at %d", first.stmt.Outcome.Name, openHi(first.Hi), least)
		}
	}
}

func openHi(hi int) string {
	if hi == math.MaxInt {
		return ""
	}
	return fmt.Sprint(hi)
}

// neighbours compares a band with the one above it.
func (c *checker) neighbours(lo, hi Band) {
	switch {
	case lo.Hi == math.MaxInt || hi.Lo <= lo.Hi:
		c.at(hi.stmt.Range.Span(), diag.BandOverlap, "`%s` and `%s` both have score %d", lo.stmt.Outcome.Name, hi.stmt.Outcome.Name, hi.Lo).
			See(lo.stmt.Range.Span(), "the other band").
			Help("end one band where the next begins; both ends of a range belong to it")
	case hi.Lo > lo.Hi+1:
		d := c.at(hi.stmt.Range.Span(), diag.BandGap, "no band has the scores %d..%d", lo.Hi+1, hi.Lo-1)
		if lo.Hi+1 == hi.Lo-1 {
			d.Message = fmt.Sprintf("no band has score %d", lo.Hi+1)
		}
		d.See(lo.stmt.Range.Span(), "the band below").
			Help("start this band at %d, or end the one below at %d", lo.Hi+1, hi.Lo-1)
	}
	if hi.Outcome > lo.Outcome {
		c.at(hi.stmt.Outcome.Span(), diag.BandLoosens, "`%s` stands above `%s`: a higher score would be treated more lightly", hi.stmt.Outcome.Name, lo.stmt.Outcome.Name).
			See(lo.stmt.Span(), "the band below").
			Note("outcomes only tighten upwards: allow, then notify, then hold").
			Help("exchange the two")
	}
}

func (c *checker) band(st *ast.BandStmt) (Band, bool) {
	word := st.Outcome.Name
	out, ok := outcomes[word]
	if !ok {
		c.badOutcome(st.Outcome)
	}
	b := Band{Outcome: out, Lo: math.MinInt, Hi: math.MaxInt, stmt: st}
	end := func(s string, into *int) bool {
		if s == "" {
			return true
		}
		n, good := parseInt(s)
		if !good || n > math.MaxInt32 || n < math.MinInt32 {
			c.at(st.Range.Span(), diag.BadBand, "the ends of a band are whole numbers: scores are sums of points").
				Help("write `%s 0..3`, or `%s 7..`", word, word)
			return false
		}
		*into = int(n)
		return true
	}
	if st.Range == nil || !end(st.Range.Lo, &b.Lo) || !end(st.Range.Hi, &b.Hi) {
		return b, false
	}
	if b.Lo > b.Hi {
		c.at(st.Range.Span(), diag.BadBand, "the band is empty: %d is above %d", b.Lo, b.Hi).
			Help("write the smaller end first: `%s %d..%d`", word, b.Hi, b.Lo)
		return b, false
	}
	return b, ok
}

// badOutcome refuses a word that is no outcome of a table.
func (c *checker) badOutcome(id *ast.Ident) {
	const why = "a table rates an action that the contract permits; whether it is permitted at all is not a matter of points"
	switch {
	case id.Name == "deny":
		d := c.at(id.Span(), diag.RefusalInTable, "a risk table does not deny: it allows, notifies or holds").
			Note(why).
			Help("write `hold`: a person decides; to forbid an action, leave its tool out of the policy's `tools`")
		d.Edit = &diag.Edit{Span: id.Span(), New: "hold"}
	case refusals[id.Name]:
		d := c.at(id.Span(), diag.RefusalInTable, "a risk table has no `%s`: it never refuses", id.Name).
			Note(why).
			Help("write `hold`; to forbid an action, leave its tool out of the policy's `tools`")
		d.Edit = &diag.Edit{Span: id.Span(), New: "hold"}
	case permits[id.Name]:
		d := c.at(id.Span(), diag.UnknownBand, "a risk table has no outcome `%s`", id.Name).
			Help("write `allow`")
		d.Edit = &diag.Edit{Span: id.Span(), New: "allow"}
	case synonyms[id.Name] != "":
		d := c.at(id.Span(), diag.UnknownBand, "a risk table has no outcome `%s`", id.Name).
			Help("write `%s`", synonyms[id.Name])
		d.Edit = &diag.Edit{Span: id.Span(), New: synonyms[id.Name]}
	default:
		d := c.at(id.Span(), diag.UnknownBand, "a risk table has no outcome `%s`", id.Name)
		c.pkg.Suggest(d, id.Name, resolve.Among(outcomeNames...))
	}
}
