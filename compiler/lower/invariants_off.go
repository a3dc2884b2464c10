//go:build !invariants

package lower

// invariants says that what must hold is asked at every turn, at any cost.
const invariants = false
