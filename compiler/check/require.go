package check

import (
	"github.com/provlang/prov/compiler/resolve"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// maxRequirements is how many a tool may have: a decision records those that
// failed as bits of one word.
const maxRequirements = 64

// aRequirement is what messages call one.
const aRequirement = "a requirement"

// requirements checks the clauses that an action has to meet. Their conditions
// read what those of flags read. A model's own words are among it, and that is
// safe for one reason, which is held here: a clause that fails refuses or holds.
func (c *checker) requirements(t *Tool) {
	if len(t.Requirements) > maxRequirements {
		c.at(t.Requirements[maxRequirements].Key.Span(), diag.TooMany, "a tool has at most %d requirements", maxRequirements)
	}
	for _, r := range t.Requirements {
		c.requirementElse(r)
		c.condition(r.When, &scope{what: aRequirement, args: t, target: t})
	}
}

func (c *checker) requirementElse(r *ast.RequireStmt) {
	const help = "write `else refuse`, `else hold` or `else hold for GROUP`"
	if r.Else == nil {
		c.at(r.Key.Span(), diag.RequireElse, "the requirement does not say what happens where it fails").Help(help)
		return
	}
	word := r.Else.Name
	switch word {
	case "hold":
		return
	case "refuse":
		if r.For != nil {
			c.at(r.For.Span(), diag.RequireOutcome, "a refusal waits for nobody, so it is for no group").
				Help("write `else hold for %s`, or leave the group out", r.For.Name)
		}
		return
	}
	d := c.at(r.Else.Span(), diag.RequireOutcome, "a requirement cannot `%s`", word)
	switch {
	case refusals[word]:
		d.Help("write `else refuse`")
		d.Edit = &diag.Edit{Span: r.Else.Span(), New: "refuse"}
	case word == "allow" || permits[word]:
		d.Note("a requirement may read what a model said because it can only cost the model something").
			Help("turn the condition around, and refuse or hold what fails it")
	case word == "notify" || synonyms[word] == "notify":
		d.Note("whether somebody is told is for the bands of a risk table to say").
			Help("write `else hold`; or write a flag, which is recorded and stops nothing")
	case word == "flag" || word == "record":
		d.Help("write a flag, as in `flag NAME when ...`: it is recorded and stops nothing")
	case synonyms[word] == "hold":
		d.Help("write `else hold`, or `else hold for GROUP`")
		d.Edit = &diag.Edit{Span: r.Else.Span(), New: "hold"}
	default:
		if c.pkg.Suggest(d, word, resolve.Among("refuse", "hold")).Edit == nil {
			d.Help(help)
		}
	}
}
