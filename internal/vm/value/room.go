package value

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// The capacity of a slice that is an input is not determined by its elements. A run gives
// its array the one or the other capacity, according to an input variable (see state.Room).
// Where the code takes another way with the other capacity, that variable is in the path
// condition, so that code to which the capacity does not matter is run once.

// DrawRoom returns the input variable name, which says whether an array has room for more
// elements than others. It is not in the path condition yet.
func (m *Operations) DrawRoom(name string) bool { return m.DrawChoice(name).N != 0 }

// NoteRoom makes the input variable name the one that stands for the capacity of o, an
// array of elements of n words, which is small if the variable is false.
func (m *Operations) NoteRoom(name string, o *heap.Object, n int, small int64) {
	if m.Concrete || n == 0 {
		return
	}
	for i := range m.Trace.Inputs {
		if v := &m.Trace.Inputs[i]; v.Name == name {
			m.Rooms = append(slices.Clip(m.Rooms), state.Room{Object: o, Words: n, Small: small, Ample: v.Value != 0, Sym: v.Sym})
		}
	}
}

// needRoom is called when g needs room for n elements, counted from base, in the array of
// a slice of the given capacity. If there are inputs for which the array has another
// capacity, and that matters, it adds a condition to the path condition.
func (m *Operations) needRoom(g *state.Goroutine, base heap.Word, capacity, n int64) {
	for i := range m.Rooms {
		r := &m.Rooms[i]
		if r.Object != base.P {
			continue
		}
		// The end of a slice that has been cut off does not depend on the array. But if one
		// ends where a small array does, it looks in that array like one that has not been
		// cut off, and a condition has to be in the paths of both its sides.
		first := int64(base.N) / int64(r.Words)
		whole, end := int64(r.Object.Size())/int64(r.Words), first+capacity
		if (end == whole || end == r.Small) && n > r.Small-first {
			m.AddCondition(g, r.Sym, r.Ample, run.Check)
		}
	}
}

// Capacity carries out a Cap instruction.
func (m *Operations) Capacity(g *state.Goroutine, r []heap.Word, in *code.Instr) uint64 {
	if len(m.Rooms) > 0 {
		m.needRoom(g, r[in.B], int64(r[in.B+2].N), math.MaxInt64)
	}
	return r[in.B+2].N
}
