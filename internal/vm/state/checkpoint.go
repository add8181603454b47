package state

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// Goroutines are rewound to a checkpoint as memory is (package heap): a goroutine is saved
// as a whole when it first runs in a checkpoint interval, and a rewind restores what was
// saved, in reverse order. The race detector has an undo log of its own, except that it
// simply starts anew for a run from the first checkpoint. The rest of the state of a run is
// copied (package sched, resume.go).

// A Mark is a state of memory, goroutines and race detection, together with a copy of the
// snapshot.
type Mark struct {
	heap       heap.Mark
	Races      race.Mark
	goroutines int // number of saved goroutines
	gs         int // number of goroutines, whose list only grows
	snapshot   snapshot
}

// Heap returns the mark of memory.
func (k *Mark) Heap() *heap.Mark { return &k.heap }

// A savedGoroutine is an earlier state of a goroutine.
type savedGoroutine struct {
	g  *Goroutine
	as Goroutine
}

// CheckpointState returns a mark of the current state for RewindState.
func (m *State) CheckpointState() Mark {
	return Mark{m.Heap.Checkpoint(), m.Races.Checkpoint(), len(m.saved), len(m.Goroutines), m.snapshot}
}

// RewindState restores memory, goroutines and snapshot to a mark.
func (m *State) RewindState(to *Mark) {
	m.Heap.Rewind(&to.heap)
	for i := len(m.saved) - 1; i >= to.goroutines; i-- {
		m.saved[i].restore()
		m.saved[i].as.dropLarge()
	}
	m.saved = m.saved[:to.goroutines] // the memory of the copies is reused
	gs := m.Goroutines
	m.snapshot = to.snapshot
	m.LateIndex.Reset() // what the steps know of is in memory that the next run reuses
	m.Goroutines = gs[:to.gs]
}

// Preserve must be called before g changes. It saves g, unless that has been done in this
// checkpoint interval.
func (m *State) Preserve(g *Goroutine) {
	if g.Interval != m.Heap.Interval() {
		m.saveGoroutine(g)
	}
}

// saveGoroutine is Preserve for a goroutine that has not been saved in this checkpoint
// interval.
func (m *State) saveGoroutine(g *Goroutine) {
	if m.Heap.Recording() {
		n := len(m.saved)
		m.saved = slices.Grow(m.saved, 1)[:n+1]
		s := &m.saved[n]
		s.g = g
		s.as.copy(g)
	}
	g.Interval = m.Heap.Interval()
}

// restore restores the goroutine. It keeps the memory of its stack, which may have grown.
func (s *savedGoroutine) restore() {
	stack, sym := s.g.Stack, s.g.Sym
	s.g.copy(&s.as)
	s.g.Stack, s.g.Sym = stack, sym
}

// copy makes g a copy of from. They share no memory that changes in place. Of the stack
// only the part in use is copied. The memory of g is reused.
func (g *Goroutine) copy(from *Goroutine) {
	was := *g
	*g = *from
	top := 0
	if n := len(from.Frames); n > 0 {
		f := &from.Frames[n-1]
		top = int(f.Base) + f.Func.Regs
	}
	g.Stack = append(was.Stack[:0], from.Stack[:top]...)
	g.Sym = was.Sym[:0]
	if from.Sym != nil {
		g.Sym = append(g.Sym, from.Sym[:min(top, len(from.Sym))]...)
	}
	g.Frames = copyFrames(was.Frames, from.Frames)
	g.Panics = append(was.Panics[:0], from.Panics...)
	g.Comms = append(was.Comms[:0], from.Comms...)
	g.Got.Words = append(was.Got.Words[:0], from.Got.Words...)
	g.Got.Shadow = append(was.Got.Shadow[:0], from.Got.Shadow...)
	g.Clock, g.Wakeup = was.Clock, was.Wakeup
	g.Clock.Assign(&from.Clock)
	g.Wakeup.Assign(&from.Wakeup)
	g.Spin = copySpin(was.Spin, from.Spin)
}

// copyFrames returns a copy of src that reuses the memory of dst.
func copyFrames(dst, src []Frame) []Frame {
	dst = slices.Grow(dst[:0], len(src))[:len(src)]
	for i := range src {
		to, from := &dst[i], &src[i]
		defers := to.Defers
		*to = *from
		to.Defers = slices.Grow(defers[:0], len(from.Defers))[:len(from.Defers)]
		for k := range from.Defers {
			d, e := &to.Defers[k], &from.Defers[k]
			args, syms := d.args, d.syms
			*d = *e
			d.args, d.syms = append(args[:0], e.args...), append(syms[:0], e.syms...)
		}
	}
	return dst
}
