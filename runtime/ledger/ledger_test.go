package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/provlang/prov/runtime/store"
)

var (
	epoch      = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	someDigest = hex.EncodeToString(make([]byte, 32))
)

func entropy() io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte("ledger test"))) }

func started() RunStarted {
	return RunStarted{Task: "restore", Package: "incident", Policy: "first_response", PolicyDigest: someDigest,
		Agent: "planner-1", Role: "planner", Mode: ModeAgent}
}

func decision(key string) *Decision {
	score := int32(2)
	return &Decision{
		PolicyDigest: someDigest, Agent: "planner-1", Tool: "rollback_config", Target: "inventory-api", Version: 7,
		Identity: "good", Prior: "none", Found: "found", Key: key,
		Factors: []Fact{{"target.tier", "tier2"}},
		Usage:   Usage{Steps: 1, ModelCalls: 1},
		Verdict: Verdict{Outcome: "allow", Rung: "risk", Reason: "allowed", Score: &score,
			Parts: []Part{{"base", "rollback_config", 1}, {"target.tier", "tier2", 1}}, Line: "incident.prov:70"},
	}
}

// secret stands for any value that may be in an exhibit and nowhere else.
const secret = "hunter2-planted-secret"

// step is a durable step: decision, exhibit, intent, idempotency record.
func step(n int, mark *Mark) []Record {
	at := Time(epoch.Add(time.Duration(n) * time.Second))
	return []Record{
		{
			Entry: Entry{At: at, Step: n, Kind: KindDecision, Decision: decision(mark.Key)},
			Exhibit: &Exhibit{
				Proposal: []byte(`{"tool":"rollback_config","args":{"note":"` + secret + `"}}`),
				Attrs:    []Attr{{Name: "deployed", Value: secret}, {Name: "last_good", Absent: true}},
			},
			Mark: mark,
		},
		{Entry: Entry{At: at, Step: n, Kind: KindIntent,
			Intent: &Intent{Tool: "rollback_config", Target: "inventory-api", Key: mark.Key}}},
	}
}

func outcome(n int, intent uint64, mark *Mark) Record {
	return Record{
		Entry: Entry{At: Time(epoch), Step: n, Kind: KindOutcome,
			Outcome: &Outcome{Intent: intent, Tool: "rollback_config", Status: StatusDone}},
		Mark: mark,
	}
}

func open(t *testing.T, s Store) *Ledger {
	t.Helper()
	l, err := Open(t.Context(), s, entropy())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func start(t *testing.T, l *Ledger, tenant string) *Run {
	t.Helper()
	r, err := l.StartRun(t.Context(), tenant, epoch, started())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func collect(t *testing.T, seq iter.Seq2[Line, error]) []Line {
	t.Helper()
	var lines []Line
	for line, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

func seqs(lines []Line) []uint64 {
	var out []uint64
	for _, l := range lines {
		out = append(out, l.Entry.Seq)
	}
	return out
}

func TestAppendNumbersAndRefers(t *testing.T) {
	mem := store.NewMemory()
	l := open(t, mem)
	r := start(t, l, "acme")
	before := mem.Stats().Commits

	mark, ok, err := r.Mark(t.Context(), "k1")
	if err != nil || ok {
		t.Fatalf("Mark before anything: %v, %v", ok, err)
	}
	first, err := r.Append(t.Context(), step(1, mark.To(MarkBegun))...)
	if err != nil {
		t.Fatal(err)
	}
	if first != 2 {
		t.Errorf("first = %d, want 2", first)
	}
	if got := mem.Stats().Commits - before; got != 1 {
		t.Errorf("a durable step took %d synced commits, want 1", got)
	}
	mark, ok, err = r.Mark(t.Context(), "k1")
	if err != nil || !ok || mark.Decision != 2 || mark.Status != MarkBegun {
		t.Fatalf("Mark after begin = %+v, %v, %v", mark, ok, err)
	}
	if _, err := r.Append(t.Context(), outcome(1, 3, mark.To(MarkDone))); err != nil {
		t.Fatal(err)
	}

	lines := collect(t, l.WholeStore(t.Context(), 0))
	if diff := cmp.Diff([]uint64{1, 2, 3, 4}, seqs(lines)); diff != "" {
		t.Errorf("seqs (-want +got):\n%s", diff)
	}
	if got := lines[2].Entry.Intent.Decision; got != 2 {
		t.Errorf("intent refers to %d, want 2", got)
	}
	head, err := l.Head(t.Context())
	if diff := cmp.Diff(Head{Seq: 4, Runs: 1}, head); diff != "" || err != nil {
		t.Errorf("head: %v (-want +got):\n%s", err, diff)
	}
	for _, line := range lines {
		again, err := Encode(&line.Entry)
		if err != nil || !bytes.Equal(line.Bytes, again) {
			t.Errorf("entry %d: encode(decode) = %s, %v; stored %s", line.Entry.Seq, again, err, line.Bytes)
		}
	}
}

func TestReadsAreByTenantAndRun(t *testing.T) {
	l := open(t, store.NewMemory())
	a, b, a2 := start(t, l, "acme"), start(t, l, "acm"), start(t, l, "acme")
	for i := 1; i <= 3; i++ {
		for _, r := range []*Run{a, b, a2} {
			if _, err := r.Append(t.Context(), step(i, (&Mark{Key: fmt.Sprint("k", i)}).To(MarkBegun))...); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff([]string{"run-000001", "run-000002", "run-000003"}, []string{a.ID(), b.ID(), a2.ID()}); diff != "" {
		t.Errorf("run ids (-want +got):\n%s", diff)
	}
	ctx := t.Context()
	for _, tc := range []struct {
		name string
		seq  iter.Seq2[Line, error]
		want []uint64
	}{
		{"run", l.Run(ctx, "acme", a.ID(), 0), []uint64{1, 4, 5, 10, 11, 16, 17}},
		{"run from", l.Run(ctx, "acme", a.ID(), 11), []uint64{11, 16, 17}},
		{"another tenant's run", l.Run(ctx, "acm", a.ID(), 0), nil},
		{"tenant", l.Tenant(ctx, "acm", 0), []uint64{2, 6, 7, 12, 13, 18, 19}},
		{"tenant from", l.Tenant(ctx, "acme", 17), []uint64{17, 20, 21}},
		{"whole store from", l.WholeStore(ctx, 19), []uint64{19, 20, 21}},
	} {
		if diff := cmp.Diff(tc.want, seqs(collect(t, tc.seq))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	for _, err := range l.Tenant(ctx, "", 0) {
		if err == nil {
			t.Error("a read without a tenant gave an entry")
		}
	}
	if _, err := l.Entry(ctx, "acm", 4); !errors.Is(err, ErrNoEntry) {
		t.Errorf("another tenant's entry: %v, want ErrNoEntry", err)
	}
	if _, err := l.Exhibit(ctx, "acm", a.ID(), 4); !errors.Is(err, ErrNoEntry) {
		t.Errorf("another tenant's exhibit: %v, want ErrNoEntry", err)
	}
}

func TestOneOfTwoBeginsAnAction(t *testing.T) {
	l := open(t, store.NewMemory())
	r := start(t, l, "acme")
	first, _, _ := r.Mark(t.Context(), "k")
	second, _, _ := r.Mark(t.Context(), "k")
	if _, err := r.Append(t.Context(), step(1, first.To(MarkBegun))...); err != nil {
		t.Fatal(err)
	}
	_, err := r.Append(t.Context(), step(1, second.To(MarkBegun))...)
	if conflict := (*store.ConflictError)(nil); !errors.As(err, &conflict) {
		t.Fatalf("the second to begin got %v, want a conflict", err)
	}
	if head, _ := l.Head(t.Context()); head.Seq != 3 {
		t.Errorf("head = %d after a conflict, want 3: nothing may be written", head.Seq)
	}
	// The ledger goes on after a conflict.
	if first, err := r.Append(t.Context(), step(2, (&Mark{Key: "other"}).To(MarkBegun))...); err != nil || first != 4 {
		t.Errorf("append after a conflict = %d, %v; want 4", first, err)
	}
}

// hasty is a store over which another writer always gets there first.
type hasty struct {
	*store.Memory
	other func()
}

func (h *hasty) Submit(b *store.Batch) *store.Pending {
	if h.other != nil {
		h.other()
	}
	return h.Memory.Submit(b)
}

func TestTwoLedgersOverOneStoreCannotFork(t *testing.T) {
	s := &hasty{Memory: store.NewMemory()}
	l, rival := open(t, s), open(t, s.Memory)
	r, other := start(t, l, "acme"), start(t, rival, "acme")
	if r.ID() == other.ID() {
		t.Fatalf("both runs are %s", r.ID())
	}
	// Overtaken once, an append is numbered anew.
	s.other = func() {
		if _, err := other.Append(t.Context(), step(1, (&Mark{Key: "k"}).To(MarkBegun))...); err != nil {
			t.Error(err)
		}
		s.other = nil
	}
	first, err := r.Append(t.Context(), step(1, (&Mark{Key: "k"}).To(MarkBegun))...)
	if err != nil || first != 5 {
		t.Errorf("append that was overtaken = %d, %v; want 5", first, err)
	}
	// Overtaken for ever, it ends with the conflict.
	n := 0
	s.other = func() {
		n++
		if _, err := other.Append(t.Context(), step(1, (&Mark{Key: fmt.Sprint(n)}).To(MarkBegun))...); err != nil {
			t.Error(err)
		}
	}
	_, err = r.Append(t.Context(), step(2, (&Mark{Key: "k2"}).To(MarkBegun))...)
	conflict := (*store.ConflictError)(nil)
	if !errors.As(err, &conflict) || n != maxAttempts {
		t.Errorf("after %d attempts: %v; want a conflict after %d", n, err, maxAttempts)
	}
	s.other = nil
	for i, line := range collect(t, l.WholeStore(t.Context(), 0)) {
		if line.Entry.Seq != uint64(i+1) {
			t.Fatalf("entry %d is at place %d", line.Entry.Seq, i+1)
		}
	}
}

func TestExhibitIsBoundAndErasable(t *testing.T) {
	mem := store.NewMemory()
	l := open(t, mem)
	r := start(t, l, "acme")
	if _, err := r.Append(t.Context(), step(1, (&Mark{Key: "k"}).To(MarkBegun))...); err != nil {
		t.Fatal(err)
	}
	x, err := l.Exhibit(t.Context(), "acme", r.ID(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(x.Proposal), secret) {
		t.Errorf("exhibit's proposal = %s", x.Proposal)
	}

	// One changed byte is noticed.
	key := exhibitKey("acme", r.ID(), 2)
	good, _, _ := mem.Get(t.Context(), key)
	bad := bytes.Replace(good, []byte("deployed"), []byte("deploxed"), 1)
	apply(t, mem, func(b *store.Batch) { b.Put(key, bad) })
	if _, err := l.Exhibit(t.Context(), "acme", r.ID(), 2); !isCorrupt(err) {
		t.Errorf("changed exhibit: %v, want corrupt", err)
	}

	apply(t, mem, func(b *store.Batch) { b.Delete(key); b.Delete(runKeyKey("acme", r.ID())) })
	if _, err := l.Exhibit(t.Context(), "acme", r.ID(), 2); !errors.Is(err, ErrNoExhibit) {
		t.Errorf("erased exhibit: %v, want ErrNoExhibit", err)
	}
	if got := seqs(collect(t, open(t, mem).WholeStore(t.Context(), 0))); len(got) != 3 {
		t.Errorf("ledger after erasing = %v, want 3 entries", got)
	}
}

func apply(t *testing.T, mem *store.Memory, fill func(*store.Batch)) {
	t.Helper()
	var b store.Batch
	fill(&b)
	if err := mem.Apply(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
}

func isCorrupt(err error) bool {
	c := (*store.CorruptError)(nil)
	return errors.As(err, &c)
}

func TestNoValueOutsideExhibits(t *testing.T) {
	mem := store.NewMemory()
	l := open(t, mem)
	r := start(t, l, "acme")
	mark, _, _ := r.Mark(t.Context(), "k")
	if _, err := r.Append(t.Context(), step(1, mark.To(MarkBegun))...); err != nil {
		t.Fatal(err)
	}
	kept := false
	for item, err := range mem.Scan(t.Context(), store.Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		has := bytes.Contains(item.Key, []byte(secret)) || bytes.Contains(item.Value, []byte(secret))
		if has && item.Key[0] != spaceExhibit {
			t.Errorf("key %q holds a value that belongs into an exhibit", item.Key)
		}
		kept = kept || has
	}
	if !kept {
		t.Error("the planted value is nowhere: this test looks at nothing")
	}
}
