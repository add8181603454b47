package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestReadRunEnds checks that a command that reads a run file ends with its context: the file may be longer than
// there is memory for.
func TestReadRunEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.run")
	text := []byte("everyway schedule 3\n%package p\n%target TestP\n%kind test\n%decisions 0.1\ng0.0 begin\n")
	if err := os.WriteFile(file, append(text, bytes.Repeat([]byte("# a comment\n"), 1<<16)...), 0o666); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"accept", "confirm", "debug", "explain", "record", "replay", "report", "repro"} {
		for _, c := range commands() {
			if c.name != name {
				continue
			}
			_, err := c.run(ended, []string{file}, io.Discard, io.Discard, nil)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, want that the context has ended", name, err)
			}
		}
	}
	if _, err := readRun(t.Context(), file); !errors.As(err, new(usageError)) {
		t.Errorf("%v, want that the file is cut short", err)
	}
}
