package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler/ir"
	"github.com/provlang/prov/dsl/ast"
	"github.com/provlang/prov/dsl/diag"
)

// lifecycles looks for paths on which an agent alone brings something to a state
// that is a person's to give, and for states to which there is no path at all.
func (a *analyser) lifecycles() {
	inScope := make(map[*ir.Tool]string)
	for _, ag := range a.low.Program.Agents {
		for _, t := range ag.Scope {
			if inScope[t] == "" {
				inScope[t] = ag.Name
			}
		}
	}
	for _, l := range a.low.Program.Lifecycles {
		decl := a.low.Symbols[l].Decl.(*ast.Lifecycle)
		a.personOnly(l, decl, inScope)
		a.unreachable(l, decl)
	}
}

// walk goes breadth first from the first state over the transitions that may be
// used, and returns by which transition each state was reached (-1: not).
func walk(l *ir.Lifecycle, may func(ir.Transition) bool) []int {
	from := make([][]int, len(l.States.Members))
	for i, t := range l.Transitions {
		from[t.From] = append(from[t.From], i)
	}
	via := make([]int, len(l.States.Members))
	for i := range via {
		via[i] = -1
	}
	seen := make([]bool, len(via))
	seen[0] = true
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, i := range from[queue[0]] {
			t := l.Transitions[i]
			if !seen[t.To] && may(t) {
				seen[t.To] = true
				via[t.To] = i
				queue = append(queue, t.To)
			}
		}
	}
	return via
}

// personOnly reports every transition by which an agent alone gives a state that
// is a person's to give. It does not ask whether a path from the first state leads
// there: the registry can hold a target in any state, and a person may have
// brought it to the one before.
func (a *analyser) personOnly(l *ir.Lifecycle, decl *ast.Lifecycle, inScope map[*ir.Tool]string) {
	if len(l.Transitions) == 0 {
		return
	}
	via := walk(l, func(ir.Transition) bool { return true })
	for i, t := range l.Transitions {
		// A dangerous tool always waits for a person, like one with `approval required`.
		alone := !t.By.Approval && !t.By.Dangerous && inScope[t.By] != ""
		if !alone || !l.Person[t.To] || t.From == t.To {
			continue
		}
		name := l.States.Members[t.To].Name
		d := a.report.At(decl.Transitions[i].By.Span(), diag.PersonOnlyReached, "agent `%s` reaches `%s` without a person", inScope[t.By], name)
		for k, other := range l.Transitions {
			if other.To == t.To && other.By.Approval {
				d.See(decl.Transitions[k].By.Span(), "this way to `%s` needs a person's approval", name)
				break
			}
		}
		d.Note("the path: %s", strings.Join(append(pathTo(l, via, t.From), arrow(l, t)), ", ")).
			Help("write `approval required` in `%s`, or take it out of the agent's scope", t.By.Name)
	}
}

// pathTo is a way from the first state to another one, one arrow a transition.
func pathTo(l *ir.Lifecycle, via []int, state int) []string {
	var path []string
	for state != 0 && via[state] >= 0 && len(path) <= len(via) {
		t := l.Transitions[via[state]]
		path = append(path, arrow(l, t))
		state = t.From
	}
	slices.Reverse(path)
	return path
}

func arrow(l *ir.Lifecycle, t ir.Transition) string {
	return fmt.Sprintf("%s -> %s by `%s`", l.States.Members[t.From].Name, l.States.Members[t.To].Name, t.By.Name)
}

// unreachable reports the states to which nothing comes. Of several on one path
// only the first is reported: the others follow from it.
func (a *analyser) unreachable(l *ir.Lifecycle, decl *ast.Lifecycle) {
	via := walk(l, func(ir.Transition) bool { return true })
	enters := make([]bool, len(via))
	leaves := make([][]int, len(via))
	for _, t := range l.Transitions {
		if t.From != t.To {
			enters[t.To] = true
		}
		leaves[t.From] = append(leaves[t.From], t.To)
	}
	explained := make([]bool, len(via))
	explain := func(state int) {
		for stack := []int{state}; len(stack) > 0; {
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !explained[s] {
				explained[s] = true
				stack = append(stack, leaves[s]...)
			}
		}
	}
	// Beginnings of paths first, then circles.
	for _, circles := range []bool{false, true} {
		for state, t := range via {
			if state == 0 || t >= 0 || explained[state] || enters[state] && !circles {
				continue
			}
			explain(state)
			name := l.States.Members[state].Name
			d := a.report.At(stateIdent(decl, name).Span(), diag.StateUnreachable, "nothing ever comes to state `%s`", name)
			d.Note("a lifecycle begins in the first state that it names: `%s`", l.States.Members[0].Name).
				DidYouMean(name, stateNames(l))
			if d.Edit == nil {
				d.Help("add a transition to it, or correct its name")
			}
		}
	}
}

func stateNames(l *ir.Lifecycle) []string {
	var names []string
	for i := range l.States.Members {
		names = append(names, l.States.Members[i].Name)
	}
	return names
}

// stateIdent is where a lifecycle names a state first.
func stateIdent(decl *ast.Lifecycle, name string) *ast.Ident {
	for _, t := range decl.Transitions {
		if t.From.Name == name {
			return t.From
		}
		if t.To.Name == name {
			return t.To
		}
	}
	panic("analysis: a state that its lifecycle does not name")
}
