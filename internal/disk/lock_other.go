//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import (
	"os"
	"time"
)

// lock reports whether nobody else is at work on a file, which is not known here.
func lock(*os.File) bool { return true }

// CloseAs implements File. A file that is open cannot be renamed everywhere.
func (f *hostFile) CloseAs(name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return f.root.Rename(f.name, name)
}

// RemoveAbandoned implements Root: nobody takes an hour to write a file.
func (r hostRoot) RemoveAbandoned(name string) {
	info, err := r.Root.Stat(name)
	if err == nil && time.Since(info.ModTime()) > time.Hour {
		_ = r.Root.Remove(name)
	}
}
