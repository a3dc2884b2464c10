package pattern

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// automaton is complete over its classes, apart from noState: nothing matches
// from there on.
type automaton struct {
	cuts   []cut   // of the code space, ascending, without gaps
	width  int     // classes
	next   [][]int // by state, then by class
	accept []bool  // by state; state 0 is the start
}

// cut is the code points lo.. up to the next cut; all have one class.
type cut struct {
	lo    rune
	class int
}

// determinise is the subset construction over classes of code points: two code
// points that every instruction treats alike have one class.
func determinise(prog *syntax.Prog) (*automaton, error) {
	alphabet, matches := classify(prog)
	b := &subsets{
		prog:  prog,
		index: map[string]int{},
		mark:  make([]int, len(prog.Inst)),
	}
	b.begin()
	b.follow(uint32(prog.Start))
	b.intern()

	a := &automaton{cuts: alphabet, width: width(alphabet)}
	for state := 0; state < len(b.sets); state++ {
		row := make([]int, a.width)
		accept := false
		for class := range row {
			b.begin()
			for _, pc := range b.sets[state] {
				inst := &prog.Inst[pc]
				if inst.Op == syntax.InstMatch {
					accept = true
					continue
				}
				if matches[pc][class] {
					b.follow(inst.Out)
				}
			}
			row[class] = b.intern()
			if b.work > maxWork || len(b.sets) > maxSubsets {
				return nil, fail(TooManyStates, "", "the pattern needs more than %d states", MaxStates)
			}
		}
		a.next = append(a.next, row)
		a.accept = append(a.accept, accept)
	}
	return a, nil
}

// subsets numbers the sets of instructions that have been reached.
type subsets struct {
	prog  *syntax.Prog
	sets  [][]uint32 // by state: instructions that read or match, ascending
	index map[string]int
	work  int

	now   []uint32 // the set being built
	mark  []int    // by instruction: the round in which it was last met
	round int
	stack []uint32
}

func (b *subsets) begin() {
	b.now = b.now[:0]
	b.round++
}

// follow adds everything that is reached from pc without reading.
func (b *subsets) follow(pc uint32) {
	b.stack = append(b.stack[:0], pc)
	for len(b.stack) > 0 {
		pc := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		b.work++
		if b.mark[pc] == b.round {
			continue
		}
		b.mark[pc] = b.round
		switch inst := &b.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			b.stack = append(b.stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			b.stack = append(b.stack, inst.Out)
		case syntax.InstFail:
		case syntax.InstEmptyWidth:
			panic("pattern: an assertion was left in the program")
		default:
			b.now = append(b.now, pc)
		}
	}
}

// intern gives the number of the set that was built, noState for the empty one
// unless it is the start.
func (b *subsets) intern() int {
	if len(b.now) == 0 && len(b.sets) > 0 {
		return noState
	}
	slices.Sort(b.now)
	key := make([]byte, 0, 4*len(b.now))
	for _, pc := range b.now {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	b.work += len(b.now)
	if state, ok := b.index[string(key)]; ok {
		return state
	}
	state := len(b.sets)
	b.index[string(key)] = state
	b.sets = append(b.sets, slices.Clone(b.now))
	return state
}

// classify cuts the code space wherever an instruction starts or stops matching
// and gives cuts with the same answers one class. matches is by instruction, then
// by class; it is nil for an instruction that reads nothing.
func classify(prog *syntax.Prog) ([]cut, [][]bool) {
	var readers []int // distinct instructions that read
	same := make([]int, len(prog.Inst))
	seen := map[string]int{}
	starts := []rune{0}
	for pc := range prog.Inst {
		inst := &prog.Inst[pc]
		same[pc] = noState
		switch inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		default:
			continue
		}
		ranges := runes(inst)
		key := string(ranges)
		if _, ok := seen[key]; !ok {
			seen[key] = len(readers)
			readers = append(readers, pc)
			for i := 0; i < len(ranges); i += 2 {
				starts = append(starts, ranges[i])
				if ranges[i+1] < maxCodePoint {
					starts = append(starts, ranges[i+1]+1)
				}
			}
		}
		same[pc] = seen[key]
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)

	var cuts []cut
	var answers [][]bool // by class, then by reader
	classes := map[string]int{}
	signature := make([]byte, len(readers))
	for _, lo := range starts {
		answer := make([]bool, len(readers))
		for i, pc := range readers {
			answer[i] = prog.Inst[pc].MatchRune(lo)
			signature[i] = '0'
			if answer[i] {
				signature[i] = '1'
			}
		}
		class, ok := classes[string(signature)]
		if !ok {
			class = len(answers)
			classes[string(signature)] = class
			answers = append(answers, answer)
		}
		cuts = append(cuts, cut{lo, class})
	}

	matches := make([][]bool, len(prog.Inst))
	byReader := make([][]bool, len(readers))
	for i := range readers {
		byReader[i] = make([]bool, len(answers))
		for class := range answers {
			byReader[i][class] = answers[class][i]
		}
	}
	for pc, reader := range same {
		if reader != noState {
			matches[pc] = byReader[reader]
		}
	}
	return cuts, matches
}

// runes gives what an instruction matches as pairs of inclusive bounds.
func runes(inst *syntax.Inst) []rune {
	switch inst.Op {
	case syntax.InstRuneAny:
		return []rune{0, maxCodePoint}
	case syntax.InstRuneAnyNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, maxCodePoint}
	}
	if len(inst.Rune) != 1 {
		return inst.Rune
	}
	// One code point, and with folding everything that folds to it.
	r := inst.Rune[0]
	pairs := []rune{r, r}
	if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
		for f := fold(r); f != r; f = fold(f) {
			pairs = append(pairs, f, f)
		}
	}
	return pairs
}

func width(cuts []cut) int {
	n := 0
	for _, c := range cuts {
		n = max(n, c.class+1)
	}
	return n
}
