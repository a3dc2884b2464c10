package policy_test

import (
	"testing"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

func TestDecodeRecord(t *testing.T) {
	p := policytest.Open(policytest.Incident())
	for _, c := range []struct {
		what string
		do   func([]byte, *policy.Record) error
		in   string
		want string
	}{
		{"result", func(b []byte, r *policy.Record) error { return p.DecodeResult(policytest.ReadService, b, r) }, `{"deployed":"v41","error_rate":"0.01"}`, ""},
		{"result", func(b []byte, r *policy.Record) error { return p.DecodeResult(policytest.ReadService, b, r) }, `{"deployed":"v41"}`, "error_rate: missing"},
		{"result", func(b []byte, r *policy.Record) error { return p.DecodeResult(policytest.ReadService, b, r) }, `{"deployed":"v41","error_rate":"0.01","note":"fine"}`, "note: unknown_field"},
		{"result", func(b []byte, r *policy.Record) error { return p.DecodeResult(policytest.ReadService, b, r) }, `{"deployed":"v41","error_rate":"0.01"}x`, "trailing at byte 38"},
		{"result", func(b []byte, r *policy.Record) error { return p.DecodeResult(9, b, r) }, `{}`, "not_object at byte 0"},
		{"inputs", p.DecodeInputs, `{"service":"inventory-api"}`, ""},
		{"inputs", p.DecodeInputs, `{}`, "service: missing"},
		{"inputs", p.DecodeInputs, `{"service":"a","service":"b"}`, "service: duplicate"},
		{"inputs", p.DecodeInputs, `{"service":`, "syntax at byte 11"},
		{"inputs", p.DecodeInputs, `{"service":"a\`, "syntax at byte 14"},
		{"inputs", p.DecodeInputs, `[]`, "not_object at byte 0"},
		{"attrs", func(b []byte, r *policy.Record) error { return p.DecodeAttrs(policytest.Supplier, b, r) }, `{"tier":"tier1"}`, ""},
		{"attrs", func(b []byte, r *policy.Record) error { return p.DecodeAttrs(policytest.Supplier, b, r) }, `{"tier":"tier9"}`, "tier: not_a_member"},
		{"attrs", func(b []byte, r *policy.Record) error { return p.DecodeAttrs(-1, b, r) }, `{}`, "not_object at byte 0"},
		{"record", func(b []byte, r *policy.Record) error {
			return policy.DecodeRecord([]policy.Field{{Name: "a", Kind: policy.KindBool}}, b, r)
		}, `{"a":true}`, ""},
		{"record", func(b []byte, r *policy.Record) error {
			return policy.DecodePartial([]policy.Field{{Name: "a", Kind: policy.KindBool}}, b, r)
		}, `{}`, ""},
		{"record of no kind", func(b []byte, r *policy.Record) error {
			return policy.DecodeRecord([]policy.Field{{Name: "a"}}, b, r)
		}, `{"a":"x"}`, "a: wrong_type"},
	} {
		var rec policy.Record
		got := ""
		if err := c.do([]byte(c.in), &rec); err != nil {
			got = err.Error()
			if rec.Len() != 0 {
				t.Errorf("%s %s: refused, and left a record of %d", c.what, c.in, rec.Len())
			}
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.what, c.in, got, c.want)
		}
	}
}

func TestRecordOutOfRange(t *testing.T) {
	r := policy.NewRecord(policy.Value{N: 5, Set: true}, policy.Value{S: "x", Set: true})
	for _, i := range []int{-1, 2, 11, 12, 1 << 40} {
		if r.Has(i) || r.Int(i) != 0 || r.Text(i) != "" || r.Value(i) != (policy.Value{}) {
			t.Errorf("field %d of two is there", i)
		}
	}
	if !r.Has(0) || r.Int(0) != 5 || r.Text(1) != "x" || r.Len() != 2 {
		t.Errorf("got %v", r)
	}
}
