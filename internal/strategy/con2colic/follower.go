package con2colic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A follower is the scheduler of a job. It lets the goroutines of a scenario do
// their events in the order found for them, and then the sink's goroutine go on
// alone until that ends, is blocked, or is about to read what another goroutine
// wrote: an unforeseen interference (section 7.3 of the paper), which the search
// has to decide on.
type follower struct {
	f     *forest
	paths [][]nodeID // by goroutine: the events expected of it
	steps []step
	wakes map[nodeID]int32 // goroutine to wake, by CondSignal
	sink  int32            // its goroutine
	from  int32            // index of the sink there
	// finish makes the run go on to its end when the follower's part is over.
	finish bool

	at      int     // the step to take
	counts  []int32 // events of each goroutine so far
	read    int     // events of the trace that have been looked at
	spawned map[int32]reader
	last    map[location]reader   // latest write to a cell, close of a channel
	queues  map[location][]reader // sends not yet received
	chosen  bool                  // Choose has just decided on the step
	waits   int                   // timers that have fired since a goroutine did something

	// wide is the number of events when the sink's goroutine was found to wait for
	// time to pass, which it does only when nothing else can happen: from then on
	// all goroutines go on; -1 before.
	wide int

	long   bool // the sink's goroutine was stopped because of maxAlone
	over   bool
	cut    int // number of events when the follower's part was over
	ending ending
	// blockedAt is the operation that a step asked for and that was not possible.
	blockedAt run.Transition
	// turns are what the sink's goroutine could have done instead at its events.
	turns []turn
	// pending is what all goroutines were about to do when the follower's part was
	// over, empty when the run failed.
	pending []run.Transition
	// unwidened is what was pending when the follower began to let all go on.
	unwidened []run.Transition
}

// A step lets a goroutine go on until it has done its event index.
type step struct {
	goroutine, index int32
	partner          int32 // that a rendezvous completes, else -1
}

// A reader names an event of a goroutine.
type reader struct{ goroutine, index int32 }

// A turn is a visible operation or Choice of the sink's goroutine.
type turn struct {
	index   int32
	options []run.Transition // the cases of a select, the outcomes of a TryLock
	values  int              // number of values of a Choice
}

// An ending says how a follower's part in a run ended.
type ending uint8

const (
	stopped    ending = iota // the sink's goroutine ended, is blocked or met an unforeseen interference
	impossible               // a step of the scenario was not possible
)

func newFollower(f *forest) *follower {
	return &follower{
		f: f, wide: -1, spawned: map[int32]reader{}, last: map[location]reader{}, queues: map[location][]reader{},
	}
}

// catchUp looks at the events since the last call.
func (w *follower) catchUp(t *run.Trace) {
	for ; w.read < len(t.Events); w.read++ {
		e := &t.Events[w.read]
		if e.Goroutine < 0 {
			// What a timer sends is no interference.
			l := location{e.Object, e.Offset}
			w.queues[l] = append(w.queues[l], reader{goroutine: -1})
			continue
		}
		w.waits = 0
		for int(e.Goroutine) >= len(w.counts) {
			w.counts = append(w.counts, 0)
		}
		who := reader{e.Goroutine, w.counts[e.Goroutine]}
		w.counts[e.Goroutine]++
		l := location{e.Object, e.Offset}
		switch e.Op {
		case schedule.Spawn:
			w.spawned[e.Other] = who
		case schedule.Send:
			w.queues[l] = append(w.queues[l], who)
		case schedule.Recv:
			if q := w.queues[l]; len(q) > 0 {
				w.queues[l] = q[1:]
			}
		case schedule.Close:
			w.last[l] = who
		default:
			if writes(e.Op) {
				for i := range max(e.Cells, 1) {
					w.last[location{e.Object, e.Offset + i}] = who
				}
			}
		}
	}
	for w.at < len(w.steps) && w.count(w.steps[w.at].goroutine) > w.steps[w.at].index {
		w.at++
	}
}

func (w *follower) count(g int32) int32 {
	if int(g) >= len(w.counts) {
		return 0
	}
	return w.counts[g]
}

// own reports whether r is an event of the sink's goroutine or comes before that
// by program order and spawns.
func (w *follower) own(r reader) bool {
	if r.goroutine < 0 {
		return true
	}
	for g := w.sink; ; {
		if g == r.goroutine {
			return g == w.sink || r.index < w.spawned[w.above(g)].index
		}
		s, ok := w.spawned[g]
		if !ok {
			return false
		}
		g = s.goroutine
	}
}

// above returns the goroutine on the way from the sink's to its ancestor g that
// g has spawned.
func (w *follower) above(g int32) int32 {
	c := w.sink
	for w.spawned[c].goroutine != g {
		c = w.spawned[c].goroutine
	}
	return c
}

// foreseen reports whether o, of the sink's goroutine, takes nothing from another
// goroutine.
func (w *follower) foreseen(o *run.Transition) bool {
	l := location{o.Object, o.Offset}
	switch {
	case o.Partner >= 0 && o.Op == schedule.Send:
		return false
	case o.Op == schedule.Recv:
		q := w.queues[l]
		return len(q) > 0 && w.own(q[0])
	case o.Op == schedule.RecvClosed:
		return w.own(w.last[l])
	case readsCell(o.Op):
		for i := range max(o.Cells, 1) {
			if r, ok := w.last[location{o.Object, o.Offset + i}]; ok && !w.own(r) {
				return false
			}
		}
	}
	// A write that copies from elsewhere reads there.
	for i := range o.From.Cells {
		if r, ok := w.last[location{o.From.Object, o.From.Offset + i}]; ok && !w.own(r) {
			return false
		}
	}
	return true
}

// Choose implements vm.Scheduler.
func (w *follower) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		return w.value(p)
	}
	w.catchUp(p.Trace)
	best := -1
	for i := range p.Enabled {
		if w.wants(&p.Enabled[i]) && (best < 0 || w.better(&p.Enabled[i])) {
			best = i
		}
	}
	if best < 0 && w.lacksTime(p.Trace) {
		for i := range p.Enabled {
			if p.Enabled[i].Goroutine < 0 {
				best = i
				break
			}
		}
	}
	if best < 0 && w.widen(p.Trace) {
		best = runOn(p)
	}
	if best < 0 {
		w.stop(p.Trace)
		if !w.finish {
			return -1
		}
	}
	if w.over {
		best = runOn(p)
	}
	w.chosen = true
	return best
}

// runOn goes on with the goroutine that took the last step, or the first.
func runOn(p *run.SchedulingPoint) int {
	for i := range p.Enabled {
		if p.Enabled[i].Goroutine == p.Last {
			return i
		}
	}
	return 0
}

// value answers a Value point.
func (w *follower) value(p *run.SchedulingPoint) int {
	w.catchUp(p.Trace)
	index := w.count(p.Goroutine)
	if p.Goroutine == w.sink && index >= w.from && !w.over {
		w.turns = append(w.turns, turn{index: index, values: p.N})
	}
	if n := w.expected(p.Goroutine, index); n != 0 && w.f.at(n).op == schedule.Choice {
		return min(int(w.f.at(n).alt), p.N-1)
	}
	return 0
}

// Stepping implements vm.Watcher.
func (w *follower) Stepping(o *run.Transition, t *run.Trace) bool {
	if !w.chosen {
		w.catchUp(t)
		if !w.over && !w.wants(o) && !(o.Goroutine < 0 && w.lacksTime(t)) && !w.widen(t) {
			w.stop(t)
			if !w.finish {
				return false
			}
		}
	}
	w.chosen = false
	if o.Goroutine < 0 {
		w.waits++
		return true
	}
	if index := w.count(o.Goroutine); !w.over && o.Goroutine == w.sink && index >= w.from {
		w.turns = append(w.turns, turn{index: index, options: pendingOf(t.Pending, o.Goroutine)})
	}
	return true
}

// pendingOf returns what goroutine g is about to do.
func pendingOf(pending []run.Transition, g int32) []run.Transition {
	var list []run.Transition
	for i := range pending {
		if pending[i].Goroutine == g {
			list = append(list, pending[i])
		}
	}
	return list
}

// expected returns the event that goroutine g is to do as its event index, 0
// when the scenario says nothing about it.
func (w *follower) expected(g, index int32) nodeID {
	if int(g) >= len(w.paths) || int(index) >= len(w.paths[g]) {
		return 0
	}
	return w.paths[g][index]
}

// wants reports whether o is a step to take now.
func (w *follower) wants(o *run.Transition) bool {
	if w.over || o.Goroutine < 0 {
		return false
	}
	if w.at == len(w.steps) || w.wide >= 0 && o.Goroutine == w.sink {
		if w.count(w.sink)-w.from >= maxAlone {
			w.long = true
			return false
		}
		return o.Goroutine == w.sink && (w.wide >= 0 || w.foreseen(o))
	}
	s := w.steps[w.at]
	if o.Goroutine != s.goroutine {
		return false
	}
	index := w.count(o.Goroutine)
	n := w.expected(o.Goroutine, index)
	if n == 0 {
		return true
	}
	e := w.f.at(n)
	if o.Op == schedule.TimerSet || o.Op == schedule.Yield {
		return true // a Sleep: what it is on shows only when it begins
	}
	if o.From.Cells > 0 && e.op == schedule.Read && e.object == o.From.Object && e.offset == o.From.Offset {
		return true // a copy, which reads first
	}
	if e.object != o.Object || e.offset != o.Offset || e.selects != o.Select {
		return false
	}
	if o.Select && int(e.alt) != o.Case() {
		return false
	}
	if e.op != o.Op && !(readsCell(e.op) && readsCell(o.Op)) && e.op != schedule.Fail {
		return false
	}
	if o.Partner >= 0 && o.Op == schedule.Send {
		if index != s.index || o.Partner != s.partner {
			return false
		}
		r := w.expected(o.Partner, w.count(o.Partner))
		return r == 0 || !w.f.at(r).selects || int(w.f.at(r).alt) == o.PartnerCase()
	}
	return true
}

// maxAlone bounds the events of the sink's goroutine when it goes on alone: one
// that spins until another lets it go on would do so for ever.
const maxAlone = 500

// better reports whether o, which is wanted, is to be preferred to others that
// are.
func (w *follower) better(o *run.Transition) bool {
	n := w.expected(o.Goroutine, w.count(o.Goroutine))
	g, ok := w.wakes[n]
	return o.Op == schedule.CondSignal && ok && o.Partner == g
}

// maxWaits bounds the timers that fire one after another for a goroutine that
// waits: a ticker may do so for ever.
const maxWaits = 16

// lacksTime reports whether the goroutine whose turn it is is blocked, so that it
// may be waiting for a timer.
func (w *follower) lacksTime(t *run.Trace) bool {
	if w.over || w.waits >= maxWaits {
		return false
	}
	g := w.sink
	if w.at < len(w.steps) {
		g = w.steps[w.at].goroutine
	}
	blocked := w.count(g) == 0 // a timer is to start it
	for i := range t.Pending {
		if o := &t.Pending[i]; o.Goroutine == g {
			if o.Enabled && (w.wants(o) || !o.Select) {
				return false
			}
			blocked = true
		}
	}
	return blocked
}

// maxWide bounds the events of a run in which all goroutines go on.
const maxWide = 2000

// widen reports whether all goroutines may go on, because the sink's, which is
// alone so far, waits for time to pass.
func (w *follower) widen(t *run.Trace) bool {
	if w.over {
		return false
	}
	if w.wide >= 0 {
		return len(t.Events) < w.wide+maxWide
	}
	for _, s := range w.steps[w.at:] {
		if done := w.count(s.goroutine) > s.index; !done && (s.goroutine != w.sink || s.index != w.count(w.sink)) {
			return false // not yet the sink's turn
		}
	}
	alive, timed := false, false
	for i := range t.Pending {
		o := &t.Pending[i]
		if o.Goroutine == w.sink {
			if o.Enabled {
				return false
			}
			alive = true
		}
		timed = timed || o.Op == schedule.TimerFire || o.Op == schedule.Sleep || o.Op == schedule.BubbleIdle
	}
	if alive && timed {
		w.wide = len(t.Events)
		w.unwidened = append([]run.Transition(nil), t.Pending...)
		return true
	}
	return false
}

// stop ends the follower's part.
func (w *follower) stop(t *run.Trace) {
	if w.over {
		return
	}
	w.over = true
	w.cut = len(t.Events)
	w.pending = append(w.pending, t.Pending...)
	w.ending = stopped
	if w.at < len(w.steps) {
		w.ending = impossible
		if p := pendingOf(w.pending, w.steps[w.at].goroutine); len(p) > 0 {
			w.blockedAt = p[0]
		}
	}
}

// end is told of the trace when the run is over.
func (w *follower) end(t *run.Trace) {
	w.catchUp(t)
	w.stop(t)
}
