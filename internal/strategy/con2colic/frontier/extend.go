package frontier

import (
	"context"

	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// Explore is ExploreISCs (algorithm 3 of the paper): it extends c, which is not realizable
// because of causes, by every known event that may change one of them. Events found later
// are tried when they are (lines 21 to 23 of algorithm 1). Every realizable extension
// changes one of the causes.
//
// If ctx ends, some extensions are missing.
func (x *Frontier) Explore(ctx context.Context, c *Candidate, causes []forest.Cause) {
	for _, cause := range causes {
		for _, l := range x.f.LocationsOf(cause) {
			x.extendOn(ctx, unrealizable{c, cause}, l)
		}
	}
}

// extendOn extends u by the producers on l that are known, and notes it for those that
// will be.
func (x *Frontier) extendOn(ctx context.Context, u unrealizable, l forest.LocID) {
	if x.deferJoin(u) {
		return
	}
	at := x.loc(l)
	at.unrealizable = append(at.unrealizable, u)
	for _, p := range at.producers {
		if ctx.Err() != nil {
			return
		}
		x.extend(u, p)
	}
}

// extend adds a candidate that is u's with the scenario of the event p.node and what the
// cause of u takes from the event, if that may help.
func (x *Frontier) extend(u unrealizable, p forest.Occurrence) {
	f := x.f
	blocked, other := f.At(u.Node), f.At(p.Node)
	if blocked.Opaque {
		return // it would not be the same event: see interfere
	}
	if f.Before(p.Node, u.Node) != (u.Part == forest.OwnSend) {
		return
	}
	if f.Before(u.Node, p.Node) && !(forest.IsAcquire(blocked.Op) && forest.IsRelease(other.Op)) {
		return // what comes after cannot help, except for the release of a lock that blocks others
	}
	m := &x.merge
	var e forest.Edge
	switch {
	case u.Part == forest.OtherCases:
		if !enables(other.Op, schedule.SelectDefault) || f.Contains(u.Scenario, p.Node) {
			return
		}
	case feeds(other.Op, blocked.Op):
		e = forest.Edge{Read: u.Node, Part: max(u.Part, 0), Write: p.Node}
		if blocked.Op == schedule.Recv && u.ReadsFrom(p.Node) {
			return
		}
	case !enables(other.Op, blocked.Op):
		return
	case blocked.Op == schedule.WaitGroupWait && other.Delta >= 0 || blocked.Op == schedule.WaitGroupAdd && other.Delta <= 0:
		return
	case blocked.Op == schedule.Send && f.Location(blocked.Loc).Capacity == 0:
		e = forest.Edge{Read: p.Node, Part: 0, Write: u.Node}
	default:
		if f.Contains(u.Scenario, p.Node) {
			return
		}
	}
	wait := blocked.Op == schedule.WaitGroupWait
	if wait && u.join == u.Node && other.Goroutine < u.joined {
		return
	}
	m.Start(f, u.Sink)
	m.Add(forest.Occurrence{Base: u.Scenario, Node: u.Sink})
	m.Add(p)
	if e.Read != 0 {
		m.AddEdge(e)
	}
	s := m.Finish(u.Input)
	if s == nil {
		return
	}
	c := &Candidate{Scenario: s, join: u.join, joined: u.joined}
	if wait {
		c.join, c.joined = u.Node, other.Goroutine
	}
	x.pushCandidate(c)
}

// subsumed reports whether an occurrence of o's node is known that is part of o. Every run
// that contains o contains that one too, so that the search finds from there what it would
// find from o.
func (x *Frontier) subsumed(o forest.Occurrence) bool {
	for _, p := range x.node(o.Node).occurrences {
		if x.f.Includes(o, p) && (x.options.Duplicates || x.f.Includes(p, o)) {
			return true
		}
	}
	return false
}

// extract notes that the goroutine of o may come to n, a dangling node, after o.node. It
// returns the scenario of that, the extraction of a dangling node by algorithm 2 of the
// paper, or nil if that is not new.
func (x *Frontier) Dangling(ctx context.Context, n forest.NodeID, o forest.Occurrence) *forest.Scenario {
	f := x.f
	p := forest.Occurrence{Base: o.Base, Node: n}
	if x.subsumed(p) {
		return nil
	}
	at := x.node(n)
	at.occurrences = append(at.occurrences, p)
	if op := f.At(n).Op; at.producer || op == schedule.Send || op == schedule.Recv {
		at.producer = true
		x.produce(ctx, p)
	}
	m := &x.merge
	m.Start(f, n)
	m.Add(o)
	return m.Finish(o.Base.Input)
}

// Reach notes that o occurs: its node may be a producer.
func (x *Frontier) Reach(ctx context.Context, o forest.Occurrence) {
	e := x.f.At(o.Node)
	if !produces(e.Op) || e.Alt == forest.Misuse {
		return
	}
	fresh := !x.subsumed(o)
	at := x.node(o.Node)
	if fresh {
		at.occurrences = append(at.occurrences, o)
	}
	switch {
	case !at.producer:
		at.producer = true
		for _, p := range at.occurrences {
			x.produce(ctx, p)
		}
	case fresh:
		x.produce(ctx, o)
	}
}

// produce extends the candidates that the event of o may help, those that were found
// unrealizable so far and those that will be.
func (x *Frontier) produce(ctx context.Context, o forest.Occurrence) {
	for _, p := range x.f.Parts(o.Node) {
		at := x.loc(p.Loc)
		at.producers = append(at.producers, o)
		for _, u := range at.unrealizable {
			if ctx.Err() != nil {
				return
			}
			x.extend(u, o)
		}
		for _, r := range at.opaque {
			x.interfere(r, o)
		}
		x.resumeJoins(ctx, p.Loc)
	}
}

// Opaque notes that the opaque read n may come after o, and adds candidates in which it
// takes its value from another goroutine. Since no branch shows what depends on the value,
// every write is tried.
func (x *Frontier) Opaque(n forest.NodeID, o forest.Occurrence) {
	f := x.f
	r := opaqueRead{n, o}
	at := x.loc(f.Parts(n)[f.At(n).OpaquePart].Loc)
	at.opaque = append(at.opaque, r)
	for _, p := range at.producers {
		x.interfere(r, p)
	}
}

// HasOpaque reports whether there are opaque reads of l.
func (x *Frontier) HasOpaque(l forest.LocID) bool { return len(x.loc(l).opaque) > 0 }

// interfere adds a candidate for the opaque read r with the value that the event
// of o writes.
func (x *Frontier) interfere(r opaqueRead, o forest.Occurrence) {
	f := x.f
	e, w := *f.At(r.node), f.At(o.Node)
	if !feeds(w.Op, e.Op) || e.Goroutine == w.Goroutine || f.Before(o.Node, r.node) {
		return
	}
	lab := e.Label
	lab.From = o.Node
	n := f.OpaqueChild(e.Parent, lab)
	f.At(n).OpaquePart = e.OpaquePart
	m := &x.merge
	m.Start(f, n)
	m.Add(r.after)
	m.Add(o)
	m.AddEdge(forest.Edge{Read: n, Part: e.OpaquePart, Write: o.Node})
	if s := m.Finish(r.after.Base.Input); s != nil {
		x.Push(s)
	}
}

// deferJoin defers the extension of u if it is blocked at a wait for a wait group that no
// known events can satisfy.
func (x *Frontier) deferJoin(u unrealizable) bool {
	f := x.f
	if !x.options.UnsatCore || f.At(u.Node).Op != schedule.WaitGroupWait {
		return false
	}
	at := x.loc(f.At(u.Node).Loc)
	var j *join
	for _, known := range at.joins {
		if known.wait == u.Node {
			j = known
		}
	}
	if j == nil {
		j = newJoin(f, u.Node)
		at.joins = append(at.joins, j)
	}
	j.update(f, at.producers)
	if j.possible(f, u.Candidate) {
		return false
	}
	j.deferred = append(j.deferred, u)
	return true
}

// resumeJoins extends what was deferred, after a new producer on l.
func (x *Frontier) resumeJoins(ctx context.Context, l forest.LocID) {
	for i := 0; i < len(x.loc(l).joins); i++ {
		j := x.loc(l).joins[i]
		if !j.update(x.f, x.loc(l).producers) {
			continue
		}
		deferred := j.deferred
		j.deferred = nil
		for _, u := range deferred {
			x.extendOn(ctx, u, l)
		}
	}
}
