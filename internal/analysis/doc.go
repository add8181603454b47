// Package analysis looks for defects in schedules: in the order in which they were recorded,
// and in others that they allow. The program is not needed.
//
// A schedule passes through as follows. [Run] reads its events, one after another, from a
// [schedule.Reader]. A [schedule.State] checks that each is possible after those before it,
// and sets what it follows from ([schedule.Event.From]). Then each [Detector] gets the event
// with the state after it. Detectors that decide at once, such as those with vector clocks,
// report a [Finding] there and then; those that need to see more keep copies of the events
// that matter to them, and report when a window is full or in Finish. A [Collector] takes the
// findings, and counts those of the same places in the program as one. Nothing is kept of an
// event unless a detector does, so that schedules can be longer than memory.
//
// To add a detector, write a package below internal/analysis that exports its [Info], and add
// a line to internal/analysis/registry. Its doc.go says what it guarantees, what it costs,
// and which operations of Go it treats in which way. Package order has the happens-before
// relation of the Go memory model, for detectors to build on; package vectorclock has its
// clocks. Package ideal says which events others need, and package reorder in which orders they are
// possible: that is what detectors that predict build on. Package conflict pairs accesses, and package section
// has the critical sections, for those that go without windows.
package analysis
