package program

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/everyway-go/everyway/internal/load"
)

// readers name who reads the files of a target: the initialisers of its test binary, the target,
// and the search, which reads the seeds.
func readers(t *load.Target) (initialisers, target, seeds string) {
	name := strings.Join(TargetNames(t), " ")
	return "initialisers of " + t.Package.Binary(), name, "seeds of " + name
}

// TestFiles returns the files that a target finds, and the directory among them in which go
// test runs it. What is read of them is noted: see Seen.
func (p *Program) TestFiles(t *load.Target) (files fs.FS, dir string, err error) {
	_, reader, _ := readers(t)
	return p.files(t.Package, reader)
}

// InitialiserFiles is TestFiles for the package initialisers of a target's test binary.
func (p *Program) InitialiserFiles(t *load.Target) (files fs.FS, dir string, err error) {
	reader, _, _ := readers(t)
	return p.files(t.Package, reader)
}

// CorpusFiles is TestFiles for reading the seeds of a target.
func (p *Program) CorpusFiles(t *load.Target) (files fs.FS, dir string, err error) {
	_, _, reader := readers(t)
	return p.files(t.Package, reader)
}

// files returns the files of TestFiles, which note in p.seen what is read of them.
func (p *Program) files(pkg *load.Package, reader string) (files fs.FS, dir string, err error) {
	root, dir, err := fileRoot(pkg, p.Toolchain.GOROOT)
	if err != nil {
		return nil, "", err
	}
	opened, err := os.OpenRoot(root) // which no symbolic link leads out of
	if err != nil {
		return nil, "", fmt.Errorf("looking for the files of package %s: %w", pkg.Path, err)
	}
	return notedFiles{moduleFiles{opened.FS()}, p.seenBy(reader, root), nil}, dir, nil
}

// seenBy returns what a reader has seen of the files below a root.
func (p *Program) seenBy(reader, root string) *seenFiles {
	p.seenMu.Lock()
	defer p.seenMu.Unlock()
	if p.seen == nil {
		p.seen = make(map[string]*seenFiles)
	}
	s := p.seen[reader]
	if s == nil {
		s = &seenFiles{seen: Seen{Reader: reader, Root: root}}
		p.seen[reader] = s
	}
	return s
}

// SawBefore notes what was read of the files of a target by a search of it that is resumed.
func (p *Program) SawBefore(before []Seen) {
	for i := range before {
		p.seenBy(before[i].Reader, before[i].Root).add(&before[i])
	}
}

// Wrote notes that a search has written a seed of its target: it is not one of those that the
// search has begun with.
func (p *Program) Wrote(t *load.Target, seed string) {
	root, _, err := fileRoot(t.Package, p.Toolchain.GOROOT)
	if err != nil {
		return // nothing is read there
	}
	if name, err := filepath.Rel(root, seed); err == nil {
		_, _, reader := readers(t)
		p.seenBy(reader, root).own(filepath.ToSlash(name))
	}
}

// Seen returns what was read of the files of a target so far: by the initialisers of its test
// binary, by itself, and to find its seeds.
func (p *Program) Seen(t *load.Target) ([]Seen, error) {
	p.seenMu.Lock()
	defer p.seenMu.Unlock()
	var list []Seen
	initialisers, target, seeds := readers(t)
	for _, reader := range []string{initialisers, target, seeds} {
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

// RunFiles returns the files of TestFiles for a run that begins at the start of a target, with a
// function that returns hashes of what the initialisers and the run have read, as run files have
// them.
func (p *Program) RunFiles(t *load.Target) (files fs.FS, read func() map[string]string, err error) {
	all, _, err := p.TestFiles(t)
	if err != nil {
		return nil, nil, err
	}
	run := &seenFiles{}
	noted := all.(notedFiles)
	noted.run = run
	initialisers, _, _ := readers(t)
	return noted, func() map[string]string { return recorded(p.seenBy(initialisers, noted.noted.seen.Root), run) }, nil
}

// recorded returns what was seen as run files have it.
func recorded(list ...*seenFiles) map[string]string {
	read := map[string]string{}
	for _, s := range list {
		seen, _ := s.copy() // what was read first counts
		for name, hash := range seen.Files {
			read[name] = recordedHash(hash)
		}
		for name, hash := range seen.Dirs {
			read[name+"/"] = recordedHash(hash)
		}
	}
	return read
}

// recordedHash returns a hash as run files have it.
func recordedHash(hash string) string { return hash[:min(len(hash), 16)] }

// Unchanged reports whether what a run file says that a target has read is what there is now.
func (p *Program) Unchanged(t *load.Target, read map[string]string) bool {
	if len(read) == 0 {
		return true
	}
	dir, _, err := fileRoot(t.Package, p.Toolchain.GOROOT)
	if err != nil {
		return false
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	files := moduleFiles{root.FS()}
	for name, was := range read {
		dir, isDir := strings.CutSuffix(name, "/")
		var now string
		if isDir {
			now = hashDirRead(files.ReadDir(dir))
		} else {
			now = hashFileRead(fs.ReadFile(files, name))
		}
		if recordedHash(now) != was {
			return false
		}
	}
	return true
}

// FilesRoot returns the directory of the files that the tests of t's package find.
func (p *Program) FilesRoot(t *load.Target) (string, error) {
	root, _, err := fileRoot(t.Package, p.Toolchain.GOROOT)
	return root, err
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

// ErrOutside says that a symbolic link leads out of the files of a module.
var ErrOutside = errors.New("a symbolic link leads out of the module")

// outside replaces the error of package os that says so, which has no name.
func outside(err error) error {
	if wrong, ok := errors.AsType[*fs.PathError](err); ok && wrong.Err.Error() == "path escapes from parent" {
		return &fs.PathError{Op: wrong.Op, Path: wrong.Path, Err: ErrOutside}
	}
	return err
}

// Stat implements [fs.StatFS].
func (m moduleFiles) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(m.FS, name)
	return info, outside(err)
}

// ReadFile implements [fs.ReadFileFS].
func (m moduleFiles) ReadFile(name string) ([]byte, error) {
	info, err := m.Stat(name)
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
	info, err := m.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	entries, err := fs.ReadDir(m.FS, name)
	err = outside(err)
	if name == "." {
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == outputDir })
	}
	return entries, err
}
