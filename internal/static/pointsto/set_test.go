package pointsto

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSet compares sets with maps.
func TestSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		limit := 1 + rng.Int32N(2000)
		draw := func() (set, map[int32]bool) {
			var s set
			m := make(map[int32]bool)
			for range rng.IntN(60) {
				i := rng.Int32N(limit)
				if s.add(i) == m[i] {
					t.Fatalf("add(%d) of a set that has it: %t", i, m[i])
				}
				m[i] = true
			}
			return s, m
		}
		a, inA := draw()
		b, inB := draw()
		delta, before := draw()
		common := false
		for i := range inB {
			common = common || inA[i]
		}
		if a.meets(b) != common {
			t.Fatalf("meets: %t, want %t", !common, common)
		}
		want, wantDelta := make(map[int32]bool), before
		for i := range inA {
			want[i] = true
		}
		changed := false
		for i := range inB {
			if !want[i] {
				want[i], wantDelta[i], changed = true, true, true
			}
		}
		if got := a.addAll(b, &delta); got != changed {
			t.Fatalf("addAll: %t, want %t", got, changed)
		}
		for _, c := range []struct {
			s    set
			want map[int32]bool
		}{{a, want}, {delta, wantDelta}} {
			list := slices.Collect(c.s.all())
			if len(list) != len(c.want) || c.s.count() != len(list) || !slices.IsSorted(list) {
				t.Fatalf("%d members, want %d", len(list), len(c.want))
			}
			for _, i := range list {
				if !c.want[i] || !c.s.has(i) {
					t.Fatalf("%d is a member", i)
				}
			}
		}
	}
}
