package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

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
		timePrimitive("time.now", clockStart),
		timePrimitive("runtime.unixtime", clockStart),
		timePrimitive("runtime.nanotime", 1),
		{
			name: sleepName,
			options: func(c *call, to []run.Transition) []run.Transition {
				if c.g.phase > 0 && c.g.bubble != nil {
					return append(to, run.Transition{Op: schedule.Sleep, Object: run.NoObject, Partner: -1, Enabled: c.g.when <= bubbleTime(c.g.bubble)})
				}
				if c.g.phase > 0 {
					return append(to, run.Transition{
						Op: schedule.Sleep, Object: run.ClockObject, Partner: -1,
						Enabled: c.g.when == c.m.soonest && c.g.when != never && !c.m.spent(c.g.late),
					})
				}
				return append(to, run.Transition{Op: schedule.TimerSet, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				switch ns := c.int(0); {
				case ns <= 0:
					c.m.record(c.g, run.Event{Op: schedule.Yield, Object: run.NoObject})
				case c.g.phase == 0:
					now := c.m.nowOf(c.g)
					c.g.when = later(now, ns)
					c.g.late = c.m.isLate()
					c.m.record(c.g, run.Event{Op: schedule.TimerSet, Object: clockOf(c.g)})
					c.again()
				default:
					if c.g.bubble == nil {
						c.m.now = max(c.m.now, c.g.when)
					}
					if c.g.late {
						c.m.late++
					}
					c.m.record(c.g, run.Event{Op: schedule.Sleep, Object: clockOf(c.g)})
				}
			},
		},
		{
			name:    "time.startTimer",
			options: timerOptions,
			run: func(c *call) {
				if b := c.g.bubble; b != nil {
					l := c.cellAt(0)
					c.m.heap.Store(l.Object, l.Offset+timerBubble, []heap.Word{{P: b}}, nil)
				}
				c.startTimer(c.int(1), c.int(2))
			},
		},
		{
			name:    "time.stopTimer",
			options: timerOptions,
			run: func(c *call) {
				if c.fromOutside("stop") {
					return
				}
				active := c.stopTimer()
				c.recordTimerSet()
				c.setBool(0, active)
			},
		},
		{
			name:    "time.resetTimer",
			options: timerOptions,
			run: func(c *call) {
				if c.fromOutside("reset") {
					return
				}
				active := c.stopTimer()
				c.startTimer(c.int(1), c.int(2))
				c.setBool(0, active)
			},
		},
	}
}

// timePrimitive returns a primitive that gives the time that a goroutine sees, as it is
// when that of the machine is from.
func timePrimitive(name string, from int64) primitive {
	return primitive{
		name: name,
		options: func(c *call, to []run.Transition) []run.Transition {
			return append(to, run.Transition{Op: schedule.Read, Object: clockOf(c.g), Partner: -1, Enabled: true})
		},
		run: func(c *call) {
			now := uint64(c.m.nowOf(c.g) + from)
			c.m.record(c.g, run.Event{Op: schedule.Read, Object: clockOf(c.g), Other: -1, Read: now, ReadKind: uint8(code.Int64)})
			c.set(0, now)
		},
	}
}

// fromOutside ends the run when the timer of the first argument is one of a bubble
// and the goroutine is not in it. It reports whether it did.
func (c *call) fromOutside(what string) bool {
	l := c.cellAt(0)
	switch b := l.Object.Cells[l.Offset+timerBubble].P; {
	case b == nil || b == c.g.bubble:
		return false
	case c.g.bubble == nil:
		c.misuse(l, what+" of synctest timer from outside bubble")
	default:
		c.m.unsupported(c.g, what+" of a timer of another synctest bubble")
	}
	return true
}

// clockOf returns the object that stands for the time that g sees.
func clockOf(g *goroutine) run.ObjectID {
	if g.bubble != nil {
		return g.bubble.ID
	}
	return run.ClockObject
}

func timerOptions(c *call, to []run.Transition) []run.Transition {
	t := timer{cell: c.cellAt(0)}
	return append(to, run.Transition{Op: schedule.TimerSet, Object: t.object(), Partner: -1, Enabled: true})
}

func (c *call) recordTimerSet() {
	t := timer{cell: c.cellAt(0)}
	c.m.record(c.g, run.Event{Op: schedule.TimerSet, Object: t.object()})
}

// startTimer starts the timer of the first argument.
func (c *call) startTimer(when, period int64) {
	m, g := c.m, c.g
	l := c.cellAt(0)
	t := timer{
		cell:    l,
		bubble:  l.Object.Cells[l.Offset+timerBubble].P,
		when:    when - clockStart,
		period:  period,
		late:    m.isLate(),
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
	t.clock.Assign(&g.Clock)
	g.Tick()
	m.timers = append(m.timers, t)
	m.multi = true
	if t.bubble != nil && t.when <= bubbleTime(t.bubble) {
		m.fire(t.alt)
	}
}

// timerAlt returns the Alt of the next timer that g starts: it does not change
// with what other goroutines do.
func timerAlt(g *goroutine) int32 { return g.Slot<<16 | g.timers }

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
		m.heap.Dirty(ch, chanCount, 1)
		ch.Cells[chanCount].N = 0
		active = true
	}
	return active
}
