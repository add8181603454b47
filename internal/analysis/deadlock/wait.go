package deadlock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// A wait is a request that is not for a lock: a receive, a send, or a Wait of a wait group or condition. It says when the
// goroutine waits for ever, by the steps of the window: none of the partners is done, and some other steps are.
type wait struct {
	partners []int // one of them ends it: the sends or receives of others, the close or the signals, or each of the Dones
	done     []int // have to be done before it
	all      bool  // any partner ends it, and not only all of them
}

// partner returns the last of the partners that a goroutine does, -1 if there is none.
func (w *wait) partner(steps []reorder.Step, thread schedule.GoroutineID) int {
	for _, p := range slices.Backward(w.partners) {
		if steps[p].Goroutine == thread {
			return p
		}
	}
	return -1
}

// threads returns the goroutines of the partners.
func (w *wait) threads(steps []reorder.Step) []schedule.GoroutineID {
	var list []schedule.GoroutineID
	for _, p := range w.partners {
		if g := steps[p].Goroutine; !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	return list
}

// A channel is what the steps of a window do to a channel.
type channel struct {
	sends, receives []int // in order
	closes          []int
	timer           bool
	// How many sends and receives came before the window.
	sent, received int64
}

// traffic is how much was sent on a channel, and received from it.
type traffic struct{ sent, received int64 }

// channels returns the channels of the window, and takes it that the window is over.
func (d *detector) channels() map[schedule.ObjectID]*channel {
	channels := map[schedule.ObjectID]*channel{}
	for i := range d.Steps {
		s := &d.Steps[i]
		o := s.Site.Cell.Object
		switch s.Site.Op {
		case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.TimerFire, schedule.TimerSet:
			if channels[o] == nil {
				t := d.traffic[o]
				channels[o] = &channel{sent: t.sent, received: t.received}
			}
		default:
			continue
		}
		c := channels[o]
		switch s.Site.Op {
		case schedule.Send:
			c.sends = append(c.sends, i)
		case schedule.Recv:
			c.receives = append(c.receives, i)
		case schedule.Close:
			c.closes = append(c.closes, i)
		case schedule.TimerFire, schedule.TimerSet:
			c.timer = true
		}
	}
	for o, c := range channels {
		d.traffic[o] = traffic{c.sent + int64(len(c.sends)), c.received + int64(len(c.receives))}
	}
	return channels
}

// waits returns the steps of the window at which goroutines may wait for others by channels, wait groups and conditions. A
// select is not among them: the schedule does not say what else it could do.
func (d *detector) waits() map[int]*wait {
	channels := d.channels()
	waits := map[int]*wait{}
	for i := range d.Steps {
		s := &d.Steps[i]
		if s.Select || s.Goroutine == 0 { // a timer
			continue
		}
		var w *wait
		switch s.Site.Op {
		case schedule.Recv, schedule.RecvClosed:
			w = channels[s.Site.Cell.Object].receive(i)
		case schedule.Send:
			w = channels[s.Site.Cell.Object].send(i, d.state.Capacity(s.Site.Cell.Object))
		case schedule.WaitGroupWait:
			w = d.waitGroup(i)
		case schedule.CondWake:
			w = d.condition(i)
		}
		if w != nil && len(w.partners) > 0 {
			waits[i] = w
		}
	}
	return waits
}

// receive returns when step i, which receives, waits for ever: the values that were sent before have been
// received, and nothing else is sent.
func (c *channel) receive(i int) *wait {
	if c.timer {
		return nil
	}
	before, _ := slices.BinarySearch(c.receives, i)
	nth := c.received + int64(before) // receives before it
	skip := nth - c.sent              // sends of the window that are for them
	if skip < 0 {
		return nil // what it receives was sent before the window
	}
	w := &wait{done: c.receives[:before], all: true}
	w.partners = slices.Concat(c.sends[min(int(skip), len(c.sends)):], c.closes)
	slices.Sort(w.partners)
	return w
}

// send returns when step i, which sends on a channel of the given capacity, waits for ever: there is no room, and
// nothing is received.
func (c *channel) send(i int, capacity int64) *wait {
	if c.timer || len(c.closes) > 0 {
		return nil
	}
	before, _ := slices.BinarySearch(c.sends, i)
	nth := c.sent + int64(before) - capacity // receives that make room for what is before it
	skip := nth - c.received
	if skip < 0 {
		return nil // there is room since before the window
	}
	skip = min(skip, int64(len(c.receives)))
	return &wait{partners: c.receives[skip:], done: slices.Concat(c.sends[:before], c.receives[:skip]), all: true}
}

// waitGroup returns when step i, which waits for a wait group, waits for ever: all has been added, and a Done is
// missing.
func (d *detector) waitGroup(i int) *wait {
	w := new(wait)
	for j := range d.Steps[:i] {
		switch s := &d.Steps[j]; {
		case s.Site.Op != schedule.WaitGroupAdd || s.Site.Cell != d.Steps[i].Site.Cell:
		case s.Added > 0:
			w.done = append(w.done, j)
		default:
			w.partners = append(w.partners, j)
		}
	}
	return w
}

// condition returns when step i, which wakes at a condition, waits for ever: what was signalled before it began to
// wait has been, and nothing is signalled after that.
func (d *detector) condition(i int) *wait {
	began := -1
	for j := range d.Steps[:i] {
		if s := &d.Steps[j]; s.Site.Op == schedule.CondWait && s.Goroutine == d.Steps[i].Goroutine && s.Site.Cell == d.Steps[i].Site.Cell {
			began = j
		}
	}
	if began < 0 {
		return nil // before the window
	}
	w := &wait{all: true}
	for j := range d.Steps {
		switch s := &d.Steps[j]; {
		case s.Site.Op != schedule.CondSignal || s.Site.Cell != d.Steps[i].Site.Cell:
		case j < began:
			w.done = append(w.done, j)
		default:
			w.partners = append(w.partners, j)
		}
	}
	return w
}

// constraints returns literals that hold if the wait, which is request n of the path, is for ever. The result is
// not ok if a goroutine that is not in the path can end it.
func (c *circles) constraints(n int) (literals []order.Lit, ok bool) {
	r := c.requests[c.path[n]]
	if r.wait == nil {
		return nil, true
	}
	next := c.requests[c.path[(n+1)%len(c.path)]]
	left := r.wait.partners
	if !r.wait.all {
		left = []int{r.wait.partner(c.Steps, next.thread)}
	}
	for _, p := range left {
		if !slices.ContainsFunc(c.path, func(i int) bool { return c.requests[i].thread == c.Steps[p].Goroutine }) {
			return nil, false
		}
		literals = append(literals, c.problem.Kept(p).Not())
	}
	for _, i := range r.wait.done {
		literals = append(literals, c.problem.Kept(i))
	}
	// Two that wait at one channel may be partners now.
	for _, i := range c.path {
		if s := c.requests[i]; s != r && s.wait != nil && s.cell == r.cell {
			return nil, false
		}
	}
	return literals, true
}
