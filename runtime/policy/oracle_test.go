package policy_test

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/provlang/prov/runtime/policy"
)

// The oracle is a second decoder, written for clarity: a tree of tokens from
// another JSON library, numbers by math/big, patterns by regexp. It shares no
// code with the first.

type tree struct {
	kind    jsontext.Kind
	text    string // of a string: unescaped; of a number: as written
	names   []string
	members []*tree // of an object, by name; of a list
}

func (n *tree) member(name string) *tree {
	if i := slices.Index(n.names, name); i >= 0 {
		return n.members[i]
	}
	return nil
}

func grow(data []byte) (*tree, policy.FaultKind) {
	if len(data) > policy.MaxProposal {
		return nil, policy.FaultSize
	}
	if !utf8.Valid(data) {
		return nil, policy.FaultUTF8
	}
	first := bytes.TrimLeft(data, " \t\r\n")
	if len(first) > 0 && first[0] != '{' && strings.ContainsRune(`["tfn-0123456789`, rune(first[0])) {
		return nil, policy.FaultNotObject
	}
	d := jsontext.NewDecoder(bytes.NewReader(data))
	n, kind := growValue(d)
	if kind != policy.NoFault {
		return nil, kind
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, policy.FaultTrailing
	}
	return n, policy.NoFault
}

func growValue(d *jsontext.Decoder) (*tree, policy.FaultKind) {
	if k := d.PeekKind(); (k == '{' || k == '[') && d.StackDepth() >= policy.MaxDepth {
		return nil, policy.FaultDepth
	}
	tok, err := d.ReadToken()
	if err != nil {
		return nil, shapeOf(err)
	}
	n := &tree{kind: tok.Kind(), text: tok.String()}
	if n.kind != '{' && n.kind != '[' {
		return n, policy.NoFault
	}
	for d.PeekKind() != n.kind+2 { // { and }, [ and ] stand two apart
		if n.kind == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, shapeOf(err)
			}
			n.names = append(n.names, name.String())
		}
		m, kind := growValue(d)
		if kind != policy.NoFault {
			return nil, kind
		}
		n.members = append(n.members, m)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, shapeOf(err)
	}
	return n, policy.NoFault
}

func shapeOf(err error) policy.FaultKind {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return policy.FaultDuplicate
	}
	return policy.FaultSyntax
}

// answer is what a decoding comes to.
type answer struct {
	Kind    policy.FaultKind
	Path    string
	Tool    int32
	Named   string
	Target  string
	Args    []policy.Value
	RestsOn []string
	Cause   int32
	Claimed bool
	Refs    bool
}

type oracle struct {
	spec   *policy.Spec
	tenant string
	answer
}

func ask(spec *policy.Spec, data []byte, tenant string) answer {
	top, kind := grow(data)
	if kind != policy.NoFault {
		return answer{Kind: kind, Tool: -1, Cause: -1}
	}
	named := top.member("tool")
	if named == nil || named.kind != '"' {
		return answer{Kind: policy.FaultNoTool, Tool: -1, Cause: -1, Path: "tool"}
	}
	o := oracle{spec: spec, tenant: tenant, answer: answer{Tool: -1, Named: named.text, Cause: -1}}
	for i := range spec.Package.Tools {
		if spec.Package.Tools[i].Name == named.text {
			o.Tool = int32(i)
		}
	}
	if o.Tool < 0 {
		return o.answer // what else stands in it is read by nobody
	}
	o.proposal(top, &spec.Package.Tools[o.Tool])
	return o.answer
}

func (o *oracle) blame(kind policy.FaultKind, path string) {
	if o.Kind == policy.NoFault {
		o.Kind, o.Path = kind, path
	}
}

func (o *oracle) proposal(top *tree, t *policy.Tool) {
	args := &tree{kind: '{'}
	for i, name := range top.names {
		v := top.members[i]
		switch {
		case name == "tool":
		case name == "target" && t.Entity >= 0:
			o.Target = o.text(v, "target", &policy.Field{Kind: policy.KindRef})
		case name == "args" && v.kind != '{':
			o.blame(policy.FaultWrongType, "args")
		case name == "args":
			args = v
			for j, name := range v.names {
				if k := slices.IndexFunc(t.Args, func(f policy.Field) bool { return f.Name == name }); k >= 0 {
					o.value(v.members[j], "args."+name, &t.Args[k])
				} else {
					o.foreign(name, v.members[j], "args.?")
				}
			}
		case name == "rests_on" && v.kind != '[':
			o.blame(policy.FaultWrongType, "rests_on")
		case name == "rests_on":
			// The faults of a list of too many are its own before its elements'.
			if len(v.members) > policy.MaxRestsOn {
				o.blame(policy.FaultTooMany, "rests_on")
			}
			for _, m := range v.members {
				o.RestsOn = append(o.RestsOn, o.text(m, "rests_on", &policy.Field{Kind: policy.KindRef}))
			}
		case name == "cause" && o.spec.Cause != nil:
			if n := o.value(v, "cause", &policy.Field{Kind: policy.KindEnum, Members: o.spec.Cause}); n.Set {
				o.Cause = int32(n.N)
			}
		default:
			o.foreign(name, v, "?")
		}
	}
	if t.Entity >= 0 && top.member("target") == nil {
		o.blame(policy.FaultMissing, "target")
	}
	o.Args = make([]policy.Value, len(t.Args))
	for i := range t.Args {
		f := &t.Args[i]
		v := args.member(f.Name)
		switch {
		case v != nil && (top.member("args") == nil || top.member("args").kind == '{'):
			o.Args[i] = (&oracle{spec: o.spec}).value(v, "", f)
		case top.member("args") != nil && top.member("args").kind != '{':
		case f.Default != nil:
			o.Args[i] = *f.Default
		case !f.Optional:
			o.blame(policy.FaultMissing, "args."+f.Name)
		}
		o.Refs = o.Refs || f.Kind == policy.KindRef && o.Args[i].Set
	}
}

func (o *oracle) foreign(name string, v *tree, path string) {
	o.blame(policy.FaultUnknownField, path)
	if (name == "tenant" || name == "tenant_id") && v.kind == '"' && v.text != o.tenant {
		o.Claimed = true
	}
}

func (o *oracle) text(v *tree, path string, f *policy.Field) string { return o.value(v, path, f).S }

func (o *oracle) value(v *tree, path string, f *policy.Field) policy.Value {
	val, kind := oracleValue(v, f)
	if kind != policy.NoFault {
		o.blame(kind, path)
		return policy.Value{}
	}
	val.Set = true
	return val
}

var (
	oracleInt     = regexp.MustCompile(`\A-?(0|[1-9][0-9]*)\z`)
	oracleDecimal = regexp.MustCompile(`\A-?(0|[1-9][0-9]*)(\.[0-9]+)?\z`)
	oracleMinus0  = regexp.MustCompile(`\A-[0.]*\z`)
)

func oracleValue(v *tree, f *policy.Field) (policy.Value, policy.FaultKind) {
	none := policy.Value{}
	switch f.Kind {
	case policy.KindBool:
		switch v.kind {
		case 't':
			return policy.Value{N: 1}, policy.NoFault
		case 'f':
			return policy.Value{}, policy.NoFault
		}
		return none, policy.FaultWrongType
	case policy.KindInt:
		if v.kind != '0' {
			return none, policy.FaultWrongType
		}
		if !oracleInt.MatchString(v.text) {
			return none, policy.FaultNumeral
		}
		n, _ := new(big.Int).SetString(v.text, 10)
		if n.Cmp(big.NewInt(f.Lo)) < 0 || n.Cmp(big.NewInt(f.Hi)) > 0 {
			return none, policy.FaultOutOfRange
		}
		return policy.Value{N: n.Int64()}, policy.NoFault
	}
	if v.kind != '"' {
		return none, policy.FaultWrongType
	}
	switch f.Kind {
	case policy.KindDecimal:
		if !oracleDecimal.MatchString(v.text) || oracleMinus0.MatchString(v.text) {
			return none, policy.FaultNumeral
		}
		whole, frac, _ := strings.Cut(v.text, ".")
		if len(frac) > int(f.Scale) {
			return none, policy.FaultScale
		}
		n, _ := new(big.Int).SetString(whole+frac+strings.Repeat("0", int(f.Scale)-len(frac)), 10)
		if !n.IsInt64() {
			return none, policy.FaultOutOfRange
		}
		return policy.Value{N: n.Int64()}, policy.NoFault
	case policy.KindEnum:
		if i := slices.Index(f.Members, v.text); i >= 0 {
			return policy.Value{N: int64(i)}, policy.NoFault
		}
		return none, policy.FaultNotAMember
	case policy.KindRef:
		switch {
		case v.text == "":
			return none, policy.FaultTooShort
		case len(v.text) > policy.MaxID:
			return none, policy.FaultTooLong
		}
		return policy.Value{S: v.text}, policy.NoFault
	}
	switch n := int64(utf8.RuneCountInString(v.text)); {
	case n < f.Lo:
		return none, policy.FaultTooShort
	case n > f.Hi:
		return none, policy.FaultTooLong
	case f.Pattern != nil && !regexp.MustCompile(`\A(?:`+f.Pattern.Source+`)\z`).MatchString(v.text):
		return none, policy.FaultPattern
	}
	return policy.Value{S: v.text}, policy.NoFault
}
