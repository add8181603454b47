package generational

import (
	"container/heap"
	"iter"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// An item is an input to be run, or a flip, which leads to one.
type item struct {
	input run.Input
	// begins are the hashes of the conditions with which the run must begin, which are not to be
	// flipped.
	begins []uint64

	// Of a flip: the run, the condition, and the values that were tried if it is of kind
	// Concretized.
	origin  *origin
	index   int
	site    run.SiteID
	kind    run.ConditionKind
	negated bool
	tried   []uint64
	share   int // of the origin's weight
	subject solve.Subject

	rarity int // of a neighbour: that of the run that it comes from; else 0
	number int // in the order in which neighbours were added
}

// unknown stands for the hash of a condition that is not known: that of a value that is
// concretized.
const unknown = 0

// maxWeight bounds the size of the items in memory, in variables of an input. Further items are
// dropped.
const (
	maxWeight  = 1 << 22
	itemWeight = 16
	flipWeight = 2
)

func (it *item) weight() int {
	if it.origin != nil {
		return flipWeight + it.share
	}
	return itemWeight + len(it.input)
}

// A queue holds the items that have not been run, by the site of the flipped condition.
type queue struct {
	sites   map[run.SiteID]*siteQueue
	heap    siteHeap
	size    int // number of items
	weight  int // see maxWeight
	created int // number of sites so far

	neighbours neighbours
	added      int  // number of neighbours so far
	neighbour  bool // the next item is a neighbour
}

// A siteQueue holds the items of a site.
type siteQueue struct {
	popped     int // number of items so far
	number     int // in the order of discovery
	index      int // in the heap, -1 if there are no items
	novel, old []*item
}

func (s *siteQueue) empty() bool { return len(s.novel)+len(s.old) == 0 }

// push adds an item. It reports false if there is no room.
func (q *queue) push(it *item, novel bool) bool {
	if q.weight+it.weight() > maxWeight {
		return false
	}
	q.weight += it.weight()
	if it.rarity > 0 {
		q.added++
		it.number = q.added
		heap.Push(&q.neighbours, it)
		q.size++
		return true
	}
	s := q.sites[it.site]
	if s == nil {
		if q.sites == nil {
			q.sites = map[run.SiteID]*siteQueue{}
		}
		s = &siteQueue{number: q.created, index: -1}
		q.created++
		q.sites[it.site] = s
	}
	if novel {
		s.novel = append(s.novel, it)
	} else {
		s.old = append(s.old, it)
	}
	if s.index < 0 {
		heap.Push(&q.heap, s)
	}
	q.size++
	return true
}

// pop removes and returns the next item, nil if there is none.
func (q *queue) pop() *item {
	if q.size == 0 {
		return nil
	}
	q.size--
	q.neighbour = !q.neighbour
	if len(q.neighbours) > 0 && (q.neighbour || len(q.heap) == 0) {
		it := heap.Pop(&q.neighbours).(*item)
		q.weight -= it.weight()
		return it
	}
	s := q.heap[0]
	list := &s.novel
	if len(*list) == 0 {
		list = &s.old
	}
	// Mostly the newest, which continues what was found last, and sometimes the oldest.
	at := 0
	if s.popped%4 != 3 {
		at = len(*list) - 1
	}
	it := (*list)[at]
	q.weight -= it.weight()
	*list = slices.Delete(*list, at, at+1)
	s.popped++
	if s.empty() {
		heap.Pop(&q.heap)
	} else {
		heap.Fix(&q.heap, 0)
	}
	return it
}

// origins returns the origins of the flips, each once.
func (q *queue) origins() iter.Seq[*origin] {
	return func(yield func(*origin) bool) {
		met := map[*origin]bool{}
		for _, s := range q.heap {
			for _, it := range slices.Concat(s.novel, s.old) {
				if it.origin == nil || met[it.origin] {
					continue
				}
				met[it.origin] = true
				if !yield(it.origin) {
					return
				}
			}
		}
	}
}

// siteHeap is a heap of the sites that have items, the one with the fewest so far on top.
type siteHeap []*siteQueue

func (h siteHeap) Len() int { return len(h) }

func (h siteHeap) Less(i, j int) bool {
	if h[i].popped != h[j].popped {
		return h[i].popped < h[j].popped
	}
	return h[i].number < h[j].number
}

func (h siteHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements heap.Interface.
func (h *siteHeap) Push(x any) {
	s := x.(*siteQueue)
	s.index = len(*h)
	*h = append(*h, s)
}

// Pop implements heap.Interface.
func (h *siteHeap) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	s.index = -1
	return s
}

// neighbours is a heap of neighbours, the newest of the rarest run on top.
type neighbours []*item

func (n neighbours) Len() int { return len(n) }

func (n neighbours) Less(i, j int) bool {
	if n[i].rarity != n[j].rarity {
		return n[i].rarity < n[j].rarity
	}
	return n[i].number > n[j].number
}

func (n neighbours) Swap(i, j int) { n[i], n[j] = n[j], n[i] }

// Push implements heap.Interface.
func (n *neighbours) Push(x any) { *n = append(*n, x.(*item)) }

// Pop implements heap.Interface.
func (n *neighbours) Pop() any {
	last := len(*n) - 1
	it := (*n)[last]
	(*n)[last] = nil
	*n = (*n)[:last]
	return it
}
