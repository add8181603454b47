package program

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
)

// Seen is what somebody has read of the files below a directory: what there is at a path, by the
// path and the way in which it was read, as a hash.
type Seen struct {
	Reader string
	Root   string
	// Own are files that were written by who has read the others. They do not count.
	Own   []string          `json:",omitempty"`
	Files map[string]string `json:",omitempty"`
	Dirs  map[string]string `json:",omitempty"`
	Modes map[string]string `json:",omitempty"`
}

// Changed returns a path at which reading now gives something else, the empty string if there is
// none.
func (s *Seen) Changed() string {
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return s.Root
	}
	defer root.Close()
	files := moduleFiles{root.FS()}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		if now, err := fs.ReadFile(files, name); hashFileRead(now, err) != s.Files[name] {
			return name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Dirs)) {
		if hashDirRead(s.others(name, files.ReadDir)) != s.Dirs[name] {
			return name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Modes)) {
		if now, err := fs.Stat(files, name); hashMode(now, err) != s.Modes[name] {
			return name
		}
	}
	return ""
}

// others reads a directory and leaves out what is Own. A directory that was not there before, and
// has nothing else, is not there.
func (s *Seen) others(dir string, read func(string) ([]fs.DirEntry, error)) ([]fs.DirEntry, error) {
	entries, err := read(dir)
	all := len(entries)
	others := slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(s.Own, path.Join(dir, e.Name())) })
	if all > 0 && len(others) == 0 && s.Dirs[dir] == absent {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	return others, err
}

// absent stands for a hash of what is not there.
const absent = "absent"

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
		return absent
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
	seen := s.seen
	seen.Own, seen.Files, seen.Dirs, seen.Modes = slices.Clone(seen.Own), maps.Clone(seen.Files), maps.Clone(seen.Dirs), maps.Clone(seen.Modes)
	return seen, s.err
}

// add adds what was read before by the same reader, and not changed since.
func (s *seenFiles) add(before *Seen) {
	s.mu.Lock()
	s.seen.Own = append(s.seen.Own, before.Own...)
	s.mu.Unlock()
	for _, kind := range []struct {
		to   *map[string]string
		from map[string]string
	}{{&s.seen.Files, before.Files}, {&s.seen.Dirs, before.Dirs}, {&s.seen.Modes, before.Modes}} {
		for name, hash := range kind.from {
			s.note(kind.to, name, hash)
		}
	}
}

// own notes that a file was written by the reader, unless it was there before.
func (s *seenFiles) own(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen.Files[name] == "" && !slices.Contains(s.seen.Own, name) {
		s.seen.Own = append(s.seen.Own, name)
	}
}

// others is Seen.others for what was seen so far.
func (s *seenFiles) others(dir string, read func(string) ([]fs.DirEntry, error)) ([]fs.DirEntry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.others(dir, read)
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
	run   *seenFiles // likewise, of one run; nil if that is not asked for
}

// note notes a read of one kind.
func (n notedFiles) note(kind func(*Seen) *map[string]string, name, hash string) {
	for _, s := range []*seenFiles{n.noted, n.run} {
		if s != nil {
			s.note(kind(&s.seen), name, hash)
		}
	}
}

func files(s *Seen) *map[string]string { return &s.Files }
func dirs(s *Seen) *map[string]string  { return &s.Dirs }
func modes(s *Seen) *map[string]string { return &s.Modes }

// ReadFile implements [fs.ReadFileFS].
func (n notedFiles) ReadFile(name string) ([]byte, error) {
	content, err := n.moduleFiles.ReadFile(name)
	n.note(files, name, hashFileRead(content, err))
	return content, err
}

// ReadDir implements [fs.ReadDirFS].
func (n notedFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := n.noted.others(name, n.moduleFiles.ReadDir)
	n.note(dirs, name, hashDirRead(entries, err))
	return entries, err
}

// Stat implements [fs.StatFS].
func (n notedFiles) Stat(name string) (fs.FileInfo, error) {
	info, err := n.moduleFiles.Stat(name)
	n.note(modes, name, hashMode(info, err))
	return info, err
}
