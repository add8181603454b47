package state

import (
	"fmt"
	"math"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// MaxCells bounds the size of a single object, whatever the limits are.
const MaxCells = 1 << 30

// What counts as the memory of a run, in bytes. The host needs about as much, and besides it
// what the run records.
const (
	wordBytes      = 16
	objectBytes    = 144  // of an object, without its cells
	registerBytes  = 40   // of a register on a stack, with its part of the frame
	goroutineBytes = 1024 // of a goroutine, without its stack
	outputBytes    = 4    // of a byte that is printed, which is copied to the finding
)

// charge counts bytes as allocated. It returns false if the run exceeds the limit on memory,
// in which case it is over.
func (m *State) charge(g *Goroutine, bytes int64) bool {
	m.Used += bytes
	if m.Used > m.fits && !m.reckon(g, bytes) {
		return false
	}
	if bytes >= slow {
		m.noteHeld(bytes)
		return !m.Interrupted()
	}
	return true
}

// slow is the size of an object that takes long to make, and of which a few are much memory
// before they are garbage.
const slow = 1 << 20

// BeginMemory begins to count the memory of a run.
func (m *State) BeginMemory() {
	m.Used, m.output, m.fits = 0, 0, math.MaxInt64
	if m.Limits.Memory > 0 {
		m.fits = m.Limits.Memory
	}
}

// reckon computes how much of what was allocated can still be reached, when bytes more are to
// be allocated, which have been charged. It returns false if the run exceeds the limit on
// memory. What cannot be reached is garbage for the host, too, unless it could be reached at
// a checkpoint.
//
// So that a run does not spend its time on this, there is to be some memory left for what it
// allocates until the next time.
func (m *State) reckon(g *Goroutine, bytes int64) bool {
	limit := m.Limits.Memory
	rest := limit / 8
	if bytes > rest {
		rest = 0
	}
	if bytes <= limit-rest {
		if live := m.Reachable() + outputBytes*m.output; live+bytes <= limit-rest {
			m.fits = m.Used + limit - live - bytes
			return true
		}
	}
	return m.Bounded(g, fmt.Sprintf("more than %d MiB of memory", limit>>20))
}

// BytesOf returns how much memory o takes.
func BytesOf(o *heap.Object) int64 {
	return objectBytes + int64(len(o.Cells))*wordBytes + int64(len(o.Bytes))
}

// Bytes returns how much memory g takes, besides objects.
func (g *Goroutine) Bytes() int64 { return goroutineBytes + int64(g.StackSize)*registerBytes }

// ExceedsMemory reports whether a value of type t alone exceeds the limit on memory.
func (m *State) ExceedsMemory(t *code.Type) bool {
	return t.Words > MaxCells || m.Limits.Memory > 0 && bytes(t, 1) > m.Limits.Memory
}

// bytes returns how much memory n values of type t take in an object.
func bytes(t *code.Type, n int) int64 {
	if t.Bytes {
		return objectBytes + int64(n)*int64(t.Words)
	}
	return objectBytes + int64(n)*int64(t.Words)*wordBytes
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
	if !m.charge(g, bytes(t, 1)) && t.Words > maxBeyond {
		return nil
	}
	return m.nameObject(g, m.Heap.ZeroObject(t, t.Words), t, kind)
}

// NewCells returns a new object of n zero cells that represents a value of type t: a
// channel, a map or a closure. The result is nil if a limit was exceeded, in which case
// the run is over.
func (m *State) NewCells(g *Goroutine, t *code.Type, kind heap.ObjectKind, n int) *heap.Object {
	if !m.charge(g, objectBytes+int64(n)*wordBytes) {
		return nil
	}
	return m.nameObject(g, m.Heap.Allocate(n), t, kind)
}

// NewArray returns a new array of n zero elements of type elem, as it is behind a slice.
// The result is nil if a limit was exceeded, in which case the run is over.
func (m *State) NewArray(g *Goroutine, elem *code.Type, n int) *heap.Object {
	if elem.Words > 0 && n > MaxCells/elem.Words {
		m.Bounded(g, "an object of too many cells")
		return nil
	}
	if !m.charge(g, bytes(elem, n)) {
		return nil
	}
	return m.nameObject(g, m.Heap.ZeroObject(elem, n*elem.Words), elem, heap.Array)
}

// nameObject gives o the identity of an object that g has allocated.
func (m *State) nameObject(g *Goroutine, o *heap.Object, t *code.Type, kind heap.ObjectKind) *heap.Object {
	g.Allocs++
	o.ID = run.ObjectID{Goroutine: g.ID, Count: g.Allocs}
	o.Type, o.Kind = t, kind
	if len(g.Frames) > 0 {
		o.Func = g.Top().Func.ID
		if m.Plan.RecordPlain || m.Plan.RecordAllocations {
			m.Allocated = append(m.Allocated, Allocated{o, run.SiteID{Func: o.Func, Instr: g.Top().PC}})
		}
	}
	m.Heap.Add(o)
	return o
}

// NewInput returns a new zero object that is an input: a variable of type t or, if kind is
// heap.Array, an array of n elements of that type. The result is nil if a limit was exceeded, in
// which case the run is over.
func (m *State) NewInput(g *Goroutine, t *code.Type, kind heap.ObjectKind, n int, number int32) *heap.Object {
	if !m.charge(g, bytes(t, n)) {
		return nil
	}
	o := m.Heap.ZeroObject(t, n*t.Words)
	o.ID = run.ObjectID{Goroutine: run.InputObjects, Count: number}
	o.Type, o.Kind = t, kind
	m.Heap.Add(o)
	return o
}

// NewInputCells is NewInput for an object of n cells that represents a value of type t, as for NewCells.
func (m *State) NewInputCells(g *Goroutine, t *code.Type, kind heap.ObjectKind, n int, number int32) *heap.Object {
	if !m.charge(g, objectBytes+int64(n)*wordBytes) {
		return nil
	}
	o := m.Heap.Allocate(n)
	o.ID = run.ObjectID{Goroutine: run.InputObjects, Count: number}
	o.Type, o.Kind = t, kind
	m.Heap.Add(o)
	return o
}

// NewHidden returns a new object of n cells that is a part of another object. It has no
// identity of its own.
func (m *State) NewHidden(g *Goroutine, t *code.Type, n int) *heap.Object {
	m.charge(g, objectBytes+int64(n)*wordBytes)
	o := m.Heap.Allocate(n)
	o.ID.Goroutine = run.HiddenObjects
	o.Type, o.Kind = t, heap.HostObject
	m.Heap.Add(o)
	return o
}
