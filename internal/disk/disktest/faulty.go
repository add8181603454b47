package disktest

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
)

// A Fault is how operations fail.
type Fault int

// The faults.
const (
	// Error: the operation has an error, and no effect.
	Error Fault = iota
	// Short: the operation is a write that writes half of what it is given.
	Short
	// Full: the operation finds the disk full, and so do those after it. What would not take
	// more room is done.
	Full
	// ReadOnly: the operation, and those after it, find that nothing can be changed.
	ReadOnly
)

// Faults are all faults.
var Faults = []Fault{Error, Short, Full, ReadOnly}

// String returns the name of f.
func (f Fault) String() string {
	return [...]string{"error", "short write", "full disk", "read-only"}[f]
}

// what an operation does.
type effect int

const (
	reads effect = iota
	frees
	writes  // takes room
	changes // takes none
)

// A System is the file system of the computer with a fault.
type System struct {
	Fault Fault
	// At is the number of the operation that fails, from 1, among those that can have the
	// fault. If it is 0 none fails.
	At int

	mu     sync.Mutex
	count  int
	failed string
}

// Count returns how many operations there were that can have the fault.
func (s *System) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Failed names the first operation that has failed; it is empty if none has.
func (s *System) Failed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// do counts an operation and returns the error that it is to have.
func (s *System) do(op, path string, e effect) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, lasts := syscall.EIO, false
	switch s.Fault {
	case Short:
		if op != "write" {
			return nil
		}
	case Full:
		if err, lasts = syscall.ENOSPC, true; e != writes {
			return nil
		}
	case ReadOnly:
		if err, lasts = syscall.EROFS, true; e == reads {
			return nil
		}
	}
	s.count++
	if s.At == 0 || s.count < s.At || s.count > s.At && !lasts {
		return nil
	}
	if s.failed == "" {
		s.failed = fmt.Sprintf("%s %s", op, path)
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// MkdirAll implements disk.System.
func (s *System) MkdirAll(path string) error {
	e := writes
	if (disk.Dir{System: disk.Host{}, Path: path}).Exists() {
		e = reads
	}
	if err := s.do("mkdir", path, e); err != nil {
		return err
	}
	return disk.Host{}.MkdirAll(path)
}

// Remove implements disk.System.
func (s *System) Remove(path string) error {
	if err := s.do("remove", path, frees); err != nil {
		return err
	}
	return disk.Host{}.Remove(path)
}

// OpenRoot implements disk.System.
func (s *System) OpenRoot(path string) (disk.Root, error) {
	if err := s.do("openroot", path, reads); err != nil {
		return nil, err
	}
	r, err := disk.Host{}.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &root{r, s, path}, nil
}

// A root is a root of a System.
type root struct {
	disk.Root
	system *System
	path   string
}

func (r *root) do(op, name string, e effect) error {
	return r.system.do(op, filepath.Join(r.path, name), e)
}

// Open implements disk.Root.
func (r *root) Open(name string) (fs.File, error) {
	if err := r.do("open", name, reads); err != nil {
		return nil, err
	}
	f, err := r.Root.Open(name)
	if err != nil {
		return nil, err
	}
	return &readFile{f, r, name}, nil
}

// Create implements disk.Root.
func (r *root) Create(name string) (disk.File, error) {
	if err := r.do("create", name, writes); err != nil {
		return nil, err
	}
	f, err := r.Root.Create(name)
	if err != nil {
		return nil, err
	}
	return &file{f, r, name}, nil
}

// MkdirAll implements disk.Root.
func (r *root) MkdirAll(name string) error {
	e := writes
	if _, err := r.Root.Stat(name); err == nil {
		e = reads
	}
	if err := r.do("mkdir", name, e); err != nil {
		return err
	}
	return r.Root.MkdirAll(name)
}

// Stat implements disk.Root.
func (r *root) Stat(name string) (fs.FileInfo, error) {
	if err := r.do("stat", name, reads); err != nil {
		return nil, err
	}
	return r.Root.Stat(name)
}

// Remove implements disk.Root.
func (r *root) Remove(name string) error {
	if err := r.do("remove", name, frees); err != nil {
		return err
	}
	return r.Root.Remove(name)
}

// RemoveAll implements disk.Root.
func (r *root) RemoveAll(name string) error {
	if err := r.do("removeall", name, frees); err != nil {
		return err
	}
	return r.Root.RemoveAll(name)
}

// SetTime implements disk.Root.
func (r *root) SetTime(name string, modified time.Time) error {
	if err := r.do("settime", name, changes); err != nil {
		return err
	}
	return r.Root.SetTime(name, modified)
}

// Close implements disk.Root.
func (r *root) Close() error {
	err := r.Root.Close()
	if fault := r.do("close", ".", reads); fault != nil {
		return fault
	}
	return err
}

// A file is a file that is written.
type file struct {
	disk.File
	root *root
	name string
}

// Write implements disk.File.
func (f *file) Write(data []byte) (int, error) {
	err := f.root.do("write", f.name, writes)
	switch {
	case err != nil && f.root.system.Fault == Error:
		return 0, err
	case err != nil: // as much as there is room for
		n, _ := f.File.Write(data[:len(data)/2])
		if f.root.system.Fault == Short {
			err = io.ErrShortWrite
		}
		return n, err
	}
	return f.File.Write(data)
}

// Sync implements disk.File.
func (f *file) Sync() error {
	if err := f.root.do("sync", f.name, writes); err != nil {
		return err
	}
	return f.File.Sync()
}

// CloseAs implements disk.File.
func (f *file) CloseAs(name string) error {
	if err := f.root.do("rename", name, changes); err != nil {
		return err
	}
	return f.File.CloseAs(name)
}

// A readFile is a file, or a directory, that is read.
type readFile struct {
	fs.File
	root *root
	name string
}

// Read implements fs.File.
func (f *readFile) Read(data []byte) (int, error) {
	if err := f.root.do("read", f.name, reads); err != nil {
		return 0, err
	}
	return f.File.Read(data)
}

// ReadDir implements fs.ReadDirFile.
func (f *readFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if err := f.root.do("readdir", f.name, reads); err != nil {
		return nil, err
	}
	return f.File.(fs.ReadDirFile).ReadDir(n)
}
