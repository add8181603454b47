package state

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// MaxCells bounds a single object, whatever the limits are.
const MaxCells = 1 << 30

// charge counts n cells as allocated. It is false when that is more than the
// limit allows and the run is over.
func (m *State) charge(g *Goroutine, n int) bool {
	m.Used += int64(n) + 1
	if limit := m.Limits.Cells; limit > 0 && m.Used > limit {
		return m.Bounded(g, fmt.Sprintf("more than %d cells of memory", limit))
	}
	return true
}

// cells returns how many cells of memory n values of type t take. Bytes are stored 16 to a
// cell.
func cells(t *code.Type, n int) int {
	if t.Bytes {
		return (n*t.Words + 15) / 16
	}
	return n * t.Words
}

// maxBeyond bounds the cells of an object that is made although the limit of
// memory is hit.
const maxBeyond = 1 << 16

// NewObject returns a new zero object of type t. When the limit of memory is
// hit the run is over; the object is still given unless it is large, and then nil.
func (m *State) NewObject(g *Goroutine, t *code.Type, kind heap.ObjectKind) *heap.Object {
	if t.Size == 0 {
		return m.ZeroSized
	}
	if !m.charge(g, cells(t, 1)) && t.Words > maxBeyond {
		return nil
	}
	return m.name(g, m.Heap.ZeroObject(t, t.Words), t, kind)
}

// NewCells returns a new object of n zero cells that describe a t: a channel, a
// map, a closure. It is nil when the run is over because of a limit.
func (m *State) NewCells(g *Goroutine, t *code.Type, kind heap.ObjectKind, n int) *heap.Object {
	if !m.charge(g, n) {
		return nil
	}
	return m.name(g, m.Heap.Allocate(n), t, kind)
}

// NewArray returns a new array of n zero elements of type elem, as slices have
// behind them. It is nil when the run is over because of a limit.
func (m *State) NewArray(g *Goroutine, elem *code.Type, n int) *heap.Object {
	if n*elem.Words > MaxCells {
		m.Bounded(g, "an object of too many cells")
		return nil
	}
	if !m.charge(g, cells(elem, n)) {
		return nil
	}
	return m.name(g, m.Heap.ZeroObject(elem, n*elem.Words), elem, heap.Array)
}

// name makes o an object that g has allocated.
func (m *State) name(g *Goroutine, o *heap.Object, t *code.Type, kind heap.ObjectKind) *heap.Object {
	g.Allocs++
	o.ID = run.ObjectID{Goroutine: g.ID, Count: g.Allocs}
	o.Type, o.Kind = t, kind
	m.Heap.Add(o)
	return o
}

// NewHidden returns a new object of n cells that is a part of another one.
func (m *State) NewHidden(g *Goroutine, t *code.Type, n int) *heap.Object {
	m.charge(g, n)
	o := m.Heap.Allocate(n)
	o.ID.Goroutine = run.HiddenObjects
	o.Type, o.Kind = t, heap.HostObject
	m.Heap.Add(o)
	return o
}
