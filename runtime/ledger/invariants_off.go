//go:build !invariants

package ledger

// invariants says that what must hold is asked at every turn, at any cost.
const invariants = false
