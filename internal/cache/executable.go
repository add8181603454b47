package cache

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"regexp"
	"sync"
)

// Executable returns a key of the program that is running, which is found once: what the go
// command has built it from or, if it does not say so, a hash of its file.
var Executable = sync.OnceValues(func() (Key, error) {
	path, err := os.Executable()
	if err != nil {
		return Key{}, fmt.Errorf("looking for the executable: %w", err)
	}
	h := NewHash("executable")
	if id := buildID(path); id != "" {
		h.Text(id)
	} else if err := h.File(path); err != nil {
		return Key{}, fmt.Errorf("hashing the executable: %w", err)
	}
	return h.Sum(), nil
})

// wholeID matches what the go command writes into an executable by itself: hashes of all that the
// program and its main package are built from, and of their content. Other build systems
// write a name there, which all that they build may have in common.
var wholeID = regexp.MustCompile(`^[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}$`)

// buildID returns the build ID of an executable; empty if it has none that tells it from all
// others.
func buildID(path string) string {
	f, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	section := f.Section(".note.go.buildid")
	if section == nil {
		return ""
	}
	note, err := section.Data()
	// Of a note, the lengths of name and content come first, and its type; the name is Go.
	const header = 16
	if err != nil || len(note) < header || !bytes.Equal(note[12:header], []byte("Go\x00\x00")) {
		return ""
	}
	size := f.ByteOrder.Uint32(note[4:])
	if int64(size) > int64(len(note)-header) {
		return ""
	}
	id := string(note[header : header+int(size)])
	if !wholeID.MatchString(id) {
		return ""
	}
	return id
}
