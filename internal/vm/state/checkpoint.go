package state

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// The machine goes back to a checkpoint as its memory does (package heap): a goroutine
// is saved as a whole when it first runs in a checkpoint interval, and rewinding puts back
// what was saved, the last first. What race detection knows is rewound beside it, but for
// that of a run from the first checkpoint, which knows nothing. The rest of a run is copied
// (resume.go).

// A Mark is a state of memory, goroutines and race detection, with the snapshot that is
// copied as a whole.
type Mark struct {
	heap       heap.Mark
	Races      race.Mark
	goroutines int // saved before
	gs         int // goroutines: their list only grows
	snapshot   snapshot
}

// A savedGoroutine is the former content of a goroutine.
type savedGoroutine struct {
	g  *Goroutine
	as Goroutine
}

// CheckpointState makes the present state one that RewindState can come back to.
func (m *State) CheckpointState() Mark {
	return Mark{m.Heap.Checkpoint(), m.Races.Checkpoint(), len(m.saved), len(m.Goroutines), m.snapshot}
}

// RewindState takes memory, goroutines and snapshot back to a mark.
func (m *State) RewindState(to *Mark) {
	m.Heap.Rewind(&to.heap)
	for i := len(m.saved) - 1; i >= to.goroutines; i-- {
		m.saved[i].restore()
	}
	m.saved = m.saved[:to.goroutines] // their copies' memory is used again
	gs := m.Goroutines
	m.snapshot = to.snapshot
	m.Goroutines = gs[:to.gs]
}

// Preserve is to be called before g changes: it saves g when it was not saved in
// this interval.
func (m *State) Preserve(g *Goroutine) {
	if g.Interval != m.Heap.Interval() {
		m.saveGoroutine(g)
	}
}

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

// restore puts the goroutine back. It keeps the memory that the stack has grown to.
func (s *savedGoroutine) restore() {
	stack, sym := s.g.Stack, s.g.Sym
	s.g.copy(&s.as)
	s.g.Stack, s.g.Sym = stack, sym
}

// copy makes g equal to from. They share nothing that changes in place; of the
// stack only what is in use is copied. The memory that g has is used again.
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

// copyFrames returns a copy of src in the memory of dst.
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
