package clock

import (
	"fmt"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/schedule"
)

// A reading of a goroutine or timer is named after it, and ReadingPrefix begins the name.
const readingName = run.ReadingPrefix + "%s)#%d"

// maxAhead bounds how far readings are ahead of the virtual time, so that no sum of times
// overflows, and a goroutine that polls (Polls) need not do so for long.
const maxAhead = int64(30 * 24 * time.Hour)

// maxTime bounds the times at which readings are inputs: later ones are as early as possible.
const maxTime = 1 << 61

// maxTerms bounds the terms of the sum that a reading is.
const maxTerms = 6

// apart is by how many nanoseconds a reading of a goroutine is later, at least, than those that
// happened before. A clock that counts nanoseconds has gone on by the time that it is read again;
// coarse ones are left out.
const apart = 1

// lastReading returns the time that no reading exceeds before the next quiescent point, but for
// those that have to be apart from others.
func lastReading(m *state.State) int64 {
	return state.Later(m.Now, min(int64(m.Stall), maxAhead))
}

// Read returns what g, outside of bubbles, reads on the clock.
func Read(m *state.State, g *state.Goroutine) race.Reading {
	if m.ClockReadings > 0 && m.Stall != run.AnyStall {
		m.Trace.TimersHeld = true // a reading could differ more from others
	}
	name := func() string { return fmt.Sprintf(readingName, m.Names.String(g.ID), g.Reads) }
	now := m.TimeOf(g)
	least := afterAll(m, now, g.Clock.Readings.Join(m.OldReadings), apart)
	r, drawn := readBetween(m, g, least, now, lastReading(m), name)
	if drawn {
		g.Reads++
		r.Reader = race.Reader{Slot: g.Slot, Number: g.Reads}
		note(m, r, g, true)
	}
	return r
}

// firingOf describes t, which fires at the given virtual time. The result's Latest is 0 if what
// it sends is that time.
func firingOf(m *state.State, t *state.Timer, now int64) race.Firing {
	if t.Bubble != nil || m.Booting || m.Stall == 0 {
		return race.Firing{}
	}
	return race.Firing{
		Creator: t.Creator, Setting: t.Setting, Number: t.Fired, Wait: t.Wait, Quiescent: m.Quiescent,
		Time: now, Latest: lastReading(m), Readings: t.Clock.Readings.Join(t.Shown).Join(m.OldReadings),
	}
}

// ReadFiring returns the time that a timer has sent, which g has received and is going to use.
func ReadFiring(m *state.State, g *state.Goroutine, f *race.Firing) race.Reading {
	name := func() string {
		return fmt.Sprintf(readingName, fmt.Sprintf("timer %s/%d", m.Names.String(f.Creator), f.Setting), f.Number)
	}
	least, latest := afterAll(m, f.Time, f.Readings, 0), f.Latest
	if f.Quiescent != m.Quiescent { // time has passed since
		latest = min(latest, max(m.Now, least.Latest))
	}
	r, drawn := readBetween(m, g, least, f.Time, latest, name)
	if drawn {
		r.Sent = true
		note(m, r, g, false)
		sent := func(t *state.Timer) bool { return t.Creator == f.Creator && t.Setting == f.Setting }
		if i := slices.IndexFunc(m.Timers, sent); i >= 0 { // a ticker, which does not go back
			t := *m.Timers[i]
			t.Shown = race.NewReadings(m.Arena, r)
			m.ReplaceTimer(i, t)
		}
	}
	return r
}

// readBetween returns a reading of g that is not before least, nor before the virtual time now,
// nor after latest, unless least asks for that. It reports whether that is an input of the run.
func readBetween(m *state.State, g *state.Goroutine, least race.Reading, now, latest int64, name func() string) (r race.Reading, drawn bool) {
	if !m.Booting {
		m.ClockReadings++
	}
	a := m.Arena
	if m.Booting || m.Stall == 0 || latest > maxTime || max(latest, least.Latest) <= now {
		return least, false
	}
	r.Latest = max(latest, least.Latest)
	limit := uint64(r.Latest - now)
	m.Changed()
	if least.Terms >= maxTerms {
		// A sum of many terms would be slow, so this is a new one, and a condition says the rest.
		earlier := uint64(least.Value - now)
		by, sym := draw(m, name(), limit, earlier)
		*by = max(*by, earlier)
		r.Value, r.Terms = now+int64(*by), 1
		if sym != expr.None {
			r.Time = a.Add(a.Const(uint64(now), 64), a.ZExt(sym, 64))
			m.AddConditionAt(g, run.NoSite, a.Sle(timeExpr(m, least), r.Time), true, run.Assumed)
		}
	} else {
		by, sym := draw(m, name(), limit, 0)
		r.Value, r.Terms = least.Value+min(int64(*by), max(latest-least.Value, 0)), least.Terms+1
		if sym != expr.None {
			width := a.Width(sym)
			room := a.Const(uint64(max(latest-least.Value, 0)), width)
			if least.Time != expr.None {
				left := a.Sub(a.Const(uint64(latest), 64), least.Time)
				if least.Latest > latest { // it may be after latest, where there is no room
					none := a.Const(0, 64)
					left = a.Ite(a.Slt(left, none), none, left)
				}
				room = a.Extract(left, 0, width)
			}
			r.Time = a.Add(timeExpr(m, least), a.ZExt(minimum(a, sym, room), 64))
		}
	}
	if r.Value > least.Value {
		m.Trace.Stall = max(m.Trace.Stall, time.Duration(r.Value-now))
	}
	return r, true
}

// draw draws the input variable name, which is at most limit and, if the plan does not give it,
// absent. Of the expression for it, which has less than 64 bits, the form shows that sums in
// 64 bits do not overflow.
func draw(m *state.State, name string, limit, absent uint64) (value *uint64, sym expr.ID) {
	width := uint8(8)
	for width < 64 && limit>>width > 0 {
		width *= 2
	}
	v := m.AddInput(m.InputPrefix+name, width, limit, absent)
	if v.Sym != expr.None {
		sym = m.Arena.Extract(minimum(m.Arena, v.Sym, m.Arena.Const(limit, width)), 0, min(width, 56))
	}
	return &v.Value, sym
}

// note notes that g knows the reading r, which is its own or that of a timer.
func note(m *state.State, r race.Reading, g *state.Goroutine, own bool) {
	known := g.Clock.Readings
	g.Clock.Readings = race.NewReadings(m.Arena, r)
	if !own {
		g.Clock.Readings = g.Clock.Readings.Join(known)
	}
	if own && len(m.Live) == 1 && len(m.Timers) == 0 && m.LatestReadings.Within(known) {
		// Nobody is left who does not know of it, and g has nothing to learn. What is known is the
		// same as if others, who read no clock, had not ended yet.
		m.OldReadings, m.LatestReadings = m.OldReadings.Join(g.Clock.Readings), nil
		return
	}
	if m.LatestReadings == nil { // Carry was not called for this step
		m.LateSteps = append(m.LateSteps, state.LateStep{
			Transition: run.Transition{
				Decision: run.Decision{Kind: run.Step, Goroutine: g.ID},
				Op:       schedule.Read, Object: run.ClockObject, Partner: -1,
			},
			Time: m.Now, Readings: g.Clock.Readings,
		})
	}
	list := []race.Reading{r}
	for _, l := range m.LatestReadings.List() {
		// What comes after r need not be compared with what came before it.
		if !own || !known.Covers(&l) {
			list = append(list, l)
		}
	}
	m.LatestReadings = race.NewReadings(m.Arena, list...)
}

// timeExpr returns the time of r as an expression.
func timeExpr(m *state.State, r race.Reading) expr.ID {
	if r.Time == expr.None {
		return m.Arena.Const(uint64(r.Value), 64)
	}
	return r.Time
}

// afterAll returns the earliest time that is not before the virtual time now nor before any
// of the given readings, and some nanoseconds after those that goroutines have made or timers have sent.
func afterAll(m *state.State, now int64, readings *race.Readings, after int64) race.Reading {
	least := race.Reading{Value: now, Latest: now}
	for _, r := range readings.List() {
		if r.Latest <= now {
			continue
		}
		if after > 0 && (r.Reader.Number > 0 || r.Sent) {
			r = delay(m, r, after)
		}
		least = later(m, least, r)
	}
	return least
}

// later returns the later one of two times.
func later(m *state.State, x, y race.Reading) race.Reading {
	z := race.Reading{Value: max(x.Value, y.Value), Latest: max(x.Latest, y.Latest), Terms: x.Terms + y.Terms}
	if x.Time == expr.None && y.Time == expr.None {
		return z
	}
	a := m.Arena
	s, t := timeExpr(m, x), timeExpr(m, y)
	switch least, greatest := a.SignedBounds(a.Sub(t, s)); {
	case least >= 0:
		z.Time, z.Terms = y.Time, y.Terms
	case greatest <= 0:
		z.Time, z.Terms = x.Time, x.Terms
	default:
		z.Time = symbolic.UnlessConst(a, a.Ite(a.Slt(s, t), t, s))
	}
	return z
}

// minimum returns the lesser of two unsigned numbers.
func minimum(a *expr.Arena, x, y expr.ID) expr.ID { return a.Ite(a.Ult(x, y), x, y) }
