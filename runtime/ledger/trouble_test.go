package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/provlang/prov/runtime/store"
)

// Many runs append at once over the engine on disk, and now and then one of
// their appends is refused, which takes the numbers from all that were handed
// over behind it. The ledger must come out contiguous, with exactly what was
// acknowledged.
func TestManyAppendersShareCommits(t *testing.T) {
	const runs, steps = 8, 25
	s, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := open(t, s)
	acked := make([][]uint64, runs)
	var wg sync.WaitGroup
	for i := range runs {
		wg.Go(func() {
			r := start(t, l, fmt.Sprint("tenant-", i%3))
			for n := 1; n <= steps; n++ {
				first, err := r.Append(t.Context(), step(n, (&Mark{Key: fmt.Sprint(n)}).To(MarkBegun))...)
				if err != nil {
					t.Error(err)
					return
				}
				acked[i] = append(acked[i], first)
				if n%5 == 0 {
					_, err := r.Append(t.Context(), step(n, (&Mark{Key: fmt.Sprint(n)}).To(MarkBegun))...)
					if !errors.As(err, new(*store.ConflictError)) {
						t.Errorf("beginning twice: %v, want a conflict", err)
					}
				}
			}
		})
	}
	wg.Wait()
	check := func(l *Ledger) {
		lines := collect(t, l.WholeStore(t.Context(), 0)) // refuses a gap
		if want := runs + 2*runs*steps; len(lines) != want {
			t.Fatalf("%d entries, want %d", len(lines), want)
		}
		for _, firsts := range acked {
			for n, first := range firsts {
				if e := lines[first-1].Entry; e.Kind != KindDecision || e.Step != n+1 {
					t.Fatalf("entry %d is a %s of step %d, acknowledged was the decision of step %d", first, e.Kind, e.Step, n+1)
				}
			}
		}
	}
	check(l)
	if st := s.Stats(); st.Commits >= st.Batches {
		t.Errorf("%d commits for %d batches: appends that wait together do not share a commit", st.Commits, st.Batches)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(s.Dir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(open(t, again))
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// slow is a store that keeps what is submitted until it is told what to do.
type slow struct {
	*store.Memory
	hold bool
	held []func(write bool)
}

func (s *slow) Submit(b *store.Batch) *store.Pending {
	if !s.hold {
		return s.Memory.Submit(b)
	}
	p := store.NewPending()
	p.Take()
	s.held = append(s.held, func(write bool) {
		if write {
			p.Resolve(s.Memory.Apply(context.Background(), b))
		}
	})
	return p
}

func TestAnUnknownOutcomeIsSettledByReading(t *testing.T) {
	for _, written := range []bool{true, false} {
		s := &slow{Memory: store.NewMemory()}
		l := open(t, s)
		r := start(t, l, "acme")
		gone, cancel := context.WithCancel(t.Context())
		cancel()

		s.hold = true
		_, err := r.Append(gone, step(1, (&Mark{Key: "k"}).To(MarkBegun))...)
		unknown := (*UnknownError)(nil)
		if !errors.As(err, &unknown) || !errors.As(err, new(*store.UnknownError)) || unknown.First != 2 {
			t.Fatalf("append without an answer: %v, want unknown of entry 2", err)
		}
		s.hold = false
		s.held[0](written)
		got, err := l.Settle(t.Context(), unknown)
		if got != written || err != nil {
			t.Errorf("settled as %v, %v; want %v", got, err, written)
		}
		// Whatever came of it, the ledger goes on without a gap.
		want := uint64(2)
		if written {
			want = 4
		}
		if first, err := r.Append(t.Context(), step(2, (&Mark{Key: "k2"}).To(MarkBegun))...); first != want || err != nil {
			t.Errorf("append after it = %d, %v; want %d", first, err, want)
		}
		collect(t, l.WholeStore(t.Context(), 0))
	}
}

func shownJSON(t *testing.T, l *Ledger) string {
	t.Helper()
	var b strings.Builder
	if err := ShowJSON(&b, l.WholeStore(t.Context(), 0)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestErase(t *testing.T) {
	mem := store.NewMemory()
	l := open(t, mem)
	r, other := start(t, l, "acme"), start(t, l, "acme")
	for n := 1; n <= eraseAtOnce+3; n++ {
		for _, run := range []*Run{r, other} {
			if _, err := run.Append(t.Context(), step(n, (&Mark{Key: fmt.Sprint(n)}).To(MarkBegun))...); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := shownJSON(t, l)
	if err := l.Erase(t.Context(), "other", r.ID()); !errors.Is(err, ErrNoRun) {
		t.Errorf("erasing another tenant's run: %v, want ErrNoRun", err)
	}
	if err := l.Erase(t.Context(), "acme", r.ID()); err != nil {
		t.Fatal(err)
	}
	left := 0
	for item, err := range mem.Scan(t.Context(), store.Range{Prefix: []byte{spaceExhibit}}) {
		if err != nil {
			t.Fatal(err)
		}
		left++
		if item.Key[0] == spaceExhibit && string(item.Key[:len(exhibitPrefix("acme", r.ID()))]) == string(exhibitPrefix("acme", r.ID())) {
			t.Fatalf("key %q is still there", item.Key)
		}
	}
	if left != eraseAtOnce+3 {
		t.Errorf("%d exhibits of the other run, want %d", left, eraseAtOnce+3)
	}
	if shownJSON(t, l) != before {
		t.Error("erasing changed the ledger")
	}
	if _, err := l.Exhibit(t.Context(), "acme", r.ID(), 3); !errors.Is(err, ErrNoExhibit) {
		t.Errorf("exhibit of an erased run: %v, want ErrNoExhibit", err)
	}
	if _, err := l.Exhibit(t.Context(), "acme", other.ID(), 5); err != nil {
		t.Errorf("exhibit of the other run: %v", err)
	}
	if _, err := l.OpenRun(t.Context(), "acme", r.ID()); !errors.Is(err, ErrNoRun) {
		t.Errorf("opening an erased run: %v, want ErrNoRun", err)
	}
}

func TestOpenRefusesADamagedEnd(t *testing.T) {
	for _, tc := range []struct {
		name   string
		damage func(b *store.Batch)
	}{
		{"head behind", func(b *store.Batch) { b.Put(headKey, Head{Seq: 2, Runs: 1}.value()) }},
		{"head ahead", func(b *store.Batch) { b.Put(headKey, Head{Seq: 4, Runs: 1}.value()) }},
		{"head gone", func(b *store.Batch) { b.Delete(headKey) }},
		{"head cut", func(b *store.Batch) { b.Put(headKey, []byte{1, 2, 3}) }},
		{"last entry gone", func(b *store.Batch) { b.Delete(entryKey(3, "acme")) }},
		{"all entries gone", func(b *store.Batch) {
			for seq := range uint64(3) {
				b.Delete(entryKey(seq+1, "acme"))
			}
		}},
	} {
		mem := store.NewMemory()
		if _, err := start(t, open(t, mem), "acme").Append(t.Context(), step(1, (&Mark{Key: "k"}).To(MarkBegun))...); err != nil {
			t.Fatal(err)
		}
		apply(t, mem, tc.damage)
		if _, err := Open(t.Context(), mem, entropy()); !isCorrupt(err) {
			t.Errorf("%s: %v, want corrupt", tc.name, err)
		}
	}
}

func TestReadingNamesTheDamage(t *testing.T) {
	good, err := Encode(&samples()[2]) // says that it is entry 3
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		damage func(b *store.Batch)
	}{
		{"entry changed", func(b *store.Batch) { b.Put(entryKey(2, "acme"), append([]byte{' '}, good...)) }},
		{"entry of another place", func(b *store.Batch) { b.Put(entryKey(2, "acme"), good) }},
		{"entry missing", func(b *store.Batch) { b.Delete(entryKey(2, "acme")) }},
		{"entry under two tenants", func(b *store.Batch) { b.Put(entryKey(2, "acmf"), good) }},
	} {
		mem := store.NewMemory()
		l := open(t, mem)
		r := start(t, l, "acme")
		if _, err := r.Append(t.Context(), step(1, (&Mark{Key: "k"}).To(MarkBegun))...); err != nil {
			t.Fatal(err)
		}
		apply(t, mem, tc.damage)
		var last error
		for _, err := range l.WholeStore(t.Context(), 0) {
			last = err
		}
		corrupt := (*store.CorruptError)(nil)
		if !errors.As(last, &corrupt) || len(corrupt.Key) == 0 {
			t.Errorf("%s: %v, want corrupt with its key", tc.name, last)
		}
	}
}
