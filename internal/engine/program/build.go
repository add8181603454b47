package program

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/everyway-go/everyway/internal/vm/golib"
)

// hash returns a hash of the sources outside GOROOT, the models and the toolchain.
func (p *Program) hash() (string, error) {
	h := sha256.New()
	t := p.Toolchain
	fmt.Fprintln(h, t.Version, t.GOOS, t.GOARCH, t.ToolTags, p.Tags)
	golib.Hash(h)
	for _, pkg := range p.All {
		if pkg.Standard {
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
