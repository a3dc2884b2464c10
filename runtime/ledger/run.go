package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/provlang/prov/runtime/store"
)

// Run is one run's place in the ledger: everything that is appended through it
// has its tenant and its id.
type Run struct {
	ledger *Ledger
	tenant string
	id     string
	key    []byte
}

// ID is the run's id, unique in the store.
func (r *Run) ID() string { return r.id }

// Tenant is the run's tenant.
func (r *Run) Tenant() string { return r.tenant }

// RunID spells the id of the n-th run, from 1. It sorts as it counts as long as
// there are fewer than a million, and is unique beyond.
func RunID(n uint64) string { return fmt.Sprintf("run-%06d", n) }

// StartRun takes the next run id and writes the run's first entry and its key,
// all in one commit: an id exists if and only if its run does.
func (l *Ledger) StartRun(ctx context.Context, tenant string, at time.Time, start RunStarted) (*Run, error) {
	run := &Run{ledger: l, tenant: tenant, key: make([]byte, keySize)}
	if err := checkID("tenant", tenant); err != nil {
		return nil, fmt.Errorf("start run: %w", err)
	}
	if _, err := io.ReadFull(l.entropy, run.key); err != nil {
		return nil, fmt.Errorf("start run: make its key: %w", err)
	}
	first := []item{{Record: Record{Entry: Entry{At: Time(at), Kind: KindRunStarted, RunStarted: &start}}}}
	_, err := l.commit(ctx, func(head Head) (*store.Batch, Head, error) {
		head.Runs++
		run.id = RunID(head.Runs)
		b, next, err := run.build(head, first)
		if err == nil {
			b.IfAbsent(runKeyKey(tenant, run.id))
			b.Put(runKeyKey(tenant, run.id), run.key)
		}
		return b, next, err
	})
	if err != nil {
		return nil, fmt.Errorf("start run: %w", err)
	}
	return run, nil
}

// ErrNoRun says that the tenant has no such run, or that its key was erased.
var ErrNoRun = errors.New("no such run, or it was erased")

// OpenRun goes on with a run that was started earlier.
func (l *Ledger) OpenRun(ctx context.Context, tenant, id string) (*Run, error) {
	key, err := l.runKey(ctx, tenant, id)
	if err != nil {
		return nil, fmt.Errorf("open run %s: %w", id, err)
	}
	return &Run{ledger: l, tenant: tenant, id: id, key: key}, nil
}

func (l *Ledger) runKey(ctx context.Context, tenant, id string) ([]byte, error) {
	if err := errors.Join(checkID("tenant", tenant), checkID("run", id)); err != nil {
		return nil, err
	}
	key, ok, err := l.store.Get(ctx, runKeyKey(tenant, id))
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, ErrNoRun
	case len(key) != keySize:
		return nil, &store.CorruptError{Key: runKeyKey(tenant, id), Err: fmt.Errorf("key of %d bytes", len(key))}
	}
	return key, nil
}

// Digest is HMAC-SHA-256 of b under the run's key, in hex digits: how an entry
// names bytes that it must not hold, such as a tool's result.
func (r *Run) Digest(b []byte) string { return digest(r.key, b) }

// Record is one entry to append, with what goes beside it.
type Record struct {
	// Entry without V, Seq, Tenant and Run, which Append sets. A reference that is 0
	// (Intent.Decision, Outcome.Intent, Verification.Intent, Evidence.Verification)
	// means the nearest entry before it in the same append that it can refer to: of
	// an outcome that is an intent, or the decision where there was none.
	Entry Entry
	// Exhibit of a decision; nil where nothing was proposed. Append sets
	// Decision.Exhibit.
	Exhibit *Exhibit
	// Mark to write together with the entry; nil: none.
	Mark *Mark
}

// Append writes all records in one commit, with contiguous numbers, and returns
// the number of the first. When it returns an error other than UnknownError,
// nothing was written. The records are not changed.
func (r *Run) Append(ctx context.Context, recs ...Record) (first uint64, err error) {
	if len(recs) == 0 {
		return 0, errors.New("append: no records")
	}
	items, err := r.prepare(recs)
	if err != nil {
		return 0, fmt.Errorf("append to run %s: %w", r.id, err)
	}
	first, err = r.ledger.commit(ctx, func(head Head) (*store.Batch, Head, error) { return r.build(head, items) })
	if err != nil {
		return 0, fmt.Errorf("append to run %s: %w", r.id, err)
	}
	return first, nil
}

// item is a record with its exhibit encoded and bound to it: all that can be
// done before the record has a number, and need not be done under the lock.
type item struct {
	Record
	exhibit []byte
}

func (r *Run) prepare(recs []Record) ([]item, error) {
	items := make([]item, len(recs))
	for i, rec := range recs {
		it := item{Record: rec}
		d := rec.Entry.Decision
		switch {
		case rec.Exhibit != nil && d == nil:
			return nil, fmt.Errorf("record %d: %s with an exhibit: only a decision has one", i, rec.Entry.Kind)
		case rec.Exhibit != nil:
			x := *rec.Exhibit
			x.V = Version
			b, err := x.Encode()
			if err != nil {
				return nil, fmt.Errorf("record %d: %w", i, err)
			}
			bound := *d
			bound.Exhibit = digest(r.key, b)
			it.Entry.Decision, it.exhibit = &bound, b
		case d != nil && d.Exhibit != "":
			return nil, fmt.Errorf("record %d: the decision names an exhibit that is not there", i)
		}
		items[i] = it
	}
	return items, nil
}

// build numbers the items after head and lays them into a batch; the first
// change is the first entry.
func (r *Run) build(head Head, items []item) (*store.Batch, Head, error) {
	b := &store.Batch{Do: make([]store.Change, 0, 3*len(items)+4)}
	refs := references{}
	for i := range items {
		head.Seq++
		if err := r.lay(b, head.Seq, &items[i], &refs); err != nil {
			return nil, Head{}, fmt.Errorf("record %d: %w", i, err)
		}
	}
	return b, head, nil
}

func (r *Run) lay(b *store.Batch, seq uint64, it *item, refs *references) error {
	e := it.Entry
	e.V, e.Seq, e.Tenant, e.Run = Version, seq, r.tenant, r.id
	refs.resolve(&e)
	bytes, err := Encode(&e)
	if err != nil {
		return err
	}
	b.Put(entryKey(seq, r.tenant), bytes)
	b.Put(numbered(tenantPrefix(r.tenant), seq), nil)
	b.Put(numbered(runPrefix(r.tenant, r.id), seq), nil)
	if it.exhibit != nil {
		b.Put(exhibitKey(r.tenant, r.id, seq), it.exhibit)
	}
	if it.Mark != nil {
		return r.layMark(b, it.Mark, refs)
	}
	return nil
}

// references holds the last entry of each kind in an append.
type references struct{ decision, intent, acted, verification uint64 }

// resolve fills in the references of e that were left 0, and notes e itself. It
// copies what it changes: the caller's records may be numbered again.
func (s *references) resolve(e *Entry) {
	switch {
	case e.Decision != nil:
		s.decision, s.acted = e.Seq, e.Seq
	case e.Intent != nil:
		v := *e.Intent
		fill(&v.Decision, s.decision)
		e.Intent = &v
		s.intent, s.acted = e.Seq, e.Seq
	case e.Outcome != nil:
		v := *e.Outcome
		fill(&v.Intent, s.acted)
		e.Outcome = &v
	case e.Verification != nil:
		v := *e.Verification
		fill(&v.Intent, s.intent)
		e.Verification = &v
		s.verification = e.Seq
	case e.Evidence != nil:
		v := *e.Evidence
		fill(&v.Verification, s.verification)
		e.Evidence = &v
	}
}

func fill(ref *uint64, seq uint64) {
	if *ref == 0 {
		*ref = seq
	}
}
