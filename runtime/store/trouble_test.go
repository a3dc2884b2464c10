package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/provlang/prov/runtime/store"
)

// TestMain lets the test binary play another process; see child.
func TestMain(m *testing.M) {
	if role := os.Getenv("STORE_TEST_CHILD"); role != "" {
		os.Exit(child(role, os.Getenv("STORE_TEST_DIR")))
	}
	os.Exit(m.Run())
}

func put(key, value string) *store.Batch {
	b := &store.Batch{}
	b.Put([]byte(key), []byte(value))
	return b
}

// child is what the other process does. It answers on stdout.
func child(role, folder string) int {
	switch role {
	case "open":
		s, err := store.Open(folder, store.Options{})
		if err != nil {
			fmt.Print(err)
			return 1
		}
		fmt.Print("opened")
		if err := s.Close(); err != nil {
			return 2
		}
		return 0
	case "broken log":
		var broken atomic.Bool
		on := errorfs.Wrap(vfs.NewMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
			if broken.Load() && op.Kind == errorfs.OpFileSyncData && strings.HasSuffix(op.Path, ".log") {
				return errors.New("the disk\nsays no")
			}
			return nil
		}))
		s, err := store.OpenFS(on, dir, store.Options{})
		if err != nil {
			fmt.Print(err)
			return 1
		}
		broken.Store(true)
		fmt.Print("answered: ", s.Apply(context.Background(), put("k", "v")))
		return 0
	}
	return 3
}

func runChild(t *testing.T, role, folder string) (stdout, stderr string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), "STORE_TEST_CHILD="+role, "STORE_TEST_DIR="+folder)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
			t.Fatal(err)
		}
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestASecondProcessIsToldThatTheStoreIsInUse(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if out, _, code := runChild(t, "open", dir); code != 1 || !strings.Contains(out, "is in use by another process") {
		t.Errorf("second process: code %d, %q", code, out)
	}
	// The same process, under other names of the folder.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, again := range []string{dir, dir + "/../" + filepath.Base(dir), link} {
		if _, err := store.Open(again, store.Options{}); !errors.As(err, new(*store.InUseError)) {
			t.Errorf("second open in one process, as %s: %v", again, err)
		}
	}
	closeStore(t, s)
	if out, _, code := runChild(t, "open", dir); code != 0 || out != "opened" {
		t.Errorf("after close: code %d, %q", code, out)
	}
}

// The engine ends the process when it cannot write its log: nobody is told that
// a commit is on disk, and somebody is told why.
func TestABrokenLogEndsTheProcessWithOneLine(t *testing.T) {
	out, errs, code := runChild(t, "broken log", "")
	if code != 2 || out != "" {
		t.Errorf("code %d, stdout %q; want 2 and no answer", code, out)
	}
	if strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "store in "+dir+": fatal") || !strings.Contains(errs, "the disk says no") {
		t.Errorf("stderr is not one clear line: %q", errs)
	}
}

func TestFormats(t *testing.T) {
	for _, tc := range []struct {
		name  string
		write func(db *pebble.DB) error
		want  string
	}{
		{"a later one", func(db *pebble.DB) error { return db.Set([]byte("\x00f"), []byte("prov store 9"), pebble.Sync) },
			`has format "prov store 9"; this program reads "prov store 1"`},
		{"none", func(db *pebble.DB) error { return db.Delete([]byte("\x00f"), pebble.Sync) },
			`carries no format version`},
	} {
		disk := vfs.NewMem()
		s, err := store.OpenFS(disk, dir, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		closeStore(t, s)
		db, err := pebble.Open(dir+"/db", &pebble.Options{FS: disk, FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(tc.write(db), db.Close()); err != nil {
			t.Fatal(err)
		}
		for range 2 { // a refusal leaves the store as it was, and not locked
			_, err = store.OpenFS(disk, dir, store.Options{})
			if !errors.As(err, new(*store.FormatError)) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: %v; want %q", tc.name, err, tc.want)
			}
		}
	}
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(f string, a ...any) {
	panic(fmt.Sprintf(f, a...))
}

func TestDamagedAnchors(t *testing.T) {
	disk := vfs.NewMem()
	s, err := store.OpenFS(disk, dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := s.Apply(t.Context(), put("k", "v")); err != nil {
			t.Fatal(err)
		}
	}
	closeStore(t, s)
	f, err := disk.Open(dir + "/anchor")
	if err != nil {
		t.Fatal(err)
	}
	good, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for at := range good {
		bad := bytes.Clone(good)
		bad[at] ^= 0x10
		img := copyOf(t, disk)
		writeFile(t, img, dir+"/anchor", bad)
		if _, err := store.OpenFS(img, dir, store.Options{}); !errors.As(err, new(*store.CorruptError)) {
			t.Errorf("byte %d: %v, want corrupt", at, err)
		}
	}
	img := copyOf(t, disk)
	writeFile(t, img, dir+"/anchor", good[:7])
	if _, err := store.OpenFS(img, dir, store.Options{}); !errors.As(err, new(*store.CorruptError)) {
		t.Errorf("short anchor: %v, want corrupt", err)
	}
	if err := img.Remove(dir + "/anchor"); err != nil {
		t.Fatal(err)
	}
	if _, err := store.OpenFS(img, dir, store.Options{}); err == nil {
		t.Error("a store without its anchor opens")
	}
}

// stuck is a disk that stops answering in the middle of a commit.
type stuck struct {
	armed   atomic.Bool
	reached chan struct{} // a sync of the log has begun
	release chan struct{} // closed: it may end
}

func (s *stuck) MaybeError(op errorfs.Op) error {
	if op.Kind == errorfs.OpFileSyncData && strings.HasSuffix(op.Path, ".log") && s.armed.CompareAndSwap(true, false) {
		close(s.reached)
		<-s.release
	}
	return nil
}

func (s *stuck) String() string { return "stuck" }

func TestACommitThatHangs(t *testing.T) {
	disk := &stuck{reached: make(chan struct{}), release: make(chan struct{})}
	s, err := store.OpenFS(errorfs.Wrap(vfs.NewMem(), disk), dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)

	disk.armed.Store(true)
	begun := s.Submit(put("begun", "v"))
	<-disk.reached
	queued := s.Submit(put("queued", "v"))

	unknown := (*store.UnknownError)(nil)
	if err := begun.Wait(gone); !errors.As(err, &unknown) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a commit under way at its deadline: %v, want unknown", err)
	}
	if err := queued.Wait(gone); errors.As(err, &unknown) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a batch that was not begun at its deadline: %v, want the deadline", err)
	}
	if err := s.Settle(gone); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("settling while the disk hangs: %v", err)
	}
	// What is not on stable storage is not shown, though the engine knows it.
	if _, ok, err := s.Get(t.Context(), []byte("begun")); ok || err != nil {
		t.Errorf("a reader sees what is not synced: %v, %v", ok, err)
	}
	// What waits is bounded.
	var last *store.Pending
	for range 5000 {
		last = s.Submit(put("many", "v"))
	}
	if err := last.Wait(gone); !errors.Is(err, store.ErrBusy) {
		t.Errorf("the 5000th batch that waits: %v, want busy", err)
	}

	close(disk.release)
	if err := begun.Wait(t.Context()); err != nil {
		t.Errorf("the commit that hung: %v", err)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Errorf("settling when the disk answers again: %v", err)
	}
	for key, want := range map[string]bool{"begun": true, "queued": false} {
		if _, ok, err := s.Get(t.Context(), []byte(key)); ok != want || err != nil {
			t.Errorf("key %q is there: %v, %v; want %v", key, ok, err, want)
		}
	}
}
