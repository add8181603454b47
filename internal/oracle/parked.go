package oracle

// Where goroutines wait. In general nobody can tell whether a goroutine waits on a channel
// or has not come there yet. But at a quiescent point every goroutine that cannot go on has
// come to where it waits: it is parked in the wait queue of its channel, or of those of its
// select. What comes next on the channel goes to one of the parked, those of the earliest
// quiescent point first, and in one step: no other can come between.

// A waiting is a body that is parked, in a case of its statement.
type waiting struct{ body, alt int }

// park parks the bodies, none of which can go on.
func (x *execution) park(s *state) {
	for b := range s.bodies {
		st := x.at(s, b)
		if st == nil || s.bodies[b].parked > 0 {
			continue
		}
		switch st.Op {
		case Send, Recv, Select, Fired:
			s.bodies[b].parked = uint8(s.time.quiet)
		}
	}
}

// parkedPartners returns the parked bodies of which one is to take part in a communication
// of body b, all of the same quiescent point. For a timer that fires they are those who
// wait for it.
func (x *execution) parkedPartners(s *state, b int, c Case) (list []waiting) {
	if !c.Timer && (x.p.Chans[c.Chan] == NilChan || s.chans[c.Chan].closed.value != 0) {
		return nil
	}
	first := uint8(0)
	for r := range s.bodies {
		st, g := x.at(s, r), &s.bodies[r]
		if r == b || st == nil || g.parked == 0 || g.woken > 0 {
			continue
		}
		for alt, other := range cases(st) {
			if other.Chan != c.Chan || other.Timer != c.Timer || !c.Timer && other.Send == c.Send {
				continue
			}
			if first == 0 || g.parked < first {
				first, list = g.parked, nil
			}
			if g.parked == first {
				list = append(list, waiting{r, alt})
			}
		}
	}
	return list
}

// cases returns the communications of a statement.
func cases(st *Stmt) []Case {
	switch st.Op {
	case Send:
		return []Case{{Send: true, Chan: st.Obj}}
	case Recv:
		return []Case{{Chan: st.Obj}}
	case Fired:
		return []Case{{Timer: true, Chan: st.Obj}}
	case Select:
		return st.Case
	}
	return nil
}

// wake wakes the bodies that are parked on a channel that has been closed: whatever
// happens before they go on, they have been woken by that.
func (x *execution) wake(s *state, ch int) {
	for b := range s.bodies {
		st, g := x.at(s, b), &s.bodies[b]
		if st == nil || g.parked == 0 || st.Op != Select || g.woken > 0 {
			continue
		}
		for alt, c := range st.Case {
			if !c.Timer && c.Chan == ch {
				g.woken = uint8(alt) + 1
			}
		}
	}
}
