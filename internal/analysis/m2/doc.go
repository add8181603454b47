// Package m2 finds data races by trace-closed partial orders (Pavlogiannis: Fast, sound, and
// effectively complete dynamic race prediction, POPL 2020).
//
// Two accesses that conflict are reported if some of the events can be brought into an order after which both
// are next, such that every read sees the write that it has seen. Which events, is decided first, then their order:
//
//   - The events are the least feasible ideal: with each event what it needs (package ideal) and with each read
//     the write that it has seen. A critical section that has begun is ended, if the ideal has another of the lock, and
//     unless that needs one of the accesses.
//   - The order begins with that of each goroutine, what events need, and what reads have seen. The
//     accesses of all goroutines but one that conflict, and their critical sections, keep the order
//     of the schedule. Then the order is closed: a write that comes before a read comes before the
//     write that the read has seen; one that comes after the write comes after the read; and if a
//     section begins before the end of another of its lock, it ends before that begins. A section
//     without an end is the last one.
//
// If that has no cycle, the events of the one goroutine are put as early as the others let them be:
// the max-min linearisation of the paper. The one goroutine is that of the first access, or that of
// the second.
//
// # Guarantee
//
// Each finding is a data race of the program, with such an order as its witness, which is checked.
// If only two goroutines have events in the ideal, there are no others whose order is kept, so that
// all races are found in which every read sees the write that it has seen, within the bounds below.
// This is as in the paper; it holds for read-write locks as well. It is not so for operations that
// package ideal or the order of the schedule keeps although the program would not. With more
// goroutines, races are missed that need two changes of order among the others.
//
// # Operations of Go
//
// Channels, wait groups, conditions, semaphores, Once, timers and clocks stay in the order in which
// they were used, object by object, as far as they are kept, and keep what they need. An atomic
// operation sees the write that it has seen, and a read and write in one step is both. Sections for
// reading do not exclude each other. A section that another goroutine ends is one of the goroutine
// that has taken the lock. The end of a synctest.Wait ends a window.
//
// # Complexity
//
// The schedule is cut into windows, of 4000 events that matter or, if that is given, -window; what
// is before a window is kept as it is, so that memory is bounded by the number of cells and the
// window. Accesses that are ordered or that a lock excludes take constant time for a pair of the
// window. A candidate takes, for each round of the closure, time in the events of the ideal times
// its goroutines. Of the candidates at two places of the program 100 are looked at in a window,
// until a race was found.
package m2
