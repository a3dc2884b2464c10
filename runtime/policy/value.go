package policy

import (
	"math"
	"unicode/utf8"
)

// MaxScale is the most digits that a decimal can have after the point.
const MaxScale = 9

var pow10 = [MaxScale + 1]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// value reads the JSON value at i as a value of the field. kind is what keeps it
// from fitting; the value is read to its end either way, at -1 it is malformed.
func (s *scanner) value(i, depth int, f *Field, v *Value) (next int, kind FaultKind) {
	if i >= len(s.src) {
		return s.fail(FaultSyntax, i), NoFault
	}
	c := s.src[i]
	switch f.Kind {
	case KindBool:
		switch c {
		case 't':
			v.N, v.Set = 1, true
			return s.literal(i, "true"), NoFault
		case 'f':
			v.N, v.Set = 0, true
			return s.literal(i, "false"), NoFault
		}
	case KindInt:
		if c == '-' || c-'0' <= 9 {
			if next = s.number(i); next < 0 {
				return next, NoFault
			}
			v.N, kind = parseInt(s.src[i:next], f.Lo, f.Hi)
			v.Set = kind == NoFault
			return next, kind
		}
	default:
		if c == '"' {
			var text string
			if text, next = s.str(i); next < 0 {
				return next, NoFault
			}
			return next, f.text(text, v)
		}
	}
	return s.skip(i, depth), FaultWrongType
}

// text takes the value that a JSON string stands for. Where it does not fit, v is
// left alone.
func (f *Field) text(s string, v *Value) (kind FaultKind) {
	switch f.Kind {
	case KindDecimal:
		var n int64
		if n, kind = parseDecimal(s, int(f.Scale)); kind == NoFault {
			v.N, v.Set = n, true
		}
		return kind
	case KindEnum:
		n := member(f.Members, s)
		if n < 0 {
			return FaultNotAMember
		}
		v.N, v.Set = n, true
		return NoFault
	case KindRef:
		kind = id(s)
	case KindString:
		kind = f.fits(s)
	default:
		return FaultWrongType
	}
	if kind == NoFault {
		v.S, v.Set = s, true
	}
	return kind
}

// member is the ordinal of a name, -1 where there is none.
func member(members []string, s string) int64 {
	for i := range members {
		if members[i] == s {
			return int64(i)
		}
	}
	return -1
}

// id says what is wrong with the id of something in the registry.
func id(s string) FaultKind {
	switch {
	case s == "":
		return FaultTooShort
	case len(s) > MaxID:
		return FaultTooLong
	}
	return NoFault
}

// fits says what keeps a string from fitting its field.
func (f *Field) fits(s string) FaultKind {
	n := int64(len(s))
	if n < f.Lo {
		return FaultTooShort // never fewer bytes than code points
	}
	if n > f.Hi {
		if n = int64(utf8.RuneCountInString(s)); n > f.Hi {
			return FaultTooLong
		}
	}
	if f.Lo > 1 {
		if n = int64(utf8.RuneCountInString(s)); n < f.Lo {
			return FaultTooShort
		}
	}
	if f.Pattern != nil && !f.Pattern.Match(s) {
		return FaultPattern
	}
	return NoFault
}

// parseInt reads a JSON number as an integer of lo..hi. 1.0 and 1e3 are numbers
// and not integers as a contract writes them.
func parseInt(s string, lo, hi int64) (int64, FaultKind) {
	digits, neg := s, false
	if s[0] == '-' {
		digits, neg = s[1:], true
	}
	n, kind := accumulate(0, digits, NoFault)
	if kind != NoFault {
		return 0, kind
	}
	v, ok := signed(n, neg)
	if !ok || v < lo || v > hi {
		return 0, FaultOutOfRange
	}
	return v, NoFault
}

// parseDecimal reads a numeral as a number scaled by 10^scale. Fewer digits after
// the point than the scale are fine, more are not, nor is a zero with a sign.
func parseDecimal(s string, scale int) (int64, FaultKind) {
	whole, frac, neg := s, "", false
	if s != "" && s[0] == '-' {
		whole, neg = s[1:], true
	}
	for i := range len(whole) {
		if whole[i] == '.' {
			whole, frac = whole[:i], whole[i+1:]
			if frac == "" {
				return 0, FaultNumeral
			}
			break
		}
	}
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return 0, FaultNumeral
	}
	n, kind := accumulate(0, whole, NoFault)
	n, kind = accumulate(n, frac, kind)
	switch {
	case kind == FaultNumeral:
		return 0, kind
	case neg && n == 0 && kind == NoFault:
		return 0, FaultNumeral
	case len(frac) > scale:
		return 0, FaultScale
	case kind != NoFault:
		return 0, kind
	}
	for range scale - len(frac) {
		if n > math.MaxUint64/10 {
			return 0, FaultOutOfRange
		}
		n *= 10
	}
	v, ok := signed(n, neg)
	if !ok {
		return 0, FaultOutOfRange
	}
	return v, NoFault
}

// accumulate reads digits onto n. It reads to the end even where the number is
// too large, since a text that is no numeral is that first.
func accumulate(n uint64, s string, kind FaultKind) (uint64, FaultKind) {
	for i := range len(s) {
		c := uint64(s[i] - '0')
		if c > 9 {
			return 0, FaultNumeral
		}
		if n > (math.MaxUint64-9)/10 {
			kind = FaultOutOfRange
			continue
		}
		n = n*10 + c
	}
	return n, kind
}

func signed(n uint64, neg bool) (int64, bool) {
	if neg {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n <= math.MaxInt64
}
