package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/provlang/prov/compiler"
	"github.com/provlang/prov/dsl/parser"
)

// folder is one package as found on disk.
type folder struct {
	dir   string // slash-separated, as the caller spelled it
	files []compiler.File
}

// load reads the packages that the operands name: folders, and patterns that end
// in `...`. Without operands it is this folder. The answer is sorted and has each
// folder once.
func load(operands []string) ([]folder, error) {
	if len(operands) == 0 {
		operands = []string{"."}
	}
	var dirs []string
	for _, op := range operands {
		found, err := expand(op)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, found...)
	}
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	folders := make([]folder, 0, len(dirs))
	for _, dir := range dirs {
		f, err := readFolder(dir)
		if err != nil {
			return nil, err
		}
		folders = append(folders, f)
	}
	return folders, nil
}

// expand turns one operand into folders that hold .prov files.
func expand(operand string) ([]string, error) {
	base, recursive := strings.CutSuffix(filepath.ToSlash(operand), "...")
	if !recursive {
		return oneFolder(operand)
	}
	base = path.Clean(base)
	var dirs []string
	err := filepath.WalkDir(filepath.FromSlash(base), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			// Go's own rule for `...`: hidden folders and testdata are not walked.
			if p != filepath.FromSlash(base) && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if isSource(name) {
			dirs = append(dirs, filepath.ToSlash(filepath.Dir(p)))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("walk %s: %w", operand, err)
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("no .prov files below %s", operand)
	}
	return slices.Compact(dirs), nil
}

func oneFolder(operand string) ([]string, error) {
	info, err := os.Stat(operand)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s", operand)
	case err != nil:
		return nil, err
	case !info.IsDir() && isSource(operand):
		return nil, fmt.Errorf("%s is a file; a package is a folder, so name %s", operand, path.Dir(filepath.ToSlash(operand)))
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder", operand)
	}
	return []string{path.Clean(filepath.ToSlash(operand))}, nil
}

// isSource says whether a file name is a .prov source. The generated NAME.prov.go
// and editors' hidden files are not.
func isSource(name string) bool {
	base := filepath.Base(name)
	return strings.HasSuffix(base, ".prov") && !strings.HasPrefix(base, ".")
}

func readFolder(dir string) (folder, error) {
	entries, err := os.ReadDir(filepath.FromSlash(dir))
	if err != nil {
		return folder{}, err
	}
	f := folder{dir: dir}
	for _, e := range entries {
		if e.IsDir() || !isSource(e.Name()) {
			continue
		}
		name := path.Join(dir, e.Name())
		text, err := readSource(filepath.FromSlash(name))
		if err != nil {
			return folder{}, err
		}
		f.files = append(f.files, compiler.File{Name: name, Text: text})
	}
	if len(f.files) == 0 {
		return folder{}, fmt.Errorf("no .prov files in %s", dir)
	}
	return f, nil
}

// readSource reads a regular file, or what a link to one leads to. Opening a pipe
// would wait for ever, and a device never ends. Of a file that is too large it
// reads one byte more than the parser takes, so that the parser refuses it.
func readSource(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", filepath.ToSlash(name))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, parser.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.ToSlash(name), err)
	}
	return text, nil
}
