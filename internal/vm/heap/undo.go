package heap

import "github.com/everyway-go/everyway/internal/expr"

// The undo log makes it possible to rewind memory to a checkpoint. A run is divided into
// checkpoint intervals: a new one begins at every checkpoint and at every rewind. The cells
// of an object are saved before the first write to it in an interval; large objects are
// saved page by page. A rewind restores what was saved, in reverse order.
//
// Objects made since the checkpoint need not be saved: once the older ones have been
// restored, nothing points to them.

// PageSize is the number of cells of a page. Objects up to this size are saved as a
// whole.
const PageSize = 64

// A Heap holds the memory of a machine. The zero Heap is ready to use.
type Heap struct {
	// Watched is called before a change of an object whose Watch is not 0.
	Watched func(*Object)
	// Writes counts the changes of memory that may have to be undone.
	Writes uint64

	markings  uint32
	interval  uint32 // the current checkpoint interval
	recording bool   // there is a checkpoint to rewind to
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

// A saved says that the n cells of o from off on had the contents that the log holds.
type saved struct {
	o        *Object
	off, n   int32
	interval uint32 // in which they had been saved before that
	sym      bool   // the object had shadows, which are in the log too
	whole    bool
}

// A Mark is a state of memory: how much of the log and the slabs was in use.
type Mark struct {
	interval                  uint32 // the checkpoint interval that begins at the mark
	saved, cells, bytes, syms int
	slabs                     slabMark
}

// Interval returns the number of the current checkpoint interval. It is not 0 once an
// interval has begun.
func (h *Heap) Interval() uint32 { return h.interval }

// Checkpoint returns a mark of the current state for Rewind.
func (h *Heap) Checkpoint() Mark {
	h.slabs.begin()
	h.recording = true
	return h.Mark()
}

// Mark returns a mark of the current state for Unchanged, and begins a new checkpoint
// interval.
func (h *Heap) Mark() Mark {
	h.interval++
	return Mark{h.interval, len(h.log.saved), len(h.log.cells), len(h.log.bytes), len(h.log.syms), h.slabs.used}
}

// Rewind restores memory to a mark that Checkpoint has returned.
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

// Forget discards all checkpoints. The next one becomes the first.
func (h *Heap) Forget() {
	h.recording = false
	h.interval++
}

// Recording reports whether there is a checkpoint to rewind to.
func (h *Heap) Recording() bool { return h.recording }

// Fresh reports whether o was made or saved in the current interval, so that Dirty need
// not be called before a write unless o is watched.
func (h *Heap) Fresh(o *Object) bool { return o.interval == h.interval }

// Unwatched reports whether nobody waits for a change of o, and counts a change: before a write to
// a fresh object, it is what Dirty does.
func (h *Heap) Unwatched(o *Object) bool {
	h.Writes++
	return o.Watch == 0
}

// Before reports whether o was made before a mark, and has not been saved as a whole since.
func (o *Object) Before(k *Mark) bool { return o.interval < k.interval }

// Version returns a number that identifies the content of page p of an object, as long as nothing
// else than this object has its place in memory: there is no other content with it. It is false if
// the page may change without notice, since it has been saved in this interval already.
func (h *Heap) Version(o *Object, p int) (uint32, bool) {
	v := o.interval
	if o.pages != nil {
		v = max(v, (*o.pages)[p])
	}
	return v, v < h.interval
}

// Add makes o, which has just been made, an object of the current interval.
func (h *Heap) Add(o *Object) { o.interval = h.interval }

// Dirty must be called before the cells [off, off+n) of o or their shadows change.
func (h *Heap) Dirty(o *Object, off, n int) {
	h.Writes++
	if o.interval != h.interval || o.Watch != 0 {
		h.save(o, off, n)
	}
}

// save saves cells of an object that was not fully saved in this interval, and calls
// Watched if the object is watched.
func (h *Heap) save(o *Object, off, n int) {
	if o.Watch != 0 {
		h.Watched(o)
	}
	if o.interval == h.interval || !h.recording {
		return // saved already, or there is no checkpoint yet
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
			saved := max(pages[p], o.interval) // there was nothing to save before the object was made
			h.log.add(o, p*PageSize, min(PageSize, size-p*PageSize), saved, false)
			pages[p] = h.interval
		}
	}
}

// add appends cells of o to the log. The argument interval is the one in which they were
// saved before.
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

// restore puts back the cells of s, which are the last ones in the log.
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

// Unchanged reports whether memory is as it was at a mark: whether everything that has
// been saved since is equal to its saved content. If cells were saved several times, the
// first time counts. Symbolic values are compared only if symbolic is set. Objects made
// since are ignored: if all older objects are unchanged, nothing points to them.
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

// Changes calls do for every cell that has been saved since a mark and that pointed, or
// points now, to another object than at the mark. If cells were saved several times, the
// first time counts. Objects made since are not included.
func (h *Heap) Changes(since *Mark, do func(o, was, now *Object)) {
	u := &h.log
	cells := since.cells
	for i := range u.saved[since.saved:] {
		s := &u.saved[since.saved+i]
		if s.o.Bytes != nil {
			continue
		}
		n := int(s.n)
		if s.interval < since.interval {
			now := s.o.Cells[s.off:]
			for j, was := range u.cells[cells : cells+n] {
				if was.P != now[j].P {
					do(s.o, was.P, now[j].P)
				}
			}
		}
		cells += n
	}
}

// EachSaved calls do for each object that has been saved as a whole since a mark, and was
// made before it. An object that is
// neither among them nor [Object.Before] the mark was made since.
func (h *Heap) EachSaved(since *Mark, do func(o *Object)) {
	for i := range h.log.saved[since.saved:] {
		if s := &h.log.saved[since.saved+i]; s.whole && s.interval < since.interval {
			do(s.o)
		}
	}
}

// EachChanged calls do for each cell that has been saved since a mark and whose word or
// symbolic value is not what it was at the mark. If cells were saved several times, the first
// time counts. Objects made since are not included.
func (h *Heap) EachChanged(since *Mark, do func(o *Object, off int)) {
	u := &h.log
	cells, bytes, syms := since.cells, since.bytes, since.syms
	for i := range u.saved[since.saved:] {
		s := &u.saved[since.saved+i]
		off, n := int(s.off), int(s.n)
		first := s.interval < since.interval
		for j := 0; j < n && first; j++ {
			var same bool
			if s.o.Bytes != nil {
				same = s.o.Bytes[off+j] == u.bytes[bytes+j]
			} else {
				same = s.o.Cells[off+j] == u.cells[cells+j]
			}
			if s.sym || s.o.Sym != nil {
				was, is := expr.None, expr.None
				if s.sym {
					was = u.syms[syms+j]
				}
				if s.o.Sym != nil {
					is = s.o.Sym[off+j]
				}
				same = same && was == is
			}
			if !same {
				do(s.o, off+j)
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
}
