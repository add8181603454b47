// Package vm runs register code on a virtual machine that controls every scheduling
// decision and computes symbolic values beside the concrete ones.
//
// A [Machine] holds one program and its memory. [Machine.Boot] runs the package
// initialisers and leaves the machine at the start of the target. [Machine.Run] carries
// out a plan from there and returns its trace; before the next run, the undo log takes
// the machine back to the start of the target. The host's call stack holds no part of the
// state of a run.
//
// The machine consists of these packages, from the bottom up:
//
//	race        the happens-before relation of a run, and data races
//	heap        memory: words, objects, and the undo log
//	symbolic    arithmetic on symbolic values
//	layout      where the parts of variables are natively, and pointers of package unsafe
//	printing    what print and panics print
//	typecode    functions for types that are known only when a program runs
//	variant     faster variants of compiled code, which the dispatch loop runs in its place
//	meter       what runs cost, by call stacks
//	state       goroutines and frames, and what a run records: events, conditions, faults
//	links       what has been linked: functions, constants, types and variables
//	reach       what goroutines, package variables and timers can reach in memory
//	queue       which goroutines are known to wait at channels
//	clock       what a program reads on the clock, and when timers and sleepers are due
//	collect     finalizers, cleanups and weak pointers of objects that nothing can reach
//	maptable    maps: their entries, and what an iteration may visit next
//	recursion   recursion that does not end
//	fingerprint what states have in common that continue in the same ways
//	sched       which goroutine takes the next step, virtual time, and resuming runs at checkpoints
//	exec        the dispatch loop and the instructions
//	prim        implementations of functions without a Go body, by purpose
//	golib       models, written in Go, of standard library packages that reach below Go
//
// Package vm combines them: a Machine is an [exec.Interpreter] with all primitives.
package vm
