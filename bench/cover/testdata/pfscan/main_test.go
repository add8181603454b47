package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/pfscan"
)

func TestScan(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 * room {
		text := "nothing"
		if i%3 == 0 {
			text = "ab and ab"
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := &scanner{queue: pfscan.NewQueue(room), pattern: []byte("ab")}
	s.run([]string{dir, filepath.Join(dir, "missing")})
	if s.matches != 2*room || s.files != room || s.failed != 1 {
		t.Errorf("%d matches in %d files, %d failed, want %d, %d and 1", s.matches, s.files, s.failed, 2*room, room)
	}
}
