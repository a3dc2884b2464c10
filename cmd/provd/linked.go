package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/provlang/prov/examples/incident"
	incidentcompany "github.com/provlang/prov/examples/incident/company"
	"github.com/provlang/prov/examples/intake"
	intakecompany "github.com/provlang/prov/examples/intake/company"
	"github.com/provlang/prov/runtime/host"
)

// link is one generated package and the Go functions behind its tools.
type link struct {
	name       string
	digest     string // of the sources that the package was generated from
	deployment host.Deployment
}

// linked is the list of packages that this provd can run. To run a policy of
// your own, generate its Go, write its tools, and add a row.
func linked() []link {
	return []link{
		{"incident", incident.Digest, incidentcompany.Deployment()},
		{"intake", intake.Digest, intakecompany.Deployment()},
	}
}

// linkFor finds the linked package that was generated from exactly the .prov
// files of a folder. A folder that was edited since does not run: what is decided
// must be what is written there.
func linkFor(folder fs.FS, dir string) (link, error) {
	digest, err := sourceDigest(folder)
	if err != nil {
		return link{}, fmt.Errorf("read the policy of %s: %w", dir, err)
	}
	var known []string
	for _, l := range linked() {
		if l.digest == digest {
			return l, nil
		}
		known = append(known, l.name)
		if l.name == path.Base(dir) {
			return link{}, fmt.Errorf("the .prov files of %s are not the ones that this provd was built from; run: provc gen %s, and build provd again", dir, dir)
		}
	}
	return link{}, fmt.Errorf("no policy of %s is linked into this provd (it has %s); generate its Go with provc gen and add it to cmd/provd/linked.go", dir, strings.Join(known, ", "))
}

// sourceDigest is the digest of a package's sources as the compiler computes it
// (a test holds the two equal): SHA-256 over a first line and, for each file by
// name, its name, its length and its bytes. provd does without the compiler
// otherwise: an author's tools are not in a server.
func sourceDigest(folder fs.FS) (string, error) {
	names, err := fs.Glob(folder, "*.prov")
	if err != nil {
		return "", err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, ".") })
	if len(names) == 0 {
		return "", fmt.Errorf("there are no .prov files")
	}
	slices.Sort(names)
	h := sha256.New()
	fmt.Fprint(h, "prov package 1\n")
	for _, n := range names {
		// Opening a pipe would wait for ever.
		if info, err := fs.Stat(folder, n); err != nil {
			return "", err
		} else if !info.Mode().IsRegular() {
			return "", fmt.Errorf("%s is not a regular file", n)
		}
		text, err := fs.ReadFile(folder, n)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s\n%d\n%s\n", n, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
