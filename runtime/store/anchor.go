package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// The anchor is a small file beside the engine's that says how many commits were
// acknowledged. The record that ends a log has nothing after it that could say
// that it had been synced: when it is damaged, it looks like a write that was
// under way when the power failed, and is dropped without a word. So the store
// counts its commits in the engine, says the count here after each one, and does
// not open when the engine knows of fewer.
//
// The file is written after each commit and synced when the store is closed.
// After a power failure it may be behind, never ahead: then it proves less.
type anchor struct {
	file vfs.File
	buf  [anchorSize]byte
}

const (
	anchorName  = "anchor"
	anchorMagic = "provanc1"
	// anchorSize: magic, count, CRC-32C of both. One write of it is one sector.
	anchorSize = len(anchorMagic) + 8 + 4
)

// commitsKey holds the count of commits, as a number of 8 bytes, big-endian.
var commitsKey = []byte{reserved, 'c'}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// createAnchor makes the file and leaves it synced at no commits.
func createAnchor(on vfs.FS, dir string) error {
	f, err := on.Create(on.PathJoin(dir, anchorName), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	a := anchor{file: f}
	return errors.Join(a.set(0), f.Sync(), f.Close(), syncDir(on, dir))
}

// openAnchor opens the file and returns the count that it holds.
func openAnchor(on vfs.FS, dir string) (*anchor, uint64, error) {
	path := on.PathJoin(dir, anchorName)
	f, err := on.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, 0, fmt.Errorf("open the anchor: %w", err)
	}
	a := &anchor{file: f}
	n, err := a.read()
	if err != nil {
		return nil, 0, errors.Join(&CorruptError{Err: fmt.Errorf("anchor %s: %w", path, err)}, f.Close())
	}
	return a, n, nil
}

func (a *anchor) read() (uint64, error) {
	if _, err := a.file.ReadAt(a.buf[:], 0); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("too short")
		}
		return 0, err
	}
	body := a.buf[:anchorSize-4]
	if string(body[:len(anchorMagic)]) != anchorMagic ||
		binary.BigEndian.Uint32(a.buf[anchorSize-4:]) != crc32.Checksum(body, castagnoli) {
		return 0, errors.New("its bytes are not what was written")
	}
	return binary.BigEndian.Uint64(body[len(anchorMagic):]), nil
}

func (a *anchor) set(commits uint64) error {
	b := append(a.buf[:0], anchorMagic...)
	b = binary.BigEndian.AppendUint64(b, commits)
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	_, err := a.file.WriteAt(b, 0)
	return err
}

func (a *anchor) close() error { return errors.Join(a.file.Sync(), a.file.Close()) }
