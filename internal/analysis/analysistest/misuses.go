package analysistest

import (
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// Misuses returns the events that are wrong in some order of some of the events, by their Order:
// sends on a channel that has been closed, releases of locks that are not held, Dones that make the
// counter of a wait group negative, and Waits that begin when another goroutine is about to raise
// it from zero.
func Misuses(t testing.TB, events []schedule.Event, rule Rule) map[int64]bool {
	found := map[int64]bool{}
	s := newSearch(events, rule)
	s.visit = func() {
		for g := range s.at {
			if e := s.next(g); e != nil && s.misuses(e) {
				found[e.Order] = true
			}
		}
	}
	s.explore()
	return found
}

// CheckMisuse checks the witness of a misuse, other than of a second close, which is not in the
// schedule: that its events are a schedule, after which the last one is wrong. If that is a Wait,
// the Add stands before it.
func CheckMisuse(t testing.TB, events []schedule.Event, f *analysis.Finding, rule Rule) {
	t.Helper()
	n := len(f.Witness) - 1
	if f.Kind == analysis.DataRace {
		n--
	}
	if n < 0 {
		t.Errorf("%v has no witness", f.Sites)
		return
	}
	s := newSearch(events, rule)
	for _, o := range f.Witness[:n] {
		s.path = append(s.path, int(o))
		s.at[events[o].Goroutine]++
	}
	last := &events[f.Witness[len(f.Witness)-1]]
	if _, ok := s.check(); !ok || s.next(int(last.Goroutine)) != last || !s.misuses(last) {
		t.Errorf("the witness of %v does not show it: %v", f.Sites, f.Witness)
	}
}

// misuses reports whether an event is wrong after path.
func (s *search) misuses(e *schedule.Event) bool {
	if e.Op == schedule.Unlock || e.Op == schedule.RUnlock {
		return s.releases(e)
	}
	if e.Op != schedule.Send && e.Op != schedule.WaitGroupWait && (e.Op != schedule.WaitGroupAdd || e.Number >= 0) {
		return false
	}
	closed, counter := false, int64(0)
	for _, i := range s.path {
		f := &s.events[i]
		if f.Cell() != e.Cell() {
			continue
		}
		closed = closed || f.Op == schedule.Close
		if f.Op == schedule.WaitGroupAdd {
			counter += f.Number
		}
	}
	switch e.Op {
	case schedule.Send:
		return closed && s.acts(e)
	case schedule.WaitGroupAdd:
		return counter+e.Number < 0 && s.acts(e)
	}
	for g := range s.at {
		a := s.next(g)
		if a != nil && a.Op == schedule.WaitGroupAdd && a.Number > 0 && a.Cell() == e.Cell() && counter == 0 && s.acts(a) && s.acts(e) {
			return true
		}
	}
	return false
}

// releases reports whether an event releases a lock that is not held.
func (s *search) releases(e *schedule.Event) bool {
	held := 0
	for _, i := range s.path {
		switch f := &s.events[i]; {
		case f.Cell() != e.Cell():
		case f.Op == schedule.Lock && e.Op == schedule.Unlock, f.Op == schedule.RLock && e.Op == schedule.RUnlock:
			held++
		case f.Op == e.Op:
			held--
		}
	}
	return held == 0 && s.acts(e)
}

// acts reports whether the goroutine of an event is not kept from going on by what it has sent.
func (s *search) acts(e *schedule.Event) bool {
	return s.possible(schedule.Event{Op: schedule.Yield, Goroutine: e.Goroutine, Index: e.Index})
}
