// Package race holds the happens-before relation of a run and the races that it shows.
//
// While more than one goroutine has existed, each cell of memory that is accessed has
// a history, a [Cell], with its last write and the reads since, as epochs of the
// goroutines that made them (FastTrack: Flanagan and Freund, PLDI 2009). Two accesses,
// one of them a write and not both atomic, race when the earlier one's epoch is not in
// the later one's vector clock. The clocks are joined at synchronising operations, as
// the Go memory model has it: a [Thread] acquires and releases the clocks that locks,
// channels and atomic cells keep in their shadows.
//
// A [Detector] knows nothing of memory: an object of the heap points to its [Shadow].
// Its state can be taken back to a [Mark], with the machine's.
package race
