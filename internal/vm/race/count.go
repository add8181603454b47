package race

import "slices"

// A Count is what has happened to the counter of a wait group, as far as it can show that the
// order of Adds and Dones matters. It does not if
//
//   - happens-before orders each Add with each Wait, and
//   - there is an Add for each Done, another one for each, that happened before it: then the
//     counter cannot become negative.
type Count struct {
	added, waited []Access // Adds and Waits, see KeepLatest
	open          []added  // the Adds for which there has been no Done
}

// An added is an Add, less the Dones that are for it.
type added struct {
	Access
	n   int64
	For Start
}

// A Start names a goroutine: the nth one that another one starts, counted from 1. The zero Start names
// none.
type Start struct{ Goroutine, Nth int32 }

// maxOpen bounds the Adds without a Done. With more, their order is said to matter.
const maxOpen = 1 << 12

// Add notes that t adds delta > 0 to the counter, described by now; next is the goroutine that
// it starts next. It returns false if the order of Adds may matter.
//
// An Add of one is for the goroutine that is started next, as programs mean it, or until then for t
// itself: they know of it, so that nobody has to remember who else knows of the Add.
func (c *Count) Add(t *Thread, now Access, delta int64, next Start) bool {
	c.added = KeepLatest(c.added, t, now)
	if delta != 1 {
		next = Start{}
	}
	for i := range c.open {
		if c.open[i].For == next {
			c.open[i].For, next = Start{}, Start{}
		}
	}
	c.open = append(c.open, added{now, delta, next})
	return len(c.open) <= maxOpen && !anyConcurrent(c.waited, t)
}

// Done notes that t, which is self, takes n from the counter; next is the goroutine that it starts
// next. The result ok is false if the order of Adds may matter. The result others says that there
// were not enough Adds for t, or for nobody in particular.
func (c *Count) Done(t *Thread, n int64, self, next Start) (ok, others bool) {
	for _, of := range [2]Start{self, next} {
		for i := len(c.open) - 1; i >= 0 && n > 0; i-- {
			if c.open[i].For == of && of != (Start{}) {
				n -= c.take(i, n)
			}
		}
	}
	for _, taken := range [2]bool{false, true} {
		for i := len(c.open) - 1; i >= 0 && n > 0; i-- {
			if a := &c.open[i]; (a.For != Start{}) == taken && !a.Concurrent(t) {
				others = others || taken
				n -= c.take(i, n)
			}
		}
	}
	return n == 0, others
}

// take takes up to n from open Add i. It returns how many it took.
func (c *Count) take(i int, n int64) int64 {
	a := &c.open[i]
	n = min(n, a.n)
	if a.n -= n; a.n == 0 {
		c.open = slices.Delete(c.open, i, i+1)
	}
	return n
}

// Wait notes that t waits, described by now. It returns false if the order of Adds may matter.
func (c *Count) Wait(t *Thread, now Access) bool {
	c.waited = KeepLatest(c.waited, t, now)
	return !anyConcurrent(c.added, t)
}

func anyConcurrent(list []Access, t *Thread) bool {
	return slices.ContainsFunc(list, func(a Access) bool { return a.Concurrent(t) })
}

// clear makes c empty. It keeps the memory.
func (c *Count) clear() { c.added, c.waited, c.open = c.added[:0], c.waited[:0], c.open[:0] }

// copy makes c a copy of from that shares no memory with it.
func (c *Count) copy(from *Count) {
	c.added = append(c.added[:0], from.added...)
	c.waited = append(c.waited[:0], from.waited...)
	c.open = append(c.open[:0], from.open...)
}
