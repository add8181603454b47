package oracle

import (
	"slices"
	"time"
)

// Time. The clock stands at some tick; a unit of a program is several ticks, so that
// readings can lie between due times.
//
// A point at which no goroutine can go on and no timer is due is quiescent: then the clock
// moves to the next due time, from which the next busy period begins. The clock can be up
// to Stall ticks ahead of the begin of its busy period. A timer or sleeper can go on, as a
// step among the others, if the clock can have reached its time; it is early if the clock
// stands before that. When it goes on the clock is not before that.
//
// Who reads the clock may see more than that, since code takes time: at most Stall ticks after
// the begin of the busy period, and more than has been seen before. Neither may a duration
// seem shorter than it is. A timer that was set so late, according to what has been seen, that
// its end cannot be seen in this busy period is not due in it.

// Unit is the number of ticks of a unit of time: more than there are readings of the clock.
const Unit = 6

// StallOf returns the settings' stall of programs with the given one. It is a quarter of a tick
// more, since sleeps and timers take a nanosecond more than asked for, which is not counted here.
func StallOf(ticks int) time.Duration {
	if ticks == 0 {
		return 0
	}
	return time.Duration(4*ticks+1) * time.Millisecond / (4 * Unit)
}

// never is a due time that does not come.
const never = -1

// A timeState is where the time of a run stands.
type timeState struct {
	clock int // the time, in ticks
	seen  int // the least that who reads the clock sees
	from  int // when the busy period began
	start int // the reading from which Since measures
	quiet int // quiescent points so far
}

// A timerState is that of a timer with a channel.
type timerState struct {
	due    int  // never if it is not active
	seen   int  // what who reads the clock sees then
	full   bool // it has fired, and nobody has received
	period int  // of a ticker, in ticks
	// looked is the latest time at which somebody can have found nothing there, at the earliest.
	looked  uint8
	awaited bool // somebody may have waited for it
	// Who has set it knows how long that is ago, at least.
	by    int // body that has set it last
	turn  int // how many of its timers that had set before
	units int // for which it was set
	left  int // of these, when that body has waited
	clock clock
}

// Alternatives of steps of nobody: timers fire with their index.
const (
	altTick  = -1 // what is seen of the clock moves by a tick
	altPass  = -2 // the clock moves to the next due time, at a quiescent point
	altStart = 64 // plus a body: time.AfterFunc starts it
)

// isDue reports whether a time can have come, and one that has been seen.
func (s *state) isDue(due, seen int, p *Program) bool {
	last := s.time.from + p.Stall
	return due != never && due <= last && (seen <= last || due <= s.time.from)
}

// reach moves the clock to a time that has come for who has the vector clock c.
func (s *state) reach(c *clock, due, seen int) {
	s.time.clock = max(s.time.clock, due)
	s.time.seen = max(s.time.seen, s.time.clock, seen)
	if due > s.time.from {
		c[early] = max(c[early], uint8(due))
	}
}

// after returns when some units of time have passed since a step of who has the vector clock c:
// on the clock, where the step was made as early as possible, and as it is seen.
func (s *state) after(c *clock, units int) (due, seen int) {
	return max(s.time.from, int(c[early])) + units*Unit, s.time.seen + units*Unit
}

// timeSteps appends the steps of the clock and of timers to those of the bodies.
func (x *execution) timeSteps(dst []step, s *state) []step {
	for i := range s.timers {
		if t := &s.timers[i]; !s.isDue(t.due, t.seen, x.p) {
			continue
		}
		partners := x.parkedPartners(s, nobody, Case{Timer: true, Chan: i})
		for _, t := range partners {
			dst = append(dst, step{nobody, i, t.body, t.alt})
		}
		if len(partners) == 0 {
			dst = append(dst, step{nobody, i, nobody, 0})
		}
	}
	for b := range s.bodies {
		if g := &s.bodies[b]; g.pc == notStarted && s.isDue(g.due, g.seen, x.p) {
			dst = append(dst, step{nobody, altStart + b, nobody, 0})
		}
	}
	quiet := !slices.ContainsFunc(dst, func(t step) bool { return !s.isEarly(t) })
	switch {
	case x.p.Bubble:
		if quiet {
			dst = x.idleSteps(dst, s)
		}
	case quiet:
		if s.nextDue() != never {
			dst = append(dst, step{nobody, altPass, nobody, 0})
		}
	case s.time.seen < s.time.from+x.p.Stall && x.looks(s):
		dst = append(dst, step{nobody, altTick, nobody, 0})
	}
	return dst
}

// isEarly reports whether a timer that fires, or a sleeper that wakes, is early.
func (s *state) isEarly(t step) bool {
	switch {
	case t.body != nobody:
		return s.bodies[t.body].due > s.time.clock
	case t.alt >= altFinalize:
		return false
	case t.alt >= altStart:
		return s.bodies[t.alt-altStart].due > s.time.clock
	}
	return s.timers[t.alt].due > s.time.clock
}

// looks reports whether a body is about to read the clock: else nobody notices if it moves.
func (x *execution) looks(s *state) bool {
	for b := range s.bodies {
		st := x.at(s, b)
		if st == nil {
			continue
		}
		if st.Op == Now || st.Op == Since {
			return true
		}
	}
	return false
}

// passed reports whether more than some units have passed if so many ticks have between two
// readings: the second is later than the first, by less than a tick.
func (p *Program) passed(ticks, units int) bool {
	return ticks > units*Unit || units == 0 && p.Stall > 0 && !p.Bubble
}

// nextDue returns when something is due next, never if nothing is.
func (s *state) nextDue() int {
	next := never
	add := func(due int) {
		if due != never && (next == never || due < next) {
			next = due
		}
	}
	for i := range s.timers {
		if t := &s.timers[i]; t.period == 0 || !t.full {
			add(t.due) // else nobody can notice
		}
	}
	for i := range s.bodies {
		add(s.bodies[i].due)
	}
	return next
}

// passTime carries out a step of nobody.
func (x *execution) passTime(s *state, t step) {
	switch {
	case t.alt == altTick:
		s.time.seen++
	case t.alt == altPass:
		next := s.nextDue()
		if x.p.Bubble {
			next = x.nextInBubble(s)
		}
		s.time.clock = max(s.time.clock, next)
		s.time.seen = max(s.time.seen, s.time.clock)
		x.findAlone(s)
		s.time.from = s.time.clock
		s.time.quiet++
		if x.p.Parks {
			x.park(s)
		}
		for i := range s.timers {
			if t := &s.timers[i]; t.full && t.due != never {
				for t.due < s.time.clock {
					t.due, t.seen = t.due+t.period, t.seen+t.period
				}
			}
		}
		for i := range s.timers {
			x.fillTimer(s, i)
		}
	case t.alt >= altStart:
		g := &s.bodies[t.alt-altStart]
		s.reach(&g.clock, g.due, g.seen)
		g.due = never
		g.pc = 0
		x.settle(s, t.alt-altStart)
	default:
		timer := &s.timers[t.alt]
		s.reach(&timer.clock, timer.due, timer.seen)
		timer.change(&timer.clock)
		timer.fire()
		if t.partner == nobody {
			return
		}
		g := &s.bodies[t.partner]
		g.clock[t.partner]++
		st := x.at(s, t.partner)
		s.await(st)
		if st.Op == Select {
			s.receiveTime(t.partner, t.alt, st.Case[t.partnerAlt].Dst)
			g.locals[st.Dst] = t.partnerAlt
		} else {
			s.receiveTime(t.partner, t.alt, st.Dst)
		}
		x.advance(s, t.partner, st)
	}
}

// fire fills the channel of a timer, if that is empty.
func (t *timerState) fire() {
	t.full = true
	if t.period > 0 {
		t.due, t.seen = t.due+t.period, t.seen+t.period
	} else {
		t.due = never
	}
}

// findAlone notes that a body is alone, when time passes.
func (x *execution) findAlone(s *state) {
	only := nobody
	for b := range s.bodies {
		if x.at(s, b) == nil && s.bodies[b].due == never {
			continue
		}
		if only != nobody {
			return
		}
		only = b
	}
	if only != nobody && x.at(s, only) != nil {
		s.bodies[only].alone = true
	}
}

// await notes that a body has come to a statement at which it may have waited for timers.
func (s *state) await(st *Stmt) {
	for _, c := range cases(st) {
		if c.Timer && !st.Default {
			s.timers[c.Chan].awaited = true
		}
	}
}

// change notes that who has the vector clock c changes what is to be found at t: that is no earlier
// than what was done to t before.
func (t *timerState) change(c *clock) {
	c[early] = max(c[early], t.clock[early], t.looked)
	t.clock[early] = c[early]
}

// look notes that who has the vector clock c has found nothing at t.
func (t *timerState) look(c *clock) {
	c[early] = max(c[early], t.clock[early])
	t.looked = max(t.looked, c[early])
}

// receiveTime lets body b receive from a timer.
func (s *state) receiveTime(b, timer, dst int) {
	of := &s.timers[timer]
	of.full = false
	s.bodies[b].clock.join(&of.clock)
	of.change(&s.bodies[b].clock)
	for i := range s.timers { // those that were set before
		if t := &s.timers[i]; of.by == b && t.by == b && t.turn < of.turn {
			t.left = min(t.left, max(t.units-of.units, 0))
		}
	}
	s.bodies[b].locals[dst] = 1
}

// timed carries out a statement about time.
func (x *execution) timed(s *state, b int, st *Stmt) {
	g := &s.bodies[b]
	switch st.Op {
	case After:
		g.alone = false
		child := &s.bodies[st.Obj]
		child.due, child.seen = s.after(&g.clock, st.X.Const)
		child.clock = g.clock
		child.clock[st.Obj]++
	case Reset, Stop:
		timer := &s.timers[st.Obj]
		// Nobody synchronises with a timer by setting or stopping it. But what follows is no earlier than
		// what was done to the timer before, also where that was to fire.
		timer.change(&g.clock)
		// A value that nobody has received is as if the timer had not fired.
		if !x.p.Ticks(st.Obj) {
			g.locals[st.Dst] = int(flag(timer.due != never || timer.full))
		}
		timer.due, timer.full = never, false
		if st.Op == Reset {
			timer.due, timer.seen = s.after(&g.clock, st.X.Const)
			if x.p.Ticks(st.Obj) {
				timer.period = st.X.Const * Unit
			}
			timer.clock = g.clock
			turn := 0
			for i := range s.timers {
				if t := &s.timers[i]; t.by == b {
					turn = max(turn, t.turn+1)
				}
			}
			timer.by, timer.turn, timer.units, timer.left = b, turn, st.X.Const, st.X.Const
			x.fillTimer(s, st.Obj)
		}
	case StopCall, ResetCall:
		g.locals[st.Dst] = 0
		next := nobody
		for b := st.Obj + 1; b >= st.Obj; b-- {
			if call := &s.bodies[b]; call.pc == notStarted {
				next = b
				if call.due != never {
					g.locals[st.Dst] = 1
					call.due = never
				}
			}
		}
		if st.Op == ResetCall {
			child := &s.bodies[next]
			child.due, child.seen = s.after(&g.clock, st.X.Const)
			child.clock = g.clock
			child.clock[next]++
		}
	case Now:
		s.time.start = s.time.seen
	case Since:
		g.locals[st.Dst] = int(flag(x.p.passed(s.time.seen-s.time.start, st.X.Const)))
	}
}
