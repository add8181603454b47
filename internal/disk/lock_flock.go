//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed, or its process ends. It reports whether nobody else has
// locked it.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// CloseAs implements File. While the file has the name of one that is not complete, it is locked.
func (f *hostFile) CloseAs(name string) error {
	err := f.root.Rename(f.name, name)
	return errors.Join(err, f.Close())
}

// RemoveAbandoned implements Root: the process that makes a file has locked it. It is removed while
// it is locked here, so that one that has just been made is not locked by its process in between.
func (r hostRoot) RemoveAbandoned(name string) {
	f, err := r.Root.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) && r.has(name, f) {
		_ = r.Root.Remove(name)
	}
}
