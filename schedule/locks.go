package schedule

import (
	"fmt"
	"slices"
)

// A syncCell is what is known of a cell that goroutines synchronise with.
type syncCell struct {
	writer  GoroutineID // that holds the lock, with the depth of a reentrant one
	depth   int
	readers int

	counter int32 // of a wait group
	changed int64 // 1 + Order of the last event that raised or lowered something, or that a signal was
	done    bool  // of a once
	unknown int   // signals that may have woken somebody
	waiters []GoroutineID
}

// syncAt returns what is known of a cell.
func (s *State) syncAt(c Cell) (*syncCell, error) {
	if c.Object == 0 {
		return nil, fmt.Errorf("a synchronisation on no object")
	}
	if y := s.syncs[c]; y != nil {
		return y, nil
	}
	if len(s.syncs) == stateSyncs {
		return nil, fmt.Errorf("more than %d locks, wait groups and the like", stateSyncs)
	}
	y := &syncCell{writer: NoGoroutine}
	s.syncs[c] = y
	return y, nil
}

// Counter returns the counter of a wait group.
func (s *State) Counter(c Cell) int64 {
	if y := s.syncs[c]; y != nil {
		return int64(y.counter)
	}
	return 0
}

// lock carries out the operations of locks.
func (s *State) lock(e *Event) error {
	y, err := s.syncAt(e.Cell())
	if err != nil {
		return err
	}
	switch e.Op {
	case Lock:
		if y.writer == e.Goroutine && e.Lock == Reentrant {
			y.depth++
			return nil
		}
		if y.writer != NoGoroutine {
			return fmt.Errorf("g%d takes the lock %v, which g%d holds", e.Goroutine, e.Cell(), y.writer)
		}
		if y.readers > 0 {
			return fmt.Errorf("g%d takes the lock %v, which readers hold", e.Goroutine, e.Cell())
		}
		y.writer, y.depth = e.Goroutine, 1
		e.From = y.changed - 1
		return s.hold(e, false)
	case Unlock:
		if y.writer == NoGoroutine {
			return fmt.Errorf("g%d releases the lock %v, which nobody holds", e.Goroutine, e.Cell())
		}
		if y.depth--; y.depth > 0 {
			return nil
		}
		s.release(y.writer, e.Cell(), false)
		y.writer = NoGoroutine
	case RLock:
		if y.writer != NoGoroutine {
			return fmt.Errorf("g%d takes the lock %v for reading, which g%d holds", e.Goroutine, e.Cell(), y.writer)
		}
		y.readers++
		e.From = y.changed - 1
		return s.hold(e, true)
	case RUnlock:
		if y.readers == 0 {
			return fmt.Errorf("g%d releases the lock %v, which no reader holds", e.Goroutine, e.Cell())
		}
		y.readers--
		if !s.release(e.Goroutine, e.Cell(), true) {
			// Another goroutine has taken it.
			for g := range s.goroutines {
				if s.release(GoroutineID(g), e.Cell(), true) {
					break
				}
			}
		}
	}
	y.changed = e.Order + 1
	return nil
}

// hold notes that the goroutine of e holds a lock.
func (s *State) hold(e *Event, shared bool) error {
	if s.holds == stateHolds {
		return errFull
	}
	s.holds++
	g := &s.goroutines[e.Goroutine]
	g.Held = append(g.Held, Held{Cell: e.Cell(), Kind: e.Lock, Shared: shared, Since: e.Order})
	return nil
}

// release notes that a goroutine does not hold a lock any more. It reports whether it did.
func (s *State) release(g GoroutineID, c Cell, shared bool) bool {
	held := s.goroutines[g].Held
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].Cell == c && held[i].Shared == shared {
			s.goroutines[g].Held = slices.Delete(held, i, i+1)
			s.holds--
			return true
		}
	}
	return false
}

// synchronize carries out the operations of wait groups, conditions, semaphores and onces.
func (s *State) synchronize(e *Event) error {
	y, err := s.syncAt(e.Cell())
	if err != nil {
		return err
	}
	g := &s.goroutines[e.Goroutine]
	e.From = y.changed - 1
	switch e.Op {
	case WaitGroupAdd:
		y.counter += int32(e.Number)
	case WaitGroupWait:
		if y.counter != 0 {
			return fmt.Errorf("g%d returns from the wait group %v, whose counter is %d", e.Goroutine, e.Cell(), y.counter)
		}
		return nil
	case CondWait:
		g.waiting, g.waits, g.notified, g.ignored = true, e.Cell(), false, y.unknown
		y.waiters = append(y.waiters, e.Goroutine)
		e.From = -1
		return nil
	case CondWake:
		if !g.waiting || g.waits != e.Cell() {
			return fmt.Errorf("g%d wakes at the condition %v, at which it does not wait", e.Goroutine, e.Cell())
		}
		switch {
		case g.notified:
			e.From = g.signal
		case y.unknown > g.ignored:
			e.From = -1 // some signal did it
		default:
			return fmt.Errorf("g%d wakes at the condition %v, for which there was no signal", e.Goroutine, e.Cell())
		}
		g.waiting = false
		y.waiters = slices.DeleteFunc(y.waiters, func(w GoroutineID) bool { return w == e.Goroutine })
		return nil
	case CondSignal:
		return s.signal(e, y)
	case SemAcquire:
		return nil
	case Once:
		if y.done {
			return fmt.Errorf("g%d has done %v, which has been done before", e.Goroutine, e.Cell())
		}
		y.done = true
	case OnceSeen:
		if !y.done {
			return fmt.Errorf("g%d sees %v done, which it is not", e.Goroutine, e.Cell())
		}
		return nil
	}
	y.changed = e.Order + 1
	return nil
}

// signal carries out CondSignal.
func (s *State) signal(e *Event, y *syncCell) error {
	e.From = -1
	switch e.Child {
	case NoGoroutine:
		y.unknown++
	case AllGoroutines:
		for _, w := range y.waiters {
			s.notify(&s.goroutines[w], e)
		}
	default:
		if int(e.Child) >= len(s.goroutines) || !s.notify(&s.goroutines[e.Child], e) {
			return fmt.Errorf("g%d signals to g%d, which does not wait at %v", e.Goroutine, e.Child, e.Cell())
		}
	}
	return nil
}

// notify notes that e has woken a goroutine, if that waits.
func (s *State) notify(g *goroutine, e *Event) bool {
	if !g.waiting || g.notified || g.waits != e.Cell() {
		return false
	}
	g.notified, g.signal = true, e.Order
	return true
}
