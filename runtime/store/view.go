package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// view is what readers see: the state after the last commit that reached the
// disk. The engine itself shows a batch as soon as it is in memory, while its
// sync still runs; a reader who acted on that could act on something that a
// crash then takes back.
type view struct {
	mu      sync.Mutex
	free    sync.Cond
	current *shared
	readers int
	closed  bool
}

// shared is a snapshot with a count of those who hold it; the view is one.
type shared struct {
	at   *pebble.Snapshot
	refs int
}

// set makes a newer snapshot the current one.
func (v *view) set(at *pebble.Snapshot) {
	v.mu.Lock()
	old := v.current
	v.current = &shared{at: at, refs: 1}
	done := old.drop()
	v.mu.Unlock()
	closeSnapshot(done)
}

// drop gives up one hold, and returns the snapshot if it was the last. The
// view's lock is held.
func (s *shared) drop() *pebble.Snapshot {
	if s == nil {
		return nil
	}
	if s.refs--; s.refs == 0 {
		return s.at
	}
	return nil
}

func closeSnapshot(at *pebble.Snapshot) {
	if at != nil {
		_ = at.Close() // it only ever returns nil
	}
}

func (v *view) acquire() (*shared, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil, ErrClosed
	}
	v.current.refs++
	v.readers++
	return v.current, nil
}

func (v *view) release(s *shared) {
	v.mu.Lock()
	done := s.drop()
	v.mu.Unlock()
	closeSnapshot(done)
	v.mu.Lock()
	if v.readers--; v.readers == 0 && v.free.L != nil {
		v.free.Broadcast()
	}
	v.mu.Unlock()
}

// close turns new readers away and waits for the ones that are there.
func (v *view) close() {
	v.mu.Lock()
	v.closed = true
	v.free.L = &v.mu
	for v.readers > 0 {
		v.free.Wait()
	}
	done := v.current.drop()
	v.mu.Unlock()
	closeSnapshot(done)
}

// Get returns the value of key, and whether there is one.
func (s *Pebble) Get(ctx context.Context, key []byte) ([]byte, bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if err := checkKey(key); err != nil {
		return nil, false, err
	}
	at, err := s.view.acquire()
	if err != nil {
		return nil, false, err
	}
	defer s.view.release(at)
	v, closer, err := at.at.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read key %q: %w", key, engineErr(key, err))
	}
	v = bytes.Clone(v)
	if err := closer.Close(); err != nil {
		return nil, false, fmt.Errorf("read key %q: %w", key, engineErr(key, err))
	}
	return v, true, nil
}

// Scan reads a range as it was when the iteration began.
func (s *Pebble) Scan(ctx context.Context, r Range) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		if err := s.scan(ctx, r, func(it Item) bool { return yield(it, nil) }); err != nil {
			yield(Item{}, err)
		}
	}
}

// scan calls yield for each item until it says no. It returns an error only if
// yield never did.
func (s *Pebble) scan(ctx context.Context, r Range, yield func(Item) bool) (err error) {
	lower, upper := r.bounds()
	if upper != nil && bytes.Compare(lower, upper) >= 0 {
		return nil
	}
	at, err := s.view.acquire()
	if err != nil {
		return err
	}
	defer s.view.release(at)
	it, err := at.at.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return fmt.Errorf("scan prefix %q: %w", r.Prefix, engineErr(nil, err))
	}
	stopped := false
	var last []byte
	defer func() {
		cerr := it.Close() // reports what the iteration ran into
		if err == nil && cerr != nil && !stopped {
			err = fmt.Errorf("scan prefix %q after key %q: %w", r.Prefix, last, engineErr(nil, cerr))
		}
	}()
	first, next := it.First, it.Next
	if r.Reverse {
		first, next = it.Last, it.Prev
	}
	for ok := first(); ok; ok = next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, verr := it.ValueAndErr()
		if verr != nil {
			return fmt.Errorf("read key %q: %w", it.Key(), engineErr(bytes.Clone(it.Key()), verr))
		}
		last = bytes.Clone(it.Key())
		if !yield(Item{Key: last, Value: bytes.Clone(v)}) {
			stopped = true
			return nil
		}
	}
	return nil
}
