package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Dir is a directory of files, and of directories of files. It need not exist.
type Dir struct {
	System System
	Path   string
	// Ignored is a directory below it, if it is not empty, that says to git that what is in
	// it is not to be checked in.
	Ignored string
}

// A Path is a file in a Dir. Its Name is relative to the Dir, with slashes.
type Path struct {
	Dir  Dir
	Name string
}

// String returns the path of the file.
func (p Path) String() string { return filepath.Join(p.Dir.Path, filepath.FromSlash(p.Name)) }

// Sibling returns the file of another name in the same directory.
func (p Path) Sibling(base string) Path {
	p.Name = path.Join(path.Dir(p.Name), base)
	return p
}

// in opens the directory and calls do with it.
func (d Dir) in(do func(Root) error) error {
	root, err := d.System.OpenRoot(d.Path)
	if err != nil {
		return err
	}
	defer root.Close()
	return do(root)
}

// Exists reports whether the directory exists.
func (d Dir) Exists() bool { return d.in(func(Root) error { return nil }) == nil }

// Remove removes the directory if it is empty.
func (d Dir) Remove() error { return d.System.Remove(d.Path) }

// temporary begins the names of files that are not complete.
const temporary = ".tmp-"

// IsTemporary reports whether a file of a name is one that a Write had not completed when the
// process, if it is not still at work, was ended by force.
func IsTemporary(name string) bool { return strings.HasPrefix(name, temporary) }

// ignore is the content of .gitignore in a directory that is not to be checked in.
const ignore = "# Written by everyway: what is in this directory is not to be checked in.\n*\n"

// Write writes the file, and makes its directory if need be, with what fill writes.
func (p Path) Write(fill func(io.Writer) error) error { return p.WriteBy(path.Dir(p.Name), fill) }

// WriteBy is Write that makes the file in another directory of the Dir, where nobody takes it for
// what it is to be before it is complete.
func (p Path) WriteBy(staging string, fill func(io.Writer) error) error {
	if err := p.Dir.System.MkdirAll(p.Dir.Path); err != nil {
		return err
	}
	return p.Dir.in(func(root Root) error {
		if dir := p.Dir.Ignored; dir != "" && strings.HasPrefix(p.Name, dir+"/") {
			if err := write(root, path.Join(dir, ".gitignore"), dir, false, func(w io.Writer) error {
				_, err := io.WriteString(w, ignore)
				return err
			}); err != nil {
				return err
			}
		}
		return write(root, p.Name, staging, true, fill)
	})
}

// write writes the file of a name, by way of a file in the directory staging, unless it exists and
// is not to be replaced.
func write(root Root, name, staging string, replace bool, fill func(io.Writer) error) (err error) {
	if !replace {
		if _, err := root.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, dir := range []string{path.Dir(name), staging} {
		if err := root.MkdirAll(dir); err != nil {
			return err
		}
	}
	sweep(root, staging)
	f, tmp, err := create(root, staging)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			root.Remove(tmp)
		}
	}()
	buf := bufio.NewWriterSize(f, 1<<16)
	if err := fill(buf); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.CloseAs(name)
}

// create makes a file that is not complete, in a directory.
func create(root Root, dir string) (f File, name string, err error) {
	for range 100 {
		name = path.Join(dir, fmt.Sprintf("%s%08x", temporary, rand.Uint32()))
		if f, err = root.Create(name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, name, err
}

// sweep removes what processes that were ended by force have left in a directory. What cannot be
// removed stays.
func sweep(root Root, dir string) {
	entries, err := readDir(root, dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if name := path.Join(dir, e.Name()); IsTemporary(e.Name()) {
			root.RemoveAbandoned(name)
		}
	}
}

func readDir(root Root, name string) ([]fs.DirEntry, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dir, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.ErrUnsupported}
	}
	return dir.ReadDir(-1)
}

// Read calls read with the content of the file.
func (p Path) Read(read func(io.Reader) error) error {
	return p.Dir.in(func(root Root) error {
		f, err := root.Open(p.Name)
		if err != nil {
			return err
		}
		defer f.Close()
		return read(f)
	})
}

// ReadFile returns the content of the file.
func (p Path) ReadFile() (text []byte, err error) {
	err = p.Read(func(r io.Reader) (err error) {
		text, err = io.ReadAll(r)
		return err
	})
	return text, err
}

// Stat returns what is known of the file.
func (p Path) Stat() (info fs.FileInfo, err error) {
	err = p.Dir.in(func(root Root) (err error) {
		info, err = root.Stat(p.Name)
		return err
	})
	return info, err
}

// Modified returns when the file was written, the zero time if that is not known.
func (p Path) Modified() time.Time {
	info, err := p.Stat()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// SetTime makes a time the one when the file was written.
func (p Path) SetTime(modified time.Time) error {
	return p.Dir.in(func(root Root) error { return root.SetTime(p.Name, modified) })
}

// Remove removes the file, or a directory of that name if it is empty.
func (p Path) Remove() error {
	return p.Dir.in(func(root Root) error { return root.Remove(p.Name) })
}

// RemoveAll removes the file, or a directory of that name with all that is in it.
func (p Path) RemoveAll() error {
	return p.Dir.in(func(root Root) error { return root.RemoveAll(p.Name) })
}

// Glob returns the files in the directory of p whose names match the last element of its Name.
func (p Path) Glob() ([]Path, error) {
	var list []Path
	err := p.Dir.in(func(root Root) error {
		entries, err := readDir(root, path.Dir(p.Name))
		for _, e := range entries {
			match, bad := path.Match(path.Base(p.Name), e.Name())
			if bad != nil {
				return bad
			}
			if match {
				list = append(list, p.Sibling(e.Name()))
			}
		}
		return err
	})
	slices.SortFunc(list, func(a, b Path) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}
