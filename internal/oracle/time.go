package oracle

// Time. The clock stands at some tick; a unit of a program is several ticks, so that
// readings can lie between due times.
//
// A point at which no goroutine can go on and no timer is due is quiescent: then the clock
// moves to the next due time, from which the next busy period begins. The clock can be up
// to Stall ticks ahead of the begin of its busy period, and may move so far at any moment.
// A timer or sleeper is due, which makes it a step among the others, if the clock can have
// reached its time; when it goes on the clock is not before that.

// Unit is the number of ticks of a unit of time: more than there are readings of the clock.
const Unit = 6

// never is a due time that does not come.
const never = -1

// A timeState is where the time of a run stands.
type timeState struct {
	clock int // the time, in ticks
	from  int // when the busy period began
	start int // the reading from which Since measures
	quiet int // quiescent points so far
}

// A timerState is that of a timer with a channel.
type timerState struct {
	due   int  // never if it is not active
	full  bool // it has fired, and nobody has received
	clock clock
}

// Alternatives of steps of nobody: timers fire with their index.
const (
	altTick  = -1 // the clock moves by a tick
	altPass  = -2 // the clock moves to the next due time, at a quiescent point
	altStart = 64 // plus a body: time.AfterFunc starts it
)

// isDue reports whether a time can have come.
func (s *state) isDue(due int, p *Program) bool {
	return due != never && due <= s.time.from+p.Stall
}

// timeSteps appends the steps of the clock and of timers to those of the bodies.
func (x *execution) timeSteps(dst []step, s *state) []step {
	for i := range s.timers {
		if !s.isDue(s.timers[i].due, x.p) {
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
		if g := &s.bodies[b]; g.pc == notStarted && s.isDue(g.due, x.p) {
			dst = append(dst, step{nobody, altStart + b, nobody, 0})
		}
	}
	switch {
	case len(dst) == 0:
		if s.nextDue() != never {
			dst = append(dst, step{nobody, altPass, nobody, 0})
		}
	case s.time.clock < s.time.from+x.p.Stall && x.looks(s):
		dst = append(dst, step{nobody, altTick, nobody, 0})
	}
	return dst
}

// looks reports whether a body is about to look at the clock: else nobody notices if it moves.
func (x *execution) looks(s *state) bool {
	for b := range s.bodies {
		st := x.at(s, b)
		if st == nil {
			continue
		}
		switch st.Op {
		case Sleep:
			if s.bodies[b].due == never {
				return true
			}
		case After, Reset, Now, Since:
			return true
		}
	}
	return false
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
		add(s.timers[i].due)
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
		s.time.clock++
	case t.alt == altPass:
		s.time.from = s.nextDue()
		s.time.clock = s.time.from
		s.time.quiet++
		if x.p.Parks {
			x.park(s)
		}
	case t.alt >= altStart:
		g := &s.bodies[t.alt-altStart]
		s.time.clock = max(s.time.clock, g.due)
		g.due = never
		g.pc = 0
		x.settle(s, t.alt-altStart)
	default:
		timer := &s.timers[t.alt]
		s.time.clock = max(s.time.clock, timer.due)
		timer.due, timer.full = never, true
		if t.partner == nobody {
			return
		}
		g := &s.bodies[t.partner]
		g.clock[t.partner]++
		st := x.at(s, t.partner)
		if st.Op == Select {
			s.receiveTime(t.partner, t.alt, st.Case[t.partnerAlt].Dst)
			g.locals[st.Dst] = t.partnerAlt
		} else {
			s.receiveTime(t.partner, t.alt, st.Dst)
		}
		x.advance(s, t.partner, st)
	}
}

// receiveTime lets body b receive from a timer.
func (s *state) receiveTime(b, timer, dst int) {
	s.timers[timer].full = false
	s.bodies[b].clock.join(&s.timers[timer].clock)
	s.bodies[b].locals[dst] = 1
}

// timed carries out a statement about time.
func (x *execution) timed(s *state, b int, st *Stmt) {
	g := &s.bodies[b]
	switch st.Op {
	case After:
		child := &s.bodies[st.Obj]
		child.due = s.time.clock + st.X.Const*Unit
		child.clock = g.clock
		child.clock[st.Obj]++
	case Reset, Stop:
		timer := &s.timers[st.Obj]
		// A value that nobody has received is as if the timer had not fired.
		g.locals[st.Dst] = int(flag(timer.due != never || timer.full))
		timer.due, timer.full = never, false
		if st.Op == Reset {
			timer.due = s.time.clock + st.X.Const*Unit
			timer.clock = g.clock
		}
	case Now:
		s.time.start = s.time.clock
	case Since:
		g.locals[st.Dst] = int(flag(s.time.clock-s.time.start > st.X.Const*Unit))
	}
}
