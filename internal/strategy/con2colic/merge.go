package con2colic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

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

// add adds the paths and edges of o.
func (m *merge) add(o occurrence) {
	own := m.f.nodes[o.node].goroutine
	for _, t := range o.base.tips {
		if m.f.nodes[t].goroutine != own {
			m.addTip(t)
		}
	}
	m.addTip(o.node)
	for _, e := range o.base.edges {
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
