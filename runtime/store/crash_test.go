package store_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/provlang/prov/runtime/ledger"
	"github.com/provlang/prov/runtime/store"
)

const dir = "/var/lib/data"

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func entropy() io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte("crash test"))) }

func startRun(t testing.TB, l *ledger.Ledger) *ledger.Run {
	t.Helper()
	digest := strings.Repeat("0", 64)
	r, err := l.StartRun(t.Context(), "acme", noon, ledger.RunStarted{Task: "t", Package: "p", Policy: "q",
		PolicyDigest: digest, Agent: "a", Role: "r", Mode: ledger.ModeAgent})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// step is one durable step: decision, exhibit, intent, idempotency record.
func step(n int) []ledger.Record {
	key := fmt.Sprintf("key-%d", n)
	at := ledger.Time(noon)
	return []ledger.Record{
		{
			Entry: ledger.Entry{At: at, Step: n, Kind: ledger.KindDecision, Decision: &ledger.Decision{
				PolicyDigest: strings.Repeat("0", 64), Agent: "a", Tool: "tool", Key: key,
				Identity: "good", Prior: "none", Found: "none",
				Verdict: ledger.Verdict{Outcome: "allow", Rung: "risk", Reason: "allowed"}}},
			Exhibit: &ledger.Exhibit{Proposal: []byte(`{"tool":"tool"}`)},
			Mark:    &ledger.Mark{Key: key, Status: ledger.MarkBegun},
		},
		{Entry: ledger.Entry{At: at, Step: n, Kind: ledger.KindIntent, Intent: &ledger.Intent{Tool: "tool", Key: key}}},
	}
}

func openLedger(t *testing.T, on vfs.FS) (*store.Pebble, *ledger.Ledger, error) {
	t.Helper()
	s, err := store.OpenFS(on, dir, store.Options{Log: io.Discard})
	if err != nil {
		return nil, nil, err
	}
	l, err := ledger.Open(t.Context(), s, entropy())
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return s, l, nil
}

func closeStore(t *testing.T, s *store.Pebble) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// audit holds what must be true of a ledger whatever happened to it, and returns
// the number of its last entry.
func audit(t *testing.T, s *store.Pebble, l *ledger.Ledger) (uint64, error) {
	t.Helper()
	ctx := t.Context()
	var last uint64
	marks := 0
	for line, err := range l.WholeStore(ctx, 1) { // refuses a gap itself
		if err != nil {
			return 0, err
		}
		e := line.Entry
		last = e.Seq
		if e.Kind != ledger.KindDecision {
			continue
		}
		if _, err := l.Exhibit(ctx, e.Tenant, e.Run, e.Seq); err != nil {
			return 0, err
		}
		run, err := l.OpenRun(ctx, e.Tenant, e.Run)
		if err != nil {
			return 0, err
		}
		m, ok, err := run.Mark(ctx, e.Decision.Key)
		if err != nil || !ok || m.Decision != e.Seq {
			return 0, fmt.Errorf("idempotency record of entry %d: %+v, %v, %w", e.Seq, m, ok, err)
		}
		marks++
	}
	head, err := l.Head(ctx)
	if err != nil || head.Seq != last {
		return 0, fmt.Errorf("head is at %d, the last entry is %d: %w", head.Seq, last, err)
	}
	stored := 0
	for _, err := range s.Scan(ctx, store.Range{Prefix: []byte("i")}) {
		if err != nil {
			return 0, err
		}
		stored++
	}
	if stored != marks {
		return 0, fmt.Errorf("%d idempotency records, %d decisions", stored, marks)
	}
	return last, nil
}

// image is the disk as it was when power failed, and what had been acknowledged.
type image struct {
	op    string
	acked uint64
	kept  int
	disk  *vfs.MemFS
}

// camera takes crash images at every operation that writes.
type camera struct {
	disk  *vfs.MemFS
	acked *atomic.Uint64

	mu     sync.Mutex
	rng    *rand.Rand
	images []image
}

func (c *camera) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, kept := range []int{0, 50, 100} {
		acked := c.acked.Load() // before the image: what is acknowledged later may be missing
		c.images = append(c.images, image{
			op: fmt.Sprintf("operation %d on %s", op.Kind, op.Path), acked: acked, kept: kept,
			disk: c.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: kept, RNG: c.rng}),
		})
	}
	return nil
}

func (c *camera) String() string { return "camera" }

// Three sessions: of a new store; of one that recovers from a crash, so that
// there are crashes within a recovery; and of one that was closed in order.
func TestCrashAtEveryWrite(t *testing.T) {
	c := &camera{disk: vfs.NewCrashableMem(), acked: new(atomic.Uint64), rng: rand.New(rand.NewPCG(1, 2))}
	s := photograph(t, c)
	c.mu.Lock() // the engine may still be at work
	crashed := c.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: c.rng})
	c.mu.Unlock()
	closeStore(t, s)
	images := c.images

	c = &camera{disk: crashed, rng: c.rng, acked: c.acked}
	closeStore(t, photograph(t, c))
	closeStore(t, photograph(t, c))
	images = append(images, c.images...)

	if len(images) < 300 {
		t.Fatalf("%d images: the camera sees no writes", len(images))
	}
	for i, img := range images {
		if err := develop(t, img); err != nil {
			t.Errorf("image %d, %s, %d%% of unsynced data kept: %v", i, img.op, img.kept, err)
		}
	}
}

// photograph does a session's work in front of the camera, and leaves the store
// open.
func photograph(t *testing.T, c *camera) *store.Pebble {
	t.Helper()
	s, l, err := openLedger(t, errorfs.Wrap(c.disk, c))
	if err != nil {
		t.Fatal(err)
	}
	r := startRun(t, l)
	for n := 1; n <= 4; n++ {
		recs := step(n)
		if n == 3 { // a record of the log that crosses blocks
			recs[0].Exhibit.Proposal = bytes.Repeat([]byte("p"), 50_000)
		}
		first, err := r.Append(t.Context(), recs...)
		if err != nil {
			t.Fatal(err)
		}
		c.acked.Store(first + 1)
	}
	return s
}

// develop opens an image and looks at it, goes on with it, and looks again.
func develop(t *testing.T, img image) error {
	s, l, err := openLedger(t, img.disk)
	if err != nil {
		return err
	}
	defer closeStore(t, s)
	last, err := audit(t, s, l)
	if err != nil {
		return err
	}
	if last < img.acked {
		return fmt.Errorf("ends at %d, %d was acknowledged", last, img.acked)
	}
	first, err := startRun(t, l).Append(t.Context(), step(1)...)
	if err != nil {
		return err
	}
	if first != last+2 {
		return fmt.Errorf("goes on at %d after %d", first, last)
	}
	_, err = audit(t, s, l)
	return err
}

// newStore fills a new store in its first session, and returns its disk as it is
// while the store is still open, with and without what was not synced.
func newStore(t *testing.T, steps int) (killed, unplugged *vfs.MemFS, acked uint64) {
	t.Helper()
	disk := vfs.NewCrashableMem()
	s, l, err := openLedger(t, disk)
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	r := startRun(t, l)
	for n := 1; n <= steps; n++ {
		first, err := r.Append(t.Context(), step(n)...)
		if err != nil {
			t.Fatal(err)
		}
		acked = first + 1
	}
	rng := rand.New(rand.NewPCG(1, 2))
	return disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng}), disk.CrashClone(vfs.CrashCloneCfg{}), acked
}

// A process that was killed leaves the anchor as it was after the last commit,
// so no damage to the log can hide a commit, not even the last one.
func TestFlippedBitInTheLogOfAKilledProcess(t *testing.T) {
	killed, _, acked := newStore(t, 4)
	log, bytes := liveLog(t, killed)
	flip(t, killed, log, bytes, acked, 0, used(bytes), 5)
}

// After a power failure the anchor may be behind. Then each record must speak for
// the ones before it, and it does if the store was made as it should be: a log
// of the older form, which a store has in its very first session, would end
// silently at the damage. Only the last commit of all has nothing after it.
func TestFlippedBitInANewStoresLogAfterPowerFailure(t *testing.T) {
	for _, steps := range []int{4, 120} { // within one block of the log, and over several
		_, unplugged, acked := newStore(t, steps)
		log, bytes := liveLog(t, unplugged)
		flip(t, unplugged, log, bytes, acked-2, 0, used(bytes), 1+used(bytes)/400)
	}
}

// used is the length of a log without the zeros that it was given in advance.
func used(bytes []byte) int {
	end := len(bytes)
	for end > 0 && bytes[end-1] == 0 {
		end--
	}
	return end
}

// flip damages a log at one place after another and looks whether the store says
// so.
func flip(t *testing.T, disk *vfs.MemFS, log string, bytes []byte, acked uint64, from, to, by int) {
	t.Helper()
	if err := finds(t, copyOf(t, disk), acked); err != nil {
		t.Fatalf("without any damage: %v", err)
	}
	silent := 0
	for at := from; at < to; at += by {
		img := copyOf(t, disk)
		damaged := slices.Clone(bytes)
		damaged[at] ^= 1 << (at % 8)
		writeFile(t, img, log, damaged)
		if err := finds(t, img, acked); err != nil {
			if silent++; silent <= 3 {
				t.Errorf("bit %d of byte %d flipped: %v", at%8, at, err)
			}
		}
	}
	if silent > 0 {
		t.Errorf("%d of %d flips went unnoticed", silent, (to-from+by-1)/by)
	}
}

// finds opens a damaged store. It is an error when that goes well and something
// that was acknowledged is missing.
func finds(t *testing.T, img vfs.FS, acked uint64) error {
	s, l, err := openLedger(t, img)
	if err != nil {
		return nil
	}
	defer closeStore(t, s)
	last, err := audit(t, s, l)
	if err == nil && last < acked {
		return fmt.Errorf("ends at %d without a word, %d was acknowledged", last, acked)
	}
	return nil
}

func copyOf(t *testing.T, disk *vfs.MemFS) *vfs.MemFS {
	t.Helper()
	to := vfs.NewMem()
	if ok, err := vfs.Clone(disk, to, dir, dir, vfs.CloneSync); err != nil || !ok {
		t.Fatalf("copy a disk: %v, %v", ok, err)
	}
	return to
}

func liveLog(t *testing.T, on vfs.FS) (path string, bytes []byte) {
	t.Helper()
	live := on.PathJoin(dir, "db")
	names, err := on.List(live)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".log") {
			continue
		}
		f, err := on.Open(on.PathJoin(live, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if len(b) > len(bytes) {
			path, bytes = on.PathJoin(live, name), b
		}
	}
	if path == "" {
		t.Fatalf("no log among %q", names)
	}
	return path, bytes
}

func writeFile(t *testing.T, on vfs.FS, path string, b []byte) {
	t.Helper()
	f, err := on.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
}
