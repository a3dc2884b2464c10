package compiler

import (
	"testing"

	"github.com/provlang/prov/internal/synth"
)

func benchmark(b *testing.B, pkg []synth.File) {
	var files []File
	size := 0
	for _, f := range pkg {
		files = append(files, File(f))
		size += len(f.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if r := Compile(files); r.Program == nil {
			for _, d := range r.Report.Sorted()[:1] {
				b.Fatalf("%d: %s %s", d.Span.Line(), d.Code, d.Message)
			}
		}
	}
}

// Ten times the size must take about ten times the time.
func BenchmarkTools1000(b *testing.B)  { benchmark(b, synth.Tools(1000)) }
func BenchmarkTools10000(b *testing.B) { benchmark(b, synth.Tools(10_000)) }
func BenchmarkRows10000(b *testing.B)  { benchmark(b, synth.Rows(10_000)) }
func BenchmarkRows100000(b *testing.B) { benchmark(b, synth.Rows(100_000)) }
