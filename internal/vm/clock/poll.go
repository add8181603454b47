package clock

import (
	"time"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Polls is called when g, outside of bubbles, is about to read the clock. It reports whether
// g waits for time to pass first, and if so sets its sleep. If others can take a step, the
// sleep leaves something out: that g reads the clock once more before they do.
//
// A loop that reads the clock until a deadline makes no progress as long as time stands
// still, and natively each reading takes time. So a goroutine that reads the clock many times
// goes to sleep until time passes: for a microsecond at first, and twice as long each time
// after that, so that any deadline is soon reached. As with other sleepers, this takes nothing
// from goroutines that could run. When it is more than an hour, the time gets longer only if
// nothing but the time has changed in between. Then it never ends at last, which is what happens
// if the loop waits for something else. A loop that counts may be about to end.
func Polls(m *state.State, g *state.Goroutine, others bool) bool {
	p := &g.Polling
	if p.Since != m.Now {
		*p = state.Polling{Since: m.Now}
	}
	if p.Number++; p.Number <= maxReadings {
		return false
	}
	doublings := min(p.Sleeps, hourDoublings)
	if p.Sleeps >= hourDoublings && m.Heap.Recording() {
		if h := p.Head; h != nil && m.Heap.Unchanged(&h.Memory, true) && h.Matches(m, g) {
			doublings = min(p.Sleeps, endlessDoublings)
		}
		p.Head = &state.LongSleep{Memory: m.Heap.Mark()}
		p.Head.Set(g)
	}
	g.When = state.Later(m.TimeOf(g), int64(time.Microsecond)<<doublings)
	g.Late = m.Returned()
	if others {
		m.Trace.Bounds.Add(run.ClockPolls)
	}
	return true
}

// Polled is called when g has slept because of Polls.
func Polled(m *state.State, g *state.Goroutine) {
	p := &g.Polling
	p.Since, p.Number = m.Now, maxReadings-pollReadings
	p.Sleeps++
}

const (
	maxReadings  = 64 // readings of a goroutine, from one quiescent point to the next, before it sleeps
	pollReadings = 2  // the same after it has slept

	hourDoublings    = 32 // doublings of a sleep until it is more than an hour
	endlessDoublings = 53 // doublings of a sleep until it does not end
)
