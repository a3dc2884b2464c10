package loop_test

import (
	"errors"
	"testing"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
)

// A decision comes out the same from its entry and the exhibit beside it, and
// otherwise as soon as either was touched.
func TestReplay(t *testing.T) {
	w := newWorld(t)
	w.spec.MaxSteps = 3
	res := w.run(
		`{"say": "no"}`,
		`{"propose": {"tool": "mend", "target": "P2"}}`,
		`{"propose": {"tool": "mend", "target": "P2"}}`)
	p := w.policy()

	type decision struct {
		e ledger.Entry
		x *ledger.Exhibit
	}
	read := func(n int) decision {
		t.Helper()
		i := 0
		for line, err := range w.ledger.Run(t.Context(), "acme", res.Run, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if line.Entry.Decision == nil {
				continue
			}
			if i++; i != n {
				continue
			}
			d := decision{e: line.Entry}
			if line.Entry.Decision.Exhibit != "" {
				x, err := w.ledger.Exhibit(t.Context(), "acme", res.Run, line.Entry.Seq)
				if err != nil {
					t.Fatal(err)
				}
				d.x = &x
			}
			return d
		}
		t.Fatalf("there is no decision %d", n)
		return decision{}
	}
	for n := 1; n <= 4; n++ {
		d := read(n)
		if _, err := loop.Replay(p, &d.e, d.x); err != nil {
			t.Errorf("decision %d: %v", n, err)
		}
	}
	for _, tt := range []struct {
		name  string
		n     int
		touch func(*decision)
		want  error
	}{
		{"the outcome", 2, func(d *decision) { d.e.Decision.Verdict.Outcome = "allow" }, loop.ErrDiffers},
		{"the reason", 2, func(d *decision) { d.e.Decision.Verdict.Reason = "allowed" }, loop.ErrDiffers},
		{"the score", 2, func(d *decision) { s := int32(0); d.e.Decision.Verdict.Score = &s }, loop.ErrDiffers},
		{"a part of the score", 2, func(d *decision) { d.e.Decision.Verdict.Parts[1].Points = 0 }, loop.ErrDiffers},
		{"a fact", 2, func(d *decision) { d.e.Decision.Factors[0].Value = "small" }, loop.ErrDiffers},
		{"the line", 2, func(d *decision) { d.e.Decision.Verdict.Line = "parcels.prov:1" }, loop.ErrDiffers},
		{"the tool", 2, func(d *decision) { d.e.Decision.Tool = "ship" }, loop.ErrDiffers},
		{"the target", 2, func(d *decision) { d.e.Decision.Target = "P1" }, loop.ErrDiffers},
		{"the identity", 2, func(d *decision) { d.e.Decision.Identity = "degraded" }, loop.ErrDiffers},
		{"an identity that does not exist", 2, func(d *decision) { d.e.Decision.Identity = "root" }, loop.ErrEvidence},
		{"what was done before", 3, func(d *decision) { d.e.Decision.Prior = "none" }, loop.ErrDiffers},
		{"the tenant", 2, func(d *decision) { d.x.Proposal = []byte(`{"tool":"mend","target":"P2","tenant":"acme"}`) }, loop.ErrDiffers},
		{"what was proposed", 2, func(d *decision) { d.x.Proposal = []byte(`{"tool":"pack","target":"P2"}`) }, loop.ErrDiffers},
		{"whether it was found", 2, func(d *decision) { d.e.Decision.Found = "foreign" }, loop.ErrDiffers},
		{"an attribute", 2, func(d *decision) { attribute(d.x, "size").Value = "small" }, loop.ErrDiffers},
		{"an attribute that is none", 2, func(d *decision) { attribute(d.x, "size").Value = "huge" }, loop.ErrEvidence},
		{"an attribute that is gone", 2, func(d *decision) { d.x.Attrs = d.x.Attrs[:1] }, loop.ErrEvidence},
		{"what was malformed", 1, func(d *decision) { d.x.Proposal = []byte(`{"tool":"mend","target":"P2"}`) }, loop.ErrDiffers},
		{"the fault", 1, func(d *decision) { d.e.Decision.Verdict.Fault = "size" }, loop.ErrDiffers},
		{"the steps", 4, func(d *decision) { d.e.Decision.Usage.Steps = 1 }, loop.ErrDiffers},
		{"the policy", 2, func(d *decision) { d.e.Decision.PolicyDigest = "00" }, loop.ErrOtherPolicy},
		{"the kind", 2, func(d *decision) { d.e.Decision = nil }, loop.ErrEvidence},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := read(tt.n)
			tt.touch(&d)
			if _, err := loop.Replay(p, &d.e, d.x); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func attribute(x *ledger.Exhibit, name string) *ledger.Attr {
	for i := range x.Attrs {
		if x.Attrs[i].Name == name {
			return &x.Attrs[i]
		}
	}
	return &ledger.Attr{}
}
