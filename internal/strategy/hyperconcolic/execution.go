package hyperconcolic

import (
	"context"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An execution is a run so far: its events, in the order in which they were carried out, and
// what happened before each.
type execution struct {
	names *run.Names

	events         []event
	nodes          []node
	decisions      []decision       // of the whole run
	alternatives   []run.Transition // of events and nodes
	threads        []thread
	objects        []object
	wide           []int32 // events that may be dependent with those on any object
	communications []int32 // events with alternatives
	waited         []int32 // those of them in which a goroutine takes part that was known to wait
	condEvents     []int32 // events on condition variables
	nonzero        []int32 // events in which a value other than 0 was chosen
	passes         []int32 // events in which time passed
	postponed      []int32 // nodes at which the thread was postponed
	choiceNodes    []int32 // nodes at which the default was taken, with alternatives
	wideNodes      []int32 // the others at which the default was taken and is wide or has a partner
	meetingNodes   []int32 // nodes at which a thread has met one of several goroutines
	listed         []int32 // events that begin at a node of choiceNodes, wideNodes or meetingNodes

	symmetric []run.Symmetric // of the trace

	threadOf []int32                // by goroutine: index in threads + 1
	timers   map[timer]int32        // the same for timers, and for the passing of time
	objectOf map[run.ObjectID]int32 // index in objects

	revisits []revisit // found so far
	weight   int       // of revisits, see maxRevisits
	tries    int       // of sets of events, see maxTries
	// ctx is that of the call of Next. What was not looked for because it had ended is
	// looked for when the run is made again: Learn fails.
	ctx context.Context

	clocks   clockMemory
	past     clock    // scratch: see setPast
	reversal reversal // scratch: see reverse
}

// An event is a step of the run.
type event struct {
	step
	index        int32 // among those of its thread, from 1
	partnerIndex int32
	clock        clock // what happened before it and the event itself
	before       clockMark
	node         int32 // index in nodes if it is the default there, else -1
	start        int32 // index in decisions
	path         int32 // number of conditions before it
	inputs       int32 // number of variables drawn before it
	preemptions  int32 // number of preemptions up to it
	from, to     int32 // in alternatives: what its threads could have done instead, if it is a communication, or the timer, if it stops or sets one
	last         lists // those of which all earlier events are known to have happened before it
}

// A step is a transition with its threads.
type step struct {
	transition run.Transition
	decision   decision
	thread     int32
	partner    int32 // the receiver of a rendezvous, else -1
	wide       bool  // it may be dependent with steps on other objects
}

// of reports whether thread t takes part in s.
func (s *step) of(t int32) bool { return s.thread == t || s.partner == t && t >= 0 }

// A thread is a goroutine, a timer, or the passing of time.
type thread struct {
	goroutine int32
	timer     timer   // if it is one
	base      clock   // what happened before its first event
	creator   int32   // the event after which it appeared, -1 at the start
	events    []int32 // that it takes part in
	notified  int32   // the event that wakes it while it waits for a condition variable, -1 if there is none
	waits     cell    // the condition variable
	// Until it has begun, which is when it takes a step other than a Done that commutes, first
	// and site are the cell and the place of what it is about to do, if known is set.
	begun, known bool
	first        cell
	site         run.SiteID
}

// begin makes x empty.
func (x *execution) begin() {
	for i := range x.threads {
		if g := x.threads[i].goroutine; g >= 0 {
			x.threadOf[g] = 0
		}
	}
	if x.timers == nil {
		x.timers, x.objectOf = map[timer]int32{}, map[run.ObjectID]int32{}
	}
	x.clocks.reset()
	clear(x.timers)
	clear(x.objectOf)
	x.events, x.nodes, x.decisions, x.alternatives = x.events[:0], x.nodes[:0], x.decisions[:0], x.alternatives[:0]
	x.wide, x.communications, x.nonzero, x.condEvents = x.wide[:0], x.communications[:0], x.nonzero[:0], x.condEvents[:0]
	x.passes, x.waited = x.passes[:0], x.waited[:0]
	x.postponed, x.choiceNodes, x.wideNodes, x.meetingNodes = x.postponed[:0], x.choiceNodes[:0], x.wideNodes[:0], x.meetingNodes[:0]
	x.listed = x.listed[:0]
	x.revisits, x.weight, x.tries = x.revisits[:0], 0, 0
	x.threads, x.objects = x.threads[:0], x.objects[:0]
}

// thread returns the thread of the goroutine or timer of t. If it is new, it appeared after the
// last event.
func (x *execution) thread(t *run.Transition) int32 {
	if t.Goroutine >= 0 {
		i := x.goroutine(t.Goroutine)
		if th := &x.threads[i]; !th.begun {
			th.known = !t.Select // which has several transitions
			th.first, th.site = cell{}, run.SiteID{}
			if th.known {
				th.first, th.site = cellOf(t), t.Site
			}
		}
		return i
	}
	of := timerOf(t)
	i, ok := x.timers[of]
	if !ok {
		i = x.newThread(-1)
		x.timers[of] = i
		th := &x.threads[i]
		th.timer = of
		if th.creator >= 0 && t.Op == schedule.TimerFire {
			th.base = x.events[th.creator].clock // which set the timer or moved the bubble's time
		}
	}
	return i
}

// goroutine is thread for a goroutine.
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

// known returns the thread of a goroutine, -1 if there is none yet.
func (x *execution) known(goroutine int32) int32 {
	if int(goroutine) >= len(x.threadOf) {
		return -1
	}
	return x.threadOf[goroutine] - 1
}

func (x *execution) newThread(goroutine int32) int32 {
	i := int32(len(x.threads))
	if cap(x.threads) > len(x.threads) {
		x.threads = x.threads[:i+1]
	} else {
		x.threads = append(x.threads, thread{})
	}
	th := &x.threads[i]
	*th = thread{goroutine: goroutine, creator: int32(len(x.events)) - 1, events: th.events[:0], notified: -1}
	if goroutine >= 0 && th.creator >= 0 {
		th.base = x.events[th.creator].clock
	}
	return i
}

// step returns the step of t.
func (x *execution) step(t *run.Transition) step {
	s := step{transition: *t, decision: decisionOf(t), thread: x.thread(t), partner: -1, wide: isWide(t)}
	if t.Op == schedule.Send && t.Partner >= 0 {
		s.partner = x.goroutine(t.Partner)
	}
	return s
}

// before returns what happened before the next event of thread t.
func (x *execution) before(t int32) clock {
	th := &x.threads[t]
	if n := len(th.events); n > 0 {
		return x.events[th.events[n-1]].clock
	}
	return th.base
}

// has reports whether event i is in c.
func (x *execution) has(c clock, i int32) bool {
	e := &x.events[i]
	return c.at(e.thread) >= e.index
}

// eventsFrom appends the events of c to a list that do not come before event i, in their order.
func (x *execution) eventsFrom(list []int32, c clock, i int32) []int32 {
	for t := range x.threads {
		events := x.threads[t].events
		events = events[:min(int(c.at(int32(t))), len(events))]
		from, _ := slices.BinarySearch(events, i)
		for _, k := range events[from:] {
			if x.events[k].thread == int32(t) { // others take part in it, too
				list = append(list, k)
			}
		}
	}
	slices.Sort(list)
	return list
}

// isWide reports whether t may be dependent with steps on other objects. A signal is, since the goroutine that it
// wakes is another one where it comes at another time.
func isWide(t *run.Transition) bool {
	return t.Op == schedule.CondSignal || t.Op == schedule.NoOp || t.IsWide()
}

// dependent reports whether the order of two steps of different threads matters.
func (x *execution) dependent(s, b *step) bool {
	if s.transition.Object != b.transition.Object && !s.wide && !b.wide {
		return false
	}
	return run.Dependent(&s.transition, &b.transition)
}

// setPast sets x.past to what happens before s if that is the next step.
func (x *execution) setPast(s *step) {
	n := len(x.threads)
	if cap(x.past) < n {
		x.past = make(clock, n, 2*n)
	}
	x.past = x.past[:n]
	clear(x.past)
	x.past.join(x.before(s.thread))
	if s.partner >= 0 {
		x.past.join(x.before(s.partner))
	}
	if s.wide {
		for i := int32(len(x.events)) - 1; i >= 0; i-- {
			if x.after(i, s); x.isLast(i, ofAll, x.past) {
				break
			}
		}
	} else {
		x.afterAll(x.wide, s, ofWide)
		if ob := x.object(s.transition.Object); ob != nil {
			x.afterAll(ob.events, s, ofObject)
		}
	}
	if i := x.enabler(s); i >= 0 {
		x.past.join(x.events[i].clock)
	}
}

// afterAll adds the events of a list to x.past that happen before s.
func (x *execution) afterAll(list []int32, s *step, of lists) {
	for k := len(list) - 1; k >= 0; k-- {
		if x.after(list[k], s); x.follows(list[k], s) || x.isLast(list[k], of, x.past) {
			return
		}
	}
}

// after adds event i to x.past if it happens before s.
func (x *execution) after(i int32, s *step) {
	if e := &x.events[i]; !x.has(x.past, i) && x.dependent(&e.step, s) {
		x.past.join(e.clock)
	}
}

// follows reports whether all earlier events on the cell of s, which is on no other, happened
// before event i.
func (x *execution) follows(i int32, s *step) bool {
	e := &x.events[i]
	if s.wide || e.transition.Object != s.transition.Object || e.transition.Offset != s.transition.Offset || s.transition.Cells > 1 {
		return false
	}
	switch e.transition.Op {
	case schedule.AtomicUpdate:
		return !e.transition.Commutes
	case schedule.AtomicWrite, schedule.Lock, schedule.Unlock:
		return true
	}
	return false
}

// enabler returns the event that enabled the next step s although it is not dependent with s as
// run.Dependent defines it, -1 if there is none.
func (x *execution) enabler(s *step) int32 {
	t := &s.transition
	if t.Op == schedule.CondWake {
		return x.threads[s.thread].notified
	}
	if ob := x.buffer(t); ob != nil {
		return ob.enabler(t, int64(len(ob.sends)), int64(len(ob.receives)))
	}
	return -1
}

// add adds the step s, before which x.past happened, to the run.
func (x *execution) add(s *step, path int) *event {
	i := int32(len(x.events))
	if cap(x.events) > len(x.events) {
		x.events = x.events[:i+1]
	} else {
		x.events = append(x.events, event{})
	}
	e := &x.events[i]
	*e = event{step: *s, node: -1, start: int32(len(x.decisions)), path: int32(path), before: x.clocks.mark()}
	e.clock = x.clocks.make(len(x.threads))
	e.clock.join(x.past)
	e.index = x.takesPart(s.thread, i)
	e.clock[s.thread] = e.index
	if s.partner >= 0 {
		e.partnerIndex = x.takesPart(s.partner, i)
		e.clock[s.partner] = e.partnerIndex
	}
	x.decisions = append(x.decisions, s.decision)
	t := &s.transition
	if t.Op == schedule.TimePass {
		x.passes = append(x.passes, i)
	}
	x.noteLastOfAll(e, i)
	if s.wide {
		x.wide = x.appendTo(x.wide, i, ofWide)
	}
	if ob := x.object(t.Object); ob != nil {
		ob.note(t, i)
		ob.events = x.appendTo(ob.events, i, ofObject)
	}
	x.noteCondition(e, i)
	return e
}

func (x *execution) takesPart(t, i int32) int32 {
	th := &x.threads[t]
	th.events = append(th.events, i)
	th.begun = th.begun || !isOpening(&x.events[i].transition)
	return int32(len(th.events))
}

// appendCandidates appends to to, in order, the events from position from on that may be
// dependent with s.
func (x *execution) appendCandidates(to []int32, s *step, from int32) []int32 {
	if s.wide {
		for i := from; int(i) < len(x.events); i++ {
			to = append(to, i)
		}
		return to
	}
	var own []int32
	if ob := x.object(s.transition.Object); ob != nil {
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

// noteCondition keeps track of the threads that wait for condition variables, and of the events
// that wake them.
func (x *execution) noteCondition(e *event, i int32) {
	t := &e.transition
	switch t.Op {
	case schedule.CondWait, schedule.CondWake, schedule.CondSignal:
		x.condEvents = append(x.condEvents, i)
	}
	x.updateWaiters(e, i)
}

// updateWaiters notes which threads event i makes wait or wakes.
func (x *execution) updateWaiters(e *event, i int32) {
	t := &e.transition
	at := cell{t.Object, t.Offset}
	switch t.Op {
	case schedule.CondWait:
		th := &x.threads[e.thread]
		th.waits, th.notified = at, -1
	case schedule.CondWake:
		th := &x.threads[e.thread]
		th.waits, th.notified = cell{}, -1
	case schedule.CondSignal:
		for k := range x.threads {
			th := &x.threads[k]
			if th.waits == at && th.notified < 0 && (t.Partner < 0 || t.Partner == th.goroutine) {
				th.notified = i
			}
		}
	}
}
