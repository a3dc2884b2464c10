package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// format is the version of everything below this package's interface. A program
// that finds another one refuses the store; there is no guessing.
const format = "prov store 1"

// formatKey is the engine's own; see reserved.
var formatKey = []byte{reserved, 'f'}

const (
	// liveDir and newDir stand in the store's folder, beside its lock. newDir is a
	// store in the making: it becomes liveDir by rename, when it is whole.
	liveDir = "db"
	newDir  = "db.new"

	// memTableSize: with the library's 4 MiB, a busy ledger stalls on flushes.
	memTableSize = 32 << 20
	// cacheSize: room for the filters and the hot blocks of a large ledger.
	cacheSize = 32 << 20
	// filterBits a key: most preconditions ask for a key that does not exist, and a
	// filter answers that without reading a block.
	filterBits = 10
)

// Options of a store on disk. The zero value is for a server.
type Options struct {
	// Log gets one line for each error of the engine itself; nil: standard error.
	Log io.Writer
	// Exit ends the process and must not return; nil: os.Exit. The engine calls it,
	// after one line to Log, when it cannot write its log any more: from then on it
	// cannot tell what is on disk, so there is nothing to recover to. Whatever was
	// acknowledged is there when the store is opened again. Programs that embed a
	// store must be ready to end this way.
	Exit func(code int)
}

// Pebble is a store on disk.
type Pebble struct {
	dir    string
	db     *pebble.DB
	lock   io.Closer
	log    *engineLog
	anchor *anchor
	// commits counts the commits of the store's whole life; the committer's own.
	commits uint64

	queue     queue
	committer sync.WaitGroup
	view      view
	counts    counts
	closing   sync.Once
	closeErr  error
}

// Open opens the store in dir, and makes it where there is none. The errors of
// its own are InUseError, FormatError and CorruptError.
func Open(dir string, o Options) (*Pebble, error) {
	real, err := realDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open store in %s: %w", dir, err)
	}
	return openFS(vfs.Default, real, o)
}

// realDir gives a folder one name, whatever links lead to it: within a process
// the lock goes by the name.
func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := makeDir(vfs.Default, abs); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func openFS(disk vfs.FS, dir string, o Options) (_ *Pebble, err error) {
	on := orderedFS{disk}
	s := &Pebble{dir: dir, log: newEngineLog(dir, o)}
	defer func() {
		if err != nil {
			err = fmt.Errorf("open store in %s: %w", dir, err)
		}
	}()
	if err := makeDir(on, dir); err != nil {
		return nil, err
	}
	// The lock is taken on the folder around the store, so it also guards the making.
	if s.lock, err = lockDir(on, dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.lock.Close())
		}
	}()
	live := on.PathJoin(dir, liveDir)
	if _, err := on.Stat(live); errors.Is(err, fs.ErrNotExist) {
		if err := s.create(on); err != nil {
			return nil, fmt.Errorf("make a new one: %w", err)
		}
	} else if err != nil {
		return nil, err
	}
	if err := checkLog(on, live); err != nil {
		return nil, err
	}
	if s.db, err = s.session(on, live, func(p *pebble.Options) { p.ErrorIfNotExists = true }); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.db.Close())
		}
	}()
	if err := s.checkFormat(); err != nil {
		return nil, err
	}
	if err := s.checkAnchor(on); err != nil {
		return nil, err
	}
	s.view.set(s.db.NewSnapshot())
	s.queue.init()
	s.committer.Go(s.run)
	return s, nil
}

// makeDir makes the store's folder and those above it, and makes sure that they
// are still there after a crash.
func makeDir(on vfs.FS, dir string) error {
	var missing []string
	for d := dir; ; d = on.PathDir(d) {
		if _, err := on.Stat(d); err == nil || d == on.PathDir(d) {
			break
		}
		missing = append(missing, d)
	}
	if len(missing) == 0 {
		return nil
	}
	if err := on.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, d := range missing {
		if err := syncDir(on, on.PathDir(d)); err != nil {
			return err
		}
	}
	return nil
}

func lockDir(on vfs.FS, dir string) (io.Closer, error) {
	lock, err := pebble.LockDirectory(dir, on)
	if err == nil {
		return lock, nil
	}
	// The lock itself fails with a bare error; what fails before it (the folder is
	// not ours to write to) names a path.
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, err
	}
	return nil, &InUseError{Dir: dir, Err: err}
}

// create makes a store beside its place and renames it there: a crash inside a
// first open can leave a folder that never opens again, and here it leaves one
// that is made anew.
//
// The first session of a new store writes its log in an older form, in which a
// damaged record ends the log silently. So that session is opened and closed
// with nothing in it, and the first record is written in the second one.
func (s *Pebble) create(on vfs.FS) error {
	tmp := on.PathJoin(s.dir, newDir)
	if err := on.RemoveAll(tmp); err != nil {
		return err
	}
	if err := on.MkdirAll(tmp, 0o700); err != nil {
		return err
	}
	db, err := s.session(on, tmp, func(p *pebble.Options) { p.ErrorIfExists = true })
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	db, err = s.session(on, tmp, func(p *pebble.Options) { p.ErrorIfNotExists = true })
	if err != nil {
		return err
	}
	err = db.Set(formatKey, []byte(format), pebble.Sync)
	if err == nil {
		err = db.Flush()
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := syncTree(on, tmp); err != nil {
		return err
	}
	if err := createAnchor(on, s.dir); err != nil {
		return err
	}
	if err := on.Rename(tmp, on.PathJoin(s.dir, liveDir)); err != nil {
		return err
	}
	return syncDir(on, s.dir)
}

// session opens the engine. It turns a panic into an error: the library says of
// its own recovery that bad data may make it panic.
func (s *Pebble) session(on vfs.FS, dir string, more func(*pebble.Options)) (db *pebble.DB, err error) {
	p := &pebble.Options{
		FS:                 on,
		FormatMajorVersion: pebble.FormatNewest,
		MemTableSize:       memTableSize,
		CacheSize:          cacheSize,
		Logger:             s.log,
		EventListener:      s.log.listener(),
	}
	for i := range p.Levels {
		p.Levels[i].FilterPolicy = bloom.FilterPolicy(filterBits)
	}
	more(p)
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, &CorruptError{Err: fmt.Errorf("panic while opening: %v", r)}
		}
	}()
	db, err = pebble.Open(dir, p)
	return db, engineErr(nil, err)
}

func (s *Pebble) checkFormat() error {
	v, closer, err := s.db.Get(formatKey)
	if errors.Is(err, pebble.ErrNotFound) {
		return &FormatError{Dir: s.dir, Want: format}
	}
	if err != nil {
		return engineErr(formatKey, err)
	}
	found := string(bytes.Clone(v))
	if err := closer.Close(); err != nil {
		return err
	}
	if found != format {
		return &FormatError{Dir: s.dir, Found: found, Want: format}
	}
	return nil
}

// checkAnchor holds what the engine knows of against what was acknowledged.
func (s *Pebble) checkAnchor(on vfs.FS) error {
	v, closer, err := s.db.Get(commitsKey)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
	case err != nil:
		return engineErr(commitsKey, err)
	case len(v) != 8:
		return errors.Join(&CorruptError{Key: commitsKey, Err: fmt.Errorf("%d bytes", len(v))}, closer.Close())
	default:
		s.commits = binary.BigEndian.Uint64(v)
		if err := closer.Close(); err != nil {
			return engineErr(commitsKey, err)
		}
	}
	a, acknowledged, err := openAnchor(on, s.dir)
	if err != nil {
		return err
	}
	if s.commits < acknowledged {
		return errors.Join(a.close(), &CorruptError{Key: commitsKey, Err: fmt.Errorf(
			"the store holds %d commits and acknowledged %d: its log is damaged, or its files are not of one time",
			s.commits, acknowledged)})
	}
	s.anchor = a
	return nil
}

func syncTree(on vfs.FS, dir string) error {
	names, err := on.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := syncFile(on, on.PathJoin(dir, name)); err != nil {
			return err
		}
	}
	return syncDir(on, dir)
}

func syncFile(on vfs.FS, path string) error {
	info, err := on.Stat(path)
	if err != nil || info.IsDir() {
		return err
	}
	f, err := on.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func syncDir(on vfs.FS, dir string) error {
	d, err := on.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// engineErr gives an error of the library the type that this package promises.
func engineErr(key []byte, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pebble.ErrClosed):
		return ErrClosed
	case pebble.IsCorruptionError(err):
		return &CorruptError{Key: key, Err: err}
	}
	return err
}

// Close takes no new batches, commits those that wait, and closes the store when
// the last reader is done.
func (s *Pebble) Close() error {
	s.closing.Do(func() {
		s.queue.close()
		s.committer.Wait()
		s.view.close()
		s.closeErr = errors.Join(s.db.Close(), s.anchor.close(), s.lock.Close())
	})
	return s.closeErr
}

// Dir is the store's folder.
func (s *Pebble) Dir() string { return s.dir }

// Stats counts what was done since Open.
func (s *Pebble) Stats() Stats { return s.counts.stats() }
