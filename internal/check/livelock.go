package check

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// Livelock is a run in which the target has not returned, and goroutines run for ever
// and get nowhere. They are one finding, each behind the other; those that are blocked
// beside them are not part of it.
const Livelock Kind = "livelock"

func livelocks(t *run.Trace) []Finding {
	s := t.Stuck
	if s == nil || s.Returned || !getsNowhere(s) {
		return nil
	}
	var fs []Finding
	for i := range s.Goroutines {
		if g := &s.Goroutines[i]; s.Period > 0 || g.Spins {
			fs = append(fs, Finding{Kind: Livelock, Message: "livelock: goroutine " + stuckHow(s, g), StackTrace: g.StackTrace})
		}
	}
	return together(fs)
}

// getsNowhere reports whether some goroutine runs for ever.
func getsNowhere(s *run.Stuck) bool {
	return s.Period > 0 || slices.ContainsFunc(s.Goroutines, func(g run.StuckGoroutine) bool { return g.Spins })
}

// stuckHow says what a goroutine does that gets no further.
func stuckHow(s *run.Stuck, g *run.StuckGoroutine) string {
	switch {
	case s.Period > 0:
		return fmt.Sprintf("runs for ever: the state repeats every %d steps under this schedule", s.Period)
	case !g.Spins:
		return "blocked for ever: " + g.For
	case g.For != "":
		return "spins for ever waiting for a change of " + g.For
	}
	return "spins for ever"
}
