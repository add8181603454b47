package vm

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A frame is one activation of a function. Its registers are
// stack[base:base+fn.Regs].
type frame struct {
	fn      *function
	closure *heap.Object // its bindings
	// pc is the instruction that the frame is at. For the top frame it is set
	// before anything that may look at it; for the others it is the call.
	pc       int32
	base     int32
	symbolic bool // some register has a symbolic value: sym[base:] is in use
	mode     frameMode
	defers   []deferred // calls to be made when the function returns, the last one first

	context   int32  // number of the chain of calls that leads here, 0 when it is not known; see race.go
	numbering uint32 // that context is of
}

// A frameMode says what becomes of a frame on return.
type frameMode uint8

const (
	called        frameMode = iota // its caller goes on; the results are in the window
	deferredCall                   // the frame below has the next of its deferred calls made, or goes on
	panicDeferred                  // a deferred call made by a panic, which goes on unless it was recovered
	textOfPanic                    // Error or String of the value of an unrecovered panic
	bottom                         // the goroutine ends
)

// A deferred is a call that a defer statement asks for.
type deferred struct {
	fn      *function
	closure *heap.Object
	args    []heap.Word
	syms    []expr.ID // shadows of args, empty when all are concrete
}

// top returns the frame that g executes.
func (g *goroutine) top() *frame { return &g.frames[len(g.frames)-1] }

// push makes fn the function that g executes, with its registers from
// stack[base] on. It is false when the stack would get too deep and the run is over.
func (m *State) push(g *goroutine, fn *function, closure *heap.Object, base int32, mode frameMode) bool {
	n := len(g.frames)
	if limit := m.Limits.Depth; limit > 0 && n >= limit {
		return m.bounded(g, fmt.Sprintf("more than %d frames on the stack of a goroutine", limit))
	}
	if need := int(base) + fn.regs; need > len(g.stack) {
		g.grow(need)
	}
	if n < cap(g.frames) {
		g.frames = g.frames[:n+1]
	} else {
		g.frames = append(g.frames, frame{})
	}
	f := &g.frames[n]
	f.fn, f.closure, f.pc, f.base, f.mode = fn, closure, 0, base, mode
	f.symbolic = false
	f.defers = f.defers[:0]
	f.context = 0
	return true
}

// grow makes the stack of g hold at least need registers.
func (g *goroutine) grow(need int) {
	size := max(32, 2*len(g.stack))
	for size < need {
		size *= 2
	}
	stack := make([]heap.Word, size)
	copy(stack, g.stack)
	g.stack = stack
	if g.sym != nil {
		sym := make([]expr.ID, size)
		copy(sym, g.sym)
		g.sym = sym
	}
}

// pop removes the top frame of g.
func (g *goroutine) pop() { g.frames = g.frames[:len(g.frames)-1] }

// above returns the first register above all that the frames of g use.
func (g *goroutine) above() int32 {
	if len(g.frames) == 0 {
		return 0
	}
	f := g.top()
	return f.base + int32(f.fn.Regs)
}

// makeSymbolic makes room for symbolic values in the registers of f, a frame of
// g that holds none so far.
func (g *goroutine) makeSymbolic(f *frame) {
	g.needSym()
	clear(g.sym[f.base : int(f.base)+f.fn.Regs])
	f.symbolic = true
}

func (g *goroutine) needSym() {
	if len(g.sym) < len(g.stack) {
		sym := make([]expr.ID, len(g.stack))
		copy(sym, g.sym)
		g.sym = sym
	}
}

// anySymbolic reports whether one of the shadows is a symbolic value.
func anySymbolic(shadow []expr.ID) bool {
	for _, x := range shadow {
		if x != expr.None {
			return true
		}
	}
	return false
}

// pushEntry makes fn, called with args, the bottom frame of g.
func (m *State) pushEntry(g *goroutine, fn *function, closure *heap.Object, args []heap.Word) bool {
	g.frames = g.frames[:0]
	if !m.push(g, fn, closure, 0, bottom) {
		return false
	}
	copy(g.stack, args)
	return true
}

// enter pushes a frame for fn above all others and passes it args.
func (m *State) enter(g *goroutine, fn *function, closure *heap.Object, args []heap.Word, syms []expr.ID, mode frameMode) bool {
	base := g.above()
	if !m.push(g, fn, closure, base, mode) {
		return false
	}
	copy(g.stack[base:], args)
	if anySymbolic(syms) {
		g.makeSymbolic(g.top())
		copy(g.sym[base:], syms)
	}
	return true
}

// spawn starts a goroutine that calls fn with the n words of arguments in the
// registers of f from window on.
func (m *State) spawn(g *goroutine, f *frame, fn *function, closure *heap.Object, window, n int) bool {
	at := int(f.base) + window
	child := m.newGoroutine(g)
	if child == nil {
		return false
	}
	if !m.pushEntry(child, fn, closure, g.stack[at:at+n]) {
		return false
	}
	if f.symbolic && anySymbolic(g.sym[at:at+n]) {
		child.makeSymbolic(child.top())
		copy(child.sym, g.sym[at:at+n])
	}
	return true
}

// deferCall adds a call of fn to the deferred calls of frame to, with the n
// words of arguments in the registers of f from window on.
func (m *State) deferCall(g *goroutine, f, to *frame, fn *function, closure *heap.Object, window, n int) {
	at := int(f.base) + window
	k := len(to.defers)
	if k < cap(to.defers) {
		to.defers = to.defers[:k+1]
	} else {
		to.defers = append(to.defers, deferred{})
	}
	m.changed()
	d := &to.defers[k]
	d.fn, d.closure = fn, closure
	d.args = append(d.args[:0], g.stack[at:at+n]...)
	d.syms = d.syms[:0]
	if f.symbolic {
		d.syms = append(d.syms, g.sym[at:at+n]...)
	}
}

// runDeferred pushes the last deferred call of frame i of g. It is false when
// there is none, or when the run is over.
func (m *State) runDeferred(g *goroutine, i int, mode frameMode) bool {
	f := &g.frames[i]
	n := len(f.defers)
	if n == 0 {
		return false
	}
	d := f.defers[n-1]
	f.defers = f.defers[:n-1]
	return m.enter(g, d.fn, d.closure, d.args, d.syms, mode)
}

// setRegister sets the register at stack[at] of g's top frame and its shadow.
func (m *State) setRegister(g *goroutine, at int, w heap.Word, sym expr.ID) {
	g.stack[at] = w
	f := g.top()
	if !f.symbolic {
		if sym == expr.None {
			return
		}
		g.makeSymbolic(f)
	}
	g.sym[at] = sym
}

// shadows returns the symbolic values of n registers from stack[at] on, nil when
// all are concrete.
func (g *goroutine) shadows(at, n int) []expr.ID {
	if !g.top().symbolic {
		return nil
	}
	return g.sym[at : at+n]
}
