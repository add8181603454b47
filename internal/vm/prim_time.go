package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
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
		timePrimitive("time.now", state.ClockStart),
		timePrimitive("runtime.unixtime", state.ClockStart),
		timePrimitive("runtime.nanotime", 1),
		{
			name: sched.SleepName,
			options: func(c *call, to []run.Transition) []run.Transition {
				if c.g.Phase > 0 && c.g.Bubble != nil {
					return append(to, run.Transition{Op: schedule.Sleep, Object: run.NoObject, Partner: -1, Enabled: c.g.When <= sched.BubbleTime(c.g.Bubble)})
				}
				if c.g.Phase > 0 {
					return append(to, run.Transition{
						Op: schedule.Sleep, Object: run.ClockObject, Partner: -1,
						Enabled: c.g.When == c.m.Soonest && c.g.When != state.Never && !c.m.Spent(c.g.Late),
					})
				}
				return append(to, run.Transition{Op: schedule.TimerSet, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				switch ns := c.int(0); {
				case ns <= 0:
					c.m.Record(c.g, run.Event{Op: schedule.Yield, Object: run.NoObject})
				case c.g.Phase == 0:
					now := c.m.NowOf(c.g)
					c.g.When = state.Later(now, ns)
					c.g.Late = c.m.IsLate()
					c.m.Record(c.g, run.Event{Op: schedule.TimerSet, Object: clockOf(c.g)})
					c.again()
				default:
					if c.g.Bubble == nil {
						c.m.Now = max(c.m.Now, c.g.When)
					}
					if c.g.Late {
						c.m.Late++
					}
					c.m.Record(c.g, run.Event{Op: schedule.Sleep, Object: clockOf(c.g)})
				}
			},
		},
		{
			name:    "time.startTimer",
			options: timerOptions,
			run: func(c *call) {
				if b := c.g.Bubble; b != nil {
					l := c.cellAt(0)
					c.m.Heap.Store(l.Object, l.Offset+state.TimerBubble, []heap.Word{{P: b}}, nil)
				}
				startTimer(c, c.int(1), c.int(2))
			},
		},
		{
			name:    "time.stopTimer",
			options: timerOptions,
			run: func(c *call) {
				if fromOutside(c, "stop") {
					return
				}
				active := stopTimer(c)
				recordTimerSet(c)
				c.setBool(0, active)
			},
		},
		{
			name:    "time.resetTimer",
			options: timerOptions,
			run: func(c *call) {
				if fromOutside(c, "reset") {
					return
				}
				active := stopTimer(c)
				startTimer(c, c.int(1), c.int(2))
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
			now := uint64(c.m.NowOf(c.g) + from)
			c.m.Record(c.g, run.Event{Op: schedule.Read, Object: clockOf(c.g), Other: -1, Read: now, ReadKind: uint8(code.Int64)})
			c.set(0, now)
		},
	}
}

// fromOutside ends the run when the timer of the first argument is one of a bubble
// and the goroutine is not in it. It reports whether it did.
func fromOutside(c *call, what string) bool {
	l := c.cellAt(0)
	switch b := l.Object.Cells[l.Offset+state.TimerBubble].P; {
	case b == nil || b == c.g.Bubble:
		return false
	case c.g.Bubble == nil:
		failMisuse(c, l, what+" of synctest timer from outside bubble")
	default:
		c.m.Unsupported(c.g, what+" of a timer of another synctest bubble")
	}
	return true
}

// clockOf returns the object that stands for the time that g sees.
func clockOf(g *state.Goroutine) run.ObjectID {
	if g.Bubble != nil {
		return g.Bubble.ID
	}
	return run.ClockObject
}

func timerOptions(c *call, to []run.Transition) []run.Transition {
	t := state.Timer{Cell: c.cellAt(0)}
	return append(to, run.Transition{Op: schedule.TimerSet, Object: t.ObjectID(), Partner: -1, Enabled: true})
}

func recordTimerSet(c *call) {
	t := state.Timer{Cell: c.cellAt(0)}
	c.m.Record(c.g, run.Event{Op: schedule.TimerSet, Object: t.ObjectID()})
}

// startTimer starts the timer of the first argument.
func startTimer(c *call, when, period int64) {
	m, g := c.m, c.g
	l := c.cellAt(0)
	t := state.Timer{
		Cell:    l,
		Bubble:  l.Object.Cells[l.Offset+state.TimerBubble].P,
		When:    when - state.ClockStart,
		Period:  period,
		Late:    m.IsLate(),
		Creator: g.ID,
		Alt:     timerAlt(g),
	}
	if g.Timers == sched.MaxTimers {
		m.Bounded(g, "too many timers started by one goroutine")
		return
	}
	g.Timers++
	if t.Channel() == nil {
		// The goroutine's name must not depend on when the timer fires.
		g.Spawns++
		t.Child = m.Names.Child(g.ID, g.Spawns)
	}
	recordTimerSet(c)
	t.Clock.Assign(&g.Clock)
	g.Tick()
	m.Timers = append(m.Timers, t)
	m.Multi = true
	if t.Bubble != nil && t.When <= sched.BubbleTime(t.Bubble) {
		m.Fire(t.Alt)
	}
}

// timerAlt returns the Alt of the next timer that g starts: it does not change
// with what other goroutines do.
func timerAlt(g *state.Goroutine) int32 { return g.Slot<<16 | g.Timers }

// stopTimer stops the timer of the first argument and reports whether it had
// still to fire, or had fired into its channel without having been received.
func stopTimer(c *call) bool {
	m, cell := c.m, c.cellAt(0)
	active := false
	if i := slices.IndexFunc(m.Timers, func(t state.Timer) bool { return t.Cell == cell }); i >= 0 {
		m.Timers = slices.Concat(m.Timers[:i], m.Timers[i+1:])
		active = true
	}
	t := state.Timer{Cell: cell}
	if ch := t.Channel(); ch != nil && ch.Cells[state.ChanCount].N > 0 {
		m.Heap.Dirty(ch, state.ChanCount, 1)
		ch.Cells[state.ChanCount].N = 0
		active = true
	}
	return active
}
