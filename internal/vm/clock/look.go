package clock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Since Go 1.23, who looks at the channel of a timer makes the timer fire if its time has come and
// nobody has waited there (see state.WasAwaited). So a select with a default case does not take
// that while the time of a timer, on whose channel it could receive, has certainly come. Whether
// another goroutine has come to wait is no step of a run, and neither is whether it has ended, so
// this counts only if the others had ended when time passed.
//
// That a timer is due on the virtual clock does not say that its time has come: it may have been
// set later than the clock has it, by up to Settings.Stall. But the goroutine that has set a timer
// knows for how long it has waited since then: state.Timer.Left is what is left of the timer's
// duration, after its sleeps and other timers that it has set later.

// FiresFirst reports whether a timer, outside of bubbles, has to send on ch, which is empty, before
// g can find nothing there.
func FiresFirst(m *state.State, g *state.Goroutine, ch *heap.Object) bool {
	if g.Bubble != nil || !state.IsTimerChan(ch) || state.WasAwaited(ch) || !g.IsAlone() || m.NoneDue() {
		return false
	}
	now := m.TimeOf(g)
	return slices.ContainsFunc(m.Timers, func(t *state.Timer) bool {
		if t.Channel() != ch || t.Bubble != nil || !isDue(m, t) {
			return false
		}
		due := t.Due(m.Now)
		if t.Creator == g.ID && t.Left == 0 {
			return due <= now
		}
		// A ticker counts from when somebody has received from it, which may be late as well.
		return m.Stall != run.AnyStall && t.Fired == 0 && state.Later(due, int64(m.Stall)) <= now
	})
}

// waited notes that g waits for d, before it does anything else.
func waited(m *state.State, g *state.Goroutine, d int64) {
	eachWaiting(m, g, func(t *state.Timer) bool {
		if t.Left == state.Never || t.Left == 0 {
			return false
		}
		t.Left = max(t.Left-d, 0)
		return true
	})
}

// Received notes that g has received what a timer has sent.
func Received(m *state.State, g *state.Goroutine, f *race.Firing) {
	if f.Creator != g.ID {
		return
	}
	eachWaiting(m, g, func(t *state.Timer) bool {
		left := t.Left
		switch {
		case t.Setting == f.Setting:
			left = t.Period
		case t.Setting < f.Setting && t.Fired == 0 && f.Wait != state.Never:
			left = min(left, max(t.Wait-f.Wait, 0))
		}
		changes := left != t.Left
		t.Left = left
		return changes
	})
}

// eachWaiting calls do with copies of the timers outside of bubbles that g has set, if they send. A
// copy that has been changed takes the place of the timer.
func eachWaiting(m *state.State, g *state.Goroutine, do func(*state.Timer) (changes bool)) {
	for i, t := range m.Timers {
		if t.Creator != g.ID || t.Bubble != nil || !state.IsTimerChan(t.Channel()) {
			continue
		}
		if changed := *t; do(&changed) {
			m.ReplaceTimer(i, changed)
		}
	}
}
