package schedule

import "slices"

// Record has the State keep, from now on, what events change, so that [State.Undo] can take them
// back. That takes about 600 bytes an event, until [State.Forget] is called.
func (s *State) Record() { s.recording = true }

// Recorded returns how many events Undo can take back.
func (s *State) Recorded() int { return len(s.undo) }

// Forget forgets how to take back all but the last n events.
func (s *State) Forget(n int) {
	if more := len(s.undo) - n; more > 0 {
		s.undo = slices.Delete(s.undo, 0, more)
	}
}

// Undo takes back the last n events for which [State.Next] was called since Record, those that were
// refused included: after an error the State can be used again when the event has been taken back.
// There must be as many.
func (s *State) Undo(n int) {
	for range n {
		last := len(s.undo) - 1
		s.undo[last]()
		s.undo[last] = nil
		s.undo = s.undo[:last]
	}
}

// save keeps what e may change.
func (s *State) save(e *Event) {
	numbers, order, queued, holds := s.numbering, s.order, s.queued, s.holds
	goroutines, objects := len(s.goroutines), len(s.objects)
	numbers.index = nil // which is kept by goroutine
	var parts []func()
	if e.Goroutine >= Timers && e.Goroutine < maxGoroutines {
		g, index := e.Goroutine, *s.indexOf(e.Goroutine)
		parts = append(s.saveGoroutines(nil, g), func() { *s.indexOf(g) = index })
	}
	if e.Object >= 0 && int(e.Object) < len(s.objects) {
		parts = s.saveObject(parts, e)
	}
	s.undo = append(s.undo, func() {
		index := s.index
		s.numbering, s.order, s.queued, s.holds = numbers, order, queued, holds
		s.index = index
		s.goroutines = s.goroutines[:goroutines]
		for i := objects; i < len(s.objects); i++ {
			s.cells -= len(s.objects[i].contents)
			s.objects[i] = object{}
		}
		s.objects = s.objects[:objects]
		for _, restore := range parts {
			restore()
		}
	})
}

// saveGoroutines adds functions that restore goroutines, as far as there are any.
func (s *State) saveGoroutines(parts []func(), goroutines ...GoroutineID) []func() {
	for _, g := range goroutines {
		if g >= 0 && int(g) < len(s.goroutines) {
			was := s.goroutines[g]
			was.Held = slices.Clone(was.Held)
			parts = append(parts, func() { s.goroutines[g] = was })
		}
	}
	return parts
}

// saveObject adds functions that restore what the operation of e may change.
func (s *State) saveObject(parts []func(), e *Event) []func() {
	cell, channel := e.Cell(), s.objects[e.Object].channel
	switch {
	case e.Op <= AtomicUpdate && e.Object != 0 && s.objects[e.Object].kind == Memory:
		if at := s.content(cell); at != nil {
			was := *at
			return append(parts, func() { *s.content(cell) = was })
		}
		was, ok := s.far[cell]
		return append(parts, func() {
			if delete(s.far, cell); ok {
				s.far[cell] = was
			}
		})
	case channel != nil:
		was := *channel
		if e.Op == TimerSet {
			was.queue = slices.Clone(was.queue) // whose memory is used again
		}
		if e.Op == Recv && len(was.queue) > 0 {
			parts = s.saveGoroutines(parts, was.queue[0].by)
		}
		return append(parts, func() { *channel = was })
	case optional[e.Op]&offsetBit != 0:
		y, err := s.syncAt(cell)
		if err != nil {
			break // the operation fails, too
		}
		was := *y
		was.waiters = slices.Clone(was.waiters)
		parts = s.saveGoroutines(append(parts, func() { *y = was }), append(was.waiters, y.writer)...)
		// A reader may release the lock of another.
		for g := 0; e.Op == RUnlock && g < len(s.goroutines); g++ {
			if len(s.goroutines[g].Held) > 0 {
				parts = s.saveGoroutines(parts, GoroutineID(g))
			}
		}
	}
	return parts
}
