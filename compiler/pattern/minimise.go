package pattern

import (
	"encoding/binary"
	"unicode"

	"github.com/provlang/prov/compiler/ir"
)

func fold(r rune) rune { return unicode.SimpleFold(r) }

// minimise merges states that accept the same texts, by Hopcroft's algorithm:
// split the blocks of a partition by what leads into a waiting splitter, and of
// two halves wait for the smaller. noState is a state of its own while it runs,
// so every state from which nothing is accepted ends up with it.
//
// J. E. Hopcroft, "An n log n algorithm for minimizing states in a finite
// automaton", 1971.
func (a *automaton) minimise() *automaton {
	sink := len(a.next) // noState, while it runs
	n := sink + 1
	step := func(state, class int) int {
		if state == sink || a.next[state][class] == noState {
			return sink
		}
		return a.next[state][class]
	}
	// inverse[class] lists predecessors by state, as one array cut by offsets.
	inverse := make([][]int, a.width)
	offset := make([][]int, a.width)
	for class := range inverse {
		count := make([]int, n+1)
		for s := range n {
			count[step(s, class)+1]++
		}
		for s := range n {
			count[s+1] += count[s]
		}
		offset[class] = count
		fill := make([]int, n)
		list := make([]int, n)
		for s := range n {
			to := step(s, class)
			list[count[to]+fill[to]] = s
			fill[to]++
		}
		inverse[class] = list
	}

	var blocks [][]int
	block := make([]int, n)
	var yes, no []int
	for s := range n {
		if s != sink && a.accept[s] {
			yes = append(yes, s)
		} else {
			no = append(no, s)
		}
	}
	for _, part := range [][]int{yes, no} {
		if len(part) == 0 {
			continue
		}
		for _, s := range part {
			block[s] = len(blocks)
		}
		blocks = append(blocks, part)
	}

	type splitter struct{ block, class int }
	waiting := map[splitter]bool{}
	var queue []splitter
	wait := func(b, class int) {
		if s := (splitter{b, class}); !waiting[s] {
			waiting[s] = true
			queue = append(queue, s)
		}
	}
	for b := range blocks {
		for class := range a.width {
			wait(b, class)
		}
	}
	hit := make([]bool, n)
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		waiting[s] = false

		var from []int
		for _, to := range blocks[s.block] {
			from = append(from, inverse[s.class][offset[s.class][to]:offset[s.class][to+1]]...)
		}
		var touched []int
		seen := map[int]bool{}
		for _, q := range from {
			hit[q] = true
			if !seen[block[q]] {
				seen[block[q]] = true
				touched = append(touched, block[q])
			}
		}
		for _, b := range touched {
			var in, out []int
			for _, q := range blocks[b] {
				if hit[q] {
					in = append(in, q)
				} else {
					out = append(out, q)
				}
			}
			if len(out) == 0 {
				continue
			}
			if len(in) > len(out) {
				in, out = out, in
			}
			fresh := len(blocks)
			blocks[b] = out
			blocks = append(blocks, in)
			for _, q := range in {
				block[q] = fresh
			}
			// The new block is the smaller half. Where the old one still waits
			// both halves must; where it does not, the smaller is enough.
			for class := range a.width {
				wait(fresh, class)
			}
		}
		for _, q := range from {
			hit[q] = false
		}
	}

	return a.merge(blocks, func(s int) int { return block[s] }, block[sink])
}

// merge builds the quotient: one state a block, none for the block of the sink.
// Classes with equal columns become one; class 0 is that of the last code point,
// which is where the rest of the code space falls in nearly every pattern, and
// the others are numbered by their first code point. States are numbered in
// breadth-first order from the start.
func (a *automaton) merge(blocks [][]int, block func(int) int, dead int) *automaton {
	to := func(b, class int) int {
		next := a.next[blocks[b][0]][class]
		if next == noState || block(next) == dead {
			return noState
		}
		return block(next)
	}
	columns := map[string]int{}
	renumber := make([]int, a.width) // class -> merged class, in order of meeting
	for class := range a.width {
		var key []byte
		for b := range blocks {
			if b != dead {
				key = binary.AppendVarint(key, int64(to(b, class)))
			}
		}
		merged, ok := columns[string(key)]
		if !ok {
			merged = len(columns)
			columns[string(key)] = merged
		}
		renumber[class] = merged
	}

	order := map[int]int{renumber[a.cuts[len(a.cuts)-1].class]: 0}
	example := []int{a.cuts[len(a.cuts)-1].class}
	out := &automaton{width: len(columns)}
	for _, c := range a.cuts {
		merged := renumber[c.class]
		if _, ok := order[merged]; !ok {
			order[merged] = len(order)
			example = append(example, c.class)
		}
		out.cuts = append(out.cuts, cut{c.lo, order[merged]})
	}
	out.cuts = joined(out.cuts)

	start := block(0)
	if start == dead {
		return out // nothing matches: no states
	}
	number := map[int]int{start: 0}
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		row := make([]int, out.width)
		for class := range row {
			next := to(b, example[class])
			if next == noState {
				row[class] = noState
				continue
			}
			if _, ok := number[next]; !ok {
				number[next] = len(number)
				queue = append(queue, next)
			}
			row[class] = number[next]
		}
		out.next = append(out.next, row)
		out.accept = append(out.accept, a.accept[blocks[b][0]])
	}
	return out
}

// joined merges neighbours of one class.
func joined(cuts []cut) []cut {
	out := cuts[:0]
	for _, c := range cuts {
		if len(out) == 0 || out[len(out)-1].class != c.class {
			out = append(out, c)
		}
	}
	return out
}

// pattern lays the automaton out as the table that travels.
func (a *automaton) pattern(src string) (*ir.Pattern, error) {
	switch {
	case len(a.next) == 0:
		return nil, fail(MatchesNothing, "", "no text matches the pattern")
	case len(a.next) > MaxStates:
		return nil, fail(TooManyStates, "", "the pattern needs %d states, more than %d", len(a.next), MaxStates)
	case a.width > MaxClasses:
		return nil, fail(TooManyClasses, "", "the pattern tells %d classes of code points apart, more than %d", a.width, MaxClasses)
	}
	p := &ir.Pattern{Source: src, Classes: a.width, Accept: a.accept}
	for i, c := range a.cuts {
		hi := rune(maxCodePoint)
		if i+1 < len(a.cuts) {
			hi = a.cuts[i+1].lo - 1
		}
		for r := c.lo; r <= hi && r < asciiCodes; r++ {
			p.ASCII[r] = uint8(c.class)
		}
		if hi >= asciiCodes && c.class != 0 {
			p.Ranges = append(p.Ranges, ir.RuneRange{Lo: max(c.lo, asciiCodes), Hi: hi, Class: uint8(c.class)})
		}
	}
	for _, row := range a.next {
		for _, next := range row {
			if next == noState {
				p.Next = append(p.Next, ir.Dead)
			} else {
				p.Next = append(p.Next, uint16(next))
			}
		}
	}
	return p, nil
}
