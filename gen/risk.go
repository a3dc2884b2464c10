package gen

import (
	"fmt"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/gen/internal/jenx"
)

// risk is the function that scores, and the tables that the gate reads.
func (g *generator) risk(r *ir.Risk) ([]jenx.Code, error) {
	if err := boundedRisk(r); err != nil {
		return nil, err
	}
	score, err := g.score(r)
	if err != nil {
		return nil, err
	}
	tables, err := g.riskTables(r)
	if err != nil {
		return nil, err
	}
	return append([]jenx.Code{score}, tables...), nil
}

func outcome(o ir.Outcome) string {
	switch o {
	case ir.Hold:
		return "Hold"
	case ir.Notify:
		return "Notify"
	case ir.Allow:
		return "Allow"
	default:
		return "Refuse"
	}
}

// band that holds a score; boundedRisk has shown that there is one.
func band(r *ir.Risk, score int) *ir.Band {
	for i := range r.Bands {
		if score <= r.Bands[i].Hi {
			return &r.Bands[i]
		}
	}
	return &r.Bands[len(r.Bands)-1]
}

// score is the risk function. Its parameters are members of vocabularies and
// nothing else; one that is not set, or that is no member, holds.
func (g *generator) score(r *ir.Risk) (jenx.Code, error) {
	n := g.n.risk[r]
	scope := jenx.NewScope()
	claim := &claimer{scope: scope}
	score, tool := claim.claim("the score", "score"), claim.claim("the tool", "tool")
	out := claim.claim("the outcome", "outcome")
	hold := jenx.Return(jenx.Int(0), jenx.In(jenx.Policy, "Hold"))

	params := []jenx.Param{{Name: tool, Type: jenx.Name(g.n.tool.typ)}}
	var body []jenx.Code
	if len(r.Base) <= maxSwitch {
		cases := make([]jenx.Case, 0, len(r.Base)+1)
		for _, b := range r.Base {
			cases = append(cases, points(score, "=", g.n.tool.members[g.index[b.Tool]], b.Points, b.Pos))
		}
		body = append(body, jenx.Note("base"), jenx.Switch(jenx.Name(tool), append(cases, jenx.Case{Body: []jenx.Code{hold}})...))
	} else {
		row := jenx.Index(jenx.Name(n.rows), minusOne(jenx.Name(tool)))
		body = append(body,
			jenx.Note("base, from the rows below"),
			jenx.If(jenx.Binary(outside(tool, n.rows), "||", jenx.Not(jenx.Sel(row, jenx.Fixed("Scored")))), hold),
			jenx.Binary(jenx.Name(score), "=", jenx.Sel(row, jenx.Fixed("Base"))))
	}
	for _, f := range r.Factors {
		param := claim.claim("factor "+f.Name, jenx.Unexported(last(f.Name)), jenx.Unexported(strings.ReplaceAll(f.Name, ".", "_")),
			jenx.Unexported(last(f.Name), "factor"))
		v := g.n.enums[f.Enum]
		params = append(params, jenx.Param{Name: param, Type: jenx.Name(v.typ)})
		body = append(body, jenx.Blank(), jenx.Note(fmt.Sprintf("add %s, %s", f.Name, at(f.Pos))))
		if len(f.Points) > maxSwitch {
			table := n.points[f]
			body = append(body,
				jenx.If(outside(param, table), hold),
				jenx.Binary(jenx.Name(score), "+=", jenx.Index(jenx.Name(table), minusOne(jenx.Name(param)))))
			continue
		}
		cases := make([]jenx.Case, 0, len(f.Points)+1)
		for m, p := range f.Points {
			cases = append(cases, points(score, "+=", v.members[m], p, f.RowPos[m]))
		}
		body = append(body, jenx.Switch(jenx.Name(param), append(cases, jenx.Case{Body: []jenx.Code{hold}})...))
	}
	if claim.err != nil {
		return jenx.Code{}, claim.err
	}

	bands := make([]jenx.Case, len(r.Bands))
	for i, b := range r.Bands {
		bands[i].Body = []jenx.Code{jenx.Beside(jenx.Return(jenx.Name(score), jenx.In(jenx.Policy, outcome(b.Outcome))),
			fmt.Sprintf("%s, %s", bandText(b), at(b.Pos)))}
		if i < len(r.Bands)-1 {
			bands[i].Of = []jenx.Code{jenx.Binary(jenx.Name(score), "<=", jenx.Int(int64(b.Hi)))}
		}
	}
	body = append(body, jenx.Blank())
	if len(bands) == 1 {
		body = append(body, bands[0].Body...)
	} else {
		body = append(body, jenx.Switch(jenx.Code{}, bands...))
	}
	lead := fmt.Sprintf("%s is the risk table %s of %s: the points of a call, and what they ask for. "+
		"What is not set, or not in the table, holds.", n.score, r.Name, at(r.Pos))
	return jenx.Func{
		Doc:    described(lead, r.Doc),
		Name:   n.score,
		Params: params,
		Results: []jenx.Param{
			{Name: score, Type: jenx.Builtin("int32")},
			{Name: out, Type: jenx.In(jenx.Policy, "Outcome")},
		},
		Body: body,
	}.Code(), nil
}

// points is one row of the table as a case. What is taken away is written so.
func points(score jenx.Ident, op string, member jenx.Ident, points int, pos ir.Pos) jenx.Case {
	if op == "+=" && points < 0 {
		op, points = "-=", -points
	}
	return jenx.Case{
		Of:   []jenx.Code{jenx.Name(member)},
		Body: []jenx.Code{jenx.Beside(jenx.Binary(jenx.Name(score), op, jenx.Int(int64(points))), at(pos))},
	}
}

// last part of a factor's name: tier of target.tier.
func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// row is what a scored tool adds up to before the registry is asked.
type row struct {
	base    *ir.BaseRow
	members []int // by factor; -1 for a registry factor
	attrs   []int // by registry factor
	points  int   // base and traits
	start   int   // first cell
}

// rowOf works a tool's row out.
func (g *generator) rowOf(r *ir.Risk, b *ir.BaseRow) (*row, error) {
	out := &row{base: b, points: b.Points}
	for _, f := range r.Factors {
		if f.Trait == nil {
			attr := -1
			if b.Tool.Target != nil {
				attr = b.Tool.Target.Attr(f.Attr)
			}
			if attr < 0 || b.Tool.Target.Attrs[attr].Type.Enum != f.Enum {
				return nil, fmt.Errorf("risk %s: tool %s has no %s to score", r.Name, b.Tool.Name, f.Name)
			}
			out.attrs = append(out.attrs, attr)
			out.members = append(out.members, -1)
			continue
		}
		m := b.Tool.TraitOf(f.Trait)
		if m < 0 || m >= len(f.Points) {
			return nil, fmt.Errorf("risk %s: tool %s does not state %s", r.Name, b.Tool.Name, f.Name)
		}
		out.members = append(out.members, m)
		out.points += f.Points[m]
	}
	return out, nil
}

// key is equal for rows whose cells are equal, sum for sum.
func (r *row) key() string { return fmt.Sprint(r.base.Points, r.members) }
