package state

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Prepares is called when the preparation of a goroutine begins and when it ends. What it stores
// and loads is where it is from the beginning, and no access.
func (m *State) Prepares(begins bool) { m.Watching = m.Multi && !begins && !m.Unwatched }

// Enters starts a goroutine in the middle of the functions for which frames of g, those from an
// index on, have been prepared: see code.Middle. Linked are these functions, of one frame after the
// other. Callers calls the first of them, with its first call, if the goroutine has inherited locks
// or may turn out to have. Cond is the condition at which it waits, if it does, and signalled says
// that it has been woken there.
func (m *State) Enters(g *Goroutine, from int, linked []*Function, callers *Function, cond heap.Location, signalled bool) {
	child := m.NewGoroutine(g)
	if child == nil {
		return
	}
	child.Func = linked[0].ID
	child.Frames = child.Frames[:0]
	child.Middle = g.Middle
	child.Cond, child.Notified = cond, signalled
	m.holdTaken(g, child)
	inherits := len(child.Inherited) > 0 || slices.ContainsFunc(g.Frames[from].Func.Middle.Unknown, func(l code.UnknownLock) bool { return l.Inherited })
	low, mode := g.Frames[from].Base, Bottom
	if inherits {
		if !m.Push(child, callers, nil, 0, Bottom) {
			return
		}
		f := child.Top()
		for callers.Code[f.PC].Op != code.Call {
			f.PC++
		}
		low, mode = low-callers.Code[f.PC].A, Called
	}
	for i, fn := range linked {
		made := &g.Frames[from+i]
		if i > 0 {
			mode = Called
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

// Preparing returns the index of the first of the frames on top of g that prepare others, and what
// each of these prepares.
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

// ContextWaitName is the primitive at which the main goroutine waits for those that were started in
// the middle of functions.
const ContextWaitName = "testing.awaitContext"

// AwaitsContext reports whether g is the main goroutine and waits for those that were started in
// the middle of functions.
func (g *Goroutine) AwaitsContext() bool {
	return g.Status == Parked && g.At == AtPrimitive && g.Prim.Name == ContextWaitName
}
