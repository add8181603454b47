package frontier

import (
	"context"

	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
	"github.com/everyway-go/everyway/schedule"
)

// Explore is ExploreISCs (algorithm 3 of the paper): it extends c, which is not realizable
// because of causes, by every known event that may remove one of them. Events found later
// extend it when they are found (lines 21 to 23 of algorithm 1). Every realizable extension
// removes one of the causes.
//
// If ctx ends, some extensions are missing.
func (x *Frontier) Explore(ctx context.Context, c *Candidate, causes []forest.Cause) {
	for _, cause := range causes {
		for _, l := range x.f.LocationsOf(cause) {
			x.extendOn(ctx, obstacle{c, cause}, l)
		}
	}
}

// extendOn extends the candidate of ob by the known producers on l, and keeps ob for those
// found later.
func (x *Frontier) extendOn(ctx context.Context, ob obstacle, l forest.LocID) {
	if x.deferJoin(ob) {
		return
	}
	at := x.loc(l)
	at.obstacles = append(at.obstacles, ob)
	for _, p := range at.producers {
		if ctx.Err() != nil {
			return
		}
		x.extend(ob, p)
	}
}

// extend extends the candidate of ob by the occurrence p, if p may remove the cause: it adds
// the candidate that contains both and in which the cause takes its value from p.
func (x *Frontier) extend(ob obstacle, p forest.Occurrence) {
	f := x.f
	blocked, other := f.At(ob.Node), f.At(p.Node)
	if blocked.Opaque {
		return // with another source it would be another event: see interfere
	}
	if f.Before(p.Node, ob.Node) != (ob.Part == forest.OwnSend) {
		return
	}
	if f.Before(ob.Node, p.Node) && !(forest.IsAcquire(blocked.Op) && forest.IsRelease(other.Op)) {
		return // only the release of a lock helps although it comes after the cause
	}
	m := &x.merge
	var e forest.Edge
	switch {
	case ob.Part == forest.OtherCases:
		if !enables(other.Op, schedule.SelectDefault) || f.Contains(ob.Scenario, p.Node) {
			return
		}
	case feeds(other.Op, blocked.Op):
		e = forest.Edge{Read: ob.Node, Part: max(ob.Part, 0), Write: p.Node}
		if blocked.Op == schedule.Recv && ob.ReadsFrom(p.Node) {
			return
		}
	case !enables(other.Op, blocked.Op):
		return
	case blocked.Op == schedule.WaitGroupWait && other.Delta >= 0 || blocked.Op == schedule.WaitGroupAdd && other.Delta <= 0:
		return
	case blocked.Op == schedule.Send && f.Location(blocked.Loc).Capacity == 0:
		e = forest.Edge{Read: p.Node, Part: 0, Write: ob.Node}
	default:
		if f.Contains(ob.Scenario, p.Node) {
			return
		}
	}
	wait := blocked.Op == schedule.WaitGroupWait
	if wait && ob.join == ob.Node && other.Goroutine < ob.joined {
		return
	}
	m.Start(f, ob.Sink)
	m.Add(forest.Occurrence{Base: ob.Scenario, Node: ob.Sink})
	m.Add(p)
	if e.Read != 0 {
		m.AddEdge(e)
	}
	s := m.Finish(ob.Input)
	if s == nil {
		return
	}
	c := &Candidate{Scenario: s, join: ob.join, joined: ob.joined}
	if wait {
		c.join, c.joined = ob.Node, other.Goroutine
	}
	x.pushCandidate(c)
}

// subsumed reports whether a known occurrence of o's node is part of o. Every run that
// contains o contains that one too, so that the search finds from there what it would find
// from o.
func (x *Frontier) subsumed(o forest.Occurrence) bool {
	for _, p := range x.node(o.Node).occurrences {
		if x.f.Includes(o, p) && (x.options.Duplicates || x.f.Includes(p, o)) {
			return true
		}
	}
	return false
}

// Dangling notes that the goroutine of o may come to n, a dangling node, after o.Node. It
// returns the scenario in which it does, or nil if that is not new.
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

// Reach notes that a run has shown o.
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

// produce extends the candidates with an obstacle that the event of o may remove, those
// explored so far and those that will be.
func (x *Frontier) produce(ctx context.Context, o forest.Occurrence) {
	for _, p := range x.f.Parts(o.Node) {
		at := x.loc(p.Loc)
		at.producers = append(at.producers, o)
		for _, ob := range at.obstacles {
			if ctx.Err() != nil {
				return
			}
			x.extend(ob, o)
		}
		for _, r := range at.opaque {
			x.interfere(r, o)
		}
		x.resumeJoins(ctx, p.Loc)
	}
}

// Opaque notes that the opaque read n may come after o, and adds candidates in which it takes
// its value from another goroutine. Since no branch shows what depends on the value, there is
// one for every write.
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

// interfere adds a candidate in which the opaque read r takes its value from the event of o.
func (x *Frontier) interfere(r opaqueRead, o forest.Occurrence) {
	f := x.f
	e, w := *f.At(r.node), f.At(o.Node)
	if !feeds(w.Op, e.Op) || e.Goroutine == w.Goroutine || f.Before(o.Node, r.node) {
		return
	}
	l := e.Label
	l.From = o.Node
	n := f.OpaqueChild(e.Parent, l)
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

// deferJoin defers the extension of the candidate of ob if that is blocked at a wait for a
// wait group which the known events cannot satisfy. It reports whether it does.
func (x *Frontier) deferJoin(ob obstacle) bool {
	f := x.f
	if !x.options.UnsatCore || f.At(ob.Node).Op != schedule.WaitGroupWait {
		return false
	}
	at := x.loc(f.At(ob.Node).Loc)
	var j *join
	for _, known := range at.joins {
		if known.wait == ob.Node {
			j = known
		}
	}
	if j == nil {
		j = newJoin(f, ob.Node)
		at.joins = append(at.joins, j)
	}
	j.update(f, at.producers)
	if j.possible(f, ob.Candidate) {
		return false
	}
	j.deferred = append(j.deferred, ob)
	return true
}

// resumeJoins resumes what was deferred for lack of the producers that there are now on l.
func (x *Frontier) resumeJoins(ctx context.Context, l forest.LocID) {
	for i := 0; i < len(x.loc(l).joins); i++ {
		j := x.loc(l).joins[i]
		if !j.update(x.f, x.loc(l).producers) {
			continue
		}
		deferred := j.deferred
		j.deferred = nil
		for _, ob := range deferred {
			x.extendOn(ctx, ob, l)
		}
	}
}
