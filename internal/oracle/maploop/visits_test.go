package maploop_test

import (
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle/maploop"
)

// naively returns what a loop can visit: of all sequences of keys those that it may have.
func naively(keys int, made, deleted bool) (results []int) {
	var try func(seq []int)
	try = func(seq []int) {
		at := func(k int) int { return slices.Index(seq, k) } // -1 if it is not visited
		ok := true
		for k := range keys {
			switch {
			case k == 1 && deleted && at(0) >= 0 && (at(1) < 0 || at(1) > at(0)):
				ok = ok && at(1) < 0 // deleted before the loop has come to it
			default:
				ok = ok && at(k) >= 0
			}
		}
		if at(keys) >= 0 {
			// It is made when the loop is at key 0.
			ok = ok && made && at(0) >= 0 && at(0) < at(keys)
		}
		if ok {
			n := 0
			for _, k := range seq {
				n = n*maploop.Base + k + 1
			}
			results = append(results, n)
		}
		for k := range keys + 1 {
			if at(k) < 0 {
				try(append(slices.Clone(seq), k))
			}
		}
	}
	try(nil)
	return results
}

// TestVisits compares Visits with what the sequences of keys say.
func TestVisits(t *testing.T) {
	for n := range maploop.MaxKeys + 2 {
		for i := range 4 {
			want := naively(n, i&1 != 0, i > 1)
			slices.Sort(want)
			if got := maploop.Visits(n, i&1 != 0, i > 1); !slices.Equal(got, slices.Compact(want)) {
				t.Errorf("%d keys, made %v, deleted %v: %v, want %v", n, i&1 != 0, i > 1, got, want)
			}
		}
	}
}
