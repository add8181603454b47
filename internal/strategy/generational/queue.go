package generational

import (
	"container/heap"
	"iter"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// An item is an input to be run, or a flip that leads to one.
type item struct {
	input run.Input
	bound int // conditions of the run that are not to be flipped: they were, or belong to others

	// Of a flip: the run, the condition and what it is, and the values that its operand
	// had in earlier tries.
	origin  *origin
	index   int
	site    run.SiteID
	kind    run.ConditionKind
	negated bool
	tried   []uint64
	share   int // of the origin's weight

	rarity int // of a neighbour, which no condition was flipped for: of the run that it comes from, else 0
	number int // in the order in which neighbours were added
}

// maxWeight bounds the items that wait, by the memory that they take: a unit is
// a variable in an input, each item counting as some; more are dropped.
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

// A queue holds the items that wait, by the place of the condition that was flipped.
type queue struct {
	places map[run.SiteID]*place
	turns  turns
	size   int // items
	weight int // see maxWeight
	made   int // places ever

	neighbours neighbours
	added      int  // neighbours ever
	turn       bool // the next item is a neighbour
}

// A place is a site with its items.
type place struct {
	taken      int // items so far
	number     int // in the order of discovery
	index      int // in turns, -1 if no items wait
	novel, old []*item
}

func (p *place) empty() bool { return len(p.novel)+len(p.old) == 0 }

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
	p := q.places[it.site]
	if p == nil {
		if q.places == nil {
			q.places = map[run.SiteID]*place{}
		}
		p = &place{number: q.made, index: -1}
		q.made++
		q.places[it.site] = p
	}
	if novel {
		p.novel = append(p.novel, it)
	} else {
		p.old = append(p.old, it)
	}
	if p.index < 0 {
		heap.Push(&q.turns, p)
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
	q.turn = !q.turn
	if len(q.neighbours) > 0 && (q.turn || len(q.turns) == 0) {
		it := heap.Pop(&q.neighbours).(*item)
		q.weight -= it.weight()
		return it
	}
	p := q.turns[0]
	list := &p.novel
	if len(*list) == 0 {
		list = &p.old
	}
	// The newest, which goes on with what was found last, and the oldest in turns.
	at := 0
	if p.taken%4 != 3 {
		at = len(*list) - 1
	}
	it := (*list)[at]
	q.weight -= it.weight()
	*list = slices.Delete(*list, at, at+1)
	p.taken++
	if p.empty() {
		heap.Pop(&q.turns)
	} else {
		heap.Fix(&q.turns, 0)
	}
	return it
}

// origins returns the origins of the flips that wait, each once.
func (q *queue) origins() iter.Seq[*origin] {
	return func(yield func(*origin) bool) {
		met := map[*origin]bool{}
		for _, p := range q.turns {
			for _, it := range slices.Concat(p.novel, p.old) {
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

// turns is a heap of the places that have items, the one taken least often on top.
type turns []*place

func (t turns) Len() int { return len(t) }

func (t turns) Less(i, j int) bool {
	if t[i].taken != t[j].taken {
		return t[i].taken < t[j].taken
	}
	return t[i].number < t[j].number
}

func (t turns) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].index, t[j].index = i, j
}

// Push implements heap.Interface.
func (t *turns) Push(x any) {
	p := x.(*place)
	p.index = len(*t)
	*t = append(*t, p)
}

// Pop implements heap.Interface.
func (t *turns) Pop() any {
	last := len(*t) - 1
	p := (*t)[last]
	(*t)[last] = nil
	*t = (*t)[:last]
	p.index = -1
	return p
}

// neighbours is a heap of items, the one from the rarest run on top, of those the newest.
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
