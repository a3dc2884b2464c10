package compiler

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// TestLinear holds wrong packages to linear time as well: many names that all
// have to be looked up, and many faults that all have to be explained. The bound
// is generous, since a quadratic pass takes minutes here.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n = 20_000
	var unknown, members, types, classes bytes.Buffer
	unknown.WriteString("package demo\n\nagent a {\n  scope x0")
	members.WriteString("package demo\n\nenum Big {\n")
	types.WriteString("package demo\n\n")
	classes.WriteString("package demo\n\n")
	for i := range n {
		fmt.Fprintf(&unknown, ",\n    x%d", i+1)
		fmt.Fprintf(&members, "  m%d\n", i)
		fmt.Fprintf(&types, "entity e%d {\n  a n%d\n}\n", i, i)
		fmt.Fprintf(&classes, "tool t%d {\n  read\n  result { a bool trusted as c%d }\n}\n", i, i)
	}
	unknown.WriteString("\n}\n")
	members.WriteString("}\nentity thing { big Big }\ntool act on thing {\n  idempotent\n}\nrisk r {\n  base { act 1 }\n  add target.big {\n")
	for i := range n {
		fmt.Fprintf(&members, "    k%d 1\n", i)
	}
	members.WriteString("  }\n  allow 0..\n}\n")
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"unknown tools", unknown.Bytes()},
		{"unknown members", members.Bytes()},
		{"unknown types", types.Bytes()},
		{"unknown classes", classes.Bytes()},
	} {
		start := time.Now()
		r := Compile([]File{{Name: "demo.prov", Text: c.text}})
		took := time.Since(start)
		t.Logf("%s: %v", c.name, took)
		if got := r.Report.Len(); got < n {
			t.Errorf("%s: %d findings, want %d", c.name, got, n)
		}
		if took > 20*time.Second {
			t.Errorf("%s took %v", c.name, took)
		}
	}
}
