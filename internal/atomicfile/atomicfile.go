package atomicfile

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// temporary begins the names of files that are not complete.
const temporary = ".tmp-"

// IsTemporary reports whether a file of a name is one that Write had not completed when the
// process, if it is not still at work, was ended by force.
func IsTemporary(name string) bool { return strings.HasPrefix(name, temporary) }

// Write writes the file at path, whose directory it makes if need be, with what fill writes.
func Write(path string, fill func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), temporary+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	buf := bufio.NewWriterSize(tmp, 1<<16)
	if err := fill(buf); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
