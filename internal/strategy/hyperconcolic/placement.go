package hyperconcolic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// place finds the nodes at which a could have come first. Before it must have
// happened what the clock before says; replaced is the event that a's thread, or
// its partner, has done instead, -1 when it is about to do a. siblings are options
// among which are the other cases of a.
func (x *execution) place(a *act, before clock, replaced int32, siblings []run.Transition) {
	// Nodes at which a thread was kept back are none: what comes first there has
	// been moved already.
	if a.wide {
		for n := len(x.nodes) - 1; n >= 0; n-- {
			if nd := &x.nodes[n]; nd.winner < 0 {
				x.placeAt(int32(n), a, before, replaced, siblings)
			}
		}
		return
	}
	for _, list := range [][]int32{x.choices, x.broad} {
		for k := len(list) - 1; k >= 0; k-- {
			x.placeAt(list[k], a, before, replaced, siblings)
		}
	}
	if ob := x.object(a.option.Object); ob != nil {
		for k := len(ob.events) - 1; k >= 0; k-- {
			i := ob.events[k]
			if x.has(before, i) {
				if x.follows(i, a) {
					break
				}
				continue
			}
			if e := &x.events[i]; e.node >= 0 && x.nodes[e.node].from == x.nodes[e.node].to && !e.wide && e.partner < 0 {
				x.placeAt(e.node, a, before, replaced, siblings)
			}
		}
	}
}

// placeAt is place for node n.
func (x *execution) placeAt(n int32, a *act, before clock, replaced int32, siblings []run.Transition) {
	last := int32(len(x.events) - 1)
	nd := &x.nodes[n]
	if nd.position >= last || replaced >= 0 && nd.position > replaced || x.has(before, nd.position) || !x.mayTouch(nd, a) {
		return
	}
	p := &x.placement
	p.execution, p.act, p.target, p.node = x, *a, n, nd
	p.replaced, p.last, p.siblings = replaced, last, siblings
	p.find(before)
}

// A placement looks for the ways to put a step before what happened at a node.
type placement struct {
	*execution
	act
	target   int32
	node     *node
	replaced int32
	last     int32
	siblings []run.Transition

	near   []int32 // scratch
	around []int32 // events whose order with the step matters, in order
}

// find adds the revisits with the step, which comes after before. What a receive
// finds is part of what it is: a value, or that the channel has been closed.
func (p *placement) find(before clock) {
	if p.node.from != p.node.to {
		p.touch(p.node)
	}
	switch o := &p.option; o.Op {
	case schedule.Recv, schedule.RecvClosed:
		o.Op = schedule.Recv
		p.arrange(before)
		o.Op = schedule.RecvClosed
		if ob := p.object(o.Object); ob != nil && len(ob.closes) > 0 {
			if i := ob.closes[0]; i < p.node.position {
				p.arrange(before)
			} else if !p.spoiled(i) {
				p.arrange(p.joined(before, p.events[i].clock))
			}
		} else if ob != nil && ob.closed {
			p.arrange(before)
		}
	default:
		if o.Compares && p.at(o, before) && !p.touches(p.node, &p.act) {
			return
		}
		p.arrange(before)
	}
}

// arrange finds the sets of events that come before the step, among them those of before.
func (p *placement) arrange(before clock) {
	x, c := p.execution, p.node.position
	p.around = p.around[:0]
	if p.spoiled(p.last) || p.spoils(before) {
		return
	}
	p.near = x.order(p.near[:0], &p.act, c)
	for _, i := range p.near {
		if i != p.replaced && !x.has(before, i) && !p.spoiled(i) && x.dependent(&x.events[i].act, &p.act) {
			p.around = append(p.around, i)
		}
	}
	// Without the last event, the revisit has been found before.
	if !x.has(before, p.last) {
		n := len(p.around) - 1
		if n >= 0 && p.around[n] == p.last {
			p.around = p.around[:n]
			before = x.joined(before, x.events[p.last].clock)
		} else if x.buffer(&p.option) == nil && p.option.Op != schedule.CondWake {
			return
		}
	}
	if p.option.Op != schedule.WaitGroupWait || p.reaches(before) {
		p.choose(before, 0)
	}
}

// reaches reports whether the counter of a wait group can come to zero without what
// the node let a thread do, which as a rule is one of the things waited for.
func (p *placement) reaches(before clock) bool {
	all := p.joined(before, nil)
	for _, i := range p.around {
		all.join(p.events[i].clock)
	}
	state, ok := p.state(&p.option, all)
	return !ok || state <= 0
}

// spoiled reports whether event i cannot be moved before the step: it is what the
// node let the thread do, depends on that, or has to do with what the thread
// might do.
func (p *placement) spoiled(i int32) bool {
	e := &p.events[i]
	if p.node.from == p.node.to {
		d := &p.events[p.node.position]
		return e.clock.at(d.thread) >= d.index
	}
	first := p.node.touched.at(e.thread)
	return first > 0 && e.index >= first
}

// spoils reports whether a set of events, if it is to be moved before the step, has
// one that cannot be.
func (p *placement) spoils(moved clock) bool {
	if p.node.from == p.node.to {
		return p.has(moved, p.node.position)
	}
	for t, first := range p.node.touched {
		if first > 0 && moved.at(int32(t)) >= first {
			return true
		}
	}
	return false
}

// choose goes through the events around, from the kth on, and lets each come
// before the step or not. moved are those that do.
func (p *placement) choose(moved clock, k int) {
	x := p.execution
	if k == len(p.around) {
		p.enable(moved)
		return
	}
	i := p.around[k]
	if x.has(moved, i) {
		p.choose(moved, k+1)
		return
	}
	with := x.joined(moved, x.events[i].clock)
	for _, j := range p.around[:k] {
		if x.has(with, j) && !x.has(moved, j) {
			with = nil // it brings one that is not to come before
			break
		}
	}
	p.choose(moved, k+1)
	if with != nil {
		p.choose(with, k+1)
	}
}

// enable adds what makes the step possible to what is moved before it.
func (p *placement) enable(moved clock) {
	x := p.execution
	c := p.node.position
	for {
		i := p.enabler(moved)
		if i < c || x.has(moved, i) {
			break
		}
		if p.spoiled(i) {
			return
		}
		moved = x.joined(moved, x.events[i].clock)
	}
	p.try(moved)
}

// enabler returns the event without which the step is not possible after those
// before the node and those moved, -1 when there is none.
func (p *placement) enabler(moved clock) int32 {
	if p.option.Op == schedule.CondWake {
		return p.threads[p.act.thread].notified
	}
	if ob := p.buffer(&p.option); ob != nil {
		return ob.enabler(&p.option, p.count(ob.sends, moved), p.count(ob.receives, moved))
	}
	return -1
}

// count returns how many of the events are before the node or moved.
func (p *placement) count(events []int32, moved clock) (n int64) {
	for _, i := range events {
		if p.comes(i, moved) {
			n++
		}
	}
	return n
}

// comes reports whether event i comes before the step.
func (p *placement) comes(i int32, moved clock) bool {
	return i < p.node.position || p.has(moved, i)
}

// try adds the revisit if the step is possible then, and if this is the run to
// find it in.
func (p *placement) try(moved clock) {
	x, c := p.execution, p.node.position
	if !x.has(moved, p.last) {
		return // found before
	}
	a := p.act
	if !p.at(&a.option, moved) || !x.touches(p.node, &a) {
		return
	}
	if p.spoils(moved) || p.replaced >= c && x.has(moved, p.replaced) {
		return
	}
	for _, i := range x.altered {
		if i >= c && !x.has(moved, i) {
			return
		}
	}
	// In the run to find it in, every default was followed but where something
	// that is moved had to come first.
	for k := len(x.kept) - 1; k >= 0 && x.kept[k] > p.target; k-- {
		if !x.has(moved, x.nodes[x.kept[k]].winner) {
			return
		}
	}
	for k := len(x.choices) - 1; k >= 0 && x.choices[k] > p.target; k-- {
		nd := &x.nodes[x.choices[k]]
		if x.has(moved, nd.position) {
			continue
		}
		for i := nd.position + 1; i <= p.last; i++ {
			if x.has(moved, i) && x.touches(nd, &x.events[i].act) {
				return
			}
		}
	}
	if p.known(&a, moved) {
		return
	}
	x.keep(revisit{node: p.target, moved: moved, move: a.move})
}

// known reports whether the revisit belongs to another child of a node above.
func (p *placement) known(a *act, moved clock) bool {
	x := p.execution
	var history clock
	for _, n := range x.kept {
		if n > p.target {
			break
		}
		nd := &x.nodes[n]
		if history == nil {
			history = x.joined(moved, nil)
			p.near = x.order(p.near[:0], a, 0)
			for k := len(p.near) - 1; k >= 0; k-- {
				i := p.near[k]
				if i < p.node.position && !x.has(history, i) && x.dependent(&x.events[i].act, a) {
					history.join(x.events[i].clock)
				}
			}
			if i := p.enabler(moved); i >= 0 {
				history.join(x.events[i].clock)
			}
		}
		if x.violates(nd, a, history, p.node.position) {
			return true
		}
	}
	return false
}

// at makes o what it is after the events before the node and those moved. It is
// false when o is known not to be possible then.
func (p *placement) at(o *run.Transition, moved clock) bool {
	x := p.execution
	if x.waitsForRest(o) {
		return false // something else can happen: that is why there is a node
	}
	if o.Op == schedule.BubbleIdle && o.Bubble == p.node.option.Bubble {
		return false // the node's thread can go on
	}
	switch o.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed:
		possible, known := p.communicates(o, moved)
		return possible || !known
	case schedule.SelectDefault:
		for i := range p.siblings {
			s := p.siblings[i]
			if s.Goroutine == o.Goroutine && s.Op != schedule.SelectDefault && s.Partner < 0 &&
				s.Object != run.NoObject && p.ready(&s, moved) {
				return false
			}
		}
		return true
	case schedule.CondWake:
		i := x.threads[p.act.thread].notified
		return i >= 0 && p.comes(i, moved)
	}
	state, ok := p.state(o, moved)
	if !ok {
		return true
	}
	at, possible := o.At(state)
	*o = at
	return possible
}

// ready reports whether one case of a select is known to be possible.
func (p *placement) ready(o *run.Transition, moved clock) bool {
	ops := []schedule.Op{o.Op}
	if o.Op != schedule.Send {
		ops = []schedule.Op{schedule.Recv, schedule.RecvClosed}
	}
	for _, op := range ops {
		c := *o
		c.Op = op
		if possible, known := p.communicates(&c, moved); possible && known {
			return true
		}
	}
	return false
}

// communicates is at for a communication. Nobody knows what a channel holds that
// a timer sends to, or that was closed before anything was seen of it.
func (p *placement) communicates(o *run.Transition, moved clock) (possible, known bool) {
	ob := p.object(o.Object)
	if ob == nil {
		return false, true
	}
	closed := ob.closed || p.count(ob.closes, moved) > 0
	if o.Partner >= 0 {
		return !closed, true
	}
	if o.Delta > 0 && (!ob.based || ob.timed) {
		switch {
		case o.Op == schedule.Send && closed:
			return true, true
		case o.Op == schedule.RecvClosed && !closed:
			return false, true
		}
		return false, false
	}
	held := ob.base + p.count(ob.sends, moved) - p.count(ob.receives, moved)
	switch o.Op {
	case schedule.Send:
		return closed || held < o.Delta, true // a closed one makes it panic
	case schedule.Recv:
		return held > 0, true
	}
	return closed && held == 0, true
}

// state returns the state in which o finds its cell, if it is known.
func (p *placement) state(o *run.Transition, moved clock) (state int64, ok bool) {
	x, c := p.execution, p.node.position
	ob := x.object(o.Object)
	if ob == nil {
		return 0, false
	}
	at, _ := slices.BinarySearch(ob.events, c)
	state = o.State
	for _, i := range ob.events[at:] {
		if e := &x.events[i].option; e.Offset == o.Offset && e.Cells == o.Cells {
			if isPlain(e.Op) {
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
		e := x.events[i].option
		if e.Offset != o.Offset {
			continue
		}
		e.State = state
		if state, ok = e.After(); !ok {
			return 0, false
		}
	}
	return state, true
}

func isPlain(op schedule.Op) bool { return op == schedule.Read || op == schedule.Write }
