package hyperconcolic

// A frontier holds the unexplored items.
type frontier struct {
	ranked bool      // by the ranks of items; otherwise all have the same
	ranks  [][]*item // by rank; the last item of each is the next
}

// rank returns the rank of an item: lower ranks come first.
func (f *frontier) rank(it *item) int {
	if f.ranked {
		return int(it.rank)
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

// maxDistance is the rank of items that are farther from what is to be reached, or from which no way leads there.
const maxDistance = 1 << 12

// distance returns the rank of an item in the order of distances.
func (s *search) distance(it *item) int32 {
	if s.options.Near == nil {
		return 0
	}
	d := s.options.Near(it.site)
	if d < 0 || d > maxDistance {
		return maxDistance
	}
	return int32(d)
}
