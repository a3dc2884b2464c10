package ledger

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/store"
)

func fromSamples(yield func(Line, error) bool) {
	for _, e := range samples() {
		b, err := Encode(&e)
		if !yield(Line{Entry: e, Bytes: b}, err) {
			return
		}
	}
}

func TestShow(t *testing.T) {
	var b strings.Builder
	if err := Show(&b, fromSamples); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
SEQ  TIME                  RUN         STEP  KIND          TOOL             TARGET         RUNG  RESULT                                                                  SCORE  LINE
1    2026-03-01T09:30:00.000Z  run-000001  0     run_started   .                restore        .     incident.first_response for planner-1 (agent)                           .      .
2    2026-03-01T09:30:00.000Z  run-000001  1     decision      rollback_config  inventory-api  risk  allow: allowed (score, contract, flag weekend, failed incident.prov:31, failed incident.prov:33)                          2      incident.prov:70
3    2026-03-01T09:30:00.000Z  run-000001  1     intent        rollback_config  inventory-api  .     (decision 2)                                                            .      .
4    2026-03-01T09:30:00.000Z  run-000001  1     outcome       rollback_config  .              .     done (intent 3)                                                         .      .
5    2026-03-01T09:30:00.000Z  run-000001  1     verification  read_service     .              .     INCONCLUSIVE: neither (intent 3)                                        .      incident.prov:41
6    2026-03-01T09:30:00.000Z  run-000001  1     evidence      .                inventory-api  .     root_cause: not config_regression (verified_system_observation)         .      .
7    2026-03-01T09:30:00.000Z  run-000001  1     run_ended     .                .              .     bounded: max_steps_exceeded                                             .      .
`, "\n")
	if diff := cmp.Diff(squeeze(want), squeeze(b.String())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// squeeze makes runs of blanks one blank: the widths are tabwriter's business.
func squeeze(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		out = append(out, strings.Join(strings.Fields(line), " "))
	}
	return out
}

func TestShowJSONIsTheStoredBytes(t *testing.T) {
	var b, want strings.Builder
	if err := ShowJSON(&b, fromSamples); err != nil {
		t.Fatal(err)
	}
	for _, e := range samples() {
		bytes, err := Encode(&e)
		if err != nil {
			t.Fatal(err)
		}
		want.Write(bytes)
		want.WriteByte('\n')
	}
	if diff := cmp.Diff(want.String(), b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSelect(t *testing.T) {
	l := open(t, store.NewMemory())
	a, b := start(t, l, "acme"), start(t, l, "other") // entries 1 and 2
	for n := 1; n <= 3; n++ {                         // entries 3 to 14
		for _, r := range []*Run{a, b} {
			if _, err := r.Append(t.Context(), step(n, (&Mark{Key: strings.Repeat("k", n)}).To(MarkBegun))...); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tc := range []struct {
		name string
		f    Filter
		want []uint64
	}{
		{"all", Filter{}, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
		{"from", Filter{From: 13}, []uint64{13, 14}},
		{"from beyond the end", Filter{From: 15}, nil},
		{"tail", Filter{Tail: 3}, []uint64{12, 13, 14}},
		{"tail longer than the ledger", Filter{Tail: 99, From: 13}, []uint64{13, 14}},
		{"kind", Filter{Kind: KindRunStarted}, []uint64{1, 2}},
		{"tail of a kind", Filter{Kind: KindDecision, Tail: 2}, []uint64{11, 13}},
		{"run, whole store", Filter{Run: b.ID()}, []uint64{2, 5, 6, 9, 10, 13, 14}},
		{"tenant", Filter{Tenant: "acme"}, []uint64{1, 3, 4, 7, 8, 11, 12}},
		{"run of a tenant", Filter{Tenant: "acme", Run: a.ID(), From: 4, Tail: 2}, []uint64{11, 12}},
		{"run of another tenant", Filter{Tenant: "acme", Run: b.ID()}, nil},
		{"tail of a tenant", Filter{Tenant: "other", Tail: 1}, []uint64{14}},
	} {
		if diff := cmp.Diff(tc.want, seqs(collect(t, l.Select(t.Context(), tc.f)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	for _, bad := range []Filter{{Kind: "wish"}, {Tail: -1}} {
		if bad.Check() == nil {
			t.Errorf("filter %+v is accepted", bad)
		}
	}
}
