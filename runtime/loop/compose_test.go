package loop

import (
	"testing"

	"github.com/provlang/prov/runtime/policy"
)

// Whatever a model says where it was asked for arguments, the step's own tool and
// target are proposed, or nothing that can be read.
func FuzzPathTake(f *testing.F) {
	pkg := &policy.Package{
		Name: "p", Digest: "00000000000000000000000000000000000000000000000000000000000000aa", Files: []string{"p.prov"},
		Entities: []policy.Entity{{Name: "thing", Attrs: []policy.Field{{Name: "on", Kind: policy.KindBool, Entity: -1}}}},
		Tools: []policy.Tool{
			{Name: "burn"},
			{Name: "ship", Args: []policy.Field{{Name: "to", Kind: policy.KindString, Lo: 1, Hi: 9, Optional: true, Entity: -1}}},
		},
	}
	p, err := policy.Open(&policy.Spec{
		Package: pkg, Name: "q", Agent: "a", Grants: []policy.Grant{3, 3}, MaxSteps: 1, Deadline: 1,
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{
		`{"ship": {"to": "me"}}`, `{}`, ``, `null`, `[]`, `{"tool": "burn"}`, `{"to": "me"}`, `{"ship": {"to": "me"}, "burn": {}}`,
		`{"to": "me"}, "tool": "burn"`, `{}, "target": "other"}`, `{}} {"tool": "burn", "target": "other"}`, `{"ship": 1, "ship": 2}`,
		`{"ship": {}}, "rests_on": ["o1"]`, "{\"\\u0074ool\": \"burn\"}", "\xff", `"\ud800"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		path := &path{takesArgs: []string{"ship"}}
		var pr policy.Proposal
		p.Decode(path.take("ship", "T1", reply), "acme", &pr)
		if pr.Malformed() {
			return
		}
		if pr.Tool != 1 || pr.Target != "T1" {
			t.Errorf("%q became tool %d on %q", reply, pr.Tool, pr.Target)
		}
	})
}
