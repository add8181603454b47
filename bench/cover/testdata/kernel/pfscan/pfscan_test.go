package pfscan

import "testing"

func TestScan(t *testing.T) {
	s := &scanner{queue: NewQueue(2), pattern: []byte("ab"), workers: 2}
	s.run([]File{{"one", []byte("abcab")}, {".hidden", []byte("ab")}, {"two", []byte("ba")}, {"three", []byte("ab\x00ab")}})
	if s.matches != 3 || s.aborted != 1 {
		t.Errorf("%d matches, %d aborted, want 3 and 1", s.matches, s.aborted)
	}
}
