package vm

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// Virtual time. The clock stands still while code runs and moves when a timer
// fires or a sleeping goroutine wakes, to the time that it was set for. That is
// possible at any point, for a computation can always be slower than a time-out,
// but only for what is due first: what was set for later does not overtake it.

// clockStart is the virtual time at the start of Boot, 2000-01-01 UTC, in
// nanoseconds since the Unix epoch.
const clockStart = 946684800 * 1e9

// never is when something is due that the clock is too short for. Natively that is in
// centuries: what waits for it waits for ever.
const never = math.MaxInt64 - clockStart

// later returns the time d after t.
func later(t, d int64) int64 { return t + min(d, never-t) }

// dueTimers appends the options of the timers that can fire: those due first, and in
// a bubble those whose time has come.
func (m *Scheduler) dueTimers(to []run.Transition) []run.Transition {
	for i := range m.timers {
		t := &m.timers[i]
		switch {
		case t.bubble != nil:
			// Those with a channel have fired when their time came.
			if t.channel() != nil || t.when > bubbleTime(t.bubble) {
				continue
			}
		case t.idle() || m.spent(t.late) || t.due(m.now) != m.soonest || m.soonest == never:
			continue
		}
		o := run.Transition{
			Decision: run.Decision{Kind: run.Step, Goroutine: -1, Alt: t.alt},
			Op:       schedule.TimerFire,
			Object:   t.object(),
			Cells:    1,
			Partner:  -1,
			Site:     run.NoSite,
			Enabled:  true,
		}
		if t.bubble != nil {
			o.Bubble = t.bubble.ID
		}
		to = append(to, o)
	}
	return to
}

// findSoonest finds the time at which something is due first outside of bubbles.
func (m *Scheduler) findSoonest() {
	m.soonest = never
	for i := range m.timers {
		if t := &m.timers[i]; t.bubble == nil && !t.idle() && !m.spent(t.late) {
			m.soonest = min(m.soonest, t.due(m.now))
		}
	}
	for _, slot := range m.agenda.unsure { // those that sleep are there
		if g := m.gs[slot]; g.bubble == nil && g.sleeps() && !m.spent(g.late) {
			m.soonest = min(m.soonest, g.when)
		}
	}
}

// maxLate is how often something comes in time, in a run, that was set after the
// target's return.
const maxLate = 4

// returned reports whether the target, or the initialiser that Boot runs, has returned.
func (m *Scheduler) returned() bool { return m.gs[0].status == ended }

// isLate reports whether what is set now is set after the target's return.
func (m *Scheduler) isLate() bool { return m.returned() && m.heap.Recording() }

// spent reports whether something that waits for a time does so in vain. Where a
// goroutine lives on a ticker, or sleeps again and again, time would not come to an
// end. Natively the process ends, not long after the target has returned. So what was set before
// comes in its time, of what was set after that the first few. The initialisers
// of a program take no time.
func (m *Scheduler) spent(late bool) bool {
	if !m.heap.Recording() {
		return m.returned()
	}
	return late && m.late >= maxLate
}

// livesOn reports whether something waits for a time in vain.
func (m *Scheduler) livesOn() bool {
	for i := range m.timers {
		if t := &m.timers[i]; t.bubble == nil && !t.idle() && m.spent(t.late) {
			return true
		}
	}
	return slices.ContainsFunc(m.live, func(g *goroutine) bool {
		return g.bubble == nil && g.sleeps() && m.spent(g.late)
	})
}

// sleeps reports whether g is parked until a time.
func (g *goroutine) sleeps() bool {
	return g.status == parked && g.at == atPrimitive && g.phase > 0 && g.prim.Name == sleepName
}

// channel returns the channel of t, nil when it calls a function.
func (t *timer) channel() *heap.Object { return t.cell.Object.Cells[t.cell.Offset+timerChan].P }

// object returns the object that t's firing works on.
func (t *timer) object() run.ObjectID {
	if ch := t.channel(); ch != nil {
		return ch.ID
	}
	return t.cell.Object.ID
}

// idle reports whether firing t would change nothing: its channel is full. It
// then does not keep the rest of the program from standing still.
func (t *timer) idle() bool {
	ch := t.channel()
	return ch != nil && ch.Cells[chanCount].N == ch.Cells[chanCap].N
}

// due returns when t fires next. A ticker whose channel was full has left out
// the ticks up to now.
func (t *timer) due(now int64) int64 {
	if t.period == 0 || t.when >= now {
		return t.when
	}
	missed := (now-t.when-1)/t.period + 1
	return later(t.when, missed*t.period)
}

// fire carries out the step of the timer with the given alt.
func (m *Scheduler) fire(alt int32) {
	i := slices.IndexFunc(m.timers, func(t timer) bool { return t.alt == alt })
	t := m.timers[i]
	now, due := m.pass(&t)
	if t.late {
		m.late++
	}
	if t.period > 0 {
		next := slices.Clone(m.timers)
		next[i].when = later(due, t.period)
		next[i].late = m.isLate()
		m.timers = next
	} else {
		m.timers = slices.Concat(m.timers[:i], m.timers[i+1:])
	}
	event := m.recordTimer(run.Event{
		Op: schedule.TimerFire, Object: t.object(), Other: -1,
		Wrote: uint64(now), WroteKind: uint8(code.Int64),
	})
	ch := t.channel()
	if ch == nil {
		f := t.cell.Object.Cells[t.cell.Offset+timerFunc]
		g := m.addGoroutine(t.child, &t.clock)
		if g != nil {
			g.bubble = t.bubble
			m.pushEntry(g, m.Funcs[f.P.Func], f.P, nil)
		}
		return
	}
	if t.idle() {
		return
	}
	at := int(ch.Cells[chanHead].N+ch.Cells[chanCount].N) % int(ch.Cells[chanCap].N)
	words := timeWords(now, t.bubble != nil, t.cell.Object.Cells[t.cell.Offset+timerLoc])
	first := chanBuffer + at*len(words)
	m.heap.Dirty(ch, first, len(words))
	copy(ch.Cells[first:], words[:])
	m.heap.Dirty(ch, chanCount, 1)
	ch.Cells[chanCount].N++
	slot := m.chanShadowOf(ch).Slot(at)
	slot.Sent = event
	slot.Clock.Join(&t.clock)
}

// pass makes it the time at which t fires. It returns that time as the program is
// told of it, and the last one, not after now, for which t was set: a ticker may have
// left out some.
func (m *Scheduler) pass(t *timer) (now, last int64) {
	if t.bubble == nil {
		last = t.due(m.now)
		m.now = max(m.now, last)
		return m.now, last
	}
	last = t.when
	if t.period > 0 {
		last += (bubbleTime(t.bubble) - t.when) / t.period * t.period
	}
	return t.when, last
}

// timeWords returns the words of the time.Time that is now ns after clockStart: wall and
// ext as package time describes them, and the location. In a bubble there is no monotonic
// reading.
func timeWords(now int64, bubbled bool, loc heap.Word) [3]heap.Word {
	const (
		unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400
		wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400
		hasMonotonic   = 1 << 63
		nsecShift      = 30
	)
	ns := now + clockStart
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
	if !m.plan.Record {
		return -1
	}
	e.Cells = 1
	e.Site = run.NoSite
	e.Caller = e.Site
	m.trace.Events = append(m.trace.Events, e)
	return int32(len(m.trace.Events) - 1)
}

const sleepName = "time.sleep"

// maxTimers is how many timers of one goroutine timerAlt can tell apart.
const maxTimers = 1 << 16
