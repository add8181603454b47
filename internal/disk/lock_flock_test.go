//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What a process that was ended by force has left is removed, and what one is still at work on is
// not.
func TestAbandoned(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{temporary + "1", "kept", ".tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	err := Path{in(dir), "a"}.Write(func(w io.Writer) error { return writeText(Path{in(dir), "b"}, "b") })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), ".tmp=.tmp a= b=b kept=kept"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}

// What may wait for ever is not opened.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Skip("no pipes:", err)
	}
	if _, err := (Path{in(dir), "pipe"}).ReadFile(); err == nil {
		t.Error("a pipe was read")
	}
}
