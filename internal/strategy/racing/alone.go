package racing

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// nobody is no goroutine.
const nobody = -1

// An alone scheduler lets one goroutine, the focus, run alone as soon as it has been started, until
// it has ended or has to wait for others. Before that only those run that start it, one after
// another, and after it the others, without preemption.
type alone struct {
	names *run.Names
	focus int32 // nobody for none

	begun, done bool
	// What the trace had of events and conditions when the focus began to run concurrently (see
	// start) and when it had taken its last step.
	first, last mark
}

// A mark is a position in a trace.
type mark struct{ events, conditions int }

func markOf(t *run.Trace) mark { return mark{len(t.Events), len(t.Path)} }

// Choose implements run.Scheduler.
func (a *alone) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value || a.focus == nobody || a.done {
		return run.NonPreemptive{}.Choose(p)
	}
	if i := enabledOf(p, a.focus); i >= 0 {
		return i
	}
	if !a.begun {
		return towards(p, a.names, a.focus)
	}
	return run.NonPreemptive{}.Choose(p)
}

// Stepping implements run.Watcher.
func (a *alone) Stepping(t *run.Transition, trace *run.Trace) bool {
	switch focused := t.Goroutine == a.focus && a.focus != nobody; {
	case focused && !a.begun && start(trace, a.focus).events >= 0:
		a.begun, a.first = true, start(trace, a.focus)
	case a.begun && !focused && !a.done:
		a.done, a.last = true, markOf(trace)
	}
	return true
}

// start returns where a goroutine begins to run concurrently with others in a trace: where it is
// started, or where it starts the first one. What it does before its first visible operation comes
// at once after that. If it has not begun, the number of events is negative.
func start(t *run.Trace, g int32) mark {
	initialisers := t.Initialisers
	for i := range t.Events {
		e := &t.Events[i]
		if e.Op != schedule.Spawn {
			continue
		}
		if e.Goroutine == 0 && initialisers > 0 {
			initialisers--
			continue
		}
		if e.Goroutine == g || e.Other == g {
			at, _ := slices.BinarySearchFunc(t.Path, int32(i), func(c run.Condition, i int32) int { return cmp.Compare(c.Event, i) })
			return mark{i, at}
		}
	}
	return mark{-1, -1}
}

// end ends what the focus does with the end of the run, if it has not ended before.
func (a *alone) end(t *run.Trace) {
	if !a.done {
		a.done, a.last = true, markOf(t)
	}
}

// enabledOf returns the index of the first enabled transition of a goroutine that does not wait for
// time to pass, -1 if there is none.
func enabledOf(p *run.SchedulingPoint, g int32) int {
	return slices.IndexFunc(p.Enabled, func(t run.Transition) bool { return t.Goroutine == g && !t.AwaitsTime() })
}

// towards returns the index of a transition of the nearest ancestor of a goroutine that can take
// one, so that the goroutine is started.
func towards(p *run.SchedulingPoint, names *run.Names, g int32) int {
	for g != nobody {
		if g = names.Parent(g); g != nobody {
			if i := enabledOf(p, g); i >= 0 {
				return i
			}
		}
	}
	return run.NonPreemptive{}.Choose(p)
}
