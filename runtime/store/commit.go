package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

const (
	// maxWaiting bounds what waits for the committer. Beyond it a batch is refused:
	// a disk that does not answer must not become memory that grows.
	maxWaiting = 4096
	// maxGroup bounds the bytes of one commit.
	maxGroup = 2 * MaxBatch
)

// queue holds the batches that wait, in the order of Submit.
type queue struct {
	mu      sync.Mutex
	wake    sync.Cond
	waiting []request
	closed  bool
}

type request struct {
	batch   *Batch
	pending *Pending
}

func (q *queue) init() { q.wake.L = &q.mu }

func (q *queue) add(r request) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return ErrClosed
	case len(q.waiting) >= maxWaiting:
		return ErrBusy
	}
	q.waiting = append(q.waiting, r)
	if len(q.waiting) == 1 {
		q.wake.Signal()
	}
	return nil
}

// take waits for batches and returns the first ones, in order; none after close.
// It hands back spare, emptied, as the room for new ones.
func (q *queue) take(spare []request) []request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.wake.Wait()
	}
	out := q.waiting
	q.waiting = spare[:0]
	return out
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake.Signal()
}

// Submit hands a batch to the committer and returns at once. Batches are decided
// in the order of Submit.
func (s *Pebble) Submit(b *Batch) *Pending {
	if err := b.Check(); err != nil {
		return Resolved(err)
	}
	p := NewPending()
	if err := s.queue.add(request{b, p}); err != nil {
		return Resolved(err)
	}
	return p
}

// Apply submits a batch and waits for its answer.
func (s *Pebble) Apply(ctx context.Context, b *Batch) error { return s.Submit(b).Wait(ctx) }

// Settle returns when everything that was submitted before it is decided. It is
// an empty batch, which passes through the committer like any other.
func (s *Pebble) Settle(ctx context.Context) error { return s.Apply(ctx, &Batch{}) }

// run is the committer: the only goroutine that writes. While one commit waits
// for the disk, the next ones gather, and go together.
func (s *Pebble) run() {
	var g group
	var spare []request
	for {
		requests := s.queue.take(spare)
		if len(requests) == 0 {
			return // closed
		}
		for rest := requests; len(rest) > 0; {
			n := g.gather(s, rest)
			ok := g.commit(s)
			if rest = rest[n:]; !ok {
				s.abandon(rest)
				return
			}
		}
		clear(requests)
		spare = requests
	}
}

// abandon answers all that waits, after a commit whose outcome nobody knows:
// what would come after it has nothing to stand on.
func (s *Pebble) abandon(rest []request) {
	s.queue.close()
	for len(rest) > 0 {
		for _, r := range rest {
			if r.pending.Take() {
				r.pending.Resolve(ErrClosed)
			}
		}
		rest = s.queue.take(nil)
	}
}

// group is what goes to the disk in one commit.
type group struct {
	taken []*Pending
	// errs answers each of them: nil for those that are written.
	errs []error
	// known holds the state of every key that a condition of the group asks for: as
	// it is on disk, and then as the batches before it in the group leave it.
	known  map[string]cell
	writes *pebble.Batch
	count  int // batches with changes
	size   int
	// spoilt: writes holds half a batch, so none of it may be committed.
	spoilt error
}

type cell struct {
	value []byte
	found bool
	read  bool
}

// gather takes requests into the group, as many as fit, and decides each of them.
// It returns how many it took.
func (g *group) gather(s *Pebble, requests []request) int {
	g.reset()
	n := 0
	for _, r := range requests {
		if size := r.batch.size(); n > 0 && g.size+size > maxGroup {
			break
		} else {
			g.size += size
		}
		n++
	}
	for _, r := range requests[:n] {
		for _, c := range r.batch.If {
			g.known[string(c.Key)] = cell{}
		}
	}
	g.writes = s.db.NewBatch()
	for _, r := range requests[:n] {
		if !r.pending.Take() {
			continue // withdrawn
		}
		g.taken = append(g.taken, r.pending)
		g.errs = append(g.errs, g.decide(s, r.batch))
	}
	return n
}

func (g *group) reset() {
	g.taken, g.errs, g.count, g.size, g.spoilt = g.taken[:0], g.errs[:0], 0, 0, nil
	if g.known == nil {
		g.known = map[string]cell{}
	}
	clear(g.known)
}

func (g *group) decide(s *Pebble, b *Batch) error {
	for _, c := range b.If {
		at, err := g.state(s, c.Key)
		if err != nil {
			return err
		}
		if err := c.holds(at.value, at.found); err != nil {
			s.counts.refused.Add(1)
			return err
		}
	}
	for _, c := range b.Do {
		var err error
		if c.Delete {
			err = g.writes.Delete(c.Key, nil)
		} else {
			err = g.writes.Set(c.Key, c.Value, nil)
		}
		if err != nil {
			g.spoilt = fmt.Errorf("set key %q: %w", c.Key, err)
			return g.spoilt
		}
		if _, asked := g.known[string(c.Key)]; asked {
			g.known[string(c.Key)] = cell{value: c.Value, found: !c.Delete, read: true}
		}
	}
	if len(b.Do) > 0 {
		g.count++
	}
	return nil
}

func (g *group) state(s *Pebble, key []byte) (cell, error) {
	at := g.known[string(key)]
	if at.read {
		return at, nil
	}
	v, closer, err := s.db.Get(key)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		at = cell{read: true}
	case err != nil:
		return cell{}, fmt.Errorf("read key %q: %w", key, engineErr(key, err))
	default:
		at = cell{value: bytes.Clone(v), found: true, read: true}
		if err := closer.Close(); err != nil {
			return cell{}, fmt.Errorf("read key %q: %w", key, engineErr(key, err))
		}
	}
	g.known[string(key)] = at
	return at, nil
}

// commit writes the group, synced, lets readers see it, and answers. Refusals
// are answered after the commit as well: they may rest on it. It is false when
// the store cannot go on.
func (g *group) commit(s *Pebble) bool {
	var failed error
	if g.spoilt != nil {
		failed = fmt.Errorf("nothing was written: %w", g.spoilt)
	} else if g.count > 0 {
		s.commits++
		err := g.writes.Set(commitsKey, binary.BigEndian.AppendUint64(nil, s.commits), nil)
		if err == nil {
			err = g.writes.Commit(pebble.Sync)
		}
		if err == nil {
			err = s.anchor.set(s.commits)
		}
		if err != nil {
			// The engine ends the process rather than return an error of its log. After
			// any other one (the anchor cannot be written) the group may be on disk, and
			// must not be acknowledged.
			failed = &UnknownError{Err: engineErr(nil, err)}
		} else {
			s.view.set(s.db.NewSnapshot())
			s.counts.commits.Add(1)
			s.counts.batches.Add(uint64(g.count))
		}
	}
	_ = g.writes.Close() // gives its memory back; it was committed, or is empty
	for i, p := range g.taken {
		if failed != nil {
			p.Resolve(failed)
		} else {
			p.Resolve(g.errs[i])
		}
	}
	clear(g.taken)
	clear(g.errs)
	return failed == nil
}

func (b *Batch) size() int {
	n := 0
	for _, c := range b.Do {
		n += len(c.Key) + len(c.Value)
	}
	return n
}

type counts struct{ batches, commits, refused atomic.Uint64 }

func (c *counts) stats() Stats {
	return Stats{Batches: c.batches.Load(), Commits: c.commits.Load(), Refused: c.refused.Load()}
}
