package forest

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Scenario is an interference scenario (definition 5.2 of the paper): a path in the trees
// of some goroutines, and the interferences between them. It is causal (definition 5.3): it
// contains with a node what comes before it by program order, by spawns and by its
// interferences. It is not changed once made.
type Scenario struct {
	// Sink is the node that the scenario leads to. Its goroutine does nothing after it.
	Sink NodeID
	// Tips holds the last node of each goroutine in the scenario, in the order of goroutine
	// numbers.
	Tips  []NodeID
	Edges []Edge // in the order of the reads
	// Degree is the number of reads with an edge that is an interference.
	Degree int
	Hash   uint64
	// Input is that of the run that showed the path to the sink: a good guess for this
	// scenario.
	Input run.Input
}

// An Edge says that a part of a read takes its value from a write of another goroutine. A
// receive may also have an edge from a send of its own goroutine, if that is not the one
// that it would receive without the other goroutines. Such an edge is no interference.
type Edge struct {
	Read  NodeID
	Part  int32
	Write NodeID
}

// compareReads orders edges by their reads.
func compareReads(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.Read, b.Read), cmp.Compare(a.Part, b.Part))
}

// An Occurrence is a node with a causal scenario in which it occurs: Base, but with Node in
// the place of Base's tip in Node's goroutine.
type Occurrence struct {
	Base *Scenario
	Node NodeID
}

// Tip returns the last node of goroutine g in o, or 0.
func (f *Forest) Tip(o Occurrence, g int32) NodeID {
	if f.nodes[o.Node].Goroutine == g {
		return o.Node
	}
	for _, t := range o.Base.Tips {
		if f.nodes[t].Goroutine == g {
			return t
		}
	}
	return 0
}

// Contains reports whether n is an event of s.
func (f *Forest) Contains(s *Scenario, n NodeID) bool {
	t := f.Tip(Occurrence{s, s.Sink}, f.nodes[n].Goroutine)
	return t != 0 && f.Before(n, t)
}

// ReadsFrom reports whether a read takes its value from write by an edge.
func (s *Scenario) ReadsFrom(write NodeID) bool {
	for _, e := range s.Edges {
		if e.Write == write {
			return true
		}
	}
	return false
}

// Source returns the write that a part of read takes its value from by an edge,
// or 0.
func (s *Scenario) Source(read NodeID, part int32) NodeID {
	i, ok := slices.BinarySearchFunc(s.Edges, Edge{Read: read, Part: part}, compareReads)
	if !ok {
		return 0
	}
	return s.Edges[i].Write
}

// Includes reports whether p, an occurrence of the same node, is part of o: all its paths
// and edges are in o.
func (f *Forest) Includes(o, p Occurrence) bool {
	if p.Base == o.Base {
		return true
	}
	if len(p.Base.Edges) > len(o.Base.Edges) {
		return false
	}
	i := 0
	for _, e := range p.Base.Edges {
		for i < len(o.Base.Edges) && compareReads(o.Base.Edges[i], e) < 0 {
			i++
		}
		if i == len(o.Base.Edges) || o.Base.Edges[i] != e {
			return false
		}
	}
	own := f.nodes[p.Node].Goroutine
	for _, t := range p.Base.Tips {
		g := f.nodes[t].Goroutine
		if g == own {
			continue
		}
		if u := f.Tip(o, g); u == 0 || !f.Before(t, u) {
			return false
		}
	}
	return true
}

// Equal reports whether s and t are the same scenario.
func (s *Scenario) Equal(t *Scenario) bool {
	return s.Sink == t.Sink && slices.Equal(s.Tips, t.Tips) && slices.Equal(s.Edges, t.Edges)
}
