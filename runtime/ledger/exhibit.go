package ledger

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// MaxExhibit is the most bytes of one exhibit.
const MaxExhibit = 1 << 20

// Exhibit is what lies beside a decision: everything that the gate read and that
// the entry does not hold, so that the decision can be made again from the two.
// Its canonical bytes are JSON in this field order. It holds values, so it can
// be erased (see Ledger.Erase); the entry then still stands.
type Exhibit struct {
	V int `json:"v"`
	// Proposal is what the model wrote, byte for byte; in JSON it is base64.
	Proposal []byte `json:"proposal"`
	// Attrs are the target's attributes as read, sorted by name.
	Attrs []Attr `json:"attrs,omitempty"`
	// Refs, RefField and Sources say what the registry knew of the references among
	// the arguments and of the ids in rests_on, by the names of the policy ABI.
	Refs     string `json:"refs,omitempty"`
	RefField string `json:"ref_field,omitempty"`
	Sources  string `json:"sources,omitempty"`
	// Facts are whatever else was read, sorted by name.
	Facts []Attr `json:"facts,omitempty"`
}

// Attr is a name and the canonical text of its value. Absent is a value that was
// not set, which is not the same as an empty text.
type Attr struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Absent bool   `json:"absent,omitempty"`
}

// Encode returns the exhibit's canonical bytes.
func (x *Exhibit) Encode() ([]byte, error) {
	if err := x.validate(); err != nil {
		return nil, err
	}
	b := x.appendCanonical(make([]byte, 0, 256+2*len(x.Proposal)))
	if len(b) > MaxExhibit {
		return nil, fmt.Errorf("exhibit of %d bytes: the most is %d", len(b), MaxExhibit)
	}
	return b, nil
}

// DecodeExhibit reads canonical bytes, and nothing else.
func DecodeExhibit(b []byte) (Exhibit, error) {
	if len(b) > MaxExhibit {
		return Exhibit{}, fmt.Errorf("exhibit of %d bytes: the most is %d", len(b), MaxExhibit)
	}
	var x Exhibit
	if err := decodeStrict(b, &x); err != nil {
		return Exhibit{}, err
	}
	if err := x.validate(); err != nil {
		return Exhibit{}, err
	}
	if !bytes.Equal(x.appendCanonical(make([]byte, 0, len(b))), b) {
		return Exhibit{}, errNotCanonical
	}
	return x, nil
}

func (x *Exhibit) validate() error {
	if x.V != Version {
		return fmt.Errorf("exhibit version %d: this program knows %d", x.V, Version)
	}
	for _, list := range [][]Attr{x.Attrs, x.Facts} {
		for _, a := range list {
			if a.Name == "" || !validText(a.Name) || !validText(a.Value) {
				return fmt.Errorf("exhibit: %q is not a name with a text", a.Name)
			}
			if a.Absent && a.Value != "" {
				return fmt.Errorf("exhibit: %q is absent and has a value", a.Name)
			}
		}
		// One order, so that the same facts are the same bytes.
		for i := 1; i < len(list); i++ {
			if list[i-1].Name >= list[i].Name {
				return fmt.Errorf("exhibit: %q stands after %q", list[i].Name, list[i-1].Name)
			}
		}
	}
	for _, s := range []string{x.Refs, x.RefField, x.Sources} {
		if err := checkText(s); err != nil {
			return fmt.Errorf("exhibit: %w", err)
		}
	}
	return nil
}

// SortAttrs puts a list into the order that an exhibit wants.
func SortAttrs(list []Attr) {
	slices.SortFunc(list, func(a, b Attr) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
}

func (x *Exhibit) appendCanonical(b []byte) []byte {
	c := canon{b: b}
	c.open()
	c.num("v", int64(x.V))
	c.bytes("proposal", x.Proposal)
	c.attrs("attrs", x.Attrs)
	c.optStr("refs", x.Refs)
	c.optStr("ref_field", x.RefField)
	c.optStr("sources", x.Sources)
	c.attrs("facts", x.Facts)
	c.close()
	return c.b
}

func (c *canon) attrs(name string, list []Attr) {
	if len(list) == 0 {
		return
	}
	c.name(name)
	c.openList()
	for _, a := range list {
		c.open()
		c.str("name", a.Name)
		c.str("value", a.Value)
		if a.Absent {
			c.flag("absent", true)
		}
		c.close()
	}
	c.closeList()
}

// keySize of a run's key for digests.
const keySize = 32

// digest is keyed: whoever has the entry alone cannot try out values until one
// fits, and when the key is gone nobody can.
func digest(key, b []byte) string {
	m := hmac.New(sha256.New, key)
	m.Write(b)
	return hex.EncodeToString(m.Sum(nil))
}
