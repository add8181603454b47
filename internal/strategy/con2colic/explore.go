package con2colic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A need is something that keeps a candidate from being realizable and that an
// event of another goroutine may change: a local read that has to read something
// else, an operation that is blocked.
type need struct {
	s *scenario
	cause
}

// explore is ExploreISCs (algorithm 3 of the paper): it extends the candidate s,
// which is not realizable because of causes, by every known event that may change
// one of them, and notes the causes so that events found later are tried too.
// All extensions that can be realizable have to change one of the causes.
func (c *Strategy) explore(s *scenario, causes []cause) {
	for _, x := range causes {
		for _, l := range c.forest.locsOf(x) {
			c.meet(need{s, x}, l)
		}
	}
}

// meet extends the candidate of n by the events on l that are known, and those that
// will be.
func (c *Strategy) meet(n need, l locID) {
	if c.putAside(n) {
		return
	}
	at := &c.forest.locs[l]
	at.waiting = append(at.waiting, n)
	for _, p := range at.offers {
		if c.interrupted() {
			return
		}
		c.extend(n, p)
	}
}

// locsOf returns what an event that changes x can be on.
func (f *forest) locsOf(x cause) []locID {
	e := f.at(x.node)
	if e.op != schedule.SelectDefault && x.part != otherCases {
		if e.cells == 0 {
			return nil
		}
		return []locID{f.partsOf(x.node)[max(x.part, 0)].loc}
	}
	var locs []locID
	for c := f.at(e.parent).first; c != 0; c = f.at(c).sibling {
		if l := f.at(c).loc; l != 0 && f.at(c).selects && !slices.Contains(locs, l) {
			locs = append(locs, l)
		}
	}
	return locs
}

// extend adds to n's candidate the scenario of the event p.node and what n's
// cause takes from it.
func (c *Strategy) extend(n need, p place) {
	f := c.forest
	needy, other := f.at(n.node), f.at(p.node)
	if needy.opaque {
		return // it would not be the same event: see opaque
	}
	if f.before(p.node, n.node) != (n.part == ownSend) {
		return
	}
	if f.before(n.node, p.node) && !(isAcquire(needy.op) && isRelease(other.op)) {
		return // what comes after cannot help, but for the release of a lock that is in the way of others
	}
	m := &c.merge
	var e edge
	switch {
	case n.part == otherCases:
		if !helps(other.op, schedule.SelectDefault) || c.holds(n.s, p.node) {
			return
		}
	case feeds(other.op, needy.op):
		e = edge{n.node, max(n.part, 0), p.node}
		if needy.op == schedule.Recv && n.s.feedsAny(p.node) {
			return
		}
	case !helps(other.op, needy.op):
		return
	case needy.op == schedule.WaitGroupWait && other.delta >= 0 || needy.op == schedule.WaitGroupAdd && other.delta <= 0:
		return
	case needy.op == schedule.Send && f.locs[needy.loc].capacity == 0:
		e = edge{p.node, 0, n.node}
	default:
		if c.holds(n.s, p.node) {
			return
		}
	}
	wait := needy.op == schedule.WaitGroupWait
	if wait && n.s.joins == n.node && other.goroutine < n.s.joined {
		return
	}
	m.start(f, n.s.sink)
	m.addPlace(place{n.s, n.s.sink})
	m.addPlace(p)
	if e.read != 0 {
		m.addEdge(e)
	}
	s := m.finish(n.s.input)
	if s == nil {
		return
	}
	s.joins, s.joined = n.s.joins, n.s.joined
	if wait {
		s.joins, s.joined = n.node, other.goroutine
	}
	c.push(s)
}

// holds reports whether n is an event of s.
func (c *Strategy) holds(s *scenario, n nodeID) bool {
	t := c.forest.tip(place{s, s.sink}, c.forest.at(n).goroutine)
	return t != 0 && c.forest.before(n, t)
}

// feedsAny reports whether an edge of s starts at write.
func (s *scenario) feedsAny(write nodeID) bool {
	for _, e := range s.edges {
		if e.write == write {
			return true
		}
	}
	return false
}

// known reports whether q needs no treatment since a place of the same node
// that is part of it has been found. Any run that contains q then contains the
// other, and the search comes to it from there.
func (c *Strategy) known(q place) bool {
	for _, p := range c.forest.at(q.node).places {
		if c.forest.partOf(p, q) && (c.options.Duplicates || c.forest.partOf(q, p)) {
			return true
		}
	}
	return false
}

// root makes a candidate for n, a node that the goroutine of p may come to next
// after p.node, unless it has one. It is the extraction of a dangling node
// (algorithm 2 of the paper).
func (c *Strategy) root(n nodeID, p place) {
	f := c.forest
	q := place{p.base, n}
	if c.known(q) {
		return
	}
	e := f.at(n)
	e.places = append(e.places, q)
	if e.offered || e.op == schedule.Send || e.op == schedule.Recv {
		e.offered = true
		c.offer(q)
	}
	m := &c.merge
	m.start(f, n)
	m.addPlace(p)
	s := m.finish(p.base.input)
	if s == nil {
		return
	}
	if causes, ok := c.decided(s); ok {
		c.explore(s, causes) // no candidate by itself
		return
	}
	c.push(s)
}

// arrive notes that p.node is an event that p leads to.
func (c *Strategy) arrive(p place) {
	f := c.forest
	e := f.at(p.node)
	if !offers(e.op) || e.alt == misuse {
		return
	}
	fresh := !c.known(p)
	if fresh {
		e.places = append(e.places, p)
	}
	switch {
	case !e.offered:
		e.offered = true
		for _, q := range e.places {
			c.offer(q)
		}
	case fresh:
		c.offer(p)
	}
}

// opaque notes that the opaque read n may come after the place p, and makes
// candidates in which it takes its value from another goroutine. Since no branch
// tells what depends on the value, every write is tried.
func (c *Strategy) opaque(n nodeID, p place) {
	f := c.forest
	r := opaqueRead{n, p}
	at := &f.locs[f.partsOf(n)[f.at(n).blank].loc]
	at.opaque = append(at.opaque, r)
	for _, q := range at.offers {
		c.interfere(r, q)
	}
}

// interfere makes a candidate for the opaque read r with the value that the event
// of p writes.
func (c *Strategy) interfere(r opaqueRead, p place) {
	f := c.forest
	e, w := *f.at(r.node), f.at(p.node)
	if !feeds(w.op, e.op) || e.goroutine == w.goroutine || f.before(p.node, r.node) {
		return
	}
	lab := e.label
	lab.from = p.node
	n := f.child(e.parent, lab)
	f.at(n).opaque, f.at(n).blank = true, e.blank
	m := &c.merge
	m.start(f, n)
	m.addPlace(r.after)
	m.addPlace(p)
	m.addEdge(edge{n, e.blank, p.node})
	if s := m.finish(r.after.base.input); s != nil {
		c.push(s)
	}
}

// offers reports whether events of op can be of use to another goroutine.
func offers(op schedule.Op) bool {
	switch op {
	case schedule.Write, schedule.AtomicWrite, schedule.AtomicUpdate,
		schedule.Send, schedule.Recv, schedule.Close,
		schedule.Lock, schedule.RLock, schedule.Unlock, schedule.RUnlock,
		schedule.WaitGroupAdd, schedule.CondSignal, schedule.SemRelease, schedule.Sleep:
		return true
	}
	return false
}

// offer makes p known to the candidates that may need its event, those that have
// been found unrealizable so far (lines 21 to 23 of algorithm 1) and those to
// come.
func (c *Strategy) offer(p place) {
	f := c.forest
	for _, x := range f.partsOf(p.node) {
		at := &f.locs[x.loc]
		at.offers = append(at.offers, p)
		for _, n := range at.waiting {
			if c.interrupted() {
				return
			}
			c.extend(n, p)
		}
		for _, r := range at.opaque {
			c.interfere(r, p)
		}
		c.rejoin(x.loc)
	}
}

// push adds a candidate to the worklist of its degree unless it was there before.
func (c *Strategy) push(s *scenario) {
	if s.degree > c.options.K {
		return
	}
	if c.options.Duplicates {
		for _, t := range c.seen[s.hash] {
			if s.equal(t) {
				if t.free(s) && t.taken {
					c.again(t)
				}
				return
			}
		}
		c.seen[s.hash] = append(c.seen[s.hash], s)
	}
	c.work[s.degree].push(s)
}

// A worklist holds the candidates of one degree that have not been processed.
type worklist struct {
	first, rest []*scenario // first: may cover something new
}

func (w *worklist) push(s *scenario) { w.first = append(w.first, s) }

// pop takes the next candidate, one whose sink is uncovered if there is any; nil
// when there is none.
func (w *worklist) pop(uncovered func(*scenario) bool) *scenario {
	for len(w.first) > 0 {
		s := w.first[0]
		w.first = w.first[1:]
		if uncovered(s) {
			return s
		}
		w.rest = append(w.rest, s)
	}
	if len(w.rest) == 0 {
		return nil
	}
	s := w.rest[0]
	w.rest = w.rest[1:]
	return s
}

// An outcome is something that a place in the code can do: a side of a branch, a
// case of a select.
type outcome struct {
	site run.SiteID
	op   schedule.Op
	alt  int32
}

// outcomeOf returns the outcome that n is.
func (f *forest) outcomeOf(n nodeID) outcome {
	e := f.at(n)
	o := outcome{e.site, e.op, e.alt}
	if e.op == schedule.Branch {
		o.alt = int32(e.side)
	}
	return o
}
