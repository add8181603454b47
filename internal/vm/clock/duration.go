package clock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// DueAfter returns when a duration d ends that begins now for g, outside of bubbles: on the
// virtual clock, and for readings of the clock. What waits for that is late, as it is natively
// (state.Lateness). The duration may be computed from readings,
// but from no other input.
func DueAfter(m *state.State, g *state.Goroutine, d symbolic.Operand) (when int64, readings *race.Readings) {
	now := m.TimeOf(g)
	length := int64(d.N)
	if d.Sym != expr.None {
		length = notLate(m, d.Sym) // that is the duration on the virtual clock
	}
	late := int64(0)
	if length > 0 && m.Stall > 0 {
		late = state.Lateness
	}
	length = state.Later(max(length, 0), late)
	when = state.Later(now, length)
	if when == state.Never || d.Sym == expr.None && length == 0 {
		return when, g.Clock.Readings
	}
	least := afterAll(m, now, g.Clock.Readings.Join(m.OldReadings), 0)
	if d.Sym == expr.None {
		if least.Time == expr.None && least.Value == now {
			return when, nil
		}
		return when, race.NewReadings(m.Arena, delay(m, least, length))
	}
	r := race.Reading{Value: least.Value + int64(d.N), Time: m.Arena.Add(timeExpr(m, least), d.Sym)}
	_, longest := m.Arena.SignedBounds(d.Sym)
	if _, r.Latest = m.Arena.SignedBounds(r.Time); longest < maxAhead {
		r.Latest = min(r.Latest, least.Latest+max(longest, 0))
	}
	r = delay(m, r, late)
	latest := state.Later(when, min(int64(m.Stall), maxAhead))
	if least.Time != expr.None {
		latest = state.Later(latest, notLate(m, least.Time)-now) // readings that are not late are apart all the same
	}
	if when > r.Value || r.Latest > latest {
		// It does not end at about the same time on both clocks: where the path of the run was
		// another one with readings that are not late, the expression need not mean anything.
		m.Fix(g, d.Sym, state.Mixed)
		return DueAfter(m, g, symbolic.Operand{Word: d.Word})
	}
	return when, g.Clock.Readings.Join(race.NewReadings(m.Arena, r))
}

// notLate returns what x is if no reading is late.
func notLate(m *state.State, x expr.ID) int64 {
	return int64(m.Arena.Eval(x, func(expr.ID) uint64 { return 0 }))
}

// OnlyReadings reports whether readings of the clock are all that x depends on.
func OnlyReadings(m *state.State, x expr.ID) bool {
	return !slices.ContainsFunc(m.Arena.Vars(nil, x), func(v expr.ID) bool { return run.SourceOf(m.Arena.VarName(v)) != run.ClockReading })
}

// delay returns the time d after r.
func delay(m *state.State, r race.Reading, d int64) race.Reading {
	r.Value, r.Latest, r.Reader = state.Later(r.Value, d), state.Later(r.Latest, d), race.Reader{}
	r.Sent = false
	if r.Time != expr.None {
		r.Time = m.Arena.Add(r.Time, m.Arena.Const(uint64(d), 64))
	}
	return r
}

// delayAll returns the times d after the readings.
func delayAll(m *state.State, readings *race.Readings, d int64) *race.Readings {
	var list []race.Reading
	for _, r := range readings.List() {
		list = append(list, delay(m, r, d))
	}
	return race.NewReadings(m.Arena, list...)
}
