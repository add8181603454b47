package pfscan

import "testing"

func TestScan(t *testing.T) {
	for i, text := range []string{"abcab", "", "ba", "ab\x00ab"} {
		copy(files[i][:], text)
	}
	copy(pattern[:], "ab")
	run(2)
	if matches != 4 {
		t.Errorf("%d matches, want 4", matches)
	}
}
