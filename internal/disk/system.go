package disk

import (
	"io"
	"io/fs"
	"time"
)

// A System is a file system. [Host] is that of the computer; others are for tests.
type System interface {
	// MkdirAll makes a directory, and those above it, unless it exists.
	MkdirAll(path string) error
	// Remove removes a directory that is empty.
	Remove(path string) error
	// OpenRoot opens a directory.
	OpenRoot(path string) (Root, error)
}

// A Root is an open directory of a System. The names that its methods take are relative to it.
// If they, or symbolic links on the way, lead out of it, that is an error, as for an [os.Root].
type Root interface {
	Open(name string) (fs.File, error)
	// Create makes a file that does not exist yet. Nobody removes it as abandoned until it is
	// closed.
	Create(name string) (File, error)
	// RemoveAbandoned removes a file that was made with Create, and was not closed, if it is
	// that of a process which was ended by force and can be removed.
	RemoveAbandoned(name string)
	MkdirAll(name string) error
	Stat(name string) (fs.FileInfo, error)
	Remove(name string) error
	RemoveAll(name string) error
	SetTime(name string, modified time.Time) error
	Close() error
}

// A File is a file that is being written.
type File interface {
	io.WriteCloser
	// CloseAs closes the file and gives it another name, in place of another file if there is
	// one.
	CloseAs(name string) error
	// Sync returns when what was written would survive a crash.
	Sync() error
}

// Refuse returns a System of which every operation has an error.
func Refuse(err error) System { return refused{err} }

type refused struct{ err error }

// MkdirAll implements System.
func (r refused) MkdirAll(string) error { return r.err }

// Remove implements System.
func (r refused) Remove(string) error { return r.err }

// OpenRoot implements System.
func (r refused) OpenRoot(string) (Root, error) { return nil, r.err }
