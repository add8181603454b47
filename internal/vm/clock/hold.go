package clock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// HoldsBack reports whether something that is due early has to wait for the next quiescent
// point, because the duration before it began so late, according to readings, that the
// clock cannot show its end before. If that depends on a reading, it is a condition of g, nil
// for a timer that has been set before.
func HoldsBack(m *state.State, g *state.Goroutine, when int64, readings *race.Readings) bool {
	if readings == nil || when <= m.Now || !m.HasCome(when) {
		return false
	}
	latest := latest(m)
	for _, r := range readings.List() {
		if r.Latest <= latest {
			continue
		}
		if r.Time != expr.None {
			addCondition(m, g, m.Arena.Sle(r.Time, m.Arena.Const(uint64(latest), 64)), r.Value <= latest, run.Jump)
		}
		if r.Value > latest {
			return true
		}
	}
	return false
}

// Pass is called at a quiescent point, when the clock has moved: everything that was read
// happened before, and what had to wait may be possible now, or the other way round.
func Pass(m *state.State) {
	var list []race.Reading
	for _, r := range m.LatestReadings.Join(m.OldReadings).List() {
		if r.Latest > m.Now {
			list = append(list, r)
		}
	}
	m.OldReadings, m.LatestReadings = race.NewReadings(m.Arena, list...), nil
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == nil && (t.Held || t.Clock.Readings != nil) {
			m.Timers = slices.Clone(m.Timers)
			m.Timers[i].Held = HoldsBack(m, nil, t.Due(m.Now), t.Clock.Readings)
		}
	}
	for _, g := range m.Live {
		if g.Wakes != nil {
			m.Preserve(g)
			g.Held = HoldsBack(m, nil, g.When, g.Wakes)
		}
	}
}
