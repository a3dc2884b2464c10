package diag

import (
	"fmt"
	"strings"
)

// The examples of the codes are small packages, and most faults are one change
// in one of the packages below. Each of them compiles without a finding.

// alter is a package with one change. The old text stands in it exactly once.
func alter(text, old, new string) string {
	if strings.Count(text, old) != 1 {
		panic(fmt.Sprintf("diag: %q stands %d times in an example", old, strings.Count(text, old)))
	}
	return strings.Replace(text, old, new, 1)
}

const exTable = `package demo

enum Tier { gold, silver }

entity service {
  tier Tier
  busy bool
}

trait effects { reversible, irreversible }

tool restart on service {
  effects reversible
}

risk care_risk {
  base            { restart 1 }
  add target.tier { gold +2, silver 0 }
  add effects     { reversible 0, irreversible +3 }
  allow  0..3
  notify 4..5
  hold   6..
}
`

const exPolicy = exTable + `
agent keeper {
  scope restart
}

policy care {
  agent     keeper
  tools     restart
  risk      care_risk
  max_steps 8
  deadline  2m
}
`

const exTest = exPolicy + `
test "a restart needs nobody" {
  given service "s1" { tier gold }
  propose restart on "s1"
  expect allow score 3
}
`

const exProof = exTable + `
prove "what can be undone needs nobody" {
  for all where effects == reversible and target.tier == gold
  expect allow
}
`

const exArgs = `package demo

tool pay {
  args {
    amount decimal(2)
    note   string(0..40) optional
  }
  flag large when amount > 1000.00
}
`

const exRequire = `package demo

entity account { limit decimal(2) }

tool refund on account {
  args { amount decimal(2) }
  require amount <= target.limit else refuse
}
`

const exVerify = `package demo

entity service {
  deployed string(1..20)
  good     string(1..20)
}

tool look on service {
  read
  result { deployed string(1..20) }
}

tool restart on service {
  verify by look {
    confirmed when result.deployed == target.good
    refuted   when result.deployed != target.good
  }
}
`

const exBelief = exVerify + `
enum Cause { config, capacity }

evidence sources {
  audit       0.60
  observation 0.50
  half_life   30d
}

belief why on service {
  states   Cause
  evidence sources
  commit   0.50
  flip     0.70
  retract  0.50
  learn    { confirmed config, refuted not config }
  expires  30d then reverify by look
}
`

const exLifecycle = `package demo

entity letter { state progress }

lifecycle progress {
  draft   -> checked by check_letter
  checked -> sent    by send_letter
}

tool check_letter on letter {
  idempotent
}

tool send_letter on letter {
  approval required
}

agent clerk {
  scope check_letter
}
`
