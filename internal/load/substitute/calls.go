package substitute

import (
	"io/fs"
	"path/filepath"
)

func everyway_Walk(root string, fn filepath.WalkFunc) error {
	w := everywayWalkFrom(root, false)
	for w.next() {
		w.visited(fn(w.path, w.info, w.err))
	}
	return w.result
}

func everyway_WalkDir(root string, fn fs.WalkDirFunc) error {
	w := everywayWalkFrom(root, true)
	for w.next() {
		w.visited(fn(w.path, w.entry, w.err))
	}
	return w.result
}
