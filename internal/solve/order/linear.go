package order

// linearizer is the scratch of Linear.
type linearizer struct {
	next  [][]int32 // by event: those that it comes before
	waits []int     // by event: how many that are not placed come before it
	ready []int     // events that wait for none
}

// Linear returns the events in an order that agrees with the answer of the
// last Check, which was Sat: all literals hold in it as they do by
// [Order.Holds]. Constraints added since do not count. Where there is a choice, an
// event e is placed before f if prefer(e, f) is true, and otherwise the lesser;
// prefer may be nil.
func (o *Order) Linear(prefer func(i, j int) bool) []int {
	n := len(o.graph.place)
	s := &o.linear
	if s.next == nil {
		s.next = make([][]int32, n)
		s.waits = make([]int, n)
	}
	for i := range n {
		s.next[i] = s.next[i][:0]
		s.waits[i] = 0
	}
	for _, e := range o.fixed[:o.checkedFixed] {
		s.add(e)
	}
	for v, e := range o.edges[:o.checked] {
		if e.from == e.to { // a selector
			continue
		}
		if l := Lit(2 * v); !o.sat.Value(l) {
			e = o.edge(l.Not())
		}
		s.add(e)
	}

	s.ready = s.ready[:0]
	for i := range n {
		if s.waits[i] == 0 {
			s.ready = append(s.ready, i)
		}
	}
	order := make([]int, 0, n)
	for len(s.ready) > 0 {
		best := 0
		for k := 1; k < len(s.ready); k++ {
			e, f := s.ready[k], s.ready[best]
			if prefer != nil && prefer(e, f) || (prefer == nil || !prefer(f, e)) && e < f {
				best = k
			}
		}
		e := s.ready[best]
		last := len(s.ready) - 1
		s.ready[best] = s.ready[last]
		s.ready = s.ready[:last]
		order = append(order, e)
		for _, f := range s.next[e] {
			if s.waits[f]--; s.waits[f] == 0 {
				s.ready = append(s.ready, int(f))
			}
		}
	}
	return order
}

func (s *linearizer) add(e edge) {
	s.next[e.from] = append(s.next[e.from], e.to)
	s.waits[e.to]++
}
