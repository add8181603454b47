package fingerprint

import "github.com/everyway-go/everyway/internal/vm/heap"

// A graph is the part of a Printer that finds out who can reach the objects made since the first
// checkpoint. If all goroutines and timers that can reach an object know of an access to it, the access
// does not count: whoever accesses the object later has got a pointer to it from one of them, and
// knows what that one knew. If it has got the pointer by a race, that race is found.
type graph struct {
	tracing bool // edges are noted
	noted   bool // edges have been noted
	traced  bool // and reach is set
	source  int32
	nodes   map[*heap.Object]int32
	edges   []edge
	reach   []uint64 // words of each node: who can reach it
	words   int32
	roots   int32 // number of goroutines and timers, which are the first nodes, in their order; then comes everybody
}

// An edge says that what can reach one node can reach the other.
type edge struct{ from, to int32 }

// begin makes the graph empty. It has so many goroutines and timers; whether edges are to be noted is up
// to the caller.
func (g *graph) begin(roots int, tracing bool) {
	g.edges, g.tracing, g.noted, g.traced = g.edges[:0], tracing, false, false
	if !tracing {
		return
	}
	if g.nodes == nil {
		g.nodes = make(map[*heap.Object]int32)
	}
	clear(g.nodes)
	g.roots = int32(roots)
}

// everybody is the node of what all can reach.
func (g *graph) everybody() int32 { return g.roots }

// noteEdge notes that the present source points to an object made since the first checkpoint.
func (g *graph) noteEdge(o *heap.Object) {
	g.edges = append(g.edges, edge{g.source, g.nodeOf(o)})
}

// nodeOf returns the node of an object.
func (g *graph) nodeOf(o *heap.Object) int32 {
	n, ok := g.nodes[o]
	if !ok {
		n = g.roots + 1 + int32(len(g.nodes))
		g.nodes[o] = n
	}
	return n
}

// endTracing is called when all edges have been noted, if they are to be.
func (g *graph) endTracing() { g.noted, g.tracing = g.tracing, false }

// reachAll sets reach, if edges have been noted.
func (g *graph) reachAll() {
	if !g.noted {
		return
	}
	g.noted, g.traced = false, true
	w := (g.roots + 63) / 64
	g.words = w
	n := int(w * (g.roots + 1 + int32(len(g.nodes))))
	if cap(g.reach) < n {
		g.reach = make([]uint64, n)
	}
	g.reach = g.reach[:n]
	clear(g.reach)
	for i := range g.roots {
		g.reach[i*w+i/64] |= 1 << (i % 64)
		g.reach[g.roots*w+i/64] |= 1 << (i % 64)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range g.edges {
			for i := range w {
				from, to := g.reach[e.from*w+i], &g.reach[e.to*w+i]
				if from&^*to != 0 {
					*to |= from
					changed = true
				}
			}
		}
	}
}

// reaches returns a function that reports whether one of the goroutines and timers can reach an object. It
// is false if that is not known.
func (g *graph) reaches(o *heap.Object) (by func(root int) bool, ok bool) {
	n, ok := g.nodes[o]
	if !g.traced || !ok {
		return nil, false
	}
	reach := g.reach[n*g.words : (n+1)*g.words]
	return func(i int) bool { return reach[i>>6]>>(i&63)&1 != 0 }, true
}
