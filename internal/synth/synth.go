// Package synth writes large packages for benchmarks and for tests of growth:
// the compiler and the generator are held to time that is linear in size, and
// these are the sizes. The same n gives the same bytes.
package synth

import (
	"bytes"
	"fmt"
)

// head is what every package here declares: two entities, two traits.
const head = `package synth

enum Tier { tier1, tier2, tier3 }
enum Reason { requested, mistaken, expired }

entity account {
  tier  Tier
  limit decimal(2)
}
entity order {
  tier  Tier
  total decimal(2)
}

trait blast_radius { single, multi, wide }
trait effects      { reversible, irreversible }
`

// File is one file of a synthetic package.
type File struct {
	Name string
	Text []byte
}

// perFile is how many tools stand in one file: a file has at most two megabytes.
const perFile = 2000

// Tools is a package with n tools, each with arguments, traits, flags and a row
// in the risk table, one agent and one policy with all of them. It compiles.
func Tools(n int) []File {
	var files []File
	for from := 0; from < n; from += perFile {
		var b bytes.Buffer
		b.WriteString("package synth\n")
		tools(&b, from, min(from+perFile, n))
		files = append(files, File{Name: fmt.Sprintf("tools_%02d.prov", len(files)), Text: b.Bytes()})
	}
	var b bytes.Buffer
	b.WriteString(head)
	policy(&b, n)
	return append(files, File{Name: "synth.prov", Text: b.Bytes()})
}

func tools(b *bytes.Buffer, from, to int) {
	entities := [...]string{"account", "order"}
	radius := [...]string{"single", "multi", "wide"}
	effects := [...]string{"reversible", "irreversible"}
	for i := from; i < to; i++ {
		fmt.Fprintf(b, `
/// Step %[1]d of what the synthetic company does.
tool act_%05[1]d on %[2]s {
  blast_radius %[3]s
  effects      %[4]s
  args {
    amount decimal(2)
    count  int(0..%[5]d) optional
    reason Reason
    note   string(0..140) optional sensitive
  }
  flag large when amount > %[6]d.00
  flag empty when count present and count == 0
  idempotent
}
`, i, entities[i%2], radius[i%3], effects[i%2], 10+i%90, 100+i%900)
	}
}

func policy(b *bytes.Buffer, n int) {
	b.WriteString("\nrisk synth_risk {\n  base {\n")
	for i := range n {
		fmt.Fprintf(b, "    act_%05d %d\n", i, i%5)
	}
	b.WriteString(`  }
  add target.tier  { tier1 +2, tier2 +1, tier3 0 }
  add blast_radius { wide +2, multi +1, single 0 }
  add effects      { irreversible +3, reversible 0 }
  allow  0..3
  notify 4..6
  hold   7..
}
`)
	b.WriteString("\nagent worker {\n  scope ")
	names(b, n)
	b.WriteString("\n}\n\npolicy work {\n  agent     worker\n  tools     ")
	names(b, n)
	b.WriteString("\n  risk      synth_risk\n  max_steps 8\n  deadline  2m\n}\n")
}

func names(b *bytes.Buffer, n int) {
	for i := range n {
		if i > 0 {
			b.WriteString(",")
			if i%8 == 0 {
				b.WriteString("\n            ")
			} else {
				b.WriteString(" ")
			}
		}
		fmt.Fprintf(b, "act_%05d", i)
	}
}

// Rows is a package with one factor of n members: an enum, and a table with a
// row for each, n up to 100,000. It compiles. Names are short, because all of it
// is one file and a file has at most two megabytes.
func Rows(n int) []File {
	var b bytes.Buffer
	b.WriteString("package synth\n\nenum Site {\n")
	for i := range n {
		fmt.Fprintf(&b, "s%05d\n", i)
	}
	b.WriteString(`}

entity machine { site Site }

tool restart on machine {
  args { force bool }
}
tool stop on machine {
  args { force bool }
}

risk machine_risk {
  base { restart 1, stop 2 }
  add target.site {
`)
	for i := range n {
		fmt.Fprintf(&b, "s%05d %d\n", i, i/1000)
	}
	b.WriteString(`  }
  allow  0..3
  notify 4..6
  hold   7..
}

agent keeper { scope restart, stop }

policy keep {
  agent     keeper
  tools     restart, stop
  risk      machine_risk
  max_steps 8
  deadline  2m
}
`)
	return []File{{Name: "synth.prov", Text: b.Bytes()}}
}
