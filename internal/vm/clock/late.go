package clock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/state"
)

// maxLate is the number of timers and sleepers of a run that come due although they were
// set after the target's return.
const maxLate = 4

// TimeCut reports whether a timer or sleeper does not come due any more, where late says that
// it was set after the target's return. A goroutine that lives on a ticker, or sleeps again
// and again, would keep the run going forever, whereas natively the process ends soon after
// the target has returned. So everything that was set before the return comes due, but of what
// is set later only the first few.
func TimeCut(m *state.State, late bool) bool { return late && m.Late >= maxLate }

// WaitsInVain reports whether a timer or sleeper exists that does not come due because of
// TimeCut.
func WaitsInVain(m *state.State) bool {
	for _, t := range m.Timers {
		if t.Bubble == nil && !t.ChannelFull() && TimeCut(m, t.Late) {
			return true
		}
	}
	return slices.ContainsFunc(m.Live, func(g *state.Goroutine) bool {
		return g.Bubble == nil && g.Sleeps() && TimeCut(m, g.Late)
	})
}
