// Package vm runs register code: goroutines, memory, channels, symbolic
// shadows. It emits the events of a run.
//
// A [Machine] holds one program and its memory. [Machine.Boot] runs the package
// initialisers and leaves the machine at the start of the target; [Machine.Run]
// carries out a plan from there and gives a [Trace]; the undo log takes the
// machine back for the next plan. Nothing of a run's state is on the host's
// call stack.
package vm
