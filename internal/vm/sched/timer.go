package sched

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Virtual time. The clock stands still while code runs and moves when a timer
// fires or a sleeping goroutine wakes, to the time that it was set for. That is
// possible at any point, for a computation can always be slower than a time-out,
// but only for what is due first: what was set for later does not overtake it.

// dueTimers appends the options of the timers that can fire: those due first, and in
// a bubble those whose time has come.
func (m *Scheduler) dueTimers(to []run.Transition) []run.Transition {
	for i := range m.Timers {
		t := &m.Timers[i]
		switch {
		case t.Bubble != nil:
			// Those with a channel have fired when their time came.
			if t.Channel() != nil || t.When > BubbleTime(t.Bubble) {
				continue
			}
		case t.Idle() || m.Spent(t.Late) || t.Due(m.Now) != m.Soonest || m.Soonest == state.Never:
			continue
		}
		o := run.Transition{
			Decision: run.Decision{Kind: run.Step, Goroutine: -1, Alt: t.Alt},
			Op:       schedule.TimerFire,
			Object:   t.ObjectID(),
			Cells:    1,
			Partner:  -1,
			Site:     run.NoSite,
			Enabled:  true,
		}
		if t.Bubble != nil {
			o.Bubble = t.Bubble.ID
		}
		to = append(to, o)
	}
	return to
}

// findSoonest finds the time at which something is due first outside of bubbles.
func (m *Scheduler) findSoonest() {
	m.Soonest = state.Never
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == nil && !t.Idle() && !m.Spent(t.Late) {
			m.Soonest = min(m.Soonest, t.Due(m.Now))
		}
	}
	for _, slot := range m.Pending.unsure { // those that sleep are there
		if g := m.Goroutines[slot]; g.Bubble == nil && sleeps(g) && !m.Spent(g.Late) {
			m.Soonest = min(m.Soonest, g.When)
		}
	}
}

// maxLate is how often something comes in time, in a run, that was set after the
// target's return.
const maxLate = 4

// returned reports whether the target, or the initialiser that Boot runs, has returned.
func (m *Scheduler) returned() bool { return m.Goroutines[0].Status == state.Ended }

// IsLate reports whether what is set now is set after the target's return.
func (m *Scheduler) IsLate() bool { return m.returned() && m.Heap.Recording() }

// Spent reports whether something that waits for a time does so in vain. Where a
// goroutine lives on a ticker, or sleeps again and again, time would not come to an
// end. Natively the process ends, not long after the target has returned. So what was set before
// comes in its time, of what was set after that the first few. The initialisers
// of a program take no time.
func (m *Scheduler) Spent(late bool) bool {
	if !m.Heap.Recording() {
		return m.returned()
	}
	return late && m.Late >= maxLate
}

// livesOn reports whether something waits for a time in vain.
func (m *Scheduler) livesOn() bool {
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == nil && !t.Idle() && m.Spent(t.Late) {
			return true
		}
	}
	return slices.ContainsFunc(m.Live, func(g *state.Goroutine) bool {
		return g.Bubble == nil && sleeps(g) && m.Spent(g.Late)
	})
}

// sleeps reports whether g is parked until a time.
func sleeps(g *state.Goroutine) bool {
	return g.Status == state.Parked && g.At == state.AtPrimitive && g.Phase > 0 && g.Prim.Name == SleepName
}

// Fire carries out the step of the timer with the given alt.
func (m *Scheduler) Fire(alt int32) {
	i := slices.IndexFunc(m.Timers, func(t state.Timer) bool { return t.Alt == alt })
	t := m.Timers[i]
	now, due := m.pass(&t)
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
	if t.Idle() {
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

// pass makes it the time at which t fires. It returns that time as the program is
// told of it, and the last one, not after now, for which t was set: a ticker may have
// left out some.
func (m *Scheduler) pass(t *state.Timer) (now, last int64) {
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

// timeWords returns the words of the time.Time that is now ns after state.ClockStart: wall and
// ext as package time describes them, and the location. In a bubble there is no monotonic
// reading.
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

// recordTimer adds an event of the timers, which count as goroutine -1.
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

const SleepName = "time.sleep"

// MaxTimers is how many timers of one goroutine timerAlt can tell apart.
const MaxTimers = 1 << 16
