package pfscan

import "testing"

func FuzzScan(f *testing.F) {
	f.Add(true, false)
	f.Fuzz(func(t *testing.T, v, l bool) {
		verbose, lines = v, l
		for i, text := range []string{"abcab", "", "ba", "ab\x00ab"} {
			entries[i].Kind = Regular
			copy(entries[i].Text[:], text)
		}
		copy(pattern[:], "ab")
		run()
		if matches != 4 {
			t.Errorf("%d matches, want 4", matches)
		}
	})
}
