package store

import (
	"errors"
	"fmt"
)

// ErrClosed answers whatever is asked of a store after Close.
var ErrClosed = errors.New("store is closed")

// ErrBusy answers a batch that was not accepted because too many are waiting: the
// disk is slower than its writers, or does not answer at all. Nothing was written.
var ErrBusy = errors.New("store has too many batches waiting; nothing was written")

// ConflictError answers a batch one of whose preconditions did not hold. Nothing
// was written.
type ConflictError struct {
	Key     []byte
	Want    uint64 // version; 0: absent
	Found   uint64 // version, where the value has one
	Present bool
}

func (e *ConflictError) Error() string {
	switch {
	case e.Want == 0:
		return fmt.Sprintf("conflict: key %q exists", e.Key)
	case !e.Present:
		return fmt.Sprintf("conflict: key %q is absent, wanted version %d", e.Key, e.Want)
	}
	return fmt.Sprintf("conflict: key %q is at version %d, wanted %d", e.Key, e.Found, e.Want)
}

// UnknownError answers a batch that was handed over and not answered in time. It
// may have been written, may be written later, or never. Settle, then a read of
// the keys, tells.
type UnknownError struct{ Err error }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("outcome of the commit is unknown: %v", e.Err)
}

func (e *UnknownError) Unwrap() error { return e.Err }

// CorruptError says that what is stored is not what was written.
type CorruptError struct {
	Key []byte // empty where the engine cannot name it
	Err error
}

func (e *CorruptError) Error() string {
	if len(e.Key) == 0 {
		return fmt.Sprintf("stored data is corrupt: %v", e.Err)
	}
	return fmt.Sprintf("stored value of key %q is corrupt: %v", e.Key, e.Err)
}

func (e *CorruptError) Unwrap() error { return e.Err }

// InUseError says that another process, or another part of this one, has the
// store open. A live store cannot be opened twice, not even to read.
type InUseError struct {
	Dir string
	Err error
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("the store in %s is in use by another process", e.Dir)
}

func (e *InUseError) Unwrap() error { return e.Err }

// FormatError says that the store was written by a version that this one does
// not understand.
type FormatError struct {
	Dir   string
	Found string // "" where there is none
	Want  string
}

func (e *FormatError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("the store in %s carries no format version; this program reads %q", e.Dir, e.Want)
	}
	return fmt.Sprintf("the store in %s has format %q; this program reads %q", e.Dir, e.Found, e.Want)
}
