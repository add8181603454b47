// Package accesses represents which accesses to memory can come after a state, and what happens before each.
//
// Whether a later access races with an earlier one depends on what its goroutine has learned by
// then. That is the join of clocks that there are in the state: those of goroutines and timers, and
// those left at locks, channels and atomic variables, for others to acquire ([run.Holder]). So of a
// later access it counts from which of these its goroutine has learned something, directly or
// through others: its origins. It races with an access before the state if none of its origins
// knows of that.
//
// A [Set] holds accesses with their origins. Of two accesses of the same kind to the same cell only one counts if
// its origins are among those of the other: it races with whatever the other races with.
//
// A [Table] numbers the names of holders and objects, so that Sets are lists of numbers, and
// represents each set of cells once. [Table.Through] translates a Set to an earlier state, and
// [Table.Rename] to other names.
package accesses
