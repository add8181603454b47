package hyperconcolic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An execution is a run as far as it has come: its events, in the order in which
// they were carried out, and what happened before each.
type execution struct {
	names *run.Names
	eager bool // timers may fire while something else can happen

	events  []event
	nodes   []node
	moves   []move           // the whole run: steps and values
	entries []run.Transition // that events and nodes refer to
	threads []thread
	objects []object
	wide    []int32 // events that may depend on those of any object
	talks   []int32 // events with entries
	waiting []int32 // events that have to do with condition variables
	altered []int32 // events in which a value other than 0 was chosen
	kept    []int32 // nodes at which the thread was kept back
	choices []int32 // nodes that were left by default, with entries
	broad   []int32 // the others that were left by a step that may depend on those of any object, or that has a partner

	threadOf []int32                // by goroutine: index in threads + 1
	timers   map[int32]int32        // the same for timers
	objectOf map[run.ObjectID]int32 // index in objects

	revisits []revisit // found so far
	weight   int       // of those, see maxKept

	clocks    clockMemory
	past      clock     // scratch: of the step that is looked at
	placement placement // scratch: of the step that is placed
}

// An event is a step of the run.
type event struct {
	act
	index        int32 // among those of its thread, from 1
	partnerIndex int32
	clock        clock // what happened before it, and itself
	before       clockMark
	node         int32 // index in nodes, when it was taken by default; else -1
	start        int32 // index in moves
	path         int32 // conditions before it
	inputs       int32 // variables drawn before it
	preemptions  int32 // up to it
	from, to     int32 // entries: what its threads might have done instead, when it is a communication
}

// An act is a step with its threads.
type act struct {
	option  run.Transition
	move    move
	thread  int32
	partner int32 // thread that the step completes a rendezvous of, -1 without one
	wide    bool  // it may depend on steps on other objects
}

// of reports whether thread t takes part in a.
func (a *act) of(t int32) bool { return a.thread == t || a.partner == t && t >= 0 }

// A thread is a goroutine or, with one event, a timer.
type thread struct {
	goroutine int32
	alt       int32   // of a timer
	base      clock   // what happened before its first event
	creator   int32   // the event at whose end it was there, -1 for those at the start
	events    []int32 // that it takes part in
	notified  int32   // event that wakes it from the condition variable it waits for, -1
	waits     cell    // of that condition variable
}

// begin makes x empty.
func (x *execution) begin() {
	for i := range x.threads {
		if g := x.threads[i].goroutine; g >= 0 {
			x.threadOf[g] = 0
		}
	}
	if x.timers == nil {
		x.timers, x.objectOf = map[int32]int32{}, map[run.ObjectID]int32{}
	}
	x.clocks.reset()
	clear(x.timers)
	clear(x.objectOf)
	x.events, x.nodes, x.moves, x.entries = x.events[:0], x.nodes[:0], x.moves[:0], x.entries[:0]
	x.wide, x.talks, x.altered, x.waiting = x.wide[:0], x.talks[:0], x.altered[:0], x.waiting[:0]
	x.kept, x.choices, x.broad = x.kept[:0], x.choices[:0], x.broad[:0]
	x.revisits, x.weight = x.revisits[:0], 0
	x.threads, x.objects = x.threads[:0], x.objects[:0]
}

// thread returns the thread of the goroutine or timer whose option o is. One that is
// new was there at the end of the last event.
func (x *execution) thread(o *run.Transition) int32 {
	if o.Goroutine >= 0 {
		return x.goroutine(o.Goroutine)
	}
	i, ok := x.timers[o.Alt]
	if !ok {
		i = x.newThread(-1)
		x.timers[o.Alt] = i
		t := &x.threads[i]
		t.alt = o.Alt
		if t.creator >= 0 && o.Bubble != (run.ObjectID{}) {
			t.base = x.events[t.creator].clock // in which the bubble's time has moved
		}
	}
	return i
}

// goroutine returns the thread of a goroutine, as thread does.
func (x *execution) goroutine(goroutine int32) int32 {
	for int(goroutine) >= len(x.threadOf) {
		x.threadOf = append(x.threadOf, 0)
	}
	i := x.threadOf[goroutine] - 1
	if i < 0 {
		i = x.newThread(goroutine)
		x.threadOf[goroutine] = i + 1
	}
	return i
}

func (x *execution) newThread(goroutine int32) int32 {
	i := int32(len(x.threads))
	if cap(x.threads) > len(x.threads) {
		x.threads = x.threads[:i+1]
	} else {
		x.threads = append(x.threads, thread{})
	}
	t := &x.threads[i]
	*t = thread{goroutine: goroutine, creator: int32(len(x.events)) - 1, events: t.events[:0], notified: -1}
	if goroutine >= 0 && t.creator >= 0 {
		t.base = x.events[t.creator].clock
	}
	return i
}

// act returns o with its threads.
func (x *execution) act(o *run.Transition) act {
	a := act{option: *o, move: moveOf(o), thread: x.thread(o), partner: -1, wide: isWide(o)}
	if o.Op == schedule.Send && o.Partner >= 0 {
		a.partner = x.goroutine(o.Partner)
	}
	return a
}

// before returns what happened before the next event of thread t.
func (x *execution) before(t int32) clock {
	th := &x.threads[t]
	if n := len(th.events); n > 0 {
		return x.events[th.events[n-1]].clock
	}
	return th.base
}

// has reports whether event i is in the set that c describes.
func (x *execution) has(c clock, i int32) bool {
	e := &x.events[i]
	return c.at(e.thread) >= e.index
}

// isWide reports whether o may depend on steps on other objects.
func isWide(o *run.Transition) bool {
	switch o.Op {
	case schedule.CondSignal, schedule.TimerFire, schedule.TimerSet, schedule.Sleep, schedule.BubbleIdle, schedule.NoOp:
		return true
	case schedule.SelectDefault:
		if o.Delta > 1 {
			return true
		}
	}
	return o.Contingent || o.From.Cells > 0 || len(o.Awaits) > 0 ||
		o.Object == run.GoroutinesObject || o.Object == run.ClockObject
}

// waitsForRest reports whether o is possible only when nothing else is: a timer
// that must not fire any time.
func (x *execution) waitsForRest(o *run.Transition) bool {
	return !x.eager && (o.Op == schedule.TimerFire || o.Op == schedule.Sleep) && o.Bubble == run.ObjectID{}
}

// dependent reports whether the order of two steps of different threads matters.
func (x *execution) dependent(a, b *act) bool {
	if a.option.Object != b.option.Object && !a.wide && !b.wide {
		return false
	}
	return run.Dependent(&a.option, &b.option) || x.waitsForRest(&a.option) || x.waitsForRest(&b.option)
}

// history sets x.past to what happens before a step that is carried out now.
func (x *execution) history(a *act) {
	n := len(x.threads)
	if cap(x.past) < n {
		x.past = make(clock, n, 2*n)
	}
	x.past = x.past[:n]
	clear(x.past)
	x.past.join(x.before(a.thread))
	if a.partner >= 0 {
		x.past.join(x.before(a.partner))
	}
	if a.wide {
		for i := len(x.events) - 1; i >= 0; i-- {
			x.after(int32(i), a)
		}
	} else {
		x.afterAll(x.wide, a)
		if ob := x.object(a.option.Object); ob != nil {
			x.afterAll(ob.events, a)
		}
	}
	if i := x.enabler(a); i >= 0 {
		x.past.join(x.events[i].clock)
	}
}

func (x *execution) afterAll(list []int32, a *act) {
	for k := len(list) - 1; k >= 0; k-- {
		if x.after(list[k], a); x.follows(list[k], a) {
			return
		}
	}
}

// after takes in that a is the next step, and event i before it.
func (x *execution) after(i int32, a *act) {
	if e := &x.events[i]; !x.has(x.past, i) && x.dependent(&e.act, a) {
		x.past.join(e.clock)
	}
}

// follows reports whether event i has come after all earlier ones on the cell
// that a is on, and a is on no other.
func (x *execution) follows(i int32, a *act) bool {
	e := &x.events[i]
	if a.wide || e.option.Object != a.option.Object || e.option.Offset != a.option.Offset || a.option.Cells > 1 {
		return false
	}
	switch e.option.Op {
	case schedule.AtomicWrite, schedule.AtomicUpdate, schedule.Lock, schedule.Unlock:
		return true
	}
	return false
}

// enabler returns the event that has made the next step a possible without being
// dependent with it in the terms of vm.Dependent, -1 when there is none.
func (x *execution) enabler(a *act) int32 {
	o := &a.option
	if o.Op == schedule.CondWake {
		return x.threads[a.thread].notified
	}
	if ob := x.buffer(o); ob != nil {
		return ob.enabler(o, int64(len(ob.sends)), int64(len(ob.receives)))
	}
	return -1
}

// add adds the step a, whose history is x.past, to the run.
func (x *execution) add(a *act, path int) *event {
	i := int32(len(x.events))
	if cap(x.events) > len(x.events) {
		x.events = x.events[:i+1]
	} else {
		x.events = append(x.events, event{})
	}
	e := &x.events[i]
	*e = event{act: *a, node: -1, start: int32(len(x.moves)), path: int32(path), before: x.clocks.mark()}
	e.clock = x.clocks.make(len(x.threads))
	e.clock.join(x.past)
	e.index = x.takesPart(a.thread, i)
	e.clock[a.thread] = e.index
	if a.partner >= 0 {
		e.partnerIndex = x.takesPart(a.partner, i)
		e.clock[a.partner] = e.partnerIndex
	}
	x.moves = append(x.moves, a.move)
	o := &a.option
	if a.wide {
		x.wide = append(x.wide, i)
	}
	if ob := x.object(o.Object); ob != nil {
		ob.note(o, i)
		ob.events = append(ob.events, i)
	}
	x.notice(e, i)
	return e
}

func (x *execution) takesPart(t, i int32) int32 {
	th := &x.threads[t]
	th.events = append(th.events, i)
	return int32(len(th.events))
}

// order adds to to, in order, the events from position from on whose order with a
// may matter.
func (x *execution) order(to []int32, a *act, from int32) []int32 {
	if a.wide {
		for i := from; int(i) < len(x.events); i++ {
			to = append(to, i)
		}
		return to
	}
	var own []int32
	if ob := x.object(a.option.Object); ob != nil {
		own = ob.events
	}
	k, _ := slices.BinarySearch(own, from)
	own = own[k:]
	k, _ = slices.BinarySearch(x.wide, from)
	for _, i := range x.wide[k:] {
		for len(own) > 0 && own[0] <= i {
			if own[0] < i {
				to = append(to, own[0])
			}
			own = own[1:]
		}
		to = append(to, i)
	}
	return append(to, own...)
}

// notice keeps track of who waits for condition variables, and by whom they are woken.
func (x *execution) notice(e *event, i int32) {
	o := &e.option
	switch o.Op {
	case schedule.CondWait, schedule.CondWake, schedule.CondSignal:
		x.waiting = append(x.waiting, i)
	}
	x.notify(e, i)
}

// notify takes in what event i does to those who wait.
func (x *execution) notify(e *event, i int32) {
	o := &e.option
	at := cell{o.Object, o.Offset}
	switch o.Op {
	case schedule.CondWait:
		t := &x.threads[e.thread]
		t.waits, t.notified = at, -1
	case schedule.CondWake:
		t := &x.threads[e.thread]
		t.waits, t.notified = cell{}, -1
	case schedule.CondSignal:
		for k := range x.threads {
			t := &x.threads[k]
			if t.waits == at && t.notified < 0 && (o.Partner < 0 || o.Partner == t.goroutine) {
				t.notified = i
			}
		}
	}
}
