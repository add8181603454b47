// Package deadlock predicts deadlocks of locks: goroutines each of which holds a lock and waits for one that
// the next of them holds, in a circle.
//
// The order of locks gives candidates, as in GoodLock (Havelund, SPIN 2000; Agarwal and Stoller, PADTAD
// 2006) and MagicFuzzer (Cai and Chan, ICSE 2012). A request is an acquisition of a lock by a goroutine that holds
// others, or that waits for readers. Request r leads to request s of another goroutine if s holds the lock
// of r, and not both for reading; or if r is for reading and s waits to write the same RWMutex, since a
// writer who waits keeps later readers out. A circle of requests by different goroutines is a
// candidate if no two of them hold a lock in common that excludes it, which would be a gate, and none is
// made only after another was granted. Circles may have any length.
//
// A candidate is predicted if there is an order of some of the events after which all of its requests are
// next: each goroutine has come to its request in the way in which it came to it in the schedule, and holds what it
// held. The orders are those of package reorder in which sections of a lock do not overlap, and every branch is
// taken as it was, which is the class huang of package class. Requests of one goroutine for the same
// lock at the same place, with the same locks held, are one candidate.
//
// # Guarantee
//
// Each finding is a deadlock of the program: after its witness none of its goroutines goes on,
// whatever the others do, since only a goroutine that holds a lock releases it. So locks that were released by a goroutine that
// had not taken them are in no candidate, nor are locks that were taken by TryLock requests; but a lock that TryLock
// has taken can be one that a goroutine holds. In the witness, the requests are the last events: they are not
// carried out, but made, a waiting writer's before the readers' that wait for it.
//
// Of memory, go statements, and locks that are released by who has taken them, all deadlocks of the
// class are found within the windows and within the bound below. Channels, wait groups, conditions, semaphores, Once and timers are kept as
// package ideal says, so that what they order stays ordered; a goroutine that waits for one of these while
// it holds a lock is in no candidate. The lock of a Cond counts as released while
// Wait waits, and taking it again is a request.
//
// # Complexity
//
// A lock event takes constant time until a window ends. Then circles are enumerated, at most 100000 steps
// of the enumeration and 1000 candidates a window; each is decided by the solver, which is NP-complete.
package deadlock
