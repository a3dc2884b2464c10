package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// MaxEntry is the most bytes of one entry.
const MaxEntry = 64 << 10

// Encode returns the canonical bytes of a valid entry.
func Encode(e *Entry) ([]byte, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	b := e.AppendCanonical(make([]byte, 0, 1024))
	if len(b) > MaxEntry {
		return nil, fmt.Errorf("entry of %d bytes: the most is %d", len(b), MaxEntry)
	}
	if invariants {
		// What cannot be read again must not get into a ledger.
		if _, err := Decode(b); err != nil {
			panic("ledger: a valid entry that does not decode: " + err.Error())
		}
	}
	return b, nil
}

// errNotCanonical is what every other spelling of an entry gets: blanks, another
// order, a repeated member, an escape that was not needed.
var errNotCanonical = errors.New("bytes are not canonical")

// Decode reads canonical bytes, and nothing else: encoding what it returns gives
// the same bytes again.
func Decode(b []byte) (Entry, error) {
	if len(b) > MaxEntry {
		return Entry{}, fmt.Errorf("entry of %d bytes: the most is %d", len(b), MaxEntry)
	}
	var e Entry
	if err := decodeStrict(b, &e); err != nil {
		return Entry{}, err
	}
	if err := e.Validate(); err != nil {
		return Entry{}, err
	}
	// encoding/json matches names without regard to case and lets a member stand
	// twice; comparing the bytes refuses all of that at once.
	if !bytes.Equal(e.AppendCanonical(make([]byte, 0, len(b))), b) {
		return Entry{}, errNotCanonical
	}
	return e, nil
}

func decodeStrict(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	if d.InputOffset() != int64(len(b)) {
		return fmt.Errorf("decode: %w: %d bytes after the end", errNotCanonical, int64(len(b))-d.InputOffset())
	}
	return nil
}
