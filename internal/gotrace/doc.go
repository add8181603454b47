// Package gotrace writes what a trace of the Go runtime says as a schedule.
//
// A trace, of go test -trace or package runtime/trace, has the goroutines, who started and ended
// them, when they blocked and why, and who unblocked whom, with call stacks. It has no accesses to
// memory, and no operations that do not block; and it does not say of which channel or lock an
// operation is. So the schedule has
//
//   - fork, begin and end of goroutines;
//   - for a goroutine that blocks, to wait for others, a semaphore of its own, of an object named
//     by what it waits for (package waits): yield where it blocks, semrel by who unblocks it, and
//     semacq where it goes on; pending, if it still waits in the end. That says no more than is
//     known: that it waits, and who ends that. No detector takes another order of these for
//     possible in which it would wait longer;
//   - sleep, with the time that it took.
//
// Goroutine 0 stands for what is outside: it starts the goroutines that were there before the trace, or that
// the runtime or a timer starts, and unblocks for timers, the network and the runtime. Other goroutines are named by
// their numbers in the trace. What the runtime does for itself, and waiting for the network, system calls and
// garbage collections, is left out: such a goroutine counts as one that goes on.
//
// [Convert] reads events with golang.org/x/exp/trace, which the Go authors keep beside the runtime, and writes
// each as it comes; it holds what it knows of goroutines, and no events.
package gotrace
