package random

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// SURW returns a scheduler that walks selectively uniformly (Zhao, Wolff, Mathur,
// Roychoudhury: Selectively Uniform Concurrency Testing, ASPLOS 2025, algorithm
// 2). It selects operations, those on one object that goroutines share or every
// second time all, and draws their order: a goroutine is as likely to be next as
// it and those it has yet to start have selected operations left, by an earlier
// run. If that run was right, every order of the selected operations is equally
// likely. The others are taken by a random walk.
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
		left: map[int32]int{}, seen: map[int32]bool{}, waits: map[int32]bool{},
		intended: nobody, last: nobody,
	}
}

type surw struct {
	rand     *rand.Rand
	selected func(location) bool
	expected map[int32]int  // operations of each goroutine and of those it starts
	left     map[int32]int  // of expected, of goroutines that have started
	seen     map[int32]bool // have started
	waits    map[int32]bool // are at a selected operation that is not their turn
	intended int32          // takes the next selected operation, or nobody
	last     int32          // took the last step
}

const nobody int32 = -2

// Choose implements run.Scheduler.
func (s *surw) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind == run.Value {
		return s.rand.IntN(pt.N)
	}
	s.arrive(pt.Pending)
	for {
		i := s.candidate(pt.Enabled)
		if i < 0 { // the goroutine whose turn it is cannot go on
			s.turnOver()
			continue
		}
		t := &pt.Enabled[i]
		if !s.selected(locationOf(t)) {
			return i
		}
		if s.intended == nobody {
			s.intend(pt.Enabled)
		}
		if t.Goroutine == s.intended {
			return i
		}
		s.waits[t.Goroutine] = true
	}
}

// candidate draws one of the options of goroutines that do not wait, -1 if
// all do.
func (s *surw) candidate(enabled []run.Transition) int {
	chosen, n := -1, 0
	for i := range enabled {
		if s.waits[enabled[i].Goroutine] {
			continue
		}
		if n++; s.rand.IntN(n) == 0 {
			chosen = i
		}
	}
	return chosen
}

// intend draws the goroutine whose turn it is, among those that have options.
func (s *surw) intend(enabled []run.Transition) {
	sum := 0
	for i := 0; i < len(enabled); {
		g, n := enabled[i].Goroutine, s.left[enabled[i].Goroutine]
		for ; i < len(enabled) && enabled[i].Goroutine == g; i++ {
			if s.selected(locationOf(&enabled[i])) {
				n = max(n, 1) // whatever was expected
			}
		}
		if sum += n; n > 0 && s.rand.IntN(sum) < n {
			s.intended = g
		}
	}
}

// turnOver begins another turn.
func (s *surw) turnOver() {
	s.intended = nobody
	clear(s.waits)
}

// arrive notices the goroutines that have started. They take their share of what
// was expected of the one that started them, and perhaps its turn.
func (s *surw) arrive(pending []run.Transition) {
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
	s.arrive(trace.Pending)
	s.last = t.Goroutine
	delete(s.waits, t.Goroutine)
	if s.selected(locationOf(t)) {
		s.left[t.Goroutine] = max(s.left[t.Goroutine]-1, 0)
		s.turnOver()
	}
	return true
}
