package interp

import (
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/provlang/prov/compiler/ir"
)

// proposal is what a model's bytes say under a policy.
type proposal struct {
	tool    *ir.Tool    // nil where the program has none of that name
	target  string      // "" where the contract acts on nothing, or none was given
	args    []*ir.Value // by argument, defaults filled in; nil where there is none
	sources []string    // that it rests on
	claims  bool        // another tenant than the run's is named

	// The first fault of the schema, and what it is about. pos is the field's
	// declaration, the tool's where no declared field is at fault.
	fault Fault
	field string
	pos   ir.Pos
}

// read decodes a proposal. The fault is one of the shape; a fault of the schema
// is in the proposal, since the rungs before the schema are asked all the same.
func (m *Machine) read(c Case) (*proposal, Fault) {
	object, fault := parse(c.Proposal)
	if fault != NoFault {
		return nil, fault
	}
	named := object.member("tool")
	if named == nil || named.kind != '"' {
		return nil, FaultNoTool
	}
	p := &proposal{tool: m.tools[named.text]}
	if p.tool == nil {
		return p, NoFault
	}
	r := &reader{proposal: p, policy: c.Policy, tenant: c.Tenant}
	r.object(object)
	return p, NoFault
}

// reader fits a well-formed object to a contract.
type reader struct {
	*proposal
	policy *ir.Policy
	tenant string
}

// blame records the first fault. Members are visited in the order of the text,
// and what is missing is looked for after everything that is there.
func (r *reader) blame(fault Fault, field string, pos ir.Pos) {
	if r.fault == NoFault {
		r.fault, r.field, r.pos = fault, field, pos
	}
}

func (r *reader) object(object *node) {
	for _, m := range object.members {
		switch {
		case m.name == "tool":
		case m.name == "target" && r.tool.Target != nil:
			r.target, _ = r.id(m.value, "target")
		case m.name == "args":
			r.arguments(m.value)
		case m.name == "rests_on":
			r.restsOn(m.value)
		case m.name == "cause" && r.policy.Cause != nil:
			cause := &ir.Type{Kind: ir.EnumType, Enum: r.policy.Cause}
			if _, fault := decode(cause, m.value); fault != NoFault {
				r.blame(fault, "cause", r.tool.Pos)
			}
		default:
			r.undeclared(m, "")
		}
	}
	r.absent(object)
}

// absent finds what is missing, the target before the arguments in their order,
// and fills in defaults.
func (r *reader) absent(object *node) {
	if r.tool.Target != nil && object.member("target") == nil {
		r.blame(FaultMissing, "target", r.tool.Pos)
	}
	if r.args == nil {
		r.args = make([]*ir.Value, len(r.tool.Args))
	}
	given := object.member("args")
	for i, arg := range r.tool.Args {
		switch {
		case given != nil && given.member(arg.Name) != nil: // read, or blamed
		case !arg.Optional:
			r.blame(FaultMissing, "args."+arg.Name, arg.Pos)
		default:
			r.args[i] = arg.Default
		}
	}
}

func (r *reader) arguments(args *node) {
	if args.kind != '{' {
		r.blame(FaultWrongType, "args", r.tool.Pos)
		return
	}
	r.args = make([]*ir.Value, len(r.tool.Args))
	for _, m := range args.members {
		i := r.tool.Arg(m.name)
		if i < 0 {
			r.undeclared(m, "args.")
			continue
		}
		arg := r.tool.Args[i]
		value, fault := decode(arg.Type, m.value)
		if fault != NoFault {
			r.blame(fault, "args."+arg.Name, arg.Pos)
			continue
		}
		r.args[i] = &value
	}
}

func (r *reader) restsOn(list *node) {
	if list.kind != '[' {
		r.blame(FaultWrongType, "rests_on", r.tool.Pos)
		return
	}
	items := list.items
	if len(items) > MaxSources {
		r.blame(FaultTooMany, "rests_on", r.tool.Pos)
		items = items[:MaxSources]
	}
	for _, item := range items {
		if id, ok := r.id(item, "rests_on"); ok {
			r.sources = append(r.sources, id)
		}
	}
}

// id reads the id of something that exists, or does not.
func (r *reader) id(n *node, field string) (string, bool) {
	v, fault := decode(&ir.Type{Kind: ir.Ref}, n)
	if fault != NoFault {
		r.blame(fault, field, r.tool.Pos)
		return "", false
	}
	return v.S, true
}

// undeclared is a member that contract and policy do not know; a target is one
// where the tool acts on nothing. What a model made up is not repeated. A member
// that names a tenant is watched for: it is an attempt to act for another, unless
// it names our own.
func (r *reader) undeclared(m member, path string) {
	if (m.name == "tenant" || m.name == "tenant_id") && m.value.kind == '"' && m.value.text != r.tenant {
		r.claims = true
	}
	r.blame(FaultUnknownField, path+"?", r.tool.Pos)
}

var (
	integerForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	decimalForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	minusZero   = regexp.MustCompile(`^-[0.]+$`) // of what one of the others matches
)

// decode reads one value of a type.
func decode(t *ir.Type, n *node) (ir.Value, Fault) {
	switch t.Kind {
	case ir.Bool:
		switch n.kind {
		case 't':
			return ir.Value{N: 1}, NoFault
		case 'f':
			return ir.Value{N: 0}, NoFault
		}
		return ir.Value{}, FaultWrongType
	case ir.Int:
		if n.kind != '0' {
			return ir.Value{}, FaultWrongType
		}
		return decodeInt(t, n.text)
	}
	if n.kind != '"' {
		return ir.Value{}, FaultWrongType
	}
	switch t.Kind {
	case ir.Decimal:
		return decodeDecimal(t, n.text)
	case ir.EnumType:
		i := t.Enum.Index(n.text)
		if i < 0 {
			return ir.Value{}, FaultNotAMember
		}
		return ir.Value{N: int64(i)}, NoFault
	case ir.Ref:
		switch {
		case n.text == "":
			return ir.Value{}, FaultTooShort
		case len(n.text) > MaxID:
			return ir.Value{}, FaultTooLong
		}
		return ir.Value{S: n.text}, NoFault
	}
	return decodeString(t, n.text)
}

func decodeInt(t *ir.Type, text string) (ir.Value, Fault) {
	if !integerForm.MatchString(text) {
		return ir.Value{}, FaultNumeral
	}
	v, _ := new(big.Int).SetString(text, 10)
	if v.Cmp(big.NewInt(t.Lo)) < 0 || v.Cmp(big.NewInt(t.Hi)) > 0 {
		return ir.Value{}, FaultOutOfRange
	}
	return ir.Value{N: v.Int64()}, NoFault
}

func decodeDecimal(t *ir.Type, text string) (ir.Value, Fault) {
	if !decimalForm.MatchString(text) || minusZero.MatchString(text) {
		return ir.Value{}, FaultNumeral
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > t.Scale {
		return ir.Value{}, FaultScale
	}
	scaled := whole + fraction + strings.Repeat("0", t.Scale-len(fraction))
	v, _ := new(big.Int).SetString(scaled, 10)
	if !v.IsInt64() {
		return ir.Value{}, FaultOutOfRange
	}
	return ir.Value{N: v.Int64()}, NoFault
}

func decodeString(t *ir.Type, text string) (ir.Value, Fault) {
	length := int64(utf8.RuneCountInString(text))
	switch {
	case length < t.Lo:
		return ir.Value{}, FaultTooShort
	case length > t.Hi:
		return ir.Value{}, FaultTooLong
	case t.Pattern != nil && !regexp.MustCompile(`\A(?:`+t.Pattern.Source+`)\z`).MatchString(text):
		return ir.Value{}, FaultPattern
	}
	return ir.Value{S: text}, NoFault
}
