package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// startOrDefer carries out a call instruction in a mode that does not call now:
// go and defer statements. A nil fn is a call of a nil func value.
func (m *Machine) startOrDefer(g *goroutine, f *frame, in *code.Instr, fn *function, closure *heap.Object) bool {
	if fn == nil && in.K != code.ModeGo {
		fn = m.nilFunc()
	}
	switch in.K {
	case code.ModeGo:
		if fn == nil {
			return m.fatal(g, "go of nil func value")
		}
		return m.spawn(g, f, fn, closure, int(in.A), fn.Params)
	case code.ModeDefer:
		m.deferCall(g, f, f, fn, closure, int(in.A), fn.Params)
	case code.ModeDeferTo:
		to := int(g.stack[f.base+in.A-1].N)
		if to >= len(g.frames) {
			return m.unsupported(g, "defer in the body of a range-over-func loop whose function has returned")
		}
		m.deferCall(g, f, &g.frames[to], fn, closure, int(in.A), fn.Params)
	}
	return true
}

// makeClosure carries out a Closure instruction.
func (m *Machine) makeClosure(g *goroutine, f *frame, in *code.Instr) bool {
	fn := m.callee(f.fn, in.B)
	n := int(in.K)
	o := m.newCells(g, nil, heap.ClosureObject, n)
	if o == nil {
		return false
	}
	o.Func = fn.id
	at := int(f.base + in.C)
	o.Fill(0, g.stack[at:at+n], g.shadows(at, n))
	g.stack[f.base+in.A] = heap.Word{P: o}
	if f.symbolic {
		g.sym[f.base+in.A] = expr.None
	}
	return true
}

// callPrimitive carries out a call of a function without a Go body.
func (m *Machine) callPrimitive(g *goroutine, f *frame, fn *function, in *code.Instr) bool {
	p := fn.prim
	if p == nil {
		what := "call of " + fn.Name + ", which has no Go body and no model"
		if symbol := linkname(fn.SSA); symbol != "" {
			what = "call of " + fn.Name + ", which is " + symbol + " by go:linkname, and that has no model"
		}
		return m.unsupported(g, what)
	}
	base := int(f.base + in.A)
	words := max(fn.Params, fn.Results)
	if f.symbolic && !p.Shadows {
		m.pinRun(g, base, fn.Params)
		clear(g.sym[base : base+words])
	}
	if p.Transitions != nil && !g.granted {
		g.prim, g.primBase = fn, base
		return m.park(g, atPrimitive)
	}
	c := &m.primctx
	c.m, c.g, c.fn, c.base = m, g, fn, base
	c.window = g.stack[base : base+words]
	if p.Transitions != nil {
		if !m.visible(c) {
			return false
		}
	} else if m.runs[p.Number](c); m.fault != noFault {
		return false
	}
	return !m.over
}

// returnShadows does the symbolic side of a return of n words at stack[base:]
// to f: symbolic says whether the function that returns had symbolic registers.
func (g *goroutine) returnShadows(f *frame, symbolic bool, base int32, n int) {
	at := int(base)
	switch {
	case !symbolic:
		clear(g.sym[at : at+n])
	case !f.symbolic && anySymbolic(g.sym[at:at+n]):
		results := slices.Clone(g.sym[at : at+n])
		g.makeSymbolic(f)
		copy(g.sym[at:], results)
	}
}

// nilFunc returns what a deferred call of a nil function runs: it panics when it
// is called, not when it is deferred.
func (m *Machine) nilFunc() *function {
	if m.nilCall == nil {
		m.nilCall = &function{id: int32(len(m.Funcs))}
		m.nilCall.runs(&code.Func{
			Name: "nil", Recover: -1, Regs: 1, Standard: true,
			Code: []code.Instr{{Op: code.Zero, K: 1}, {Op: code.NilCheck}},
		})
		m.Funcs = append(m.Funcs, m.nilCall)
	}
	return m.nilCall
}

// visible runs the visible primitive of c, whose turn it is. It is false when the
// goroutine has to wait for a further step, and when the primitive has set a fault.
func (m *Machine) visible(c *call) bool {
	g := c.g
	g.granted = false
	c.alt = g.alt
	c.unfinished = false
	m.runs[c.fn.prim.Number](c)
	if m.fault == noFault && c.unfinished {
		g.phase++
		return m.park(g, atPrimitive)
	}
	g.phase = 0
	return m.fault == noFault
}

// again says that the visible primitive has taken one of several steps: the
// goroutine parks at it again, with its phase one higher. Its arguments must be
// in the window still.
func (c *call) again() { c.unfinished = true }
