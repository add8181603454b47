package check

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// The kinds of goroutines that remain when the target has returned, by what could still wake
// them. Those of one kind are one finding, each behind the other. They are not reported
// beside a failure that ended the target early, since the failure explains them.
const (
	// Leak is a goroutine that nothing can wake, as the goroutine leak profile of Go's
	// runtime has it, or that runs for ever and gets nowhere.
	Leak Kind = "leak"
	// BackgroundGoroutine is one that is blocked on what a package variable can reach.
	BackgroundGoroutine Kind = "background goroutine"
	// TimerGoroutine is one that lives on timers, or that one that does may wake.
	TimerGoroutine Kind = "timer goroutine"
	// RunningGoroutine is one that went on to take steps until the run was cut short.
	RunningGoroutine Kind = "running goroutine"
)

func leaks(t *run.Trace) []Finding {
	return remaining(t, run.NoWaker, func(s *run.Stuck, g *run.StuckGoroutine) Finding {
		return Finding{Kind: Leak, Message: "goroutine " + stuckHow(s, g)}
	})
}

func backgroundGoroutines(t *run.Trace) []Finding {
	return remaining(t, run.VariableWaker, func(_ *run.Stuck, g *run.StuckGoroutine) Finding {
		return Finding{Kind: BackgroundGoroutine, Message: "goroutine remains, waiting for what a package variable can reach: " + g.For}
	})
}

func timerGoroutines(t *run.Trace) []Finding {
	return remaining(t, run.TimerWaker, func(_ *run.Stuck, g *run.StuckGoroutine) Finding {
		return Finding{Kind: TimerGoroutine, Message: "goroutine remains, living on timers: " + g.For}
	})
}

func runningGoroutines(t *run.Trace) []Finding {
	return remaining(t, run.Running, func(_ *run.Stuck, g *run.StuckGoroutine) Finding {
		return Finding{Kind: RunningGoroutine, Message: "goroutine remains, and runs on"}
	})
}

// remaining returns a finding of the goroutines that remain when the target of t has
// returned and that can be woken by w only.
func remaining(t *run.Trace, w run.Waker, finding func(*run.Stuck, *run.StuckGoroutine) Finding) []Finding {
	s := t.Stuck
	if s == nil || !s.Returned || failed(t) {
		return nil
	}
	var fs []Finding
	for i := range s.Goroutines {
		if g := &s.Goroutines[i]; g.Waker == w {
			f := finding(s, g)
			f.StackTrace = g.StackTrace
			fs = append(fs, f)
		}
	}
	return together(fs)
}

// failed reports whether the target may have ended early because it failed.
func failed(t *run.Trace) bool {
	return t.Panic != nil || t.FatalError != nil || t.Exit != nil || len(t.TestFailures) > 0 || len(t.Unjudged) > 0
}

// Leaks says which of the goroutines that remain when a target has returned make it fail.
type Leaks string

// The values of Leaks. The zero value is LeaksUnreachable.
const (
	LeaksUnreachable Leaks = "unreachable" // those of kind Leak
	LeaksAll         Leaks = "all"
	LeaksNone        Leaks = "none"
)

// Valid reports whether l is one of the values.
func (l Leaks) Valid() bool {
	return l == "" || slices.Contains([]Leaks{LeaksUnreachable, LeaksAll, LeaksNone}, l)
}

// fails reports whether findings of the kind of d, which is AfterReturn, make a target
// fail.
func (l Leaks) fails(d *Detector) bool {
	return l == LeaksAll || l != LeaksNone && d.Kind == Leak
}
