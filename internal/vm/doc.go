// Package vm runs register code: goroutines, memory, channels, symbolic
// shadows. It emits the events of a run.
//
// A [Machine] holds one program and its memory. [Interpreter.Boot] runs the package
// initialisers and leaves the machine at the start of the target; [Interpreter.Run]
// carries out a plan from there and gives a [Trace]; the undo log takes the
// machine back for the next plan, or to where the next run parts from the last
// (resume.go). Nothing of a run's state is on the host's
// call stack.
//
// The path of a run: schedule (step.go) has each goroutine executed by the
// dispatch loop (loop.go) up to its next visible operation, and then asks the
// plan or the [Scheduler] whose turn it is; what the others are about to do it
// remembers (agenda.go). Loops that only wait are seen by
// spin.go, runs that go in circles by cycle.go. What the loop calls is in a
// file for each concept: memory.go, slice.go, string.go, maps.go, types.go,
// frame.go and call.go, panic.go; chan.go, select.go, sync.go, atomic.go and
// timer.go for what goroutines share. Functions without a Go body are
// primitives (primitive.go and the prim_ files); some pure ones that have a body run
// natively all the same (native.go). Objects get their memory from
// heap.go, and every write to it is told to undo.go first; race.go and event.go
// follow what goroutines do to shared memory; symbolic.go does the symbolic
// side of an instruction, in frames that hold something symbolic, with the arithmetic of
// package symbolic; element.go and mapkey.go that of elements at a symbolic index and of
// lookups in maps, and wish.go notes what a text would have to be longer for. merge.go has both sides of small
// branches become one expression. What the loop runs
// is not quite what package code has compiled: fuse.go joins frequent pairs of
// instructions, and variant.go marks those that symbolic values can come to.
package vm
