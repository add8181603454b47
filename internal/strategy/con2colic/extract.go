package con2colic

import (
	"context"
	"fmt"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/constraint"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/follower"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/frontier"
	"github.com/everyway-go/everyway/schedule"
)

// An extraction adds the run of a scenario to the forest and extracts candidates from what
// the sink's goroutine did after the scenario (ExtractISCs, algorithm 2 of the paper).
type extraction struct {
	f         *forest.Forest
	frontier  *frontier.Frontier
	checker   *constraint.Checker
	recorder  *forest.Recorder
	visible   map[run.ObjectID]bool // objects to which plain accesses are visible
	maxDegree int

	// The run.
	s      *forest.Scenario
	w      *follower.Follower
	result *follower.Result
	t      *run.Trace
	// events holds the indexes in t.Events of each goroutine's events.
	events [][]int32
	merge  forest.Merge

	// After follow: the node in the place of the sink, 0 if the run did not get there, and
	// whether another goroutine did not follow its path.
	reached forest.NodeID
	failed  bool

	open string // why candidates may be missing
}

// extract adds the run, whose trace the recorder has been given. It reports whether the run
// followed the scenario, or failed in a way that it could deal with.
func (x *extraction) extract(ctx context.Context) (followed bool) {
	f := x.f
	for i := range x.t.Events[:x.result.Events] {
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

	x.follow(0, forest.Root)
	avoided := x.avoidFailure()
	if x.reached == 0 || x.failed {
		return avoided
	}
	base := x.s
	if x.reached != x.s.Sink {
		m := &x.merge
		m.Start(f, x.reached)
		m.AddOthers(x.s, x.s.Sink, x.reached)
		if base = m.Finish(x.s.Input); base == nil {
			return true
		}
	}
	if x.result.Concurrent < 0 || int(f.At(base.Sink).Index) < x.exclusive(f.At(base.Sink).Goroutine) {
		x.extractExclusive(ctx, base)
	}
	if x.result.Concurrent >= 0 {
		x.extractConcurrent(ctx, f.At(base.Sink).Goroutine)
	}
	return true
}

// timer notes the channel on which the firing of a timer sends.
func (x *extraction) timer(e *run.Event) {
	if e.Op == schedule.TimerFire && e.Object != run.NoObject {
		x.f.Location(x.f.LocID(e.Object, e.Offset)).Timer = true
	}
}

// channels finds out the capacities of channels on which a goroutine is about to send: the send
// is blocked if the buffer is full, and can meet a receiver if there is no buffer. It also
// finds the channels on which timers will send.
func (x *extraction) channels() {
	f := x.f
	for _, t := range x.result.Pending {
		if t.Op == schedule.TimerFire && t.Object != run.NoObject {
			f.Location(f.LocID(t.Object, t.Offset)).Timer = true
		}
		if t.Op == schedule.Send && t.Object != run.NoObject && (!t.Enabled || t.Partner >= 0 && t.Delta == 0) {
			f.Location(f.LocID(t.Object, t.Offset)).Capacity = x.w.Queued(forest.Address{Object: t.Object, Offset: t.Offset})
		}
	}
}

// event returns the node of event i of the trace, a child of parent.
func (x *extraction) event(parent forest.NodeID, i int32) forest.NodeID {
	return x.recorder.Event(parent, i, 0)
}

// follow records the events of goroutine g, the first of which is a child of parent, up to its
// tip in the scenario, and those of the goroutines of the scenario that it spawns.
func (x *extraction) follow(g int32, parent forest.NodeID) {
	f := x.f
	tip := f.Tip(forest.Occurrence{Base: x.s, Node: x.s.Sink}, g)
	if tip == 0 {
		return
	}
	sink := tip == x.s.Sink
	n := parent
	for k, expected := range f.Path(nil, tip) {
		if int(g) >= len(x.events) || k >= len(x.events[g]) {
			x.failed = true
			return
		}
		n = x.recorder.Event(n, x.events[g][k], f.At(expected).From)
		if !f.Before(n, tip) && !(sink && expected == tip) {
			x.failed = true
			return
		}
	}
	if sink {
		x.reached = n
	}
	for _, t := range x.s.Tips {
		if s := f.At(f.At(t).Start).Parent; s != 0 && f.At(s).Goroutine == g {
			x.follow(f.At(t).Goroutine, s)
		}
	}
}

// avoidFailure deals with a run that ended too early because a goroutine other than the sink's
// failed after its path in the scenario, on the way to its next operation. It adds
// candidates in which the goroutine takes other paths there. It reports whether that is how
// the run ended.
func (x *extraction) avoidFailure() bool {
	f := x.f
	end := x.result.Events
	if x.t.Outcome != run.Failed || end == 0 || x.t.Events[end-1].Op != schedule.Fail {
		return false
	}
	g := x.t.Events[end-1].Goroutine
	if g == f.At(x.s.Sink).Goroutine {
		return false
	}
	// The sink's goroutine may have spawned the one that failed after the sink.
	sink, actual := x.s.Sink, x.s.Sink
	if x.reached != 0 {
		sink, actual = x.last(), x.reached
	}
	m := &x.merge
	m.Start(f, sink)
	m.AddOthers(x.s, x.s.Sink, actual)
	s := m.Finish(x.s.Input)
	if s == nil {
		return false
	}
	n := f.Tip(forest.Occurrence{Base: s, Node: s.Sink}, g)
	from := int32(0)
	if n != 0 {
		from = f.At(n).Index + 1
	} else if n = x.spawnOf(s, g); n == 0 {
		return false
	}
	if int(from) > len(x.events[g]) {
		return false
	}
	for _, i := range x.events[g][from:] {
		n = x.event(n, i)
	}
	var branches []forest.NodeID // on the way to the failure
	for ; ; n = f.At(n).Parent {
		e := f.At(n)
		if t := f.Tip(forest.Occurrence{Base: s, Node: s.Sink}, e.Goroutine); t != 0 && f.Before(n, t) {
			break
		}
		if visible(e.Op) {
			return false // it failed in an operation, not on the way to one
		}
		if e.Op == schedule.Branch {
			branches = append(branches, n)
		}
	}
	for _, n := range branches {
		for _, dual := range f.Duals(n) {
			m.Start(f, s.Sink)
			m.Add(forest.Occurrence{Base: s, Node: s.Sink})
			m.AddTip(dual)
			if s := m.Finish(s.Input); s != nil {
				x.frontier.Push(s)
			}
		}
	}
	return true
}

// last returns the node of the last event of the sink's goroutine.
func (x *extraction) last() forest.NodeID {
	n := x.reached
	g := x.f.At(n).Goroutine
	for _, i := range x.events[g][x.f.At(n).Index+1:] {
		n = x.event(n, i)
	}
	return n
}

// spawnOf returns the node of the Spawn of goroutine g, whether it is in the scenario s or
// comes after it. It returns 0 if there is none.
func (x *extraction) spawnOf(s *forest.Scenario, g int32) forest.NodeID {
	f := x.f
	for p := range x.events {
		for k, i := range x.events[p] {
			e := &x.t.Events[i]
			if e.Op != schedule.Spawn || e.Other != g {
				continue
			}
			n := f.Tip(forest.Occurrence{Base: s, Node: s.Sink}, int32(p))
			if n == 0 {
				if n = x.spawnOf(s, int32(p)); n == 0 {
					return 0
				}
				for _, j := range x.events[p][:k+1] {
					n = x.event(n, j)
				}
				return n
			}
			for f.At(n).Index > int32(k) {
				n = f.At(n).Parent
			}
			for int(f.At(n).Index) < k {
				n = x.event(n, x.events[p][f.At(n).Index+1])
			}
			return n
		}
	}
	return 0
}

// exclusive returns how many events goroutine g had when all goroutines began to run, or in the
// end if they did not.
func (x *extraction) exclusive(g int32) int {
	if int(g) >= len(x.events) {
		return 0
	}
	events := x.events[g]
	if x.result.Concurrent < 0 {
		return len(events)
	}
	n := 0
	for n < len(events) && int(events[n]) < x.result.Concurrent {
		n++
	}
	return n
}

// extractExclusive extracts what the sink's goroutine did exclusively after the sink, which is
// the sink of base: the events on which other goroutines may depend, and the other ways in
// which it could have continued.
func (x *extraction) extractExclusive(ctx context.Context, base *forest.Scenario) {
	f := x.f
	n := base.Sink
	g := f.At(n).Goroutine
	end := x.exclusive(g)
	if parent := f.At(n).Parent; n != forest.Root && f.At(parent).Goroutine == g {
		x.frontier.Reach(ctx, forest.Occurrence{Base: base, Node: parent}) // new too, when n is on the outcome of a compare-and-swap
	}
	rest := x.result.Alternatives
	for k := f.At(n).Index; ; {
		parent := f.At(n).Parent
		for len(rest) > 0 && rest[0].Index <= k {
			if rest[0].Index == k {
				x.alternatives(ctx, base, parent, n, &rest[0])
			}
			rest = rest[1:]
		}
		x.frontier.Reach(ctx, forest.Occurrence{Base: base, Node: n})
		if e := f.At(n); e.Opaque && e.From == 0 {
			x.frontier.Opaque(n, forest.Occurrence{Base: base, Node: parent})
		}
		switch f.At(n).Op {
		case schedule.Branch:
			x.branch(ctx, base, n)
		case schedule.Spawn:
			x.candidate(ctx, f.StartOf(n), forest.Occurrence{Base: base, Node: n})
		}
		if k++; int(k) >= end {
			break
		}
		if ctx.Err() != nil {
			return
		}
		n = x.event(n, x.events[g][k])
	}
	if x.result.Truncated {
		x.open = fmt.Sprintf("con2colic: a goroutine did more than %d events alone and was stopped", follower.MaxExclusive)
		return
	}
	pending := x.result.Pending
	if x.result.Concurrent >= 0 {
		pending = x.result.PendingExclusive
	}
	if transitions := follower.PendingOf(pending, g); len(transitions) > 0 {
		x.alternatives(ctx, base, n, 0, &follower.Alternatives{Transitions: transitions})
	}
}

// candidate adds the candidate for n, a dangling node to which the goroutine of o may come
// after o.node.
func (x *extraction) candidate(ctx context.Context, n forest.NodeID, o forest.Occurrence) {
	s := x.frontier.Dangling(ctx, n, o)
	if s == nil {
		return
	}
	if causes, ok := x.checker.Refuted(s); ok {
		x.frontier.Explore(ctx, &frontier.Candidate{Scenario: s}, causes) // only its extensions are candidates
		return
	}
	x.frontier.Push(s)
}

// branch adds candidates for the other sides of the branch n.
func (x *extraction) branch(ctx context.Context, base *forest.Scenario, n forest.NodeID) {
	f := x.f
	parent := f.At(n).Parent
	for _, dual := range f.Duals(n) {
		o := forest.Occurrence{Base: base, Node: f.At(dual).Parent}
		if o.Node != parent {
			// The other outcome of a compare-and-swap is another event already.
			m := &x.merge
			m.Start(f, o.Node)
			m.AddOthers(base, parent, o.Node)
			if o.Base = m.Finish(base.Input); o.Base == nil {
				continue
			}
		}
		x.candidate(ctx, dual, o)
	}
}

// alternatives adds candidates for what could have come in the place of the node n after parent;
// n is 0 if nothing came.
func (x *extraction) alternatives(ctx context.Context, base *forest.Scenario, parent, n forest.NodeID, a *follower.Alternatives) {
	f := x.f
	o := forest.Occurrence{Base: base, Node: parent}
	add := func(l forest.Label) {
		if other, ok := f.Alternative(parent, n, l); ok {
			x.candidate(ctx, other, o)
		}
	}
	for v := range a.Values {
		if ctx.Err() != nil {
			return // there may be as many as a map has entries
		}
		l := f.At(n).Label
		l.Alt = int32(v)
		add(l)
	}
	for i := range a.Transitions {
		for k, l := range forest.PendingLabels(&a.Transitions[i], x.visible) {
			if dependence.IsRead(l.Op) && n != 0 {
				continue // it has no other outcome than by its value
			}
			add(l)
			if k == 0 {
				x.opaquePending(l, o)
			}
		}
	}
}

// opaquePending deals with a read that is pending after o, because it would be an unforeseen
// interference. If other reads on the location are opaque, it is an opaque read.
func (x *extraction) opaquePending(l forest.Label, o forest.Occurrence) {
	f := x.f
	if dependence.IsRead(l.Op) && l.Object != run.NoObject && x.frontier.HasOpaque(f.LocID(l.Object, l.Offset)) {
		x.frontier.Opaque(f.OpaqueChild(o.Node, l), o)
	}
}

// visible reports whether an event of op is a step of its own.
func visible(op schedule.Op) bool {
	return op >= schedule.Read && op <= schedule.TimerFire || op == schedule.Yield
}
