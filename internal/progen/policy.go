package progen

import (
	"fmt"
	"slices"
	"strings"
)

// agents writes one agent, and its policies with their tables.
func (g *writer) agents() {
	all := slices.Concat(g.actions, g.readers)
	var scope, rest []*tool
	for _, t := range all {
		if g.chance(85) || len(scope) == 0 {
			scope = append(scope, t)
		} else {
			rest = append(rest, t)
		}
	}
	// Somebody else has what this agent has not: a tool of nobody does not compile.
	if len(rest) > 0 {
		other := g.fresh(adjectives, nouns)
		g.line("agent %s {\n  scope %s\n}", other, toolNames(rest))
		g.policy(other, rest)
	}
	agent := g.fresh(adjectives, nouns)
	g.line("agent %s {\n  scope %s", agent, toolNames(scope))
	if g.belief != "" {
		g.line("  believes %s", g.belief)
	}
	g.line("}")
	for range 1 + g.IntN(2) {
		g.policy(agent, scope)
	}
}

func toolNames(list []*tool) string {
	var names []string
	for _, t := range list {
		names = append(names, t.name)
	}
	return strings.Join(names, ", ")
}

func (g *writer) policy(agent string, scope []*tool) {
	var list []*tool
	for _, t := range scope {
		if g.chance(85) {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		list = scope[:1]
	}
	// What states traits is listed beside a table, and what states none is not.
	scored := g.chance(80)
	if len(fitting(list, scored)) == 0 {
		scored = !scored
	}
	list = fitting(list, scored)
	risk := ""
	if scored {
		risk = g.risk(list)
	}
	approval := ""
	if g.chance(40) {
		approval = g.fresh(adjectives, nouns)
		g.line("approval %s { 1 of %s, within 4h }", approval, g.fresh(nouns))
	}
	g.line("policy %s {", g.fresh(adjectives, nouns))
	g.line("  agent %s\n  tools %s", agent, toolNames(list))
	if risk != "" {
		g.line("  risk %s", risk)
	}
	if approval != "" {
		g.line("  approval %s", approval)
	}
	if g.chance(50) {
		g.line("  cause %s", pick(g, g.enums).name)
	}
	g.line("  max_steps %d\n  deadline %dm\n  malformed_retries %d\n}", 1+g.IntN(9), 1+g.IntN(30), g.IntN(3))
}

// fitting is the tools that a policy with a risk table, or one without, can list.
func fitting(list []*tool, scored bool) []*tool {
	return slices.DeleteFunc(slices.Clone(list), func(t *tool) bool { return t.traits != nil && t.plain == scored })
}

// risk writes a table for the tools of a policy and gives its name, or "" where
// nothing in the list would be scored.
func (g *writer) risk(list []*tool) string {
	var rows []*tool
	onTarget := true // every tool acts on something, so the table may read it
	for _, t := range list {
		if t.traits != nil {
			rows = append(rows, t)
			onTarget = onTarget && t.on != nil
		}
	}
	if len(rows) == 0 {
		return ""
	}
	name := g.fresh(adjectives, nouns)
	g.line("risk %s {", name)

	// scores that can be reached, so that every band is.
	reached := map[int]bool{}
	var base []string
	perTool := map[*tool]map[int]bool{}
	spread := 12
	if g.wide { // rows with equal points share their cells
		spread = 100
	}
	for _, t := range rows {
		points := g.IntN(spread) - 2
		perTool[t] = map[int]bool{points: true}
		base = append(base, fmt.Sprintf("%s %d", t.name, points))
	}
	g.line("  base { %s }", strings.Join(base, ", "))
	for _, trait := range g.traits {
		if !g.chance(75) {
			continue
		}
		points := g.factor(trait.name, trait)
		for _, t := range rows {
			perTool[t] = shifted(perTool[t], points)
		}
	}
	for i, attr := range []string{"grade", "shade"} {
		if !onTarget || !g.wide && !g.chance(75) {
			continue
		}
		points := g.factor("target."+attr, g.enums[i])
		for _, t := range rows {
			perTool[t] = shifted(perTool[t], points)
		}
	}
	for _, t := range rows {
		for score := range perTool[t] {
			reached[score] = true
		}
	}
	g.bands(reached)
	g.line("}")
	return name
}

func shifted(scores map[int]bool, by []int) map[int]bool {
	out := map[int]bool{}
	for s := range scores {
		for _, b := range by {
			out[s+b] = true
		}
	}
	return out
}

// factor writes one row of points for each member, rising, falling, or `any order`.
func (g *writer) factor(name string, v vocabulary) []int {
	points := make([]int, len(v.members))
	for i := range points {
		points[i] = g.IntN(9) - 2
	}
	suffix := ""
	switch g.IntN(3) {
	case 0:
		slices.Sort(points)
	case 1:
		slices.Sort(points)
		slices.Reverse(points)
	case 2:
		if !slices.IsSorted(points) {
			suffix = " any order"
		}
		falling := slices.Clone(points)
		slices.Reverse(falling)
		if slices.IsSorted(falling) {
			suffix = ""
		}
	}
	var rows []string
	for i, m := range v.members {
		text := fmt.Sprint(points[i])
		if points[i] > 0 {
			text = "+" + text
		}
		rows = append(rows, m+" "+text)
	}
	g.line("  add %s { %s }%s", name, strings.Join(rows, ", "), suffix)
	return points
}

// bands cuts the reached scores into at most three stretches that tighten.
func (g *writer) bands(reached map[int]bool) {
	var scores []int
	for s := range reached {
		scores = append(scores, s)
	}
	slices.Sort(scores)
	outcomes := []string{"allow", "notify", "hold"}
	n := min(1+g.IntN(3), len(scores))
	chosen := map[int]bool{}
	for len(chosen) < n {
		chosen[g.IntN(3)] = true
	}
	// n-1 borders between scores that are reached.
	borders := map[int]bool{}
	for len(borders) < n-1 {
		borders[scores[1+g.IntN(len(scores)-1)]] = true
	}
	var cuts []int
	for b := range borders {
		cuts = append(cuts, b)
	}
	slices.Sort(cuts)
	lo := ""
	if g.chance(40) {
		lo = fmt.Sprint(scores[0])
	}
	k := 0
	for i, outcome := range outcomes {
		if !chosen[i] {
			continue
		}
		hi := ""
		if k < len(cuts) {
			hi = fmt.Sprint(cuts[k] - 1)
		}
		if lo == "" && hi == "" { // `..` is no range
			lo = fmt.Sprint(scores[0])
		}
		g.line("  %s %s..%s", outcome, lo, hi)
		if k < len(cuts) {
			lo = fmt.Sprint(cuts[k])
		}
		k++
	}
}

// beliefs writes what the gate does not read, to see that it disturbs nothing.
func (g *writer) beliefs() {
	on := g.kinds[0]
	taught := slices.ContainsFunc(g.actions, func(t *tool) bool { return t.on == on && t.verified })
	if !taught || g.chance(30) {
		return
	}
	g.belief = g.fresh(adjectives, nouns)
	states := g.enums[0]
	evidence := g.fresh(adjectives, nouns)
	g.line("evidence %s {\n  first_hand 0.60\n  second_hand 0.50\n  hearsay 0.10\n  half_life 30d\n}", evidence)
	g.line("belief %s on %s {\n  states %s\n  evidence %s\n  commit 0.50\n  flip 0.70\n  retract 0.50", g.belief, on.name, states.name, evidence)
	g.line("  learn { confirmed %s, refuted not %s }\n  expires 30d then reverify by %s\n}", states.members[0], states.members[0], reader(on))
	g.line("standing { degrade after 3 rejections in 24h }")
}
