package ledger

import (
	"encoding/binary"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// The key layout. A component of text ends with a zero byte, which no id may
// hold, so no id is a prefix of another one's keys. Numbers are 8 bytes,
// big-endian, so they sort as they count.
//
//	h                          head: version = last seq, then the count of runs
//	e seq tenant               an entry's canonical bytes
//	t tenant 0 seq             the tenant's entries, in order; no value
//	r tenant 0 run 0 seq       the run's entries, in order; no value
//	x tenant 0 run 0 seq       the exhibit of the decision at seq
//	k tenant 0 run             the run's key for digests
//	i tenant 0 run 0 key       idempotency record: version, then its bytes
//
// The tenant is in every key but the head's, which tells nothing about one. A
// reader who holds a seq of another tenant finds nothing, because he cannot
// build its key.
const (
	spaceHead    = 'h'
	spaceEntry   = 'e'
	spaceTenant  = 't'
	spaceRun     = 'r'
	spaceExhibit = 'x'
	spaceKey     = 'k'
	spaceMark    = 'i'
)

// MaxID is the most bytes of a tenant, a run, or an idempotency key.
const MaxID = 200

var headKey = []byte{spaceHead}

func entryKey(seq uint64, tenant string) []byte {
	k := make([]byte, 0, 9+len(tenant))
	k = append(k, spaceEntry)
	k = binary.BigEndian.AppendUint64(k, seq)
	return append(k, tenant...)
}

// splitEntryKey is the inverse of entryKey.
func splitEntryKey(key []byte) (seq uint64, tenant string, err error) {
	if len(key) < 10 || key[0] != spaceEntry {
		return 0, "", fmt.Errorf("not the key of an entry")
	}
	return binary.BigEndian.Uint64(key[1:9]), string(key[9:]), nil
}

func tenantPrefix(tenant string) []byte { return prefix(spaceTenant, tenant) }

func runPrefix(tenant, run string) []byte { return prefix(spaceRun, tenant, run) }

func exhibitPrefix(tenant, run string) []byte { return prefix(spaceExhibit, tenant, run) }

func exhibitKey(tenant, run string, seq uint64) []byte {
	return numbered(exhibitPrefix(tenant, run), seq)
}

func runKeyKey(tenant, run string) []byte {
	return append(prefix(spaceKey, tenant), run...)
}

func markKey(tenant, run, key string) []byte {
	return append(prefix(spaceMark, tenant, run), key...)
}

func prefix(space byte, parts ...string) []byte {
	n := 1 + 8 // room for a number
	for _, p := range parts {
		n += len(p) + 1
	}
	k := make([]byte, 1, n)
	k[0] = space
	for _, p := range parts {
		k = append(k, p...)
		k = append(k, 0)
	}
	return k
}

func numbered(prefix []byte, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(prefix, seq)
}

// splitIndexKey gives the seq at the end of a key in the run or tenant index.
func splitIndexKey(key []byte, prefix int) (uint64, error) {
	if len(key) != prefix+8 {
		return 0, fmt.Errorf("index key of %d bytes", len(key))
	}
	return binary.BigEndian.Uint64(key[prefix:]), nil
}

// checkID refuses what could not be a component of a key, or could not be read
// by a person.
func checkID(what, id string) error {
	switch {
	case id == "":
		return fmt.Errorf("%s is empty", what)
	case len(id) > MaxID:
		return fmt.Errorf("%s has %d bytes: the most is %d", what, len(id), MaxID)
	}
	if err := checkText(id); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// checkText keeps to characters that every JSON encoder writes the same way and
// that no terminal obeys: the canonical bytes must mean the same in ten years.
func checkText(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("text is not valid UTF-8")
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("text has the character %U", r)
		}
	}
	return nil
}
