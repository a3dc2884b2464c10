package policy

import "unicode/utf8"

// Match says whether the whole of s matches. s is valid UTF-8.
func (p *Pattern) Match(s string) bool {
	state := 0
	for i := 0; i < len(s); {
		var class int
		if c := s[i]; c < utf8.RuneSelf {
			class = int(p.ASCII[c])
			i++
		} else {
			r, n := utf8.DecodeRuneInString(s[i:])
			class = p.class(r)
			i += n
		}
		next := p.Next[state*int(p.Classes)+class]
		if next == Dead {
			return false
		}
		state = int(next)
	}
	return p.Accept[state] == '1'
}

// class of a code point of 128 and above: the range that holds it, by halves.
func (p *Pattern) class(r rune) int {
	lo, hi := 0, len(p.Ranges)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch {
		case r < p.Ranges[mid].Lo:
			hi = mid
		case r > p.Ranges[mid].Hi:
			lo = mid + 1
		default:
			return int(p.Ranges[mid].Class)
		}
	}
	return 0
}
