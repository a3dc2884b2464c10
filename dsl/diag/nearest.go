package diag

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate that got was most likely meant to be, and
// whether one is near enough to be worth a question. Nearness is the number of
// single-letter edits and swaps of two neighbours; two names that differ in
// case alone are nearest of all. Of equally near candidates the first in
// alphabetical order is taken, so that the answer does not depend on the order
// in which names were declared. A candidate equal to got is never an answer.
func Nearest(got string, candidates []string) (string, bool) {
	if got == "" {
		return "", false
	}
	limit := reach(utf8.RuneCountInString(got))
	best, bestDist := "", limit+1
	folded, foldedRunes := strings.ToLower(got), []rune(strings.ToLower(got))
	for _, c := range candidates {
		if c == got || c == "" {
			continue
		}
		var d int
		lower := strings.ToLower(c)
		if lower != folded {
			if n := utf8.RuneCountInString(lower) - len(foldedRunes); n > limit || -n > limit {
				continue
			}
			d = distance(foldedRunes, []rune(lower), limit)
		}
		if d < bestDist || d == bestDist && d <= limit && c < best {
			best, bestDist = c, d
		}
	}
	return best, bestDist <= limit
}

// reach is how many edits a name of n letters may be away. Short names are near
// to everything, so they are given little room.
func reach(n int) int {
	switch {
	case n <= 2:
		return 0
	case n <= 5:
		return 1
	case n <= 9:
		return 2
	}
	return 3
}

// distance counts insertions, deletions, replacements and swaps of neighbours
// (optimal string alignment). Any result above limit may come back as limit+1.
func distance(a, b []rune, limit int) int {
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		lowest := cur[0]
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(last[j]+1, cur[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
			lowest = min(lowest, cur[j])
		}
		// One swap may reach back two rows, so give up one row later than a
		// plain edit distance would.
		if lowest > limit+1 {
			return limit + 1
		}
		before, last, cur = last, cur, before
	}
	return last[len(b)]
}
