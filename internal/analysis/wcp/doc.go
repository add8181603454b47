// Package wcp finds data races by the relation weak-causally-precedes (Kini, Mathur and Viswanathan: Dynamic
// race prediction in linear time, PLDI 2017).
//
// Happens-before orders the critical sections of a lock as they were. Weak-causally-precedes does so only if
//
//   - an access in the later section conflicts with one in the earlier: then the earlier section's release comes before
//     that access (rule a);
//   - or something in the earlier section comes before something in the later one: then the release
//     of the first comes before that of the second (rule b);
//
// and what happens before the first or after the second of two events that are so ordered is ordered, too (rule c).
// Two accesses that conflict, neither of which comes before the other, are reported.
//
// # Guarantee
//
// Of a schedule in which anything is reported, another order has a data race or a deadlock, as long
// as each goroutine releases the lock first that it has taken last: that is what the paper calls
// weak soundness. It says nothing of a single finding but the first, and that may be a deadlock
// instead. So a finding is only suspected; but if both accesses are in one window (of 1000 events
// that matter or, if that is given, -window), package reorder is asked for an order after which
// both are next, in which every branch is taken as it was, and a finding that has one is predicted,
// with that order as its witness. Of the findings at two places of the program, 100 are looked at.
//
// What happens-before finds is found here, if it is the first race of the schedule, and if package ideal asks
// for no more than the Go memory model does.
//
// # Operations of Go
//
// What an event needs by package ideal, locks aside, orders as a go statement does: what channels,
// wait groups, conditions, semaphores, Once, timers and atomic operations that see a value have to
// keep in order is ordered as happens-before would, and rule c goes on from there. An access also
// comes after what the goroutine's reads have seen, plain ones, too, since no order shows
// otherwise. Sections of a lock that are both for reading exclude each other in neither rule. A
// section that another goroutine ends counts as one of the goroutine that has taken the lock.
//
// # Complexity
//
// An access takes time in the number of locks that are held and of goroutines that race on the
// cell, and the end of a section time in the number of goroutines, and of the lock's sections after
// the last one that is ordered, at most 1024. The paper keeps queues of sections for each pair of
// goroutines, and this package one list for each lock: the releases of a lock happen after each
// other, so that the last one that is ordered is enough. Memory is in the number of cells, and of
// pairs of a lock and a cell that is accessed under it. It is bounded by [analysis.Limits]: then a
// new part of the schedule begins, and what is before it is taken to come before everything later.
// So are the oldest of more than 1024 sections of a lock. Races with them are missed, and none is
// added.
package wcp
