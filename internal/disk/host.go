package disk

import (
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Host is the file system of the computer.
type Host struct{}

// MkdirAll implements System.
func (Host) MkdirAll(path string) error { return os.MkdirAll(path, 0o777) }

// Remove implements System.
func (Host) Remove(path string) error { return os.Remove(path) }

// OpenRoot implements System.
func (Host) OpenRoot(path string) (Root, error) {
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return hostRoot{r}, nil
}

// A hostRoot is a Root of Host.
type hostRoot struct{ *os.Root }

// Open implements Root. What is no regular file and no directory, such as a pipe, is not
// opened: that may wait for ever.
func (r hostRoot) Open(name string) (fs.File, error) {
	info, err := r.Root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it is no regular file")}
	}
	return r.Root.Open(name)
}

// Create implements Root.
func (r hostRoot) Create(name string) (File, error) {
	f, err := r.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	// Another process may have taken it for abandoned before it was locked.
	if lock(f) && r.has(name, f) {
		return &hostFile{f, r.Root, name}, nil
	}
	f.Close()
	return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
}

// A hostFile is a File of Host.
type hostFile struct {
	*os.File
	root *os.Root
	name string
}

// has reports whether f is the file of a name.
func (r hostRoot) has(name string, f *os.File) bool {
	is, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := r.Root.Stat(name)
	return err == nil && os.SameFile(is, named)
}

// MkdirAll implements Root.
func (r hostRoot) MkdirAll(name string) error { return r.Root.MkdirAll(name, 0o777) }

// SetTime implements Root.
func (r hostRoot) SetTime(name string, modified time.Time) error {
	return r.Root.Chtimes(name, modified, modified)
}
