package policy

import "strconv"

// FaultKind says why bytes were refused. The list is closed; the names are in
// ledgers. The zero value is no fault.
type FaultKind uint8

const (
	NoFault FaultKind = iota

	// Of the shape: what came is not one object of the agreed form, and nothing
	// in it is read.
	FaultSize      // over MaxProposal bytes
	FaultUTF8      // not valid UTF-8
	FaultSyntax    // not JSON
	FaultNotObject // JSON, and not an object
	FaultTrailing  // something after the object
	FaultDuplicate // a member stands twice in one object, at any level
	FaultDepth     // nested deeper than MaxDepth
	FaultNoTool    // `tool` is missing, or is not a string

	// Of the schema: an object that does not fit its fields.
	FaultUnknownField
	FaultMissing
	FaultWrongType // null included
	FaultOutOfRange
	FaultTooShort
	FaultTooLong
	FaultPattern
	FaultNotAMember
	FaultScale   // more digits after the point than the field has
	FaultNumeral // not written as the one spelling of a number
	FaultTooMany

	faultEnd
)

var faultNames = [...]string{
	NoFault:           "none",
	FaultSize:         "size",
	FaultUTF8:         "utf8",
	FaultSyntax:       "syntax",
	FaultNotObject:    "not_object",
	FaultTrailing:     "trailing",
	FaultDuplicate:    "duplicate",
	FaultDepth:        "depth",
	FaultNoTool:       "no_tool",
	FaultUnknownField: "unknown_field",
	FaultMissing:      "missing",
	FaultWrongType:    "wrong_type",
	FaultOutOfRange:   "out_of_range",
	FaultTooShort:     "too_short",
	FaultTooLong:      "too_long",
	FaultPattern:      "pattern",
	FaultNotAMember:   "not_a_member",
	FaultScale:        "scale",
	FaultNumeral:      "numeral",
	FaultTooMany:      "too_many",
}

var _ [faultEnd]struct{} = [len(faultNames)]struct{}{}

func (k FaultKind) String() string { return name(faultNames[:], k) }

// FaultKinds is the closed list.
func FaultKinds() []FaultKind { return list[FaultKind](faultNames[:]) }

// ParseFaultKind reads a name back.
func ParseFaultKind(s string) (FaultKind, bool) { return parse[FaultKind](faultNames[:], s) }

// Malformed says that the fault is of the shape, not of the schema.
func (k FaultKind) Malformed() bool { return k >= FaultSize && k <= FaultNoTool }

// Fault is the first thing that was wrong, by its place in the text; what is
// missing comes after everything that is there.
type Fault struct {
	Kind FaultKind
	// Path names the member, in declared words only: "target", "args.amount". An
	// undeclared member is "?", so that nothing a model wrote enters a ledger.
	Path string
	// Member is the name of the undeclared member where it looks like an
	// identifier of at most 32 characters. It is for people, and for nothing else.
	Member string
	Offset int // byte in the text, for people
	Line   Pos // of the field's declaration, where it has one
}

// Where is the path as a person wants it: with the undeclared member's name.
func (f Fault) Where() string {
	if f.Member == "" {
		return f.Path
	}
	return f.Path[:len(f.Path)-1] + f.Member // the path of what is undeclared ends in "?"
}

// Error is for people; a ledger takes Kind and Path.
func (f Fault) Error() string {
	if w := f.Where(); w != "" {
		return w + ": " + f.Kind.String()
	}
	return f.Kind.String() + " at byte " + strconv.Itoa(f.Offset)
}
