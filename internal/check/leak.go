package check

import "github.com/everyway-go/everyway/internal/run"

// Leak is a goroutine that is blocked, or runs, for ever when the target has returned.
// The goroutines that leak are one finding, each behind the other. A leak is not
// reported beside a failure that ended the target early, since the failure explains it.
const Leak Kind = "leak"

func leaks(t *run.Trace) []Finding {
	s := t.Stuck
	if s == nil || !s.Returned || failed(t) {
		return nil
	}
	var fs []Finding
	for i := range s.Goroutines {
		g := &s.Goroutines[i]
		fs = append(fs, Finding{Kind: Leak, Message: "goroutine " + stuckHow(s, g), StackTrace: g.StackTrace})
	}
	return together(fs)
}

// failed reports whether the target may have ended early because it failed.
func failed(t *run.Trace) bool {
	return t.Panic != nil || t.FatalError != nil || t.Exit != nil || len(t.TestFailures) > 0
}
