package loop_test

import (
	"context"
	"testing"
	"time"

	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/model"
	"github.com/provlang/prov/runtime/policy"
)

// BenchmarkStep is one whole step over a store in memory: the ask, every look-up,
// the gate, the entries in their canonical form, the tool. A step that does
// nothing is one commit; one that reads is two.
func BenchmarkStep(b *testing.B) {
	for _, bm := range []struct{ name, reply string }{
		{"refused", `{"tool": "weigh", "target": "P9"}`},
		{"read", `{"tool": "weigh", "target": "P1"}`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			w := newWorld(b)
			w.spec.MaxSteps, w.spec.Deadline = int32(b.N), time.Hour
			reply := []byte(bm.reply)
			m := asked(func(context.Context, *model.Turn) (model.Answer, error) { return model.Answer{Reply: reply}, nil })
			r, err := loop.New(loop.Options{
				Policy: w.policy(), Registry: w.registry, Ledger: w.ledger, Tools: w.tools, Model: m, Clock: w.clock,
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			res, err := r.Run(b.Context(), task())
			if err != nil || res.Reason != policy.MaxStepsExceeded {
				b.Fatalf("ended %s %s, %v", res.End, res.Reason, err)
			}
		})
	}
}
