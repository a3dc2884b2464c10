package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// engine is what both stores offer.
type engine interface {
	Submit(b *Batch) *Pending
	Apply(ctx context.Context, b *Batch) error
	Settle(ctx context.Context) error
	Get(ctx context.Context, key []byte) ([]byte, bool, error)
	Scan(ctx context.Context, r Range) iter.Seq2[Item, error]
	Stats() Stats
	Close() error
}

// engines runs a test on every engine.
func engines(t *testing.T, test func(t *testing.T, s engine)) {
	t.Run("memory", func(t *testing.T) {
		s := NewMemory()
		defer mustClose(t, s)
		test(t, s)
	})
	t.Run("pebble", func(t *testing.T) {
		s, err := Open(t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer mustClose(t, s)
		test(t, s)
	})
}

func mustClose(t *testing.T, s engine) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func put(key, value string) *Batch {
	b := &Batch{}
	b.Put([]byte(key), []byte(value))
	return b
}

func apply(t *testing.T, s engine, b *Batch) {
	t.Helper()
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

func scan(t interface {
	Fatal(...any)
	Context() context.Context
}, s engine, r Range) []string {
	out := []string{}
	for it, err := range s.Scan(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(it.Key)+"="+string(it.Value))
	}
	return out
}

func TestScanRanges(t *testing.T) {
	engines(t, func(t *testing.T, s engine) {
		for _, k := range []string{"a", "ab", "ab\x00", "ab\xff", "ac", "b", "\xff", "\xff\xff"} {
			apply(t, s, put(k, "v"))
		}
		for _, tc := range []struct {
			name string
			r    Range
			want []string
		}{
			{"all", Range{}, []string{"a=v", "ab=v", "ab\x00=v", "ab\xff=v", "ac=v", "b=v", "\xff=v", "\xff\xff=v"}},
			{"prefix", Range{Prefix: []byte("ab")}, []string{"ab=v", "ab\x00=v", "ab\xff=v"}},
			{"prefix from", Range{Prefix: []byte("a"), From: []byte("ab\x01")}, []string{"ab\xff=v", "ac=v"}},
			{"from before prefix", Range{Prefix: []byte("b"), From: []byte("a")}, []string{"b=v"}},
			{"from after prefix", Range{Prefix: []byte("a"), From: []byte("b")}, []string{}},
			{"reverse", Range{Prefix: []byte("ab"), Reverse: true}, []string{"ab\xff=v", "ab\x00=v", "ab=v"}},
			{"reverse from", Range{Prefix: []byte("a"), From: []byte("ab"), Reverse: true}, []string{"ab=v", "a=v"}},
			{"reverse from before prefix", Range{Prefix: []byte("b"), From: []byte("a"), Reverse: true}, []string{}},
			{"highest", Range{Prefix: []byte("\xff")}, []string{"\xff=v", "\xff\xff=v"}},
			{"kept for the store", Range{Prefix: []byte{0}}, []string{}},
		} {
			if diff := cmp.Diff(tc.want, scan(t, s, tc.r)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.name, diff)
			}
		}
	})
}

func TestConditions(t *testing.T) {
	engines(t, func(t *testing.T, s engine) {
		at := func(n uint64, v string) []byte { return Versioned(n, []byte(v)) }
		setup := &Batch{}
		setup.Put([]byte("k"), at(3, "three"))
		setup.Put([]byte("raw"), []byte("short"))
		apply(t, s, setup)

		for _, tc := range []struct {
			name string
			cond Condition
			want error
		}{
			{"absent holds", Condition{Key: []byte("none")}, nil},
			{"absent fails", Condition{Key: []byte("k")}, &ConflictError{Key: []byte("k"), Found: 3, Present: true}},
			{"version holds", Condition{Key: []byte("k"), Version: 3}, nil},
			{"version fails", Condition{Key: []byte("k"), Version: 2}, &ConflictError{Key: []byte("k"), Want: 2, Found: 3, Present: true}},
			{"version of nothing", Condition{Key: []byte("none"), Version: 1}, &ConflictError{Key: []byte("none"), Want: 1}},
		} {
			b := put("probe", tc.name)
			b.If = []Condition{tc.cond}
			err := s.Apply(t.Context(), b)
			if diff := cmp.Diff(fmt.Sprint(tc.want), fmt.Sprint(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.name, diff)
			}
			v, _, _ := s.Get(t.Context(), []byte("probe"))
			if written := string(v) == tc.name; written != (tc.want == nil) {
				t.Errorf("%s: written is %v", tc.name, written)
			}
		}

		b := put("probe", "raw")
		b.IfVersion([]byte("raw"), 1)
		if corrupt := (*CorruptError)(nil); !errors.As(s.Apply(t.Context(), b), &corrupt) {
			t.Error("a value without a version is not reported as corrupt")
		}
	})
}

func TestBatchesThatAreRefused(t *testing.T) {
	long := bytes.Repeat([]byte("k"), MaxKey+1)
	guarded := func(from, to uint64) *Batch {
		b := &Batch{}
		b.IfVersion([]byte("k"), from)
		b.Put([]byte("k"), Versioned(to, nil))
		return b
	}
	many := &Batch{}
	for i := range MaxChanges + 1 {
		many.Put(fmt.Appendf(nil, "k%d", i), nil)
	}
	twice := put("k", "a")
	twice.Put([]byte("k"), []byte("b"))
	manyTwice := &Batch{}
	for i := range 100 {
		manyTwice.Put(fmt.Appendf(nil, "k%d", i%99), nil)
	}
	engines(t, func(t *testing.T, s engine) {
		for name, b := range map[string]*Batch{
			"empty key":          put("", "v"),
			"kept for the store": put("\x00f", "prov store 2"),
			"long key":           put(string(long), "v"),
			"long value":         put("k", string(make([]byte, MaxValue+1))),
			"long batch": {Do: []Change{{Key: []byte("a"), Value: make([]byte, MaxValue)},
				{Key: []byte("b"), Value: make([]byte, MaxValue)}}},
			"many changes":         many,
			"twice":                twice,
			"twice among many":     manyTwice,
			"version goes back":    guarded(4, 3),
			"version stands still": guarded(4, 4),
		} {
			if err := s.Apply(t.Context(), b); err == nil {
				t.Errorf("%s: accepted", name)
			}
		}
		if got := scan(t, s, Range{}); len(got) != 0 {
			t.Errorf("written: %q", got)
		}
	})
}

// Many goroutines count the same key up. If two of them ever got past the same
// version, the last version would be below the number of successes.
func TestRacingWritersNeverShareAVersion(t *testing.T) {
	engines(t, func(t *testing.T, s engine) {
		var won, lost int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 50 {
					v, _, err := s.Get(t.Context(), []byte("n"))
					if err != nil {
						t.Error(err)
						return
					}
					n, _, _ := Version(v)
					b := &Batch{}
					b.IfVersion([]byte("n"), n)
					b.Put([]byte("n"), Versioned(n+1, nil))
					err = s.Apply(t.Context(), b)
					mu.Lock()
					if conflict := (*ConflictError)(nil); err == nil {
						won++
					} else if errors.As(err, &conflict) {
						lost++
					} else {
						t.Error(err)
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		v, _, _ := s.Get(t.Context(), []byte("n"))
		if n, _, _ := Version(v); n != uint64(won) || won+lost != 400 {
			t.Errorf("version %d after %d won and %d lost", n, won, lost)
		}
		if got := s.Stats(); got.Batches != uint64(won) || got.Refused != uint64(lost) || got.Commits > got.Batches {
			t.Errorf("stats %+v after %d won and %d lost", got, won, lost)
		}
	})
}

func TestClosed(t *testing.T) {
	engines(t, func(t *testing.T, s engine) {
		apply(t, s, put("k", "v"))
		mustClose(t, s)
		_, _, gerr := s.Get(t.Context(), []byte("k"))
		var serr error
		for _, err := range s.Scan(t.Context(), Range{}) {
			serr = err
		}
		for _, err := range []error{gerr, serr, s.Apply(t.Context(), put("k", "v")), s.Settle(t.Context())} {
			if _, mem := s.(*Memory); mem && err == nil {
				continue // settling a store in memory never waits
			}
			if !errors.Is(err, ErrClosed) {
				t.Errorf("closed store answers %v", err)
			}
		}
	})
}

// TestAgainstAMap drives an engine with random batches and holds it against the
// simplest thing that could be right.
func TestAgainstAMap(t *testing.T) {
	engines(t, func(t *testing.T, s engine) {
		rapid.Check(t, func(rt *rapid.T) {
			clear := &Batch{}
			for it, err := range s.Scan(rt.Context(), Range{}) {
				if err != nil {
					rt.Fatal(err)
				}
				clear.Delete(it.Key)
			}
			if err := s.Apply(rt.Context(), clear); err != nil {
				rt.Fatal(err)
			}
			model := map[string]string{}
			for range rapid.IntRange(1, 12).Draw(rt, "batches") {
				drawBatches(rt, s, model)
			}
			want := []string{}
			for _, k := range sorted(model) {
				want = append(want, k+"="+model[k])
			}
			if diff := cmp.Diff(want, scan(rt, s, Range{})); diff != "" {
				rt.Fatalf("(-want +got):\n%s", diff)
			}
		})
	})
}

// drawBatches submits a few batches at once, so that they share a commit where
// the engine groups, and waits for all of them.
func drawBatches(rt *rapid.T, s engine, model map[string]string) {
	key := rapid.SampledFrom([]string{"a", "b", "c", "d", "ab", "a\xff"})
	type sent struct {
		pending *Pending
		want    bool
	}
	var all []sent
	for range rapid.IntRange(1, 4).Draw(rt, "together") {
		b, holds := &Batch{}, true
		guards := map[string]uint64{}
		for range rapid.IntRange(0, 2).Draw(rt, "conditions") {
			k := key.Draw(rt, "key")
			n := rapid.Uint64Range(0, 3).Draw(rt, "version")
			if _, dup := guards[k]; dup {
				continue
			}
			guards[k] = n
			b.IfVersion([]byte(k), n)
			now, _, _ := Version([]byte(model[k]))
			holds = holds && now == n
		}
		changes := map[string]string{}
		for range rapid.IntRange(0, 3).Draw(rt, "changes") {
			k := key.Draw(rt, "key")
			if _, dup := changes[k]; dup {
				continue
			}
			if rapid.Bool().Draw(rt, "delete") {
				b.Delete([]byte(k))
				changes[k] = ""
				continue
			}
			n := guards[k] + rapid.Uint64Range(1, 2).Draw(rt, "step")
			v := Versioned(n, []byte(rapid.StringN(0, 4, -1).Draw(rt, "value")))
			b.Put([]byte(k), v)
			changes[k] = string(v)
		}
		if holds {
			for k, v := range changes {
				if model[k] = v; v == "" {
					delete(model, k)
				}
			}
		}
		all = append(all, sent{s.Submit(b), holds})
	}
	for i, b := range all {
		err := b.pending.Wait(rt.Context())
		conflict := (*ConflictError)(nil)
		if b.want != (err == nil) || err != nil && !errors.As(err, &conflict) {
			rt.Fatalf("batch %d: %v; conditions hold: %v", i, err, b.want)
		}
	}
}
