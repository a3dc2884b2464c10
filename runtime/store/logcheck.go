package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// The engine's log is a row of blocks, each a row of chunks; a record is one
// chunk, or several where it crosses blocks. Where a chunk is not good, its
// reader must tell a write that was torn by a power failure from damage to what
// had been synced. The engine looks whether a later block says that more had
// been synced; so it is blind for damage in the last block, and what its blocks
// say lags behind in a long log.
//
// This store knows more: its committer waits for each record to be synced before
// it writes the next one. So at most the last record of a log can be torn, and a
// record that begins after the place that is not good proves damage.
//
// The check knows the layout of the one format version that a store is opened
// with. It only ever adds a refusal, and only on a chunk whose checksum fits, so
// a layout that it does not know makes it blind and nothing worse.
const (
	logBlock  = 32 << 10
	logHeader = 4 + 2 + 1 + 4 + 8
	// The forms: a whole record, its first, a middle and its last part.
	formWhole, formFirst, formMiddle, formLast = 9, 10, 11, 12
	logMaxSize                                 = 1 << 30
)

// checkLog looks at the newest log in the engine's folder.
func checkLog(on vfs.FS, dir string) error {
	names, err := on.List(dir)
	if err != nil {
		return err
	}
	var newest string
	var number uint64
	for _, name := range names {
		digits, is := strings.CutSuffix(name, ".log")
		if n, err := strconv.ParseUint(digits, 10, 32); is && err == nil && n >= number {
			newest, number = name, n
		}
	}
	if newest == "" {
		return nil
	}
	b, err := readLog(on, on.PathJoin(dir, newest))
	if err != nil {
		return fmt.Errorf("check log %s: %w", newest, err)
	}
	l := logBytes{b, uint32(number)}
	end := l.end()
	if at, found := l.later(end); found {
		return &CorruptError{Err: fmt.Errorf("log %s is damaged at byte %d: a later record stands at byte %d", newest, end, at)}
	}
	return nil
}

func readLog(on vfs.FS, path string) (b []byte, err error) {
	f, err := on.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// A log is at most a write buffer and what was written while it was flushed. A
	// file beyond all bounds is left to the engine.
	return io.ReadAll(io.LimitReader(f, logMaxSize))
}

type logBytes struct {
	b      []byte
	number uint32
}

// chunk reads the chunk at an offset: where it ends, and its form.
func (l logBytes) chunk(at int) (end int, form byte, ok bool) {
	if at+logHeader > len(l.b) {
		return 0, 0, false
	}
	h := l.b[at:]
	if form = h[6]; form < formWhole || form > formLast || binary.LittleEndian.Uint32(h[7:]) != l.number {
		return 0, 0, false
	}
	end = at + logHeader + int(binary.LittleEndian.Uint16(h[4:]))
	if end > len(l.b) || end > (at/logBlock+1)*logBlock {
		return 0, 0, false
	}
	if binary.LittleEndian.Uint32(h) != logSum(l.b[at+6:end]) {
		return 0, 0, false
	}
	return end, form, true
}

// logSum is CRC-32C, turned and shifted so that it does not fit itself.
func logSum(b []byte) uint32 {
	c := crc32.Checksum(b, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

// end is where the row of good chunks ends.
func (l logBytes) end() int {
	at := 0
	for {
		end, _, ok := l.chunk(at)
		if !ok {
			return at
		}
		if at = end; logBlock-at%logBlock < logHeader {
			at = (at/logBlock + 1) * logBlock // no chunk fits into the rest of the block
		}
	}
}

// later looks for a record that begins after an offset.
func (l logBytes) later(than int) (at int, found bool) {
	for at := than + 1; at+logHeader <= len(l.b); at++ {
		if _, form, ok := l.chunk(at); ok && (form == formWhole || form == formFirst) {
			return at, true
		}
	}
	return 0, false
}
