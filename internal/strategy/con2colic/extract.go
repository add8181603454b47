package con2colic

import (
	"context"
	"fmt"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An extraction adds the run of a scenario to the forest and extracts candidates from what
// the sink's goroutine did after the scenario (ExtractISCs, algorithm 2 of the paper).
type extraction struct {
	f         *forest
	frontier  *frontier
	checker   *checker
	recorder  *recorder
	visible   map[run.ObjectID]bool // objects to which plain accesses are visible
	maxDegree int

	s      *scenario
	w      *follower
	result *result
	t      *run.Trace
	// events holds the indexes in t.Events of each goroutine's events.
	events [][]int32
	merge  merge

	// After follow: the node at the sink's place, 0 when the run did not get there, and
	// whether another goroutine did not do its part.
	reached nodeID
	failed  bool

	open string // why candidates may be missing
}

// extract takes in the run, whose trace the recorder has. It reports whether the run went
// as the scenario has it.
func (x *extraction) extract(ctx context.Context) (followed bool) {
	f := x.f
	for i := range x.t.Events[:x.result.events] {
		g := x.t.Events[i].Goroutine
		if g < 0 {
			x.timer(&x.t.Events[i])
			continue
		}
		for int(g) >= len(x.events) {
			x.events = append(x.events, nil)
		}
		x.events[g] = append(x.events[g], int32(i))
	}
	x.channels()

	x.follow(0, root)
	avoided := x.avoidFailure()
	if x.reached == 0 || x.failed {
		return avoided
	}
	base := x.s
	if x.reached != x.s.sink {
		m := &x.merge
		m.start(f, x.reached)
		m.addOthers(x.s, x.s.sink, x.reached)
		if base = m.finish(x.s.input); base == nil {
			return true
		}
	}
	if x.result.concurrent < 0 || int(f.at(base.sink).index) < x.exclusive(f.at(base.sink).goroutine) {
		x.extractExclusive(ctx, base)
	}
	if x.result.concurrent >= 0 {
		x.extractConcurrent(ctx, f.at(base.sink).goroutine)
	}
	return true
}

// timer notes the channel on which the firing of a timer sends.
func (x *extraction) timer(e *run.Event) {
	if e.Op == schedule.TimerFire && e.Object != run.NoObject {
		x.f.locAt(x.f.location(e.Object, e.Offset)).timer = true
	}
}

// channels finds out the capacities of channels on which a goroutine is about to send: it
// is blocked when the buffer is full, and can meet a receiver when there is none. It also
// finds those on which timers will send.
func (x *extraction) channels() {
	f := x.f
	for _, t := range x.result.pending {
		if t.Op == schedule.TimerFire && t.Object != run.NoObject {
			f.locAt(f.location(t.Object, t.Offset)).timer = true
		}
		if t.Op == schedule.Send && t.Object != run.NoObject && (!t.Enabled || t.Partner >= 0) {
			f.locAt(f.location(t.Object, t.Offset)).capacity = x.w.queued(location{t.Object, t.Offset})
		}
	}
}

// event returns the node of event i of the trace, a child of parent.
func (x *extraction) event(parent nodeID, i int32) nodeID { return x.recorder.event(parent, i, 0) }

// follow walks the events of goroutine g, the first of which is a child of parent, up to its
// tip in the scenario, and those of the goroutines of the scenario that it spawns.
func (x *extraction) follow(g int32, parent nodeID) {
	f := x.f
	tip := f.tip(occurrence{x.s, x.s.sink}, g)
	if tip == 0 {
		return
	}
	sink := tip == x.s.sink
	n := parent
	for k, expected := range f.path(nil, tip) {
		if int(g) >= len(x.events) || k >= len(x.events[g]) {
			x.failed = true
			return
		}
		n = x.recorder.event(n, x.events[g][k], f.at(expected).from)
		if !f.before(n, tip) && !(sink && expected == tip) {
			x.failed = true
			return
		}
	}
	if sink {
		x.reached = n
	}
	for _, t := range x.s.tips {
		if s := f.at(f.at(t).start).parent; s != 0 && f.at(s).goroutine == g {
			x.follow(f.at(t).goroutine, s)
		}
	}
}

// avoidFailure deals with a run that ended too early because a goroutine other than the
// sink's failed after its part in the scenario: between its last operation there and its
// next one. It extends the scenario by the other paths that the goroutine could have taken
// there. It reports whether that is how the run ended.
func (x *extraction) avoidFailure() bool {
	f := x.f
	end := x.result.events
	if x.t.Outcome != run.Failed || end == 0 || x.t.Events[end-1].Op != schedule.Fail {
		return false
	}
	g := x.t.Events[end-1].Goroutine
	if g == f.at(x.s.sink).goroutine {
		return false
	}
	// The sink's goroutine may have spawned the one that failed after the sink.
	sink, actual := x.s.sink, x.s.sink
	if x.reached != 0 {
		sink, actual = x.last(), x.reached
	}
	m := &x.merge
	m.start(f, sink)
	m.addOthers(x.s, x.s.sink, actual)
	s := m.finish(x.s.input)
	if s == nil {
		return false
	}
	n := f.tip(occurrence{s, s.sink}, g)
	from := int32(0)
	if n != 0 {
		from = f.at(n).index + 1
	} else if n = x.spawnOf(s, g); n == 0 {
		return false
	}
	if int(from) > len(x.events[g]) {
		return false
	}
	for _, i := range x.events[g][from:] {
		n = x.event(n, i)
	}
	var branches []nodeID // on the path to the failure
	for ; ; n = f.at(n).parent {
		e := f.at(n)
		if t := f.tip(occurrence{s, s.sink}, e.goroutine); t != 0 && f.before(n, t) {
			break
		}
		if visible(e.op) {
			return false // it failed in an operation, not on the path to one
		}
		if e.op == schedule.Branch {
			branches = append(branches, n)
		}
	}
	for _, n := range branches {
		for _, dual := range f.duals(n) {
			m.start(f, s.sink)
			m.add(occurrence{s, s.sink})
			m.addTip(dual)
			if s := m.finish(s.input); s != nil {
				x.frontier.push(s)
			}
		}
	}
	return true
}

// last returns the node of the last event of the sink's goroutine.
func (x *extraction) last() nodeID {
	n := x.reached
	g := x.f.at(n).goroutine
	for _, i := range x.events[g][x.f.at(n).index+1:] {
		n = x.event(n, i)
	}
	return n
}

// spawnOf returns the node of the Spawn of goroutine g, if its parent has done
// that within the scenario s or after.
func (x *extraction) spawnOf(s *scenario, g int32) nodeID {
	f := x.f
	for p := range x.events {
		for k, i := range x.events[p] {
			e := &x.t.Events[i]
			if e.Op != schedule.Spawn || e.Other != g {
				continue
			}
			n := f.tip(occurrence{s, s.sink}, int32(p))
			if n == 0 {
				if n = x.spawnOf(s, int32(p)); n == 0 {
					return 0
				}
				for _, j := range x.events[p][:k+1] {
					n = x.event(n, j)
				}
				return n
			}
			for f.at(n).index > int32(k) {
				n = f.at(n).parent
			}
			for int(f.at(n).index) < k {
				n = x.event(n, x.events[p][f.at(n).index+1])
			}
			return n
		}
	}
	return 0
}

// exclusive returns how many events goroutine g had when all goroutines began to run, or in
// the end.
func (x *extraction) exclusive(g int32) int {
	if int(g) >= len(x.events) {
		return 0
	}
	events := x.events[g]
	if x.result.concurrent < 0 {
		return len(events)
	}
	n := 0
	for n < len(events) && int(events[n]) < x.result.concurrent {
		n++
	}
	return n
}

// extractExclusive takes in what the sink's goroutine did exclusively after the sink, which
// is the sink of base: the events that other goroutines may need, and the ways in which it
// could have continued otherwise.
func (x *extraction) extractExclusive(ctx context.Context, base *scenario) {
	f := x.f
	n := base.sink
	g := f.at(n).goroutine
	end := x.exclusive(g)
	if parent := f.at(n).parent; n != root && f.at(parent).goroutine == g {
		x.frontier.reach(ctx, occurrence{base, parent}) // new too, when n is on the outcome of a compare-and-swap
	}
	rest := x.result.alternatives
	for k := f.at(n).index; ; {
		parent := f.at(n).parent
		for len(rest) > 0 && rest[0].index <= k {
			if rest[0].index == k {
				x.alternatives(ctx, base, parent, n, &rest[0])
			}
			rest = rest[1:]
		}
		x.frontier.reach(ctx, occurrence{base, n})
		if e := f.at(n); e.opaque && e.from == 0 {
			x.frontier.opaque(n, occurrence{base, parent})
		}
		switch f.at(n).op {
		case schedule.Branch:
			x.branch(ctx, base, n)
		case schedule.Spawn:
			x.candidate(ctx, f.startOf(n), occurrence{base, n})
		}
		if k++; int(k) >= end {
			break
		}
		if ctx.Err() != nil {
			return
		}
		n = x.event(n, x.events[g][k])
	}
	if x.result.truncated {
		x.open = fmt.Sprintf("con2colic: a goroutine did more than %d events alone and was stopped", maxExclusive)
		return
	}
	pending := x.result.pending
	if x.result.concurrent >= 0 {
		pending = x.result.pendingExclusive
	}
	if transitions := pendingOf(pending, g); len(transitions) > 0 {
		x.alternatives(ctx, base, n, 0, &alternatives{transitions: transitions})
	}
}

// candidate adds the candidate for n, a dangling node to which the goroutine of o may come
// after o.node.
func (x *extraction) candidate(ctx context.Context, n nodeID, o occurrence) {
	s := x.frontier.extract(ctx, n, o)
	if s == nil {
		return
	}
	if causes, ok := x.checker.refuted(s); ok {
		x.frontier.explore(ctx, &candidate{scenario: s}, causes) // only its extensions are candidates
		return
	}
	x.frontier.push(s)
}

// branch adds candidates for the other sides of the branch n.
func (x *extraction) branch(ctx context.Context, base *scenario, n nodeID) {
	f := x.f
	parent := f.at(n).parent
	for _, dual := range f.duals(n) {
		o := occurrence{base, f.at(dual).parent}
		if o.node != parent {
			// The other outcome of a compare-and-swap is another event already.
			m := &x.merge
			m.start(f, o.node)
			m.addOthers(base, parent, o.node)
			if o.base = m.finish(base.input); o.base == nil {
				continue
			}
		}
		x.candidate(ctx, dual, o)
	}
}

// alternatives adds candidates for what could have come in the place of n, the child of
// parent that did; n is 0 when nothing did.
func (x *extraction) alternatives(ctx context.Context, base *scenario, parent, n nodeID, a *alternatives) {
	f := x.f
	o := occurrence{base, parent}
	add := func(l label) {
		if other, ok := f.alternative(parent, n, l); ok {
			x.candidate(ctx, other, o)
		}
	}
	for v := range a.values {
		l := f.at(n).label
		l.alt = int32(v)
		add(l)
	}
	for i := range a.transitions {
		for k, l := range pendingLabels(&a.transitions[i], x.visible) {
			if readsCell(l.op) && n != 0 {
				continue // it has no other outcome than by its value
			}
			add(l)
			if k == 0 {
				x.opaquePending(l, o)
			}
		}
	}
}

// opaquePending deals with a read that is pending after o, because it would meet
// an unforeseen interference: on a location where reads are opaque, it is one.
func (x *extraction) opaquePending(l label, o occurrence) {
	f := x.f
	if readsCell(l.op) && l.object != run.NoObject && x.frontier.hasOpaque(f.location(l.object, l.offset)) {
		x.frontier.opaque(f.opaqueChild(o.node, l), o)
	}
}

// visible reports whether an event of op is a step of its own.
func visible(op schedule.Op) bool {
	return op >= schedule.Read && op <= schedule.TimerFire || op == schedule.Yield
}
