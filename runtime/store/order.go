package store

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// orderedFS keeps one promise that the engine leaves to the file system: that a
// marker file, which names the manifest in force, never survives a crash without
// the manifest that it names. Both are entries of one folder, and the engine
// syncs the folder only after both were made.
type orderedFS struct{ vfs.FS }

const markerPrefix = "marker."

// Create makes a file; before a marker, the folder's earlier entries are synced.
func (o orderedFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(o.PathBase(name), markerPrefix) {
		if err := syncDir(o.FS, o.PathDir(name)); err != nil {
			return nil, err
		}
	}
	return o.FS.Create(name, category)
}

// Unwrap lets the engine find what lies below.
func (o orderedFS) Unwrap() vfs.FS { return o.FS }
