package printer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/provlang/prov/dsl/parser"
	"github.com/provlang/prov/dsl/printer"
)

func BenchmarkPrint(b *testing.B) {
	var text strings.Builder
	text.WriteString("package big\n\n")
	for i := 0; text.Len() < parser.MaxBytes-1000; i++ {
		fmt.Fprintf(&text, "// one\nenum tier_%d { low, high } // two\ntool thing_%d on doc {\n  reach one\n  args {\n    amount decimal(2) optional\n    name string(1..32)   // three\n  }\n}\n", i, i)
	}
	f, r := parse(text.String())
	if r.Len() > 0 {
		b.Fatal(r.Sorted()[0].Message)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if len(printer.Print(f)) < 1<<20 {
			b.Fatal("too little was printed")
		}
	}
}
