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

// A level is a checkpoint: the marks of memory and race detection, how many goroutines
// were saved before, and the state that is copied as a whole.
type level struct {
	heap       heap.Mark
	races      race.Mark
	goroutines int
	gs         int // goroutines: their list only grows
	state      state
	progress   progress
}

// checkpoints are the levels that the machine can go back to.
type checkpoints struct {
	levels     []level
	goroutines []savedGoroutine
}

// A savedGoroutine is the former content of a goroutine.
type savedGoroutine struct {
	g  *goroutine
	as goroutine
}

// checkpoint makes the present state one that rewind can come back to. It
// returns its level.
func (m *Machine) checkpoint() int {
	c := &m.checkpoints
	n := len(c.levels)
	c.levels = slices.Grow(c.levels, 1)[:n+1]
	l := &c.levels[n]
	*l = level{
		heap: m.heap.Checkpoint(), races: m.races.Checkpoint(),
		goroutines: len(c.goroutines), gs: len(m.gs), state: m.state,
		progress: progress{covered: l.progress.covered[:0], able: l.progress.able, moved: l.progress.moved},
	}
	return n
}

// rewind takes memory, goroutines and state back to the checkpoint of a level,
// which stays; those after it are gone.
func (m *Machine) rewind(to int) {
	c := &m.checkpoints
	l := &c.levels[to]
	m.heap.Rewind(&l.heap)
	for i := len(c.goroutines) - 1; i >= l.goroutines; i-- {
		c.goroutines[i].restore()
	}
	c.goroutines = c.goroutines[:l.goroutines] // their copies' memory is used again
	gs := m.gs
	m.state = l.state
	m.gs = gs[:l.gs]
	c.levels = c.levels[:to+1] // their memory is used again
}

// preserve is to be called before g changes: it saves g when it was not saved in
// this interval.
func (m *Machine) preserve(g *goroutine) {
	if g.interval != m.heap.Interval() {
		m.saveGoroutine(g)
	}
}

func (m *Machine) saveGoroutine(g *goroutine) {
	if c := &m.checkpoints; len(c.levels) > 0 {
		n := len(c.goroutines)
		c.goroutines = slices.Grow(c.goroutines, 1)[:n+1]
		s := &c.goroutines[n]
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
