// Package fingerprint computes fingerprints of the states of runs: [run.Fingerprint].
//
// Two runs of one machine that come to scheduling points with equal fingerprints have the same
// continuations, up to accidental collisions of 128 bits. So whatever a rewind of the machine
// restores is either part of the fingerprint, or does not matter for what can follow, or makes
// that the state has no fingerprint. In detail:
//
//   - Of memory, cells count whose content is not what it was at the first checkpoint, and the
//     objects made since that something can still reach (memory.go). Objects are named as in
//     package run. Those that have no name of their own are named after the cell that points to
//     them.
//   - With run.Plan.Rename, names do not count, and neither do the counters from which names are
//     made: states are equal if renaming goroutines and objects makes them so (order.go).
//   - Of a goroutine that has not ended, everything counts that it still needs (goroutine.go,
//     frame.go, operation.go, spin.go). Of one that has ended, nothing does.
//   - Of the rest of the state, what can make a difference later (run.go, timer.go). Two runs
//     that have read the clock agree on what has been read (readings.go).
//   - Of happens-before, what decides which races later accesses are part of: for each access
//     that some goroutine or timer does not know of, which of them do, and which clocks that they
//     may acquire cover it (history.go).
//
// A symbolic value counts as the expression that it is, not with its value in this run.
//
// What does not count: limits and how far a run is from them, such as the memory it has
// allocated and the instructions and steps it has executed; which goroutine has taken the last
// step; events and what a run has printed, which only describe it; and the other end of a race,
// as long as its place in the code and its call chain are the same.
//
// What has gone wrong already is not part of a state either: then it has no fingerprint. Nor has
// it one if timers have fired early or the clock has been read while others could see that,
// since there the past counts; if there are finalizers, cleanups or weak pointers; or if the
// plan asks for more than decisions, such as symbolic reads.
package fingerprint
