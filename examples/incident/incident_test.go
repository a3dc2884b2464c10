package incident_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/examples/incident/company"
	"github.com/provlang/prov/runtime/host"
	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/loop"
	"github.com/provlang/prov/runtime/registry"
	"github.com/provlang/prov/runtime/store"
	"github.com/provlang/prov/runtime/timeline"
)

// ran is the folder after its tasks.
type ran struct {
	t       *testing.T
	ledger  *ledger.Ledger
	host    *host.Host
	results map[string]host.Result
	events  []loop.Event
	text    string
}

// run runs tasks of this folder, all where none are named, by a clock that stands.
func run(t *testing.T, only ...string) *ran {
	t.Helper()
	r := &ran{t: t, results: map[string]host.Result{}}
	var err error
	if r.ledger, err = ledger.Open(t.Context(), store.NewMemory(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	r.host, err = host.Open(host.Options{
		Folder: os.DirFS("."), Deployment: company.Deployment(), Ledger: r.ledger, Clock: func() time.Time { return at }, Only: only,
	})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	tl := timeline.New(&text, r.host.Policy)
	results, err := r.host.Run(t.Context(), func(e loop.Event) {
		r.events = append(r.events, e)
		tl.Observe(e)
	})
	if err := errors.Join(err, tl.Err(), timeline.Summary(&text, results)); err != nil {
		t.Fatal(err)
	}
	for _, res := range results {
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		r.results[res.Task] = res
	}
	r.text = text.String()
	return r
}

// log is a task's run as the ledger holds it.
func (r *ran) log(task string) []string {
	r.t.Helper()
	var lines []string
	for line, err := range r.ledger.Run(r.t.Context(), "acme", r.results[task].Run, 0) {
		if err != nil {
			r.t.Fatal(err)
		}
		e := &line.Entry
		var s string
		switch e.Kind {
		case ledger.KindDecision:
			s = fmt.Sprintf("%d %s %s", e.Step, e.Decision.Tool, e.Decision.Verdict.Reason)
			if score := e.Decision.Verdict.Score; score != nil {
				s += fmt.Sprintf(" %d", *score)
			}
		case ledger.KindOutcome:
			s = fmt.Sprintf("%d %s", e.Step, e.Outcome.Status)
		case ledger.KindVerification:
			s = fmt.Sprintf("%d %s %s", e.Step, e.Verification.Verdict, e.Verification.Why)
		case ledger.KindEvidence:
			not := ""
			if e.Evidence.Not {
				not = "not "
			}
			s = fmt.Sprintf("%d %s of %s: %s%s", e.Step, e.Evidence.Belief, e.Evidence.Target, not, e.Evidence.State)
		case ledger.KindRunEnded:
			s = fmt.Sprintf("%s %s", e.RunEnded.End, e.RunEnded.Reason)
		default:
			continue
		}
		lines = append(lines, strings.TrimSpace(s))
	}
	return lines
}

func (r *ran) want(task string, log ...string) {
	r.t.Helper()
	if diff := cmp.Diff(log, r.log(task)); diff != "" {
		r.t.Errorf("%s (-want +got):\n%s", task, diff)
	}
}

func (r *ran) attribute(kind, id, name string) string {
	s, _ := r.host.Registry().Get("acme", kind, id, name)
	return s
}

func TestRollback(t *testing.T) {
	r := run(t, "inventory-errors")
	r.want("inventory-errors",
		"1 read_service allowed", "1 done",
		"2 rollback_config allowed 2", "2 done", "2 CONFIRMED", "2 root_cause of inventory-api: config_regression",
		"completed")
	if got := r.attribute("service", "inventory-api", "deployed"); got != "v41" {
		t.Errorf("inventory-api runs %s", got)
	}
	if found := r.host.Registry().Lookup("acme", r.host.Registry().Kind("service"), "inventory-api"); found.Version != 8 {
		t.Errorf("its registry entry is at version %d, want 8", found.Version)
	}
}

func TestHeld(t *testing.T) {
	r := run(t, "supplier-blocked")
	r.want("supplier-blocked", "1 disable_compliance_checks needs_human_approval 11", "held needs_human_approval")
	if got := r.attribute("supplier", "SUP-042", "certified"); got != "true" {
		t.Error("SUP-042 is no longer checked, and nobody approved that")
	}
}

func TestRefutedReplannedEscalated(t *testing.T) {
	r := run(t, "checkout-errors")
	r.want("checkout-errors",
		"1 rollback_config allowed 3", "1 done", "1 REFUTED", "1 root_cause of checkout-api: not config_regression",
		"2 rollback_config allowed 1", "2 done", "2 REFUTED", "2 root_cause of pricing-api: not config_regression",
		"escalated")
	if got := r.results["checkout-errors"].Usage.ModelCalls; got != 2 {
		t.Errorf("the model was asked %d times, want 2: one plan, and one more", got)
	}
	if got := r.attribute("service", "search-api", "deployed"); got != "v30" {
		t.Errorf("a third plan was carried out: search-api runs %s", got)
	}
}

func TestInconclusiveTeachesNothing(t *testing.T) {
	r := run(t, "search-errors")
	r.want("search-errors", "1 rollback_config allowed 2", "1 done", "1 INCONCLUSIVE read_failed", "escalated")
}

// The two worked rows, as the run records them with every part of the sum.
func TestHold01WorkedRows(t *testing.T) {
	r := run(t, "inventory-errors", "supplier-blocked")
	got := map[string][]string{}
	for _, e := range r.events {
		if d := e.Entry.Decision; d != nil && d.Verdict.Score != nil {
			list := []string{fmt.Sprint(*d.Verdict.Score, " ", d.Verdict.Outcome)}
			for _, p := range d.Verdict.Parts {
				list = append(list, fmt.Sprint(p.Name, " ", p.Value, " ", p.Points))
			}
			got[d.Tool] = list
		}
	}
	want := map[string][]string{
		"rollback_config":           {"2 allow", "base rollback_config 1", "target.tier tier2 1", "blast_radius single 0", "effects reversible 0"},
		"disable_compliance_checks": {"11 hold", "base disable_compliance_checks 4", "target.tier tier1 2", "blast_radius org_wide 2", "effects irreversible 3"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
}

func TestHold12EveryDecisionIsReplayed(t *testing.T) {
	r := run(t)
	for task, res := range r.results {
		n, err := loop.ReplayRun(t.Context(), r.ledger, r.host.Policy("first_response"), "acme", res.Run)
		if err != nil || n == 0 {
			t.Errorf("%s: %d decisions, %v", task, n, err)
		}
	}
}

// A ledger that was touched on disk is found out: by the ledger where an exhibit
// no longer fits its digest, and by the replay where an entry says what the
// policy does not.
func TestTampering(t *testing.T) {
	r := run(t, "inventory-errors")
	for line, err := range r.ledger.Run(t.Context(), "acme", r.results["inventory-errors"].Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		e := line.Entry
		if e.Decision == nil || e.Decision.Verdict.Score == nil {
			continue
		}
		x, err := r.ledger.Exhibit(t.Context(), "acme", e.Run, e.Seq)
		if err != nil {
			t.Fatal(err)
		}
		p := r.host.Policy("first_response")
		if _, err := loop.Replay(p, &e, &x); err != nil {
			t.Fatal(err)
		}
		for i := range x.Attrs {
			if x.Attrs[i].Name == "tier" {
				x.Attrs[i].Value = "tier3"
			}
		}
		if _, err := loop.Replay(p, &e, &x); !errors.Is(err, loop.ErrDiffers) {
			t.Errorf("a service of tier 2 passed for tier 3: %v", err)
		}
		return
	}
	t.Fatal("no scored decision")
}

// The timeline as a person sees it.
func TestTimeline(t *testing.T) {
	got := run(t).text
	name := filepath.Join("testdata", "timeline.txt")
	if os.Getenv("PROV_UPDATE") != "" {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(name, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
		t.Fatal("rewritten: run again without PROV_UPDATE")
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
}

// A file of the folder that does not hold stops the folder before its first task.
func TestFolderRefused(t *testing.T) {
	for _, tt := range []struct{ name, file, from, to, want string }{
		{"a policy that is none", "tasks.json", `"first_response"`, `"first_respons"`, `tasks.json: tasks[0].policy: "first_respons" is not one of first_response`},
		{"a member that is none", "tasks.json", `"title"`, `"titel"`, "tasks.json: at /tasks/0/titel"},
		{"a script that is not there", "tasks.json", `scripts/inventory-errors.jsonl`, `scripts/inventory.jsonl`, "tasks.json: tasks[0].script: "},
		{"a task twice", "tasks.json", `"supplier-blocked", "title"`, `"inventory-errors", "title"`, `tasks.json: tasks[1].id: "inventory-errors" stands here twice`},
		{"an attribute that is missing", "registry.json", `"tier": "tier2", "deployed"`, `"deployed"`, "registry.json: entities[0].attributes.tier: missing"},
		{"a line that is no reply", "scripts/inventory-errors.jsonl", `"propose"`, `"purpose"`, "scripts/inventory-errors.jsonl:1: purpose"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := ledger.Open(t.Context(), store.NewMemory(), rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			_, err = host.Open(host.Options{
				Folder: edited{os.DirFS("."), tt.file, tt.from, tt.to}, Deployment: company.Deployment(), Ledger: l, Clock: time.Now,
			})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

// edited is a folder with one text in one file replaced, once.
type edited struct {
	fs.FS
	file, from, to string
}

func (e edited) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(e.FS, name)
	if name == e.file {
		data = bytes.Replace(data, []byte(e.from), []byte(e.to), 1)
	}
	return data, err
}

// Who suspends an agent between two decisions stops it at the second.
func TestSuspendedInBetween(t *testing.T) {
	r := run(t, "supplier-blocked")
	if _, err := r.host.Registry().SetStanding("acme", "planner-1", 1, registry.Suspended); err != nil {
		t.Fatal(err)
	}
	results, err := r.host.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := results[0]; got.End != loop.Refused || got.Reason.String() != "agent_suspended" {
		t.Errorf("ended %s %s", got.End, got.Reason)
	}
}
