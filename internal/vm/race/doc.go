// Package race maintains the happens-before relation of a run and detects data races.
//
// Once a run has had more than one goroutine, every memory cell that is accessed has a history, a
// [Cell]: its last write and the reads since then, as epochs of the goroutines that made them
// (FastTrack: Flanagan and Freund, PLDI 2009). Two accesses, at least one of them a write and not
// both atomic, race if the epoch of the earlier one is not covered by the vector clock of the
// goroutine that makes the later one. Synchronising operations join clocks as the Go memory model
// prescribes: a [Thread] acquires and releases the clocks that locks, channels and atomic cells
// keep in their shadows.
//
// Of the accesses by synchronising operations, a cell has the last one of each goroutine, without
// those that happened before another one in the same place of the program, as with a lock that a
// thousand goroutines take one after the other: what races with one of these races with that, and
// is reported with the same places ([KeepLatest]).
//
// A [Detector] does not depend on the heap: it is an object of the heap that points to its
// [Shadow]. The state of a Detector can be rewound to a [Mark], together with that of the machine.
package race
