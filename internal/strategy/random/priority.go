package random

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// highest returns the index of the option to take when goroutines go on by their
// priorities. The goroutines of a rendezvous come to it one after the other, and
// it takes place when the second is there: it has the lower of their two
// priorities, and among several partners the one that came first is met. Which
// of several ways a goroutine goes is left to r.
func highest(enabled []run.Transition, priority func(goroutine int32) float64, r *rand.Rand) int {
	best, ways := 0, 0
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
		case ways == 0 || low > bestLow || low == bestLow && high > bestHigh:
			best, ways, bestLow, bestHigh = i, 1, low, high
		case low == bestLow && high == bestHigh:
			if ways++; r.IntN(ways) == 0 {
				best = i
			}
		}
	}
	return best
}

// rendezvous reports whether o is a step of two goroutines.
func rendezvous(t *run.Transition) bool { return t.Op == schedule.Send && t.Partner >= 0 }
