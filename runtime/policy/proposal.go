package policy

// Bounds of what a model may send. They are the runtime's, not a policy's: a
// policy cannot widen them.
const (
	MaxProposal = 64 << 10 // bytes
	MaxDepth    = 8        // nesting, the outermost object included
	MaxRestsOn  = 32       // ids
	MaxID       = 200      // bytes of a target, a reference or an id in rests_on
)

// inlineRests is how many ids of rests_on need no second allocation.
const inlineRests = 8

// Proposal is what a model proposed, decoded by Policy.Decode and bound to that
// policy: the gate refuses it under any other. Its zero value is malformed. It
// can be decoded into again, which forgets what it held. Its texts are parts of
// one copy of the bytes that it came in, and keep that copy alive.
//
// There is no member for a rating, a reason in prose, or who proposes.
type Proposal struct {
	Tool   int32  // index into Package.Tools, -1 where the package has no such tool
	Named  string // the tool as the model named it; text of a model where Tool is -1
	Target string // "" where the contract acts on nothing
	Args   Record // against the tool's Args
	Cause  int32  // member of the policy's vocabulary, -1 where none was given

	by       *Policy       // nil: malformed, or never decoded
	contract *Contract     // nil: the package has no such tool
	misfit   bool          // it has a fault of the schema
	claimed  bool          // it names another tenant than the run's
	refs     SubjectStatus // what the status of its references must be
	sources  SubjectStatus
	nrests   int32
	rests    [inlineRests]string
	more     []string // all of them, where they are more than inlineRests
	fault    Fault
}

// RestsOn is the observations and beliefs that it rests on. The slice is good
// until the proposal is decoded into again.
func (pr *Proposal) RestsOn() []string {
	if pr.more != nil {
		return pr.more
	}
	return pr.rests[:pr.nrests:pr.nrests]
}

// Fault is the first fault of the shape, or else of the schema.
func (pr *Proposal) Fault() Fault { return pr.fault }

// Malformed says that nothing in the proposal may be read.
func (pr *Proposal) Malformed() bool { return pr.by == nil }

// By says that the proposal was decoded by this policy and is well formed.
func (pr *Proposal) By(p *Policy) bool { return pr.by == p && p != nil }

// Contract of the tool that it names, nil where the package has no such tool.
func (pr *Proposal) Contract() *Contract { return pr.contract }

// Fits says that it has no fault of the schema.
func (pr *Proposal) Fits() bool { return !pr.misfit }

// ClaimsTenant says that it names another tenant than the run's.
func (pr *Proposal) ClaimsTenant() bool { return pr.claimed }

// HasRefs says that an argument refers to something in the registry.
func (pr *Proposal) HasRefs() bool { return pr.refs == SubjectFound }

// HasSources says that rests_on has an entry.
func (pr *Proposal) HasSources() bool { return pr.nrests > 0 }
