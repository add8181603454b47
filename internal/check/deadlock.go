package check

import "github.com/everyway-go/everyway/internal/run"

// Deadlock is a run in which every goroutine is blocked for ever, and the target has
// not returned. The goroutines are one finding, each behind the other.
const Deadlock Kind = "deadlock"

func deadlocks(t *run.Trace) []Finding {
	s := t.Stuck
	if s == nil || s.Returned || getsNowhere(s) {
		return nil
	}
	var fs []Finding
	for i := range s.Goroutines {
		fs = append(fs, Finding{
			Kind: Deadlock, Message: "fatal error: all goroutines are asleep - deadlock!", StackTrace: s.Goroutines[i].StackTrace,
		})
	}
	return together(fs)
}
