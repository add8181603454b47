package hyperconcolic

// A clock is a vector clock: it holds for each thread the number of its events in a set that
// contains, with an event, everything that happened before it. Threads beyond its length
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

// clockMemory holds the clocks of a run.
type clockMemory struct {
	chunk  []int32
	used   int
	chunks int // number of chunks so far
}

// A clockMark is a state of a clockMemory.
type clockMark struct{ chunks, used int }

func (m *clockMemory) mark() clockMark { return clockMark{m.chunks, m.used} }

// has reports whether release can return to a mark.
func (m *clockMemory) has(k clockMark) bool { return k.chunks == m.chunks }

// release frees the memory used since a mark: the clocks made since are gone.
func (m *clockMemory) release(k clockMark) { m.used = k.used }

// reset frees all memory: the clocks made so far are gone.
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
