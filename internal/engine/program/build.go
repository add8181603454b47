package program

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// Build returns a hash of what names and positions in run files of a target depend on, and what its
// runs do: the code that the target can reach, but not the lines at which it stands, the models of
// the standard library and the toolchain. Other packages that are loaded make no difference. The
// files that runs read do, and are not in it: see Seen. It is empty for a program that uses cgo, of
// which the code is not known.
func (p *Program) Build(t *load.Target) (string, error) {
	if len(p.Cgo) > 0 {
		return "", nil
	}
	r, err := p.Reach(t)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	tc := p.Toolchain
	fmt.Fprintln(h, tc.Version, tc.GOOS, tc.GOARCH, tc.ToolTags, p.Tags, r.Code)
	golib.Hash(h)
	for _, pkg := range p.Packages {
		// Of the standard library, the version says what is in it; what is not part of a
		// release, as files that are changed there, is in none.
		if !pkg.Standard || pkg.Binary() != t.Package.Binary() {
			continue
		}
		for _, f := range pkg.Files {
			text, err := p.Sources.Read(p.Fset.File(f.Package).Name())
			if err != nil {
				return "", fmt.Errorf("hashing the sources: %w", err)
			}
			h.Write(text)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// CoverKey returns a hash of what schedules of a target depend on: what Build does, the lines at
// which the code stands, which positions name, and the program that finds them.
func (p *Program) CoverKey(t *load.Target) (string, error) {
	build, err := p.Build(t)
	if err != nil {
		return "", err
	}
	r, err := p.Reach(t)
	if err != nil {
		return "", err
	}
	tool, err := cache.Executable() // another version may find other schedules
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, build, r.Lines, tool)
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
