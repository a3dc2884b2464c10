package policy

// schema is a list of fields with what the decoder wants beside them.
type schema struct {
	fields []Field
	paths  []string // by field
}

func newSchema(prefix string, fields []Field) schema {
	s := schema{fields: fields, paths: make([]string, len(fields))}
	for i := range fields {
		s.paths[i] = prefix + fields[i].Name
	}
	return s
}

// DecodeRecord decodes one JSON object against fields: every field that is not
// optional must be there, and nothing else may be. The error is a Fault.
func DecodeRecord(fields []Field, data []byte, rec *Record) error {
	s := newSchema("", fields)
	return s.decode(data, rec, false)
}

// DecodePartial is DecodeRecord where any field may be left out.
func DecodePartial(fields []Field, data []byte, rec *Record) error {
	s := newSchema("", fields)
	return s.decode(data, rec, true)
}

func (s *schema) decode(data []byte, rec *Record, partial bool) error { return Fault{Kind: FaultSyntax} }

// Decode decodes a proposal into pr, for a run of the tenant. It never fails:
// what is wrong is the proposal's Fault, and the gate's to refuse.
func (p *Policy) Decode(data []byte, tenant string, pr *Proposal) {
	*pr = Proposal{}
}

// AppendCanonical appends the one spelling of what a proposal asks for: tool,
// target, arguments in contract order, cause; not what it rests on.
func (p *Policy) AppendCanonical(dst []byte, pr *Proposal) []byte { return dst }
