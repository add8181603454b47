package oracle

// Contexts, after package context of the toolchain. A context is cancelled in steps that others can
// tell apart: it closes its channel first and then, while it has its lock, cancels one child after
// the other, in any order, each with all below it. Then it lets go of the lock, and leaves its
// parent. So whoever finds a context cancelled may find a child of it that is not, and who makes a
// child meanwhile, asks for the cause or cancels it again waits until all children are cancelled.
//
// What is done between two steps takes a lock for a moment at most, or comes to the same whenever
// it is done. That a context makes its channel when somebody asks for it first orders who asks with
// others, but nobody else can tell when that was: it is as late as it can be, at the communication.
// So there is less order than in other runs that do the same, and a race if there is one in any of
// them. That is not so where time passes, at which all have asked that wait: programs with time
// have no plain variables.

// What the Err and the Cause of a context show. The causes of CancelContext come after these.
const (
	notCancelled = iota
	cancelled
	deadlineExceeded
)

// Done returns the channel of a context: the last ones are those of the contexts.
func (p *Program) Done(context int) int { return len(p.Chans) - len(p.Contexts) + context }

// contextOf returns the context of a channel, and false if it is of none.
func (p *Program) contextOf(ch int) (int, bool) {
	k := ch - p.Done(0)
	return k, k >= 0
}

// ofContext reports whether a channel is that of a context.
func (p *Program) ofContext(ch int) bool {
	_, ok := p.contextOf(ch)
	return ok
}

// A contextState is the state of a context.
type contextState struct {
	err, cause int
	// expires is set on an Expires that has a timer, unless its parent's deadline is before its own.
	expires  bool
	deadline int  // never if there is none
	made     bool // somebody has asked for the channel, or it is closed
	shared   bool // it is the closed channel that all contexts share which are cancelled before somebody asks
	called   bool // Calls: the function has been started, or withdrawn
	walker   int  // the body that cancels the children, and has the lock; nobody if none does
	children set
	// Of the release of the lock, what made the channel, the cancellation, and the start or the
	// withdrawal of the function (races).
	lock, making, erring, calling clock
}

// A walk is a body's way through the children of a context that it cancels.
type walk struct {
	context uint8
	left    set // to be cancelled
}

// The stages of a CancelContext, an Expire or a Withdraw.
const (
	entering uint8 = iota
	walking        // through children
	leaving        // the parent
)

// contextSteps appends the steps of body b at a statement about a context.
func (x *execution) contextSteps(dst []step, s *state, b int, st *Stmt) []step {
	here := step{b, 0, nobody, 0}
	free := func(context int) bool { return context == NoParent || s.contexts[context].walker == nobody }
	g, parent := &s.bodies[b], x.p.Contexts[st.Obj].Parent
	switch {
	case g.stage == walking:
		top := g.walks[len(g.walks)-1]
		for child := range s.contexts {
			if top.left.has(child) && free(child) {
				dst = append(dst, step{b, child, nobody, 0})
			}
		}
	case g.stage == leaving, st.Op == Derive:
		if free(parent) {
			dst = append(dst, here)
		}
	case st.Op == ErrOf, st.Op == Withdraw, st.Op == CauseOf && s.contexts[st.Obj].err == notCancelled:
		dst = append(dst, here)
	case free(st.Obj):
		dst = append(dst, here)
	}
	return dst
}

// useContext carries out a step of body b at a statement about a context. It returns false if that goes on.
func (x *execution) useContext(s *state, b, alt int, st *Stmt) bool {
	g, c := &s.bodies[b], &s.contexts[st.Obj]
	switch {
	case st.Op == Derive:
		x.derive(s, b, st.Obj)
	case st.Op == ErrOf:
		if g.locals[st.Dst] = c.err; c.err != notCancelled {
			g.clock.join(&c.erring)
			g.clock.join(&c.making)
		}
	case st.Op == CauseOf:
		if g.locals[st.Dst] = c.cause; c.err != notCancelled {
			g.clock.join(&c.erring)
			g.clock.join(&c.making)
			c.locked(&g.clock)
		}
	case g.stage == leaving:
		g.stage = entering
		x.leaveParent(s, b, st.Obj)
	case st.Op == Withdraw:
		g.locals[st.Dst] = int(flag(!c.called))
		if c.called {
			g.clock.join(&c.calling)
			return true
		}
		c.called, c.calling = true, g.clock
		g.stage = leaving
		return false
	case g.stage == walking:
		top := &g.walks[len(g.walks)-1]
		top.left &^= 1 << alt
		of := &s.contexts[top.context]
		x.cancelContext(s, b, alt, of.err, of.cause)
		return x.walkOn(s, b, st.Obj)
	default:
		err, cause := cancelled, cancelled
		if st.Op == Expire {
			err, cause = deadlineExceeded, deadlineExceeded
		} else if st.X.Const > 0 {
			cause = deadlineExceeded + st.X.Const
		}
		if !x.cancelContext(s, b, st.Obj, err, cause) && !c.expires {
			return true
		}
		return x.walkOn(s, b, st.Obj)
	}
	return true
}

// locked notes that who has the vector clock c locks the context and unlocks it.
func (of *contextState) locked(c *clock) {
	c.join(&of.lock)
	of.lock = *c
}

// askDone notes that body b asks for the channel of a context.
func (s *state) askDone(b, context int) {
	g, c := &s.bodies[b], &s.contexts[context]
	if !c.made {
		c.made = true
		c.locked(&g.clock)
		c.making = g.clock
	}
	g.clock.join(&c.making)
}

// askAll notes that body b asks for the channels of contexts in a communication.
func (x *execution) askAll(s *state, b int, st *Stmt) {
	for _, c := range cases(st) {
		if context, ok := x.p.contextOf(c.Chan); ok && !c.Timer {
			s.askDone(b, context)
		}
	}
}

// derive lets body b make a context.
func (x *execution) derive(s *state, b, context int) {
	g, c, of := &s.bodies[b], &s.contexts[context], x.p.Contexts[context]
	if of.Parent != NoParent {
		s.askDone(b, of.Parent)
		parent := &s.contexts[of.Parent]
		parent.locked(&g.clock)
		c.deadline = parent.deadline
		if parent.err == notCancelled {
			parent.children |= 1 << context
		} else {
			x.cancelContext(s, b, context, parent.err, parent.cause)
		}
	}
	if of.Kind != Expires {
		return
	}
	due, seen := s.after(&g.clock, of.Units)
	if c.deadline != never && c.deadline < due {
		return
	}
	c.expires, c.deadline = true, due
	c.locked(&g.clock)
	if c.err != notCancelled {
		return
	}
	g.alone = false
	timer := &s.bodies[of.Body]
	timer.due, timer.seen = due, seen
	timer.clock = g.clock
	timer.clock[of.Body]++
}

// cancelContext lets body b cancel a context, up to its children. It returns false if it has been cancelled.
func (x *execution) cancelContext(s *state, b, context, err, cause int) bool {
	g, c := &s.bodies[b], &s.contexts[context]
	c.locked(&g.clock)
	if x.p.Contexts[context].Kind == Calls {
		if c.called {
			g.clock.join(&c.calling)
			return false
		}
		c.called, c.calling = true, g.clock
		x.spawn(s, b, x.p.Contexts[context].Body)
		return true
	}
	if c.err != notCancelled {
		x.stopExpiry(s, context)
		return false
	}
	if c.made {
		g.clock.join(&c.making)
	}
	c.shared = !c.made
	c.err, c.cause, c.made = err, cause, true
	c.lock, c.making, c.erring = g.clock, g.clock, g.clock
	done := &s.chans[x.p.Done(context)]
	done.closed = cell{value: 1, local: 1 << b, clock: g.clock}
	x.wake(s, x.p.Done(context))
	if c.children == 0 {
		x.stopExpiry(s, context)
		return true
	}
	c.walker = b
	g.walks = append(g.walks, walk{uint8(context), c.children})
	return true
}

// walkOn ends the ways of body b through children of which none are left. It returns false if the
// statement, which cancels a context, goes on.
func (x *execution) walkOn(s *state, b, context int) bool {
	g := &s.bodies[b]
	g.stage = walking
	for len(g.walks) > 0 {
		top := g.walks[len(g.walks)-1]
		if top.left != 0 {
			return false
		}
		g.walks = g.walks[:len(g.walks)-1]
		c := &s.contexts[top.context]
		c.walker, c.children, c.lock = nobody, 0, g.clock
		x.stopExpiry(s, int(top.context))
	}
	if x.p.Contexts[context].Parent == NoParent {
		g.stage = entering
		return true
	}
	g.stage = leaving
	return false
}

// leaveParent takes a context from the children of its parent.
func (x *execution) leaveParent(s *state, b, context int) {
	g := &s.bodies[b]
	parent := x.p.Contexts[context].Parent
	if x.p.Contexts[context].Kind == Calls {
		s.contexts[context].locked(&g.clock)
	}
	p := &s.contexts[parent]
	s.askDone(b, parent)
	if !p.shared {
		p.locked(&g.clock)
		p.children &^= 1 << context
	}
	x.stopExpiry(s, context)
}

// stopExpiry stops the timer of a context, if it has one.
func (x *execution) stopExpiry(s *state, context int) {
	if c := &s.contexts[context]; c.expires {
		s.bodies[x.p.Contexts[context].Body].due = never
	}
}
