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
type clockMemory struct {
	chunk  []int32
	used   int
	chunks int // that there have been
}

// A clockMark is a point in the use of clock memory.
type clockMark struct{ chunks, used int }

func (m *clockMemory) mark() clockMark { return clockMark{m.chunks, m.used} }

// has reports whether release can go back to a mark.
func (m *clockMemory) has(k clockMark) bool { return k.chunks == m.chunks }

// release makes the memory free that was used since a mark: the clocks made since
// are gone.
func (m *clockMemory) release(k clockMark) { m.used = k.used }

// reset makes all memory free again: the clocks made before are gone.
func (m *clockMemory) reset() { m.used = 0 }

// make returns an empty clock of n threads.
func (m *clockMemory) make(n int) clock {
	if m.used+n > len(m.chunk) {
		m.chunk = make([]int32, max(4096, 2*len(m.chunk), n))
		m.used = 0
		m.chunks++
	}
	c := m.chunk[m.used : m.used+n : m.used+n]
	m.used += n
	clear(c)
	return c
}
