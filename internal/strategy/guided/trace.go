package guided

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/everyway-go/everyway/internal/strategy"
)

// A step is an element of an abstract trace: a location and, of a branch, the side that leads to
// the next one. The paper has the first location behind that side in the trace instead (equation
// 2).
type step struct {
	at   strategy.Location
	side strategy.Side
}

// A trace is an abstract trace (section 4.3): it leads from where some goroutine begins to a location.
type trace []step

// A set is an abstract trace set: a trace to each of the places to be reached.
type set []trace

// length returns the number of locations of a set.
func (s set) length() int {
	n := 0
	for _, t := range s {
		n += len(t)
	}
	return n
}

// clone returns a copy that shares no traces with s.
func (s set) clone() set {
	c := make(set, len(s))
	for i := range s {
		c[i] = slices.Clone(s[i])
	}
	return c
}

// The bounds on what is made of equation 7, whose traces are exponentially many.
const (
	maxTraces = 32     // to a place
	maxSets   = 64     // of a search
	maxPaths  = 20_000 // that are looked at for the traces to a place
)

// A path is a beginning of a trace, backwards from its end. The first location is the one that was added last.
type path struct {
	at    strategy.Location
	next  *path
	calls int
	len   int
}

func (p *path) has(l strategy.Location) bool {
	for ; p != nil; p = p.next {
		if p.at == l {
			return true
		}
	}
	return false
}

// paths is a heap of paths, those with the fewest call sites first.
type paths []*path

func (h paths) Len() int      { return len(h) }
func (h paths) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h paths) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].calls, h[j].calls), cmp.Compare(h[i].len, h[j].len), cmp.Compare(h[i].at, h[j].at)) < 0
}
func (h *paths) Push(x any) { *h = append(*h, x.(*path)) }
func (h *paths) Pop() any {
	last := len(*h) - 1
	p := (*h)[last]
	*h = (*h)[:last]
	return p
}

// A candidate is an abstract trace with its number of call sites.
type candidate struct {
	trace
	calls int
}

// traces returns abstract traces to one of some locations (equation 7): those with the fewest call
// sites, and of these the shortest ones first, n at most.
func (s *system) traces(to []strategy.Location, n int) []candidate {
	s.mu.Lock()
	defer s.mu.Unlock()
	back := make(map[strategy.Location][]strategy.Location)
	for _, l := range s.order {
		for _, m := range s.edges(l) {
			back[m] = append(back[m], l)
		}
	}
	starts := make(map[strategy.Location]bool)
	for _, l := range s.guide.Starts() {
		starts[l] = true
	}
	h := &paths{}
	for _, l := range to {
		heap.Push(h, &path{at: l, len: 1})
	}
	var found []candidate
	for looked := 0; h.Len() > 0 && len(found) < n && looked < maxPaths; looked++ {
		p := heap.Pop(h).(*path)
		if starts[p.at] {
			found = append(found, candidate{s.trace(p), p.calls})
		}
		for _, l := range back[p.at] {
			if p.has(l) {
				continue
			}
			q := &path{at: l, next: p, calls: p.calls, len: p.len + 1}
			if s.guide.IsCall(l) && s.guide.Start(p.at) == p.at {
				q.calls++
			}
			heap.Push(h, q)
		}
	}
	return found
}

// trace makes a trace of a path.
func (s *system) trace(p *path) trace {
	var t trace
	for ; p != nil; p = p.next {
		st := step{at: p.at}
		if p.next != nil && s.guide.IsBranch(p.at) {
			st.side = s.wanted(p)
		}
		t = append(t, st)
	}
	return t
}

// wanted returns the side of the branch at which p begins that leads to what comes after it: to the
// next location in the same call of the function whose being reached depends on the branch.
func (s *system) wanted(p *path) strategy.Side {
	fn := s.guide.Start(p.at)
	for q := p.next; q != nil && s.guide.Start(q.at) == fn && q.at != fn; q = q.next {
		if side := s.side(p.at, q.at); side != strategy.AnySide {
			return side
		}
	}
	return strategy.AnySide
}

// sets returns the abstract trace sets for some places, those with the fewest call sites first. The
// first ones, minimal of them, have as few as there can be.
func (s *system) sets(places [][]strategy.Location) (list []set, minimal int) {
	type product struct {
		set   set
		calls int
	}
	products := []product{{}}
	for _, place := range places {
		var more []product
		for _, c := range s.traces(place, maxTraces) {
			for _, p := range products {
				more = append(more, product{append(p.set.clone(), c.trace), p.calls + c.calls})
			}
		}
		slices.SortStableFunc(more, func(a, b product) int {
			return cmp.Or(cmp.Compare(a.calls, b.calls), cmp.Compare(a.set.length(), b.set.length()))
		})
		products = more[:min(len(more), maxSets)]
	}
	for _, p := range products {
		if p.calls == products[0].calls {
			minimal++
		}
		list = append(list, p.set)
	}
	return list, minimal
}
