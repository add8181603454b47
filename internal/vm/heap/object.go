package heap

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// An Object is a unit of memory: a variable, the array behind a slice, the bytes of a
// string, a map, a channel, a closure. Exactly one of Cells and Bytes is used: Bytes if
// the type consists of bytes only.
type Object struct {
	// The fields that most accesses use come first, in one cache line.
	Cells    []Word
	Sym      []expr.ID // symbolic shadow of each cell; nil while no cell is symbolic
	interval uint32    // checkpoint interval in which the object was made or last saved as a whole; see undo.go
	Kind     ObjectKind
	// Initial says that package variables could reach the object at the first checkpoint;
	// see package reach.
	Initial bool
	// Watch is not 0 if somebody waits for a change of the object. Heap.Watched is then
	// called before each change. The meaning of the number is up to the watcher.
	Watch uint16
	ID    run.ObjectID
	Bytes []byte
	Type  *code.Type // of the whole object, or of an element if it is the array behind a slice

	pages   *[]uint32    // for a large object, the interval in which each page was last saved; nil before the first time
	Func    int32        // for closures, the number of the function; for others, of the one that has allocated the object, if any
	Marking uint32       // the last marking of which the object is a member, see Heap.NewMarking; not part of the state
	Desc    *code.Type   // for type objects, the type that it stands for
	Race    *race.Shadow // history of the accesses to the object
}

// An ObjectKind says what an object represents.
type ObjectKind uint8

// The kinds of objects.
const (
	Variable ObjectKind = iota
	Array               // the array behind a slice
	ClosureObject
	MapObject
	ChanObject
	TypeObject
	HostObject     // state of a model of the standard library
	WeakObject     // a cell with a pointer that does not keep its object from being collected
	IteratorObject // an iteration over a map
	ViewObject     // the memory of another object as elements of another type; see package exec
)

// allocate returns an object with n zero cells that does not belong to a heap.
func allocate(n int) *Object {
	// For the common sizes, allocate object and cells together.
	switch n {
	case 0:
		return new(Object)
	case 1:
		x := new(struct {
			Object
			cells [1]Word
		})
		x.Cells = x.cells[:]
		return &x.Object
	case 2:
		x := new(struct {
			Object
			cells [2]Word
		})
		x.Cells = x.cells[:]
		return &x.Object
	case 3:
		x := new(struct {
			Object
			cells [3]Word
		})
		x.Cells = x.cells[:]
		return &x.Object
	case 4:
		x := new(struct {
			Object
			cells [4]Word
		})
		x.Cells = x.cells[:]
		return &x.Object
	}
	return &Object{Cells: make([]Word, n)}
}

// ZeroObject returns an object of n zero cells of type t, or of elements of type t. It
// does not belong to a heap.
func ZeroObject(t *code.Type, n int) *Object {
	if t.Bytes && n > 0 {
		return allocateBytes(n)
	}
	return allocate(n)
}

// allocateBytes returns an object of n zero bytes that does not belong to a heap.
func allocateBytes(n int) *Object {
	// Allocate small objects together with their bytes, as allocate does.
	switch {
	case n <= 16:
		x := new(struct {
			Object
			bytes [16]byte
		})
		x.Bytes = x.bytes[:n:n]
		return &x.Object
	case n <= 32:
		x := new(struct {
			Object
			bytes [32]byte
		})
		x.Bytes = x.bytes[:n:n]
		return &x.Object
	case n <= 64:
		x := new(struct {
			Object
			bytes [64]byte
		})
		x.Bytes = x.bytes[:n:n]
		return &x.Object
	}
	return &Object{Bytes: make([]byte, n)}
}

// Size returns the number of cells of o.
func (o *Object) Size() int {
	if o.Bytes != nil {
		return len(o.Bytes)
	}
	return len(o.Cells)
}

// NewMarking begins a marking of objects: a set of objects whose Marking has the value
// that is returned. It ends the previous marking.
func (h *Heap) NewMarking() uint32 {
	h.markings++
	return h.markings
}
