package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
)

// A Temporary is a directory that is there as long as its process needs it. A process that is
// ended by force leaves it behind; the next one that makes a Temporary of that prefix in the same
// directory removes it. A file beside it, which is locked, says that its process is still there.
type Temporary struct {
	Path string

	system System
	parent string
	name   string
	lock   File
}

// locked ends the name of the file beside a Temporary.
const locked = ".lock"

// MakeTemporary makes a directory of a new name that begins with a prefix.
func MakeTemporary(system System, parent, prefix string) (*Temporary, error) {
	root, err := system.OpenRoot(parent)
	if err != nil {
		return nil, fmt.Errorf("making a temporary directory: %w", err)
	}
	defer root.Close()
	sweepTemporary(root, prefix)
	for range 100 {
		t := &Temporary{system: system, parent: parent, name: fmt.Sprintf("%s%08x", prefix, rand.Uint32())}
		t.Path = filepath.Join(parent, t.name)
		if t.lock, err = root.Create(t.name + locked); errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			break
		}
		if err = root.MkdirAll(t.name); err != nil {
			t.lock.Close()
			root.Remove(t.name + locked)
			break
		}
		return t, nil
	}
	return nil, fmt.Errorf("making a temporary directory: %w", err)
}

// Remove removes the directory with all that is in it.
func (t *Temporary) Remove() error {
	root, err := t.system.OpenRoot(t.parent)
	if err != nil {
		return fmt.Errorf("removing a temporary directory: %w", err)
	}
	defer root.Close()
	// The file goes last, so that a directory without one is always abandoned. Once it is not
	// locked any more, another process may take it for left behind, and remove it first.
	err = errors.Join(root.RemoveAll(t.name), t.lock.Close())
	if gone := root.Remove(t.name + locked); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	if err != nil {
		return fmt.Errorf("removing a temporary directory: %w", err)
	}
	return nil
}

// sweepTemporary removes directories whose processes are not there any more. What cannot be
// removed, such as that of another user, stays.
func sweepTemporary(root Root, prefix string) {
	entries, err := readDir(root, ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		name = strings.TrimSuffix(name, locked)
		root.RemoveAbandoned(name + locked)
		if _, err := root.Stat(name + locked); errors.Is(err, fs.ErrNotExist) {
			_ = root.RemoveAll(name)
		}
	}
}
