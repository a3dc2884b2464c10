package interp

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value as read, with its place in the text.
type node struct {
	kind    jsontext.Kind // '{' '[' '"' '0' 't' 'f' 'n'
	text    string        // of a string: unescaped; of a number: as written
	members []member      // of an object, in the order of the text
	items   []*node       // of a list
}

type member struct {
	name  string
	value *node
}

// member of an object by name, nil where there is none.
func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// parse reads one JSON object and nothing after it, or says what is wrong with
// the text: the first thing that is, from its start.
func parse(data []byte) (*node, Fault) {
	if len(data) > MaxProposal {
		return nil, FaultSize
	}
	if !utf8.Valid(data) {
		return nil, FaultUTF8
	}
	d := jsontext.NewDecoder(bytes.NewReader(data))
	switch d.PeekKind() {
	case '[', '"', '0', 't', 'f', 'n':
		return nil, FaultNotObject
	}
	object, fault := readValue(d)
	if fault != NoFault {
		return nil, fault
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, FaultTrailing
	}
	return object, NoFault
}

func readValue(d *jsontext.Decoder) (*node, Fault) {
	if k := d.PeekKind(); (k == '{' || k == '[') && d.StackDepth() >= MaxDepth {
		return nil, FaultDepth
	}
	token, err := d.ReadToken()
	if err != nil {
		return nil, syntaxFault(err)
	}
	n := &node{kind: token.Kind()}
	switch n.kind {
	case '"', '0':
		n.text = token.String()
	case '{':
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, syntaxFault(err)
			}
			key := name.String() // the token is only good until the next is read
			value, fault := readValue(d)
			if fault != NoFault {
				return nil, fault
			}
			n.members = append(n.members, member{key, value})
		}
		if _, err := d.ReadToken(); err != nil {
			return nil, syntaxFault(err)
		}
	case '[':
		for d.PeekKind() != ']' {
			item, fault := readValue(d)
			if fault != NoFault {
				return nil, fault
			}
			n.items = append(n.items, item)
		}
		if _, err := d.ReadToken(); err != nil {
			return nil, syntaxFault(err)
		}
	}
	return n, NoFault
}

func syntaxFault(err error) Fault {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return FaultDuplicate
	}
	return FaultSyntax
}
