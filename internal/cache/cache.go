package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
)

// Variable is the environment variable that names the directory of the cache, or is off.
const Variable = "EVERYWAYCACHE"

// off is the value of Variable with which nothing is kept.
const off = "off"

// Dir returns the directory of the cache: the value of Variable or, by default, everyway in
// the user's cache directory. It is empty if there is none: if Variable is off, or the user
// has no home directory.
func Dir() (string, error) {
	switch dir := os.Getenv(Variable); {
	case dir == off:
		return "", nil
	case dir != "" && !filepath.IsAbs(dir):
		return "", fmt.Errorf("%s is %s: give an absolute path, or off", Variable, dir)
	case dir != "":
		return dir, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", nil // nothing is kept
	}
	return filepath.Join(user, "everyway"), nil
}

// A Cache is a directory of entries. The zero value keeps nothing.
type Cache struct{ dir disk.Dir }

// Open returns the cache in a directory, which need not exist.
func Open(dir disk.Dir) Cache { return Cache{dir} }

// Off reports whether c keeps nothing.
func (c Cache) Off() bool { return c.dir.Path == "" }

// Entries is the pattern of the directories of entries in that of the cache.
const Entries = "[0-9a-f][0-9a-f]"

// file returns the file of an entry, in one of 256 directories.
func (c Cache) file(key Key) disk.Path {
	name := key.String()
	return disk.Path{Dir: c.dir, Name: path.Join(name[:2], name)}
}

// used is how old the time of an entry's last use becomes before it is set again.
const used = time.Hour

// Get sets the value that v points to, to what was stored under a key. It reports whether
// there was such a value.
func (c Cache) Get(key Key, v any) bool {
	if c.Off() {
		return false
	}
	file := c.file(key)
	text, err := file.ReadFile()
	if err != nil {
		return false
	}
	sum, value, _ := bytes.Cut(text, []byte("\n"))
	if string(sum) != checksum(key, value) || json.Unmarshal(value, v) != nil {
		return false // damaged
	}
	if now := time.Now(); now.Sub(file.Modified()) > used {
		_ = file.SetTime(now) // if that fails, it is trimmed earlier
	}
	return true
}

// Put stores a value under a key.
func (c Cache) Put(key Key, v any) error {
	if c.Off() {
		return nil
	}
	value, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding an entry of the cache: %w", err)
	}
	err = c.file(key).Write(func(w io.Writer) error {
		if _, err := fmt.Fprintln(w, checksum(key, value)); err != nil {
			return err
		}
		_, err := w.Write(value)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing to the cache: %w", err)
	}
	return nil
}

// checksum returns the first line of an entry. It depends on the key too, so that an entry
// that was moved is no other.
func checksum(key Key, value []byte) string {
	h := sha256.New()
	h.Write(key[:])
	h.Write(value)
	return hex.EncodeToString(h.Sum(nil))
}

// Entries are trimmed once a day, those that were not used for trimAge.
const (
	trimEvery = 24 * time.Hour
	trimAge   = 5 * 24 * time.Hour
	trimFile  = "trim.txt" // its modification time is that of the last time
)

// Trim removes old entries if it is time to.
func (c Cache) Trim(now time.Time) error {
	if c.Off() {
		return nil
	}
	mark := disk.Path{Dir: c.dir, Name: trimFile}
	if now.Sub(mark.Modified()).Abs() < trimEvery {
		return nil
	}
	if !c.dir.Exists() {
		return nil // there is nothing in it
	}
	err := mark.Write(func(io.Writer) error { return nil })
	if err == nil {
		err = mark.SetTime(now)
	}
	if err != nil {
		return fmt.Errorf("trimming the cache: %w", err)
	}
	return c.remove(func(info fs.FileInfo) bool { return now.Sub(info.ModTime()) > trimAge })
}

// Clear removes all entries, and the directory if nothing else is in it. If c does not exist
// that is no error.
func (c Cache) Clear() error {
	if c.Off() {
		return nil
	}
	if err := c.remove(func(fs.FileInfo) bool { return true }); err != nil {
		return err
	}
	_ = disk.Path{Dir: c.dir, Name: trimFile}.Remove() // there may be none
	_ = c.dir.Remove()                                 // there may be other files in it
	return nil
}

// remove removes the entries for which old holds, and directories that have none any more.
// Other files are left alone.
func (c Cache) remove(old func(fs.FileInfo) bool) error {
	dirs, err := disk.Path{Dir: c.dir, Name: Entries}.Glob()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking into the cache: %w", err)
	}
	for _, dir := range dirs {
		dir.Name = path.Join(dir.Name, "*")
		files, err := dir.Glob()
		if err != nil {
			return fmt.Errorf("looking into the cache: %w", err)
		}
		for _, file := range files {
			info, err := file.Stat()
			if err != nil || !isEntry(path.Dir(file.Name), path.Base(file.Name)) || !old(info) {
				continue // another process has removed it, or it is none
			}
			if err := file.Remove(); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("removing an entry of the cache: %w", err)
			}
		}
		dir.Name = path.Dir(dir.Name)
		_ = dir.Remove() // if it is empty
	}
	return nil
}

// isEntry reports whether a file is an entry, or one that was never finished.
func isEntry(dir, name string) bool {
	_, err := hex.DecodeString(name)
	return err == nil && len(name) == 2*len(Key{}) && strings.HasPrefix(name, dir) || disk.IsTemporary(name)
}
