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
	p := newPartition(sink + 1)
	for state, accept := range a.accept {
		if accept {
			p.mark(state)
		}
	}
	p.split(func(int) {})

	type splitter struct{ block, class int }
	var queue []splitter
	waiting := map[splitter]bool{}
	wait := func(block, class int) {
		if s := (splitter{block, class}); !waiting[s] {
			waiting[s] = true
			queue = append(queue, s)
		}
	}
	before := a.predecessors(sink)
	for block := range p.first {
		for class := range a.width {
			wait(block, class)
		}
	}
	var into []int
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		waiting[s] = false
		// Marking moves members about, so the splitter is read to its end first.
		into = into[:0]
		for _, to := range p.members(s.block) {
			into = append(into, before[s.class].of(to)...)
		}
		for _, from := range into {
			p.mark(from)
		}
		p.split(func(fresh int) {
			// The fresh block is the smaller half. Where the old one still waits
			// both will be read; where it does not, the smaller is enough.
			for class := range a.width {
				wait(fresh, class)
			}
		})
	}
	return a.merge(p, sink)
}

// lists holds one list for each state, laid end to end.
type lists struct{ offset, items []int }

func (l *lists) of(i int) []int { return l.items[l.offset[i]:l.offset[i+1]] }

// predecessors gives, by class, the states from which a state is reached.
func (a *automaton) predecessors(sink int) []lists {
	out := make([]lists, a.width)
	for class := range out {
		step := func(from int) int {
			if from == sink || a.next[from][class] == noState {
				return sink
			}
			return a.next[from][class]
		}
		l := lists{make([]int, sink+2), make([]int, sink+1)}
		for from := range sink + 1 {
			l.offset[step(from)+1]++
		}
		for i := range sink + 1 {
			l.offset[i+1] += l.offset[i]
		}
		fill := make([]int, sink+1)
		for from := range sink + 1 {
			to := step(from)
			l.items[l.offset[to]+fill[to]] = from
			fill[to]++
		}
		out[class] = l
	}
	return out
}

// partition of 0..n-1 into blocks, each a stretch of items. Splitting costs as
// much as was marked and no more, which is what Hopcroft's bound rests on.
type partition struct {
	items   []int // elements, block by block
	place   []int // by element: index into items
	block   []int // by element
	first   []int // by block: its stretch of items is first..end-1
	end     []int
	marked  []int // by block: so many of its first items are marked
	touched []int // blocks with marked items, in order of meeting
}

func newPartition(n int) *partition {
	p := &partition{
		items: make([]int, n), place: make([]int, n), block: make([]int, n),
		first: []int{0}, end: []int{n}, marked: []int{0},
	}
	for i := range n {
		p.items[i], p.place[i] = i, i
	}
	return p
}

func (p *partition) members(block int) []int { return p.items[p.first[block]:p.end[block]] }

// mark moves an element among the marked ones of its block.
func (p *partition) mark(e int) {
	b := p.block[e]
	to := p.first[b] + p.marked[b]
	at := p.place[e]
	if at < to {
		return // marked already
	}
	if p.marked[b] == 0 {
		p.touched = append(p.touched, b)
	}
	other := p.items[to]
	p.items[at], p.items[to] = other, e
	p.place[other], p.place[e] = at, to
	p.marked[b]++
}

// split cuts every touched block into its marked and its other members and gives
// the smaller half a new number. Nothing is marked afterwards.
func (p *partition) split(made func(fresh int)) {
	for _, b := range p.touched {
		cut := p.first[b] + p.marked[b]
		p.marked[b] = 0
		if cut == p.end[b] {
			continue
		}
		fresh := len(p.first)
		lo, hi := p.first[b], cut
		if hi-lo <= p.end[b]-cut {
			p.first[b] = cut
		} else {
			lo, hi = cut, p.end[b]
			p.end[b] = cut
		}
		p.first = append(p.first, lo)
		p.end = append(p.end, hi)
		p.marked = append(p.marked, 0)
		for _, e := range p.items[lo:hi] {
			p.block[e] = fresh
		}
		made(fresh)
	}
	p.touched = p.touched[:0]
}

// merge builds the quotient: one state a block, none for the block of the sink.
// Classes with equal columns become one; class 0 is that of the last code point,
// which is where the rest of the code space falls in nearly every pattern, and
// the others are numbered by their first code point. States are numbered in
// breadth-first order from the start.
func (a *automaton) merge(p *partition, sink int) *automaton {
	dead := p.block[sink]
	// Any member speaks for its block. The dead block is never asked.
	to := func(b, class int) int {
		next := a.next[p.members(b)[0]][class]
		if next == noState || p.block[next] == dead {
			return noState
		}
		return p.block[next]
	}
	columns := map[string]int{}
	renumber := make([]int, a.width) // class -> merged class, in order of meeting
	for class := range a.width {
		var key []byte
		for b := range p.first {
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

	start := p.block[0]
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
		out.accept = append(out.accept, a.accept[p.members(b)[0]])
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
