package con2colic

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A scenario is an interference scenario (definition 5.2 of the paper): a path
// for each of some goroutines, and the interferences between them. It is
// causal (definition 5.3): with a node it holds what comes before it by program order,
// by spawns and by its interferences. It is not changed once made.
type scenario struct {
	// sink is the node that the scenario is for. Its goroutine does nothing after it.
	sink nodeID
	// tips holds the last node of each goroutine in the scenario, in the order
	// of goroutine numbers.
	tips  []nodeID
	edges []edge // in the order of the reads
	// degree is the number of reads with an edge that is an interference.
	degree int
	hash   uint64
	// input is that of the run in which the path to the sink was found: a good
	// guess for this scenario.
	input run.Input
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

// An occurrence is a node with a causal scenario in which it occurs: base, but with node in
// the place of base's tip in node's goroutine.
type occurrence struct {
	base *scenario
	node nodeID
}

// tip returns the last node of goroutine g in o, or 0.
func (f *forest) tip(o occurrence, g int32) nodeID {
	if f.nodes[o.node].goroutine == g {
		return o.node
	}
	for _, t := range o.base.tips {
		if f.nodes[t].goroutine == g {
			return t
		}
	}
	return 0
}

// contains reports whether n is an event of s.
func (f *forest) contains(s *scenario, n nodeID) bool {
	t := f.tip(occurrence{s, s.sink}, f.nodes[n].goroutine)
	return t != 0 && f.before(n, t)
}

// readsFrom reports whether a read takes its value from write by an edge.
func (s *scenario) readsFrom(write nodeID) bool {
	for _, e := range s.edges {
		if e.write == write {
			return true
		}
	}
	return false
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

// includes reports whether p, an occurrence of the same node, is part of o: all its paths
// and edges are in o.
func (f *forest) includes(o, p occurrence) bool {
	if p.base == o.base {
		return true
	}
	if len(p.base.edges) > len(o.base.edges) {
		return false
	}
	i := 0
	for _, e := range p.base.edges {
		for i < len(o.base.edges) && compareReads(o.base.edges[i], e) < 0 {
			i++
		}
		if i == len(o.base.edges) || o.base.edges[i] != e {
			return false
		}
	}
	own := f.nodes[p.node].goroutine
	for _, t := range p.base.tips {
		g := f.nodes[t].goroutine
		if g == own {
			continue
		}
		if u := f.tip(o, g); u == 0 || !f.before(t, u) {
			return false
		}
	}
	return true
}

// equal reports whether s and t are the same scenario.
func (s *scenario) equal(t *scenario) bool {
	return s.sink == t.sink && slices.Equal(s.tips, t.tips) && slices.Equal(s.edges, t.edges)
}
