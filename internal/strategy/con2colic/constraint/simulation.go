package constraint

import (
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// A simulation carries out the operations of a scenario in a given order, as far as blocking
// is concerned: the state of locks, channels, wait groups and condition variables. An
// operation is blocked because some count is too high or too low, so that the Blocking that
// is returned excludes many orders at once.
type simulation struct {
	t      *events
	linear []int
	state  []groupState            // by group
	wakes  map[forest.NodeID]int32 // by CondSignal, the goroutine to wake
}

// A groupState is the state of the location of a group.
type groupState struct {
	writer, announced bool
	readers           int
	count             int64 // elements in the channel, counter of the wait group
	closed            bool
	waiting           []forest.NodeID // CondWaits that have not been signalled
	notified          []int32         // goroutines that have been signalled and are not awake
}

// run simulates the events in the order linear. It returns why the first operation that is
// blocked is.
func (s *simulation) run(t *events, linear []int) (b Blocking, blocked bool) {
	s.t, s.linear = t, linear
	s.state = s.state[:0]
	for range t.groups {
		s.state = append(s.state, groupState{})
	}
	s.wakes = nil
	for i, id := range linear {
		e := t.list[id]
		if e.Partner != 0 {
			// A rendezvous leaves the channel as it was.
			b, blocked = s.meeting(i, e)
		} else {
			b, blocked = s.step(i, e.Node)
		}
		if blocked {
			return b, true
		}
	}
	return Blocking{}, false
}

// step carries out n, event i.
func (s *simulation) step(i int, n forest.NodeID) (b Blocking, blocked bool) {
	f := s.t.v.f
	e := f.At(n)
	if e.Op == schedule.SelectDefault {
		return s.ready(i, n)
	}
	if e.Loc == 0 || s.t.groupOf[e.Loc] < 0 {
		return Blocking{}, false
	}
	g := &s.state[s.t.groupOf[e.Loc]]
	capacity := int64(f.Location(e.Loc).Capacity)
	switch e.Op {
	case schedule.Lock:
		if g.writer || g.readers > 0 {
			return s.count(i, n, e.Loc, forest.IsAcquire, forest.IsRelease), true
		}
		g.writer = true
	case schedule.RLock:
		if g.writer || g.announced {
			return s.count(i, n, e.Loc, isWriteAcquire, isWriteRelease), true
		}
		g.readers++
	case schedule.LockIntent:
		g.announced = true
	case schedule.Unlock:
		if !g.writer {
			return s.count(i, n, e.Loc, isWriteRelease, isWriteAcquire), true
		}
		g.writer, g.announced = false, false
	case schedule.RUnlock:
		if g.readers == 0 {
			return s.count(i, n, e.Loc, isReadRelease, isReadAcquire), true
		}
		g.readers--
	case schedule.Send:
		if capacity == 0 {
			break
		}
		if capacity > 0 && g.count >= capacity {
			return s.count(i, n, e.Loc, isSend, isRecv), true
		}
		g.count++
	case schedule.Recv:
		if capacity != 0 {
			g.count--
		}
	case schedule.Close:
		if g.closed {
			return s.count(i, n, e.Loc, isClose, none), true
		}
		g.closed = true
	case schedule.WaitGroupAdd:
		g.count += e.Delta
		if g.count < 0 && e.Alt != forest.Misuse {
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
			if w == e.Goroutine {
				g.notified = append(g.notified[:k:k], g.notified[k+1:]...)
				return Blocking{}, false
			}
		}
		return s.asleep(i, n), true
	}
	return Blocking{}, false
}

// count returns why n, event i, is blocked: too many of the harmful events on l come before it
// and too many of the helpful ones after it.
func (s *simulation) count(i int, n forest.NodeID, l forest.LocID, harmful, helpful func(schedule.Op) bool) Blocking {
	return s.collect(i, n, l, func(m forest.NodeID) int {
		switch op := s.t.v.f.At(m).Op; {
		case harmful(op):
			return +1
		case helpful(op):
			return -1
		}
		return 0
	})
}

// counter is count for a wait group: its counter is too high if sign is +1, too low if it is
// -1.
func (s *simulation) counter(i int, n forest.NodeID, sign int64) Blocking {
	return s.collect(i, n, s.t.v.f.At(n).Loc, func(m forest.NodeID) int {
		e := s.t.v.f.At(m)
		if e.Op != schedule.WaitGroupAdd {
			return 0
		}
		return int(sign * e.Delta)
	})
}

// collect returns why n, event i, is blocked: the events on l of positive weight before it and
// those of negative weight after it.
func (s *simulation) collect(i int, n forest.NodeID, l forest.LocID, weight func(forest.NodeID) int) Blocking {
	p := Blocking{Blocked: n, Causes: []forest.Cause{{Node: n}}}
	for k, id := range s.linear {
		e := s.t.list[id]
		for _, m := range [...]forest.NodeID{e.Node, e.Partner} {
			if m == 0 || m == n || s.t.v.f.At(m).Loc != l {
				continue
			}
			switch w := weight(m); {
			case k < i && w > 0:
				p.Before = append(p.Before, m)
			case k > i && w < 0:
				p.After = append(p.After, m)
			}
		}
	}
	return p
}

// ready reports whether a case of the select of n, event i, is ready apart from n. Partners do
// not count: a goroutine that waits at the other side of a case may not have got there.
func (s *simulation) ready(i int, n forest.NodeID) (Blocking, bool) {
	f := s.t.v.f
	for c := f.At(f.At(n).Parent).FirstChild; c != 0; c = f.At(c).NextSibling {
		e := f.At(c)
		if c == n || !e.Select || e.Loc == 0 || s.t.groupOf[e.Loc] < 0 {
			continue
		}
		g := &s.state[s.t.groupOf[e.Loc]]
		capacity := int64(f.Location(e.Loc).Capacity)
		switch {
		case g.closed:
			return s.count(i, n, e.Loc, isClose, none), true
		case e.Op == schedule.Recv && capacity != 0 && g.count > 0:
			return s.count(i, n, e.Loc, isSend, isRecv), true
		case e.Op == schedule.Send && capacity > 0 && g.count < capacity:
			return s.count(i, n, e.Loc, isRecv, isSend), true
		}
	}
	return Blocking{}, false
}

// meeting carries out the rendezvous e, event i. It is blocked if neither of its sides can have
// waited for the other, since each is in a select with a default or another case that is
// ready.
func (s *simulation) meeting(i int, e Event) (Blocking, bool) {
	p := Blocking{Blocked: e.Node}
	for _, n := range [...]forest.NodeID{e.Node, e.Partner} {
		if s.hasDefault(n) {
			continue // no extension changes that
		}
		q, ready := s.ready(i, n)
		if !ready {
			return Blocking{}, false
		}
		p.Before, p.After = append(p.Before, q.Before...), append(p.After, q.After...)
		p.Causes = append(p.Causes, forest.Cause{Node: n, Part: forest.OtherCases})
	}
	return p, true
}

// hasDefault reports whether n is a case of a select that has a default too.
func (s *simulation) hasDefault(n forest.NodeID) bool {
	f := s.t.v.f
	if !f.At(n).Select {
		return false
	}
	for c := f.At(f.At(n).Parent).FirstChild; c != 0; c = f.At(c).NextSibling {
		if f.At(c).Op == schedule.SelectDefault {
			return true
		}
	}
	return false
}

// signal carries out the CondSignal n, event i: it wakes the waiting goroutine that resumes
// first, or all of them if it is a Broadcast.
func (s *simulation) signal(i int, n forest.NodeID, g *groupState) {
	f := s.t.v.f
	if f.At(n).Alt == forest.Broadcast {
		for _, w := range g.waiting {
			g.notified = append(g.notified, f.At(w).Goroutine)
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
			m := f.At(s.t.list[s.linear[j]].Node)
			if m.Op == schedule.CondWake && m.Goroutine == f.At(w).Goroutine {
				best, at = k, j
			}
		}
	}
	w := f.At(g.waiting[best]).Goroutine
	g.waiting = append(g.waiting[:best:best], g.waiting[best+1:]...)
	g.notified = append(g.notified, w)
	if s.wakes == nil {
		s.wakes = map[forest.NodeID]int32{}
	}
	s.wakes[n] = w
}

// asleep returns why the CondWake n, event i, is blocked, which no signal has woken: a signal
// would have to come between the CondWait and it, or another goroutine would have to begin
// to wait after a signal there.
func (s *simulation) asleep(i int, n forest.NodeID) Blocking {
	f := s.t.v.f
	p := Blocking{Blocked: n, Causes: []forest.Cause{{Node: n}}}
	own := f.At(n)
	wait := own.Parent
	for f.At(wait).Op != schedule.CondWait || f.At(wait).Loc != own.Loc {
		wait = f.At(wait).Parent
	}
	waitAt := 0
	for k, id := range s.linear {
		if s.t.list[id].Node == wait {
			waitAt = k
		}
	}
	for k, id := range s.linear {
		m := s.t.list[id].Node
		e := f.At(m)
		if e.Loc != own.Loc {
			continue
		}
		switch e.Op {
		case schedule.CondSignal:
			if k < waitAt {
				p.flips = append(p.flips, pair{m, wait})
			} else if k > i {
				p.After = append(p.After, m)
			}
		case schedule.CondWait:
			for j := k + 1; j < i && m != wait; j++ {
				q := s.t.list[s.linear[j]].Node
				if f.At(q).Op == schedule.CondSignal && f.At(q).Loc == own.Loc && j > waitAt {
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
