package registry

import (
	"math"
	"strconv"
	"strings"

	"github.com/provlang/prov/runtime/policy"
)

// Text is the one spelling of a value: true, -7, 12.50, a member's name, a
// reference's id, or the string itself. A decimal has all the digits of its
// scale. A value outside its field's vocabulary, which no decoder lets through,
// is "".
func Text(f *policy.Field, v policy.Value) string {
	switch f.Kind {
	case policy.KindBool:
		return strconv.FormatBool(v.N != 0)
	case policy.KindInt:
		return strconv.FormatInt(v.N, 10)
	case policy.KindDecimal:
		return decimal(v.N, int(f.Scale))
	case policy.KindEnum:
		if uint64(v.N) < uint64(len(f.Members)) {
			return f.Members[v.N]
		}
		return ""
	default:
		return v.S
	}
}

func decimal(n int64, scale int) string {
	digits := strconv.FormatUint(magnitude(n), 10)
	if scale > 0 {
		if pad := scale + 1 - len(digits); pad > 0 {
			digits = strings.Repeat("0", pad) + digits
		}
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if n < 0 {
		return "-" + digits
	}
	return digits
}

func magnitude(n int64) uint64 {
	if n == math.MinInt64 {
		return 1 << 63
	}
	if n < 0 {
		n = -n
	}
	return uint64(n)
}

// ParseText reads the spelling of Text back, and no other.
func ParseText(f *policy.Field, text string) (policy.Value, bool) {
	v := policy.Value{Set: true}
	switch f.Kind {
	case policy.KindBool:
		if text == "true" {
			v.N = 1
		}
	case policy.KindInt:
		v.N, _ = strconv.ParseInt(text, 10, 64)
	case policy.KindDecimal:
		v.N, _ = strconv.ParseInt(strings.Replace(text, ".", "", 1), 10, 64)
	case policy.KindEnum:
		for i, m := range f.Members {
			if m == text {
				v.N = int64(i)
			}
		}
	default:
		v.S = text
	}
	return v, Text(f, v) == text // whatever was not the one spelling comes out otherwise
}

// Get is an attribute of an entity by name, as its text: what a company that
// keeps its state here reads back. ok is false where the entity is not this
// tenant's or has no such attribute.
func (r *Registry) Get(tenant, kind, id, attr string) (text string, ok bool) {
	k := r.Kind(kind)
	if k < 0 {
		return "", false
	}
	found := r.Lookup(tenant, k, id)
	if found.Status != policy.SubjectFound {
		return "", false
	}
	for i := range r.kinds[k].Attrs {
		f := &r.kinds[k].Attrs[i]
		if f.Name == attr && found.Attrs.Has(i) {
			return Text(f, found.Attrs.Value(i)), true
		}
	}
	return "", false
}
