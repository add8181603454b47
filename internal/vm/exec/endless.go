package exec

import (
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Endless loops. A goroutine may compute for ever without any visible operation: it follows a list
// that leads back to itself, or its counter wraps round before it gets to the limit. If its
// registers and memory are as they were some time before, and no other goroutine can take a step in
// between, nothing can end the loop any more. To compare states at every jump back would cost more
// than the loop itself. So a goroutine is watched only when it has computed for long, for a number
// of jumps back, and when it has computed for twice as long, again (after Brent's algorithm, as for
// cycles of steps in package sched).

const (
	pauseAfter = 4   // chunks of instructions in a step of one of several goroutines before it pauses
	watchFrom  = 16  // chunks of instructions in a step of the only goroutine before it is watched
	alonePause = 2   // pauses of a goroutine that nothing else could follow before it is watched
	watchFuel  = 256 // instructions between two states that are compared
	watchJumps = 8   // states that are compared, for each chunk of instructions so far
)

// A watch is what is known of a goroutine that may be in an endless loop.
type watch struct {
	left    int // states that are still to be compared; 0 if the goroutine is not watched
	head    state.HeadState
	memory  heap.Mark
	changes uint64
	inputs  int
}

// pause is called at jumps back of g when the fuel is spent. It returns false if g has been parked,
// since it has computed for long, or because it is in an endless loop.
func (m *Interpreter) pause(g *state.Goroutine) bool {
	if m.Step.Chunks < pauseAfter || g.Merging.On {
		return true
	}
	endless, watched := m.repeats(g)
	if endless {
		m.Step.Endless = g
	} else if watched || !m.Multi {
		return true
	}
	return m.ParkAtPause(g)
}

// powerOfTwo reports whether n is one.
func powerOfTwo(n int) bool { return n&(n-1) == 0 }

// watchFor returns how many states are to be compared with that of the goroutine, which has spent a
// chunk of instructions in a loop: 0 if it is not time for that.
func (m *Interpreter) watchFor() int {
	if m.Initialising() || !m.Heap.Recording() || len(m.Trace.Unordered) > 0 {
		return 0
	}
	s := &m.Step
	if m.Multi && s.Pauses >= alonePause && powerOfTwo(s.Pauses) && s.Chunks == pauseAfter {
		return watchJumps * pauseAfter * s.Pauses
	}
	if !m.Multi && s.Chunks >= watchFrom && powerOfTwo(s.Chunks) {
		return watchJumps * s.Chunks
	}
	return 0
}

// repeats is called at jumps back of g when the fuel is spent. It reports whether g is known to be
// in an endless loop, and whether it is to go on being watched.
func (m *Interpreter) repeats(g *state.Goroutine) (endless, watched bool) {
	w := &m.watched
	if w.left == 0 {
		if w.left = m.watchFor(); w.left == 0 {
			return false, false
		}
		w.changes, w.inputs = m.Step.Changes, len(m.Trace.Inputs)
		w.head.Set(g)
		w.memory = m.Heap.Mark()
	} else {
		w.left--
		if w.changes == m.Step.Changes && w.inputs == len(m.Trace.Inputs) && len(g.Panics) == 0 && w.head.Matches(&m.State, g) && m.Heap.Unchanged(&w.memory, false) {
			return true, false
		}
		m.Step.Chunks--
	}
	if w.left == 0 {
		m.Step.Chunks++ // the chunk at which it began counts once
		return false, false
	}
	m.Trace.Instructions -= state.FuelChunk - watchFuel
	m.SetFuel(watchFuel)
	return false, true
}
