package hyperconcolic

// A frontier holds the unexplored items.
type frontier struct {
	ranked bool      // by the number of preemptions; otherwise all items have the same rank
	ranks  [][]*item // by rank; the last item of each is the next
}

// rank returns the rank of an item: lower ranks come first.
func (f *frontier) rank(it *item) int {
	if f.ranked {
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
	rank := f.rank(it)
	for rank >= len(f.ranks) {
		f.ranks = append(f.ranks, nil)
	}
	f.ranks[rank] = append(f.ranks[rank], it)
}

// pop removes and returns the next item, nil if there is none.
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
