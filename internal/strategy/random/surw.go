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
	return &surw{rand: r, selected: selected, expected: earlier.count(selected), turn: 1, intended: nobody, last: nobody}
}

type surw struct {
	rand       *rand.Rand
	selected   func(location) bool
	expected   map[int32]int // by goroutine: the number of selected operations, with those of the goroutines that it starts
	goroutines perGoroutine[progress]
	turn       int   // the number of the turn, which ends with a selected operation
	intended   int32 // the goroutine of the next selected operation, or nobody
	last       int32 // the goroutine of the last step, or nobody
	candidates []int // the memory of draw
}

// A progress is what is known of a goroutine.
type progress struct {
	started   bool
	left      int // if it has started: how many of the expected operations are left
	postponed int // the turn in which it waits for another one at a selected operation
}

const nobody int32 = -2

// Choose implements run.Scheduler.
func (s *surw) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind == run.Value {
		return s.rand.IntN(pt.N)
	}
	s.register(pt.Pending)
	for {
		if i := s.draw(pt.Enabled); i >= 0 {
			return i
		}
		s.endTurn() // the intended goroutine is blocked
	}
}

// draw draws candidates, which are the enabled transitions of goroutines that are not postponed,
// until it has one that is not selected or is the intended goroutine's, and postpones the
// goroutines of the others. It returns -1 if there is none. What was drawn is not drawn again, so
// that the time is linear in the number of transitions.
func (s *surw) draw(enabled []run.Transition) int {
	rest := s.candidates[:0]
	for i := range enabled {
		if !s.isPostponed(enabled[i].Goroutine) {
			rest = append(rest, i)
		}
	}
	s.candidates = rest
	for len(rest) > 0 {
		k, end := s.rand.IntN(len(rest)), len(rest)-1
		i := rest[k]
		rest[k] = rest[end]
		rest = rest[:end]
		t := &enabled[i]
		if s.isPostponed(t.Goroutine) {
			continue // since another one of its transitions was drawn
		}
		if !s.selected(locationOf(t)) {
			return i
		}
		if s.intended == nobody {
			s.drawIntended(enabled)
		}
		if t.Goroutine == s.intended {
			return i
		}
		s.goroutines.at(t.Goroutine).postponed = s.turn
	}
	return -1
}

func (s *surw) isPostponed(g int32) bool { return s.goroutines.at(g).postponed == s.turn }

// drawIntended draws the intended goroutine among those that have enabled transitions.
func (s *surw) drawIntended(enabled []run.Transition) {
	sum := 0
	for i := 0; i < len(enabled); {
		g := enabled[i].Goroutine
		n := s.goroutines.at(g).left
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
	s.turn++
}

// register registers the goroutines that have started. They take their share of what was expected
// of the one that started them, and perhaps its turn.
func (s *surw) register(pending []run.Transition) {
	for i := range pending {
		g := pending[i].Goroutine
		w := s.goroutines.at(g)
		if w.started {
			continue
		}
		share := s.expected[g]
		w.started, w.left = true, share
		if s.last == nobody {
			continue
		}
		parent := s.goroutines.at(s.last)
		of := parent.left
		if of == 0 {
			continue
		}
		if s.intended == s.last && s.rand.IntN(of) < share {
			s.intended = g
		}
		parent.left = max(of-share, 0)
	}
}

// Stepping implements run.Watcher.
func (s *surw) Stepping(t *run.Transition, trace *run.Trace) bool {
	s.register(trace.Pending)
	s.last = t.Goroutine
	w := s.goroutines.at(t.Goroutine)
	w.postponed = 0 // no turn has this number
	if s.selected(locationOf(t)) {
		w.left = max(w.left-1, 0)
		s.endTurn()
	}
	return true
}
