package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// The undo log takes the machine back to a checkpoint. Time is cut into
// stretches, each with a stamp of its own: a new one begins at every checkpoint
// and every rewind. Before the first write to an object in a stretch, its cells
// are saved; large objects are saved in pages. A goroutine is saved as a whole
// when it first runs in a stretch. Rewinding puts back what was saved, the last
// first.
//
// Objects made since the checkpoint need no saving: nothing that is older points
// to them once it has been put back.
//
// What race detection knows is saved in the same way (race.go), but for that of a run
// from the first checkpoint, which knows nothing. The rest of a run is copied (resume.go).

// pageSize is the number of cells of a page; objects up to this size are saved
// as a whole.
const pageSize = 64

// An undoLog holds what was saved since the first checkpoint.
type undoLog struct {
	levels     []level
	saved      []savedCells
	goroutines []savedGoroutine
	cells      []Word
	bytes      []byte
	syms       []expr.ID
}

// A level is a checkpoint: how long the log was and the state that is copied as
// a whole.
type level struct {
	saved, goroutines  int
	cells, bytes, syms int
	races              race.Mark
	heap               heapMark
	gs                 int // goroutines: their list only grows
	state              state
	progress           progress
}

// A savedCells says that n cells of o from off on were as the log holds them.
type savedCells struct {
	o      *Object
	off, n int32
	stamp  uint32 // of the stretch in which they were last saved before, see cycle.go
	sym    bool   // the object had shadows: they are in the log too
	whole  bool
}

// A savedGoroutine is the former content of a goroutine.
type savedGoroutine struct {
	g  *goroutine
	as goroutine
}

// nextStamp begins a new stretch.
func (m *Machine) nextStamp() uint32 {
	m.stamps++
	return m.stamps
}

// checkpoint makes the present state one that rewind can come back to. It
// returns its level.
func (m *Machine) checkpoint() int {
	u := &m.undo
	m.heap.begin()
	n := len(u.levels)
	u.levels = slices.Grow(u.levels, 1)[:n+1]
	l := &u.levels[n]
	*l = level{
		saved: len(u.saved), goroutines: len(u.goroutines),
		cells: len(u.cells), bytes: len(u.bytes), syms: len(u.syms),
		races: m.races.Checkpoint(),
		heap:  m.heap.used, gs: len(m.gs), state: m.state,
		progress: progress{covered: l.progress.covered[:0], able: l.progress.able, moved: l.progress.moved},
	}
	m.stamp = m.nextStamp()
	return n
}

// rewind takes memory, goroutines and state back to the checkpoint of a level,
// which stays; those after it are gone.
func (m *Machine) rewind(to int) {
	u := &m.undo
	l := &u.levels[to]
	for i := len(u.saved) - 1; i >= l.saved; i-- {
		u.restore(&u.saved[i])
	}
	clear(u.saved[l.saved:])
	clear(u.cells[l.cells:])
	u.saved, u.cells, u.bytes, u.syms = u.saved[:l.saved], u.cells[:l.cells], u.bytes[:l.bytes], u.syms[:l.syms]
	for i := len(u.goroutines) - 1; i >= l.goroutines; i-- {
		u.goroutines[i].restore()
	}
	u.goroutines = u.goroutines[:l.goroutines] // their copies' memory is used again
	m.heap.rewind(l.heap)
	gs := m.gs
	m.state = l.state
	m.gs = gs[:l.gs]
	u.levels = u.levels[:to+1] // their memory is used again
	m.stamp = m.nextStamp()
}

// dirty is to be called before cells [off, off+n) of o, or their shadows, change.
func (m *Machine) dirty(o *Object, off, n int) {
	m.round.changes++
	if o.stamp != m.stamp || o.watch != 0 {
		m.save(o, off, n)
	}
}

// save saves cells of an object that was not fully saved in this stretch, and tells those
// that wait for it.
func (m *Machine) save(o *Object, off, n int) {
	if o.watch != 0 {
		m.stir(o)
	}
	if o.stamp == m.stamp || len(m.undo.levels) == 0 {
		return // saved, or nothing to come back to yet
	}
	size := o.size()
	if size <= pageSize {
		m.undo.add(o, 0, size, o.stamp, true)
		o.stamp = m.stamp
		return
	}
	if o.pages == nil {
		pages := make([]uint32, (size+pageSize-1)/pageSize)
		o.pages = &pages
	}
	pages := *o.pages
	for p := off / pageSize; p*pageSize < off+n; p++ {
		if pages[p] != m.stamp {
			m.undo.add(o, p*pageSize, min(pageSize, size-p*pageSize), pages[p], false)
			pages[p] = m.stamp
		}
	}
}

func (u *undoLog) add(o *Object, off, n int, stamp uint32, whole bool) {
	s := savedCells{o: o, off: int32(off), n: int32(n), stamp: stamp, sym: o.Sym != nil, whole: whole}
	if o.Bytes != nil {
		u.bytes = append(u.bytes, o.Bytes[off:off+n]...)
	} else {
		u.cells = append(u.cells, o.Cells[off:off+n]...)
	}
	if s.sym {
		u.syms = append(u.syms, o.Sym[off:off+n]...)
	}
	u.saved = append(u.saved, s)
}

// restore puts back the last cells in the log, which are those of s.
func (u *undoLog) restore(s *savedCells) {
	o, off, n := s.o, int(s.off), int(s.n)
	if o.Bytes != nil {
		at := len(u.bytes) - n
		copy(o.Bytes[off:], u.bytes[at:])
		u.bytes = u.bytes[:at]
	} else {
		at := len(u.cells) - n
		copy(o.Cells[off:], u.cells[at:])
		u.cells = u.cells[:at]
	}
	switch {
	case s.sym:
		at := len(u.syms) - n
		copy(o.Sym[off:], u.syms[at:])
		u.syms = u.syms[:at]
	case s.whole:
		o.Sym = nil
	case o.Sym != nil:
		clear(o.Sym[off : off+n])
	}
	if s.whole {
		o.stamp = s.stamp
	} else {
		(*o.pages)[off/pageSize] = s.stamp
	}
}

// preserve is to be called before g changes: it saves g when it was not saved in
// this stretch.
func (m *Machine) preserve(g *goroutine) {
	if g.stamp != m.stamp {
		m.saveGoroutine(g)
	}
}

func (m *Machine) saveGoroutine(g *goroutine) {
	if u := &m.undo; len(u.levels) > 0 {
		n := len(u.goroutines)
		u.goroutines = slices.Grow(u.goroutines, 1)[:n+1]
		s := &u.goroutines[n]
		s.g = g
		s.as.copy(g)
	}
	g.stamp = m.stamp
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
