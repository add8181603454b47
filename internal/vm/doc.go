// Package vm runs register code: a machine of everyway's own, which controls every
// scheduling decision and carries symbolic values beside the concrete ones.
//
// A [Machine] holds one program and its memory. [Machine.Boot] runs the package
// initialisers and leaves the machine at the start of the target; [Machine.Run]
// carries out a plan from there and returns a trace; the undo log takes the machine
// back for the next plan. Nothing of a run's state is on the host's call stack.
//
// The machine's rooms, from the bottom:
//
//	race      the happens-before relation of a run, and the races that it shows
//	heap      memory: words, objects, and the undo log
//	symbolic  arithmetic on symbolic values
//	typecode  functions for types that are known only when a program runs
//	variant   what the loop runs in the place of compiled code
//	state     goroutines and frames, and what a run leaves behind: events, conditions, faults
//	sched     which goroutine takes the next step; time; runs that begin alike
//	exec      the dispatch loop, and what instructions do
//	prim      functions without a Go body, by what they are for
//	golib     models of packages that reach below Go, in Go
//
// This package joins them: an [exec.Interpreter] with all primitives.
package vm
