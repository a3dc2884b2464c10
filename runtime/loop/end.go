package loop

import "github.com/provlang/prov/runtime/ledger"

// End is how a run came to its end. The list is closed; the names are in
// ledgers.
type End string

const (
	// Completed: the model or the path had nothing more to propose, and nothing
	// that was done is in doubt.
	Completed End = ledger.EndCompleted
	// Held: something waits for a person.
	Held End = ledger.EndHeld
	// Refused: a proposal was refused for a reason that no other proposal of the
	// same agent could mend.
	Refused End = ledger.EndRefused
	// Bounded: a bound of the policy was reached.
	Bounded End = ledger.EndBounded
	// Escalated: something was done, and it is not known to have helped.
	Escalated End = ledger.EndEscalated
	// Failed: the runtime could not go on: the ledger, the model's adapter or the
	// learner gave an error, or the run was called off.
	Failed End = ledger.EndFailed
)

// Ends is the closed list.
func Ends() []End { return []End{Completed, Held, Refused, Bounded, Escalated, Failed} }

// Verdict of a verification.
type Verdict string

const (
	Confirmed    Verdict = ledger.Confirmed
	Refuted      Verdict = ledger.Refuted
	Inconclusive Verdict = ledger.Inconclusive
)

// Settled is what a verification came to, where it came to anything. The type
// has exactly two values, so there is no way to hand a learner the third verdict.
type Settled bool

const (
	WasRefuted   Settled = false
	WasConfirmed Settled = true
)

// settles is the table of what can be learned from. It has two entries: to learn
// from an inconclusive verification, somebody would have to add a third.
var settles = map[Verdict]Settled{
	Confirmed: WasConfirmed,
	Refuted:   WasRefuted,
}
