package gen

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// suffix of every generated file.
const suffix = ".prov.go"

// Check compares files with the generated files that lie in a folder, by base
// name, and names those that are missing, that differ, or that are left over from
// an earlier package: sorted, nil where all is up to date. A file that does not
// say that it was generated is nobody's left-over.
func Check(files []File, committed map[string][]byte) []string {
	var stale []string
	fresh := make(map[string]bool, len(files))
	for _, f := range files {
		fresh[f.Name] = true
		if old, ok := committed[f.Name]; !ok || !bytes.Equal(old, f.Content) {
			stale = append(stale, f.Name)
		}
	}
	for name, text := range committed {
		if !fresh[name] && ours(name, text) {
			stale = append(stale, name)
		}
	}
	slices.Sort(stale)
	return stale
}

// ours says that a file was written by this package.
func ours(name string, text []byte) bool {
	return strings.HasSuffix(name, suffix) && bytes.HasPrefix(text, []byte("// "+generatedBy+" "))
}

// Write puts files into dir and removes what an earlier package left there. Every
// file is complete on disk under another name before the first one is replaced,
// so a failure up to that point changes nothing; the replacing itself is a rename
// for each file. A file of one of the names that is not a generated one is not
// overwritten.
func Write(dir string, files []File) (err error) {
	left, err := leftovers(dir, files)
	if err != nil {
		return err
	}
	var staged []string
	defer func() {
		for _, name := range staged {
			err = errors.Join(err, ignoreMissing(os.Remove(name)))
		}
	}()
	for _, f := range files {
		name, err := stage(dir, f)
		if name != "" {
			staged = append(staged, name)
		}
		if err != nil {
			return err
		}
	}
	for i, f := range files {
		if err := os.Rename(staged[i], filepath.Join(dir, f.Name)); err != nil {
			return fmt.Errorf("replace %s: %w", f.Name, err)
		}
	}
	for _, name := range left {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("remove a file of an earlier package: %w", err)
		}
	}
	return nil
}

// leftovers is the generated files of dir that files do not replace. It fails
// where a file that a person wrote stands in the way.
func leftovers(dir string, files []File) ([]string, error) {
	fresh := make(map[string]bool, len(files))
	for _, f := range files {
		if f.Name != filepath.Base(f.Name) || !strings.HasSuffix(f.Name, suffix) {
			return nil, fmt.Errorf("%q is not the name of a generated file", f.Name)
		}
		fresh[f.Name] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for generated files: %w", err)
	}
	var left []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		if !e.Type().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file", filepath.Join(dir, e.Name()))
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("look for generated files: %w", err)
		}
		switch {
		case fresh[e.Name()] && !ours(e.Name(), text) && len(text) > 0:
			return nil, fmt.Errorf("%s does not say that it was generated; it is left as it is", filepath.Join(dir, e.Name()))
		case !fresh[e.Name()] && ours(e.Name(), text):
			left = append(left, e.Name())
		}
	}
	return left, nil
}

// stage writes a file beside its place, whole and synced.
func stage(dir string, f File) (name string, err error) {
	t, err := os.CreateTemp(dir, "."+f.Name+".*")
	if err != nil {
		return "", fmt.Errorf("write %s: %w", f.Name, err)
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if _, err := t.Write(f.Content); err != nil {
		return t.Name(), fmt.Errorf("write %s: %w", f.Name, err)
	}
	if err := t.Chmod(0o644); err != nil {
		return t.Name(), fmt.Errorf("write %s: %w", f.Name, err)
	}
	if err := t.Sync(); err != nil {
		return t.Name(), fmt.Errorf("write %s: %w", f.Name, err)
	}
	return t.Name(), nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
