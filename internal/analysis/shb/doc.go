// Package shb finds data races by the relation schedulable-happens-before (Mathur, Kini and
// Viswanathan: What happens-after the first race?, OOPSLA 2018).
//
// After the first data race of a schedule, happens-before may find others that only exist
// because of how the first one went: a read that races with a write sees a flag, and so the program
// goes where it does not go otherwise. Schedulable-happens-before therefore orders a write
// before the reads that see it, too. Two accesses that conflict are reported if the later one's
// goroutine can be at it before the earlier one is done.
//
// # Guarantee
//
// Each finding is a data race of the program: some of the events of the schedule, in the order in
// which they are in it, lead to a state in which both accesses are possible next. All of these
// events see the same values as in the schedule, and locks are taken in the same order. If the
// schedule is not too long, the finding has these events as its witness. All accesses are
// found that are, as the later one, in such a race; the earlier one is one of the last of
// its goroutine.
//
// Locks, and all that package ideal lists, are kept in order. Where that is more than the Go memory
// model asks for, package happensbefore can find a race that this package does not; of memory,
// locks, atomic operations and go statements, the access with which the first race of happensbefore
// is complete is in one that is found here. The operations of locks, wait groups and the like are
// not compared with accesses to their cells.
//
// # Complexity
//
// An access takes constant time if the last write of the cell is ordered before it, and otherwise
// time in the number of goroutines. A synchronisation takes time in the number of goroutines.
// Memory is in the number of cells times the goroutines that race on them, up to [analysis.Limits]:
// then a new part of the schedule begins, before which all is kept in its order, so that races with
// it are not found.
package shb
