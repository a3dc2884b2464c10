package policy

// The members of a proposal.
const (
	memberTool = iota
	memberTarget
	memberArgs
	memberRestsOn
	memberCause
	memberOther
)

var memberNames = [...]string{"tool", "target", "args", "rests_on", "cause"}

// Decode decodes a proposal into pr, for a run of the tenant. It never fails:
// what is wrong is the proposal's Fault, and the gate's to refuse. A fault of the
// schema does not stop it, because the ladder has questions before that one.
//
// It allocates once, plus once for each text with an escape in it, and for more
// than a handful of arguments or sources.
func (p *Policy) Decode(data []byte, tenant string, pr *Proposal) {
	pr.forget()
	if p == nil || p.spec == nil {
		pr.fault = Fault{Kind: FaultNoTool, Path: "tool"}
		return
	}
	d := decoder{tenant: tenant}
	i := d.begin(data)
	path := ""
	if i >= 0 {
		i, path = d.proposal(i, p, pr)
	}
	if i >= 0 {
		if i = space(d.src, i); i < len(d.src) {
			i = d.fail(FaultTrailing, i)
		} else if pr.Tool == unread {
			i, path = d.fail(FaultNoTool, len(d.src)), "tool"
		}
	}
	if i < 0 {
		pr.forget()
		pr.fault = d.shape(path)
		return
	}
	pr.by, pr.contract = p, p.Contract(pr.Tool)
	pr.fault, pr.misfit, pr.claimed = d.fault, d.fault.Kind != NoFault, d.claimed
	pr.refs, pr.sources = must(d.refs), must(pr.nrests > 0)
}

// unread stands in Tool until `tool` has been read.
const unread = -2

// forget empties the proposal, touching only what was used.
func (pr *Proposal) forget() {
	pr.Tool, pr.Named, pr.Target, pr.Cause = -1, "", "", -1
	pr.Args.reset(0)
	pr.by, pr.contract, pr.fault = nil, nil, Fault{}
	pr.misfit, pr.claimed, pr.refs, pr.sources = false, false, 0, 0
	clear(pr.rests[:pr.nrests])
	pr.nrests, pr.more = 0, nil
}

func (d *decoder) proposal(i int, p *Policy, pr *Proposal) (int, string) {
	pr.Tool = unread
	var others names
	var given [memberOther]bool
	targetAt, argsAt := -1, -1
	argsRead := false
	i, done := d.open(i, '}')
	for !done {
		at := i
		var name string
		if name, i = d.name(i); i < 0 {
			return -1, ""
		}
		m := memberOf(name)
		if m == memberOther {
			if !others.add(name) {
				return d.fail(FaultDuplicate, at), "?"
			}
		} else if given[m] {
			return d.fail(FaultDuplicate, at), memberNames[m]
		} else {
			given[m] = true
		}
		if i = d.colon(i); i < 0 {
			return -1, ""
		}
		switch m {
		case memberTool:
			i = d.tool(i, p, pr)
		case memberTarget:
			targetAt = at
			i = d.id(i, 1, "target", &pr.Target)
		case memberArgs:
			argsAt = i
			if pr.Tool < 0 { // nothing to read them against yet
				i = d.skip(i, 1)
				break
			}
			argsRead = true
			var path string
			if i, path = d.args(i, &p.args[pr.Tool], &pr.Args); i < 0 {
				return -1, path
			}
		case memberRestsOn:
			i = d.restsOn(i, pr)
		case memberCause:
			i = d.cause(i, at, p, pr)
		default:
			i = d.undeclared(name, at, i, 1, "?")
		}
		if i < 0 {
			return -1, ""
		}
		i, done = d.next(i, '}')
	}
	if i < 0 {
		return -1, ""
	}
	if pr.Tool < 0 { // there is no schema that it could not fit
		d.fault = Fault{}
		return i, ""
	}
	d.finish(p, pr, targetAt, argsAt, argsRead)
	return i, ""
}

// finish asks what could not be asked before the tool was known.
func (d *decoder) finish(p *Policy, pr *Proposal, targetAt, argsAt int, argsRead bool) {
	if acts := p.contracts[pr.Tool].target == SubjectFound; acts && targetAt < 0 {
		// The target comes before all else that is missing, wherever args stands.
		if d.fault.Kind == NoFault || d.fault.Kind == FaultMissing {
			d.fault = Fault{Kind: FaultMissing, Path: "target", Offset: len(d.src)}
		}
	} else if !acts && targetAt >= 0 {
		d.note(Fault{Kind: FaultUnknownField, Path: "?", Member: "target", Offset: targetAt})
	}
	s := &p.args[pr.Tool]
	switch {
	case argsRead:
	case argsAt >= 0:
		d.args(argsAt, s, &pr.Args) // well formed: it has been skipped
	default:
		pr.Args.reset(len(s.fields))
		d.absent(s, &pr.Args, &seen{}, false)
	}
}

func memberOf(name string) int {
	switch name {
	case "tool":
		return memberTool
	case "target":
		return memberTarget
	case "args":
		return memberArgs
	case "rests_on":
		return memberRestsOn
	case "cause":
		return memberCause
	}
	return memberOther
}

func (d *decoder) isString(i int) bool { return i < len(d.src) && d.src[i] == '"' }

// tool leaves Tool unread where it is not a string.
func (d *decoder) tool(i int, p *Policy, pr *Proposal) int {
	if !d.isString(i) {
		return d.skip(i, 1)
	}
	pr.Named, i = d.str(i)
	pr.Tool = p.ToolIndex(pr.Named)
	return i
}

// id reads the id of something.
func (d *decoder) id(i, depth int, path string, dst *string) int {
	at := i
	if !d.isString(i) {
		d.note(Fault{Kind: FaultWrongType, Path: path, Offset: at})
		return d.skip(i, depth)
	}
	s, i := d.str(i)
	if i < 0 {
		return -1
	}
	if kind := id(s); kind != NoFault {
		d.note(Fault{Kind: kind, Path: path, Offset: at})
		return i
	}
	*dst = s
	return i
}

func (d *decoder) args(i int, s *schema, rec *Record) (int, string) {
	if i < len(d.src) && d.src[i] == '{' {
		return d.object(i, 2, s, rec, false)
	}
	d.note(Fault{Kind: FaultWrongType, Path: "args", Offset: i})
	rec.reset(len(s.fields))
	return d.skip(i, 1), ""
}

func (d *decoder) restsOn(i int, pr *Proposal) int {
	at := i
	if i >= len(d.src) || d.src[i] != '[' {
		d.note(Fault{Kind: FaultWrongType, Path: "rests_on", Offset: i})
		return d.skip(i, 1)
	}
	i, done := d.open(i, ']')
	n := 0
	for !done {
		var s string
		if i = d.id(i, 2, "rests_on", &s); i < 0 {
			return -1
		}
		switch {
		case n < inlineRests:
			pr.rests[n] = s
			pr.nrests++
		case n < MaxRestsOn:
			if pr.more == nil {
				pr.more = append(make([]string, 0, MaxRestsOn), pr.rests[:]...)
			}
			pr.more = append(pr.more, s)
			pr.nrests = inlineRests
		case n == MaxRestsOn:
			d.note(Fault{Kind: FaultTooMany, Path: "rests_on", Offset: at})
		}
		n++
		i, done = d.next(i, ']')
	}
	return i
}

func (d *decoder) cause(i, at int, p *Policy, pr *Proposal) int {
	if p.spec.Cause == nil {
		return d.undeclared("cause", at, i, 1, "?")
	}
	if !d.isString(i) {
		d.note(Fault{Kind: FaultWrongType, Path: "cause", Offset: i})
		return d.skip(i, 1)
	}
	value := i
	s, i := d.str(i)
	if i < 0 {
		return -1
	}
	n := member(p.spec.Cause, s)
	if n < 0 {
		d.note(Fault{Kind: FaultNotAMember, Path: "cause", Offset: value})
		return i
	}
	pr.Cause = int32(n)
	return i
}
