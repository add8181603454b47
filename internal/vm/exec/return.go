package exec

import "github.com/everyway-go/everyway/internal/vm/state"

// runPendingDefers runs the deferred calls of a frame that reaches a Return instruction
// with some left: go/ssa emits no RunDefers for a function all of whose defer statements
// are in the bodies of range-over-func loops. Afterwards, named results are loaded again
// by the code that runs after a recovered panic.
func (m *Interpreter) runPendingDefers(g *state.Goroutine, f *state.Frame) {
	if res := f.Func.SSA.Signature.Results(); res.Len() > 0 && res.At(0).Name() != "" && f.Func.Recover >= 0 {
		f.PC = int32(f.Func.Recover)
	}
	f.PC--
	m.RunDeferred(g, len(g.Frames)-1, state.DeferredCall)
}

// finishReturn completes the return of a frame that was not simply called. The frame is
// still the top one, and its results are in its first registers. Afterwards execution
// continues with the new top frame, if there is one.
func (m *Interpreter) finishReturn(g *state.Goroutine) {
	f := g.Top()
	switch f.Mode {
	case state.Bottom:
		g.Pop()
		if g.ID > 0 || !m.callNext(g) {
			m.EndGoroutine(g)
		}
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
		m.notePanicText(g, g.Stack[base], g.Stack[base+1])
	}
}
