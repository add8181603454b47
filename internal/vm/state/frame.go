package state

import (
	"fmt"
	"math"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// A Frame is an activation of a function. Its registers are Stack[Base:Base+Func.Regs] of
// its goroutine.
type Frame struct {
	Func    *Function
	Closure *heap.Object // the bindings of the function, if it is a closure
	// PC is the instruction that the frame is at. For the top frame it is set before
	// anything that may use it; for the others it is the call.
	PC       int32
	Base     int32
	Symbolic bool // some register may have a symbolic value: the shadows in Sym are valid
	Mode     frameMode
	Defers   []deferred // deferred calls, run when the function returns, last one first
	// deferring is where the call was deferred that is made now, if one is; see DeferredAt.
	deferring run.SiteID

	Chain race.Chain // the call chain that leads here, without a number if that is not known; see race.go
}

// A frameMode says what happens when a frame returns.
type frameMode uint8

const (
	Called        frameMode = iota // the caller continues; the results are in its call window
	DeferredCall                   // a deferred call: the frame below runs its next one, or completes its return
	PanicDeferred                  // a deferred call run by a panic, which continues unless it was recovered
	TextOfPanic                    // a call of Error or String for the value of an unrecovered panic
	Bottom                         // the goroutine ends
)

// A deferred is a call requested by a defer statement.
type deferred struct {
	Func    *Function
	closure *heap.Object
	args    []heap.Word
	syms    []expr.ID // shadows of args, empty if all are concrete
	site    run.SiteID
}

// Site returns where the call was deferred.
func (d *deferred) Site() run.SiteID { return d.site }

// Values returns the closure and the arguments of the call.
func (d *deferred) Values() (closure *heap.Object, args []heap.Word) { return d.closure, d.args }

// Shadows returns the symbolic values of the arguments, nil if all are concrete.
func (d *deferred) Shadows() []expr.ID { return d.syms }

// Top returns the frame that g executes.
func (g *Goroutine) Top() *Frame { return &g.Frames[len(g.Frames)-1] }

// Push pushes a frame for fn, with its registers from Stack[base] on. It returns false if
// the stack would get too deep, in which case the run is over.
func (m *State) Push(g *Goroutine, fn *Function, closure *heap.Object, base int32, mode frameMode) bool {
	n := len(g.Frames)
	need := int(base) + fn.Regs
	if fn.Excess != "" {
		return m.Bounded(g, fmt.Sprintf("package variable %s: more than %d MiB of memory", fn.Excess, m.Limits.Memory>>20))
	}
	var syms []expr.ID
	if limit := m.Limits.Depth; limit > 0 && n >= limit || need > m.MaxStack() {
		var ok bool
		if syms, ok = m.CalledDeep(g, fn, closure, base, mode == Called); !ok {
			return false
		}
	}
	if need > int(g.StackSize) && !m.growStack(g, need) {
		return false
	}
	if n < cap(g.Frames) {
		g.Frames = g.Frames[:n+1]
	} else {
		g.Frames = append(g.Frames, Frame{})
	}
	f := &g.Frames[n]
	f.Func, f.Closure, f.PC, f.Base, f.Mode = fn, closure, 0, base, mode
	f.Symbolic = false
	f.Defers = f.Defers[:0]
	f.Chain = 0
	if syms != nil {
		g.MakeSymbolic(f)
		copy(g.Sym[base:], syms)
	}
	return true
}

// MaxStack returns how many registers a stack has before it counts as deep, as it does
// because of the number of its frames.
func (m *State) MaxStack() int {
	if m.Limits.Memory == 0 {
		return math.MaxInt32
	}
	return int(min(m.Limits.Memory/4/registerBytes, math.MaxInt32))
}

// growStack makes the stack of g hold at least need registers. It returns false if the run is
// over because of that. What it counts follows from the run alone, whatever the size is that
// the stack has had in earlier runs.
func (m *State) growStack(g *Goroutine, need int) bool {
	size := 32
	for size < need {
		size *= 2
	}
	most := m.MaxStack()
	if need > most && need/2 > most {
		return m.Bounded(g, fmt.Sprintf("more than %d MiB of memory", m.Limits.Memory>>20))
	}
	if size = min(size, most); size > int(g.StackSize) {
		if !m.charge(g, int64(size-int(g.StackSize))*registerBytes) {
			return false
		}
		g.StackSize = int32(size)
	}
	if need > len(g.Stack) {
		g.grow(need)
	}
	return true
}

// grow makes the stack of g hold at least need registers.
func (g *Goroutine) grow(need int) {
	size := max(32, 2*len(g.Stack))
	for size < need {
		size *= 2
	}
	stack := make([]heap.Word, size)
	copy(stack, g.Stack)
	g.Stack = stack
	if g.Sym != nil {
		sym := make([]expr.ID, size)
		copy(sym, g.Sym)
		g.Sym = sym
	}
}

// Reserve makes the stack of g hold at least need registers.
func (g *Goroutine) Reserve(need int) {
	if need > len(g.Stack) {
		g.grow(need)
	}
}

// Pop removes the top frame of g.
func (g *Goroutine) Pop() { g.Frames = g.Frames[:len(g.Frames)-1] }

// stackEnd returns the index of the first register above all those that the frames of g
// use.
func (g *Goroutine) stackEnd() int32 {
	if len(g.Frames) == 0 {
		return 0
	}
	f := g.Top()
	return f.Base + int32(f.Func.Regs)
}

// MakeSymbolic makes room for symbolic values in the registers of f, a frame of g whose
// registers have all been concrete.
func (g *Goroutine) MakeSymbolic(f *Frame) {
	g.growSymbolic()
	end := int(f.Base) + f.Func.Regs
	if f != g.Top() {
		for i := range g.Frames[1:] {
			if &g.Frames[i] == f {
				end = min(end, int(g.Frames[i+1].Base)) // the registers of what it calls are among its own
			}
		}
	}
	clear(g.Sym[f.Base:end])
	f.Symbolic = true
}

// growSymbolic makes the shadow of the stack as long as the stack.
func (g *Goroutine) growSymbolic() {
	if len(g.Sym) < len(g.Stack) {
		sym := make([]expr.ID, len(g.Stack))
		copy(sym, g.Sym)
		g.Sym = sym
	}
}

// AnySymbolic reports whether some element of shadow is a symbolic value.
func AnySymbolic(shadow []expr.ID) bool {
	for _, x := range shadow {
		if x != expr.None {
			return true
		}
	}
	return false
}

// PushEntry pushes a frame for fn, called with args, as the bottom frame of g.
func (m *State) PushEntry(g *Goroutine, fn *Function, closure *heap.Object, args []heap.Word) bool {
	g.Frames = g.Frames[:0]
	if !m.Push(g, fn, closure, 0, Bottom) {
		return false
	}
	copy(g.Stack, args)
	return true
}

// Enter pushes a frame for fn above all others and passes args to it.
func (m *State) Enter(g *Goroutine, fn *Function, closure *heap.Object, args []heap.Word, syms []expr.ID, mode frameMode) bool {
	base := g.stackEnd()
	if !m.Push(g, fn, closure, base, mode) {
		return false
	}
	copy(g.Stack[base:], args)
	if AnySymbolic(syms) {
		g.MakeSymbolic(g.Top())
		copy(g.Sym[base:], syms)
	}
	return true
}

// Spawn starts a goroutine that calls fn. The n words of arguments are in the registers
// of f from window on.
func (m *State) Spawn(g *Goroutine, f *Frame, fn *Function, closure *heap.Object, window, n int) bool {
	if m.SuspendBoot(g) {
		return false
	}
	at := int(f.Base) + window
	child := m.NewGoroutine(g)
	if child == nil {
		return false
	}
	child.Func = fn.ID
	if !m.PushEntry(child, fn, closure, g.Stack[at:at+n]) {
		return false
	}
	if f.Symbolic && AnySymbolic(g.Sym[at:at+n]) {
		child.MakeSymbolic(child.Top())
		copy(child.Sym, g.Sym[at:at+n])
	}
	if m.Plan.Symmetry {
		m.Spawned(g, child, fn, closure)
	}
	return true
}

// DeferCall adds a call of fn to the deferred calls of frame to. The n words of arguments
// are in the registers of f from window on.
func (m *State) DeferCall(g *Goroutine, f, to *Frame, fn *Function, closure *heap.Object, window, n int) {
	at := int(f.Base) + window
	k := len(to.Defers)
	if k < cap(to.Defers) {
		to.Defers = to.Defers[:k+1]
	} else {
		to.Defers = append(to.Defers, deferred{})
	}
	m.Changed()
	d := &to.Defers[k]
	d.Func, d.closure, d.site = fn, closure, run.SiteID{Func: f.Func.ID, Instr: f.PC}
	d.args = append(d.args[:0], g.Stack[at:at+n]...)
	d.syms = d.syms[:0]
	if f.Symbolic {
		d.syms = append(d.syms, g.Sym[at:at+n]...)
	}
}

// RunDeferred removes the last deferred call of frame i of g and pushes a frame for it.
// It returns false if there is none, or if the run is over.
func (m *State) RunDeferred(g *Goroutine, i int, mode frameMode) bool {
	f := &g.Frames[i]
	n := len(f.Defers)
	if n == 0 {
		return false
	}
	d := f.Defers[n-1]
	f.Defers, f.deferring = f.Defers[:n-1], d.site
	return m.Enter(g, d.Func, d.closure, d.args, d.syms, mode)
}

// DeferredAt returns where the call was deferred that a frame of g, by its number, makes now. It is
// false if the frame makes another call, or none.
func (g *Goroutine) DeferredAt(i int) (run.SiteID, bool) {
	if i+1 >= len(g.Frames) {
		return run.NoSite, false
	}
	mode := g.Frames[i+1].Mode
	return g.Frames[i].deferring, mode == DeferredCall || mode == PanicDeferred
}

// SetRegister sets the register at Stack[at] of g's top frame, with its shadow.
func (m *State) SetRegister(g *Goroutine, at int, w heap.Word, sym expr.ID) {
	g.Stack[at] = w
	f := g.Top()
	if !f.Symbolic {
		if sym == expr.None {
			return
		}
		g.MakeSymbolic(f)
	}
	g.Sym[at] = sym
}

// Shadows returns the symbolic values of the n registers from Stack[at] on, nil if all of
// them are concrete.
func (g *Goroutine) Shadows(at, n int) []expr.ID {
	if !g.Top().Symbolic {
		return nil
	}
	return g.Sym[at : at+n]
}
