package state

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// MaxCells bounds the size of a single object, whatever the limits are.
const MaxCells = 1 << 30

// charge counts n cells as allocated. It returns false if that exceeds the limit, in
// which case the run is over.
func (m *State) charge(g *Goroutine, n int) bool {
	m.Used += int64(n) + 1
	if limit := m.Limits.Cells; limit > 0 && m.Used > limit {
		return m.Bounded(g, fmt.Sprintf("more than %d cells of memory", limit))
	}
	return true
}

// cells returns how many cells of memory n values of type t count for. Bytes are stored
// 16 to a cell.
func cells(t *code.Type, n int) int {
	if t.Bytes {
		return (n*t.Words + 15) / 16
	}
	return n * t.Words
}

// maxBeyond bounds the size of an object that NewObject returns although the limit on
// memory is exceeded.
const maxBeyond = 1 << 16

// NewObject returns a new zero object of type t. If the limit on memory is exceeded the
// run is over; the result is then nil if the object is large, and otherwise a valid
// object.
func (m *State) NewObject(g *Goroutine, t *code.Type, kind heap.ObjectKind) *heap.Object {
	if t.Size == 0 {
		return m.ZeroSized
	}
	if !m.charge(g, cells(t, 1)) && t.Words > maxBeyond {
		return nil
	}
	return m.nameObject(g, m.Heap.ZeroObject(t, t.Words), t, kind)
}

// NewCells returns a new object of n zero cells that represents a value of type t: a
// channel, a map or a closure. The result is nil if a limit was exceeded, in which case
// the run is over.
func (m *State) NewCells(g *Goroutine, t *code.Type, kind heap.ObjectKind, n int) *heap.Object {
	if !m.charge(g, n) {
		return nil
	}
	return m.nameObject(g, m.Heap.Allocate(n), t, kind)
}

// NewArray returns a new array of n zero elements of type elem, as it is behind a slice.
// The result is nil if a limit was exceeded, in which case the run is over.
func (m *State) NewArray(g *Goroutine, elem *code.Type, n int) *heap.Object {
	if n*elem.Words > MaxCells {
		m.Bounded(g, "an object of too many cells")
		return nil
	}
	if !m.charge(g, cells(elem, n)) {
		return nil
	}
	return m.nameObject(g, m.Heap.ZeroObject(elem, n*elem.Words), elem, heap.Array)
}

// nameObject gives o the identity of an object that g has allocated.
func (m *State) nameObject(g *Goroutine, o *heap.Object, t *code.Type, kind heap.ObjectKind) *heap.Object {
	g.Allocs++
	o.ID = run.ObjectID{Goroutine: g.ID, Count: g.Allocs}
	o.Type, o.Kind = t, kind
	m.Heap.Add(o)
	return o
}

// NewHidden returns a new object of n cells that is a part of another object. It has no
// identity of its own.
func (m *State) NewHidden(g *Goroutine, t *code.Type, n int) *heap.Object {
	m.charge(g, n)
	o := m.Heap.Allocate(n)
	o.ID.Goroutine = run.HiddenObjects
	o.Type, o.Kind = t, heap.HostObject
	m.Heap.Add(o)
	return o
}
