package jenx

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"unicode"
)

// Ident is a Go identifier that was checked. The zero Ident is not one, and
// using it panics.
type Ident struct{ name string }

func (i Ident) String() string { return i.name }

// must gives the checked text of an identifier.
func (i Ident) must() string {
	if i.name == "" {
		panic("jenx: an identifier that nobody claimed")
	}
	return i.name
}

// Fixed is for the generator's own words, never for a user's. It panics where
// name is not an identifier.
func Fixed(name string) Ident {
	if !token.IsIdentifier(name) {
		panic("jenx: not an identifier: " + name)
	}
	return Ident{name}
}

// Scope hands out identifiers and never the same one twice.
type Scope struct {
	taken map[string]string // identifier -> what has it
}

// NewScope is a scope in which the keywords, the predeclared names and the names
// of the imports are already taken: a declaration that shadowed one would change
// what the code around it means.
func NewScope() *Scope {
	s := &Scope{taken: make(map[string]string)}
	for _, n := range types.Universe.Names() {
		s.taken[n] = "a predeclared name of Go"
	}
	for _, p := range imports {
		s.taken[p.name] = "the name of an import"
	}
	s.taken["init"] = "a name that Go gives a meaning"
	s.taken["main"] = "a name that Go gives a meaning"
	return s
}

// Claim takes the first candidate that is free, for the thing described by what.
// A candidate that is not an identifier is an error, not a candidate.
func (s *Scope) Claim(what string, candidates ...string) (Ident, error) {
	for _, c := range candidates {
		if token.IsKeyword(c) {
			continue
		}
		if !plain(c) || c == "_" {
			return Ident{}, fmt.Errorf("%s: %q is not a name that Go takes", what, c)
		}
		if _, ok := s.taken[c]; !ok {
			s.taken[c] = what
			return Ident{c}, nil
		}
	}
	if len(candidates) == 0 {
		return Ident{}, fmt.Errorf("%s has no name", what)
	}
	c := candidates[0]
	holder := s.taken[c]
	if token.IsKeyword(c) {
		holder = "a keyword of Go"
	}
	return Ident{}, fmt.Errorf("%s would be %s in Go, and so is %s", what, c, holder)
}

// plain says whether s is an identifier in ASCII. Look-alikes from other scripts
// are refused, not transliterated.
func plain(s string) bool {
	for i, r := range s {
		switch {
		case r == '_', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		case '0' <= r && r <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != ""
}

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]bool{
	"acl": true, "api": true, "cpu": true, "db": true, "dns": true, "html": true,
	"http": true, "https": true, "iban": true, "id": true, "io": true, "ip": true,
	"json": true, "os": true, "sku": true, "sql": true, "ssh": true, "tcp": true,
	"tls": true, "ttl": true, "uid": true, "uri": true, "url": true, "utc": true,
	"uuid": true, "vat": true, "vm": true, "xml": true,
}

// Exported turns words of the source into an exported name: blast_radius is
// BlastRadius, invoice_id is InvoiceID. It only joins; Claim checks.
func Exported(words ...string) string {
	var b strings.Builder
	for _, w := range split(words) {
		if initialisms[w] {
			b.WriteString(strings.ToUpper(w))
			continue
		}
		r := []rune(w)
		b.WriteRune(unicode.ToUpper(r[0]))
		b.WriteString(string(r[1:]))
	}
	return b.String()
}

// Unexported is Exported with a small first word: blastRadius, id.
func Unexported(words ...string) string {
	ws := split(words)
	if len(ws) == 0 {
		return ""
	}
	first := ws[0]
	if strings.ToUpper(first) == first {
		first = strings.ToLower(first)
	} else {
		r := []rune(first)
		first = string(unicode.ToLower(r[0])) + string(r[1:])
	}
	return first + Exported(ws[1:]...)
}

// split gives the words between underscores; none where a name has no letters, so
// that what is made of it is no identifier.
func split(words []string) []string {
	var out []string
	for _, w := range words {
		before := len(out)
		for part := range strings.SplitSeq(w, "_") {
			if part != "" {
				out = append(out, part)
			}
		}
		if len(out) == before {
			return nil
		}
	}
	return out
}
