package con2colic

import (
	"context"

	"github.com/everyway-go/everyway/schedule"
)

// explore is ExploreISCs (algorithm 3 of the paper): it extends c, which is not realizable
// because of causes, by every known event that may change one of them. Events found later
// are tried when they are (lines 21 to 23 of algorithm 1). Every realizable extension
// changes one of the causes.
//
// If ctx ends, some extensions are missing.
func (x *frontier) explore(ctx context.Context, c *candidate, causes []cause) {
	for _, cause := range causes {
		for _, l := range x.f.locsOf(cause) {
			x.extendOn(ctx, unrealizable{c, cause}, l)
		}
	}
}

// extendOn extends u by the producers on l that are known, and notes it for those that
// will be.
func (x *frontier) extendOn(ctx context.Context, u unrealizable, l locID) {
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
func (x *frontier) extend(u unrealizable, p occurrence) {
	f := x.f
	blocked, other := f.at(u.node), f.at(p.node)
	if blocked.opaque {
		return // it would not be the same event: see interfere
	}
	if f.before(p.node, u.node) != (u.part == ownSend) {
		return
	}
	if f.before(u.node, p.node) && !(isAcquire(blocked.op) && isRelease(other.op)) {
		return // what comes after cannot help, except for the release of a lock that blocks others
	}
	m := &x.merge
	var e edge
	switch {
	case u.part == otherCases:
		if !enables(other.op, schedule.SelectDefault) || f.contains(u.scenario, p.node) {
			return
		}
	case feeds(other.op, blocked.op):
		e = edge{u.node, max(u.part, 0), p.node}
		if blocked.op == schedule.Recv && u.readsFrom(p.node) {
			return
		}
	case !enables(other.op, blocked.op):
		return
	case blocked.op == schedule.WaitGroupWait && other.delta >= 0 || blocked.op == schedule.WaitGroupAdd && other.delta <= 0:
		return
	case blocked.op == schedule.Send && f.locAt(blocked.loc).capacity == 0:
		e = edge{p.node, 0, u.node}
	default:
		if f.contains(u.scenario, p.node) {
			return
		}
	}
	wait := blocked.op == schedule.WaitGroupWait
	if wait && u.join == u.node && other.goroutine < u.joined {
		return
	}
	m.start(f, u.sink)
	m.add(occurrence{u.scenario, u.sink})
	m.add(p)
	if e.read != 0 {
		m.addEdge(e)
	}
	s := m.finish(u.input)
	if s == nil {
		return
	}
	c := &candidate{scenario: s, join: u.join, joined: u.joined}
	if wait {
		c.join, c.joined = u.node, other.goroutine
	}
	x.pushCandidate(c)
}

// subsumed reports whether an occurrence of o's node is known that is part of o. Every run
// that contains o contains that one too, so that the search finds from there what it would
// find from o.
func (x *frontier) subsumed(o occurrence) bool {
	for _, p := range x.node(o.node).occurrences {
		if x.f.includes(o, p) && (x.options.duplicates || x.f.includes(p, o)) {
			return true
		}
	}
	return false
}

// extract notes that the goroutine of o may come to n, a dangling node, after o.node. It
// returns the scenario of that, the extraction of a dangling node by algorithm 2 of the
// paper, or nil if that is not new.
func (x *frontier) extract(ctx context.Context, n nodeID, o occurrence) *scenario {
	f := x.f
	p := occurrence{o.base, n}
	if x.subsumed(p) {
		return nil
	}
	at := x.node(n)
	at.occurrences = append(at.occurrences, p)
	if op := f.at(n).op; at.producer || op == schedule.Send || op == schedule.Recv {
		at.producer = true
		x.produce(ctx, p)
	}
	m := &x.merge
	m.start(f, n)
	m.add(o)
	return m.finish(o.base.input)
}

// reach notes that o occurs: its node may be a producer.
func (x *frontier) reach(ctx context.Context, o occurrence) {
	e := x.f.at(o.node)
	if !produces(e.op) || e.alt == misuse {
		return
	}
	fresh := !x.subsumed(o)
	at := x.node(o.node)
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
func (x *frontier) produce(ctx context.Context, o occurrence) {
	for _, p := range x.f.partsOf(o.node) {
		at := x.loc(p.loc)
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
		x.resumeJoins(ctx, p.loc)
	}
}

// opaque notes that the opaque read n may come after o, and adds candidates in which it
// takes its value from another goroutine. Since no branch shows what depends on the value,
// every write is tried.
func (x *frontier) opaque(n nodeID, o occurrence) {
	f := x.f
	r := opaqueRead{n, o}
	at := x.loc(f.partsOf(n)[f.at(n).opaquePart].loc)
	at.opaque = append(at.opaque, r)
	for _, p := range at.producers {
		x.interfere(r, p)
	}
}

// hasOpaque reports whether there are opaque reads of l.
func (x *frontier) hasOpaque(l locID) bool { return len(x.loc(l).opaque) > 0 }

// interfere adds a candidate for the opaque read r with the value that the event
// of o writes.
func (x *frontier) interfere(r opaqueRead, o occurrence) {
	f := x.f
	e, w := *f.at(r.node), f.at(o.node)
	if !feeds(w.op, e.op) || e.goroutine == w.goroutine || f.before(o.node, r.node) {
		return
	}
	lab := e.label
	lab.from = o.node
	n := f.opaqueChild(e.parent, lab)
	f.at(n).opaquePart = e.opaquePart
	m := &x.merge
	m.start(f, n)
	m.add(r.after)
	m.add(o)
	m.addEdge(edge{n, e.opaquePart, o.node})
	if s := m.finish(r.after.base.input); s != nil {
		x.push(s)
	}
}

// deferJoin defers the extension of u if it is blocked at a wait for a wait group that no
// known events can satisfy.
func (x *frontier) deferJoin(u unrealizable) bool {
	f := x.f
	if !x.options.unsatCore || f.at(u.node).op != schedule.WaitGroupWait {
		return false
	}
	at := x.loc(f.at(u.node).loc)
	var j *join
	for _, known := range at.joins {
		if known.wait == u.node {
			j = known
		}
	}
	if j == nil {
		j = newJoin(f, u.node)
		at.joins = append(at.joins, j)
	}
	j.update(f, at.producers)
	if j.possible(f, u.candidate) {
		return false
	}
	j.deferred = append(j.deferred, u)
	return true
}

// resumeJoins extends what was deferred, after a new producer on l.
func (x *frontier) resumeJoins(ctx context.Context, l locID) {
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
