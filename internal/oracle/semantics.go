package oracle

import (
	"slices"
	"strings"
)

// What a program does. A step is one visible operation of one body, with the
// code after it up to that body's next visible operation: computation, tests,
// spawns, the end. Nobody else can notice those.
//
// A goroutine may be delayed for ever so long before it comes to an operation
// and waits there, and nobody can tell until then. So waiting is not modelled:
// a body that cannot go on has no step. This fixes what a select with a
// default sees of an unbuffered channel on which another body is: the other
// may be there, then they meet, or not yet, then the default is taken. Both
// are steps. Only at a quiescent point is it known who waits; see parked.go.

// An execution is a program with one input.
type execution struct {
	p      *Program
	code   [][]instr
	inputs []int
	// covered is called for every branch taken, when not nil.
	covered func(Branch)
	// degree counts the interferences of the steps taken. It belongs to the
	// state that take works on; the caller sets it.
	degree int
	raced  bool // a race was seen, in any state
	// resolved has statements with the channels that they are about; see requests.go.
	resolved map[reference]*Stmt
	// mayRace is set if an Add that raises a counter from zero is not ordered with a Wait before
	// it. That is a race if the Wait has had to wait.
	mayRace bool
}

// A step is one of the ways to go on.
type step struct {
	body int // nobody for a step of the clock or of a timer
	alt  int // case of a Select, len(Case) for the default; for nobody, see time.go
	// The body with which this one communicates and its case, or nobody: one that receives
	// what is sent without a buffer between them, or one that is parked.
	partner, partnerAlt int
}

const nobody = -1

// start returns the state before the first step.
func (x *execution) start() *state {
	s := newState(x.p)
	x.settle(s, 0)
	return s
}

// at returns the visible operation body b is about to do, nil when it has ended
// or not started.
func (x *execution) at(s *state, b int) *Stmt {
	pc := s.bodies[b].pc
	if pc == notStarted || x.code[b][pc].op == end {
		return nil
	}
	if x.p.Requests {
		return x.resolve(x.code[b][pc].s, b, s.bodies[b].locals[Ref])
	}
	return x.code[b][pc].s
}

// settle runs the invisible code of body b.
func (x *execution) settle(s *state, b int) {
	g := &s.bodies[b]
	for s.failed == "" {
		switch in := &x.code[b][g.pc]; in.op {
		case jump:
			g.pc = in.to
		case test:
			taken := in.s.Rel.holds(in.s.X.value(&g.locals, x.inputs), in.s.Y.value(&g.locals, x.inputs))
			if x.covered != nil && in.s.Op == If {
				x.covered(Branch{in.s.ID, taken})
			}
			if taken {
				g.pc++
			} else {
				g.pc = in.to
			}
		case unless:
			if g.locals[in.s.Dst] != 0 {
				g.pc++
			} else {
				g.pc = in.to
			}
		case doing:
			if s.onces[in.s.Obj].by == b {
				g.pc++
			} else {
				g.pc = in.to
			}
		case spawn:
			g.pc++
			x.spawn(s, b, in.s.Obj)
		case enter:
			g.saved, g.locals = g.locals, [slots]int{}
			g.pc++
		case kept:
			o := &s.onces[in.s.Obj]
			if o.panicked {
				g.leaving = "panic: again"
				x.unwind(s, b)
				continue
			}
			if x.p.Kept[in.s.Obj].Value {
				g.locals[in.s.Dst] = o.value
			}
			g.show(in.s)
			g.pc++
		case begin:
			g.locals[in.s.Dst] = 0
			g.pc++
		case caught:
			if g.leaving == exits {
				x.unwind(s, b)
				continue
			}
			if g.leaving != "" {
				x.unwind(s, b)
			}
			g.show(in.s)
			g.pc++
		case continues:
			switch {
			case g.leaving == "":
				g.pc++
			case g.leaving != exits && in.catch == 0:
				return // others may go on until it crashes
			default:
				x.unwind(s, b)
			}
		case perform:
			switch in.s.Op {
			case Exit:
				g.leaving = exits
				x.unwind(s, b)
				continue
			case Yield:
			case Error:
				s.errors |= 1 << in.s.ID
			case Note:
				g.show(in.s)
			default:
				return
			}
			g.pc++
		case end:
			return
		}
	}
}

// spawn lets body b start another one.
func (x *execution) spawn(s *state, b, other int) {
	g, child := &s.bodies[b], &s.bodies[other]
	s.handDown(b, other)
	g.alone = false
	child.pc = 0
	child.clock = g.clock
	child.clock[other]++
	x.settle(s, other)
}

// handDown makes local to child what is local to parent.
func (s *state) handDown(parent, child int) {
	pass := func(c *cell) {
		if c.local.has(parent) {
			c.local |= 1 << child
		}
	}
	for i := range s.plains {
		pass(&s.plains[i])
	}
	for i := range s.atoms {
		pass(&s.atoms[i])
	}
	for i := range s.chans {
		pass(&s.chans[i].closed)
		for j := range s.chans[i].buffer {
			pass(&s.chans[i].buffer[j])
		}
	}
}

// steps appends the steps that s allows.
func (x *execution) steps(dst []step, s *state) []step {
	if s.failed != "" {
		return dst
	}
	for b := range s.bodies {
		st := x.at(s, b)
		if st == nil {
			continue
		}
		switch st.Op {
		case Lock:
			if !s.locks[st.Obj].locked {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case RLock:
			if !s.rws[st.Obj].writer {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case WLock:
			// The writer announces itself, which keeps readers out, and goes in
			// when those who are in have left. Without any it does both at once.
			w := &s.rws[st.Obj]
			if !w.writer || s.bodies[b].announced && w.readers == 0 {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case GroupWait:
			if s.groups[st.Obj].count == 0 {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case Send:
			dst = x.communications(dst, s, b, 0, Case{Send: true, Chan: st.Obj})
		case Recv:
			dst = x.communications(dst, s, b, 0, Case{Chan: st.Obj})
		case Fired:
			dst = x.communications(dst, s, b, 0, Case{Timer: true, Chan: st.Obj})
		case Select:
			if w := s.bodies[b].woken; w > 0 {
				dst = append(dst, step{b, int(w) - 1, nobody, 0})
				break
			}
			for i := range st.Case {
				dst = x.communications(dst, s, b, i, st.Case[i])
			}
			if st.Default && !x.anyReady(s, b, st) && !x.firesFirst(s, b, st) {
				dst = append(dst, step{b, len(st.Case), nobody, 0})
			}
		case Sleep:
			if g := &s.bodies[b]; g.due == never || s.isDue(g.due, g.seen, x.p) {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case Settle:
			if !s.bodies[b].announced {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case Once:
			if s.onces[st.Obj].by == nobody {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case CondWait:
			if g := &s.bodies[b]; !g.announced || g.woken > 0 && !s.locks[x.p.lockOf(st.Obj)].locked {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case Signal: // wakes any of those that wait
			for w := range s.bodies {
				if s.conds[st.Obj].has(w) {
					dst = append(dst, step{b, w, nobody, 0})
				}
			}
			if s.conds[st.Obj] == 0 {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case Derive, CancelContext, ErrOf, CauseOf, Withdraw, Expire:
			dst = x.contextSteps(dst, s, b, st)
		case RunSub, Parallel, await:
			if x.subtestGoesOn(s, b, st) {
				dst = append(dst, step{b, 0, nobody, 0})
			}
		case Range:
			for alt := range visits(st) {
				dst = append(dst, step{b, alt, nobody, 0})
			}
		default:
			dst = append(dst, step{b, 0, nobody, 0})
		}
	}
	dst = x.timeSteps(x.collectionSteps(dst, s), s)
	if len(dst) == 0 && x.dead(s) != [MaxNodes]bool{} {
		dst = append(dst, step{nobody, altCollect, nobody, 0})
	}
	return dst
}

// communications appends the steps in which body b does the communication c, which is case
// alt of its statement, except for those that an unbuffered channel has with the sender.
func (x *execution) communications(dst []step, s *state, b, alt int, c Case) []step {
	if c.Send || !c.Timer && x.p.Chans[c.Chan] > 0 {
		if partners := x.parkedPartners(s, b, c); len(partners) > 0 {
			for _, t := range partners {
				dst = append(dst, step{b, alt, t.body, t.alt})
			}
			return dst
		}
	}
	if x.ready(s, c) {
		dst = append(dst, step{b, alt, nobody, 0})
	}
	if c.Send {
		dst = x.meetings(dst, s, b, alt, c.Chan)
	}
	return dst
}

// ready reports whether a communication can go on without a partner.
func (x *execution) ready(s *state, of Case) bool {
	if of.Timer {
		return s.timers[of.Chan].full
	}
	c := &s.chans[of.Chan]
	switch {
	case x.p.Chans[of.Chan] == NilChan:
		return false
	case c.closed.value != 0: // the send panics, the receive yields Closed or what is left
		return true
	case of.Send:
		return len(c.buffer) < x.p.Chans[of.Chan]
	default:
		return len(c.buffer) > 0
	}
}

// anyReady reports whether a case of the Select of body b can go on whoever else has come
// to where it waits.
func (x *execution) anyReady(s *state, b int, st *Stmt) bool {
	for _, c := range st.Case {
		if x.ready(s, c) || !c.Timer && len(x.parkedPartners(s, b, c)) > 0 {
			return true
		}
	}
	return false
}

// firesFirst reports whether a timer of a case of the Select of body b has to fire before that
// takes its default: its time has come, however late it was set. Who looks at the channel of a
// timer makes it fire then, if nobody has waited there, which is certain only if the others had
// ended when time passed.
func (x *execution) firesFirst(s *state, b int, st *Stmt) bool {
	if !s.bodies[b].alone {
		return false
	}
	now := max(s.time.from, int(s.bodies[b].clock[early]))
	return slices.ContainsFunc(st.Case, func(c Case) bool {
		if !c.Timer || x.p.Bubble {
			return false
		}
		t := &s.timers[c.Chan]
		latest := t.due // if it was set as late as can be
		if x.p.Stall > 0 && !(t.by == b && t.left == 0) {
			latest += x.p.Stall + 1 // a tick more than the nanoseconds by which waits are late
		}
		return !t.awaited && s.isDue(t.due, t.seen, x.p) && latest <= now
	})
}

// canWait reports whether body b at st may be waiting there: one that could
// have gone on would have done so.
func (x *execution) canWait(s *state, b int, st *Stmt) bool {
	return st.Op != Select || s.bodies[b].parked > 0 || !st.Default && !x.anyReady(s, b, st)
}

// meetings appends the steps in which body b, in case alt of its statement,
// sends on the unbuffered channel ch to a body that receives. One of the two
// was there first and has waited.
func (x *execution) meetings(dst []step, s *state, b, alt, ch int) []step {
	if x.p.Chans[ch] != 0 || s.chans[ch].closed.value != 0 {
		return dst
	}
	sender := x.at(s, b)
	// A receiver that comes takes from those who wait for it the one that was first.
	if first := x.parkedPartners(s, nobody, Case{Chan: ch}); len(first) > 0 && !slices.Contains(first, waiting{b, alt}) {
		return dst
	}
	for r := range s.bodies {
		st := x.at(s, r)
		if r == b || st == nil || s.bodies[r].woken > 0 || !x.canWait(s, b, sender) && !x.canWait(s, r, st) {
			continue
		}
		switch st.Op {
		case Recv:
			if st.Obj == ch {
				dst = append(dst, step{b, alt, r, 0})
			}
		case Select:
			for i := range st.Case {
				if c := &st.Case[i]; !c.Send && !c.Timer && c.Chan == ch {
					dst = append(dst, step{b, alt, r, i})
				}
			}
		}
	}
	return dst
}

// take carries out a step on s.
func (x *execution) take(s *state, t step) {
	x.carryOut(s, t)
	if strings.HasPrefix(s.failed, "panic: ") {
		b := s.failing
		s.bodies[b].leaving = s.failed
		s.failed, s.failing = "", 0
		x.unwind(s, b)
		x.settle(s, b)
	}
}

// exits is what a body leaves with that exits.
const exits = "exit"

// unwind lets body b, which panics or exits, go on where that leads.
func (x *execution) unwind(s *state, b int) {
	g := &s.bodies[b]
	in := &x.code[b][g.pc]
	switch {
	case in.op == caught && g.leaving != exits:
		g.leaving = ""
		g.locals[in.s.Dst] = 1
	case in.catch > 0:
		g.pc = in.catch
		g.parked, g.woken, g.announced = 0, 0, false
	case g.leaving == exits:
		g.pc, g.leaving = len(x.code[b])-1, ""
	default:
		s.fail(b, g.leaving)
		g.leaving = ""
	}
}

// carryOut carries out a step on s, up to a panic.
func (x *execution) carryOut(s *state, t step) {
	if t.body == nobody {
		switch {
		case t.alt == altCollect:
			x.collect(s)
		case t.alt >= altFinalize:
			x.finalize(s, t.alt-altFinalize)
		default:
			x.passTime(s, t)
		}
		return
	}
	b := t.body
	g := &s.bodies[b]
	st := x.at(s, b)
	g.clock[b]++
	switch st.Op {
	case Get:
		x.get(s, &s.plains[st.Obj], b, st.Dst)
	case Set:
		x.set(s, &s.plains[st.Obj], b, st.X)
	case GetAt:
		x.get(s, &s.plains[x.element(g, st)], b, st.Dst)
	case SetAt:
		x.set(s, &s.plains[x.element(g, st)], b, st.Y)
	case Len:
		g.locals[st.Dst] = len(s.chans[st.Obj].buffer)
	case Load, Store, Add, Swap, Exchange, And, Or, LoadOrStore, LoadAndDelete, CompareAndDelete:
		x.atomic(s, b, st)
	case Clear:
		for i := range s.atoms {
			c := &s.atoms[i]
			c.value, c.local, c.clock = Absent, 1<<b, g.clock
		}
	case Lock:
		l := &s.locks[st.Obj]
		l.locked = true
		g.clock.join(&l.clock)
	case TryLock:
		l := &s.locks[st.Obj]
		g.locals[st.Dst] = 0
		if !l.locked {
			l.locked = true
			g.clock.join(&l.clock)
			g.locals[st.Dst] = 1
		}
	case Unlock:
		l := &s.locks[st.Obj]
		if !l.locked {
			s.fail(b, "fatal error: sync: unlock of unlocked mutex")
			return
		}
		l.locked = false
		l.clock = g.clock
	case RLock:
		w := &s.rws[st.Obj]
		w.readers++
		g.clock.join(&w.clock)
	case TryRLock:
		w := &s.rws[st.Obj]
		g.locals[st.Dst] = 0
		if !w.writer {
			w.readers++
			g.clock.join(&w.clock)
			g.locals[st.Dst] = 1
		}
	case TryWLock:
		w := &s.rws[st.Obj]
		g.locals[st.Dst] = 0
		if !w.writer && w.readers == 0 {
			w.writer, w.held = true, true
			g.clock.join(&w.clock)
			g.clock.join(&w.readings)
			g.locals[st.Dst] = 1
		}
	case RUnlock:
		w := &s.rws[st.Obj]
		if w.readers == 0 {
			s.fail(b, "fatal error: sync: RUnlock of unlocked RWMutex")
			return
		}
		w.readers--
		w.readings.join(&g.clock)
	case WLock:
		w := &s.rws[st.Obj]
		w.writer = true
		if w.readers > 0 {
			g.announced = true
			return
		}
		g.announced = false
		w.held = true
		g.clock.join(&w.clock)
		g.clock.join(&w.readings)
	case WUnlock:
		w := &s.rws[st.Obj]
		if !w.held {
			s.fail(b, "fatal error: sync: Unlock of unlocked RWMutex")
			return
		}
		w.writer, w.held = false, false
		w.clock = g.clock
	case Send:
		x.send(s, t, st.Obj, st.X)
	case Recv:
		x.askAll(s, b, st)
		x.receive(s, t, st.Obj, st.Dst)
	case Close:
		c := &s.chans[st.Obj]
		switch {
		case x.p.Chans[st.Obj] == NilChan:
			s.fail(b, "panic: close of nil channel")
			return
		case c.closed.value != 0:
			s.fail(b, "panic: close of closed channel")
			return
		}
		c.closed = cell{value: 1, local: 1 << b, clock: g.clock}
		x.wake(s, st.Obj)
	case Select:
		s.await(st)
		x.askAll(s, b, st)
		if t.alt < len(st.Case) {
			switch c := &st.Case[t.alt]; {
			case c.Send:
				x.send(s, t, c.Chan, c.X)
			case c.Timer:
				s.receiveTime(b, c.Chan, c.Dst)
			default:
				x.receive(s, t, c.Chan, c.Dst)
			}
		} else {
			for _, c := range st.Case {
				if c.Timer {
					s.timers[c.Chan].look(&g.clock)
				}
			}
		}
		g.locals[st.Dst] = t.alt
	case GroupAdd, GroupDone:
		d := -1
		if st.Op == GroupAdd {
			d = st.X.Const
		}
		w := &s.groups[st.Obj]
		if d < 0 {
			w.clock.join(&g.clock)
		}
		if w.count == 0 && d > 0 {
			w.begins[b] = g.clock[b]
			x.mayRace = x.mayRace || x.unordered(&w.waits, &g.clock, b)
		}
		if w.count += d; w.count < 0 {
			s.fail(b, Negative)
			return
		}
	case GroupWait:
		w := &s.groups[st.Obj]
		x.checkRace(&w.begins, &g.clock, b)
		w.waits[b] = g.clock[b]
		g.clock.join(&w.clock)
	case crash:
		s.fail(b, g.leaving)
		return
	case Panic:
		s.fail(b, "panic: "+failure(st))
		return
	case Log:
		if s.over {
			s.fail(b, LateLog)
			return
		}
	case finish:
		s.over = true
	case Fired:
		s.await(st)
		s.receiveTime(b, st.Obj, st.Dst)
	case Sleep:
		if st.X.Const > 0 && g.due == never {
			g.due, g.seen = s.after(&g.clock, st.X.Const)
			for i := range s.timers {
				if t := &s.timers[i]; t.by == b {
					t.left = max(t.left-st.X.Const, 0)
				}
			}
			return
		}
		s.reach(&g.clock, g.due, g.seen)
		g.due = never
	case After, Reset, Stop, Now, Since, StopCall, ResetCall:
		x.timed(s, b, st)
	case Range:
		g.locals[st.Dst] = visits(st)[t.alt]
	case Drop, Revive, Hold, Upgrade, LetGo, Peek, NodeGet, NodeSet, Cancel, Collect:
		x.useNode(s, b, st)
	case Once:
		if o := &s.onces[st.Obj]; o.done {
			g.clock.join(&o.clock)
		} else {
			o.by = b
		}
	case Leave:
		o := onceState{by: nobody, done: true, clock: g.clock}
		if st.Obj < len(x.p.Kept) {
			o.value, o.panicked = g.locals[0], g.leaving != ""
			g.locals, g.saved = g.saved, [slots]int{}
		}
		s.onces[st.Obj] = o
	case CondWait:
		l := &s.locks[x.p.lockOf(st.Obj)]
		if !g.announced {
			if !l.locked {
				s.fail(b, "fatal error: sync: unlock of unlocked mutex")
				return
			}
			l.locked, l.clock = false, g.clock
			g.announced = true
			s.conds[st.Obj] |= 1 << b
			return
		}
		l.locked, g.announced = true, false
		g.clock.join(&l.clock)
	case Signal, Broadcast:
		for w := range s.bodies {
			if s.conds[st.Obj].has(w) && (st.Op == Broadcast || w == t.alt) {
				s.conds[st.Obj] &^= 1 << w
				s.bodies[w].woken = 1
				s.bodies[w].clock.join(&g.clock)
			}
		}
	case NewCell, GetCell, SetCell, Link, Follow:
		x.usePointer(s, b, st)
	case Derive, CancelContext, ErrOf, CauseOf, Withdraw, Expire:
		if !x.useContext(s, b, t.alt, st) {
			return
		}
	case RunSub, Parallel, release, await:
		if !x.doSubtest(s, b, st) {
			return
		}
	case Settle:
		if !g.announced {
			x.beginSettling(s, b)
			return
		}
		x.settled(s, b)
	}
	if s.failed != "" { // a send on a closed channel
		return
	}
	x.advance(s, b, st)
	if t.partner != nobody {
		x.advance(s, t.partner, x.at(s, t.partner))
	}
}

// advance ends the step of body b that was at st.
func (x *execution) advance(s *state, b int, st *Stmt) {
	g := &s.bodies[b]
	g.show(st)
	g.pc++
	g.parked, g.woken = 0, 0
	x.settle(s, b)
}

func (g *bodyState) show(st *Stmt) {
	if st.Show {
		g.history = append(g.history, byte(st.ID), byte(g.locals[st.Dst]))
	}
}

// hand carries out case alt of the statement of a parked body, without ending its step.
func (x *execution) hand(s *state, b, alt int) {
	t := step{body: b, alt: alt, partner: nobody}
	g := &s.bodies[b]
	g.clock[b]++
	switch st := x.at(s, b); st.Op {
	case Send:
		x.send(s, t, st.Obj, st.X)
	case Recv:
		x.receive(s, t, st.Obj, st.Dst)
	case Select:
		if c := &st.Case[alt]; c.Send {
			x.send(s, t, c.Chan, c.X)
		} else {
			x.receive(s, t, c.Chan, c.Dst)
		}
		g.locals[st.Dst] = alt
	}
}

func (s *state) fail(body int, message string) { s.failed, s.failing = message, body }

// read counts the reading of c by body b if it is an interference.
func (x *execution) read(c *cell, b int) {
	if !c.local.has(b) {
		x.degree++
	}
}

func (x *execution) checkRace(other, now *clock, b int) {
	x.raced = x.raced || x.unordered(other, now, b)
}

// unordered reports whether something that another body than b has done did not happen before now.
func (x *execution) unordered(other, now *clock, b int) bool {
	for i := range MaxBodies {
		if i != b && other[i] > now[i] {
			return true
		}
	}
	return false
}

// get lets body b read a plain variable into a local one.
func (x *execution) get(s *state, c *cell, b, dst int) {
	g := &s.bodies[b]
	x.checkRace(&c.wrote, &g.clock, b)
	c.read[b] = g.clock[b]
	g.locals[dst] = c.value
	x.read(c, b)
}

// element returns which of the plain variables st of body g is about.
func (x *execution) element(g *bodyState, st *Stmt) int {
	return st.X.value(&g.locals, x.inputs) & (x.p.Plains - 1)
}

// set lets body b write a plain variable.
func (x *execution) set(s *state, c *cell, b int, e Expr) {
	g := &s.bodies[b]
	x.checkRace(&c.wrote, &g.clock, b)
	x.checkRace(&c.read, &g.clock, b)
	c.wrote[b] = g.clock[b]
	c.value, c.local = e.value(&g.locals, x.inputs), 1<<b
}

// atomic carries out an operation on an atomic variable. One that reads the variable comes
// after what has written the value; one that does not write it comes before nothing.
func (x *execution) atomic(s *state, b int, st *Stmt) {
	g := &s.bodies[b]
	c := &s.atoms[st.Obj]
	v := st.X.value(&g.locals, x.inputs)
	if st.Op != Store {
		g.clock.join(&c.clock)
		x.read(c, b)
	}
	switch st.Op {
	case Load:
		g.locals[st.Dst] = c.value
		return
	case Add:
		if v += c.value; !st.Unread {
			g.locals[st.Dst] = v
		}
	case LoadOrStore:
		if g.locals[st.Dst] = c.value; c.value != Absent {
			return
		}
	case LoadAndDelete:
		if !st.Unread {
			g.locals[st.Dst] = c.value
		}
		if v = Absent; c.value == Absent {
			return
		}
	case CompareAndDelete:
		if c.value != v {
			g.locals[st.Dst] = 0
			return
		}
		g.locals[st.Dst], v = 1, Absent
	case Exchange:
		g.locals[st.Dst] = c.value
	case And:
		g.locals[st.Dst] = c.value
		v &= c.value
	case Or:
		g.locals[st.Dst] = c.value
		v |= c.value
	case Swap:
		old := v
		v = st.Y.value(&g.locals, x.inputs)
		if c.value != old {
			g.locals[st.Dst] = 0
			return
		}
		g.locals[st.Dst] = 1
	}
	c.value, c.local, c.clock = v, 1<<b, g.clock
}

func (x *execution) send(s *state, t step, ch int, e Expr) {
	b := t.body
	g := &s.bodies[b]
	c := &s.chans[ch]
	if c.closed.value != 0 {
		s.fail(b, "panic: send on closed channel")
		return
	}
	v := e.value(&g.locals, x.inputs)
	if x.p.Chans[ch] > 0 {
		slot := &c.slots[(c.next+len(c.buffer))%len(c.slots)]
		g.clock.join(slot)
		c.buffer = append(c.buffer, cell{value: v, local: 1 << b, clock: g.clock})
		if t.partner != nobody {
			x.hand(s, t.partner, t.partnerAlt)
		}
		return
	}
	r := &s.bodies[t.partner]
	r.clock[t.partner]++
	r.clock.join(&g.clock)
	g.clock = r.clock
	st := x.at(s, t.partner)
	if st.Op == Select {
		r.locals[st.Case[t.partnerAlt].Dst] = v
		r.locals[st.Dst] = t.partnerAlt
	} else {
		r.locals[st.Dst] = v
	}
	x.degree++ // what it receives, a body has just sent
}

func (x *execution) receive(s *state, t step, ch, dst int) {
	b := t.body
	g := &s.bodies[b]
	c := &s.chans[ch]
	if len(c.buffer) == 0 {
		g.clock.join(&c.closed.clock)
		g.locals[dst] = Closed
		x.read(&c.closed, b)
		return
	}
	v := c.buffer[0]
	c.buffer = c.buffer[1:]
	g.clock.join(&v.clock)
	g.locals[dst] = v.value
	c.slots[c.next] = g.clock
	c.next = (c.next + 1) % len(c.slots)
	x.read(&v, b)
	if t.partner != nobody { // who waits to send does so
		x.hand(s, t.partner, t.partnerAlt)
	}
}
