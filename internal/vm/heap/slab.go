package heap

import "github.com/everyway-go/everyway/internal/code"

// slabs provide the memory of objects. The objects of small runs lie in slabs of fixed
// size, which a rewind empties, so that such runs leave no garbage. When the slabs are
// full, further objects come from the host's allocator, and its garbage collector frees
// those that a long run drops.
type slabs struct {
	objects []Object // nil before the first checkpoint, since older objects are never freed
	cells   []Word
	bytes   []byte
	used    slabMark // everything after it is zero, except for Object.Race
}

// A slabMark says how much of the slabs is in use.
type slabMark struct{ objects, cells, bytes int }

// The sizes of the slabs.
const (
	slabObjects = 1 << 10
	slabCells   = 1 << 13
	slabBytes   = 1 << 14
)

// begin allocates the slabs if there are none yet.
func (s *slabs) begin() {
	if s.objects == nil {
		s.objects = make([]Object, slabObjects)
		s.cells = make([]Word, slabCells)
		s.bytes = make([]byte, slabBytes)
	}
}

// rewind frees the objects that were made since the mark.
func (s *slabs) rewind(to slabMark) {
	clear(s.cells[to.cells:s.used.cells])
	clear(s.bytes[to.bytes:s.used.bytes])
	for i := to.objects; i < s.used.objects; i++ {
		o := &s.objects[i]
		*o = Object{Race: o.Race}
	}
	s.used = to
}

// ZeroObject returns an object of n zero cells of type t, or of elements of type t.
func (s *slabs) ZeroObject(t *code.Type, n int) *Object {
	if !t.Bytes || n == 0 {
		return s.Allocate(n)
	}
	at := &s.used
	if at.objects == len(s.objects) || n > len(s.bytes)-at.bytes {
		return ZeroObject(t, n)
	}
	o := &s.objects[at.objects]
	at.objects++
	o.Bytes = s.bytes[at.bytes : at.bytes+n : at.bytes+n]
	at.bytes += n
	return o
}

// Allocate returns an object of n zero cells.
func (s *slabs) Allocate(n int) *Object {
	at := &s.used
	if at.objects == len(s.objects) || n > len(s.cells)-at.cells {
		return allocate(n)
	}
	o := &s.objects[at.objects]
	at.objects++
	if n > 0 {
		o.Cells = s.cells[at.cells : at.cells+n : at.cells+n]
		at.cells += n
	}
	return o
}
