// Package osr finds optimistic synchronisation-reversal races (Shi, Mathur and Pavlogiannis: Optimistic prediction of
// synchronization-reversal data races, ICSE 2024).
//
// Package syncp keeps the sections of each lock in their order. Here a section may begin after
// those that came later in the schedule, if it does not end before the race: its goroutine is at
// one of the accesses then, or stays in it. Nothing else changes its place but what comes after
// such a section. Two accesses that conflict are reported if there is such an order after which
// both are next:
//
//   - Its events are the least ideal that has what both accesses need, and what reads have seen,
//     such that of each lock at most one section is open. For that the earlier of two sections is
//     ended, unless its release needs the first access or is not in the schedule yet; then it is
//     the later one. (The paper ends all sections that it can. To end those that have to be ended
//     is to keep less, and so finds what the paper's closure finds.)
//   - It is an order if the graph of the events has no cycle whose edges are that of each
//     goroutine, what events need, accesses that conflict and sections of a lock in the order of
//     the schedule, and, from the ends of all others, an edge to the beginning of the section that
//     is open.
//
// Only the last kind of edge goes backwards. So no graph is made: one pass over the events from the
// first open section on finds what comes after each of them.
//
// # Guarantee
//
// Each finding is a data race of the program. The witness is made from the graph. What syncp finds
// is found here, too: if no section has to begin late, the ideal is the same. Not found are races
// for which two ended sections, or writes, change places: see package m2.
//
// # Operations of Go
//
// Channels, wait groups, conditions, semaphores, Once, timers, and what a select, len or a Stop of
// a timer has found, keep what they need (package ideal), and, where a section begins late, their
// order, object by object. An atomic operation sees the write that it has seen. Sections for
// reading exclude only those for writing. A section that another goroutine ends is one of the
// goroutine that has taken the lock.
//
// # Complexity
//
// Pairs are found as in syncp, and cost the same, but that a pair without a race can have one with
// a later event, so that up to 1000 of two places of the program, all unknown places being one, are
// looked at with sections that begin late; then only as syncp does. Each takes time in the number
// of locks, goroutines and rounds of the closure, and, if a section begins late, in the number of
// events since then. Accesses are kept as in syncp. The order of the last million events that
// matter is known, and fewer if there are many goroutines: a section that began before that, or in
// another part of the schedule, does not begin late. So memory is bounded.
package osr
