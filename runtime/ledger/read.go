package ledger

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"iter"

	"github.com/provlang/prov/runtime/store"
)

// Line is an entry as it is stored.
type Line struct {
	Entry Entry
	Bytes []byte // canonical
}

// WholeStore reads the entries of every tenant, from seq on. It is the
// operator's: every other read names a tenant. A number that is missing, or an
// entry that is not what its key says, is an error.
func (l *Ledger) WholeStore(ctx context.Context, from uint64) iter.Seq2[Line, error] {
	return l.whole(ctx, from, false)
}

// whole reads upwards from seq, or from the end down to seq.
func (l *Ledger) whole(ctx context.Context, from uint64, down bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		from = max(from, 1)
		r := store.Range{Prefix: []byte{spaceEntry}, From: entryKey(from, "")}
		if down {
			r = store.Range{Prefix: []byte{spaceEntry}, Reverse: true}
		}
		next := from // 0: whatever comes first, when reading down
		if down {
			next = 0
		}
		for item, err := range l.store.Scan(ctx, r) {
			if err != nil {
				yield(Line{}, fmt.Errorf("read ledger: %w", err))
				return
			}
			seq, tenant, err := splitEntryKey(item.Key)
			if err == nil && next != 0 && seq != next {
				err = fmt.Errorf("entry %d stands where %d should", seq, next)
			}
			if err != nil {
				yield(Line{}, &store.CorruptError{Key: item.Key, Err: err})
				return
			}
			if down && seq < from {
				return
			}
			line, err := parseLine(item.Key, item.Value, seq, tenant)
			if !yield(line, err) || err != nil {
				return
			}
			if next = seq + 1; down {
				if next = seq - 1; next == 0 {
					return
				}
			}
		}
	}
}

// Tenant reads the entries of one tenant, from seq on.
func (l *Ledger) Tenant(ctx context.Context, tenant string, from uint64) iter.Seq2[Line, error] {
	return l.index(ctx, tenant, "", from, false)
}

// Run reads the entries of one run, from seq on.
func (l *Ledger) Run(ctx context.Context, tenant, run string, from uint64) iter.Seq2[Line, error] {
	if err := checkID("run", run); err != nil {
		return fails(err)
	}
	return l.index(ctx, tenant, run, from, false)
}

func fails(err error) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) { yield(Line{}, err) }
}

// index reads the entries that the index of a run names, or, without a run, that
// of a tenant: upwards from seq, or from the end down to seq.
func (l *Ledger) index(ctx context.Context, tenant, run string, from uint64, down bool) iter.Seq2[Line, error] {
	if err := checkID("tenant", tenant); err != nil {
		return fails(err)
	}
	prefix := tenantPrefix(tenant)
	if run != "" {
		prefix = runPrefix(tenant, run)
	}
	n := len(prefix)
	prefix = prefix[:n:n]
	r := store.Range{Prefix: prefix, From: numbered(prefix, from)}
	if down {
		r = store.Range{Prefix: prefix, Reverse: true}
	}
	return func(yield func(Line, error) bool) {
		for item, err := range l.store.Scan(ctx, r) {
			if err != nil {
				yield(Line{}, fmt.Errorf("read index of tenant %q: %w", tenant, err))
				return
			}
			seq, err := splitIndexKey(item.Key, n)
			if err != nil {
				yield(Line{}, &store.CorruptError{Key: item.Key, Err: err})
				return
			}
			if down && seq < from {
				return
			}
			line, err := l.Entry(ctx, tenant, seq)
			if err == nil && run != "" && line.Entry.Run != run {
				err = &store.CorruptError{Key: item.Key, Err: fmt.Errorf("entry %d is of run %q", seq, line.Entry.Run)}
			}
			if errors.Is(err, ErrNoEntry) {
				err = &store.CorruptError{Key: item.Key, Err: err} // the two are written together
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// ErrNoEntry says that the tenant has no entry of that number.
var ErrNoEntry = errors.New("no such entry")

// Entry reads one entry of a tenant.
func (l *Ledger) Entry(ctx context.Context, tenant string, seq uint64) (Line, error) {
	if err := checkID("tenant", tenant); err != nil {
		return Line{}, err
	}
	key := entryKey(seq, tenant)
	v, ok, err := l.store.Get(ctx, key)
	if err != nil {
		return Line{}, fmt.Errorf("read entry %d: %w", seq, err)
	}
	if !ok {
		return Line{}, fmt.Errorf("read entry %d: %w", seq, ErrNoEntry)
	}
	return parseLine(key, v, seq, tenant)
}

func parseLine(key, value []byte, seq uint64, tenant string) (Line, error) {
	e, err := Decode(value)
	if err == nil && (e.Seq != seq || e.Tenant != tenant) {
		err = fmt.Errorf("holds entry %d of tenant %q", e.Seq, e.Tenant)
	}
	if err != nil {
		return Line{}, fmt.Errorf("read entry %d: %w", seq, &store.CorruptError{Key: key, Err: err})
	}
	return Line{Entry: e, Bytes: value}, nil
}

// ErrNoExhibit says that a decision has no exhibit, or that it was erased.
var ErrNoExhibit = errors.New("no exhibit, or it was erased")

// Exhibit reads what lies beside the decision at seq, and holds it against the
// digest in the entry.
func (l *Ledger) Exhibit(ctx context.Context, tenant, run string, seq uint64) (Exhibit, error) {
	x, err := l.exhibit(ctx, tenant, run, seq)
	if err != nil {
		return Exhibit{}, fmt.Errorf("read exhibit of entry %d: %w", seq, err)
	}
	return x, nil
}

func (l *Ledger) exhibit(ctx context.Context, tenant, run string, seq uint64) (Exhibit, error) {
	line, err := l.Entry(ctx, tenant, seq)
	if err != nil {
		return Exhibit{}, err
	}
	d := line.Entry.Decision
	if line.Entry.Run != run || d == nil {
		return Exhibit{}, ErrNoEntry
	}
	if d.Exhibit == "" {
		return Exhibit{}, ErrNoExhibit
	}
	key, err := l.runKey(ctx, tenant, run)
	if errors.Is(err, ErrNoRun) {
		return Exhibit{}, ErrNoExhibit
	}
	if err != nil {
		return Exhibit{}, err
	}
	at := exhibitKey(tenant, run, seq)
	b, ok, err := l.store.Get(ctx, at)
	if err != nil {
		return Exhibit{}, err
	}
	if !ok {
		return Exhibit{}, ErrNoExhibit
	}
	if subtle.ConstantTimeCompare([]byte(digest(key, b)), []byte(d.Exhibit)) != 1 {
		return Exhibit{}, &store.CorruptError{Key: at, Err: errors.New("its digest is not the one in the entry")}
	}
	x, err := DecodeExhibit(b)
	if err != nil {
		return Exhibit{}, &store.CorruptError{Key: at, Err: err}
	}
	return x, nil
}
