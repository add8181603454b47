package exec

import "github.com/everyway-go/everyway/internal/vm/state"

// returnDefers has the deferred calls made of a frame that comes to a Return with
// some left: go/ssa gives a function no RunDefers when all its defer statements
// are in the bodies of range-over-func loops. Named results are loaded again
// afterwards, which is what the code after a recovered panic does.
func (m *Interpreter) returnDefers(g *state.Goroutine, f *state.Frame) {
	if res := f.Func.SSA.Signature.Results(); res.Len() > 0 && res.At(0).Name() != "" && f.Func.Recover >= 0 {
		f.PC = int32(f.Func.Recover)
	}
	f.PC--
	m.RunDeferred(g, len(g.Frames)-1, state.DeferredCall)
}

// leave acts on the return of a frame that was not simply called; it is still
// the top frame, and its results are in its first registers. Afterwards the
// top frame goes on at its pc, if there still is one.
func (m *Interpreter) leave(g *state.Goroutine) {
	f := g.Top()
	switch f.Mode {
	case state.Bottom:
		g.Pop()
		m.EndGoroutine(g)
	case state.DeferredCall:
		g.Pop()
		if !m.RunDeferred(g, len(g.Frames)-1, state.DeferredCall) {
			g.Top().PC++
		}
	case state.PanicDeferred:
		g.Pop()
		m.afterPanicDeferred(g)
	case state.TextOfPanic:
		base := f.Base
		g.Pop()
		m.afterText(g, g.Stack[base], g.Stack[base+1])
	}
}
