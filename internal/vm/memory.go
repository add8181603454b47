package vm

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// maxCells bounds a single object, whatever the limits are.
const maxCells = 1 << 30

// charge counts n cells as allocated. It is false when that is more than the
// limit allows and the run is over.
func (m *State) charge(g *goroutine, n int) bool {
	m.used += int64(n) + 1
	if limit := m.Limits.Cells; limit > 0 && m.used > limit {
		return m.bounded(g, fmt.Sprintf("more than %d cells of memory", limit))
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

// newObject returns a new zero object of type t. When the limit of memory is
// hit the run is over; the object is still given unless it is large, and then nil.
func (m *State) newObject(g *goroutine, t *code.Type, kind heap.ObjectKind) *heap.Object {
	if t.Size == 0 {
		return m.zeroSized
	}
	if !m.charge(g, cells(t, 1)) && t.Words > maxBeyond {
		return nil
	}
	return m.name(g, m.heap.ZeroObject(t, t.Words), t, kind)
}

// newCells returns a new object of n zero cells that describe a t: a channel, a
// map, a closure. It is nil when the run is over because of a limit.
func (m *State) newCells(g *goroutine, t *code.Type, kind heap.ObjectKind, n int) *heap.Object {
	if !m.charge(g, n) {
		return nil
	}
	return m.name(g, m.heap.Allocate(n), t, kind)
}

// newArray returns a new array of n zero elements of type elem, as slices have
// behind them. It is nil when the run is over because of a limit.
func (m *State) newArray(g *goroutine, elem *code.Type, n int) *heap.Object {
	if n*elem.Words > maxCells {
		m.bounded(g, "an object of too many cells")
		return nil
	}
	if !m.charge(g, cells(elem, n)) {
		return nil
	}
	return m.name(g, m.heap.ZeroObject(elem, n*elem.Words), elem, heap.Array)
}

// name makes o an object that g has allocated.
func (m *State) name(g *goroutine, o *heap.Object, t *code.Type, kind heap.ObjectKind) *heap.Object {
	g.allocs++
	o.ID = run.ObjectID{Goroutine: g.id, Count: g.allocs}
	o.Type, o.Kind = t, kind
	m.heap.Add(o)
	return o
}

// newHidden returns a new object of n cells that is a part of another one.
func (m *State) newHidden(g *goroutine, t *code.Type, n int) *heap.Object {
	m.charge(g, n)
	o := m.heap.Allocate(n)
	o.ID.Goroutine = run.HiddenObjects
	o.Type, o.Kind = t, heap.HostObject
	m.heap.Add(o)
	return o
}
