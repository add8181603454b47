package exec

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/linkname"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/value"
)

// startOrDefer carries out a call instruction in a mode that does not make the call now:
// that of a go or defer statement. If fn is nil, it is a call of a nil function value.
func (m *Interpreter) startOrDefer(g *state.Goroutine, f *state.Frame, in *code.Instr, fn *state.Function, closure *heap.Object) bool {
	if fn == nil && in.K != code.ModeGo {
		fn = m.nilFunc()
	}
	switch in.K {
	case code.ModeGo:
		if fn == nil {
			return m.Fatal(g, "go of nil func value")
		}
		if !m.Spawn(g, f, fn, closure, int(in.A), fn.Params) {
			return false
		}
		m.PauseAfterStart(g)
	case code.ModeDefer:
		m.DeferCall(g, f, f, fn, closure, int(in.A), fn.Params)
	case code.ModeDeferTo:
		to := int(g.Stack[f.Base+in.A-1].N)
		if to >= len(g.Frames) {
			return m.Unsupported(g, "defer in the body of a range-over-func loop whose function has returned")
		}
		m.DeferCall(g, f, &g.Frames[to], fn, closure, int(in.A), fn.Params)
	}
	return true
}

// makeClosure carries out a Closure instruction.
func (m *Interpreter) makeClosure(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	fn := m.Callee(f.Func, in.B)
	n := int(in.K)
	o := m.NewCells(g, nil, heap.ClosureObject, n)
	if o == nil {
		return false
	}
	o.Func = fn.ID
	at := int(f.Base + in.C)
	o.Fill(0, g.Stack[at:at+n], g.Shadows(at, n))
	g.Stack[f.Base+in.A] = heap.Word{P: o}
	if f.Symbolic {
		g.Sym[f.Base+in.A] = expr.None
	}
	return true
}

// callPrimitive carries out a call of a function without a Go body.
func (m *Interpreter) callPrimitive(g *state.Goroutine, f *state.Frame, fn *state.Function, in *code.Instr) bool {
	p := fn.Prim
	if p == nil {
		what := "call of " + fn.Name + ", which has no Go body and no model"
		if symbol := linkname.Directive(fn.SSA); symbol != "" {
			what = "call of " + fn.Name + ", which is " + symbol + " by go:linkname, and that has no model"
		}
		return m.Unsupported(g, what)
	}
	base := int(f.Base + in.A)
	words := max(fn.Params, fn.Results)
	if m.Memory.HasViews() && slices.ContainsFunc(g.Stack[base:base+fn.Params], layout.IsView) {
		if plain, ok := m.Memory.AsStored(value.Accessor{Operations: &m.Operations, Goroutine: g}, fn.Name, g.Stack[base:base+fn.Params]); !plain {
			return ok && m.PrimitiveOnView(g, f, fn, base)
		}
	}
	if f.Symbolic && !p.Shadows {
		m.ConcretizeRegisters(g, base, fn.Params)
		clear(g.Sym[base : base+words])
	}
	hidden := p.Hides != nil && !g.Granted && m.HidesAtomic(g) && p.Hides(g, fn)
	if p.Transitions != nil && !g.Granted && !hidden {
		if p.Counts && !m.ConcreteCount(g, g.Stack[base]) {
			return false
		}
		g.Prim, g.PrimBase = fn, base
		return m.Park(g, state.AtPrimitive)
	}
	c := &m.primCall
	c.Machine, c.Goroutine, c.Func, c.base = m, g, fn, base
	c.Window = g.Stack[base : base+words]
	if c.Hidden = hidden; p.Transitions != nil && !hidden {
		if !m.runVisible(c) {
			return false
		}
	} else if m.runs[p.Number](c); m.Fault != state.NoFault {
		return false
	}
	return !m.Over
}

// returnShadows carries out the symbolic part of a return to f of n words at Stack[base].
// The flag symbolic says whether the function that returns had symbolic registers.
func returnShadows(g *state.Goroutine, f *state.Frame, symbolic bool, base int32, n int) {
	at := int(base)
	switch {
	case !symbolic:
		clear(g.Sym[at : at+n])
	case !f.Symbolic && state.AnySymbolic(g.Sym[at:at+n]):
		results := slices.Clone(g.Sym[at : at+n])
		g.MakeSymbolic(f)
		copy(g.Sym[at:], results)
	}
}

// nilFunc returns the function that a deferred call of a nil function runs. It panics
// when it is called and not when it is deferred.
func (m *Interpreter) nilFunc() *state.Function {
	if m.NilCall == nil {
		m.NilCall = &state.Function{ID: int32(len(m.Funcs))}
		SetCode(m.NilCall, &code.Func{
			Name: "nil", Recover: -1, Regs: 1, Standard: true,
			Code: []code.Instr{{Op: code.Zero, K: 1}, {Op: code.NilCheck}},
		})
		m.Funcs = append(m.Funcs, m.NilCall)
	}
	return m.NilCall
}

// runVisible runs the visible primitive of c, which has been granted its step. It returns
// false if the goroutine has to wait for another step, or if the primitive has set a
// fault.
func (m *Interpreter) runVisible(c *Call) bool {
	g := c.Goroutine
	g.Granted = false
	c.Alt = g.Alt
	c.unfinished = false
	m.runs[c.Func.Prim.Number](c)
	if m.Fault == state.NoFault && c.unfinished {
		g.Phase++
		return m.Park(g, state.AtPrimitive)
	}
	g.Phase = 0
	if m.Fault != state.NoFault {
		return false
	}
	m.PauseAfter(g)
	return true
}

// Again says that the visible primitive has taken one of several steps. The goroutine
// parks at it again, with its phase incremented. The arguments must still be in the
// window.
func (c *Call) Again() { c.unfinished = true }

// A Native is an implementation on the host of a pure function of the standard library.
// It is used for calls with concrete arguments, but the bytes of strings may be symbolic.
// It reads the arguments from the window and leaves the results there. It returns false
// if the function's own code has to run, because there is an error or because versions of
// Go may differ.
//
// Natives use only numbers and strings, which no other goroutine can change, so they
// record no events.
type Native func(c *Call) bool

// nativeOf returns the number of the native to use in place of f. It is 0 if there is
// none, or if the branches of f are counted.
func (m *Interpreter) nativeOf(f *code.Func) int {
	if slices.ContainsFunc(f.Code, func(in code.Instr) bool { return in.Op == code.Cover }) {
		return 0
	}
	return m.Natives[f.Name]
}

// AddNatives adds natives to the machine's table, by the names of their functions.
func (m *Interpreter) AddNatives(list map[string]Native) {
	for name, n := range list {
		m.Natives[name] = len(m.nativeRuns)
		m.nativeRuns = append(m.nativeRuns, n)
	}
}

// callNative carries out a call of a function that has a native. It returns false if the
// function's own code has to run.
func (m *Interpreter) callNative(g *state.Goroutine, f *state.Frame, fn *state.Function, in *code.Instr) bool {
	base := int(f.Base + in.A)
	if f.Symbolic && state.AnySymbolic(g.Sym[base:base+fn.Params]) {
		return false
	}
	c := &m.primCall
	c.Machine, c.Goroutine, c.Func, c.base = m, g, fn, base
	c.Window = g.Stack[base : base+max(fn.Params, fn.Results)]
	if f.Symbolic {
		clear(g.Sym[base : base+fn.Results]) // they are not needed, even if the function's own code runs
	}
	return m.nativeRuns[fn.Native](c)
}
