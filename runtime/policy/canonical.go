package policy

import "strconv"

// AppendCanonical appends the one spelling of what a proposal asks for: tool,
// target, arguments in the order of the contract with defaults filled in, and
// cause; not what it rests on, since the same action on other grounds is the same
// action. Equal proposals of different spelling give equal bytes, and decoding
// the bytes gives the proposal.
//
// A proposal that another policy decoded, or that the gate would refuse for its
// shape, tool or schema, has no such spelling: nothing is appended.
func (p *Policy) AppendCanonical(dst []byte, pr *Proposal) []byte {
	if !pr.By(p) || !pr.Fits() || pr.contract == nil {
		return dst
	}
	t := &p.spec.Package.Tools[pr.contract.index]
	dst = append(dst, `{"tool":`...)
	dst = appendString(dst, t.Name)
	if t.Entity >= 0 {
		dst = append(dst, `,"target":`...)
		dst = appendString(dst, pr.Target)
	}
	dst = append(dst, `,"args":`...)
	dst = appendRecord(dst, t.Args, &pr.Args)
	if pr.Cause >= 0 {
		dst = append(dst, `,"cause":`...)
		dst = appendString(dst, p.spec.Cause[pr.Cause])
	}
	return append(dst, '}')
}

// AppendRecord appends the canonical JSON of a record: the fields that are set,
// in order.
func AppendRecord(dst []byte, fields []Field, rec *Record) []byte {
	return appendRecord(dst, fields, rec)
}

func appendRecord(dst []byte, fields []Field, rec *Record) []byte {
	dst = append(dst, '{')
	first := true
	for i := range fields {
		if !rec.Has(i) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendString(dst, fields[i].Name)
		dst = append(dst, ':')
		dst = appendValue(dst, &fields[i], rec.Value(i))
	}
	return append(dst, '}')
}

func appendValue(dst []byte, f *Field, v Value) []byte {
	switch f.Kind {
	case KindBool:
		return strconv.AppendBool(dst, v.N != 0)
	case KindInt:
		return strconv.AppendInt(dst, v.N, 10)
	case KindDecimal:
		return appendDecimal(dst, v.N, int(f.Scale))
	case KindEnum:
		if uint64(v.N) < uint64(len(f.Members)) {
			return appendString(dst, f.Members[v.N])
		}
		return append(dst, "null"...) // no decoder makes one
	}
	return appendString(dst, v.S)
}

// appendDecimal writes all digits of the scale.
func appendDecimal(dst []byte, n int64, scale int) []byte {
	dst = append(dst, '"')
	u := uint64(n)
	if n < 0 {
		dst = append(dst, '-')
		u = -u
	}
	dst = strconv.AppendUint(dst, u/uint64(pow10[scale]), 10)
	if scale > 0 {
		dst = append(dst, '.')
		frac := u % uint64(pow10[scale])
		for i := scale - 1; i >= 0; i-- {
			dst = append(dst, byte('0'+frac/uint64(pow10[i])%10))
		}
	}
	return append(dst, '"')
}

// appendString writes a JSON string with as few escapes as JSON allows, the short
// ones where there are any (RFC 8785, section 3.2.2.2).
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&0xf])
		}
	}
	return append(dst, '"')
}
