package loop

import (
	"context"
	"errors"
	"fmt"

	"github.com/provlang/prov/runtime/policy"
)

// Tool does what its contract says, once for each key. It returns the result as
// a JSON object that fits the contract's result fields; a contract without
// result fields wants nil. An error, a panic and the end of ctx are outcomes of
// the step, never of the process.
type Tool func(ctx context.Context, c *Call) ([]byte, error)

// Call is what a tool is told. Everything in it was decided on: a tool looks
// nothing up that the gate did not see, and never receives the proposal's text.
type Call struct {
	Tenant string
	Run    string
	Agent  string
	Tool   string
	Target string // "" where the contract acts on nothing
	// Key is the same whenever the same action of the same run is called again; a
	// tool that keeps it can promise that nothing happens twice. "" for a read.
	Key string
	// Version and Attrs are the target's registry entry as it was decided on.
	Version uint64
	Attrs   policy.Record
	// Args are against the contract's argument fields. Proposal is what they came
	// in, for the typed structs of a generated package; nil where the runtime
	// itself reads so as to verify.
	Args     policy.Record
	Proposal *policy.Proposal
}

// errPanicked stands for a tool's panic, whose value is not ours to print: it may
// hold an argument.
var errPanicked = errors.New("the tool panicked")

// errNotBegun says that the tool was never called: there is nothing to doubt.
var errNotBegun = errors.New("the run's time was up before the tool was called")

type toolAnswer struct {
	result []byte
	err    error
}

// call runs a tool until it answers or ctx ends. A tool that ignores ctx is left
// behind: the run is bounded, whatever the tool does.
func call(ctx context.Context, t Tool, c *Call) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", errNotBegun, context.Cause(ctx))
	}
	answer := make(chan toolAnswer, 1)
	go func() {
		a := toolAnswer{err: errPanicked}
		defer func() {
			_ = recover() // a panic leaves a as it is
			answer <- a
		}()
		result, err := t(ctx, c)
		a = toolAnswer{result, err}
	}()
	select {
	case a := <-answer:
		return a.result, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%s did not answer: %w", c.Tool, context.Cause(ctx))
	}
}
