package fingerprint

import "github.com/everyway-go/everyway/internal/vm/heap"

// graph is the part of a Printer that finds out who can reach the objects made since the first
// checkpoint. If all goroutines and timers that can reach an object know of an access to it, the access
// does not count: whoever accesses the object later has got a pointer to it from one of them, and
// knows what that one knew. If it has got the pointer by a race, that race is found.
type graph struct {
	tracing bool // edges are noted
	traced  bool // edges have been noted, and reach is set
	source  int32
	nodes   map[*heap.Object]int32
	edges   []edge
	reach   []uint64 // words of each node: who can reach it
	words   int32
	roots   int32 // number of goroutines and timers, which are the first nodes, in their order; then comes everybody
}

// An edge says that what can reach one node can reach the other.
type edge struct{ from, to int32 }

// beginGraph makes the graph empty. It is needed if there are accesses that may not count.
func (p *Printer) beginGraph() {
	p.edges, p.tracing, p.traced = p.edges[:0], false, false
	for i := range p.recent {
		if p.tracing = !p.isOld(p.recent[i].object); p.tracing {
			break
		}
	}
	if !p.tracing {
		return
	}
	if p.nodes == nil {
		p.nodes = make(map[*heap.Object]int32)
	}
	clear(p.nodes)
	p.roots = int32(len(p.Live) + len(p.Timers))
}

// everybody is the node of what all can reach.
func (p *Printer) everybody() int32 { return p.roots }

// noteEdge notes that the present source points to an object made since the first checkpoint.
func (p *Printer) noteEdge(o *heap.Object) {
	p.edges = append(p.edges, edge{p.source, p.nodeOf(o)})
}

// nodeOf returns the node of an object.
func (p *Printer) nodeOf(o *heap.Object) int32 {
	n, ok := p.nodes[o]
	if !ok {
		n = p.roots + 1 + int32(len(p.nodes))
		p.nodes[o] = n
	}
	return n
}

// reachAll sets reach.
func (p *Printer) reachAll() {
	if !p.tracing {
		return
	}
	p.tracing, p.traced = false, true
	w := (p.roots + 63) / 64
	p.words = w
	n := int(w * (p.roots + 1 + int32(len(p.nodes))))
	if cap(p.reach) < n {
		p.reach = make([]uint64, n)
	}
	p.reach = p.reach[:n]
	clear(p.reach)
	for i := range p.roots {
		p.reach[i*w+i/64] |= 1 << (i % 64)
		p.reach[p.roots*w+i/64] |= 1 << (i % 64)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range p.edges {
			for i := range w {
				from, to := p.reach[e.from*w+i], &p.reach[e.to*w+i]
				if from&^*to != 0 {
					*to |= from
					changed = true
				}
			}
		}
	}
}

// counts reports whether an access counts that not all goroutines and timers know of: not all of them that
// can reach its object know of it.
func (p *Printer) counts(a *use) bool {
	if !p.traced || p.isOld(a.object) || p.Exposed[heap.Word{P: a.object}.PointerCode()] == a.object {
		return true
	}
	n, ok := p.nodes[a.object]
	if !ok {
		return true
	}
	reach := p.reach[n*p.words : (n+1)*p.words]
	has := func(i int) bool { return reach[i>>6]>>(i&63)&1 != 0 }
	for i, g := range p.arranged {
		if has(i) && !g.Clock.Covers(a.Access) {
			return true
		}
	}
	for i := range p.timers {
		if has(len(p.arranged)+i) && !p.timers[i].Clock.Covers(a.Access) {
			return true
		}
	}
	return false
}
