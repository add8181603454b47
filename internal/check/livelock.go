package check

import "github.com/everyway-go/everyway/internal/run"

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
		if g := &s.Goroutines[i]; s.Repeats() || g.Spins {
			fs = append(fs, Finding{Kind: Livelock, Message: "livelock: goroutine " + stuckHow(s, g), StackTrace: g.StackTrace})
		}
	}
	return together(fs)
}
