package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/provlang/prov/dsl/diag"
	"github.com/provlang/prov/dsl/internal/grammar"
	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/source"
)

// manyTools is a package of tools, a little under the largest file.
func manyTools() string {
	var b strings.Builder
	b.WriteString("package big\n\nenum Tier { tier1, tier2, tier3 }\n\nentity doc {\n  tier Tier\n  size int(0..9)\n}\n")
	for i := 0; b.Len() < parser.MaxBytes-1000; i++ {
		fmt.Fprintf(&b, `
/// Does thing %d.
tool thing_%d on doc {
  blast_radius single
  effects      reversible
  idempotent
  args {
    amount decimal(2)    optional sensitive
    name   string(1..32) /v[0-9]+/
  }
  flag big when amount present and amount > 100.00   // worth a look
}
`, i, i)
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := manyTools()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var r diag.Report
		f := parser.ParseFile(source.NewFile("big.prov", text), &r)
		if r.Len() > 0 || len(f.Decls) < 1000 {
			b.Fatal("not parsed")
		}
	}
}

func BenchmarkScan(b *testing.B) {
	text := manyTools()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var r diag.Report
		if s := grammar.Scan(source.NewFile("big.prov", text), &r); len(s.Tokens) < 1000 {
			b.Fatal("not scanned")
		}
	}
}
