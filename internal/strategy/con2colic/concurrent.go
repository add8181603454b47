package con2colic

import (
	"context"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/follower"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// Time passes only when no goroutine can run. So when the sink's goroutine waits for a timer,
// all goroutines run until they wait too. What the sink's goroutine does then comes after all
// that the others did meanwhile: the scenario of such an event is that of the whole run up to
// it.

// extractConcurrent extracts what goroutine g, the sink's, did after all goroutines began to
// run.
func (x *extraction) extractConcurrent(ctx context.Context, g int32) {
	f := x.f
	nodes := x.nodes()
	rest := x.result.Alternatives
	for k := x.exclusive(g); g < int32(len(x.events)) && k < len(x.events[g]); k++ {
		i := x.events[g][k]
		n := nodes[i]
		s := x.prefix(nodes, i)
		if s == nil || s.Degree > x.maxDegree || ctx.Err() != nil {
			return
		}
		o := forest.Occurrence{Base: s, Node: n}
		for len(rest) > 0 && int(rest[0].Index) <= k {
			if int(rest[0].Index) == k {
				x.alternatives(ctx, s, f.At(n).Parent, n, &rest[0])
			}
			rest = rest[1:]
		}
		x.frontier.Reach(ctx, o)
		switch f.At(n).Op {
		case schedule.Branch:
			x.branch(ctx, s, n)
		case schedule.Spawn:
			x.candidate(ctx, f.StartOf(n), o)
		}
	}
	// Timers start goroutines too.
	for i, n := range nodes {
		if n == 0 || x.t.Events[i].Op != schedule.Start || f.At(f.At(n).Parent).Op == schedule.Spawn || n == f.At(forest.Root).FirstChild {
			continue
		}
		if s := x.prefix(nodes, int32(i)); s != nil && s.Degree <= x.maxDegree {
			x.candidate(ctx, n, forest.Occurrence{Base: s, Node: f.At(n).Parent})
		}
	}
	if events := x.events[g]; len(events) > 0 {
		i := events[len(events)-1]
		if s := x.prefix(nodes, i); s != nil && s.Degree <= x.maxDegree {
			if transitions := follower.PendingOf(x.result.Pending, g); len(transitions) > 0 {
				x.alternatives(ctx, s, nodes[i], 0, &follower.Alternatives{Transitions: transitions})
			}
		}
	}
}

// interferences returns the degree of events as that of a scenario: the number of reads that
// take their value from another goroutine.
func interferences(events []run.Event) int {
	type origin struct {
		parent int32
		at     int // index of the Spawn
	}
	spawns := map[int32]origin{}
	// own reports whether event w comes before the events of goroutine g by program order and
	// spawns, or is one of them.
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
		case forest.Reads(e.Op) && forest.Interferes(e.Op) && e.Other >= 0 && !own(int(e.Other), e.Goroutine):
			n++
		}
	}
	return n
}

// nodes returns the nodes of all events of the run, 0 for those of timers.
func (x *extraction) nodes() []forest.NodeID {
	f := x.f
	nodes := make([]forest.NodeID, x.result.Events)
	last := map[int32]forest.NodeID{0: forest.Root}
	setters := map[run.ObjectID]forest.NodeID{} // the latest TimerSet of a timer
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
		from := forest.NodeID(0)
		if dependence.IsRead(e.Op) && e.Other >= 0 && int(e.Other) < i {
			from = nodes[e.Other]
		}
		n := x.recorder.Event(parent, int32(i), from)
		if o := f.At(n); o.Opaque && o.From != 0 && o.From == f.Parts(n)[o.OpaquePart].Local {
			n = x.recorder.Event(parent, int32(i), 0) // it is no interference
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

// prefix returns the scenario of the run up to event i, which is its sink. It is nil if not
// all of that is known.
func (x *extraction) prefix(nodes []forest.NodeID, i int32) *forest.Scenario {
	f := x.f
	m := &x.merge
	m.Start(f, nodes[i])
	for k := i - 1; k >= 0; k-- {
		if n := nodes[k]; n != 0 && f.At(n).Goroutine != f.At(nodes[i]).Goroutine {
			m.AddTip(n)
		}
	}
	holder := map[forest.LocID]forest.NodeID{}
	for k := int32(0); k <= i; k++ {
		n := nodes[k]
		if n == 0 {
			if x.t.Events[k].Goroutine >= 0 {
				return nil
			}
			continue
		}
		e := f.At(n)
		switch {
		case forest.IsAcquire(e.Op):
			holder[e.Loc] = n
		case e.Op == schedule.TryFail || e.Op == schedule.LockIntent:
			if w := holder[e.Loc]; w != 0 && f.At(w).Goroutine != e.Goroutine {
				m.AddEdge(forest.Edge{Read: n, Part: 0, Write: w})
			}
		case forest.Reads(e.Op):
			x.sources(m, nodes, n, &x.t.Events[k])
		}
	}
	return m.Finish(x.s.Input)
}

// sources adds to m the edges of the read n, event e, from writes that do not come before
// it by program order and spawns.
func (x *extraction) sources(m *forest.Merge, nodes []forest.NodeID, n forest.NodeID, e *run.Event) {
	f := x.f
	if e.Other < 0 || int(e.Other) >= len(nodes) || nodes[e.Other] == 0 {
		return
	}
	w := nodes[e.Other]
	for k, p := range f.Parts(n) {
		if !dependence.IsRead(e.Op) {
			if !f.Before(w, n) {
				m.AddEdge(forest.Edge{Read: n, Part: 0, Write: w})
			}
		} else if p.Local != w && f.PartOn(w, p.Loc) != nil {
			m.AddEdge(forest.Edge{Read: n, Part: int32(k), Write: w})
		}
	}
}
