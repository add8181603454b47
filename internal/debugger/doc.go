// Package debugger moves through a recorded run: it steps by lines and calls of a goroutine, forwards and
// backwards, and goes on to the next breakpoint or the one before.
//
// A [Debugger] has a session of package inspect, which shows what there is at a point of the run, and a selected
// goroutine and call. As the points of a run are known from the beginning, a step or a breakpoint is a search
// in their list ([Debugger.Step], [Debugger.Continue]); only conditions and watched expressions need the states on
// the way.
//
// Package console offers it as a command line, and package dap to editors.
package debugger
