package store_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/store"
)

// BenchmarkDurableStep commits steps from several runs at once: a decision, its
// exhibit, the intent, the idempotency record, the indexes and the head, in one
// synced commit each. "bare" writes the same bytes to the bare engine with its
// default options, one synced commit a goroutine: what a program would do that
// knows nothing of ledgers.
func BenchmarkDurableStep(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("by=bare/writers=%d", writers), func(b *testing.B) { benchBare(b, writers) })
		b.Run(fmt.Sprintf("by=prov/writers=%d", writers), func(b *testing.B) { benchProv(b, writers) })
	}
}

func benchProv(b *testing.B, writers int) {
	s, err := store.Open(b.TempDir(), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	}()
	l, err := ledger.Open(b.Context(), s, entropy())
	if err != nil {
		b.Fatal(err)
	}
	runs := make([]*ledger.Run, writers)
	for i := range runs {
		runs[i] = startRun(b, l)
	}
	start := s.Stats()
	concurrently(b, writers, func(w, n int) error {
		_, err := runs[w].Append(b.Context(), step(n)...)
		return err
	})
	done := s.Stats()
	if got := done.Batches - start.Batches; got != uint64(b.N) {
		b.Errorf("%d batches for %d steps", got, b.N)
	}
	b.ReportMetric(float64(b.N)/float64(done.Commits-start.Commits), "steps/commit")
}

// concurrently does b.N things in all from a number of goroutines.
func concurrently(b *testing.B, writers int, do func(w, n int) error) {
	b.Helper()
	b.ReportAllocs()
	b.ResetTimer()
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := n.Add(1); i <= int64(b.N); i = n.Add(1) {
				if err := do(w, int(i)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}

// listener notes the batch of one step.
type listener struct {
	*store.Memory
	last *store.Batch
}

func (l *listener) Submit(b *store.Batch) *store.Pending {
	l.last = b
	return l.Memory.Submit(b)
}

func benchBare(b *testing.B, writers int) {
	heard := &listener{Memory: store.NewMemory()}
	l, err := ledger.Open(b.Context(), heard, entropy())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := startRun(b, l).Append(b.Context(), step(100_000)...); err != nil {
		b.Fatal(err)
	}
	changes := heard.last.Do

	db, err := pebble.Open(b.TempDir(), &pebble.Options{Logger: quiet{}})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	}()
	concurrently(b, writers, func(_, n int) error {
		batch := db.NewBatch()
		for _, c := range changes {
			key := c.Key
			if len(key) > 8 { // all but the head: every step has keys of its own
				key = bytes.Clone(key)
				binary.BigEndian.PutUint64(key[1:], uint64(n))
			}
			if err := batch.Set(key, c.Value, nil); err != nil {
				return err
			}
		}
		return batch.Commit(pebble.Sync)
	})
}
