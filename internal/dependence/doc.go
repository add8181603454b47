// Package dependence says whose order can matter, and which orders the classes of orders keep and
// leave open: in one place for the detectors that look for other orders of a schedule and for the
// search, which makes runs in other orders.
//
// [Dependent] is about two operations on the same thing: a cell of memory, a lock, a channel, a
// wait group. They are independent if in either order they have the same results, leave the same
// state and the same edges of happens-before, and neither enables or disables the other.
//
// A [Class] is a set of orders of what goroutines have done. [Strict] is the narrowest one: it
// keeps the order of each two operations that depend on each other. The others leave more open, of
// locks and of accesses to memory only, since what goroutines say to each other with channels, wait
// groups and the like is kept as [Dependent] says in each of them:
//
//	          locks                  reads                       writes
//	Strict    stay in their order    see what they have seen     stay in their order
//	Said      exclude each other     see what they have seen     are free
//	Huang     exclude each other     if a branch depends on it   are free
//	Loose     are free               are free                    are free
//
// Who uses it:
//
//   - Partial-order reduction, in the strategies hyperconcolic, stateful and random, has classes of
//     runs that are those of Dependent: run.Dependent adds what follows from the machine, such as
//     which goroutines take part, time, and selects, to what is said here. Two runs of a class keep
//     the order that Strict keeps.
//   - The strategy con2colic looks for orders of a scenario, in which each read sees a write that
//     is chosen. That is what Said leaves open, with the symbolic values that a scenario has in
//     place of those that were read: locks exclude each other by [Exclude], and a write that no
//     read sees has no place of its own.
//   - The detectors strict, said, huang, loose, m2, wcp, deadlock, misuse and leak look for orders
//     of their class within a window of the schedule (package analysis/reorder).
//
// What synchronises, and so what a data race is, is not said here but in package analysis/order,
// and by the machine in vm/race: accesses that are not atomic may race, and atomic ones depend on
// each other all the same.
package dependence
