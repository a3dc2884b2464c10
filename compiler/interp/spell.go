package interp

import (
	"encoding/json"

	"github.com/provlang/prov/compiler/ir"
)

// Proposal writes a call as a model would send it.
func Proposal(p *ir.Policy, call *ir.Call) []byte {
	object := map[string]any{"tool": call.Tool.Name}
	if call.Tool.Target != nil {
		object["target"] = call.Target
	}
	if args := members(call.Tool.Args, call.Args); len(args) > 0 {
		object["args"] = args
	}
	if call.Cause >= 0 && p.Cause != nil {
		object["cause"] = p.Cause.Members[call.Cause].Name
	}
	return text(object)
}

// Record writes values of fields as one object, without those that are nil.
func Record(fields []*ir.Field, values []*ir.Value) []byte {
	return text(members(fields, values))
}

func members(fields []*ir.Field, values []*ir.Value) map[string]any {
	object := map[string]any{}
	for i, v := range values {
		if v != nil {
			object[fields[i].Name] = jsonValue(fields[i].Type, *v)
		}
	}
	return object
}

func jsonValue(t *ir.Type, v ir.Value) any {
	switch t.Kind {
	case ir.Bool:
		return v.N != 0
	case ir.Int:
		return v.N
	case ir.Decimal:
		return decimalText(v.N, t.Scale)
	case ir.EnumType:
		return t.Enum.Members[v.N].Name
	}
	return v.S
}

func text(object map[string]any) []byte {
	out, err := json.Marshal(object)
	if err != nil {
		panic("interp: " + err.Error()) // it holds strings, numbers and maps of them
	}
	return out
}
