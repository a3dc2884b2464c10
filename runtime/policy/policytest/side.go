package policytest

import (
	"slices"
	"testing"
	"time"
)

// Side is one of several ways to do the same thing.
type Side struct {
	Name string
	Do   func() // one batch of n operations
}

// SideBySide times the sides in turns, a batch at a time, and reports for each the
// median batch in ns/op, and the others' ratio to the first. Batches are short and
// the sides take turns, so what else the machine does falls on all of them alike:
// two series one after the other differ by more than what is to be told apart.
func SideBySide(b *testing.B, n int, sides ...Side) {
	times := make([][]float64, len(sides))
	for b.Loop() {
		for i := range sides {
			start := time.Now()
			sides[i].Do()
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/float64(n))
		}
	}
	b.ReportMetric(0, "ns/op") // of a round of all sides: says nothing
	first := 0.0
	for i := range sides {
		slices.Sort(times[i])
		median := times[i][len(times[i])/2]
		b.ReportMetric(median, sides[i].Name+"-ns/op")
		if i == 0 {
			first = median
		} else {
			b.ReportMetric(median/first, sides[i].Name+"/"+sides[0].Name)
		}
	}
}
