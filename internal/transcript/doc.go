// Package transcript writes the trace of a run as a schedule, for everyway record and for run files.
//
// The machine's trace has numbers that mean something to the machine only: goroutines, objects,
// sites and expressions. [Write] goes through the events of a trace twice. First it finds out
// what the events do not say by themselves: what kind each object is, which goroutines timers
// start, and what was there before the first event, such as values that package initialisers
// have sent. Then it writes each event, and before it the objects that it is the first to
// use and the values that it needs: an expression becomes operations on values, each of which is
// written once. Of plain accesses to objects that only one goroutine uses, the last 65,536 are written.
package transcript
