package vm

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/schedule"
)

// Virtual time. The clock stands still while code runs and moves when a timer
// fires or a sleeping goroutine wakes, to the time that it was set for. That is
// possible at any point, for a computation can always be slower than a time-out,
// but only for what is due first: what was set for later does not overtake it.

// clockStart is the virtual time at the start of Boot, 2000-01-01 UTC, in
// nanoseconds since the Unix epoch.
const clockStart = 946684800 * 1e9

// A timer is a timer that has been started. The program's side is a struct
// whose address names it:
//
//	c   chan Time  // gets the time when the timer fires, if it has room; or nil
//	f   func()     // is called in a goroutine of its own when c is nil
//	loc *Location  // of the times sent
type timer struct {
	alt     int32 // names it in decisions, see timerAlt
	cell    location
	when    int64 // ns on the virtual clock
	period  int64 // 0 for a timer that fires once
	creator int32 // goroutine that started it
	child   int32 // the goroutine that will run f
	clock   vclock
}

// The words of a timer's struct.
const (
	timerChan = iota
	timerFunc
	timerLoc
)

// dueTimers appends the options of the timers that can fire: those due first.
func (m *Machine) dueTimers(to []Option) []Option {
	for i := range m.timers {
		t := &m.timers[i]
		if t.idle() || t.due(m.now) != m.soonest {
			continue
		}
		o := Option{
			Decision: Decision{Kind: Step, Goroutine: -1, Alt: t.alt},
			Op:       schedule.TimerFire,
			Object:   t.object(),
			Cells:    1,
			Partner:  -1,
			Site:     NoSite,
			Enabled:  true,
		}
		to = append(to, o)
	}
	return to
}

// findSoonest finds the time at which something is due first.
func (m *Machine) findSoonest() {
	m.soonest = math.MaxInt64
	for i := range m.timers {
		if t := &m.timers[i]; !t.idle() {
			m.soonest = min(m.soonest, t.due(m.now))
		}
	}
	for _, g := range m.live {
		if g.sleeps() {
			m.soonest = min(m.soonest, g.when)
		}
	}
}

// sleeps reports whether g is parked until a time.
func (g *goroutine) sleeps() bool {
	return g.status == parked && g.at == atPrimitive && g.phase > 0 && g.prim.Name == sleepName
}

// channel returns the channel of t, nil when it calls a function.
func (t *timer) channel() *Object { return t.cell.o.Cells[t.cell.off+timerChan].P }

// object returns the object that t's firing works on.
func (t *timer) object() ObjectID {
	if ch := t.channel(); ch != nil {
		return ch.ID
	}
	return t.cell.o.ID
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
	missed := (now - t.when + t.period - 1) / t.period
	return t.when + missed*t.period
}

// fire carries out the step of the timer with the given alt.
func (m *Machine) fire(alt int32) {
	i := slices.IndexFunc(m.timers, func(t timer) bool { return t.alt == alt })
	t := m.timers[i]
	due := t.due(m.now)
	m.now = max(m.now, due)
	if t.period > 0 {
		next := slices.Clone(m.timers)
		next[i].when = due + t.period
		m.timers = next
	} else {
		m.timers = slices.Concat(m.timers[:i], m.timers[i+1:])
	}
	event := m.recordTimer(Event{
		Op: schedule.TimerFire, Object: t.object(), Other: -1,
		Wrote: uint64(m.now), WroteKind: uint8(code.Int64),
	})
	ch := t.channel()
	if ch == nil {
		f := t.cell.o.Cells[t.cell.off+timerFunc]
		g := m.addGoroutine(t.child, t.clock)
		if g != nil {
			m.pushEntry(g, f.P.fn, f.P, nil)
		}
		return
	}
	at := int(ch.Cells[chanHead].N+ch.Cells[chanCount].N) % int(ch.Cells[chanCap].N)
	words := m.timeWords(t.cell.o.Cells[t.cell.off+timerLoc])
	first := chanBuffer + at*len(words)
	m.dirty(ch, first, len(words))
	copy(ch.Cells[first:], words[:])
	m.dirty(ch, chanCount, 1)
	ch.Cells[chanCount].N++
	slot := m.chanShadowOf(ch).slot(at)
	slot.sent = event
	slot.clock.join(t.clock)
}

// timeWords returns the words of the time.Time that is now: nanoseconds within
// the second, seconds since year 1, location.
func (m *Machine) timeWords(loc Word) [3]Word {
	const unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400
	ns := m.now + clockStart
	return [3]Word{{N: uint64(ns % 1e9)}, {N: uint64(ns/1e9 + unixToInternal)}, loc}
}

// recordTimer adds an event of the timers, which count as goroutine -1.
func (m *Machine) recordTimer(e Event) int32 {
	e.Goroutine = -1
	e.Index = m.fired
	m.fired++
	if !m.plan.Record {
		return -1
	}
	e.Cells = 1
	e.Site = NoSite
	e.Caller = e.Site
	m.trace.Events = append(m.trace.Events, e)
	return int32(len(m.trace.Events) - 1)
}

const sleepName = "time.sleep"

// timerPrimitives lists the primitives of package time:
//
//	func now() int64                                // virtual time, ns since the Unix epoch
//	func sleep(ns int64)
//	func startTimer(t *T, when, period int64)       // when as now gives it
//	func stopTimer(t *T) (wasActive bool)
//	func resetTimer(t *T, when, period int64) (wasActive bool)
//
// where T is the struct that timer describes. Stopping and resetting empty the
// timer's channel, and a timer whose time has come but was not yet received
// counts as active.
func timerPrimitives() []primitive {
	return []primitive{
		{
			name: "time.now",
			options: func(c *call, to []Option) []Option {
				return append(to, Option{Op: schedule.Read, Object: ClockObject, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				now := uint64(c.m.now + clockStart)
				c.m.record(c.g, Event{Op: schedule.Read, Object: ClockObject, Other: -1, Read: now, ReadKind: uint8(code.Int64)})
				c.set(0, now)
			},
		},
		{
			name: sleepName,
			options: func(c *call, to []Option) []Option {
				if c.g.phase > 0 {
					return append(to, Option{Op: schedule.Sleep, Object: ClockObject, Partner: -1, Enabled: c.g.when == c.m.soonest})
				}
				return append(to, Option{Op: schedule.TimerSet, Object: NoObject, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				switch ns := c.int(0); {
				case ns <= 0:
					c.m.record(c.g, Event{Op: schedule.Yield, Object: NoObject})
				case c.g.phase == 0:
					c.g.when = c.m.now + min(ns, math.MaxInt64-c.m.now)
					c.m.record(c.g, Event{Op: schedule.TimerSet, Object: ClockObject})
					c.again()
				default:
					c.m.now = max(c.m.now, c.g.when)
					c.m.record(c.g, Event{Op: schedule.Sleep, Object: ClockObject})
				}
			},
		},
		{
			name:    "time.startTimer",
			options: timerOptions,
			run:     func(c *call) { c.startTimer(c.int(1), c.int(2)) },
		},
		{
			name:    "time.stopTimer",
			options: timerOptions,
			run: func(c *call) {
				active := c.stopTimer()
				c.recordTimerSet()
				c.setBool(0, active)
			},
		},
		{
			name:    "time.resetTimer",
			options: timerOptions,
			run: func(c *call) {
				active := c.stopTimer()
				c.startTimer(c.int(1), c.int(2))
				c.setBool(0, active)
			},
		},
	}
}

func timerOptions(c *call, to []Option) []Option {
	t := timer{cell: c.cellAt(0)}
	return append(to, Option{Op: schedule.TimerSet, Object: t.object(), Partner: -1, Enabled: true})
}

func (c *call) recordTimerSet() {
	t := timer{cell: c.cellAt(0)}
	c.m.record(c.g, Event{Op: schedule.TimerSet, Object: t.object()})
}

// startTimer starts the timer of the first argument.
func (c *call) startTimer(when, period int64) {
	m, g := c.m, c.g
	t := timer{
		cell:    c.cellAt(0),
		when:    when - clockStart,
		period:  period,
		creator: g.id,
		alt:     timerAlt(g),
	}
	if g.timers == maxTimers {
		m.bounded(g, "too many timers started by one goroutine")
		return
	}
	g.timers++
	if t.channel() == nil {
		// The goroutine's name must not depend on when the timer fires.
		g.spawns++
		t.child = m.Names.Child(g.id, g.spawns)
	}
	c.recordTimerSet()
	t.clock = slices.Clone(g.clock)
	m.tick(g)
	m.timers = append(m.timers, t)
	m.multi = true
}

// maxTimers is how many timers of one goroutine timerAlt can tell apart.
const maxTimers = 1 << 16

// timerAlt returns the Alt of the next timer that g starts: it does not change
// with what other goroutines do.
func timerAlt(g *goroutine) int32 { return g.slot<<16 | g.timers }

// stopTimer stops the timer of the first argument and reports whether it had
// still to fire, or had fired into its channel without having been received.
func (c *call) stopTimer() bool {
	m, cell := c.m, c.cellAt(0)
	active := false
	if i := slices.IndexFunc(m.timers, func(t timer) bool { return t.cell == cell }); i >= 0 {
		m.timers = slices.Concat(m.timers[:i], m.timers[i+1:])
		active = true
	}
	t := timer{cell: cell}
	if ch := t.channel(); ch != nil && ch.Cells[chanCount].N > 0 {
		m.dirty(ch, chanCount, 1)
		ch.Cells[chanCount].N = 0
		active = true
	}
	return active
}
