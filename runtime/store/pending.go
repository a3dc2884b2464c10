package store

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Pending is a batch that was submitted. An engine makes it with NewPending,
// claims it with Take before it does anything irrevocable, and answers it once
// with Resolve.
type Pending struct {
	state atomic.Uint32
	done  chan struct{}
	err   error
}

const (
	waiting uint32 = iota
	taken
	withdrawn
)

// NewPending returns a batch's ticket, waiting.
func NewPending() *Pending { return &Pending{done: make(chan struct{})} }

// Resolved returns a ticket that is answered already.
func Resolved(err error) *Pending {
	p := NewPending()
	p.Take()
	p.Resolve(err)
	return p
}

// Take claims the batch for the engine. It is false where the one who waits has
// given up: then the batch must not be written.
func (p *Pending) Take() bool { return p.state.CompareAndSwap(waiting, taken) }

// Resolve answers a batch that was taken.
func (p *Pending) Resolve(err error) {
	p.err = err
	close(p.done)
}

// Wait returns when the batch was decided. A batch that the engine has not begun
// when the context ends is withdrawn: the error is then the context's, and
// nothing was written. After that it is too late, and the answer is UnknownError.
func (p *Pending) Wait(ctx context.Context) error {
	select {
	case <-p.done: // an answer that is there wins over a context that has ended
		return p.err
	default:
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
	}
	if p.state.CompareAndSwap(waiting, withdrawn) {
		return fmt.Errorf("commit withdrawn, nothing was written: %w", context.Cause(ctx))
	}
	select {
	case <-p.done:
		return p.err
	default:
		return &UnknownError{Err: context.Cause(ctx)}
	}
}
