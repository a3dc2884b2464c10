package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
)

// MaxCells is how many cells a proof may enumerate. Above it the proof fails: what
// was not looked at is not proved.
const MaxCells = 100_000_000

// ProofResult is what became of a `prove` block.
type ProofResult struct {
	Proof   *ir.Proof
	Passed  bool
	Cells   int // enumerated, over all tables: every tool with every member of every factor
	Matched int // of them, those that a contract can reach and that the condition fits
	// Counter is the smallest counter-example: the lowest score, and of equal
	// ones the first in declared order; of several tables, the first that has
	// one. It is nil where the proof passed, or failed for want of cells.
	Counter *CounterExample
	Problem string // why a proof without a counter-example failed
}

// CounterExample is a cell that came out otherwise.
type CounterExample struct {
	Risk *ir.Risk
	Tool *ir.Tool
	Sum  Sum
}

// String shows what was expected, and the counter-example as a sum.
func (r ProofResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-8s  %s, in each of %d cells\n", "expected", r.Proof.Expect, r.Matched)
	if r.Problem != "" {
		fmt.Fprintf(&b, "  %-8s  %s\n", "problem", r.Problem)
	}
	if c := r.Counter; c != nil {
		fmt.Fprintf(&b, "  %-8s  %s, of `%s` at its lowest score:\n", "got", c.Sum.Outcome(), c.Risk.Name)
		b.WriteString(indented(c.Sum.String()))
	}
	return b.String()
}

// Prove checks every `prove` block of the program, in source order.
func (m *Machine) Prove() []ProofResult {
	var results []ProofResult
	for _, p := range m.program.Proofs {
		results = append(results, prove(p))
	}
	return results
}

func prove(p *ir.Proof) ProofResult {
	result := ProofResult{Proof: p}
	for _, r := range p.Risks {
		n := Count(r)
		if n > MaxCells-result.Cells {
			result.Problem = fmt.Sprintf("`%s` has too many cells to look at every one: more than %d", r.Name, MaxCells)
			return result
		}
		result.Cells += n
		worst := proveTable(p, r, &result.Matched)
		if worst != nil && result.Counter == nil {
			i := -1
			result.Counter = &CounterExample{Risk: r, Tool: worst.Tool, Sum: add(r, worst.Tool, func(*ir.Factor) int {
				i++
				return worst.Members[i]
			})}
		}
	}
	// A block that speaks of nothing would pass for ever, whatever the tables say.
	if result.Matched == 0 {
		result.Problem = "the condition fits no cell that a contract can reach"
	}
	result.Passed = result.Problem == "" && result.Counter == nil
	return result
}

// proveTable gives the smallest cell that comes out otherwise, nil where none does.
// A cell with a trait that its tool's contract does not state is no decision that
// can be made, so a proof does not speak of it; when a contract changes, or a tool
// is added, the proof is run again.
func proveTable(p *ir.Proof, r *ir.Risk, matched *int) *Cell {
	var worst *Cell
	at := &position{risk: r}
	for cell := range Cells(r) {
		at.cell = cell
		if !cell.reachable(r) || p.Where != nil && !holds(p.Where, at) {
			continue
		}
		*matched++
		if cell.Band.Outcome != p.Expect && (worst == nil || cell.Score < worst.Score) {
			kept := *cell
			kept.Members = slices.Clone(cell.Members)
			worst = &kept
		}
	}
	return worst
}

// position is what a proof's condition reads: the factors of a cell, and its tool.
type position struct {
	risk *ir.Risk
	cell *Cell

	tool    *ir.Tool // whose ordinal was looked up last: it changes once a row
	ordinal int64
}

func (p *position) value(o ir.Operand) ir.Value {
	f, ok := o.(ir.FactorValue)
	if !ok {
		panic("interp: a proof reads what it cannot")
	}
	for i, factor := range p.risk.Factors {
		if factor.Name == f.Name {
			return ir.Value{N: int64(p.cell.Members[i])}
		}
	}
	if f.Name == "tool" {
		if p.tool != p.cell.Tool {
			p.tool, p.ordinal = p.cell.Tool, int64(f.Type.Enum.Index(p.cell.Tool.Name))
		}
		return ir.Value{N: p.ordinal}
	}
	panic("interp: a proof reads `" + f.Name + "`, which its table does not have")
}

func (p *position) present(int) bool { panic("interp: a proof reads an argument") }
