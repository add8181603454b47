package con2colic

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A scenario is an interference scenario (definition 5.2 of the paper): a path
// for each of some goroutines, and the interferences between them. It is
// closed: with a node it holds what comes before it by program order, by spawns
// and by its interferences. Scenarios are not changed once made.
type scenario struct {
	// sink is the node that the scenario is for. Its goroutine does nothing
	// after it.
	sink nodeID
	// tips holds the last node of each goroutine in the scenario, in the order
	// of goroutine numbers.
	tips  []nodeID
	edges []edge // in the order of the reads
	// degree is the number of reads with an edge that is an interference.
	degree int
	hash   uint64
	// input is that of the run in which the way to the sink was found: a good
	// guess for this scenario.
	input run.Input
	// retried says that the scenario has been run before something was known
	// that its data constraint needs.
	retried bool
	// joins is a wait for a wait group for which events of other goroutines were
	// added, 0 if there is none, and joined the goroutine of the last. To add them in
	// the order of goroutines is enough: any set of them is come by in that way.
	joins  nodeID
	joined int32
	taken  bool // from the worklist

	// patterns are orders of its events that have been seen to block one.
	patterns []pattern
}

// An edge says that a part of a read takes its value from a write of another
// goroutine. A receive may also have one from a send of its own goroutine, when
// it is not the one that it would receive without the others: that is no
// interference.
type edge struct {
	read  nodeID
	part  int32
	write nodeID
}

// compareReads orders edges by what they are of.
func compareReads(a, b edge) int {
	return cmp.Or(cmp.Compare(a.read, b.read), cmp.Compare(a.part, b.part))
}

// A place is a way of coming to a node: the scenario base, but with node in the
// place of base's tip in node's goroutine.
type place struct {
	base *scenario
	node nodeID
}

// tip returns the last node of goroutine g in p, or 0.
func (f *forest) tip(p place, g int32) nodeID {
	if f.nodes[p.node].goroutine == g {
		return p.node
	}
	for _, t := range p.base.tips {
		if f.nodes[t].goroutine == g {
			return t
		}
	}
	return 0
}

// source returns the write that a part of read takes its value from by an edge,
// or 0.
func (s *scenario) source(read nodeID, part int32) nodeID {
	i, ok := slices.BinarySearchFunc(s.edges, edge{read: read, part: part}, compareReads)
	if !ok {
		return 0
	}
	return s.edges[i].write
}

// partOf reports whether p is part of q, a way to the same node: all its paths
// and edges are in q.
func (f *forest) partOf(p, q place) bool {
	if p.base == q.base {
		return true
	}
	if len(p.base.edges) > len(q.base.edges) {
		return false
	}
	i := 0
	for _, e := range p.base.edges {
		for i < len(q.base.edges) && compareReads(q.base.edges[i], e) < 0 {
			i++
		}
		if i == len(q.base.edges) || q.base.edges[i] != e {
			return false
		}
	}
	own := f.nodes[p.node].goroutine
	for _, t := range p.base.tips {
		g := f.nodes[t].goroutine
		if g == own {
			continue
		}
		if u := f.tip(q, g); u == 0 || !f.before(t, u) {
			return false
		}
	}
	return true
}

// A merge builds a scenario from others (remark 5.5 of the paper).
type merge struct {
	f     *forest
	sink  nodeID
	tips  []nodeID
	edges []edge
	ok    bool // what was added so far is compatible (definition 5.4)

	left []edge // scratch of causal
}

// start begins a scenario for sink.
func (m *merge) start(f *forest, sink nodeID) {
	m.f, m.sink, m.ok = f, sink, true
	m.tips, m.edges = m.tips[:0], m.edges[:0]
	m.addTip(sink)
}

// addPlace adds the paths and edges of p.
func (m *merge) addPlace(p place) {
	own := m.f.nodes[p.node].goroutine
	for _, t := range p.base.tips {
		if m.f.nodes[t].goroutine != own {
			m.addTip(t)
		}
	}
	m.addTip(p.node)
	for _, e := range p.base.edges {
		m.addEdge(e)
	}
}

// addOthers adds the paths of s but that of its sink, and its edges. Those of old,
// an event of the sink's goroutine, become edges of actual, the event that is in
// its place.
func (m *merge) addOthers(s *scenario, old, actual nodeID) {
	for _, t := range s.tips {
		if t != s.sink {
			m.addTip(t)
		}
	}
	for _, e := range s.edges {
		if e.read == old {
			e.read = actual
		}
		if e.write == old {
			e.write = actual
		}
		m.addEdge(e)
	}
}

// addTip adds the path to n and those to the Spawns that it hangs from.
func (m *merge) addTip(n nodeID) {
	for n != 0 && m.ok {
		g := m.f.nodes[n].goroutine
		i := 0
		for i < len(m.tips) && m.f.nodes[m.tips[i]].goroutine < g {
			i++
		}
		if i == len(m.tips) || m.f.nodes[m.tips[i]].goroutine != g {
			m.tips = slices.Insert(m.tips, i, n)
		} else if old := m.tips[i]; m.f.before(n, old) {
			return // with all that it hangs from
		} else if m.f.before(old, n) && old != m.sink {
			m.tips[i] = n
		} else {
			m.ok = false
			return
		}
		n = m.f.nodes[m.f.nodes[n].start].parent
	}
}

// addEdge adds an interference. What it reads and writes is in the tips.
func (m *merge) addEdge(e edge) {
	i, found := slices.BinarySearchFunc(m.edges, e, compareReads)
	if !found {
		m.edges = slices.Insert(m.edges, i, e)
	} else if m.edges[i].write != e.write {
		m.ok = false
	}
}

// causal reports whether the parts make an interference forest: no event comes
// before itself by program order, spawns and interferences (definition 5.1 of the
// paper). If one did, there would be no order of the events, nor in any scenario
// with more interferences.
func (m *merge) causal() bool {
	// What a write needs is the writes for the reads up to it.
	left := append(m.left[:0], m.edges...)
	defer func() { m.left = left }()
	for len(left) > 0 {
		ready := slices.IndexFunc(left, func(e edge) bool {
			return !slices.ContainsFunc(left, func(r edge) bool { return m.f.before(r.read, e.write) })
		})
		if ready < 0 {
			return false
		}
		left = slices.Delete(left, ready, ready+1)
	}
	return true
}

// finish returns the scenario, or nil when its parts are not compatible.
func (m *merge) finish(input run.Input) *scenario {
	if !m.ok || !m.causal() {
		return nil
	}
	s := &scenario{sink: m.sink, tips: slices.Clone(m.tips), edges: slices.Clone(m.edges), input: input}
	h := uint64(14695981039346656037)
	mix := func(x nodeID) {
		h ^= uint64(uint32(x))
		h *= 1099511628211
		h ^= h >> 29
	}
	mix(s.sink)
	for _, t := range s.tips {
		mix(t)
	}
	counted := nodeID(0)
	for _, e := range s.edges {
		mix(e.read)
		mix(nodeID(e.part))
		mix(e.write)
		if counted != e.read && interferes(m.f.nodes[e.read].op) && !m.f.before(e.write, e.read) {
			s.degree++
			counted = e.read
		}
	}
	s.hash = h
	return s
}

// free makes the wait that s joins as free as t, which is equal but for that. It
// reports whether s has more extensions than before.
func (s *scenario) free(t *scenario) bool {
	switch {
	case s.joins == 0 || s.joins == t.joins && s.joined <= t.joined:
		return false
	case s.joins == t.joins:
		s.joined = t.joined
	default:
		s.joins, s.joined = 0, 0
	}
	return true
}

// equal reports whether s and t are the same scenario.
func (s *scenario) equal(t *scenario) bool {
	return s.sink == t.sink && slices.Equal(s.tips, t.tips) && slices.Equal(s.edges, t.edges)
}

// A view lays the paths of a scenario out for a check.
type view struct {
	f     *forest
	s     *scenario
	paths []path  // in the order of s.tips
	of    []int32 // by goroutine: index in paths, -1
}

// A path is the events of a goroutine, the first to its tip.
type path struct {
	goroutine int32
	nodes     []nodeID
}

// show fills the view with s.
func (v *view) show(f *forest, s *scenario) {
	v.f, v.s = f, s
	for i := range v.of {
		v.of[i] = -1
	}
	for len(v.paths) < len(s.tips) {
		v.paths = append(v.paths, path{})
	}
	v.paths = v.paths[:len(s.tips)]
	for i, t := range s.tips {
		p := &v.paths[i]
		n := f.at(t)
		p.goroutine = n.goroutine
		for int(n.goroutine) >= len(v.of) {
			v.of = append(v.of, -1)
		}
		v.of[n.goroutine] = int32(i)
		p.nodes = slices.Grow(p.nodes[:0], int(n.index)+1)[:n.index+1]
		for k := n.index; k >= 0; k-- {
			p.nodes[k] = t
			t = f.nodes[t].parent
		}
	}
}

// node returns the event of goroutine g with the index, or 0.
func (v *view) node(g, index int32) nodeID {
	if int(g) >= len(v.of) || v.of[g] < 0 {
		return 0
	}
	p := &v.paths[v.of[g]]
	if int(index) >= len(p.nodes) {
		return 0
	}
	return p.nodes[index]
}

// source returns the event that a part of read takes its value from in the
// scenario, 0 for the initial value or a timer. It is local when no edge gives it.
// For a receive or the like without a source missing is set.
func (v *view) source(read nodeID, part int32) (write nodeID, local, missing bool) {
	if w := v.s.source(read, part); w != 0 {
		return w, false, false
	}
	if n := v.f.at(read); readsCell(n.op) {
		return v.f.partsOf(read)[part].local, true, false
	}
	w := v.localFeed(read)
	n := v.f.at(read)
	return w, true, w == 0 && !(n.op == schedule.Recv && v.f.locs[n.loc].timer)
}

// localFeed returns the event on the way to a receive or a TryFail, along
// program order and spawns, that it takes its value from when no other
// goroutine interferes: for a receive, the first send that no receive on the way
// has taken. It is 0 when there is none.
func (v *view) localFeed(read nodeID) nodeID {
	f := v.f
	op, loc := f.nodes[read].op, f.nodes[read].loc
	var sends []nodeID // from the last to the first
	taken := 0         // receives on the way that took one of sends
	held := 0
	for n := f.nodes[read].parent; n != 0; n = f.nodes[n].parent {
		e := f.at(n)
		if e.loc != loc {
			continue
		}
		switch op {
		case schedule.RecvClosed:
			if e.op == schedule.Close {
				return n
			}
		case schedule.TryFail, schedule.LockIntent:
			switch e.op {
			case schedule.Unlock, schedule.RUnlock:
				held--
			case schedule.Lock, schedule.RLock:
				if held++; held > 0 {
					return n
				}
			}
		case schedule.Recv:
			switch e.op {
			case schedule.Send:
				if !v.sentAway(n, read) {
					sends = append(sends, n)
				}
			case schedule.Recv:
				if v.s.source(n, 0) == 0 {
					taken++
				}
			}
		}
	}
	if len(sends) > taken {
		return sends[len(sends)-1-taken]
	}
	return 0
}

// sentAway reports whether a receive other than read takes what send sent, by
// an edge.
func (v *view) sentAway(send, read nodeID) bool {
	for _, e := range v.s.edges {
		if e.write == send && e.read != read {
			return true
		}
	}
	return false
}

// takers returns the receives on the way to the receive r that take what their
// own goroutine, or those above it, have sent: were one of them to take something
// else, there would be more for r.
func (v *view) takers(r nodeID) []nodeID {
	var list []nodeID
	for n := v.f.at(r).parent; n != 0; n = v.f.at(n).parent {
		if e := v.f.at(n); e.op == schedule.Recv && e.loc == v.f.at(r).loc && v.s.source(n, 0) == 0 {
			list = append(list, n)
		}
	}
	return list
}

// ownReceipts reports whether a goroutine receives what it has sent itself.
func (v *view) ownReceipts() bool {
	for i := range v.paths {
		for _, n := range v.paths[i].nodes {
			if v.f.at(n).op == schedule.Recv && v.s.source(n, 0) == 0 && v.localFeed(n) != 0 {
				return true
			}
		}
	}
	return false
}
