package random

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// highest returns the index of the transition with the highest priority. That of a rendezvous is
// the lower one of its goroutines' priorities, since it takes place when the second of them
// has come to it; of several partners the one with the higher priority came first. Of several
// transitions of a goroutine it draws one.
func highest(enabled []run.Transition, priority func(goroutine int32) float64, r *rand.Rand) int {
	best, equal := 0, 0
	var bestLow, bestHigh float64
	for i := range enabled {
		t := &enabled[i]
		low := priority(t.Goroutine)
		high := low
		if rendezvous(t) {
			p := priority(t.Partner)
			low, high = min(low, p), max(low, p)
		}
		switch {
		case equal == 0 || low > bestLow || low == bestLow && high > bestHigh:
			best, equal, bestLow, bestHigh = i, 1, low, high
		case low == bestLow && high == bestHigh:
			if equal++; r.IntN(equal) == 0 {
				best = i
			}
		}
	}
	return best
}

// rendezvous reports whether t is a step of two goroutines.
func rendezvous(t *run.Transition) bool { return t.Op == schedule.Send && t.Partner >= 0 }
