package clock

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// HoldsBack reports whether what is due at the virtual time when, which would be early, has to
// wait for the next quiescent point nevertheless. It has to if one of the readings, which it
// does not come before, is later than any that can be made until then: the duration that ends
// there began too late. If that depends on inputs, it is a condition of g, nil for a timer that
// has been set before.
func HoldsBack(m *state.State, g *state.Goroutine, when int64, readings *race.Readings) bool {
	if readings == nil || when <= m.Now || !m.HasCome(when) {
		return false
	}
	last := min(m.LastDue(m.Now), state.Later(m.Now, maxAhead))
	for _, r := range readings.List() {
		if r.Latest <= last {
			continue
		}
		if r.Time != expr.None {
			m.AddConditionAt(g, run.NoSite, m.Arena.Sle(r.Time, m.Arena.Const(uint64(last), 64)), r.Value <= last, run.Jump)
		}
		if r.Value > last {
			return true
		}
	}
	return false
}

// Pass is called at a quiescent point, when the clock has moved. All that has been read up to
// now happened before all that follows. What is due early from now on is not what was early
// before, so it is found anew which of it is held back.
func Pass(m *state.State) {
	var list []race.Reading
	for _, r := range m.LatestReadings.Join(m.OldReadings).List() {
		if r.Latest > m.Now {
			list = append(list, r)
		}
	}
	m.OldReadings, m.LatestReadings = race.NewReadings(m.Arena, list...), nil
	for i, t := range m.Timers {
		if t.Bubble == nil && (t.Held || t.Clock.Readings != nil) {
			next := *t
			next.Held = HoldsBack(m, nil, t.Due(m.Now), t.Clock.Readings)
			m.ReplaceTimer(i, next)
		}
	}
	for _, g := range m.Live {
		if g.Wakes != nil {
			m.Preserve(g)
			g.Held = HoldsBack(m, nil, g.When, g.Wakes)
		}
	}
}
