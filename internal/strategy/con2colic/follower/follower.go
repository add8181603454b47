package follower

import (
	"slices"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/constraint"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// A Follower is the scheduler of the run of a scenario. The goroutines of the scenario do their
// events in the order found for them. Then the sink's goroutine runs exclusively until it
// ends, is blocked, or is about to read what another goroutine wrote: an unforeseen
// interference, of which the search makes a candidate.
type Follower struct {
	f     *forest.Forest
	paths [][]forest.NodeID // by goroutine: its events in the scenario
	steps []step
	wakes map[forest.NodeID]int32 // the goroutine to wake, by CondSignal
	sink  int32                   // the goroutine of the sink
	from  int32                   // the index of the sink there

	next     int     // the step to take
	observed int     // number of events of the trace that observe has seen
	counts   []int32 // by goroutine: the number of its events so far
	spawned  map[int32]eventID
	last     map[forest.Address]eventID   // latest write to a cell, close of a channel
	queues   map[forest.Address][]eventID // sends not yet received
	chosen   bool                         // Choose has chosen the step
	timers   int                          // number of timers that have fired since the last event of a goroutine
	stopped  bool

	result Result
}

// A Result says how the run of a scenario went.
type Result struct {
	// Infeasible says that a step of the scenario was not possible; Blocked is what the
	// goroutine of the step was about to do, if anything.
	Infeasible bool
	Blocked    run.Transition
	// Events is the number of events of the run.
	Events int
	// Alternatives are what the sink's goroutine could have done instead at its events.
	Alternatives []Alternatives
	// Pending is what all goroutines were about to do when the run ended, empty if it failed.
	Pending []run.Transition
	// Concurrent is the number of events before all goroutines began to run, since the sink's
	// goroutine waited for time to pass; -1 if they did not.
	Concurrent int
	// PendingExclusive is what all goroutines were about to do then.
	PendingExclusive []run.Transition
	// Truncated says that the sink's goroutine was stopped because of MaxExclusive.
	Truncated bool
}

// A step is to let a goroutine run until it has done its event index.
type step struct {
	goroutine, index int32
	partner          int32 // the receiver of a rendezvous, else -1
}

// An eventID names an event by its goroutine, -1 for a timer, and its index there.
type eventID struct{ goroutine, index int32 }

// Alternatives are what the sink's goroutine could have done at a visible operation or
// Choice.
type Alternatives struct {
	Index       int32            // of the event
	Transitions []run.Transition // the cases of a select, the outcomes of a TryLock
	Values      int              // number of values of a Choice
}

// New returns a follower for the scenario s of f, with its events in the order o.
func New(f *forest.Forest, s *forest.Scenario, o *constraint.Order) *Follower {
	w := &Follower{
		f: f, wakes: o.Wakes,
		spawned: map[int32]eventID{}, last: map[forest.Address]eventID{}, queues: map[forest.Address][]eventID{},
		result: Result{Concurrent: -1},
	}
	for _, t := range s.Tips {
		g := f.At(t).Goroutine
		for int(g) >= len(w.paths) {
			w.paths = append(w.paths, nil)
		}
		w.paths[g] = f.Path(nil, t)
	}
	for _, e := range o.Events {
		n := f.At(e.Node)
		st := step{n.Goroutine, n.Index, -1}
		if e.Partner != 0 {
			// The receiver has to come to its operation first.
			r := f.At(e.Partner)
			st.partner = r.Goroutine
			w.steps = append(w.steps, step{r.Goroutine, r.Index - 1, -1})
		}
		w.steps = append(w.steps, st)
	}
	for _, t := range s.Tips {
		if n := f.At(t); t != s.Sink {
			w.steps = append(w.steps, step{n.Goroutine, n.Index, -1})
		}
	}
	n := f.At(s.Sink)
	w.steps = append(w.steps, step{n.Goroutine, n.Index, -1})
	w.sink, w.from = n.Goroutine, n.Index
	return w
}

// observe looks at the events since the last call.
func (w *Follower) observe(trace *run.Trace) {
	for ; w.observed < len(trace.Events); w.observed++ {
		e := &trace.Events[w.observed]
		if e.Goroutine < 0 {
			// What a timer sends is no interference.
			l := forest.Address{Object: e.Object, Offset: e.Offset}
			w.queues[l] = append(w.queues[l], eventID{goroutine: -1})
			continue
		}
		w.timers = 0
		for int(e.Goroutine) >= len(w.counts) {
			w.counts = append(w.counts, 0)
		}
		id := eventID{e.Goroutine, w.counts[e.Goroutine]}
		w.counts[e.Goroutine]++
		l := forest.Address{Object: e.Object, Offset: e.Offset}
		switch e.Op {
		case schedule.Spawn:
			w.spawned[e.Other] = id
		case schedule.Send:
			w.queues[l] = append(w.queues[l], id)
		case schedule.Recv:
			if q := w.queues[l]; len(q) > 0 {
				w.queues[l] = q[1:]
			}
		case schedule.Close:
			w.last[l] = id
		default:
			if dependence.IsWrite(e.Op) {
				for i := range max(e.Cells, 1) {
					w.last[forest.Address{Object: e.Object, Offset: e.Offset + i}] = id
				}
			}
		}
	}
	for w.next < len(w.steps) && w.count(w.steps[w.next].goroutine) > w.steps[w.next].index {
		w.next++
	}
}

// count returns the number of events of goroutine g so far.
func (w *Follower) count(g int32) int32 {
	if int(g) >= len(w.counts) {
		return 0
	}
	return w.counts[g]
}

// local reports whether e is an event of the sink's goroutine or comes before its events by
// program order and spawns.
func (w *Follower) local(e eventID) bool {
	if e.goroutine < 0 {
		return true
	}
	for g := w.sink; ; {
		if g == e.goroutine {
			return g == w.sink || e.index < w.spawned[w.childOf(g)].index
		}
		s, ok := w.spawned[g]
		if !ok {
			return false
		}
		g = s.goroutine
	}
}

// childOf returns the goroutine that g, an ancestor of the sink's, has spawned and that is
// the sink's or an ancestor of it.
func (w *Follower) childOf(g int32) int32 {
	c := w.sink
	for w.spawned[c].goroutine != g {
		c = w.spawned[c].goroutine
	}
	return c
}

// foreseen reports whether t, of the sink's goroutine, takes nothing from another
// goroutine.
func (w *Follower) foreseen(t *run.Transition) bool {
	l := forest.Address{Object: t.Object, Offset: t.Offset}
	switch {
	case t.Partner >= 0 && t.Op == schedule.Send:
		return false
	case t.Op == schedule.Recv:
		q := w.queues[l]
		return len(q) > 0 && w.local(q[0])
	case t.Op == schedule.RecvClosed:
		return w.local(w.last[l])
	case dependence.IsRead(t.Op):
		for i := range max(t.Cells, 1) {
			if e, ok := w.last[forest.Address{Object: t.Object, Offset: t.Offset + i}]; ok && !w.local(e) {
				return false
			}
		}
	}
	// A write that copies reads what it copies.
	for i := range t.From.Cells {
		if e, ok := w.last[forest.Address{Object: t.From.Object, Offset: t.From.Offset + i}]; ok && !w.local(e) {
			return false
		}
	}
	return true
}

// Choose implements run.Scheduler.
func (w *Follower) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		return w.value(p)
	}
	w.observe(p.Trace)
	best := -1
	for i := range p.Enabled {
		if w.accepts(&p.Enabled[i]) && (best < 0 || w.prefers(&p.Enabled[i])) {
			best = i
		}
	}
	if best < 0 && w.awaitsTimer(p.Trace) {
		best = slices.IndexFunc(p.Enabled, func(t run.Transition) bool { return t.Goroutine < 0 })
	}
	if best < 0 && w.runAll(p.Trace) {
		best = p.Continue()
	}
	if best < 0 {
		w.stop(p.Trace)
		return -1
	}
	w.chosen = true
	return best
}

// value chooses the value at a scheduling point of kind Value.
func (w *Follower) value(p *run.SchedulingPoint) int {
	w.observe(p.Trace)
	if p.Goroutine < 0 {
		return w.receiver(p)
	}
	index := w.count(p.Goroutine)
	if p.Goroutine == w.sink && index >= w.from {
		w.result.Alternatives = append(w.result.Alternatives, Alternatives{Index: index, Values: p.N})
	}
	if n := w.expected(p.Goroutine, index); n != 0 && w.f.At(n).Op == schedule.Choice {
		return min(int(w.f.At(n).Alt), p.N-1)
	}
	return 0
}

// receiver chooses the goroutine to which a timer sends: one that is to receive next, else that of the sink, which may.
func (w *Follower) receiver(p *run.SchedulingPoint) int {
	best := 0
	for k, g := range p.Receivers {
		if n := w.expected(g, w.count(g)); n != 0 && w.f.At(n).Op == schedule.Recv {
			return k
		}
		if g == w.sink {
			best = k
		}
	}
	return best
}

// Stepping implements run.Watcher.
func (w *Follower) Stepping(t *run.Transition, trace *run.Trace) bool {
	if !w.chosen {
		w.observe(trace)
		if !w.accepts(t) && !(t.Goroutine < 0 && w.awaitsTimer(trace)) && !w.runAll(trace) {
			w.stop(trace)
			return false
		}
	}
	w.chosen = false
	if t.Goroutine < 0 {
		w.timers++
		return true
	}
	if index := w.count(t.Goroutine); t.Goroutine == w.sink && index >= w.from {
		w.result.Alternatives = append(w.result.Alternatives,
			Alternatives{Index: index, Transitions: PendingOf(trace.Pending, t.Goroutine)})
	}
	return true
}

// PendingOf returns what goroutine g is about to do.
func PendingOf(pending []run.Transition, g int32) []run.Transition {
	var list []run.Transition
	for i := range pending {
		if pending[i].Goroutine == g {
			list = append(list, pending[i])
		}
	}
	return list
}

// expected returns event index of goroutine g in the scenario, 0 if it has none.
func (w *Follower) expected(g, index int32) forest.NodeID {
	if int(g) >= len(w.paths) || int(index) >= len(w.paths[g]) {
		return 0
	}
	return w.paths[g][index]
}

// accepts reports whether t is, or is on the way to, the next step.
func (w *Follower) accepts(t *run.Transition) bool {
	if t.Goroutine < 0 {
		return false
	}
	if w.next == len(w.steps) || w.result.Concurrent >= 0 && t.Goroutine == w.sink {
		if w.count(w.sink)-w.from >= MaxExclusive {
			w.result.Truncated = true
			return false
		}
		return t.Goroutine == w.sink && (w.result.Concurrent >= 0 || w.foreseen(t))
	}
	s := w.steps[w.next]
	if t.Waits == run.SenderWaits && t.Delta > 0 && t.Partner == s.goroutine {
		// In a scenario, the partner receives from the buffer, and the other sends later.
		n := w.expected(t.Partner, w.count(t.Partner))
		return n == 0 || w.f.At(n).Op == schedule.Recv && w.f.At(n).Object == t.Object
	}
	if t.Goroutine != s.goroutine {
		return false
	}
	index := w.count(t.Goroutine)
	n := w.expected(t.Goroutine, index)
	if n == 0 {
		return true
	}
	e := w.f.At(n)
	if t.Op == schedule.TimerSet || t.Op == schedule.Yield {
		return true // a Sleep: its object is not known before it begins
	}
	if t.From.Cells > 0 && e.Op == schedule.Read && e.Object == t.From.Object && e.Offset == t.From.Offset {
		return true // a copy, which reads first
	}
	if e.Object != t.Object || e.Offset != t.Offset || e.Select != t.Select {
		return false
	}
	if t.Select && int(e.Alt) != t.Case() {
		return false
	}
	if e.Op != t.Op && !(dependence.IsRead(e.Op) && dependence.IsRead(t.Op)) && e.Op != schedule.Fail {
		return false
	}
	if t.Partner >= 0 && t.Op == schedule.Send && t.Delta == 0 {
		if index != s.index || t.Partner != s.partner {
			return false
		}
		r := w.expected(t.Partner, w.count(t.Partner))
		return r == 0 || !w.f.At(r).Select || int(w.f.At(r).Alt) == t.PartnerCase()
	}
	return true
}

// MaxExclusive bounds the events of the sink's goroutine when it runs exclusively: it may spin
// until another goroutine does something.
const MaxExclusive = 500

// prefers reports whether t is the best of the transitions that are accepted.
func (w *Follower) prefers(t *run.Transition) bool {
	n := w.expected(t.Goroutine, w.count(t.Goroutine))
	g, ok := w.wakes[n]
	return t.Op == schedule.CondSignal && ok && t.Partner == g
}

// maxTimers bounds the timers that fire one after another while a goroutine waits: a ticker may
// do so for ever.
const maxTimers = 16

// awaitsTimer reports whether the goroutine of the next step is blocked, so that it may be
// waiting for a timer.
func (w *Follower) awaitsTimer(trace *run.Trace) bool {
	if w.timers >= maxTimers {
		return false
	}
	g := w.sink
	if w.next < len(w.steps) {
		g = w.steps[w.next].goroutine
	}
	blocked := w.count(g) == 0 // a timer is to start it
	for i := range trace.Pending {
		if t := &trace.Pending[i]; t.Goroutine == g {
			if t.Enabled && (w.accepts(t) || !t.Select) {
				return false
			}
			blocked = true
		}
	}
	return blocked
}

// maxConcurrent bounds the events of a run in which all goroutines run.
const maxConcurrent = 2000

// runAll reports whether all goroutines may run now, because the sink's goroutine waits for
// time to pass.
func (w *Follower) runAll(trace *run.Trace) bool {
	if w.result.Concurrent >= 0 {
		return len(trace.Events) < w.result.Concurrent+maxConcurrent
	}
	for _, s := range w.steps[w.next:] {
		if done := w.count(s.goroutine) > s.index; !done && (s.goroutine != w.sink || s.index != w.count(w.sink)) {
			return false // not yet the sink's turn
		}
	}
	alive, timed := false, false
	for i := range trace.Pending {
		t := &trace.Pending[i]
		if t.Goroutine == w.sink {
			if t.Enabled {
				return false
			}
			alive = true
		}
		timed = timed || t.Op == schedule.TimerFire || t.Op == schedule.Sleep || t.Op == schedule.BubbleIdle
	}
	if alive && timed {
		w.result.Concurrent = len(trace.Events)
		w.result.PendingExclusive = slices.Clone(trace.Pending)
		return true
	}
	return false
}

// stop notes how the run went, which ends now.
func (w *Follower) stop(trace *run.Trace) {
	w.stopped = true
	w.result.Events = len(trace.Events)
	w.result.Pending = append(w.result.Pending, trace.Pending...)
	if w.next < len(w.steps) {
		w.result.Infeasible = true
		if p := PendingOf(w.result.Pending, w.steps[w.next].goroutine); len(p) > 0 {
			w.result.Blocked = p[0]
		}
	}
}

// End returns how the run went, whose trace is t.
func (w *Follower) End(trace *run.Trace) *Result {
	w.observe(trace)
	if !w.stopped {
		w.stop(trace)
	}
	return &w.result
}

// Queued returns the number of elements in the channel at l at the end of the run.
func (w *Follower) Queued(l forest.Address) int { return len(w.queues[l]) }

// Blocking returns the order of events that, according to the machine, blocked the operation of
// an infeasible step. It is false if there is none.
func (w *Follower) Blocking() (constraint.Blocking, bool) {
	f := w.f
	g := w.result.Blocked.Goroutine
	n := w.expected(g, w.count(g))
	locs := f.LocationsOf(forest.Cause{Node: n})
	if n == 0 || len(locs) == 0 || w.result.Blocked.Enabled && f.At(n).Op != schedule.SelectDefault && !f.At(n).Select {
		return constraint.Blocking{}, false
	}
	b := constraint.Blocking{Blocked: n, Causes: []forest.Cause{{Node: n}}}
	for h, nodes := range w.paths {
		for i, m := range nodes {
			if int32(h) == g || !slices.Contains(locs, f.At(m).Loc) {
				continue
			}
			if int32(i) < w.count(int32(h)) {
				b.Before = append(b.Before, m)
			} else {
				b.After = append(b.After, m)
			}
		}
	}
	return b, true
}
