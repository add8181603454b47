package program

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/everyway-go/everyway/internal/load"
)

// TestFiles returns the files that a test of a target's package finds, and the directory
// among them in which go test runs it.
func (p *Program) TestFiles(t *load.Target) (files fs.FS, dir string, err error) {
	return testFiles(t.Package, p.Toolchain.GOROOT)
}

// testFiles returns the files that a test of p finds, those of p's module or of GOROOT,
// and the directory among them in which go test runs it.
func testFiles(p *load.Package, goroot string) (files fs.FS, dir string, err error) {
	root := goroot
	if p.Module != nil && p.Module.Dir != "" {
		root = p.Module.Dir
	}
	dir, err = filepath.Rel(root, p.Dir)
	if err != nil {
		return nil, "", fmt.Errorf("looking for the files of package %s: %w", p.Path, err)
	}
	if !filepath.IsLocal(dir) {
		return os.DirFS(p.Dir), ".", nil
	}
	return moduleFiles{os.DirFS(root)}, filepath.ToSlash(dir), nil
}

// moduleFiles are the files of a module, but for those that a search writes itself.
type moduleFiles struct{ fs.FS }

// ReadDir implements [fs.ReadDirFS].
func (m moduleFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(m.FS, name)
	if name == "." {
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == outputDir })
	}
	return entries, err
}
