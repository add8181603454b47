package heap

import "github.com/everyway-go/everyway/internal/expr"

// The undo log takes memory back to a checkpoint. Time is divided into checkpoint
// intervals: a new one begins at every checkpoint and every rewind. Before the first
// write to an object in an interval, its cells are saved; large objects are saved in
// pages. Rewinding puts back what was saved, the last first.
//
// Objects made since the checkpoint need no saving: nothing that is older points
// to them once it has been put back.

// PageSize is the number of cells of a page; objects up to this size are saved
// as a whole.
const PageSize = 64

// A Heap holds the memory of a machine. The zero Heap is ready to use.
type Heap struct {
	// Watched is called before an object changes of which Watch is set.
	Watched func(*Object)
	// Writes counts the changes of memory that may have to be undone.
	Writes uint64

	interval  uint32 // the present one
	recording bool   // there is a checkpoint to come back to
	slabs
	log
}

// A log holds what was saved since the first checkpoint.
type log struct {
	saved []saved
	cells []Word
	bytes []byte
	syms  []expr.ID
}

// A saved says that n cells of o from off on were as the log holds them.
type saved struct {
	o        *Object
	off, n   int32
	interval uint32 // in which they were last saved before
	sym      bool   // the object had shadows: they are in the log too
	whole    bool
}

// A Mark is a state of memory that the log leads back to.
type Mark struct {
	interval                  uint32 // that begins with it
	saved, cells, bytes, syms int
	slabs                     slabMark
}

// Interval returns the number of the present checkpoint interval. It is never 0 once an
// interval has begun.
func (h *Heap) Interval() uint32 { return h.interval }

// Checkpoint makes the present state one that Rewind can come back to.
func (h *Heap) Checkpoint() Mark {
	h.slabs.begin()
	h.recording = true
	return h.Mark()
}

// Mark returns the present state, for Unchanged, and begins a new interval.
func (h *Heap) Mark() Mark {
	h.interval++
	return Mark{h.interval, len(h.log.saved), len(h.log.cells), len(h.log.bytes), len(h.log.syms), h.slabs.used}
}

// Rewind takes memory back to a mark that Checkpoint has returned.
func (h *Heap) Rewind(to *Mark) {
	u := &h.log
	for i := len(u.saved) - 1; i >= to.saved; i-- {
		u.restore(&u.saved[i])
	}
	clear(u.saved[to.saved:])
	clear(u.cells[to.cells:])
	u.saved, u.cells, u.bytes, u.syms = u.saved[:to.saved], u.cells[:to.cells], u.bytes[:to.bytes], u.syms[:to.syms]
	h.slabs.rewind(to.slabs)
	h.interval++
}

// Forget drops all checkpoints: the present state is where the first one begins.
func (h *Heap) Forget() {
	h.recording = false
	h.interval++
}

// Recording reports whether there is a checkpoint to come back to.
func (h *Heap) Recording() bool { return h.recording }

// Fresh reports whether o was made or saved in the present interval, so that a write to it
// need not be announced unless it is watched.
func (h *Heap) Fresh(o *Object) bool { return o.interval == h.interval }

// Add makes o, which has just been made, an object of the present interval.
func (h *Heap) Add(o *Object) { o.interval = h.interval }

// Dirty is to be called before cells [off, off+n) of o, or their shadows, change.
func (h *Heap) Dirty(o *Object, off, n int) {
	h.Writes++
	if o.interval != h.interval || o.Watch != 0 {
		h.save(o, off, n)
	}
}

// save saves cells of an object that was not fully saved in this interval, and calls those
// that wait for it.
func (h *Heap) save(o *Object, off, n int) {
	if o.Watch != 0 {
		h.Watched(o)
	}
	if o.interval == h.interval || !h.recording {
		return // saved, or nothing to come back to yet
	}
	size := o.Size()
	if size <= PageSize {
		h.log.add(o, 0, size, o.interval, true)
		o.interval = h.interval
		return
	}
	if o.pages == nil {
		pages := make([]uint32, (size+PageSize-1)/PageSize)
		o.pages = &pages
	}
	pages := *o.pages
	for p := off / PageSize; p*PageSize < off+n; p++ {
		if pages[p] != h.interval {
			h.log.add(o, p*PageSize, min(PageSize, size-p*PageSize), pages[p], false)
			pages[p] = h.interval
		}
	}
}

func (u *log) add(o *Object, off, n int, interval uint32, whole bool) {
	s := saved{o: o, off: int32(off), n: int32(n), interval: interval, sym: o.Sym != nil, whole: whole}
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
func (u *log) restore(s *saved) {
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
		o.interval = s.interval
	} else {
		(*o.pages)[off/PageSize] = s.interval
	}
}

// Unchanged reports whether memory is as it was at a mark: whether all that has
// been saved since is in its place. What has been saved again since, at a later
// checkpoint, does not count. Symbolic values count when symbolic is set. Objects made
// since are not looked at: when all that is older is as it was, nothing leads to them.
func (h *Heap) Unchanged(since *Mark, symbolic bool) bool {
	u := &h.log
	cells, bytes, syms := since.cells, since.bytes, since.syms
	for i := range u.saved[since.saved:] {
		s := &u.saved[since.saved+i]
		off, n := int(s.off), int(s.n)
		again := s.interval >= since.interval
		for j := 0; j < n && !again; j++ {
			if s.o.Bytes != nil {
				if s.o.Bytes[off+j] != u.bytes[bytes+j] {
					return false
				}
			} else if s.o.Cells[off+j] != u.cells[cells+j] {
				return false
			}
			was := expr.None
			if s.sym {
				was = u.syms[syms+j]
			}
			if _, sym := (Location{s.o, off + j}).Content(); symbolic && sym != was {
				return false
			}
		}
		if s.o.Bytes != nil {
			bytes += n
		} else {
			cells += n
		}
		if s.sym {
			syms += n
		}
	}
	return true
}
