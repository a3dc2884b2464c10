package policy_test

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/provlang/prov/runtime/policy"
	"github.com/provlang/prov/runtime/policy/policytest"
)

func TestSampleIsSound(t *testing.T) {
	if len(policytest.Sample) != 300 {
		t.Errorf("the sample has %d bytes", len(policytest.Sample))
	}
	p := policytest.Open(desk())
	var pr policy.Proposal
	for _, s := range []string{policytest.Sample, policytest.Escaped} {
		if p.Decode([]byte(s), "acme", &pr); pr.Fault().Kind != policy.NoFault || pr.Tool != policytest.Transfer {
			t.Errorf("%s: %v", s, pr.Fault())
		}
	}
	var s policytest.Typed
	if err := json.Unmarshal([]byte(policytest.Sample), &s, json.RejectUnknownMembers(true)); err != nil {
		t.Error(err)
	}
}

// One allocation, whatever the proposal was used for before; one more for a text
// with an escape.
func TestDecodeAllocations(t *testing.T) {
	p := policytest.Open(desk())
	var pr policy.Proposal
	for text, want := range map[string]float64{policytest.Sample: 1, policytest.Escaped: 2, transfer: 1, `{"tool":"launch"}`: 1, "{": 1} {
		data := []byte(text)
		if n := testing.AllocsPerRun(100, func() { p.Decode(data, "acme", &pr) }); n > want {
			t.Errorf("%s: %v allocations, want %v", text, n, want)
		}
	}
}

// BenchmarkDecode compares the table-driven decoder, which also checks, with
// go-json-experiment into a typed struct, which does not. A fresh proposal counts the
// proposal itself among the allocations, as the struct is counted.
func BenchmarkDecode(b *testing.B) {
	p := policytest.Open(desk())
	data := []byte(policytest.Sample)
	b.Run("to=struct", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var s policytest.Typed
			if err := json.Unmarshal(data, &s, json.RejectUnknownMembers(true)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("to=proposal", func(b *testing.B) {
		b.ReportAllocs()
		var pr policy.Proposal
		for b.Loop() {
			if p.Decode(data, "acme", &pr); !pr.Fits() {
				b.Fatal(pr.Fault())
			}
		}
	})
	b.Run("to=fresh-proposal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var pr policy.Proposal
			if p.Decode(data, "acme", &pr); !pr.Fits() {
				b.Fatal(pr.Fault())
			}
		}
	})
	b.Run("to=proposal-with-escapes", func(b *testing.B) {
		b.ReportAllocs()
		data := []byte(policytest.Escaped)
		var pr policy.Proposal
		for b.Loop() {
			if p.Decode(data, "acme", &pr); !pr.Fits() {
				b.Fatal(pr.Fault())
			}
		}
	})
}

// BenchmarkDecodeBeside is BenchmarkDecode in turns: see policytest.SideBySide.
func BenchmarkDecodeBeside(b *testing.B) {
	const n = 64
	p := policytest.Open(desk())
	data := []byte(policytest.Sample)
	var pr policy.Proposal
	policytest.SideBySide(b, n, policytest.Side{Name: "struct", Do: func() {
		for range n {
			var s policytest.Typed
			if err := json.Unmarshal(data, &s, json.RejectUnknownMembers(true)); err != nil {
				b.Fatal(err)
			}
		}
	}}, policytest.Side{Name: "proposal", Do: func() {
		for range n {
			if p.Decode(data, "acme", &pr); !pr.Fits() {
				b.Fatal(pr.Fault())
			}
		}
	}})
}

func BenchmarkCanonical(b *testing.B) {
	p := policytest.Open(desk())
	var pr policy.Proposal
	p.Decode([]byte(policytest.Sample), "acme", &pr)
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = p.AppendCanonical(buf[:0], &pr)
	}
}

// BenchmarkToolIndex looks names up among ten thousand, in an order that no cache
// line likes.
func BenchmarkToolIndex(b *testing.B) {
	const n = 10000
	p := policytest.Open(policytest.Many(n))
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("tool_%05d", i*7919%n)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if p.ToolIndex(names[i%n]) < 0 {
			b.Fatal(names[i%n])
		}
		i++
	}
}

// BenchmarkOpen opens a policy over ten thousand tools.
func BenchmarkOpen(b *testing.B) {
	s := policytest.Many(10000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := policy.Open(s); err != nil {
			b.Fatal(err)
		}
	}
}
