package vm

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

// A mark is a state of memory, goroutines and race detection, with the snapshot that is
// copied as a whole.
type stateMark struct {
	heap       heap.Mark
	races      race.Mark
	goroutines int // saved before
	gs         int // goroutines: their list only grows
	snapshot   snapshot
}

// A savedGoroutine is the former content of a goroutine.
type savedGoroutine struct {
	g  *goroutine
	as goroutine
}

// checkpointState makes the present state one that rewindState can come back to.
func (m *State) checkpointState() stateMark {
	return stateMark{m.heap.Checkpoint(), m.races.Checkpoint(), len(m.saved), len(m.gs), m.snapshot}
}

// rewindState takes memory, goroutines and snapshot back to a mark.
func (m *State) rewindState(to *stateMark) {
	m.heap.Rewind(&to.heap)
	for i := len(m.saved) - 1; i >= to.goroutines; i-- {
		m.saved[i].restore()
	}
	m.saved = m.saved[:to.goroutines] // their copies' memory is used again
	gs := m.gs
	m.snapshot = to.snapshot
	m.gs = gs[:to.gs]
}

// preserve is to be called before g changes: it saves g when it was not saved in
// this interval.
func (m *State) preserve(g *goroutine) {
	if g.interval != m.heap.Interval() {
		m.saveGoroutine(g)
	}
}

func (m *State) saveGoroutine(g *goroutine) {
	if m.heap.Recording() {
		n := len(m.saved)
		m.saved = slices.Grow(m.saved, 1)[:n+1]
		s := &m.saved[n]
		s.g = g
		s.as.copy(g)
	}
	g.interval = m.heap.Interval()
}

// restore puts the goroutine back. It keeps the memory that the stack has grown to.
func (s *savedGoroutine) restore() {
	stack, sym := s.g.stack, s.g.sym
	s.g.copy(&s.as)
	s.g.stack, s.g.sym = stack, sym
}

// copy makes g equal to from. They share nothing that changes in place; of the
// stack only what is in use is copied. The memory that g has is used again.
func (g *goroutine) copy(from *goroutine) {
	was := *g
	*g = *from
	top := 0
	if n := len(from.frames); n > 0 {
		f := &from.frames[n-1]
		top = int(f.base) + f.fn.Regs
	}
	g.stack = append(was.stack[:0], from.stack[:top]...)
	g.sym = was.sym[:0]
	if from.sym != nil {
		g.sym = append(g.sym, from.sym[:min(top, len(from.sym))]...)
	}
	g.frames = copyFrames(was.frames, from.frames)
	g.panics = append(was.panics[:0], from.panics...)
	g.comms = append(was.comms[:0], from.comms...)
	g.got.words = append(was.got.words[:0], from.got.words...)
	g.got.shadow = append(was.got.shadow[:0], from.got.shadow...)
	g.Clock, g.wakeup = was.Clock, was.wakeup
	g.Clock.Assign(&from.Clock)
	g.wakeup.Assign(&from.wakeup)
	g.spin = copySpin(was.spin, from.spin)
}

// copyFrames returns a copy of src in the memory of dst.
func copyFrames(dst, src []frame) []frame {
	dst = slices.Grow(dst[:0], len(src))[:len(src)]
	for i := range src {
		to, from := &dst[i], &src[i]
		defers := to.defers
		*to = *from
		to.defers = slices.Grow(defers[:0], len(from.defers))[:len(from.defers)]
		for k := range from.defers {
			d, e := &to.defers[k], &from.defers[k]
			args, syms := d.args, d.syms
			*d = *e
			d.args, d.syms = append(args[:0], e.args...), append(syms[:0], e.syms...)
		}
	}
	return dst
}
