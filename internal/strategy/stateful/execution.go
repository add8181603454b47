package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An execution is the run so far: its events, in the order in which they were carried out, and
// what happened before each.
type execution struct {
	labels
	names   *run.Names // those of the machine that carries the runs out
	events  []event
	threads []thread
	numbers map[who]int32            // of threads
	objects map[run.ObjectID][]int32 // the events with a label on an object, in order
	wide    []int32                  // the events with a wide label
	passed  int32                    // number of events up to the last step in which time passes
	passes  []int32                  // the steps in which time passes
	clocks  []int32                  // of the events, one after the other
	own     []own                    // of the events, one after the other
	scratch clock
	looked  []looked // by the numbers of labels
}

// A looked says with which events a label has been compared that its thread does not know of: with
// all from one on, up to another one. What that knows is what happened before one event, or what is
// known ahead.
type looked struct {
	next  bool  // see look
	from  int32 // the first event
	after []compared
	later compared // with what is known ahead, by that id
}

// A compared says up to which event a label has been compared, after a past.
type compared struct {
	at    int32 // an event, or an id
	until int32
}

// An event is a step of the run.
type event struct {
	transition      run.Transition
	thread, partner int32 // partner is -1 if there is none
	index           int32 // number of events of thread so far, with this one
	partnerIndex    int32
	clock           int32 // index of its clock in clocks, which ends where the next begins
	labels          int32 // index of its labels in own, which end where the next begin
	decisions       int32 // number of decisions taken before it
	inputs          int32 // number of inputs drawn before it
	path            int32 // number of conditions before it
	choice          int32 // index of its choice, -1 if there was nothing to choose
	// last says that all earlier events on the objects on which it is happened before it.
	last bool
}

// An own is a label of one of the threads that take part in an event.
type own struct {
	thread int32
	label  int32
}

// A thread is a goroutine, a timer or the passing of time.
type thread struct {
	who
	events []int32
	born   int32 // number of events when it appeared
}

// A clock is a vector clock: it holds for each thread the number of its events in a set that
// contains, with an event, everything that happened before it. Threads beyond its length have
// none.
type clock []int32

// includes reports whether all that is in d is in c.
func (c clock) includes(d clock) bool {
	for i, n := range d {
		if n > 0 && (i >= len(c) || c[i] < n) {
			return false
		}
	}
	return true
}

// join makes c the union of c and d, which has no more threads than c.
func (c clock) join(d clock) {
	for i, n := range d {
		c[i] = max(c[i], n)
	}
}

// begin makes x empty.
func (x *execution) begin() {
	*x = execution{
		names: x.names, labels: labels{numbers: map[labelKey]int{}},
		numbers: map[who]int32{}, objects: map[run.ObjectID][]int32{},
	}
}

// clockOf returns the clock of event i.
func (x *execution) clockOf(i int32) clock {
	end := len(x.clocks)
	if int(i)+1 < len(x.events) {
		end = int(x.events[i+1].clock)
	}
	return x.clocks[x.events[i].clock:end]
}

// labelsOf returns the labels of event i.
func (x *execution) labelsOf(i int32) []own {
	end := len(x.own)
	if int(i)+1 < len(x.events) {
		end = int(x.events[i+1].labels)
	}
	return x.own[x.events[i].labels:end]
}

// contains reports whether event i is in c.
func (x *execution) contains(c clock, i int32) bool {
	if i < x.passed {
		return true
	}
	e := &x.events[i]
	return int(e.thread) < len(c) && c[e.thread] >= e.index
}

// manyEvents is the number of events from which on it is noted which a label has been compared with.
const manyEvents = 32

// lookFrom returns the first event that a label is to be compared with, after a past that is that
// of event at, or is known ahead by that id, and notes that it will have been compared with all
// that there are. What is found out for a step that a thread is at need not hold for one that may
// come later.
//
// What a comparison makes be tried is the thread of the label, or one that takes a step in its
// past, or everything. So it need not be made again when the past has grown: that of a thread that
// has gone on, or what is known ahead of it. Where next is true, that is not so: who was at the
// step may have been woken.
func (x *execution) lookFrom(number int, at int32, past clock, next bool) int32 {
	for len(x.looked) <= number {
		x.looked = append(x.looked, looked{})
	}
	l := &x.looked[number]
	if l.next != next || l.from > x.passed {
		*l = looked{next: next, from: x.passed, after: l.after[:0]}
	}
	from, n := x.passed, int32(len(x.events))
	top := len(l.after) - 1
	if at < -1 {
		if top >= 0 && !next && past.includes(x.pastOf(l.after[top].at)) {
			from = max(from, l.after[top].until)
		}
		if l.later.at == at {
			from = max(from, l.later.until)
		}
		l.later = compared{at, n}
		return from
	}
	switch {
	case top >= 0 && l.after[top].at == at:
		from = max(from, l.after[top].until)
		l.after[top].until = n
		return from
	case top >= 0 && !next && past.includes(x.pastOf(l.after[top].at)):
		from = max(from, l.after[top].until)
	default:
		l.after = l.after[:0]
	}
	l.after = append(l.after, compared{at, n})
	return from
}

// backtrack does what follows for l if the events from n on are removed.
func (l *looked) backtrack(n int32) {
	k := len(l.after)
	for k > 0 && l.after[k-1].at >= n {
		k--
	}
	l.after = l.after[:k]
	for k--; k >= 0 && l.after[k].until > n; k-- {
		l.after[k].until = n
	}
	l.later.until = min(l.later.until, n)
}

// register makes threads of the goroutines and timers that are new. They have been started in
// the last event.
func (x *execution) register(pending []run.Transition) {
	for i := range pending {
		x.thread(whoTakes(&pending[i]))
	}
}

// thread returns the thread of w.
func (x *execution) thread(w who) int32 {
	n, ok := x.numbers[w]
	if !ok {
		n = int32(len(x.threads))
		x.numbers[w] = n
		if cap(x.threads) > len(x.threads) {
			x.threads = x.threads[:n+1]
		} else {
			x.threads = append(x.threads, thread{})
		}
		th := &x.threads[n]
		*th = thread{who: w, events: th.events[:0], born: int32(len(x.events))}
	}
	return n
}

// now returns what happened before the next event of a thread.
func (x *execution) now(thread int32) clock {
	th := &x.threads[thread]
	switch n := len(th.events); {
	case n > 0:
		return x.clockOf(th.events[n-1])
	case th.born > 0:
		return x.clockOf(th.born - 1)
	}
	return nil
}

// nowOf returns what happened before the next event of w, which need not have been started yet.
func (x *execution) nowOf(w who) clock { return x.pastOf(x.knownSince(w)) }

// pastOf returns the clock of an event, and nil for -1.
func (x *execution) pastOf(i int32) clock {
	if i < 0 {
		return nil
	}
	return x.clockOf(i)
}

// knownSince returns the event whose clock is what happened before the next event of w, -1 if there is none.
func (x *execution) knownSince(w who) int32 {
	for {
		if n, ok := x.numbers[w]; ok {
			th := &x.threads[n]
			if k := len(th.events); k > 0 {
				return th.events[k-1]
			}
			return th.born - 1
		}
		g := w.creator
		if w.goroutine >= 0 {
			g = x.names.Parent(w.goroutine)
		}
		if g < 0 {
			return -1
		}
		w = who{goroutine: g}
	}
}

// add adds an event, the step t after the given number of decisions, which is about to be taken in
// a run that has had this trace so far.
func (x *execution) add(t *run.Transition, trace *run.Trace, decisions int) {
	e := event{
		transition: *t, thread: x.thread(whoTakes(t)), partner: -1, choice: -1,
		clock: int32(len(x.clocks)), labels: int32(len(x.own)), decisions: int32(decisions), inputs: int32(len(trace.Inputs)), path: int32(len(trace.Path)),
	}
	e.transition.Awaits, e.transition.Contingent = nil, false
	x.eachLabel(t, trace.Pending, func(thread int32, l *label) {
		x.own = append(x.own, own{thread, int32(x.number(l))})
	})
	x.append(e)
}

// append adds an event whose labels are the last ones of own.
func (x *execution) append(e event) {
	i, t := int32(len(x.events)), &e.transition
	if t.Partner >= 0 {
		e.partner = x.thread(who{goroutine: t.Partner})
	}
	wide := slices.ContainsFunc(x.own[e.labels:], func(o own) bool { return isWide(&x.all[o.label]) })
	past := x.past(&e, wide)
	e.last = x.isLast(&e, past)
	x.clocks = append(x.clocks, past...)
	x.events = append(x.events, e)
	c := clock(x.clocks[e.clock:])
	x.events[i].index = x.takesPart(e.thread, i, c)
	if e.partner >= 0 {
		x.events[i].partnerIndex = x.takesPart(e.partner, i, c)
	}
	if t.Op == schedule.TimePass {
		x.passes = append(x.passes, i)
		x.passed = i + 1
	}
	for _, o := range x.labelsOf(i) {
		x.note(x.all[o.label].Object, i)
	}
	x.note(t.Object, i)
	if wide {
		x.wide = append(x.wide, i)
	}
}

// eachLabel calls do for the labels of the threads that take part in t, which is one of pending.
func (x *execution) eachLabel(t *run.Transition, pending []run.Transition, do func(thread int32, l *label)) {
	if t.Goroutine < 0 {
		if l, ok := labelOf(t); ok {
			do(x.thread(whoTakes(t)), &l)
		}
		return
	}
	for k := range pending {
		p := &pending[k]
		if p.Goroutine < 0 || p.Goroutine != t.Goroutine && p.Goroutine != t.Partner {
			continue
		}
		if l, ok := labelOf(p); ok {
			do(x.thread(whoTakes(p)), &l)
		}
	}
}

// note adds event i to those on an object.
func (x *execution) note(id run.ObjectID, i int32) {
	if id == run.NoObject {
		return
	}
	list := x.objects[id]
	if n := len(list); n == 0 || list[n-1] != i {
		x.objects[id] = append(list, i)
	}
}

// past returns what happens before e, if that comes next: its labels are the last ones. The argument
// says whether one of them is wide.
func (x *execution) past(e *event, wide bool) clock {
	n := len(x.threads)
	if cap(x.scratch) < n {
		x.scratch = make(clock, n, 2*n)
	}
	c := x.scratch[:n]
	clear(c)
	c.join(x.now(e.thread))
	if e.partner >= 0 {
		c.join(x.now(e.partner))
	}
	after := func(i int32) {
		if f := &x.events[i]; int(c[f.thread]) < int(f.index) && x.dependent(i, e) {
			c.join(x.clockOf(i))
		}
	}
	if wide {
		for i := int32(len(x.events)) - 1; i >= 0; i-- {
			after(i)
		}
		return c
	}
	for k := len(x.wide) - 1; k >= 0; k-- {
		after(x.wide[k])
	}
	for _, o := range x.own[e.labels:] {
		list := x.objects[x.all[o.label].Object]
		for k := len(list) - 1; k >= 0; k-- {
			if f := &x.events[list[k]]; f.last && int(c[f.thread]) >= int(f.index) {
				break // so are the earlier ones
			}
			after(list[k])
		}
	}
	return c
}

// maxUnordered is how many events on an object it is looked at to find out whether all of them
// happened before the next one.
const maxUnordered = 16

// areBefore reports whether all events on an object are known to be in c. Where there are few it is
// not worth the while.
func (x *execution) areBefore(id run.ObjectID, c clock) bool {
	list := x.objects[id]
	if len(list) < maxUnordered {
		return false
	}
	for k, n := len(list)-1, 0; k >= 0; k, n = k-1, n+1 {
		f := &x.events[list[k]]
		switch {
		case n == maxUnordered || int(c[f.thread]) < int(f.index):
			return false
		case f.last:
			return true
		}
	}
	return true
}

// isLast reports whether all events on the objects on which an event is that comes next are known
// to be in its clock c. Its labels are the last ones.
func (x *execution) isLast(e *event, c clock) bool {
	if len(x.events) < maxUnordered {
		return false
	}
	if id := e.transition.Object; id != run.NoObject && !x.areBefore(id, c) {
		return false
	}
	return !slices.ContainsFunc(x.own[e.labels:], func(o own) bool {
		id := x.all[o.label].Object
		return id != run.NoObject && id != e.transition.Object && !x.areBefore(id, c)
	})
}

// dependent reports whether event i happens before e, which comes next and whose labels are the last
// ones, since their order matters. That may be true only of steps that conflict: otherwise the other order
// would be overlooked.
func (x *execution) dependent(i int32, e *event) bool {
	f := &x.events[i]
	if f.transition.Op != schedule.SelectDefault && e.transition.Op != schedule.SelectDefault {
		return run.Dependent(&f.transition, &e.transition)
	}
	end := int(e.labels)
	if int(i)+1 < len(x.events) {
		end = int(x.events[i+1].labels)
	}
	for _, a := range x.own[f.labels:end] {
		for _, b := range x.own[e.labels:] {
			if conflictsWith(f, &x.all[a.label], &x.all[b.label]) {
				return true
			}
		}
	}
	return f.transition.Op == schedule.TimePass || e.transition.Op == schedule.TimePass
}

// takesPart notes that a thread takes part in event i, whose clock is c. It returns the number of
// its events.
func (x *execution) takesPart(thread, i int32, c clock) int32 {
	th := &x.threads[thread]
	th.events = append(th.events, i)
	n := int32(len(th.events))
	c[thread] = n
	return n
}

// backtrack removes the events from n on, and the threads that appeared after the last of the
// others.
func (x *execution) backtrack(n int32) {
	for i := int32(len(x.events)) - 1; i >= n; i-- {
		e := &x.events[i]
		for _, t := range [2]int32{e.thread, e.partner} {
			if t >= 0 {
				th := &x.threads[t]
				th.events = th.events[:len(th.events)-1]
			}
		}
		for _, o := range x.labelsOf(i) {
			x.forget(x.all[o.label].Object, i)
		}
		x.forget(e.transition.Object, i)
		x.clocks, x.own = x.clocks[:e.clock], x.own[:e.labels]
		x.events = x.events[:i]
	}
	for i := range x.looked {
		x.looked[i].backtrack(n)
	}
	x.wide, x.passes = below(x.wide, n), below(x.passes, n)
	x.passed = 0
	if k := len(x.passes); k > 0 {
		x.passed = x.passes[k-1] + 1
	}
	k := len(x.threads)
	for ; k > 0 && x.threads[k-1].born > n; k-- {
		delete(x.numbers, x.threads[k-1].who)
	}
	x.threads = x.threads[:k]
}

// forget removes event i, the last one, from those on an object.
func (x *execution) forget(id run.ObjectID, i int32) {
	if list := x.objects[id]; len(list) > 0 && list[len(list)-1] == i {
		x.objects[id] = list[:len(list)-1]
	}
}

// below returns the elements of an ascending list that are below n.
func below(list []int32, n int32) []int32 {
	k := len(list)
	for k > 0 && list[k-1] >= n {
		k--
	}
	return list[:k]
}
