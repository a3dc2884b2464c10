package policy

// inlineValues is how many values a Record holds without a second allocation.
const inlineValues = 12

// Record is a list of decoded values against a list of fields, by index. An
// index that there is no value for reads as not given. The zero Record is empty.
//
// A copy is independent: nothing writes to what a Record shares with its copies.
type Record struct {
	first [inlineValues]Value
	rest  []Value
	n     int32
}

// NewRecord is the record of these values.
func NewRecord(values ...Value) Record {
	var r Record
	r.reset(len(values))
	for i, v := range values {
		*r.slot(i) = v
	}
	return r
}

// Len is the number of fields, given or not.
func (r *Record) Len() int { return int(r.n) }

// unset is what an index that there is no value for reads as. Nobody writes to it.
var unset Value

func (r *Record) at(i int) *Value {
	if uint(i) < inlineValues {
		return &r.first[i]
	}
	if i -= inlineValues; uint(i) < uint(len(r.rest)) {
		return &r.rest[i]
	}
	return &unset
}

// Has says whether field i was given, or has a default.
func (r *Record) Has(i int) bool { return r.at(i).Set }

// Int of a bool, int, decimal or enum field; 0 where it was not given.
func (r *Record) Int(i int) int64 { return r.at(i).N }

// Text of a string or ref field; "" where it was not given.
func (r *Record) Text(i int) string { return r.at(i).S }

// Value is field i as a whole.
func (r *Record) Value(i int) Value { return *r.at(i) }

// reset empties the record and makes room for n fields. The tail is always new:
// a copy may still hold the old one.
func (r *Record) reset(n int) {
	clear(r.first[:min(int(r.n), inlineValues)])
	r.rest = nil
	if n > inlineValues {
		r.rest = make([]Value, n-inlineValues)
	}
	r.n = int32(n)
}

// slot is where field i < Len is written.
func (r *Record) slot(i int) *Value {
	if i < inlineValues {
		return &r.first[i]
	}
	return &r.rest[i-inlineValues]
}
