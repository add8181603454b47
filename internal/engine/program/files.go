package program

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/everyway-go/everyway/internal/load"
)

// TestFiles returns the files that a test of a target's package finds, and the directory
// among them in which go test runs it. What is read of them is noted: see Seen.
func (p *Program) TestFiles(t *load.Target) (files fs.FS, dir string, err error) {
	return p.files(t.Package, "tests of "+t.Package.Binary())
}

// CorpusFiles is TestFiles for reading the seeds of a target.
func (p *Program) CorpusFiles(t *load.Target) (files fs.FS, dir string, err error) {
	return p.files(t.Package, "corpus of "+t.Package.Path+"."+t.Name)
}

// files returns the files of TestFiles, which note in p.seen what is read of them.
func (p *Program) files(pkg *load.Package, reader string) (files fs.FS, dir string, err error) {
	root, dir, err := fileRoot(pkg, p.Toolchain.GOROOT)
	if err != nil {
		return nil, "", err
	}
	p.seenMu.Lock()
	defer p.seenMu.Unlock()
	if p.seen == nil {
		p.seen = make(map[string]*seenFiles)
	}
	s := p.seen[reader]
	if s == nil {
		s = &seenFiles{seen: Seen{Root: root}}
		p.seen[reader] = s
	}
	return notedFiles{moduleFiles{os.DirFS(root)}, s}, dir, nil
}

// Seen returns what was read of the files of a target: by the tests of its test binary so
// far, and to find its seeds.
func (p *Program) Seen(t *load.Target) ([]Seen, error) {
	p.seenMu.Lock()
	defer p.seenMu.Unlock()
	var list []Seen
	for _, reader := range []string{"tests of " + t.Package.Binary(), "corpus of " + t.Package.Path + "." + t.Name} {
		if s := p.seen[reader]; s != nil {
			seen, err := s.copy()
			if err != nil {
				return nil, err
			}
			list = append(list, seen)
		}
	}
	return list, nil
}

// fileRoot returns the directory of the files that a test of p finds, that of p's module or
// GOROOT, and the directory among them in which go test runs it.
func fileRoot(p *load.Package, goroot string) (root, dir string, err error) {
	root = goroot
	if p.Module != nil && p.Module.Dir != "" {
		root = p.Module.Dir
	}
	dir, err = filepath.Rel(root, p.Dir)
	if err != nil {
		return "", "", fmt.Errorf("looking for the files of package %s: %w", p.Path, err)
	}
	if !filepath.IsLocal(dir) {
		return p.Dir, ".", nil
	}
	return root, filepath.ToSlash(dir), nil
}

// moduleFiles are the files of a module, but for those that a search writes itself.
type moduleFiles struct{ fs.FS }

// errIrregular is why a named pipe, a socket or a device is not read: that may not end.
var errIrregular = errors.New("not a regular file")

// ReadFile implements [fs.ReadFileFS].
func (m moduleFiles) ReadFile(name string) ([]byte, error) {
	info, err := fs.Stat(m.FS, name)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	return fs.ReadFile(m.FS, name)
}

// ReadDir implements [fs.ReadDirFS].
func (m moduleFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	info, err := fs.Stat(m.FS, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	entries, err := fs.ReadDir(m.FS, name)
	if name == "." {
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == outputDir })
	}
	return entries, err
}
