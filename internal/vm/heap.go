package vm

import "github.com/everyway-go/everyway/internal/code"

// A heap gives objects their memory. The objects of small runs lie in slabs of
// fixed size, which a rewind empties: such runs leave no garbage to the host. What
// does not fit there any more is left to the host's allocator, which frees what a
// long run drops.
type heap struct {
	objects []Object // nil before the first checkpoint: what is older stays
	cells   []Word
	bytes   []byte
	used    heapMark // everything from there on is zero, but for Object.race
}

// A heapMark says how much of the slabs is in use.
type heapMark struct{ objects, cells, bytes int }

// The sizes of the slabs.
const (
	heapObjects = 1 << 10
	heapCells   = 1 << 13
	heapBytes   = 1 << 14
)

// begin makes slabs, unless there are some.
func (h *heap) begin() {
	if h.objects == nil {
		h.objects = make([]Object, heapObjects)
		h.cells = make([]Word, heapCells)
		h.bytes = make([]byte, heapBytes)
	}
}

// rewind frees the objects that were made after the mark.
func (h *heap) rewind(to heapMark) {
	clear(h.cells[to.cells:h.used.cells])
	clear(h.bytes[to.bytes:h.used.bytes])
	for i := to.objects; i < h.used.objects; i++ {
		o := &h.objects[i]
		*o = Object{race: o.race}
	}
	h.used = to
}

// zeroObject returns an object of n zero cells that are of type t, or elements
// of type t.
func (h *heap) zeroObject(t *code.Type, n int) *Object {
	if !t.Bytes || n == 0 {
		return h.allocate(n)
	}
	at := &h.used
	if at.objects == len(h.objects) || n > len(h.bytes)-at.bytes {
		return zeroObject(t, n)
	}
	o := &h.objects[at.objects]
	at.objects++
	o.Bytes = h.bytes[at.bytes : at.bytes+n : at.bytes+n]
	at.bytes += n
	return o
}

// allocate returns an object of n zero cells.
func (h *heap) allocate(n int) *Object {
	at := &h.used
	if at.objects == len(h.objects) || n > len(h.cells)-at.cells {
		return allocate(n)
	}
	o := &h.objects[at.objects]
	at.objects++
	if n > 0 {
		o.Cells = h.cells[at.cells : at.cells+n : at.cells+n]
		at.cells += n
	}
	return o
}
