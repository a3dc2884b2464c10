package policy

import "unicode/utf8"

// schema is a list of fields with what the decoder wants beside them.
type schema struct {
	fields []Field
	names  []string
	paths  []string         // by field, declared words only
	other  string           // the path of what is undeclared
	index  map[string]int32 // nil where there are few fields
}

// manyFields is from how many fields on a name is looked up and not searched for.
const manyFields = 16

func newSchema(prefix string, fields []Field) schema {
	s := schema{
		fields: fields,
		names:  make([]string, len(fields)),
		paths:  make([]string, len(fields)),
		other:  prefix + "?",
	}
	if len(fields) >= manyFields {
		s.index = make(map[string]int32, len(fields))
	}
	for i := range fields {
		s.names[i] = fields[i].Name
		s.paths[i] = prefix + fields[i].Name
		if s.index != nil {
			s.index[fields[i].Name] = int32(i)
		}
	}
	return s
}

// find the field of a name, -1 where there is none. Members mostly come in the
// order of the contract, so the one that is due is tried first.
func (s *schema) find(name string, due int) int {
	if due < len(s.names) && s.names[due] == name {
		return due
	}
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return int(i)
		}
		return -1
	}
	for i, n := range s.names {
		if n == name {
			return i
		}
	}
	return -1
}

// decoder is a scanner with what has been found out on the way.
type decoder struct {
	scanner
	fault   Fault  // the first of the schema, by offset
	tenant  string // of the run; "" where nothing may claim one
	claimed bool   // another tenant was named
	refs    bool   // a reference was given
}

// note keeps a fault of the schema if it stands before the one that is kept.
func (d *decoder) note(f Fault) {
	if d.fault.Kind == NoFault || f.Offset < d.fault.Offset {
		d.fault = f
	}
}

// shape is the fault that makes the text malformed.
func (d *decoder) shape(path string) Fault { return Fault{Kind: d.kind, Path: path, Offset: d.at} }

// DecodeRecord decodes one JSON object against fields: every field that is not
// optional must be there, and nothing else may be. The error is a Fault, and then
// the record is empty.
func DecodeRecord(fields []Field, data []byte, rec *Record) error {
	s := newSchema("", fields)
	return s.decode(data, rec, false)
}

// DecodePartial is DecodeRecord where any field may be left out, and no default
// takes its place.
func DecodePartial(fields []Field, data []byte, rec *Record) error {
	s := newSchema("", fields)
	return s.decode(data, rec, true)
}

func (s *schema) decode(data []byte, rec *Record, partial bool) error {
	d := decoder{}
	f := d.whole(data, s, rec, partial)
	if f.Kind != NoFault {
		rec.reset(0)
		return f
	}
	return nil
}

func (d *decoder) whole(data []byte, s *schema, rec *Record, partial bool) Fault {
	i := d.begin(data)
	if i < 0 {
		return d.shape("")
	}
	path := ""
	if i, path = d.object(i, 1, s, rec, partial); i < 0 {
		return d.shape(path)
	}
	if i = space(d.src, i); i < len(d.src) {
		return Fault{Kind: FaultTrailing, Offset: i}
	}
	return d.fault
}

// begin takes the text in and returns the place of the outermost object. The copy
// is the one allocation of a decoding: what is decoded are parts of it, so nobody
// can change a value through the bytes that it came in.
func (d *decoder) begin(data []byte) int {
	if len(data) > MaxProposal {
		return d.fail(FaultSize, MaxProposal)
	}
	d.src = string(data)
	if !utf8.ValidString(d.src) {
		return d.fail(FaultUTF8, invalid(d.src))
	}
	i := space(d.src, 0)
	if i == len(d.src) {
		return d.fail(FaultSyntax, i)
	}
	switch d.src[i] {
	case '{':
		return i
	case '[', '"', 't', 'f', 'n', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return d.fail(FaultNotObject, i)
	}
	return d.fail(FaultSyntax, i)
}

// invalid is where the text stops being UTF-8.
func invalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return len(s)
}

// seen is a set of fields by index.
type seen struct {
	few  [2]uint64
	many []uint64
}

// add says whether i is new.
func (s *seen) add(i int) bool {
	w := i >> 6
	if w < len(s.few) {
		fresh := s.few[w]&(1<<(i&63)) == 0
		s.few[w] |= 1 << (i & 63)
		return fresh
	}
	w -= len(s.few)
	for len(s.many) <= w {
		s.many = append(s.many, 0)
	}
	fresh := s.many[w]&(1<<(i&63)) == 0
	s.many[w] |= 1 << (i & 63)
	return fresh
}

// within is the member in which the text nests too deep; of what is no JSON the
// byte says more than a member would.
func (d *decoder) within(path string) string {
	if d.kind == FaultDepth {
		return path
	}
	return ""
}

// object reads the object at i against the fields of s. What it returns beside
// -1 is the path of the member that stands twice or nests too deep, or "".
func (d *decoder) object(i, depth int, s *schema, rec *Record, partial bool) (int, string) {
	rec.reset(len(s.fields))
	var given seen
	var others names
	due := 0
	i, done := d.open(i, '}')
	for !done {
		at := i
		var name string
		if name, i = d.name(i); i < 0 {
			return -1, ""
		}
		n := s.find(name, due)
		if n < 0 && !others.add(name) {
			return d.fail(FaultDuplicate, at), s.other
		}
		if n >= 0 && !given.add(n) {
			return d.fail(FaultDuplicate, at), s.paths[n]
		}
		if i = d.colon(i); i < 0 {
			return -1, ""
		}
		if n < 0 {
			if i = d.undeclared(name, at, i, depth, s.other); i < 0 {
				return -1, d.within(s.other)
			}
			i, done = d.next(i, '}')
			continue
		}
		due = n + 1
		f := &s.fields[n]
		value := i
		var kind FaultKind
		if i, kind = d.value(i, depth, f, rec.slot(n)); i < 0 {
			return -1, d.within(s.paths[n])
		}
		if kind != NoFault {
			d.note(Fault{Kind: kind, Path: s.paths[n], Offset: value, Line: f.Line})
		} else if f.Kind == KindRef {
			d.refs = true
		}
		i, done = d.next(i, '}')
	}
	if i >= 0 {
		d.absent(s, rec, &given, partial)
	}
	return i, ""
}

// absent gives what was left out its default, or notes that it is missing.
func (d *decoder) absent(s *schema, rec *Record, given *seen, partial bool) {
	if partial {
		return
	}
	for n := range s.fields {
		f := &s.fields[n]
		if f.Optional && f.Default == nil || !given.add(n) {
			continue
		}
		if f.Default == nil {
			d.note(Fault{Kind: FaultMissing, Path: s.paths[n], Offset: len(d.src), Line: f.Line})
			return
		}
		*rec.slot(n) = *f.Default
		d.refs = d.refs || f.Kind == KindRef
	}
}

// undeclared reads the value of a member that nothing declares. That costs the
// proposal its life in any case; a tenant's name among them is worse, since it
// tries to reach into another tenant.
func (d *decoder) undeclared(name string, at, i, depth int, path string) int {
	f := Fault{Kind: FaultUnknownField, Path: path, Offset: at}
	if printable(name) {
		f.Member = name
	}
	d.note(f)
	if (name == "tenant" || name == "tenant_id") && i < len(d.src) && d.src[i] == '"' {
		claim, next := d.str(i)
		d.claimed = d.claimed || next >= 0 && claim != d.tenant
		return next
	}
	return d.skip(i, depth)
}

// printable says whether a name looks like an identifier that a person may be
// shown: nothing else that a model wrote is repeated.
func printable(s string) bool {
	if s == "" || len(s) > 32 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}
