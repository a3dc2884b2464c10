// Package store is the storage that the rest of the runtime is written against:
// an ordered map of byte strings with prefix scans, and an atomic batch with
// preconditions. That is the whole contract, so another engine can stand behind
// it; those who use a store declare the interface they need.
//
// Two engines are here. Memory is the reference, for tests. Pebble is the one on
// disk, and this package is the only importer of that library; none of its types
// leave the package.
//
// Guarantees of every engine:
//
//   - A batch is written whole or not at all, and only when all of its
//     preconditions hold at the moment it is decided.
//   - Batches are decided one after another, in the order in which they were
//     submitted.
//   - A batch whose Wait returned nil is on stable storage. There is no way to ask
//     for less.
//   - A read sees only what is on stable storage, and everything that had been
//     acknowledged when the read began.
//   - A Wait whose context ends first gives UnknownError, unless the batch could
//     still be withdrawn. Settle and a read tell what became of it.
package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Bounds on what a batch may hold. They keep one batch well below half of the
// write buffer, so that no batch is a special case for an engine.
const (
	MaxKey     = 1 << 10 // bytes
	MaxValue   = 4 << 20 // bytes
	MaxBatch   = 8 << 20 // bytes of keys and values
	MaxChanges = 4096
)

// Batch is a set of changes that happen together or not at all. Its zero value
// is empty and ready for use. A batch keeps the slices it is given: they must not
// change after Submit.
type Batch struct {
	// If holds the preconditions; all must hold. The first one in order that does
	// not hold is the one that is reported.
	If []Condition
	// Do holds the changes. No key stands in it twice, so their order means nothing.
	Do []Change
}

// Condition is a precondition on one key.
type Condition struct {
	Key []byte
	// Version the value must begin with; see Versioned. 0: the key is absent.
	Version uint64
}

// Change of one key.
type Change struct {
	Key    []byte
	Value  []byte
	Delete bool
}

// IfAbsent asks that key does not exist.
func (b *Batch) IfAbsent(key []byte) { b.If = append(b.If, Condition{Key: key}) }

// IfVersion asks that key exists at version n, or, where n is 0, that it is
// absent. A versioned key is absent before its first version.
func (b *Batch) IfVersion(key []byte, n uint64) {
	b.If = append(b.If, Condition{Key: key, Version: n})
}

// Put sets key to value.
func (b *Batch) Put(key, value []byte) { b.Do = append(b.Do, Change{Key: key, Value: value}) }

// Delete removes key; a key that is absent stays absent.
func (b *Batch) Delete(key []byte) { b.Do = append(b.Do, Change{Key: key, Delete: true}) }

// Versioned returns value with its version before it: 8 bytes, big-endian. The
// version belongs to the writer (a count, or the number of the last entry), and
// is part of the stored value, so every engine can compare it.
func Versioned(n uint64, value []byte) []byte {
	out := make([]byte, 8, 8+len(value))
	binary.BigEndian.PutUint64(out, n)
	return append(out, value...)
}

// Version splits a stored value into its version and the rest. ok is false for a
// value that is too short to have one, or whose version is 0.
func Version(stored []byte) (n uint64, value []byte, ok bool) {
	if len(stored) < 8 {
		return 0, nil, false
	}
	n = binary.BigEndian.Uint64(stored)
	return n, stored[8:], n != 0
}

// Check says what is wrong with a batch, before anything is done with it. Every
// engine calls it.
func (b *Batch) Check() error {
	if len(b.Do)+len(b.If) > MaxChanges {
		return fmt.Errorf("batch of %d conditions and changes: the most is %d", len(b.Do)+len(b.If), MaxChanges)
	}
	size := 0
	for _, c := range b.If {
		if err := checkKey(c.Key); err != nil {
			return err
		}
	}
	for i, c := range b.Do {
		if err := checkKey(c.Key); err != nil {
			return err
		}
		if len(c.Value) > MaxValue {
			return fmt.Errorf("value of key %q has %d bytes: the most is %d", c.Key, len(c.Value), MaxValue)
		}
		if size += len(c.Key) + len(c.Value); size > MaxBatch {
			return fmt.Errorf("batch of more than %d bytes", MaxBatch)
		}
		if err := b.checkVersion(c); err != nil {
			return err
		}
		if len(b.Do) <= 32 {
			for _, d := range b.Do[:i] {
				if bytes.Equal(c.Key, d.Key) {
					return fmt.Errorf("key %q is changed twice in one batch", c.Key)
				}
			}
		}
	}
	if len(b.Do) > 32 {
		seen := make(map[string]struct{}, len(b.Do))
		for _, c := range b.Do {
			if _, dup := seen[string(c.Key)]; dup {
				return fmt.Errorf("key %q is changed twice in one batch", c.Key)
			}
			seen[string(c.Key)] = struct{}{}
		}
	}
	return nil
}

// checkVersion refuses a change that would let a version come back: a key that
// is guarded by a version only ever moves to a higher one. Otherwise a writer
// that slept could mistake a later value for the one it read.
func (b *Batch) checkVersion(c Change) error {
	for _, cond := range b.If {
		if cond.Version == 0 || !bytes.Equal(cond.Key, c.Key) {
			continue
		}
		if c.Delete {
			continue // whoever deletes a versioned key gives up its history
		}
		n, _, ok := Version(c.Value)
		if !ok || n <= cond.Version {
			return fmt.Errorf("key %q guarded at version %d is set to version %d, which is not higher", c.Key, cond.Version, n)
		}
	}
	return nil
}

var errEmptyKey = errors.New("empty key")

func checkKey(key []byte) error {
	switch {
	case len(key) == 0:
		return errEmptyKey
	case len(key) > MaxKey:
		return fmt.Errorf("key of %d bytes: the most is %d", len(key), MaxKey)
	case key[0] == reserved:
		return fmt.Errorf("key %q begins with the byte that is kept for the store itself", key)
	}
	return nil
}

// reserved begins the keys of an engine's own records.
const reserved = 0x00

// holds evaluates a condition against the stored value of its key.
func (c Condition) holds(stored []byte, found bool) error {
	if c.Version == 0 {
		if !found {
			return nil
		}
		n, _, _ := Version(stored)
		return &ConflictError{Key: c.Key, Want: 0, Found: n, Present: true}
	}
	if !found {
		return &ConflictError{Key: c.Key, Want: c.Version}
	}
	n, _, ok := Version(stored)
	if !ok {
		return &CorruptError{Key: c.Key, Err: fmt.Errorf("value of %d bytes carries no version", len(stored))}
	}
	if n != c.Version {
		return &ConflictError{Key: c.Key, Want: c.Version, Found: n, Present: true}
	}
	return nil
}

// Range says what a scan reads: the keys that begin with Prefix, in order.
type Range struct {
	Prefix []byte
	// From is where to begin, inclusive; nil: at the first key, or with Reverse at
	// the last one.
	From []byte
	// Reverse goes from high to low.
	Reverse bool
}

// Item is one key and its value. They are the reader's own.
type Item struct {
	Key   []byte
	Value []byte
}

// bounds gives the half-open interval of the range: lower inclusive, upper
// exclusive, nil upper for no end. It never covers the reserved keys.
func (r Range) bounds() (lower, upper []byte) {
	lower, upper = r.Prefix, after(r.Prefix)
	if len(lower) == 0 || lower[0] == reserved {
		lower = []byte{reserved + 1}
	}
	if len(r.Prefix) > 0 && r.Prefix[0] == reserved {
		upper = lower // empty
	}
	if r.From == nil {
		return lower, upper
	}
	if r.Reverse {
		end := append(bytes.Clone(r.From), 0) // the first key above From
		if upper == nil || bytes.Compare(end, upper) < 0 {
			upper = end
		}
	} else if bytes.Compare(r.From, lower) > 0 {
		lower = r.From
	}
	return lower, upper
}

// after returns the first key above all keys with the prefix; nil: none.
func after(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}

// Stats counts what a store has done since it was opened.
type Stats struct {
	Batches uint64 // written
	Commits uint64 // synced commits that wrote them; several batches may share one
	Refused uint64 // batches whose preconditions did not hold
}
