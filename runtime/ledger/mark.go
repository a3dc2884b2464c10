package ledger

import (
	"bytes"
	"context"
	"fmt"

	"github.com/provlang/prov/runtime/store"
)

// MarkStatus is how far an action has come.
type MarkStatus string

const (
	MarkBegun   MarkStatus = "begun"   // the intent is on disk; the outcome is not
	MarkDone    MarkStatus = "done"    // the tool ran and said so
	MarkFailed  MarkStatus = "failed"  // the tool ran and failed; it may run again with the same key
	MarkUnknown MarkStatus = "unknown" // nobody knows whether there was an effect
)

// Mark is the idempotency record of one action within its run: which decision
// allowed it, and how far it has come. It is written in the same commit as the
// entries that it speaks of, so one exists if and only if the others do.
type Mark struct {
	V        int        `json:"v"`
	Key      string     `json:"key"`
	Decision uint64     `json:"decision"` // seq; 0 in a Record: the decision before it in the same append
	Status   MarkStatus `json:"status"`
	// version as it was read; 0: there was none. Writing a mark asks that it is
	// still so: of two that begin the same action, one gets store.ConflictError.
	version uint64
}

// Mark looks up the idempotency record of key. ok is false where there is none;
// the mark that is returned then begins one.
func (r *Run) Mark(ctx context.Context, key string) (m Mark, ok bool, err error) {
	if err := checkID("idempotency key", key); err != nil {
		return Mark{}, false, err
	}
	k := markKey(r.tenant, r.id, key)
	v, ok, err := r.ledger.store.Get(ctx, k)
	if err != nil {
		return Mark{}, false, fmt.Errorf("read idempotency record: %w", err)
	}
	if !ok {
		return Mark{Key: key}, false, nil
	}
	m, err = decodeMark(v)
	if err == nil && m.Key != key {
		err = fmt.Errorf("record is of key %q", m.Key)
	}
	if err != nil {
		return Mark{}, false, fmt.Errorf("read idempotency record: %w", &store.CorruptError{Key: k, Err: err})
	}
	return m, true, nil
}

// To returns the mark with another status, to be appended.
func (m Mark) To(s MarkStatus) *Mark {
	m.Status = s
	return &m
}

// Next is the mark as it stands after it was appended, so that the one who wrote
// it need not read it again. decision is the seq that it was written with.
func (m Mark) Next(decision uint64) Mark {
	m.V, m.Decision = Version, decision
	m.version++
	return m
}

func (r *Run) layMark(b *store.Batch, m *Mark, refs *references) error {
	w := *m
	w.V = Version
	fill(&w.Decision, refs.decision)
	if err := w.validate(); err != nil {
		return err
	}
	k := markKey(r.tenant, r.id, w.Key)
	b.IfVersion(k, w.version)
	b.Put(k, store.Versioned(w.version+1, w.appendCanonical(nil)))
	return nil
}

func (m *Mark) validate() error {
	if m.V != Version {
		return fmt.Errorf("idempotency record version %d: this program knows %d", m.V, Version)
	}
	if err := checkID("idempotency key", m.Key); err != nil {
		return err
	}
	if m.Decision == 0 {
		return fmt.Errorf("idempotency record %q names no decision", m.Key)
	}
	switch m.Status {
	case MarkBegun, MarkDone, MarkFailed, MarkUnknown:
		return nil
	}
	return fmt.Errorf("idempotency record %q has the unknown status %q", m.Key, m.Status)
}

func (m *Mark) appendCanonical(b []byte) []byte {
	c := canon{b: b}
	c.open()
	c.num("v", int64(m.V))
	c.str("key", m.Key)
	c.count("decision", m.Decision)
	c.str("status", string(m.Status))
	c.close()
	return c.b
}

func decodeMark(stored []byte) (Mark, error) {
	n, b, ok := store.Version(stored)
	if !ok {
		return Mark{}, fmt.Errorf("value of %d bytes carries no version", len(stored))
	}
	var m Mark
	if err := decodeStrict(b, &m); err != nil {
		return Mark{}, err
	}
	if err := m.validate(); err != nil {
		return Mark{}, err
	}
	if !bytes.Equal(m.appendCanonical(nil), b) {
		return Mark{}, errNotCanonical
	}
	m.version = n
	return m, nil
}
