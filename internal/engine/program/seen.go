package program

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"sync"
)

// Seen is what was read of the files below a directory: what there is at a path, by the
// path and the way in which it was read, as a hash.
type Seen struct {
	Root  string
	Files map[string]string `json:",omitempty"`
	Dirs  map[string]string `json:",omitempty"`
	Modes map[string]string `json:",omitempty"`
}

// Unchanged reports whether reading the same now gives the same.
func (s *Seen) Unchanged() bool {
	files := moduleFiles{os.DirFS(s.Root)}
	for name, was := range s.Files {
		if now, err := fs.ReadFile(files, name); hashFileRead(now, err) != was {
			return false
		}
	}
	for name, was := range s.Dirs {
		if now, err := fs.ReadDir(files, name); hashDirRead(now, err) != was {
			return false
		}
	}
	for name, was := range s.Modes {
		if now, err := fs.Stat(files, name); hashMode(now, err) != was {
			return false
		}
	}
	return true
}

func hashFileRead(content []byte, err error) string {
	return hashRead(err, func() string { return string(content) })
}

func hashDirRead(entries []fs.DirEntry, err error) string {
	return hashRead(err, func() string {
		var text string
		for _, e := range entries {
			text += fmt.Sprintf("%v %q\n", e.Type(), e.Name())
		}
		return text
	})
}

func hashMode(info fs.FileInfo, err error) string {
	return hashRead(err, func() string { return info.Mode().Type().String() })
}

// hashRead returns a hash of what was read, or of why it was not.
func hashRead(err error, text func() string) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "absent"
	case err != nil:
		return "error " + err.Error()
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text())))
}

// seenFiles notes what is read.
type seenFiles struct {
	mu   sync.Mutex
	seen Seen
	err  error // something was read twice, and was not the same
}

// copy returns what was noted so far.
func (s *seenFiles) copy() (Seen, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Seen{Root: s.seen.Root, Files: maps.Clone(s.seen.Files), Dirs: maps.Clone(s.seen.Dirs), Modes: maps.Clone(s.seen.Modes)}, s.err
}

// note notes a read of one kind.
func (s *seenFiles) note(kind *map[string]string, name, hash string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := (*kind)[name]; ok && was != hash {
		s.err = fmt.Errorf("%s has changed meanwhile", name)
	}
	if *kind == nil {
		*kind = make(map[string]string)
	}
	(*kind)[name] = hash
}

// notedFiles are files of which it is noted what is read.
type notedFiles struct {
	moduleFiles
	noted *seenFiles
}

// ReadFile implements [fs.ReadFileFS].
func (n notedFiles) ReadFile(name string) ([]byte, error) {
	content, err := n.moduleFiles.ReadFile(name)
	n.noted.note(&n.noted.seen.Files, name, hashFileRead(content, err))
	return content, err
}

// ReadDir implements [fs.ReadDirFS].
func (n notedFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := n.moduleFiles.ReadDir(name)
	n.noted.note(&n.noted.seen.Dirs, name, hashDirRead(entries, err))
	return entries, err
}

// Stat implements [fs.StatFS].
func (n notedFiles) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(n.FS, name)
	n.noted.note(&n.noted.seen.Modes, name, hashMode(info, err))
	return info, err
}
