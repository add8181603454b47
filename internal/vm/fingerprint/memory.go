package fingerprint

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// memory is the part of a Printer that concerns memory. Objects that were made before the first
// checkpoint are known by what has changed in them, so they are not followed. The others are
// members of a marking once they have been reached, and so are those that have been saved.
type memory struct {
	mark      uint32
	queue     []named               // objects that have been reached and not been added
	hidden    map[*heap.Object]name // of hidden objects made since the first checkpoint
	oldHidden map[*heap.Object]name // of the others, by a number in the order in which the Printer has seen them
	later     []heap.Location       // changed cells of hidden objects
}

// A name identifies an object.
type name hash

// A named is an object with its name.
type named struct {
	*heap.Object
	name
}

// beginMemory prepares p for a fingerprint.
func (p *Printer) beginMemory() {
	p.mark = p.Heap.NewMarking()
	p.queue = p.queue[:0]
	p.later = p.later[:0]
	if p.hidden == nil {
		p.hidden, p.oldHidden = make(map[*heap.Object]name), make(map[*heap.Object]name)
	}
	if len(p.hidden) > 0 {
		clear(p.hidden)
	}
	p.Heap.EachSaved(p.begin, func(o *heap.Object) {
		o.Marking = p.mark
		if o.ID.Goroutine == run.HiddenObjects {
			p.numberHidden(o)
		}
	})
}

// numberHidden returns the name of a hidden object that was made before the first checkpoint.
func (p *Printer) numberHidden(o *heap.Object) name {
	n, known := p.oldHidden[o]
	if !known {
		n = name{uint64(tagOldHidden), uint64(len(p.oldHidden))}
		p.oldHidden[o] = n
	}
	return n
}

// nameOf returns the name of an object to which cell at of the object with the name from points,
// or something that is named so. The object counts as reached.
func (p *Printer) nameOf(o *heap.Object, from name, at uint64) name {
	switch {
	case o.Kind == heap.ViewObject: // has the identity of its base, and is made when it is needed
		h := begin(tagView)
		h.addInt(int(o.Type.ID))
		h.add(o.Cells[0].N)
		h.addHash(hash(p.nameOf(o.Cells[0].P, from, at)))
		return name(h.sum())
	case o.ID.Goroutine == run.HiddenObjects:
		return p.nameOfHidden(o, from, at)
	}
	n := name{uint64(uint32(o.ID.Goroutine))<<32 | uint64(uint32(o.ID.Count)), 0}
	if o.Marking != p.mark && !o.Before(p.begin) {
		o.Marking = p.mark
		p.queue = append(p.queue, named{o, n})
	}
	return n
}

// nameOfHidden is nameOf for a hidden object.
func (p *Printer) nameOfHidden(o *heap.Object, from name, at uint64) name {
	if n, known := p.hidden[o]; known {
		return n
	}
	if o.Marking == p.mark || o.Before(p.begin) {
		return p.numberHidden(o)
	}
	h := begin(tagHidden)
	h.addHash(hash(from))
	h.add(at)
	n := name(h.sum())
	o.Marking = p.mark
	p.hidden[o] = n
	p.queue = append(p.queue, named{o, n})
	return n
}

// addWord appends to h a word with its symbolic value, which is in cell at of what has the name
// from.
func (p *Printer) addWord(h *hash, w heap.Word, sym expr.ID, from name, at uint64) {
	if sym != expr.None {
		p.addExpr(h, sym)
		if w.P == nil {
			return
		}
	}
	if w.P != nil {
		p.addPointer(h, w.P, from, at)
	}
	h.add(w.N)
}

// addPointer appends to h a pointer to o, which may be nil.
func (p *Printer) addPointer(h *hash, o *heap.Object, from name, at uint64) {
	if o == nil {
		h.add(0)
		return
	}
	h.add(uint64(tagPointer))
	h.addHash(hash(p.nameOf(o, from, at)))
}

// addObjects adds the objects that have been reached, and those that they reach.
func (p *Printer) addObjects() {
	for n := len(p.queue); n > 0; n = len(p.queue) {
		o := p.queue[n-1]
		p.queue = p.queue[:n-1]
		p.addObject(o)
	}
}

// addObject adds an object that was made since the first checkpoint.
func (p *Printer) addObject(o named) {
	h := begin(tagObject)
	h.addHash(hash(o.name))
	h.addInt(int(o.Kind))
	if o.Type != nil {
		h.addInt(int(o.Type.ID))
	} else {
		h.addInt(-1)
	}
	h.addInt(int(o.Func))
	h.addInt(o.Size())
	switch {
	case o.Sym != nil:
		for i := range o.Size() {
			p.addWord(&h, o.Word(i), o.Sym[i], o.name, uint64(i))
		}
	case o.Bytes != nil:
		h.addBytes(o.Bytes)
	default:
		for i := range o.Cells {
			p.addWord(&h, o.Cells[i], expr.None, o.name, uint64(i))
		}
	}
	p.all.add(h)
}

// addChanges adds the changes of objects that were made before the first checkpoint. What they
// reach has been named by what else reaches it, if anything does; hidden objects come last, so
// that the order in which they have changed makes no difference for that.
func (p *Printer) addChanges() {
	p.Heap.EachChanged(p.begin, func(o *heap.Object, off int) {
		if o.ID.Goroutine == run.HiddenObjects {
			p.later = append(p.later, heap.Location{Object: o, Offset: off})
		} else {
			p.addCell(heap.Location{Object: o, Offset: off})
		}
	})
	p.addObjects()
	for _, l := range p.later {
		p.addCell(l)
	}
	p.addObjects()
}

// addCell adds a cell that has changed.
func (p *Printer) addCell(l heap.Location) {
	h := begin(tagCell)
	n := p.nameOf(l.Object, name{}, 0)
	h.addHash(hash(n))
	h.addInt(l.Offset)
	word, sym := l.Content()
	p.addWord(&h, word, sym, n, uint64(l.Offset))
	p.all.add(h)
}
