package policy

import "time"

// Policy is an opened policy: checked, copied and laid out for the gate. It is
// immutable and safe for use by several runs at once. Open is the only way to
// one; the zero Policy decodes nothing and allows nothing.
type Policy struct {
	spec      *Spec // the copy; nothing outside holds a part of it
	contracts []Contract
	tools     map[string]int32
	args      []schema // by tool
	results   []schema // by tool
	attrs     []schema // by entity
	inputs    schema
}

// Name of the policy; "" of the zero Policy.
func (p *Policy) Name() string {
	if p.spec == nil {
		return ""
	}
	return p.spec.Name
}

// Digest of the package's sources: 64 hex digits.
func (p *Policy) Digest() string {
	if p.spec == nil {
		return ""
	}
	return p.spec.Package.Digest
}

// Spec is a copy of what the policy was opened from, for whoever lists, explains
// or runs tools. Changing it changes nothing. It is made anew by each call: keep it.
func (p *Policy) Spec() *Spec {
	if p.spec == nil {
		return &Spec{Package: &Package{}}
	}
	return cloneSpec(p.spec)
}

// Tools is the number of tools in the package.
func (p *Policy) Tools() int { return len(p.contracts) }

// ToolIndex of a name, -1 where the package has no such tool.
func (p *Policy) ToolIndex(name string) int32 {
	if i, ok := p.tools[name]; ok {
		return i
	}
	return -1
}

// ToolName of an index, "" out of range.
func (p *Policy) ToolName(tool int32) string {
	if uint(tool) >= uint(len(p.contracts)) {
		return ""
	}
	return p.spec.Package.Tools[tool].Name
}

// MaxSteps is how many steps a run may take; 0 of the zero Policy.
func (p *Policy) MaxSteps() int64 {
	if p.spec == nil {
		return 0
	}
	return int64(p.spec.MaxSteps)
}

// Deadline is how long a run may take; 0 of the zero Policy.
func (p *Policy) Deadline() time.Duration {
	if p.spec == nil {
		return 0
	}
	return p.spec.Deadline
}

// NoProgress is after how many idle steps a run ends; 0: MaxSteps alone bounds it.
func (p *Policy) NoProgress() int64 {
	if p.spec == nil {
		return 0
	}
	return int64(p.spec.NoProgress)
}

// MalformedRetries is how many malformed proposals in a row are forgiven.
func (p *Policy) MalformedRetries() int64 {
	if p.spec == nil {
		return 0
	}
	return int64(p.spec.MalformedRetries)
}

// Budget of the policy, and whether it has one.
func (p *Policy) Budget() (Budget, bool) {
	if p.spec == nil || p.spec.Budget == nil {
		return Budget{}, false
	}
	return *p.spec.Budget, true
}

// Line of the policy's declaration.
func (p *Policy) Line() Pos {
	if p.spec == nil {
		return Pos{}
	}
	return p.spec.Line
}

// Contract of a tool under this policy, nil out of range.
func (p *Policy) Contract(tool int32) *Contract {
	if uint(tool) >= uint(len(p.contracts)) {
		return nil
	}
	return &p.contracts[tool]
}

// DecodeResult decodes what a tool returned, as strictly as a proposal.
func (p *Policy) DecodeResult(tool int32, data []byte, rec *Record) error {
	if uint(tool) >= uint(len(p.results)) {
		return Fault{Kind: FaultNotObject}
	}
	return p.results[tool].decode(data, rec, false)
}

// DecodeInputs decodes the inputs that the principal gave the run.
func (p *Policy) DecodeInputs(data []byte, rec *Record) error {
	if p.spec == nil {
		return Fault{Kind: FaultNotObject}
	}
	return p.inputs.decode(data, rec, false)
}

// DecodeAttrs decodes attributes of an entity, some of which may be left out.
func (p *Policy) DecodeAttrs(entity int32, data []byte, rec *Record) error {
	if uint(entity) >= uint(len(p.attrs)) {
		return Fault{Kind: FaultNotObject}
	}
	return p.attrs[entity].decode(data, rec, true)
}
