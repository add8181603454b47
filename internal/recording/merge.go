package recording

import (
	"container/heap"
	"fmt"
)

// merge calls do for each record of the goroutines of a file, in an order in which they can have happened: what
// synchronises as it is numbered, and plain accesses as soon as that allows. A goroutine is there from the
// record on that starts it; main is the first one. Those that stand for timers or threads are there from the beginning.
func (f *File) merge(main uint64, do func(goroutine uint64, r *record) error) error {
	m := &merger{file: f, do: do}
	started := map[uint64]bool{main: true}
	var forked []uint64
	visit := m.do
	m.do = func(g uint64, r *record) error {
		if r.kind == everywayFork && !started[r.arg] {
			started[r.arg] = true
			forked = append(forked, r.arg)
		}
		return visit(g, r)
	}
	if err := m.add(f.stream(main)); err != nil {
		return err
	}
	for _, id := range f.timers() {
		if err := m.add(f.stream(id)); err != nil {
			return err
		}
	}
	for len(m.heap) > 0 || m.late != nil {
		if len(m.heap) == 0 { // the recording ends before the value is received
			s := m.late
			m.late = nil
			if err := m.add(s); err != nil {
				return err
			}
			continue
		}
		s := heap.Pop(&m.heap).(*stream)
		r := s.next
		if err := m.do(s.id, &r); err != nil {
			return err
		}
		for _, id := range forked {
			if err := m.add(f.stream(id)); err != nil {
				return err
			}
		}
		forked = forked[:0]
		s.advance()
		ready := []*stream{s}
		if m.late != nil {
			ready = append(ready, m.late)
			m.late = nil
		}
		if r.kind == everywaySend && r.arg == 0 {
			// What the sender does next comes after the value has been received.
			m.late, ready = s, ready[1:]
		}
		for _, s := range ready {
			if err := m.add(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// timers returns the goroutines that nobody has started: those that stand for timers, and those of
// threads that C has started.
func (f *File) timers() []uint64 {
	var list []uint64
	for id := range f.chunks {
		if f.begins[id].timers {
			list = append(list, id)
		}
	}
	return list
}

// A merger has the streams that have not come to their end, by the number of their next record that synchronises.
type merger struct {
	file *File
	do   func(goroutine uint64, r *record) error
	heap streams
	late *stream // has sent on a channel without a buffer
}

// add adds a stream, after the plain accesses that are next in it.
func (m *merger) add(s *stream) error {
	if err := m.plain(s); err != nil {
		return err
	}
	if s.err != nil {
		return fmt.Errorf("goroutine %d: %w", s.id, s.err)
	}
	if !s.ok {
		return nil
	}
	heap.Push(&m.heap, s)
	return nil
}

// plain lets do have the plain accesses that are next in a stream.
func (m *merger) plain(s *stream) error {
	for s.ok && s.next.seq == 0 {
		r := s.next
		if err := m.do(s.id, &r); err != nil {
			return err
		}
		s.advance()
	}
	return nil
}

// before reports whether r comes before q, both of which synchronise. What shares its number comes after who has it.
func (r *record) before(q *record) bool {
	if r.seq != q.seq {
		return r.seq < q.seq
	}
	return !everywayShares(uint64(r.kind)) && everywayShares(uint64(q.kind))
}

// streams is a heap.
type streams []*stream

func (h streams) Len() int           { return len(h) }
func (h streams) Less(i, j int) bool { return h[i].next.before(&h[j].next) }
func (h streams) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *streams) Push(x any)        { *h = append(*h, x.(*stream)) }
func (h *streams) Pop() any {
	old := *h
	s := old[len(old)-1]
	*h = old[:len(old)-1]
	return s
}
