package oracle

// Subtests, after package testing. The target runs one after the other: each is a body, which it
// waits for until that is done or says that it is parallel. Parallel ones go on together when the
// function of the target is done, and what is to be cleaned up after the target is when they are,
// too.

// subtestGoesOn reports whether body b can go on at a statement about subtests.
func (x *execution) subtestGoesOn(s *state, b int, st *Stmt) bool {
	g := &s.bodies[b]
	switch {
	case st.Op == await:
		for i := range s.bodies {
			if s.bodies[i].parallel && x.at(s, i) != nil {
				return false
			}
		}
		return true
	case !g.announced:
		return true
	case st.Op == Parallel:
		return s.released
	}
	return s.bodies[st.Obj].parallel || x.at(s, st.Obj) == nil
}

// doSubtest carries out a step of body b at a statement about subtests. It returns false if that goes on.
func (x *execution) doSubtest(s *state, b int, st *Stmt) bool {
	g := &s.bodies[b]
	switch st.Op {
	case release:
		s.released = true
		return true
	case await:
		for i := range s.bodies {
			if s.bodies[i].parallel {
				g.clock.join(&s.bodies[i].clock)
			}
		}
		return true
	}
	g.announced = !g.announced
	switch {
	case st.Op == RunSub && g.announced:
		x.spawn(s, b, st.Obj)
	case st.Op == RunSub:
		g.clock.join(&s.bodies[st.Obj].clock)
	case g.announced:
		g.parallel = true
	default: // the target waits until it is done, and so has the clock that it had then
		g.clock.join(&s.bodies[0].clock)
	}
	return !g.announced
}
