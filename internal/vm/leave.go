package vm

// returnDefers has the deferred calls made of a frame that comes to a Return with
// some left: go/ssa gives a function no RunDefers when all its defer statements
// are in the bodies of range-over-func loops. Named results are loaded again
// afterwards, which is what the code after a recovered panic does.
func (m *Machine) returnDefers(g *goroutine, f *frame) {
	if res := f.fn.SSA.Signature.Results(); res.Len() > 0 && res.At(0).Name() != "" && f.fn.Recover >= 0 {
		f.pc = int32(f.fn.Recover)
	}
	f.pc--
	m.runDeferred(g, len(g.frames)-1, deferredCall)
}

// leave acts on the return of a frame that was not simply called; it is still
// the top frame, and its results are in its first registers. Afterwards the
// top frame goes on at its pc, if there still is one.
func (m *Machine) leave(g *goroutine) {
	f := g.top()
	switch f.mode {
	case bottom:
		g.pop()
		m.endGoroutine(g)
	case deferredCall:
		g.pop()
		if !m.runDeferred(g, len(g.frames)-1, deferredCall) {
			g.top().pc++
		}
	case panicDeferred:
		g.pop()
		m.afterPanicDeferred(g)
	case textOfPanic:
		base := f.base
		g.pop()
		m.afterText(g, g.stack[base], g.stack[base+1])
	}
}
