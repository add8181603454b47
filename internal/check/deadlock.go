package check

import "github.com/everyway-go/everyway/internal/run"

// Deadlock is a run in which the target has not returned, and its goroutines are blocked
// for ever: every goroutine is or, if others live on, nothing that they can reach could wake
// one of the target's. The goroutines are one finding, each behind the other.
const Deadlock Kind = "deadlock"

func deadlocks(t *run.Trace) []Finding {
	s := t.Stuck
	if s == nil || s.Returned || getsNowhere(s) {
		return nil
	}
	var fs []Finding
	for i := range s.Goroutines {
		g := &s.Goroutines[i]
		message := "fatal error: all goroutines are asleep - deadlock!"
		if s.Partial {
			message = "deadlock: goroutine " + stuckHow(s, g)
		}
		fs = append(fs, Finding{Kind: Deadlock, Message: message, StackTrace: g.StackTrace})
	}
	return together(fs)
}
