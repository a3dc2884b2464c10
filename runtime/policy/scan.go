package policy

import (
	"math/bits"
	"unicode/utf8"
)

// scanner walks JSON text that is known to be valid UTF-8. Its methods take the
// index to start at and return the one after what they read, or -1 where the text
// is malformed; then kind and at say how, and nothing more may be read.
//
// It never backs up and has no state but the text, so the same bytes can be
// walked twice: once to see that they are well formed, once against a contract.
type scanner struct {
	src  string
	kind FaultKind
	at   int
}

func (s *scanner) fail(kind FaultKind, at int) int {
	s.kind, s.at = kind, at
	return -1
}

// space skips white space.
func space(src string, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// str reads the string that begins at i. Without escapes it is a part of the
// text and costs nothing.
//
// It skips the bytes that stand for themselves, all but quotes, backslashes and
// control characters, eight in a word: subtracting from each byte borrows into
// its top bit where it was smaller, and the lowest such bit is right, whatever the
// borrow does to those above it.
func (s *scanner) str(i int) (string, int) {
	const (
		ones  = 0x0101010101010101
		tops  = 0x8080808080808080
		quote = ones * '"'
		slash = ones * '\\'
		blank = ones * ' '
	)
	src, j := s.src, i+1
	for len(src)-j >= 8 {
		w := word(src[j : j+8])
		q, b := w^quote, w^slash
		if m := ((w-blank)&^w | (q-ones)&^q | (b-ones)&^b) & tops; m != 0 {
			j += bits.TrailingZeros64(m) / 8
			break
		}
		j += 8
	}
	for ; j < len(src); j++ {
		switch c := src[j]; {
		case c == '"':
			return src[i+1 : j], j + 1
		case c == '\\':
			return s.escaped(i+1, j)
		case c < ' ':
			return "", s.fail(FaultSyntax, j)
		}
	}
	return "", s.fail(FaultSyntax, j)
}

// word is eight bytes as a number, the first lowest. It compiles to one load.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// escaped reads the rest of a string whose first escape is at j.
func (s *scanner) escaped(start, j int) (string, int) {
	src := s.src
	buf := append(make([]byte, 0, 64), src[start:j]...)
	for j < len(src) {
		c := src[j]
		switch {
		case c == '"':
			return string(buf), j + 1
		case c < ' ':
			return "", s.fail(FaultSyntax, j)
		case c != '\\':
			buf = append(buf, c)
			j++
			continue
		}
		if j+1 == len(src) {
			break
		}
		switch c = src[j+1]; c {
		case '"', '\\', '/':
			buf = append(buf, c)
		case 'b':
			buf = append(buf, '\b')
		case 'f':
			buf = append(buf, '\f')
		case 'n':
			buf = append(buf, '\n')
		case 'r':
			buf = append(buf, '\r')
		case 't':
			buf = append(buf, '\t')
		case 'u':
			r, next := codePoint(src, j)
			if next < 0 {
				return "", s.fail(FaultSyntax, j)
			}
			buf = utf8.AppendRune(buf, r)
			j = next
			continue
		default:
			return "", s.fail(FaultSyntax, j)
		}
		j += 2
	}
	return "", s.fail(FaultSyntax, len(src))
}

// codePoint reads \uXXXX at i, or the pair of them that a code point above the
// basic plane takes. Half a pair is no code point: two readers would make
// different texts of it.
func codePoint(src string, i int) (rune, int) {
	r := hex4(src, i)
	switch {
	case r < 0 || r >= 0xDC00 && r <= 0xDFFF:
		return 0, -1
	case r < 0xD800 || r > 0xDFFF:
		return r, i + 6
	}
	low := hex4(src, i+6)
	if low < 0xDC00 || low > 0xDFFF {
		return 0, -1
	}
	return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, i + 12
}

// hex4 is the number of \uXXXX at i, or -1.
func hex4(src string, i int) rune {
	if len(src)-i < 6 || src[i] != '\\' || src[i+1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range []byte(src[i+2 : i+6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// number reads a JSON number.
func (s *scanner) number(i int) int {
	src, j := s.src, i
	if src[j] == '-' {
		j++
	}
	switch {
	case j < len(src) && src[j] == '0':
		j++
	case j < len(src) && src[j] >= '1' && src[j] <= '9':
		j = digits(src, j)
	default:
		return s.fail(FaultSyntax, j)
	}
	if j < len(src) && src[j] == '.' {
		k := digits(src, j+1)
		if k == j+1 {
			return s.fail(FaultSyntax, k)
		}
		j = k
	}
	if j < len(src) && src[j]|0x20 == 'e' {
		j++
		if j < len(src) && (src[j] == '+' || src[j] == '-') {
			j++
		}
		k := digits(src, j)
		if k == j {
			return s.fail(FaultSyntax, k)
		}
		j = k
	}
	return j
}

func digits(src string, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}

// literal reads true, false or null.
func (s *scanner) literal(i int, word string) int {
	if len(s.src)-i < len(word) || s.src[i:i+len(word)] != word {
		return s.fail(FaultSyntax, i)
	}
	return i + len(word)
}

// skip reads a value that stands in a container of this depth, and checks it as
// fully as one that is wanted.
func (s *scanner) skip(i, depth int) int {
	if i >= len(s.src) {
		return s.fail(FaultSyntax, i)
	}
	switch c := s.src[i]; c {
	case '"':
		_, i = s.str(i)
		return i
	case '{', '[':
		if depth == MaxDepth {
			return s.fail(FaultDepth, i)
		}
		if c == '{' {
			return s.skipObject(i, depth+1)
		}
		return s.skipArray(i, depth+1)
	case 't':
		return s.literal(i, "true")
	case 'f':
		return s.literal(i, "false")
	case 'n':
		return s.literal(i, "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.number(i)
	}
	return s.fail(FaultSyntax, i)
}

func (s *scanner) skipObject(i, depth int) int {
	var names names
	i, done := s.open(i, '}')
	for !done {
		at := i
		var name string
		if name, i = s.name(i); i < 0 {
			return -1
		}
		if !names.add(name) {
			return s.fail(FaultDuplicate, at)
		}
		if i = s.colon(i); i < 0 {
			return -1
		}
		if i = s.skip(i, depth); i < 0 {
			return -1
		}
		i, done = s.next(i, '}')
	}
	return i
}

func (s *scanner) skipArray(i, depth int) int {
	i, done := s.open(i, ']')
	for !done {
		if i = s.skip(i, depth); i < 0 {
			return -1
		}
		i, done = s.next(i, ']')
	}
	return i
}

// open steps into the container at i. Where it is empty it is done, and i is
// behind it.
func (s *scanner) open(i int, end byte) (int, bool) {
	i = space(s.src, i+1)
	if i < len(s.src) && s.src[i] == end {
		return i + 1, true
	}
	return i, false
}

// next steps from behind a value to the next one, or behind the container's end.
// After a fault it is done, with -1.
func (s *scanner) next(i int, end byte) (int, bool) {
	i = space(s.src, i)
	if i < len(s.src) {
		switch s.src[i] {
		case ',':
			return space(s.src, i+1), false
		case end:
			return i + 1, true
		}
	}
	return s.fail(FaultSyntax, i), true
}

// name reads a member's name. Whoever reads it looks for its double before the
// colon, so that faults are found in the order of the text.
func (s *scanner) name(i int) (string, int) {
	if i >= len(s.src) || s.src[i] != '"' {
		return "", s.fail(FaultSyntax, i)
	}
	return s.str(i)
}

// colon steps from behind a name to where its value begins.
func (s *scanner) colon(i int) int {
	i = space(s.src, i)
	if i >= len(s.src) || s.src[i] != ':' {
		return s.fail(FaultSyntax, i)
	}
	return space(s.src, i+1)
}

// names is a set of names of one object. Few are compared one by one; many go
// into a map, so that a hostile object costs no more than its length.
type names struct {
	few  [8]string
	n    int
	many map[string]struct{}
}

// add says whether the name is new.
func (n *names) add(name string) bool {
	if n.many != nil {
		if _, dup := n.many[name]; dup {
			return false
		}
		n.many[name] = struct{}{}
		return true
	}
	for _, have := range n.few[:n.n] {
		if have == name {
			return false
		}
	}
	if n.n < len(n.few) {
		n.few[n.n] = name
		n.n++
		return true
	}
	n.many = make(map[string]struct{}, 4*len(n.few))
	for _, have := range n.few {
		n.many[have] = struct{}{}
	}
	n.many[name] = struct{}{}
	return true
}
