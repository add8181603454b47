package concurrency

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// timerPrimitives returns the primitives of package time:
//
//	func now() int64                                // virtual time, ns since the Unix epoch
//	func sleep(ns int64)
//	func startTimer(t *T, d, period int64)          // d and period are durations
//	func stopTimer(t *T) (wasActive bool)
//	func resetTimer(t *T, d, period int64) (wasActive bool)
//
// where T is the struct that [state.Timer] describes. Stopping or resetting a timer
// empties its channel. A timer whose value is still in the channel counts as active.
func timerPrimitives() []exec.Primitive {
	return []exec.Primitive{
		timePrimitive("time.now", state.ClockStart),
		timePrimitive("runtime.unixtime", state.ClockStart),
		timePrimitive("runtime.nanotime", 1),
		{
			Name:   sched.SleepName,
			Sleeps: true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				if c.Goroutine.Phase > 0 && c.Goroutine.Bubble != nil {
					return append(to, run.Transition{Op: schedule.Sleep, Object: run.NoObject, Partner: -1, Enabled: c.Goroutine.When <= sched.BubbleTime(c.Goroutine.Bubble)})
				}
				if c.Goroutine.Phase > 0 {
					return append(to, wake(c))
				}
				return append(to, run.Transition{Op: schedule.TimerSet, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			Run: func(c *exec.Call) {
				switch ns := c.Int(0); {
				case ns <= 0:
					c.Machine.Record(c.Goroutine, run.Event{Op: schedule.Yield, Object: run.NoObject})
				case c.Goroutine.Phase == 0:
					now := c.Machine.NowOf(c.Goroutine)
					c.Goroutine.When = state.Later(now, ns)
					c.Goroutine.Late = c.Machine.IsLate()
					c.Machine.Record(c.Goroutine, run.Event{Op: schedule.TimerSet, Object: clockOf(c.Goroutine)})
					c.Again()
				default:
					wakeUp(c)
				}
			},
		},
		{
			Name:        "time.startTimer",
			Transitions: timerTransitions,
			Run: func(c *exec.Call) {
				if c.Machine.SuspendBoot(c.Goroutine) {
					return
				}
				if b := c.Goroutine.Bubble; b != nil {
					l := c.CellAt(0)
					c.Machine.Heap.Store(l.Object, l.Offset+state.TimerBubble, []heap.Word{{P: b}}, nil)
				}
				startTimer(c, c.Int(1), c.Int(2))
			},
		},
		{
			Name:        "time.stopTimer",
			Transitions: timerTransitions,
			Run: func(c *exec.Call) {
				if rejectForeignTimer(c, "stop") {
					return
				}
				active := stopTimer(c)
				recordTimerSet(c)
				c.SetBool(0, active)
			},
		},
		{
			Name:        "time.resetTimer",
			Transitions: timerTransitions,
			Run: func(c *exec.Call) {
				if rejectForeignTimer(c, "reset") || c.Machine.SuspendBoot(c.Goroutine) {
					return
				}
				active := stopTimer(c)
				startTimer(c, c.Int(1), c.Int(2))
				c.SetBool(0, active)
			},
		},
	}
}

// timePrimitive returns a primitive that reports the time that a goroutine sees, where
// from is the result at the start of the virtual clock. A goroutine that reads it again and
// again, without waiting for anything, is waiting for time to pass (see sched.Polls).
func timePrimitive(name string, from int64) exec.Primitive {
	return exec.Primitive{
		Name:   name,
		Sleeps: true,
		Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
			if c.Goroutine.Phase > 0 {
				return append(to, wake(c))
			}
			return append(to, run.Transition{Op: schedule.Read, Object: clockOf(c.Goroutine), Partner: -1, Enabled: true})
		},
		Run: func(c *exec.Call) {
			m, g := c.Machine, c.Goroutine
			if g.Phase > 0 {
				wakeUp(c)
				m.Polled(g)
			} else if g.Bubble == nil && m.Polls(g) {
				c.Again()
				return
			}
			if !initialisesLibrary(g) {
				m.ClockReadings++
			}
			if m.ClockReadings > 1 && g.Bubble == nil {
				m.Trace.Bounds.Add(run.EarlyReadings)
			}
			now := uint64(m.NowOf(g) + from)
			m.Record(g, run.Event{Op: schedule.Read, Object: clockOf(g), Other: -1, Read: now, ReadKind: uint8(code.Int64)})
			c.Set(0, now)
		},
	}
}

// initialisesLibrary reports whether g executes an initialiser of the standard library.
func initialisesLibrary(g *state.Goroutine) bool {
	for i := len(g.Frames) - 1; i >= 0 && g.Frames[i].Func.Standard; i-- {
		if f := g.Frames[i].Func.SSA; f != nil && f.Synthetic == "package initializer" {
			return true
		}
	}
	return false
}

// wake returns the transition of a goroutine that sleeps outside of bubbles.
func wake(c *exec.Call) run.Transition {
	return run.Transition{
		Op: schedule.Sleep, Object: run.ClockObject, Partner: -1, State: c.Goroutine.When - c.Machine.Now,
		Enabled: c.Machine.CanWake(c.Goroutine),
	}
}

// wakeUp ends the sleep of the goroutine.
func wakeUp(c *exec.Call) {
	if c.Goroutine.Late {
		c.Machine.Late++
	}
	c.Machine.Record(c.Goroutine, run.Event{Op: schedule.Sleep, Object: clockOf(c.Goroutine)})
}

// rejectForeignTimer ends the run if the timer of the first argument belongs to a bubble
// and the goroutine is not in that bubble. It reports whether it did.
func rejectForeignTimer(c *exec.Call, what string) bool {
	l := c.CellAt(0)
	switch b := l.Object.Cells[l.Offset+state.TimerBubble].P; {
	case b == nil || b == c.Goroutine.Bubble:
		return false
	case c.Goroutine.Bubble == nil:
		failMisuse(c, l, what+" of synctest timer from outside bubble")
	default:
		c.Machine.Unsupported(c.Goroutine, what+" of a timer of another synctest bubble")
	}
	return true
}

// clockOf returns the object that stands for the clock that g sees.
func clockOf(g *state.Goroutine) run.ObjectID {
	if g.Bubble != nil {
		return g.Bubble.ID
	}
	return run.ClockObject
}

// timerTransitions appends the transition of an operation on the timer of the first
// argument.
func timerTransitions(c *exec.Call, to []run.Transition) []run.Transition {
	t := state.Timer{Cell: c.CellAt(0)}
	return append(to, run.Transition{Op: schedule.TimerSet, Object: t.ObjectID(), Partner: -1, Enabled: true})
}

// recordTimerSet records that the timer of the first argument has been set or stopped.
func recordTimerSet(c *exec.Call) {
	t := state.Timer{Cell: c.CellAt(0)}
	c.Machine.Record(c.Goroutine, run.Event{Op: schedule.TimerSet, Object: t.ObjectID()})
}

// startTimer starts the timer of the first argument, which fires after d for the first time.
func startTimer(c *exec.Call, d, period int64) {
	m, g := c.Machine, c.Goroutine
	l := c.CellAt(0)
	t := state.Timer{
		Cell:    l,
		Bubble:  l.Object.Cells[l.Offset+state.TimerBubble].P,
		Period:  period,
		Late:    m.IsLate(),
		Creator: g.ID,
		Alt:     run.AltOfTimer(g.Slot, g.Timers),

		OfInitialiser: m.ForInitialiser(g),
	}
	t.When = state.Later(m.TimeOf(g), max(d, 0))
	if t.Bubble != nil {
		t.When = state.Later(sched.BubbleTime(t.Bubble), max(d, 0))
	}
	if g.Timers == run.MaxTimers {
		m.Bounded(g, "too many timers started by one goroutine")
		return
	}
	g.Timers++
	if ch := t.Channel(); ch == nil {
		// Number the goroutine now: its name must not depend on when the timer fires.
		g.Spawns++
		t.Child = m.Names.Child(g.ID, g.Spawns)
	} else if !state.IsTimerChan(ch) {
		m.Heap.Dirty(ch, state.ChanCap, 1)
		ch.Cells[state.ChanCap].P = l.Object
	}
	recordTimerSet(c)
	t.Clock.Assign(&g.Clock)
	g.Tick()
	m.Timers = append(m.Timers, t)
	m.Multi = true
	if t.Bubble != nil && t.When <= sched.BubbleTime(t.Bubble) {
		m.Fire(t.Alt, 0)
	}
}

// stopTimer stops the timer of the first argument. It reports whether the timer was
// active: it had not fired yet, or its value was still in its channel.
func stopTimer(c *exec.Call) bool {
	m, cell := c.Machine, c.CellAt(0)
	active := false
	if i := slices.IndexFunc(m.Timers, func(t state.Timer) bool { return t.Cell == cell }); i >= 0 {
		m.Timers = slices.Concat(m.Timers[:i], m.Timers[i+1:])
		active = true
	}
	t := state.Timer{Cell: cell}
	if ch := t.Channel(); ch != nil && ch.Cells[state.ChanCount].N > 0 && !m.HasDelivered(ch) {
		m.Heap.Dirty(ch, state.ChanCount, 1)
		ch.Cells[state.ChanCount].N = 0
		active = true
	}
	return active
}
