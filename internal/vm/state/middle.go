package state

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Enters starts a goroutine in the middle of the functions for which frames of g, those from an index on, have been
// prepared: see code.Middle. Linked are these functions, of one frame after the other.
func (m *State) Enters(g *Goroutine, from int, linked []*Function) {
	child := m.NewGoroutine(g)
	if child == nil {
		return
	}
	child.Func = linked[0].ID
	child.Frames = child.Frames[:0]
	low := g.Frames[from].Base
	for i, fn := range linked {
		made := &g.Frames[from+i]
		mode := Called
		if i == 0 {
			mode = Bottom
		}
		if !m.Push(child, fn, made.Closure, made.Base-low, mode) {
			return
		}
		f := child.Top()
		f.PC = made.Func.Middle.PC
		copy(child.Stack[f.Base:], g.Stack[made.Base:int(made.Base)+fn.Regs])
		if made.Symbolic {
			child.MakeSymbolic(f)
			copy(child.Sym[f.Base:], g.Sym[made.Base:int(made.Base)+fn.Regs])
		}
		for _, d := range made.Defers {
			d.args, d.syms = slices.Clone(d.args), slices.Clone(d.syms)
			f.Defers = append(f.Defers, d)
		}
		made.Defers = made.Defers[:0]
	}
	m.Changed()
}

// Preparing returns the index of the first of the frames on top of g that prepare others, and what each of these prepares.
func (g *Goroutine) Preparing() (from int, list []*code.Middle) {
	from = len(g.Frames)
	for from > 0 && g.Frames[from-1].Func.Middle != nil {
		from--
		list = append([]*code.Middle{g.Frames[from].Func.Middle}, list...)
	}
	return from, list
}

// SetClosure makes the variables that the function of g's top frame has captured those of a closure.
func (g *Goroutine) SetClosure(closure *heap.Object) { g.Top().Closure = closure }

// ContextWaitName is the primitive at which the main goroutine waits for those that were started in the middle of functions.
const ContextWaitName = "testing.awaitContext"

// AwaitsContext reports whether g is the main goroutine and waits for those that were started in the middle of functions.
func (g *Goroutine) AwaitsContext() bool {
	return g.Status == Parked && g.At == AtPrimitive && g.Prim.Name == ContextWaitName
}
