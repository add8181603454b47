package random

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// SURW returns the scheduler of a selectively uniform random walk (Zhao, Wolff, Mathur,
// Roychoudhury: Selectively Uniform Concurrency Testing, ASPLOS 2025, algorithm 2). It selects
// operations, those on one shared location or, every other time, all, and draws their order:
// the probability that a goroutine is next is in proportion to the number of selected
// operations that it, and the goroutines that it will start, have left according to an
// earlier run. If that is right, every order of the selected operations is equally likely.
// The other operations are those of a random walk.
func SURW(r *rand.Rand, earlier *Profile) run.Scheduler {
	if shared := earlier.shared(); len(shared) > 0 && r.IntN(2) == 0 {
		one := shared[r.IntN(len(shared))]
		return newSURW(r, earlier, func(l location) bool { return l == one })
	}
	return newSURW(r, earlier, func(location) bool { return true })
}

func newSURW(r *rand.Rand, earlier *Profile, selected func(location) bool) *surw {
	return &surw{
		rand: r, selected: selected, expected: earlier.count(selected),
		left: map[int32]int{}, seen: map[int32]bool{}, postponed: map[int32]bool{},
		intended: nobody, last: nobody,
	}
}

type surw struct {
	rand      *rand.Rand
	selected  func(location) bool
	expected  map[int32]int  // by goroutine: the number of selected operations, with those of the goroutines that it starts
	left      map[int32]int  // by goroutine that has started: how many of expected are left
	seen      map[int32]bool // the goroutines that have started
	postponed map[int32]bool // those that wait for their turn at a selected operation
	intended  int32          // the goroutine of the next selected operation, or nobody
	last      int32          // the goroutine of the last step, or nobody
}

const nobody int32 = -2

// Choose implements run.Scheduler.
func (s *surw) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind == run.Value {
		return s.rand.IntN(pt.N)
	}
	s.register(pt.Pending)
	for {
		i := s.drawCandidate(pt.Enabled)
		if i < 0 { // the intended goroutine is blocked
			s.endTurn()
			continue
		}
		t := &pt.Enabled[i]
		if !s.selected(locationOf(t)) {
			return i
		}
		if s.intended == nobody {
			s.drawIntended(pt.Enabled)
		}
		if t.Goroutine == s.intended {
			return i
		}
		s.postponed[t.Goroutine] = true
	}
}

// drawCandidate draws one of the enabled transitions of goroutines that are not postponed, -1 if
// there is none.
func (s *surw) drawCandidate(enabled []run.Transition) int {
	chosen, n := -1, 0
	for i := range enabled {
		if s.postponed[enabled[i].Goroutine] {
			continue
		}
		if n++; s.rand.IntN(n) == 0 {
			chosen = i
		}
	}
	return chosen
}

// drawIntended draws the intended goroutine among those that have enabled transitions.
func (s *surw) drawIntended(enabled []run.Transition) {
	sum := 0
	for i := 0; i < len(enabled); {
		g, n := enabled[i].Goroutine, s.left[enabled[i].Goroutine]
		for ; i < len(enabled) && enabled[i].Goroutine == g; i++ {
			if s.selected(locationOf(&enabled[i])) {
				n = max(n, 1) // though none was expected
			}
		}
		if sum += n; n > 0 && s.rand.IntN(sum) < n {
			s.intended = g
		}
	}
}

// endTurn makes all goroutines candidates for the next selected operation.
func (s *surw) endTurn() {
	s.intended = nobody
	clear(s.postponed)
}

// register registers the goroutines that have started. They take their share of what was expected
// of the one that started them, and perhaps its turn.
func (s *surw) register(pending []run.Transition) {
	for i := range pending {
		g := pending[i].Goroutine
		if s.seen[g] {
			continue
		}
		s.seen[g] = true
		share, of := s.expected[g], s.left[s.last]
		s.left[g] = share
		if of == 0 {
			continue
		}
		if s.intended == s.last && s.rand.IntN(of) < share {
			s.intended = g
		}
		s.left[s.last] = max(of-share, 0)
	}
}

// Stepping implements run.Watcher.
func (s *surw) Stepping(t *run.Transition, trace *run.Trace) bool {
	s.register(trace.Pending)
	s.last = t.Goroutine
	delete(s.postponed, t.Goroutine)
	if s.selected(locationOf(t)) {
		s.left[t.Goroutine] = max(s.left[t.Goroutine]-1, 0)
		s.endTurn()
	}
	return true
}
