package hyperconcolic

import "slices"

// An Order says which of the items of the frontier is next.
type Order uint8

// The orders.
const (
	// DepthFirst takes the items that a run has led to before older ones, and of
	// those the one that has most in common with the run: memory stays small, and
	// runs that follow each other are alike.
	DepthFirst Order = iota
	// FewestPreemptions takes items by the number of preemptions among their moves
	// (Musuvathi, Qadeer: Iterative Context Bounding, PLDI 2007): places at which
	// another goroutine goes on although the one before could have. Most bugs need
	// few. Items of as many preemptions come depth first.
	FewestPreemptions
)

var orderNames = []string{DepthFirst: "depth", FewestPreemptions: "preemptions"}

// Orders returns the names of the orders.
func Orders() []string { return slices.Clone(orderNames) }

// OrderByName returns the order of a name. It is false when there is none.
func OrderByName(name string) (Order, bool) {
	i := slices.Index(orderNames, name)
	return Order(max(i, 0)), i >= 0
}

// String returns the order's name.
func (o Order) String() string { return orderNames[o] }

// A frontier holds the items that are unexplored.
type frontier struct {
	order Order
	ranks [][]*item // by rank; of each the next item last
}

// rank returns the rank of an item: those of lower ranks come first.
func (o Order) rank(it *item) int {
	if o == FewestPreemptions {
		return int(it.preemptions)
	}
	return 0
}

// clear removes all items.
func (f *frontier) clear() {
	for i := range f.ranks {
		clear(f.ranks[i])
		f.ranks[i] = f.ranks[i][:0]
	}
}

// push adds an item, which comes before others of its rank.
func (f *frontier) push(it *item) {
	rank := f.order.rank(it)
	for rank >= len(f.ranks) {
		f.ranks = append(f.ranks, nil)
	}
	f.ranks[rank] = append(f.ranks[rank], it)
}

// pop removes and returns the next item, nil when there is none.
func (f *frontier) pop() *item {
	for i, list := range f.ranks {
		if n := len(list); n > 0 {
			it := list[n-1]
			list[n-1] = nil
			f.ranks[i] = list[:n-1]
			return it
		}
	}
	return nil
}

// empty reports whether there are no items.
func (f *frontier) empty() bool {
	for _, list := range f.ranks {
		if len(list) > 0 {
			return false
		}
	}
	return true
}
