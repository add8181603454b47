package wait

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/schedule"
)

// A Wait says when the goroutine of a step waits for ever, by the steps of the window: none of the
// partners is done, and some other steps are.
type Wait struct {
	Partners []int           // one of them ends it: the sends or receives of others, the close or the signals, or each of the Dones
	Done     []int           // have to be done before it
	All      bool            // any partner ends it, and not only all of them
	On       []schedule.Cell // what is waited for, and what is also waited for in a select
}

// Partner returns the last of the partners that a goroutine, as clocks call it, does; -1 if there is none.
func (w *Wait) Partner(steps []reorder.Step, thread schedule.GoroutineID) int {
	for _, p := range slices.Backward(w.Partners) {
		if steps[p].Goroutine == thread {
			return p
		}
	}
	return -1
}

// Threads returns the goroutines of the partners.
func (w *Wait) Threads(steps []reorder.Step) []schedule.GoroutineID {
	var list []schedule.GoroutineID
	for _, p := range w.Partners {
		if g := steps[p].Goroutine; !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	return list
}

// Meets reports whether two goroutines may wait for each other's part in one operation: at one channel.
func (w *Wait) Meets(other *Wait) bool {
	return slices.ContainsFunc(w.On, func(c schedule.Cell) bool { return slices.Contains(other.On, c) })
}

// A Finder finds the waits in the windows of a schedule.
type Finder struct {
	state    *schedule.State
	steps    []reorder.Step // of the window
	channels map[schedule.ObjectID]*channel
	used     []*channel              // in the window
	signals  map[schedule.Cell][]int // of the window
}

// NewFinder returns a Finder for a schedule, which has not begun.
func NewFinder(state *schedule.State) *Finder {
	return &Finder{state: state, channels: make(map[schedule.ObjectID]*channel)}
}

// A channel is what the steps of a window do to a channel.
type channel struct {
	sends, receives []int // in order
	closes          []int
	timer           bool
	// What came before the window.
	sent, received int64
	closed         bool
}

// Next takes it that the window is over, and that these are the steps of the next one.
func (f *Finder) Next(steps []reorder.Step) {
	for _, c := range f.used {
		c.sent += int64(len(c.sends))
		c.received += int64(len(c.receives))
		c.closed = c.closed || len(c.closes) > 0
		c.sends, c.receives, c.closes = nil, nil, nil
	}
	f.steps, f.used, f.signals = steps, f.used[:0], nil
	for i := range steps {
		s := &steps[i]
		switch o := s.Site.Cell.Object; s.Site.Op {
		case schedule.Send, schedule.Recv, schedule.Close:
			f.use(f.channel(o), i)
		case schedule.TimerFire, schedule.TimerSet:
			f.channel(o).timer = true
		case schedule.CondSignal:
			if f.signals == nil {
				f.signals = make(map[schedule.Cell][]int)
			}
			f.signals[s.Site.Cell] = append(f.signals[s.Site.Cell], i)
		}
	}
}

// use notes that step i is done to a channel.
func (f *Finder) use(c *channel, i int) {
	if len(c.sends)+len(c.receives)+len(c.closes) == 0 {
		f.used = append(f.used, c)
	}
	switch f.steps[i].Site.Op {
	case schedule.Send:
		c.sends = append(c.sends, i)
	case schedule.Recv:
		c.receives = append(c.receives, i)
	case schedule.Close:
		c.closes = append(c.closes, i)
	}
}

// channel returns what is known of a channel.
func (f *Finder) channel(o schedule.ObjectID) *channel {
	c := f.channels[o]
	if c == nil {
		c = new(channel)
		f.channels[o] = c
	}
	return c
}

// Sends, Receives and Closes return the steps of the window that do so on a channel, in order, and Signals those that
// signal to a condition.
func (f *Finder) Sends(o schedule.ObjectID) []int    { return f.channel(o).sends }
func (f *Finder) Receives(o schedule.ObjectID) []int { return f.channel(o).receives }
func (f *Finder) Closes(o schedule.ObjectID) []int   { return f.channel(o).closes }
func (f *Finder) Signals(c schedule.Cell) []int      { return f.signals[c] }

// IsTimer reports whether a timer sends on a channel, or may do so.
func (f *Finder) IsTimer(o schedule.ObjectID) bool { return f.channel(o).timer }

// IsFresh reports whether nothing was sent on a channel before the window.
func (f *Finder) IsFresh(o schedule.ObjectID) bool { return f.channel(o).sent == 0 }

// Capacity returns the capacity of a channel.
func (f *Finder) Capacity(o schedule.ObjectID) int64 { return f.state.Capacity(o) }

// WasClosed reports whether a channel was closed before the window.
func (f *Finder) WasClosed(o schedule.ObjectID) bool { return f.channel(o).closed }

// Of returns when the goroutine of step i of the window waits for ever by channels, wait groups and
// conditions, nil if that is not known, or never. A select whose cases are not known may do anything.
func (f *Finder) Of(i int) *Wait {
	s := &f.steps[i]
	if s.Site.Goroutine < 0 || s.Select && (s.Choice == nil || s.Choice.Default) {
		return nil
	}
	switch s.Site.Op {
	case schedule.Recv, schedule.RecvClosed, schedule.Send:
		if s.Choice != nil {
			return f.selects(i, s.Choice.Cases)
		}
		if s.Site.Op == schedule.Send {
			return f.Send(i, s.Site.Cell.Object)
		}
		return f.Receive(i, s.Site.Cell.Object)
	case schedule.WaitGroupWait:
		return f.waitGroup(i)
	case schedule.CondWake:
		return f.condition(i)
	}
	return nil
}

// selects returns when step i, a select with the given cases, waits for ever.
func (f *Finder) selects(i int, cases []schedule.Case) *Wait {
	w := &Wait{All: true}
	for _, c := range cases {
		if c.Object == 0 {
			continue // a nil channel
		}
		one := f.Receive(i, c.Object)
		if c.Op == schedule.Send {
			one = f.Send(i, c.Object)
		}
		if one == nil {
			return nil
		}
		w.Partners = append(w.Partners, one.Partners...)
		w.Done = append(w.Done, one.Done...)
		w.On = append(w.On, one.On...)
	}
	slices.Sort(w.Partners)
	w.Partners = slices.Compact(w.Partners)
	return w
}

// Receive returns when a receive from a channel waits for ever in the place of step i: the values that were sent
// before have been received, and nothing else is sent.
func (f *Finder) Receive(i int, o schedule.ObjectID) *Wait {
	c := f.channel(o)
	if c.timer || c.closed {
		return nil
	}
	before, _ := slices.BinarySearch(c.receives, i)
	nth := c.received + int64(before) // receives before it
	skip := nth - c.sent              // sends of the window that are for them
	if skip < 0 {
		return nil // what it receives was sent before the window
	}
	w := &Wait{Done: c.receives[:before], All: true, On: []schedule.Cell{{Object: o}}}
	w.Partners = slices.Concat(c.sends[min(int(skip), len(c.sends)):], c.closes)
	slices.Sort(w.Partners)
	return w
}

// Send returns when a send on a channel waits for ever in the place of step i: there is no room, and
// nothing is received.
func (f *Finder) Send(i int, o schedule.ObjectID) *Wait {
	c := f.channel(o)
	if c.timer || c.closed || slices.ContainsFunc(c.closes, func(j int) bool { return !f.steps[j].Follows(&f.steps[i]) }) {
		return nil // it may panic
	}
	before, _ := slices.BinarySearch(c.sends, i)
	nth := c.sent + int64(before) - f.state.Capacity(o) // receives that make room for what is before it
	skip := nth - c.received
	if skip < 0 {
		return nil // there is room since before the window
	}
	skip = min(skip, int64(len(c.receives)))
	return &Wait{
		Partners: slices.Clone(c.receives[skip:]), Done: slices.Concat(c.sends[:before], c.receives[:skip]),
		All: true, On: []schedule.Cell{{Object: o}},
	}
}

// waitGroup returns when step i, which waits for a wait group, waits for ever: all has been added, and a Done is
// missing.
func (f *Finder) waitGroup(i int) *Wait {
	w := &Wait{On: []schedule.Cell{f.steps[i].Site.Cell}}
	for j := range f.steps[:i] {
		switch s := &f.steps[j]; {
		case s.Site.Op != schedule.WaitGroupAdd || s.Site.Cell != f.steps[i].Site.Cell:
		case s.Added > 0:
			w.Done = append(w.Done, j)
		default:
			w.Partners = append(w.Partners, j)
		}
	}
	return w
}

// condition returns when step i, which wakes at a condition, waits for ever: what was signalled before it began to
// wait has been, and nothing is signalled after that.
func (f *Finder) condition(i int) *Wait {
	began := -1
	for j := range f.steps[:i] {
		if s := &f.steps[j]; s.Site.Op == schedule.CondWait && s.Goroutine == f.steps[i].Goroutine && s.Site.Cell == f.steps[i].Site.Cell {
			began = j
		}
	}
	if began < 0 {
		return nil // before the window
	}
	w := &Wait{All: true, On: []schedule.Cell{f.steps[i].Site.Cell}}
	for _, j := range f.signals[f.steps[i].Site.Cell] {
		if j < began {
			w.Done = append(w.Done, j)
		} else {
			w.Partners = append(w.Partners, j)
		}
	}
	return w
}
