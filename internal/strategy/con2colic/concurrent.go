package con2colic

import (
	"context"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Time passes only when no goroutine can run. So when the sink's goroutine waits for a
// timer, all of them run until they wait too. What the sink's goroutine does then comes
// after all that the others did meanwhile: the scenario of such an event is that of the run
// up to it.

// extractConcurrent takes in what goroutine g, the sink's, did after all goroutines began
// to run.
func (x *extraction) extractConcurrent(ctx context.Context, g int32) {
	f := x.f
	nodes := x.nodes()
	rest := x.result.alternatives
	for k := x.exclusive(g); g < int32(len(x.events)) && k < len(x.events[g]); k++ {
		i := x.events[g][k]
		n := nodes[i]
		s := x.prefix(nodes, i)
		if s == nil || s.degree > x.maxDegree || ctx.Err() != nil {
			return
		}
		o := occurrence{s, n}
		for len(rest) > 0 && int(rest[0].index) <= k {
			if int(rest[0].index) == k {
				x.alternatives(ctx, s, f.at(n).parent, n, &rest[0])
			}
			rest = rest[1:]
		}
		x.frontier.reach(ctx, o)
		switch f.at(n).op {
		case schedule.Branch:
			x.branch(ctx, s, n)
		case schedule.Spawn:
			x.candidate(ctx, f.startOf(n), o)
		}
	}
	// Timers start goroutines too.
	for i, n := range nodes {
		if n == 0 || x.t.Events[i].Op != schedule.Start || f.at(f.at(n).parent).op == schedule.Spawn || n == f.at(root).first {
			continue
		}
		if s := x.prefix(nodes, int32(i)); s != nil && s.degree <= x.maxDegree {
			x.candidate(ctx, n, occurrence{s, f.at(n).parent})
		}
	}
	if events := x.events[g]; len(events) > 0 {
		i := events[len(events)-1]
		if s := x.prefix(nodes, i); s != nil && s.degree <= x.maxDegree {
			if transitions := pendingOf(x.result.pending, g); len(transitions) > 0 {
				x.alternatives(ctx, s, nodes[i], 0, &alternatives{transitions: transitions})
			}
		}
	}
}

// interferences counts the reads among events that take their value from another
// goroutine, as scenarios count them.
func interferences(events []run.Event) int {
	type origin struct {
		parent int32
		at     int // index of the Spawn
	}
	spawns := map[int32]origin{}
	// own reports whether event w is of goroutine g, or of one above it before
	// that spawned the next on the way to g.
	own := func(w int, g int32) bool {
		for {
			if events[w].Goroutine == g || events[w].Goroutine < 0 {
				return true
			}
			o, ok := spawns[g]
			if !ok || w > o.at && events[w].Goroutine == o.parent {
				return false
			}
			g = o.parent
		}
	}
	n := 0
	for i := range events {
		e := &events[i]
		switch {
		case e.Op == schedule.Spawn:
			spawns[e.Other] = origin{e.Goroutine, i}
		case reads(e.Op) && interferes(e.Op) && e.Other >= 0 && !own(int(e.Other), e.Goroutine):
			n++
		}
	}
	return n
}

// nodes returns the nodes of all events of the run, 0 for those of timers.
func (x *extraction) nodes() []nodeID {
	f := x.f
	nodes := make([]nodeID, x.result.events)
	last := map[int32]nodeID{0: root}
	setters := map[run.ObjectID]nodeID{} // the latest TimerSet of a timer
	var fired run.ObjectID
	for i := range nodes {
		e := &x.t.Events[i]
		if e.Goroutine < 0 {
			fired = e.Object
			continue
		}
		parent, ok := last[e.Goroutine]
		if !ok {
			if parent = setters[fired]; parent == 0 {
				continue
			}
		}
		from := nodeID(0)
		if readsCell(e.Op) && e.Other >= 0 && int(e.Other) < i {
			from = nodes[e.Other]
		}
		n := x.recorder.event(parent, int32(i), from)
		if o := f.at(n); o.opaque && o.from != 0 && o.from == f.partsOf(n)[o.opaquePart].local {
			n = x.recorder.event(parent, int32(i), 0) // it is no interference
		}
		nodes[i] = n
		last[e.Goroutine] = n
		switch e.Op {
		case schedule.Spawn:
			last[e.Other] = n
		case schedule.TimerSet:
			setters[e.Object] = n
		}
	}
	return nodes
}

// prefix returns the scenario of the run up to event i, which is its sink. It is
// nil when that is not known in full.
func (x *extraction) prefix(nodes []nodeID, i int32) *scenario {
	f := x.f
	m := &x.merge
	m.start(f, nodes[i])
	for k := i - 1; k >= 0; k-- {
		if n := nodes[k]; n != 0 && f.at(n).goroutine != f.at(nodes[i]).goroutine {
			m.addTip(n)
		}
	}
	holder := map[locID]nodeID{}
	for k := int32(0); k <= i; k++ {
		n := nodes[k]
		if n == 0 {
			if x.t.Events[k].Goroutine >= 0 {
				return nil
			}
			continue
		}
		e := f.at(n)
		switch {
		case isAcquire(e.op):
			holder[e.loc] = n
		case e.op == schedule.TryFail || e.op == schedule.LockIntent:
			if w := holder[e.loc]; w != 0 && f.at(w).goroutine != e.goroutine {
				m.addEdge(edge{n, 0, w})
			}
		case reads(e.op):
			x.sources(m, nodes, n, &x.t.Events[k])
		}
	}
	return m.finish(x.s.input)
}

// sources adds to m the edges of the read n, event e, from writes that do not come before
// it by program order and spawns.
func (x *extraction) sources(m *merge, nodes []nodeID, n nodeID, e *run.Event) {
	f := x.f
	if e.Other < 0 || int(e.Other) >= len(nodes) || nodes[e.Other] == 0 {
		return
	}
	w := nodes[e.Other]
	for k, p := range f.partsOf(n) {
		if !readsCell(e.Op) {
			if !f.before(w, n) {
				m.addEdge(edge{n, 0, w})
			}
		} else if p.local != w && f.partOn(w, p.loc) != nil {
			m.addEdge(edge{n, int32(k), w})
		}
	}
}
