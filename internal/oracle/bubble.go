package oracle

import "slices"

// Bubbles of testing/synctest, after its documentation and that of package time. The whole
// program runs in one: what it shares is made there, so that everything blocks durably but a
// mutex. Its time does not run ahead of anybody: the stall is 0.
//
// A bubble is idle when nobody can go on, nothing is due, and no body waits for a mutex. Then
// the body that is in a Settle goes on. If there is none, and the target has not returned, the
// clock moves to when somebody is due next that waits; and if there is nobody, the bubble is
// over.
//
// A timer with a channel counts only as long as somebody waits for it. Otherwise nobody can
// tell when it fires, only that it has: whoever looks at the channel when the timer is due finds
// the value. So it fires at once. One for which bodies are parked when its time comes fires as a
// step of its own, since others that are due then may come first, even if these bodies go on
// otherwise.

// durably reports whether a body that is at st, and cannot go on, is durably blocked.
func durably(st *Stmt) bool {
	switch st.Op {
	case Lock, RLock, WLock:
		return false
	}
	return true
}

// isIdle reports whether the bubble is idle, if there is no step.
func (x *execution) isIdle(s *state) bool {
	for b := range s.bodies {
		if st := x.at(s, b); st != nil && !durably(st) {
			return false
		}
	}
	return true
}

// idleSteps appends the step that a bubble allows in which nobody can go on.
func (x *execution) idleSteps(dst []step, s *state) []step {
	if !x.isIdle(s) {
		return dst
	}
	if b := x.settling(s); b != nobody {
		return append(dst, step{b, 0, nobody, 0})
	}
	if x.at(s, 0) != nil && x.nextInBubble(s) != never {
		return append(dst, step{nobody, altPass, nobody, 0})
	}
	return dst
}

// settling returns the body that is in a Settle, nobody if there is none.
func (x *execution) settling(s *state) int {
	for b := range s.bodies {
		if st := x.at(s, b); st != nil && st.Op == Settle && s.bodies[b].announced {
			return b
		}
	}
	return nobody
}

// beginSettling lets body b begin to wait until the bubble is idle.
func (x *execution) beginSettling(s *state, b int) {
	if x.settling(s) != nobody {
		s.fail(b, "panic: wait already in progress")
		return
	}
	s.bodies[b].announced = true
}

// settled lets body b go on after that. What the others have done was before it.
func (x *execution) settled(s *state, b int) {
	g := &s.bodies[b]
	g.announced = false
	for i := range s.bodies {
		g.clock.join(&s.bodies[i].clock)
	}
	s.time.quiet++
	x.park(s)
}

// nextInBubble is like nextDue. Timers for which nobody waits do not count; the bubble is idle.
func (x *execution) nextInBubble(s *state) int {
	awaited := *s
	awaited.timers = slices.Clone(s.timers)
	for i := range awaited.timers {
		if !x.isAwaited(s, i) {
			awaited.timers[i].due = never
		}
	}
	return awaited.nextDue()
}

// isAwaited reports whether a body is at a statement that waits for a timer.
func (x *execution) isAwaited(s *state, timer int) bool {
	for b := range s.bodies {
		st := x.at(s, b)
		if st == nil {
			continue
		}
		if slices.ContainsFunc(cases(st), func(c Case) bool { return c.Timer && c.Chan == timer }) {
			return true
		}
	}
	return false
}

// fillTimer lets a timer of a bubble fire if its time has come and no parked body waits
// for it.
func (x *execution) fillTimer(s *state, timer int) {
	t := &s.timers[timer]
	for x.p.Bubble && t.due != never && t.due <= s.time.clock && len(x.parkedPartners(s, nobody, Case{Timer: true, Chan: timer})) == 0 {
		t.fire()
	}
}

// bubbleEnd says how the bubble has ended in s, "" if all bodies have.
func (x *execution) bubbleEnd(s *state) string {
	remains := false
	for b := range s.bodies {
		remains = remains || x.at(s, b) != nil
	}
	switch {
	case !remains:
		return ""
	case !x.isIdle(s):
		return Deadlock
	case x.at(s, 0) != nil:
		return BubbleBlocked
	}
	return BubbleRemains
}
