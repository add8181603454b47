// Package syncp finds sync-preserving data races (Mathur, Pavlogiannis and Viswanathan: Optimal
// prediction of synchronization-preserving races, POPL 2021).
//
// A sync-preserving order of a schedule keeps some of its events, such that every read sees the
// write that it has seen, and such that the sections of each lock that are kept stay in
// their order. It may leave out a section, and with it the order that the lock has made.
// Two accesses that conflict are reported if there is such an order after which both are next.
//
// Whether there is one is decided by the least ideal that has what both accesses need: while it
// has the acquisitions of two sections of a lock that exclude each other, but not the release of
// the earlier one, that release is added, with what it needs. The accesses race if neither is in
// the ideal then; and its events, as they are ordered in the schedule, are the witness.
//
// # Guarantee
//
// Each finding is a data race of the program. Of memory, atomic operations, go statements, and
// locks that are released by the goroutine that has taken them, all sync-preserving races are
// found, within the bounds below; findings at the same two places of the program are searched
// for once. What shb finds is found here, too.
//
// Only locks are relaxed. Channels, wait groups, conditions, semaphores, Once, timers, and what
// a select, len or a Stop of a timer has found, keep what they need (see package ideal): what
// is kept of them ends as it did. Of atomic operations a read sees the write that it has seen.
//
// # Complexity
//
// Accesses that are ordered by what they need, or that have a lock in common, take constant time
// for each pair of goroutines, and others time in the number of locks, goroutines and rounds of
// the closure. An access is forgotten as soon as no later one of a goroutine can race with it.
// Of a cell, the last 1024 accesses of a goroutine that holds the same locks are kept. Memory is bounded by
// [analysis.Limits]: when accesses, or the clocks of what they need, take more than that, a new part of the schedule begins, and what is before it
// is taken to be kept as a whole. Races between accesses in different parts are not found.
package syncp
