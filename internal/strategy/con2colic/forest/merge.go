package forest

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Merge builds a scenario from others (remark 5.5 of the paper).
type Merge struct {
	f     *Forest
	sink  NodeID
	tips  []NodeID
	edges []Edge
	ok    bool // what was added so far is compatible (definition 5.4)

	left []Edge // scratch of causal
}

// Start begins a scenario for sink.
func (m *Merge) Start(f *Forest, sink NodeID) {
	m.f, m.sink, m.ok = f, sink, true
	m.tips, m.edges = m.tips[:0], m.edges[:0]
	m.AddTip(sink)
}

// Add adds the paths and edges of o.
func (m *Merge) Add(o Occurrence) {
	own := m.f.nodes[o.Node].Goroutine
	for _, t := range o.Base.Tips {
		if m.f.nodes[t].Goroutine != own {
			m.AddTip(t)
		}
	}
	m.AddTip(o.Node)
	for _, e := range o.Base.Edges {
		m.AddEdge(e)
	}
}

// AddOthers adds the paths of s except that of its sink, and its edges. The edges of old, an
// event of the sink's goroutine, become edges of actual, the event in its place.
func (m *Merge) AddOthers(s *Scenario, old, actual NodeID) {
	for _, t := range s.Tips {
		if t != s.Sink {
			m.AddTip(t)
		}
	}
	for _, e := range s.Edges {
		if e.Read == old {
			e.Read = actual
		}
		if e.Write == old {
			e.Write = actual
		}
		m.AddEdge(e)
	}
}

// AddTip adds the path to n and, with the Spawn that started the goroutine, the path to that.
func (m *Merge) AddTip(n NodeID) {
	for n != 0 && m.ok {
		g := m.f.nodes[n].Goroutine
		i := 0
		for i < len(m.tips) && m.f.nodes[m.tips[i]].Goroutine < g {
			i++
		}
		if i == len(m.tips) || m.f.nodes[m.tips[i]].Goroutine != g {
			m.tips = slices.Insert(m.tips, i, n)
		} else if old := m.tips[i]; m.f.Before(n, old) {
			return // it is there, and so are the Spawns
		} else if m.f.Before(old, n) && old != m.sink {
			m.tips[i] = n
		} else {
			m.ok = false
			return
		}
		n = m.f.nodes[m.f.nodes[n].Start].Parent
	}
}

// AddEdge adds an edge between events that were added.
func (m *Merge) AddEdge(e Edge) {
	i, found := slices.BinarySearchFunc(m.edges, e, compareReads)
	if !found {
		m.edges = slices.Insert(m.edges, i, e)
	} else if m.edges[i].Write != e.Write {
		m.ok = false
	}
}

// causal reports whether no event comes before itself by program order, spawns and
// interferences (definition 5.1 of the paper). If one did, there would be no order of the
// events, nor in any scenario with more interferences.
func (m *Merge) causal() bool {
	// A write comes after the reads before it in its goroutine, and thus after their writes.
	left := append(m.left[:0], m.edges...)
	defer func() { m.left = left }()
	for len(left) > 0 {
		ready := slices.IndexFunc(left, func(e Edge) bool {
			return !slices.ContainsFunc(left, func(r Edge) bool { return m.f.Before(r.Read, e.Write) })
		})
		if ready < 0 {
			return false
		}
		left = slices.Delete(left, ready, ready+1)
	}
	return true
}

// Finish returns the scenario, with an input to guess, or nil if what was added is not
// compatible.
func (m *Merge) Finish(input run.Input) *Scenario {
	if !m.ok || !m.causal() {
		return nil
	}
	s := &Scenario{Sink: m.sink, Tips: slices.Clone(m.tips), Edges: slices.Clone(m.edges), Input: input}
	h := uint64(14695981039346656037)
	mix := func(x NodeID) {
		h ^= uint64(uint32(x))
		h *= 1099511628211
		h ^= h >> 29
	}
	mix(s.Sink)
	for _, t := range s.Tips {
		mix(t)
	}
	counted := NodeID(0)
	for _, e := range s.Edges {
		mix(e.Read)
		mix(NodeID(e.Part))
		mix(e.Write)
		if counted != e.Read && Interferes(m.f.nodes[e.Read].Op) && !m.f.Before(e.Write, e.Read) {
			s.Degree++
			counted = e.Read
		}
	}
	s.Hash = h
	return s
}
