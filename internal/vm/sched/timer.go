package sched

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Virtual time. The clock stands still while code runs. When a timer fires or a sleeping
// goroutine wakes, the clock advances to the time for which that was set. This can happen
// at any scheduling point, since a computation can always be slower than a timeout, but
// only for the timers and sleepers that are due first: no other overtakes them.

// dueTimers appends the transitions of the timers that can fire: outside of bubbles those
// that are due first, and in a bubble those whose time has come.
func (m *Scheduler) dueTimers(to []run.Transition) []run.Transition {
	for i := range m.Timers {
		t := &m.Timers[i]
		switch {
		case t.Bubble != nil:
			// Timers with a channel fire as soon as their time comes.
			if t.Channel() != nil || t.When > BubbleTime(t.Bubble) {
				continue
			}
		case t.ChannelFull() || m.TimeCut(t.Late) || t.Due(m.Now) != m.Soonest || m.Soonest == state.Never:
			continue
		}
		fire := run.Transition{
			Decision: run.Decision{Kind: run.Step, Goroutine: -1, Alt: t.Alt},
			Op:       schedule.TimerFire,
			Object:   t.ObjectID(),
			Cells:    1,
			Partner:  -1,
			Site:     run.NoSite,
			Enabled:  true,
		}
		if t.Bubble != nil {
			fire.Bubble = t.Bubble.ID
		}
		to = append(to, fire)
	}
	return to
}

// findSoonest sets Soonest to the time at which something is due first outside of
// bubbles.
func (m *Scheduler) findSoonest() {
	m.Soonest = state.Never
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == nil && !t.ChannelFull() && !m.TimeCut(t.Late) {
			m.Soonest = min(m.Soonest, t.Due(m.Now))
		}
	}
	for _, slot := range m.Pending.volatile { // includes those that sleep
		if g := m.Goroutines[slot]; g.Bubble == nil && sleeps(g) && !m.TimeCut(g.Late) {
			m.Soonest = min(m.Soonest, g.When)
		}
	}
}

// maxLate is the number of timers and sleepers of a run that come due although they were
// set after the target's return.
const maxLate = 4

// returned reports whether the target, or the initialiser that Boot runs, has returned.
func (m *Scheduler) returned() bool { return m.Goroutines[0].Status == state.Ended }

// IsLate reports whether a timer or sleep that is set now is set after the target's
// return.
func (m *Scheduler) IsLate() bool { return m.returned() && m.Heap.Recording() }

// TimeCut reports whether timers and sleepers do not come due any more: all of them or,
// if late is set, those that were set after the target's return. A goroutine that lives
// on a ticker, or sleeps again and again, would keep the run going forever, whereas
// natively the process ends soon after the target has returned. So everything that was
// set before the return comes due, but of what is set later only the first few. During
// initialisation no time passes.
func (m *Scheduler) TimeCut(late bool) bool {
	if !m.Heap.Recording() {
		return m.returned()
	}
	return late && m.Late >= maxLate
}

// waitsInVain reports whether a timer or sleeper exists that does not come due because of
// TimeCut.
func (m *Scheduler) waitsInVain() bool {
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == nil && !t.ChannelFull() && m.TimeCut(t.Late) {
			return true
		}
	}
	return slices.ContainsFunc(m.Live, func(g *state.Goroutine) bool {
		return g.Bubble == nil && sleeps(g) && m.TimeCut(g.Late)
	})
}

// sleeps reports whether g is asleep.
func sleeps(g *state.Goroutine) bool {
	return g.Status == state.Parked && g.At == state.AtPrimitive && g.Phase > 0 && g.Prim.Name == SleepName
}

// Fire carries out the step of the timer with the given alternative.
func (m *Scheduler) Fire(alt int32) {
	i := slices.IndexFunc(m.Timers, func(t state.Timer) bool { return t.Alt == alt })
	t := m.Timers[i]
	now, due := m.advanceTime(&t)
	if t.Late {
		m.Late++
	}
	if t.Period > 0 {
		next := slices.Clone(m.Timers)
		next[i].When = state.Later(due, t.Period)
		next[i].Late = m.IsLate()
		m.Timers = next
	} else {
		m.Timers = slices.Concat(m.Timers[:i], m.Timers[i+1:])
	}
	event := m.recordTimer(run.Event{
		Op: schedule.TimerFire, Object: t.ObjectID(), Other: -1,
		Wrote: uint64(now), WroteKind: uint8(code.Int64),
	})
	ch := t.Channel()
	if ch == nil {
		f := t.Cell.Object.Cells[t.Cell.Offset+state.TimerFunc]
		g := m.AddGoroutine(t.Child, &t.Clock)
		if g != nil {
			g.Bubble = t.Bubble
			m.PushEntry(g, m.Funcs[f.P.Func], f.P, nil)
		}
		return
	}
	if t.ChannelFull() {
		return
	}
	at := int(ch.Cells[state.ChanHead].N+ch.Cells[state.ChanCount].N) % int(ch.Cells[state.ChanCap].N)
	words := timeWords(now, t.Bubble != nil, t.Cell.Object.Cells[t.Cell.Offset+state.TimerLoc])
	first := state.ChanBuffer + at*len(words)
	m.Heap.Dirty(ch, first, len(words))
	copy(ch.Cells[first:], words[:])
	m.Heap.Dirty(ch, state.ChanCount, 1)
	ch.Cells[state.ChanCount].N++
	slot := m.ChanShadowOf(ch).Element(at)
	slot.Sent = event
	slot.Clock.Join(&t.Clock)
}

// advanceTime advances the clock to the time at which t fires. It returns that time as
// the program sees it, and the last time, not after the clock's, for which t was set: a
// ticker may have skipped some ticks.
func (m *Scheduler) advanceTime(t *state.Timer) (now, last int64) {
	if t.Bubble == nil {
		last = t.Due(m.Now)
		m.Now = max(m.Now, last)
		return m.Now, last
	}
	last = t.When
	if t.Period > 0 {
		last += (BubbleTime(t.Bubble) - t.When) / t.Period * t.Period
	}
	return t.When, last
}

// timeWords returns the words of the time.Time for now, which is in ns since
// state.ClockStart: wall and ext, as package time defines them, and the location. In a
// bubble there is no monotonic reading.
func timeWords(now int64, bubbled bool, loc heap.Word) [3]heap.Word {
	const (
		unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400
		wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400
		hasMonotonic   = 1 << 63
		nsecShift      = 30
	)
	ns := now + state.ClockStart
	sec, nsec := ns/1e9+unixToInternal, uint64(ns%1e9)
	if wall := uint64(sec - wallToInternal); !bubbled && wall>>33 == 0 {
		return [3]heap.Word{{N: hasMonotonic | wall<<nsecShift | nsec}, {N: uint64(now + 1)}, loc}
	}
	return [3]heap.Word{{N: nsec}, {N: uint64(sec)}, loc}
}

// recordTimer adds an event of a timer. Timers count as goroutine -1.
func (m *Scheduler) recordTimer(e run.Event) int32 {
	e.Goroutine = -1
	e.Index = m.fired
	m.fired++
	if !m.Plan.Record {
		return -1
	}
	e.Cells = 1
	e.Site = run.NoSite
	e.Caller = e.Site
	m.Trace.Events = append(m.Trace.Events, e)
	return int32(len(m.Trace.Events) - 1)
}

// SleepName is the name of the primitive in which a goroutine sleeps.
const SleepName = "time.sleep"

// MaxTimers is the number of timers of one goroutine that alternatives can distinguish.
const MaxTimers = 1 << 16
