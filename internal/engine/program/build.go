package program

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

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
			if err := hashFile(h, p.Fset.Position(f.Package).Filename); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

func hashFile(h io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("hashing the sources: %w", err)
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("hashing %s: %w", name, err)
	}
	return nil
}
