package substitute

import (
	"io/fs"
	"os"
	"path/filepath"
)

// An everywayWalk walks a file tree.
type everywayWalk struct {
	path  string // of what is visited
	info  fs.FileInfo
	entry fs.DirEntry
	err   error

	entries bool // it is WalkDir
	begun   bool
	again   bool // the directory is visited once more, as it cannot be read
	failed  bool // what is visited has no information
	names   []string
	list    []fs.DirEntry
	above   []everywayDir // directories in which something is left to visit, the innermost one last
	ended   bool
	result  error
}

// An everywayDir is what is left to visit in a directory.
type everywayDir struct {
	path  string
	names []string
	list  []fs.DirEntry
}

func everywayWalkFrom(root string, entries bool) *everywayWalk {
	w := &everywayWalk{path: root, entries: entries}
	w.info, w.err = os.Lstat(root)
	if w.failed = w.err != nil; !w.failed && entries {
		w.entry = fs.FileInfoToDirEntry(w.info)
	}
	return w
}

// next goes on to what is visited next, and reports whether there is anything.
func (w *everywayWalk) next() bool {
	if w.ended {
		return false
	}
	if !w.begun {
		w.begun = true
		w.read()
		return true
	}
	if w.again {
		return true
	}
	for len(w.above) > 0 {
		d := &w.above[len(w.above)-1]
		if w.entries && len(d.list) > 0 {
			w.entry, d.list = d.list[0], d.list[1:]
			w.path, w.err = filepath.Join(d.path, w.entry.Name()), nil
			return true
		}
		if !w.entries && len(d.names) > 0 {
			w.path, d.names = filepath.Join(d.path, d.names[0]), d.names[1:]
			w.info, w.err = os.Lstat(w.path)
			w.failed = w.err != nil
			w.read()
			return true
		}
		w.above = w.above[:len(w.above)-1]
	}
	w.ended = true
	return false
}

// read reads the directory that Walk is about to visit.
func (w *everywayWalk) read() {
	w.names = nil
	if w.entries || w.failed || !w.info.IsDir() {
		return
	}
	list, err := os.ReadDir(w.path) // sorted by their names
	if err != nil {
		w.err = err
		return
	}
	for _, entry := range list {
		w.names = append(w.names, entry.Name())
	}
}

// visited notes what a visit has returned.
func (w *everywayWalk) visited(err error) {
	if w.entries {
		w.visitedEntry(err)
		return
	}
	dir := !w.failed && w.info.IsDir()
	switch {
	case err == nil:
		if dir && w.err == nil {
			w.above = append(w.above, everywayDir{path: w.path, names: w.names})
		}
	case err == filepath.SkipDir && (dir || w.failed):
	case err == filepath.SkipDir:
		w.skip()
	default:
		w.end(err)
	}
}

// visitedEntry is visited for WalkDir.
func (w *everywayWalk) visitedEntry(err error) {
	again := w.again
	w.again = false
	dir := !w.failed && w.entry.IsDir()
	if err != nil || !dir {
		switch {
		case err == nil || err == filepath.SkipDir && dir:
		case err == filepath.SkipDir:
			w.skip()
		default:
			w.end(err)
		}
		return
	}
	if !again {
		list, err := os.ReadDir(w.path)
		if w.list = list; err != nil {
			w.again, w.err = true, err
			return
		}
	}
	w.above = append(w.above, everywayDir{path: w.path, list: w.list})
}

// skip leaves out what is left in the directory of a file.
func (w *everywayWalk) skip() {
	if len(w.above) > 0 {
		w.above = w.above[:len(w.above)-1]
	}
}

// end ends the walk.
func (w *everywayWalk) end(err error) {
	w.ended = true
	if err != filepath.SkipDir && err != filepath.SkipAll {
		w.result = err
	}
}
