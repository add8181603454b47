package concurrency

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/reach"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
	"github.com/everyway-go/everyway/schedule"
)

// monotonicStart is what the monotonic clock shows at virtual time 0, in bubbles and outside. A
// bubble has no other clock.
const monotonicStart = state.BubbleStart

// timerPrimitives returns the primitives of package time:
//
//	func runtimeNow() (sec int64, nsec int32, mono int64)
//	func runtimeNano() int64                        // ns of the monotonic clock
//	func sleep(ns int64)
//	func startTimer(t *T, d, period int64)          // d and period are durations
//	func stopTimer(t *T) (wasActive bool)
//	func resetTimer(t *T, d, period int64) (wasActive bool)
//
// where T is the struct that [state.Timer] describes. Stopping or resetting a timer
// empties its channel. A timer whose value is still in the channel counts as active.
func timerPrimitives() []exec.Primitive {
	return []exec.Primitive{
		timePrimitive("time.runtimeNow", func(c *exec.Call, r race.Reading) {
			sec, nsec := clock.Wall(c.Machine.Arena, r, c.Goroutine.Bubble != nil)
			c.Set(0, sec.N)
			c.SetShadow(0, sec.Sym)
			c.Set(1, nsec.N)
			c.SetShadow(1, nsec.Sym)
			if c.Goroutine.Bubble == nil {
				setReading(c, 2, r, monotonicStart)
			} else {
				c.Set(2, 0)
				c.SetShadow(2, expr.None)
			}
		}),
		timePrimitive("time.runtimeNano", func(c *exec.Call, r race.Reading) { setReading(c, 0, r, monotonicStart) }),
		timePrimitive("runtime.unixtime", func(c *exec.Call, r race.Reading) { setReading(c, 0, r, state.Epoch(c.Goroutine.Bubble != nil)) }),
		timePrimitive("runtime.nanotime", func(c *exec.Call, r race.Reading) { setReading(c, 0, r, 1) }),
		{Name: "time.subMono", Run: subMono, Shadows: true, HasBody: true},
		{
			Name:   clock.SleepName,
			Sleeps: true,
			Transitions: func(c *exec.Call, to []run.Transition) []run.Transition {
				if c.Goroutine.Phase > 0 && c.Goroutine.Bubble != nil {
					return append(to, run.Transition{
						Op: schedule.Sleep, Object: run.NoObject, Partner: -1,
						Enabled: c.Goroutine.When <= state.BubbleTime(c.Goroutine.Bubble),
					})
				}
				if c.Goroutine.Phase > 0 {
					return append(to, wake(c))
				}
				return append(to, run.Transition{Op: schedule.TimerSet, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			Shadows: true,
			Run: func(c *exec.Call) {
				m, g := c.Machine, c.Goroutine
				switch d := duration(c, 0); {
				case int64(d.N) <= 0:
					m.Record(g, run.Event{Op: schedule.Yield, Object: run.NoObject})
				case g.Phase == 0:
					if g.Bubble != nil {
						g.When = state.Later(state.BubbleTime(g.Bubble), int64(d.N))
					} else {
						clock.Sleep(&m.State, g, d)
					}
					g.Late = m.Returned()
					m.Record(g, run.Event{Op: schedule.TimerSet, Object: clockOf(g)})
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
				startTimer(c)
			},
			Shadows: true,
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
				startTimer(c)
				c.SetBool(0, active)
				c.SetShadow(0, expr.None)
			},
			Shadows: true,
		},
	}
}

// timePrimitive returns a primitive that reads the clock. Its results are set by set. A
// goroutine that reads the clock again and again, without waiting for anything, is waiting for
// time to pass (see [clock.Polls]).
func timePrimitive(name string, set func(*exec.Call, race.Reading)) exec.Primitive {
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
				clock.Polled(&m.State, g)
			} else if g.Bubble == nil && clock.Polls(&m.State, g, m.OthersCanStep()) {
				c.Again()
				return
			}
			var r race.Reading
			if g.Bubble != nil {
				r.Value = state.BubbleTime(g.Bubble)
			} else {
				r = clock.Read(&m.State, g)
			}
			m.Record(g, run.Event{
				Op: schedule.Read, Object: clockOf(g), Other: -1,
				Read: uint64(r.Value + state.Epoch(g.Bubble != nil)), ReadKind: uint8(code.Int64),
			})
			set(c, r)
		},
		Shadows: true,
	}
}

// subMono subtracts two monotonic readings, as the function in package time does: a difference
// beyond the range of durations becomes the greatest or the least duration. The clock shows
// none that are so far apart. So the difference of symbolic readings is that of their
// expressions, without a case for each end of the range; a word that may be anything is made
// concrete.
func subMono(c *exec.Call) {
	m, g := c.Machine, c.Goroutine
	t, u := int64(c.Window[0].N), int64(c.Window[1].N)
	x, y := symbolic.Operand{Word: c.Window[0], Sym: c.Shadow(0)}, symbolic.Operand{Word: c.Window[1], Sym: c.Shadow(1)}
	c.SetShadow(0, expr.None)
	if x.Sym != expr.None || y.Sym != expr.None {
		small := func(x symbolic.Operand) bool {
			least, greatest := m.Arena.SignedBounds(x.Expr(m.Arena, code.Int64))
			return least >= -1<<62 && greatest < 1<<62
		}
		if small(x) && small(y) {
			c.SetShadow(0, symbolic.UnlessConst(m.Arena, m.Arena.Sub(x.Expr(m.Arena, code.Int64), y.Expr(m.Arena, code.Int64))))
		} else {
			for _, o := range [...]symbolic.Operand{x, y} {
				if o.Sym != expr.None {
					m.ConcretizeWord(g, o.Word, code.Int64, o.Sym)
				}
			}
		}
	}
	d := t - u
	switch {
	case d < 0 && t > u:
		d = math.MaxInt64
	case d > 0 && t < u:
		d = math.MinInt64
	}
	c.Set(0, uint64(d))
}

// setReading makes r result word i, where from is what a reading of the time 0 gives.
func setReading(c *exec.Call, i int, r race.Reading, from int64) {
	c.Set(i, uint64(r.Value+from))
	c.SetShadow(i, expr.None)
	if a := c.Machine.Arena; r.Time != expr.None {
		c.SetShadow(i, a.Add(r.Time, a.Const(uint64(from), 64)))
	}
}

// duration returns the duration that is argument word i. It stays symbolic if readings of the
// clock are all that it depends on; whether it is positive is a branch then. Any other one is
// made concrete.
func duration(c *exec.Call, i int) symbolic.Operand {
	m, g := c.Machine, c.Goroutine
	d := symbolic.Operand{Word: c.Window[i], Sym: c.Shadow(i)}
	if d.Sym == expr.None {
		return d
	}
	if g.Bubble != nil || !clock.OnlyReadings(&m.State, d.Sym) {
		m.ConcretizeWord(g, d.Word, code.Int64, d.Sym)
		return symbolic.Operand{Word: d.Word}
	}
	m.Branch(g, m.Arena.Sle(d.Sym, m.Arena.Const(0, 64)), int64(d.N) <= 0)
	return d
}

// wake returns the transition of a goroutine that sleeps outside of bubbles.
func wake(c *exec.Call) run.Transition {
	return run.Transition{
		Op: schedule.Sleep, Object: run.ClockObject, Partner: -1, State: c.Goroutine.When - c.Machine.Now,
		Enabled: clock.CanWake(&c.Machine.State, c.Goroutine),
	}
}

// wakeUp ends the sleep of the goroutine.
func wakeUp(c *exec.Call) {
	if c.Goroutine.Late {
		c.Machine.Late++
	}
	g := c.Goroutine
	g.Clock.Readings, g.Wakes, g.Held = g.Clock.Readings.Join(g.Wakes), nil, false
	c.Machine.Record(g, run.Event{Op: schedule.Sleep, Object: clockOf(g)})
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

// startTimer starts the timer of the first argument. The others are the duration after which
// it fires for the first time, and the period.
func startTimer(c *exec.Call) {
	m, g := c.Machine, c.Goroutine
	d := duration(c, 1)
	period := c.Int(2)
	if sym := c.Shadow(2); sym != expr.None {
		m.ConcretizeWord(g, c.Window[2], code.Int64, sym)
	}
	l := c.CellAt(0)
	t := state.Timer{
		Cell:    l,
		Bubble:  l.Object.Cells[l.Offset+state.TimerBubble].P,
		Period:  period,
		Late:    m.Returned(),
		Creator: g.ID,
		Alt:     run.AltOfTimer(g.Slot, g.Timers),

		OfInitialiser: m.ForInitialiser(g),
	}
	var readings *race.Readings
	if t.Bubble != nil {
		t.When = state.Later(state.BubbleTime(t.Bubble), max(int64(d.N), 0))
	} else {
		t.When, readings = clock.DueAfter(&m.State, g, d)
		t.Setting, t.Held = g.Timers, clock.HoldsBack(&m.State, g, t.When, readings)
		t.Wait = max(int64(d.N), 0)
		if d.Sym != expr.None {
			t.Wait = state.Never
		}
		t.Left = t.Wait
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
	} else if !asyncChan(m) && !state.IsTimerChan(ch) {
		m.Heap.Dirty(ch, state.ChanCap, 1)
		ch.Cells[state.ChanCap].P = l.Object
	}
	recordTimerSet(c)
	t.Clock.Assign(&g.Clock)
	t.Clock.Of = run.Holder{Kind: run.TimerHolder, Object: run.ObjectID{Goroutine: t.Creator}, Index: run.Decision{Alt: t.Alt}.Timer()}
	m.Races.NoteReplaced(&t.Clock, &g.Clock)
	t.Clock.Readings = readings
	g.Tick()
	reach.ForgetTimers(&m.State)
	m.AddTimer(t)
	m.SetMulti(true)
	if t.Bubble != nil && t.When <= state.BubbleTime(t.Bubble) && m.WaitingSince(t.Channel(), false) == 0 {
		clock.Fire(&m.State, t.Alt, nil, 0, nil)
	}
}

// asyncChan reports whether the channels of timers are what they were before Go 1.23: they
// have a buffer that a program can notice, and stopping a timer does not empty it.
func asyncChan(m *exec.Interpreter) bool {
	setting := m.Godebug["asynctimerchan"]
	return setting != "" && setting != "0"
}

// stopTimer stops the timer of the first argument. It reports whether the timer was
// active: it had not fired yet, or its value was still in its channel.
func stopTimer(c *exec.Call) bool {
	m, cell := c.Machine, c.CellAt(0)
	active := false
	if i := slices.IndexFunc(m.Timers, func(t *state.Timer) bool { return t.Cell == cell }); i >= 0 {
		m.RemoveTimer(i)
		active = true
	}
	t := state.Timer{Cell: cell}
	if ch := t.Channel(); state.IsTimerChan(ch) && ch.Cells[state.ChanCount].N > 0 && !m.HasDelivered(ch) {
		m.Heap.Dirty(ch, state.ChanCount, 1)
		ch.Cells[state.ChanCount].N = 0
		active = true
	}
	return active
}
