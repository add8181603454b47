package con2colic

import "github.com/everyway-go/everyway/schedule"

// A simulation carries out the operations of a scenario in a given order, as far
// as being blocked is concerned: locks, room in channels, wait groups and
// condition variables. What it looks for is monotone, a count that is too high
// or too low, so that the blocking it returns excludes more orders than the one
// at hand.
type simulation struct {
	t      *events
	linear []int
	state  []groupState // by group
	// wakes holds, for a CondSignal, the goroutine to wake.
	wakes map[nodeID]int32
}

// A groupState is the state of what a group of events is on.
type groupState struct {
	writer, announced bool
	readers           int
	count             int64 // elements in the channel, counter of the wait group
	closed            bool
	waiting           []nodeID // CondWaits not yet signalled
	notified          []int32  // goroutines signalled, not yet awake
}

// run simulates. When an operation is blocked it returns why.
func (s *simulation) run(t *events, linear []int) (p blocking, blocked bool) {
	s.t, s.linear = t, linear
	s.state = s.state[:0]
	for range t.groups {
		s.state = append(s.state, groupState{})
	}
	s.wakes = nil
	for i, id := range linear {
		e := t.list[id]
		if e.partner != 0 {
			// A rendezvous leaves the channel as it was.
			p, blocked = s.meeting(i, e)
		} else {
			p, blocked = s.step(i, e.node)
		}
		if blocked {
			return p, true
		}
	}
	return blocking{}, false
}

// step carries out n, event i of the order.
func (s *simulation) step(i int, n nodeID) (p blocking, blocked bool) {
	f := s.t.v.f
	e := f.at(n)
	if e.op == schedule.SelectDefault {
		return s.selectDefault(i, n)
	}
	if e.loc == 0 || s.t.slots[e.loc] < 0 {
		return blocking{}, false
	}
	g := &s.state[s.t.slots[e.loc]]
	capacity := int64(f.locAt(e.loc).capacity)
	switch e.op {
	case schedule.Lock:
		if g.writer || g.readers > 0 {
			return s.count(i, n, e.loc, isAcquire, isRelease), true
		}
		g.writer = true
	case schedule.RLock:
		if g.writer || g.announced {
			return s.count(i, n, e.loc, isWriteAcquire, isWriteRelease), true
		}
		g.readers++
	case schedule.LockIntent:
		g.announced = true
	case schedule.Unlock:
		if !g.writer {
			return s.count(i, n, e.loc, isWriteRelease, isWriteAcquire), true
		}
		g.writer, g.announced = false, false
	case schedule.RUnlock:
		if g.readers == 0 {
			return s.count(i, n, e.loc, isReadRelease, isReadAcquire), true
		}
		g.readers--
	case schedule.Send:
		if capacity == 0 {
			break
		}
		if capacity > 0 && g.count >= capacity {
			return s.count(i, n, e.loc, isSend, isRecv), true
		}
		g.count++
	case schedule.Recv:
		if capacity != 0 {
			g.count--
		}
	case schedule.Close:
		if g.closed {
			return s.count(i, n, e.loc, isClose, none), true
		}
		g.closed = true
	case schedule.WaitGroupAdd:
		g.count += e.delta
		if g.count < 0 && e.alt != misuse {
			return s.counter(i, n, -1), true
		}
	case schedule.WaitGroupWait:
		if g.count > 0 {
			return s.counter(i, n, +1), true
		}
	case schedule.CondWait:
		g.waiting = append(g.waiting, n)
	case schedule.CondSignal:
		s.signal(i, n, g)
	case schedule.CondWake:
		for k, w := range g.notified {
			if w == e.goroutine {
				g.notified = append(g.notified[:k:k], g.notified[k+1:]...)
				return blocking{}, false
			}
		}
		return s.asleep(i, n), true
	}
	return blocking{}, false
}

// count returns the blocking of n, event i, that is blocked since of the events
// on l too many harmful ones come before it and too many helpful ones after it.
func (s *simulation) count(i int, n nodeID, l locID, harmful, helpful func(schedule.Op) bool) blocking {
	return s.collect(i, n, l, func(m nodeID) int {
		switch op := s.t.v.f.at(m).op; {
		case harmful(op):
			return +1
		case helpful(op):
			return -1
		}
		return 0
	})
}

// counter is count for a wait group whose counter is off to the side of sign.
func (s *simulation) counter(i int, n nodeID, sign int64) blocking {
	return s.collect(i, n, s.t.v.f.at(n).loc, func(m nodeID) int {
		e := s.t.v.f.at(m)
		if e.op != schedule.WaitGroupAdd {
			return 0
		}
		return int(sign * e.delta)
	})
}

// collect returns the blocking of n, event i: events on l of positive weight that
// come before it and of negative weight that come after it.
func (s *simulation) collect(i int, n nodeID, l locID, weight func(nodeID) int) blocking {
	p := blocking{blocked: n, causes: []cause{{node: n}}}
	for k, id := range s.linear {
		e := s.t.list[id]
		for _, m := range [...]nodeID{e.node, e.partner} {
			if m == 0 || m == n || s.t.v.f.at(m).loc != l {
				continue
			}
			switch w := weight(m); {
			case k < i && w > 0:
				p.before = append(p.before, m)
			case k > i && w < 0:
				p.after = append(p.after, m)
			}
		}
	}
	return p
}

// selectDefault checks that no case of the select is ready where its default is
// chosen. A partner that is parked at the other side of a case does not make it
// ready: it may not have got there.
func (s *simulation) selectDefault(i int, n nodeID) (blocking, bool) {
	return s.ready(i, n, n)
}

// ready reports whether a case of the select of n is ready without a partner, but
// for the case except.
func (s *simulation) ready(i int, n, except nodeID) (blocking, bool) {
	f := s.t.v.f
	for c := f.at(f.at(n).parent).first; c != 0; c = f.at(c).sibling {
		e := f.at(c)
		if c == except || !e.selects || e.loc == 0 || s.t.slots[e.loc] < 0 {
			continue
		}
		g := &s.state[s.t.slots[e.loc]]
		capacity := int64(f.locAt(e.loc).capacity)
		switch {
		case g.closed:
			return s.count(i, n, e.loc, isClose, none), true
		case e.op == schedule.Recv && capacity != 0 && g.count > 0:
			return s.count(i, n, e.loc, isSend, isRecv), true
		case e.op == schedule.Send && capacity > 0 && g.count < capacity:
			return s.count(i, n, e.loc, isRecv, isSend), true
		}
	}
	return blocking{}, false
}

// meeting checks that one of the two sides of the rendezvous e can have waited for
// the other: with a default, or another case that is ready, it would have gone on.
func (s *simulation) meeting(i int, e event) (blocking, bool) {
	p := blocking{blocked: e.node}
	for _, n := range [...]nodeID{e.node, e.partner} {
		if s.hasDefault(n) {
			continue // there is no lifting that
		}
		q, ready := s.ready(i, n, n)
		if !ready {
			return blocking{}, false
		}
		p.before, p.after = append(p.before, q.before...), append(p.after, q.after...)
		p.causes = append(p.causes, cause{n, otherCases})
	}
	return p, true
}

// hasDefault reports whether n is a case of a select that has a default too.
func (s *simulation) hasDefault(n nodeID) bool {
	f := s.t.v.f
	if !f.at(n).selects {
		return false
	}
	for c := f.at(f.at(n).parent).first; c != 0; c = f.at(c).sibling {
		if f.at(c).op == schedule.SelectDefault {
			return true
		}
	}
	return false
}

// signal wakes, of the goroutines that wait, the one that goes on first; all, in
// a Broadcast.
func (s *simulation) signal(i int, n nodeID, g *groupState) {
	f := s.t.v.f
	if f.at(n).alt == broadcast {
		for _, w := range g.waiting {
			g.notified = append(g.notified, f.at(w).goroutine)
		}
		g.waiting = nil
		return
	}
	if len(g.waiting) == 0 {
		return
	}
	best, at := 0, len(s.linear)
	for k, w := range g.waiting {
		for j := i + 1; j < at; j++ {
			m := f.at(s.t.list[s.linear[j]].node)
			if m.op == schedule.CondWake && m.goroutine == f.at(w).goroutine {
				best, at = k, j
			}
		}
	}
	w := f.at(g.waiting[best]).goroutine
	g.waiting = append(g.waiting[:best:best], g.waiting[best+1:]...)
	g.notified = append(g.notified, w)
	if s.wakes == nil {
		s.wakes = map[nodeID]int32{}
	}
	s.wakes[n] = w
}

// asleep returns the blocking of the CondWake n, event i, that no signal has
// woken: a signal would have to come between the CondWait and it, or another
// goroutine would have to start to wait later than a signal there.
func (s *simulation) asleep(i int, n nodeID) blocking {
	f := s.t.v.f
	p := blocking{blocked: n, causes: []cause{{node: n}}}
	own := f.at(n)
	wait := own.parent
	for f.at(wait).op != schedule.CondWait || f.at(wait).loc != own.loc {
		wait = f.at(wait).parent
	}
	waitAt := 0
	for k, id := range s.linear {
		if s.t.list[id].node == wait {
			waitAt = k
		}
	}
	for k, id := range s.linear {
		m := s.t.list[id].node
		e := f.at(m)
		if e.loc != own.loc {
			continue
		}
		switch e.op {
		case schedule.CondSignal:
			if k < waitAt {
				p.flips = append(p.flips, pair{m, wait})
			} else if k > i {
				p.after = append(p.after, m)
			}
		case schedule.CondWait:
			for j := k + 1; j < i && m != wait; j++ {
				q := s.t.list[s.linear[j]].node
				if f.at(q).op == schedule.CondSignal && f.at(q).loc == own.loc && j > waitAt {
					p.flips = append(p.flips, pair{m, q})
				}
			}
		}
	}
	return p
}

func isWriteAcquire(op schedule.Op) bool { return op == schedule.Lock || op == schedule.LockIntent }

func isWriteRelease(op schedule.Op) bool { return op == schedule.Unlock }

func isReadAcquire(op schedule.Op) bool { return op == schedule.RLock }

func isReadRelease(op schedule.Op) bool { return op == schedule.RUnlock }

func isSend(op schedule.Op) bool { return op == schedule.Send }

func isClose(op schedule.Op) bool { return op == schedule.Close }

func isRecv(op schedule.Op) bool { return op == schedule.Recv }

func none(schedule.Op) bool { return false }
