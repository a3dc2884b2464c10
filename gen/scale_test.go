package gen_test

import (
	"bytes"
	"go/format"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/gen"
	"github.com/provlang/prov/internal/synth"
)

// fromSources is what `provc gen` does between reading and writing.
func fromSources(t testing.TB, pkg []synth.File) []gen.File {
	t.Helper()
	return generate(t, compile(t, named(pkg)...))
}

func named(pkg []synth.File) []compiler.File {
	out := make([]compiler.File, len(pkg))
	for i, f := range pkg {
		out[i] = compiler.File(f)
	}
	return out
}

// A very large package is still a package: it type-checks, it needs no init, each
// of its files is as gofmt leaves it, and tools lie in files of 500.
func TestLargePackages(t *testing.T) {
	for name, c := range map[string]struct {
		sources []synth.File
		files   int
	}{
		"one tool more than are typed": {synth.Tools(201), 1},
		"tools in several files":       {synth.Tools(501), 3},
		"a long table":                 {synth.Rows(3000), 1},
	} {
		t.Run(name, func(t *testing.T) {
			files := fromSources(t, c.sources)
			audit(t, files)
			if len(files) != c.files {
				t.Errorf("%d files, want %d", len(files), c.files)
			}
			for _, f := range files {
				formatted, err := format.Source(f.Content)
				if err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
				if !bytes.Equal(formatted, f.Content) {
					t.Errorf("%s is not as gofmt leaves it", f.Name)
				}
			}
		})
	}
}

// The Go compiler makes data of large tables as well, and package policy opens
// them.
func TestLargePackagesOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("builds large packages")
	}
	for name, open := range map[string]string{"tools": "OpenWork", "rows": "OpenKeep"} {
		sources := synth.Tools(501)
		if name == "rows" {
			sources = synth.Rows(3000)
		}
		test := "package synth\n\nimport \"testing\"\n\nfunc TestOpen(t *testing.T) {\n" +
			"\tif _, err := " + open + "(); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n"
		dir := inModule(t, append(fromSources(t, sources), gen.File{Name: "open_test.go", Content: []byte(test)}))
		goCommand(t, "test", dir)
	}
}

// Twice the size takes about twice the time and about twice the memory. Time is
// the best of several attempts, since others use the machine, too.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	for _, c := range []struct {
		name string
		of   func(int) []synth.File
		n    int
	}{{"tools", synth.Tools, 2000}, {"rows", synth.Rows, 30_000}} {
		t.Run(c.name, func(t *testing.T) {
			const attempts = 8
			single, double := c.of(c.n), c.of(2*c.n)
			var a, b time.Duration
			for range attempts {
				a, b = fastest(a, run(t, single)), fastest(b, run(t, double))
				if b < 3*a {
					return
				}
			}
			t.Errorf("%d take %v, %d take %v: more than three times as long", c.n, a, 2*c.n, b)
		})
	}
}

func run(t *testing.T, pkg []synth.File) time.Duration {
	start := time.Now()
	fromSources(t, pkg)
	return time.Since(start)
}

func fastest(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

func benchmarkGen(b *testing.B, pkg []synth.File) {
	b.ReportAllocs()
	peak := watchMemory()
	size := 0
	for b.Loop() {
		size = 0
		for _, f := range fromSources(b, pkg) {
			size += len(f.Content)
		}
	}
	b.ReportMetric(float64(peak())/(1<<20), "peak-MB")
	b.ReportMetric(float64(size)/(1<<20), "output-MB")
}

// watchMemory looks at what the process has from the system, until the function
// that it gives is called, which says the most that was seen.
func watchMemory() (peak func() uint64) {
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		var seen uint64
		for {
			metrics.Read(samples)
			seen = max(seen, samples[0].Value.Uint64()-samples[1].Value.Uint64())
			select {
			case <-stop:
				most <- seen
				return
			case <-tick.C:
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-most
	}
}

func BenchmarkGenTools10k(b *testing.B) { benchmarkGen(b, synth.Tools(10_000)) }
func BenchmarkGenRows100k(b *testing.B) { benchmarkGen(b, synth.Rows(100_000)) }

// Only the generator, for telling its share from the compiler's.
func BenchmarkPackageTools10k(b *testing.B) { benchmarkPackage(b, synth.Tools(10_000)) }
func BenchmarkPackageRows100k(b *testing.B) { benchmarkPackage(b, synth.Rows(100_000)) }

func benchmarkPackage(b *testing.B, pkg []synth.File) {
	p := compile(b, named(pkg)...)
	b.ReportAllocs()
	for b.Loop() {
		generate(b, p)
	}
}

// A table of the size that the speed goal names has every row in it.
func TestRowsAreAllThere(t *testing.T) {
	text := string(fromSources(t, synth.Rows(3000))[0].Content)
	for _, want := range []string{"\tSiteS00000 Site = iota + 1\n", "\tSiteS02999\n", `"s02999",`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}
