package order

import (
	"cmp"
	"slices"
)

// graph is an acyclic graph of events with a topological order of them.
type graph struct {
	out, in [][]arc // by event
	place   []int32 // of each event in the topological order

	// Scratch of insert.
	stamps  []uint32 // by event: reached in the search with that number
	round   uint32
	reached []arc // by event: the arc by which it was first reached
	after   []int32
	before  []int32
	places  []int32
	cycle   []Lit
}

// arc is an edge as seen from one of its ends.
type arc struct {
	event int32 // at the other end
	why   Lit
}

// always is the reason of a fixed edge.
const always = ^Lit(0)

func (g *graph) init(n int) {
	g.out, g.in = make([][]arc, n), make([][]arc, n)
	g.place = make([]int32, n)
	for i := range g.place {
		g.place[i] = int32(i)
	}
	g.stamps = make([]uint32, n)
	g.reached = make([]arc, n)
}

// insert adds an edge for a reason. If that would close a cycle it does not,
// and returns the reasons of the edges on the cycle. They are valid until the
// next call.
func (g *graph) insert(e edge, why Lit) (cycle []Lit, found bool) {
	if g.place[e.from] >= g.place[e.to] {
		if e.from == e.to || !g.searchForwards(e) {
			return g.explain(e, why), true
		}
		g.searchBackwards(e)
		g.reorder()
	}
	g.out[e.from] = append(g.out[e.from], arc{e.to, why})
	g.in[e.to] = append(g.in[e.to], arc{e.from, why})
	return nil, false
}

// remove takes back the latest edge inserted that was not taken back.
func (g *graph) remove(e edge) {
	g.out[e.from] = g.out[e.from][:len(g.out[e.from])-1]
	g.in[e.to] = g.in[e.to][:len(g.in[e.to])-1]
}

// searchForwards collects in after the events that e.to reaches and that are
// not placed beyond e.from. It reports false when it meets e.from itself.
// Breadth first, so that a cycle found is a short one.
func (g *graph) searchForwards(e edge) bool {
	g.newRound()
	limit := g.place[e.from]
	g.after = append(g.after[:0], e.to)
	g.stamps[e.to] = g.round
	for i := 0; i < len(g.after); i++ {
		at := g.after[i]
		for _, a := range g.out[at] {
			if g.place[a.event] > limit || g.stamps[a.event] == g.round {
				continue
			}
			g.stamps[a.event] = g.round
			g.reached[a.event] = arc{at, a.why}
			if a.event == e.from {
				return false
			}
			g.after = append(g.after, a.event)
		}
	}
	return true
}

// searchBackwards collects in before the events that reach e.from and are not
// placed ahead of e.to.
func (g *graph) searchBackwards(e edge) {
	limit := g.place[e.to]
	g.before = append(g.before[:0], e.from)
	g.stamps[e.from] = g.round
	for i := 0; i < len(g.before); i++ {
		for _, a := range g.in[g.before[i]] {
			if g.place[a.event] >= limit && g.stamps[a.event] != g.round {
				g.stamps[a.event] = g.round
				g.before = append(g.before, a.event)
			}
		}
	}
}

// reorder places the events of before ahead of those of after, each in their
// present order, on the places that they have together.
func (g *graph) reorder() {
	byPlace := func(x, y int32) int { return cmp.Compare(g.place[x], g.place[y]) }
	slices.SortFunc(g.before, byPlace)
	slices.SortFunc(g.after, byPlace)
	g.before = append(g.before, g.after...)
	g.places = g.places[:0]
	for _, x := range g.before {
		g.places = append(g.places, g.place[x])
	}
	slices.Sort(g.places)
	for i, x := range g.before {
		g.place[x] = g.places[i]
	}
}

// explain returns the reasons on the cycle of e and the path back from e.to to
// e.from that searchForwards has found.
func (g *graph) explain(e edge, why Lit) []Lit {
	g.cycle = g.cycle[:0]
	if why != always {
		g.cycle = append(g.cycle, why)
	}
	for at := e.from; at != e.to; {
		a := g.reached[at]
		if a.why != always {
			g.cycle = append(g.cycle, a.why)
		}
		at = a.event
	}
	return g.cycle
}

func (g *graph) newRound() {
	if g.round++; g.round == 0 { // stamps of 2^32 searches ago would look new
		clear(g.stamps)
		g.round = 1
	}
}
