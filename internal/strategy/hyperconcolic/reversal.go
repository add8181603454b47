package hyperconcolic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// reverse finds the nodes at which s could have come first, and adds the revisits. The events of
// before have to happen before s; replaced is the event that the thread of s, or its
// partner, did instead, -1 if s is pending. siblings are transitions that contain the
// other cases of s.
func (x *execution) reverse(s *step, before clock, replaced int32, siblings []run.Transition) {
	// Not at nodes at which a thread was postponed: what comes first there has been moved
	// already. Where one has met another goroutine than by default, nothing has.
	if s.wide {
		for n := len(x.nodes) - 1; n >= 0; n-- {
			nd := &x.nodes[n]
			if x.isBeforePass(nd) || int(nd.position) < len(x.events) && x.isLast(nd.position, ofAll, before) {
				break
			}
			if nd.winner < 0 || nd.meets && nd.taken >= 0 {
				x.reverseAt(int32(n), s, before, replaced, siblings)
			}
		}
		return
	}
	for _, list := range [][]int32{x.choiceNodes, x.wideNodes, x.meetingNodes} {
		for k := len(list) - 1; k >= 0 && !x.isSettled(&x.nodes[list[k]], before); k-- {
			x.reverseAt(list[k], s, before, replaced, siblings)
		}
	}
	if ob := x.object(s.transition.Object); ob != nil {
		for k := len(ob.events) - 1; k >= 0; k-- {
			i := ob.events[k]
			if x.has(before, i) {
				if x.follows(i, s) || x.isLast(i, ofObject, before) {
					break // earlier ones are in before, too
				}
				continue
			}
			if e := &x.events[i]; e.node >= 0 && x.nodes[e.node].from == x.nodes[e.node].to && !e.wide && e.partner < 0 {
				x.reverseAt(e.node, s, before, replaced, siblings)
			}
		}
	}
}

// reverseAt is reverse for node n.
func (x *execution) reverseAt(n int32, s *step, before clock, replaced int32, siblings []run.Transition) {
	last := int32(len(x.events) - 1)
	nd := &x.nodes[n]
	if x.isBeforePass(nd) {
		return
	}
	if nd.position >= last || replaced >= 0 && nd.position > replaced || x.has(before, nd.position) || !x.mayConflict(nd, s) {
		return
	}
	if nd.meets && s.partner >= 0 && !s.of(nd.thread) {
		return // see revisitMeetings
	}
	p := &x.reversal
	p.execution, p.step, p.target, p.node = x, *s, n, nd
	p.replaced, p.last, p.siblings = replaced, last, siblings
	p.find(before)
}

// A reversal looks for the sets of events with which a step can be moved before the default of a
// node, with which it races.
type reversal struct {
	*execution
	step
	target   int32
	node     *node
	replaced int32
	last     int32
	siblings []run.Transition

	candidates []int32 // scratch
	racing     []int32 // events that are dependent with the step, in order
}

// find adds the revisits with the step, before which the events of before happen. A receive of
// a value and one from a closed channel are different steps: it tries both.
func (p *reversal) find(before clock) {
	if p.node.from != p.node.to && !p.node.meets {
		p.updateConflicting(p.node)
	}
	switch t := &p.transition; t.Op {
	case schedule.TimePass:
		return // something else is enabled: the default
	case schedule.BubbleIdle:
		if t.Bubble == p.node.transition.Bubble {
			return // the thread of the default is not idle
		}
		p.arrange(before)
	case schedule.TimerFire, schedule.Sleep:
		if t.Enabled { // its time has come, or not, wherever what precedes it is the same
			p.arrange(before)
		}
	case schedule.Recv, schedule.RecvClosed:
		t.Op = schedule.Recv
		p.arrange(before)
		t.Op = schedule.RecvClosed
		if ob := p.object(t.Object); ob != nil && len(ob.closes) > 0 {
			if i := ob.closes[0]; i < p.node.position {
				p.arrange(before)
			} else if !p.immovable(i) {
				p.arrange(p.joined(before, p.events[i].clock))
			}
		} else if ob != nil && ob.closed {
			p.arrange(before)
		}
	default:
		if t.Compares && p.evaluate(t, before) && !p.conflicts(p.node, &p.step) {
			return
		}
		p.arrange(before)
	}
}

// arrange goes through the sets of events that may come before the step, with those of before.
func (p *reversal) arrange(before clock) {
	x, c := p.execution, p.node.position
	p.racing = p.racing[:0]
	if x.stopped() || p.immovable(p.last) || p.hasImmovable(before) {
		return
	}
	p.candidates = x.appendCandidates(p.candidates[:0], &p.step, c)
	for _, i := range p.candidates {
		if i != p.replaced && !x.has(before, i) && !p.immovable(i) && x.dependent(&x.events[i].step, &p.step) {
			p.racing = append(p.racing, i)
		}
	}
	// A revisit in which the last event is not moved was found earlier.
	if !x.has(before, p.last) {
		n := len(p.racing) - 1
		if n >= 0 && p.racing[n] == p.last {
			p.racing = p.racing[:n]
			before = x.joined(before, x.events[p.last].clock)
		} else if x.buffer(&p.transition) == nil && p.transition.Op != schedule.CondWake {
			return
		}
	}
	before, ok := p.require(before)
	if ok && (p.transition.Op != schedule.WaitGroupWait || p.canReachZero(before)) {
		p.choose(before, 0)
	}
}

// require adds to before the racing events without which try adds no revisit. It is false if one
// cannot be moved.
func (p *reversal) require(before clock) (_ clock, ok bool) {
	if p.buffer(&p.transition) != nil || p.transition.Op == schedule.CondWake {
		return before, true // enable may add them
	}
	rest := p.racing[:0]
	for _, i := range p.racing {
		if !p.isRequired(i) {
			rest = append(rest, i)
		} else if !p.has(before, i) {
			before = p.joined(before, p.events[i].clock)
		}
	}
	p.racing = rest
	return before, !p.hasImmovable(before)
}

// isRequired reports whether try adds no revisit unless event i is moved.
func (p *reversal) isRequired(i int32) bool {
	if _, ok := slices.BinarySearch(p.nonzero, i); ok {
		return true
	}
	for k := len(p.postponed) - 1; k >= 0 && p.postponed[k] > p.target; k-- {
		if nd := &p.nodes[p.postponed[k]]; nd.winner == i && !(nd.meets && nd.taken >= 0) {
			return true
		}
	}
	return false
}

// canReachZero reports whether the counter of a wait group can be zero without the default of
// the node, which in most cases is one of the things waited for.
func (p *reversal) canReachZero(before clock) bool {
	all := p.joined(before, nil)
	for _, i := range p.racing {
		all.join(p.events[i].clock)
	}
	state, ok := p.state(&p.transition, all)
	return !ok || state <= 0
}

// immovable reports whether event i cannot be moved before the step: it is the default of the
// node, happened after it, or conflicts with what the thread can do there if that is not meetings only.
func (p *reversal) immovable(i int32) bool {
	e := &p.events[i]
	if p.node.from == p.node.to || p.node.meets {
		d := &p.events[p.node.position]
		return e.clock.at(d.thread) >= d.index
	}
	first := p.node.conflicting.at(e.thread)
	return first > 0 && e.index >= first
}

// hasImmovable reports whether an event of moved is immovable.
func (p *reversal) hasImmovable(moved clock) bool {
	if p.node.from == p.node.to || p.node.meets {
		return p.has(moved, p.node.position)
	}
	for t, first := range p.node.conflicting {
		if first > 0 && moved.at(int32(t)) >= first {
			return true
		}
	}
	return false
}

// choose goes through the racing events, from the kth on, and lets each come before the step or
// not. moved are those that do.
func (p *reversal) choose(moved clock, k int) {
	x := p.execution
	if x.stopped() {
		return
	}
	if k == len(p.racing) {
		x.tries++
		p.enable(moved)
		return
	}
	i := p.racing[k]
	if x.has(moved, i) {
		p.choose(moved, k+1)
		return
	}
	if len(p.racing)-k >= fewRacing && p.hopeless(moved) {
		return
	}
	mark, found := x.clocks.mark(), len(x.revisits)
	with := x.joined(moved, x.events[i].clock)
	for _, j := range p.racing[:k] {
		if x.has(with, j) && !x.has(moved, j) {
			with = nil // it comes after one that is not to be moved
			break
		}
	}
	p.choose(moved, k+1)
	if with != nil {
		p.choose(with, k+1)
	}
	if len(x.revisits) == found && x.clocks.has(mark) {
		x.clocks.release(mark) // no revisit has one of the clocks
	}
}

// fewRacing is the number of racing events from which on hopeless is asked: the sets of fewer are
// tried as fast.
const fewRacing = 4

// hopeless reports whether the step, on the buffer of a channel, is not enabled whatever else is
// moved before it: try would refuse all sets of events with those of moved. Of n goroutines that
// send to a channel without room for all, and of the default cases that they take when it is full,
// there are 2^n sets, and no send comes after any of the defaults.
func (p *reversal) hopeless(moved clock) bool {
	t := &p.transition
	ob := p.buffer(t)
	if ob == nil || !ob.based || ob.timed || ob.closed || len(ob.closes) > 0 {
		return false
	}
	switch t.Op {
	case schedule.Send:
		return ob.base+p.count(ob.sends, moved)-int64(len(ob.receives)) >= t.Delta
	case schedule.Recv:
		return ob.base+int64(len(ob.sends))-p.count(ob.receives, moved) <= 0
	}
	return false
}

// enable adds to moved the events that enable the step.
func (p *reversal) enable(moved clock) {
	x := p.execution
	c := p.node.position
	for {
		i := p.enabler(moved)
		if i < c || x.has(moved, i) {
			break
		}
		if p.immovable(i) {
			return
		}
		moved = x.joined(moved, x.events[i].clock)
	}
	p.try(moved)
}

// enabler returns the event without which the step is not enabled after the events before the
// node and those moved, -1 if there is none.
func (p *reversal) enabler(moved clock) int32 {
	if p.transition.Op == schedule.CondWake {
		return p.threads[p.step.thread].notified
	}
	if ob := p.buffer(&p.transition); ob != nil {
		return ob.enabler(&p.transition, p.count(ob.sends, moved), p.count(ob.receives, moved))
	}
	return -1
}

// count returns the number of events that precede the step.
func (p *reversal) count(events []int32, moved clock) (n int64) {
	for _, i := range events {
		if p.precedes(i, moved) {
			n++
		}
	}
	return n
}

// precedes reports whether event i precedes the step: it is before the node or moved.
func (p *reversal) precedes(i int32, moved clock) bool {
	return i < p.node.position || p.has(moved, i)
}

// try adds the revisits with the step after moved. A Signal may wake others there than now, or nobody.
func (p *reversal) try(moved clock) {
	if !p.has(moved, p.last) {
		return // found earlier
	}
	if p.transition.Op != schedule.CondSignal {
		p.tryStep(p.step, moved)
		return
	}
	waking := func(goroutine int32) {
		s := p.step
		s.transition.Partner, s.decision.partner = goroutine, goroutine
		p.tryStep(s, moved)
	}
	now := p.waiting(func(int32) bool { return true })
	then := p.waiting(func(i int32) bool { return p.precedes(i, moved) })
	// Without a partner, it may be a Broadcast. If it is not, one of these is not possible.
	if p.transition.Partner < 0 || len(then) == 0 {
		waking(-1)
	}
	if p.transition.Partner >= 0 || len(now) == 0 {
		for _, goroutine := range then {
			waking(goroutine)
		}
	}
}

// waiting returns the goroutines that wait for the condition variable of the step, and have not
// been notified, after those events for which the argument returns true.
func (p *reversal) waiting(counts func(i int32) bool) []int32 {
	var list []int32
	for _, i := range p.condEvents {
		e := &p.events[i]
		t := &e.transition
		if t.Object != p.transition.Object || t.Offset != p.transition.Offset || !counts(i) {
			continue
		}
		switch {
		case t.Op == schedule.CondWait:
			list = append(list, t.Goroutine)
		case t.Op == schedule.CondSignal:
			list = slices.DeleteFunc(list, func(g int32) bool { return t.Partner < 0 || t.Partner == g })
		}
	}
	return list
}

// tryStep adds the revisit with s if that is enabled after moved, and if this is the run that has to
// find it.
func (p *reversal) tryStep(s step, moved clock) {
	x, c := p.execution, p.node.position
	if !p.evaluate(&s.transition, moved) || !x.conflicts(p.node, &s) {
		return
	}
	if p.replaced >= 0 && s.decision == x.events[p.replaced].decision && p.closed(x.object(s.transition.Object), moved) {
		return // it would be what it replaces
	}
	if p.hasImmovable(moved) || p.replaced >= c && x.has(moved, p.replaced) {
		return
	}
	for _, i := range x.nonzero {
		if i >= c && !x.has(moved, i) {
			return
		}
	}
	// The run that has to find it followed every default except where something that is
	// moved had to come first.
	for k := len(x.postponed) - 1; k >= 0 && x.postponed[k] > p.target; k-- {
		nd := &x.nodes[x.postponed[k]]
		if nd.meets && !p.isOnWay(nd, moved) || !nd.meets && !x.has(moved, nd.winner) {
			return
		}
	}
	for k := len(x.choiceNodes) - 1; k >= 0 && x.choiceNodes[k] > p.target; k-- {
		nd := &x.nodes[x.choiceNodes[k]]
		if x.has(moved, nd.position) {
			continue
		}
		for i := nd.position + 1; i <= p.last; i++ {
			if x.has(moved, i) && x.conflicts(nd, &x.events[i].step) {
				return
			}
		}
	}
	if p.node.meets && !p.isChild(&s, moved) || p.belongsToAncestor(&s, moved) {
		return
	}
	x.addRevisit(revisit{node: p.target, moved: moved, decision: s.decision, early: s.transition.IsEarly(), site: s.transition.Site}, &s)
}

// belongsToAncestor reports whether the revisit belongs to another child of an ancestor of the
// node.
func (p *reversal) belongsToAncestor(s *step, moved clock) bool {
	x := p.execution
	var history clock
	for _, n := range x.postponed {
		if n > p.target {
			break
		}
		nd := &x.nodes[n]
		if history == nil {
			history = x.joined(moved, nil)
			if p.node.meets {
				history = p.pastOf(s, moved) // which need not be all that is moved
			}
			p.candidates = x.appendCandidates(p.candidates[:0], s, 0)
			for k := len(p.candidates) - 1; k >= 0; k-- {
				i := p.candidates[k]
				if i < p.node.position && !x.has(history, i) && x.dependent(&x.events[i].step, s) {
					history.join(x.events[i].clock)
				}
			}
			if i := p.enabler(moved); i >= 0 {
				history.join(x.events[i].clock)
			}
		}
		if x.violates(nd, s, history, p.last+1) {
			return true
		}
	}
	return false
}

// evaluate makes t what it is after the events that precede the step. It is false if t is known
// not to be enabled then.
func (p *reversal) evaluate(t *run.Transition, moved clock) bool {
	x := p.execution
	switch t.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed:
		possible, known := p.canCommunicate(t, moved)
		return possible || !known
	case schedule.SelectDefault:
		for i := range p.siblings {
			s := p.siblings[i]
			if s.Goroutine == t.Goroutine && s.Op != schedule.SelectDefault && s.Object != run.NoObject &&
				(s.Partner < 0 && p.ready(&s, moved) || p.finds(&s, moved)) {
				return false
			}
		}
		return true
	case schedule.CondWake:
		i := x.threads[p.step.thread].notified
		return i >= 0 && p.precedes(i, moved)
	}
	state, ok := p.state(t, moved)
	if !ok {
		return true
	}
	at, possible := t.At(state)
	*t = at
	return possible
}

// ready reports whether t, a case of a select, is known to be enabled.
func (p *reversal) ready(t *run.Transition, moved clock) bool {
	ops := []schedule.Op{t.Op}
	if t.Op != schedule.Send {
		ops = []schedule.Op{schedule.Recv, schedule.RecvClosed}
	}
	for _, op := range ops {
		c := *t
		c.Op = op
		if possible, known := p.canCommunicate(&c, moved); possible && known {
			return true
		}
	}
	return false
}

// finds reports whether a goroutine that comes to t, a case of a select, finds a goroutine that is
// known to wait.
func (p *reversal) finds(t *run.Transition, moved clock) bool {
	waits := run.SenderWaits
	if t.Op == schedule.Send {
		waits = run.ReceiverWaits
	}
	return t.Partner >= 0 && t.Waits == waits || p.isWaitedAt(t, moved, waits, waits)
}

// isWaitedAt reports whether a goroutine is known to wait at the channel of t after the events that
// precede the step, as either of two sides: it takes part in an event after them.
func (p *reversal) isWaitedAt(t *run.Transition, moved clock, side, other run.Waiting) bool {
	ob := p.object(t.Object)
	if ob == nil || len(p.waited) == 0 {
		return false
	}
	for k := len(ob.events) - 1; k >= 0 && ob.events[k] >= p.node.position; k-- {
		i := ob.events[k]
		if e := &p.events[i].transition; e.Partner >= 0 && (e.Waits == side || e.Waits == other) && !p.has(moved, i) {
			return true
		}
	}
	return false
}

// canCommunicate reports whether t, a communication, is enabled after the events that precede the
// step. That is not known if a timer sends to the channel, or if it was closed before any
// event on it.
func (p *reversal) canCommunicate(t *run.Transition, moved clock) (possible, known bool) {
	ob := p.object(t.Object)
	if ob == nil {
		return false, true
	}
	closed := p.closed(ob, moved)
	if !closed && t.Waits != run.ReceiverWaits && t.Waits != run.SenderWaits &&
		p.isWaitedAt(t, moved, run.ReceiverWaits, run.SenderWaits) {
		return false, true // those who wait come first
	}
	if t.Partner >= 0 {
		return !closed, true
	}
	if t.Delta > 0 && (!ob.based || ob.timed) {
		switch {
		case t.Op == schedule.Send && closed:
			return true, true
		case t.Op == schedule.RecvClosed && !closed:
			return false, true
		}
		return false, false
	}
	held := ob.base + p.count(ob.sends, moved) - p.count(ob.receives, moved)
	switch t.Op {
	case schedule.Send:
		return closed || held < t.Delta, true // on a closed channel it panics
	case schedule.Recv:
		return held > 0, true
	}
	return closed && held == 0, true
}

// closed reports whether a channel is closed after the events that precede the step.
func (p *reversal) closed(ob *object, moved clock) bool {
	return ob.closed || p.count(ob.closes, moved) > 0
}

// state returns what t finds in its cell, if that is known.
func (p *reversal) state(t *run.Transition, moved clock) (state int64, ok bool) {
	x, c := p.execution, p.node.position
	ob := x.object(t.Object)
	if ob == nil {
		return 0, false
	}
	at, _ := slices.BinarySearch(ob.events, c)
	state = t.State
	for _, i := range ob.events[at:] {
		if e := &x.events[i].transition; e.Offset == t.Offset && e.Cells == t.Cells {
			if e.Op.IsPlain() {
				return 0, false
			}
			state = e.State
			break
		}
	}
	for _, i := range ob.events[at:] {
		if !x.has(moved, i) {
			continue
		}
		e := x.events[i].transition
		if e.Offset != t.Offset {
			continue
		}
		e.State = state
		if state, ok = e.After(); !ok {
			return 0, false
		}
	}
	return state, true
}
