package registry

import (
	"errors"
	"fmt"

	"github.com/provlang/prov/runtime/policy"
)

// decodeAll wants every attribute of a kind.
func decodeAll(fields []policy.Field, data []byte) (policy.Record, error) {
	var rec policy.Record
	if err := policy.DecodeRecord(fields, data, &rec); err != nil {
		return policy.Record{}, located(err)
	}
	return rec, nil
}

// decodeSome wants attributes of a kind, as many as there are.
func decodeSome(fields []policy.Field, data []byte) (policy.Record, error) {
	var rec policy.Record
	if err := policy.DecodePartial(fields, data, &rec); err != nil {
		return policy.Record{}, located(err)
	}
	return rec, nil
}

// located puts a fault behind the path that its caller has begun. A registry is
// the operator's own file, so an undeclared member is named.
func located(err error) error {
	var f policy.Fault
	if errors.As(err, &f) && f.Where() != "" {
		return fmt.Errorf(".%s: %s", f.Where(), f.Kind)
	}
	return fmt.Errorf(": %w", err)
}

// overlay is base with whatever is set in delta in its place.
func overlay(fields []policy.Field, base, delta policy.Record) policy.Record {
	values := make([]policy.Value, len(fields))
	for i := range values {
		values[i] = base.Value(i)
		if delta.Has(i) {
			values[i] = delta.Value(i)
		}
	}
	return policy.NewRecord(values...)
}
