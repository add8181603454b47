package reach

import (
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Wait says what a goroutine that has not ended waits for. It waits for one of the
// things that are set.
type Wait struct {
	Runs    bool           // nothing: it can take a step
	Time    bool           // time to pass
	Idle    bool           // its synctest bubble to be idle
	Root    bool           // Idle, as the root of the bubble, which then advances the bubble's time
	Count   bool           // the number of goroutines to change
	Objects []*heap.Object // a change of one of these
}

// Roots are what is live whatever the goroutines do.
type Roots struct {
	Variables bool // package variables
	// Code, if it is not nil, adds those package variables to which the code refers that
	// live goroutines and timers can execute, and finalizers and cleanups.
	Code *Code
	// Begin is the checkpoint at which the run began, if MarkInitial was called there, and
	// otherwise nil.
	Begin *heap.Mark
	Time  bool // time passes: timers fire and sleepers wake
	// Endless adds, to Time, the timers and sleepers that are set beyond the last time that the clock can
	// represent. For the goroutine leak profile of Go they are live like all others; but what nothing
	// else wakes gets no further.
	Endless bool
}

// Live returns the slots of the goroutines of m that may take a step at some time, given
// the roots; waits tells what each of them waits for. Those that are not live are blocked
// for ever, whatever the others do. It also returns the objects that the live goroutines
// and the roots can reach.
func Live(m *state.State, roots Roots, waits func(*state.Goroutine) Wait) (*race.SlotSet, *Objects) {
	l := liveness{State: m, objects: NewObjects(&m.Heap), roots: roots, bubbles: map[*heap.Object]bool{}}
	switch {
	case roots.Variables && roots.Begin != nil:
		l.objects.addVariablesSince(m, roots.Begin)
	case roots.Variables:
		l.objects.AddVariables(m)
	case roots.Code != nil:
		l.objects.code = &executable{Code: roots.Code, state: m, known: map[*references]bool{}}
		l.objects.OnAdd(l.objects.code.addObject)
		l.objects.addCollectables(m)
	}
	l.addTimers(nil)
	l.addDue()
	for _, g := range m.Live {
		l.blocked = append(l.blocked, blocked{g, waits(g)})
	}
	for l.grow() {
	}
	return &l.live, l.objects
}

// A liveness computes which goroutines are live: the least set that contains those that
// can take a step, and those that something live can wake.
type liveness struct {
	*state.State
	roots   Roots
	objects *Objects
	live    race.SlotSet
	any     bool                  // a goroutine is live, or a timer will start one
	bubbles map[*heap.Object]bool // those with a live goroutine or a timer that is due; true if that is the root
	blocked []blocked
}

// A blocked is a goroutine that has not been found to be live.
type blocked struct {
	*state.Goroutine
	Wait
}

// grow adds the goroutines to the live ones that these can wake. It reports whether there
// are any.
func (l *liveness) grow() bool {
	n := 0
	for _, b := range l.blocked {
		if !l.wakes(&b) {
			l.blocked[n] = b
			n++
			continue
		}
		l.live.Add(b.Slot)
		l.any = true
		l.objects.AddGoroutine(b.Goroutine)
		if in := b.Bubble; in != nil {
			if b.Root && !l.bubbles[in] {
				l.addTimers(in)
			}
			l.bubbles[in] = l.bubbles[in] || b.Root
		}
	}
	found := n < len(l.blocked)
	l.blocked = l.blocked[:n]
	return found
}

// wakes reports whether what is known to be live can wake b.
func (l *liveness) wakes(b *blocked) bool {
	root, bubble := l.bubbles[b.Bubble]
	switch {
	case b.Runs, b.Count && l.any, b.Idle && bubble:
		return true
	case b.Time && b.Bubble != nil:
		return root
	case b.Time:
		return l.roots.Time && l.comes(b.When)
	}
	for _, o := range b.Objects {
		if l.objects.Has(o) {
			return true
		}
	}
	return false
}

// comes reports whether the given time counts as one that comes.
func (l *liveness) comes(when int64) bool { return when != state.Never || l.roots.Endless }

// addDue adds what the timers of bubbles can reach that are due: they fire whatever the
// goroutines do, and only then is their bubble idle.
func (l *liveness) addDue() {
	for _, t := range l.Timers {
		if t.Bubble != nil && t.When <= state.BubbleTime(t.Bubble) {
			l.objects.AddTimer(t)
			l.any = l.any || t.Channel() == nil
			l.bubbles[t.Bubble] = false
		}
	}
}

// addTimers adds what the timers of a bubble can reach, or those outside of bubbles.
func (l *liveness) addTimers(bubble *heap.Object) {
	if bubble == nil && !l.roots.Time {
		return
	}
	for _, t := range l.Timers {
		if t.Bubble == bubble && l.comes(t.When) {
			l.objects.AddTimer(t)
			l.any = l.any || t.Channel() == nil
		}
	}
}
