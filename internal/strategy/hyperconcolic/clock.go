package hyperconcolic

// A clock says of each thread how many of its events are in a set that holds,
// with an event, everything that happened before it. Threads beyond its length
// have none.
type clock []int32

func (c clock) at(thread int32) int32 {
	if int(thread) >= len(c) {
		return 0
	}
	return c[thread]
}

// join makes c the union of c and d, which has no more threads than c.
func (c clock) join(d clock) {
	for i, n := range d {
		c[i] = max(c[i], n)
	}
}

// clockMemory is where the clocks of a run are.
type clockMemory struct{ free []int32 }

// make returns an empty clock of n threads.
func (m *clockMemory) make(n int) clock {
	if len(m.free) < n {
		m.free = make([]int32, max(1024, n))
	}
	c := m.free[:n:n]
	m.free = m.free[n:]
	clear(c)
	return c
}
