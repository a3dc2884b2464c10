package ledger

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/provlang/prov/runtime/store"
)

// Store is what a ledger needs of the storage below it; package store states
// what the methods promise.
type Store interface {
	Get(ctx context.Context, key []byte) ([]byte, bool, error)
	Scan(ctx context.Context, r store.Range) iter.Seq2[store.Item, error]
	Submit(b *store.Batch) *store.Pending
	Settle(ctx context.Context) error
}

// maxAttempts bounds how often an append is numbered anew because another one
// took its number first.
const maxAttempts = 16

// commitTimeout bounds the wait for a commit where the caller set no bound: a
// full disk does not answer, and whoever waits must hear that nobody knows.
const commitTimeout = 30 * time.Second

// Head is the end of the ledger.
type Head struct {
	Seq  uint64 // of the last entry; 0: there is none
	Runs uint64 // how many runs were started
}

// Ledger appends to one store and reads from it. It is safe for concurrent use:
// appends are numbered under a lock, handed to the store in that order, and
// waited for outside of the lock, so that many of them share one synced commit.
// Several ledgers may stand over one store; the precondition on the head keeps
// them from writing one number twice.
type Ledger struct {
	store   Store
	entropy io.Reader

	mu   sync.Mutex
	head Head // as it will be when everything that was submitted is written
	// stale says that head is a guess that failed: read it again before use.
	stale bool
	// epoch counts those failures, so that of many appends that were numbered after
	// a failed one, only the first makes the head stale.
	epoch uint64
}

// Open reads the head. Entropy gives the keys of runs; give crypto/rand.Reader.
func Open(ctx context.Context, s Store, entropy io.Reader) (*Ledger, error) {
	l := &Ledger{store: s, entropy: entropy}
	head, err := l.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	// The head and the entries are written together, so an end that does not match
	// is damage, and appending to it would hide that.
	if err := l.checkEnd(ctx, head); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	l.head = head
	return l, nil
}

// Head reads the end of the ledger from the store.
func (l *Ledger) Head(ctx context.Context) (Head, error) {
	v, ok, err := l.store.Get(ctx, headKey)
	if err != nil {
		return Head{}, fmt.Errorf("read head: %w", err)
	}
	if !ok {
		return Head{}, nil
	}
	seq, rest, ok := store.Version(v)
	if !ok || len(rest) != 8 {
		return Head{}, fmt.Errorf("read head: %w", &store.CorruptError{Key: headKey, Err: fmt.Errorf("%d bytes", len(v))})
	}
	return Head{Seq: seq, Runs: binary.BigEndian.Uint64(rest)}, nil
}

func (h Head) value() []byte {
	return store.Versioned(h.Seq, binary.BigEndian.AppendUint64(nil, h.Runs))
}

// checkEnd holds that the last entry is the one that the head names.
func (l *Ledger) checkEnd(ctx context.Context, head Head) error {
	for item, err := range l.store.Scan(ctx, store.Range{Prefix: []byte{spaceEntry}, Reverse: true}) {
		if err != nil {
			return err
		}
		seq, _, err := splitEntryKey(item.Key)
		if err != nil {
			return &store.CorruptError{Key: item.Key, Err: err}
		}
		if seq != head.Seq {
			return &store.CorruptError{Key: headKey, Err: fmt.Errorf("head is at %d, the last entry is %d", head.Seq, seq)}
		}
		return nil
	}
	if head.Seq != 0 {
		return &store.CorruptError{Key: headKey, Err: fmt.Errorf("head is at %d, there are no entries", head.Seq)}
	}
	return nil
}

// plan is an append that was not numbered yet. build makes its batch for a given
// head, without the head's own key, and returns the head after it.
type plan func(head Head) (*store.Batch, Head, error)

// commit numbers a plan, submits it, and waits. It returns the seq of the plan's
// first entry.
func (l *Ledger) commit(ctx context.Context, p plan) (uint64, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, commitTimeout)
		defer cancel()
	}
	for attempt := 1; ; attempt++ {
		ticket, err := l.submit(ctx, p)
		if err != nil {
			return 0, err
		}
		err = ticket.pending.Wait(ctx)
		if err == nil {
			return ticket.first, nil
		}
		if unknown := (*store.UnknownError)(nil); errors.As(err, &unknown) {
			// The head stays as it was promised: if the batch is written after all, what
			// follows it is right; if not, what follows it is numbered anew.
			return 0, &UnknownError{First: ticket.first, key: ticket.key, want: ticket.bytes, Err: err}
		}
		l.failed(ticket.epoch)
		if conflict := (*store.ConflictError)(nil); !errors.As(err, &conflict) ||
			!bytes.Equal(conflict.Key, headKey) || attempt == maxAttempts {
			return 0, err
		}
	}
}

type ticket struct {
	pending    *store.Pending
	first      uint64
	epoch      uint64
	key, bytes []byte // of the first entry
}

// submit numbers a plan and hands it to the store. The lock is held over both:
// the order of the numbers is the order of the batches.
func (l *Ledger) submit(ctx context.Context, p plan) (ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stale {
		head, err := l.Head(ctx)
		if err != nil {
			return ticket{}, err
		}
		l.head, l.stale = head, false
	}
	batch, next, err := p(l.head)
	if err != nil {
		return ticket{}, err
	}
	t := ticket{first: l.head.Seq + 1, epoch: l.epoch, key: batch.Do[0].Key, bytes: batch.Do[0].Value}
	// Whatever else must change with the head (the hashes of a Merkle tree over the
	// entries) is computed here, from the batch, under this lock.
	//
	// The head's condition is asked first: under a head that has moved, the others
	// were made for other numbers, and their answers mean nothing.
	batch.If = append([]store.Condition{{Key: headKey, Version: l.head.Seq}}, batch.If...)
	batch.Put(headKey, next.value())
	t.pending = l.store.Submit(batch)
	l.head = next
	return t, nil
}

// failed notes that an append of the given epoch was not written.
func (l *Ledger) failed(epoch uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.epoch == epoch {
		l.epoch++
		l.stale = true
	}
}

// UnknownError says that it is not known whether an append was written. Give it
// to Settle.
type UnknownError struct {
	First     uint64 // seq that its first entry has, if it was written
	key, want []byte
	Err       error
}

func (e *UnknownError) Error() string { return fmt.Sprintf("append entry %d: %v", e.First, e.Err) }

func (e *UnknownError) Unwrap() error { return e.Err }

// Settle finds out what became of an append whose outcome was unknown: it waits
// until the store has decided everything before it, and reads the place where
// the first entry would stand.
func (l *Ledger) Settle(ctx context.Context, u *UnknownError) (written bool, err error) {
	if err := l.store.Settle(ctx); err != nil {
		return false, fmt.Errorf("settle entry %d: %w", u.First, err)
	}
	got, ok, err := l.store.Get(ctx, u.key)
	if err != nil {
		return false, fmt.Errorf("settle entry %d: %w", u.First, err)
	}
	return ok && bytes.Equal(got, u.want), nil
}
