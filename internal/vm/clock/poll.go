package clock

import (
	"math"
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
// goes to sleep until time passes, for a microsecond at first. As with other sleepers, this takes
// nothing from goroutines that could run. If nothing but the time has changed since it last went
// to sleep, the goroutine waits for the time, and sleeps twice as long as then, so that any
// deadline is soon reached. In the end the sleep never ends, which is what happens if the loop
// waits for something else. If anything else has changed, as in a loop that counts, the goroutine
// may just read the clock often, and hours must not pass because of that. Then it sleeps a
// microsecond longer than the time before.
func Polls(m *state.State, g *state.Goroutine, others bool) bool {
	p := &g.Polling
	if p.Since != m.Now {
		*p = state.Polling{Since: m.Now}
	}
	if p.Number++; p.Number <= maxReadings {
		return false
	}
	if m.Heap.Recording() {
		if h := p.Head; h != nil && m.Heap.Unchanged(&h.Memory, true) && h.Matches(m, g) {
			p.Doublings = min(p.Doublings+1, endlessDoublings)
		} else {
			p.Doublings = 0
		}
		p.Head = &state.LongSleep{Memory: m.Heap.Mark()}
		p.Head.Set(g)
	}
	length := (int64(p.Sleeps) + 1) * int64(time.Microsecond)
	if length > math.MaxInt64>>p.Doublings {
		length = math.MaxInt64
	} else {
		length <<= p.Doublings
	}
	g.When = state.Later(m.TimeOf(g), length)
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

	endlessDoublings = 53 // doublings of a sleep until it does not end
)
