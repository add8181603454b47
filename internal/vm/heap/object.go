package heap

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// An Object is a unit of memory: a variable, an array behind slices, the bytes
// of a string, a map, a channel, a closure. Exactly one of Cells and Bytes is
// used (Bytes when the type consists of bytes only).
type Object struct {
	// What most accesses look at is in the first 64 bytes.
	Cells    []Word
	Sym      []expr.ID // symbolic shadow of each cell; nil while no cell is symbolic
	interval uint32    // checkpoint interval in which the object was made or fully saved; see undo.go
	Kind     ObjectKind
	// Watch is not 0 when somebody waits for a change of the object: Heap.Watched is
	// called before each. What the number means is the watcher's business.
	Watch uint16
	ID    run.ObjectID
	Bytes []byte
	Type  *code.Type // of the whole object, or of an element when made as a slice

	pages *[]uint32    // intervals of the pages of a large object; nil at first
	Func  int32        // closures: number of the function
	Desc  *code.Type   // type objects: the type that it stands for
	Race  *race.Shadow // history of the accesses to the object
}

// An ObjectKind says what an object is.
type ObjectKind uint8

// The kinds of objects.
const (
	Variable ObjectKind = iota
	Array               // behind a slice
	ClosureObject
	MapObject
	ChanObject
	TypeObject
	HostObject // state of a model, in cells
)

// allocate returns an object with n zero cells that is not of a heap.
func allocate(n int) *Object {
	// Object and cells in one piece of the host's memory, for the usual sizes.
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

// ZeroObject returns an object of n zero cells that are of type t, or elements
// of type t. It is not of a heap.
func ZeroObject(t *code.Type, n int) *Object {
	if t.Bytes && n > 0 {
		return allocateBytes(n)
	}
	return allocate(n)
}

// allocateBytes returns an object of n zero bytes that is not of a heap.
func allocateBytes(n int) *Object {
	// In one piece, as those of cells are.
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
