package hyperconcolic

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestEventsFrom compares the events that are moved with those that are found by looking at all.
func TestEventsFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		x := &execution{threads: make([]thread, 1+r.IntN(4))}
		for i := range int32(r.IntN(30)) {
			by := r.IntN(len(x.threads))
			e := event{}
			e.thread = int32(by)
			x.threads[by].events = append(x.threads[by].events, i)
			e.index = int32(len(x.threads[by].events))
			if other := r.IntN(len(x.threads)); other != by && r.IntN(3) == 0 { // a meeting
				x.threads[other].events = append(x.threads[other].events, i)
			}
			x.events = append(x.events, e)
		}
		c := make(clock, r.IntN(len(x.threads)+1))
		for i := range c {
			c[i] = int32(r.IntN(len(x.threads[i].events) + 2))
		}
		from := int32(r.IntN(len(x.events) + 1))
		var want []int32
		for k := from; int(k) < len(x.events); k++ {
			if x.has(c, k) {
				want = append(want, k)
			}
		}
		if got := x.eventsFrom(nil, c, from); !slices.Equal(got, want) {
			t.Fatalf("from %d: %v, want %v", from, got, want)
		}
	}
}
