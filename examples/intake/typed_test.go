package intake_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/examples/intake"
	"github.com/provlang/prov/runtime/policy"
)

// In the typed arguments, what was left out is not what is zero.
func TestTypedArguments(t *testing.T) {
	opened, err := intake.OpenAcme()
	if err != nil {
		t.Fatal(err)
	}
	zero, number, chf := intake.Decimal2(0), intake.InvoiceID("INV-0042"), intake.Currency("CHF")
	for text, want := range map[string]intake.ProposeExtractionArgs{
		`{}`:                 {},
		`{"amount": "0.00"}`: {Amount: &zero},
		`{"invoice_id": "INV-0042", "amount": "0", "currency": "CHF"}`: {InvoiceID: &number, Amount: &zero, Currency: &chf},
	} {
		var pr policy.Proposal
		opened.Decode([]byte(`{"tool": "propose_extraction", "target": "DOC-1", "args": `+text+`}`), "acme", &pr)
		got, ok := intake.NewProposeExtractionProposal(&pr)
		if !ok {
			t.Errorf("%s: not typed: %v", text, pr.Fault())
			continue
		}
		if diff := cmp.Diff(intake.ProposeExtractionProposal{Target: "DOC-1", Args: want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if _, ok := intake.NewClassifyDocumentProposal(&pr); ok {
			t.Errorf("%s: typed as a proposal of another tool", text)
		}
	}
}

// Every name of a vocabulary comes back from its text, and no other text does.
func TestVocabularies(t *testing.T) {
	for _, name := range []string{"uploaded", "extracted", "needs_review", "approved"} {
		if v, ok := intake.ParseDocumentState(name); !ok || v.String() != name {
			t.Errorf("%q becomes %d, %v and then %q", name, v, ok, v)
		}
	}
	for _, name := range []string{"", "Uploaded", "uploaded ", "deleted"} {
		if v, ok := intake.ParseDocumentState(name); ok || v != 0 || v.String() != "" {
			t.Errorf("%q becomes %d, %v", name, v, ok)
		}
	}
	if s := intake.DocumentState(5).String(); s != "" {
		t.Errorf("a member past all is %q", s)
	}
}
