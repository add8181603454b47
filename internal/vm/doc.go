// Package vm runs register code on a virtual machine that controls every scheduling
// decision and computes symbolic values beside the concrete ones.
//
// A [Machine] holds one program and its memory. [Machine.Boot] runs the package
// initialisers and leaves the machine at the start of the target. [Machine.Run] carries
// out a plan from there and returns its trace; before the next run, the undo log takes
// the machine back to the start of the target. The host's call stack holds no part of the
// state of a run.
//
// # Packages
//
// Runs and memory:
//
//	race        the happens-before relation of a run, and data races
//	heap        memory: words, objects, and the undo log
//	symbolic    arithmetic on symbolic values
//	layout      where the parts of variables are natively, and pointers of package unsafe
//	state       goroutines and frames, and what a run records: events, conditions, faults
//	links       what has been linked: functions, constants, types and variables
//	linkname    the function that runs in place of one without a body
//	reach       what goroutines, package variables and timers can reach in memory
//	collect     finalizers, cleanups and weak pointers of objects that nothing can reach
//	maptable    maps: their entries, and what an iteration may visit next
//	shape       pointers, maps and the like as inputs
//
// Execution:
//
//	exec        the dispatch loop and the instructions
//	value       what instructions do with values
//	variant     faster variants of compiled code, which the dispatch loop runs in its place
//	merge       both sides of a small branch as one expression
//	summary     summaries of functions: decision trees over their paths
//	walk        walking summaries in place of executing the code
//	typecode    functions for types that are known only when a program runs
//	printing    what print and panics print
//	prim        implementations of functions without a Go body, by purpose
//	golib       models, written in Go, of standard library packages that reach below Go
//
// Scheduling:
//
//	sched       which goroutine takes the next step, virtual time, and resuming runs at checkpoints
//	clock       what a program reads on the clock, and when timers and sleepers are due
//	queue       which goroutines are known to wait at channels
//
// What is known of states and runs:
//
//	fingerprint what states have in common that continue in the same ways
//	symmetry    which goroutines are symmetric
//	recursion   recursion that does not end
//	meter       what runs cost, by call stacks
//	naming      what goroutines, variables and values are called in the source
//	variables   the variables of the source while a machine runs, for debuggers
//
// Package vm combines them: a Machine is an [exec.Interpreter] with all primitives.
package vm
