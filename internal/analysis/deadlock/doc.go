// Package deadlock predicts deadlocks: goroutines in a circle, each of which waits as long as the
// next one does.
//
// # Candidates
//
// Dependences between requests give candidates, as the order of locks does in GoodLock (Havelund,
// SPIN 2000; Agarwal and Stoller, PADTAD 2006) and MagicFuzzer (Cai and Chan, ICSE 2012). A request
// is an event that can wait: an acquisition of a lock, a receive or a send, or the Wait of a wait
// group or condition. Request r leads to request s of another goroutine
//
//   - if r is for a lock that the goroutine of s holds then, and not both for reading;
//   - if r is for reading and s waits to write the same RWMutex, since a writer who waits keeps later
//     readers out;
//   - if r is a receive, and the goroutine of s sends what is received, or closes the channel, after s;
//   - if r is a send, and the goroutine of s receives what makes room for it after s;
//   - if r is a Wait, and the goroutine of s calls Done, Signal or Broadcast after s;
//   - if r is a select, and one of its cases leads to s.
//
// A circle of requests by different goroutines is a candidate if one of them is for a lock, no two
// of the goroutines hold a lock in common (a gate, which would exclude the circle), and no request
// is made only after another was granted. Circles may have any length; one that contains a shorter
// one is not looked at. Requests of one goroutine for the same lock at the same place, with the
// same locks held, are one.
//
// # Prediction
//
// A candidate is predicted if there is an order of some of the events after which all of its
// requests are next, such that
//
//   - each goroutine has come to its request as it did in the schedule, and holds what it held;
//   - a channel is empty and open if a request receives from it, and full if one sends to it; the
//     counter of a wait group is positive; and at a condition, what is signalled before the Wait in
//     the schedule has been signalled;
//   - whatever is sent, received, done or signalled later in the schedule and could change that is
//     done by goroutines of the circle, after their requests.
//
// The orders are those of package reorder in which sections of a lock do not overlap, and every
// branch is taken as it was, which is the class huang of package class.
//
// A second detector, circle, looks at orders in which reads may see other values, class Blind. A
// goroutine that has read another one may not come to its request, so what it finds is suspected.
// It has the deadlocks that need another value and do not depend on which: of two transfers between
// accounts, each of which looks at the balance of the account that it has locked. A run decides.
//
// # Guarantee
//
// After the witness of a finding, its goroutines do not go on in any order of the other events of
// the schedule. The witness ends with the requests, which are made but not granted, a waiting
// writer's before those of the readers that wait for it.
//
// If all requests are for locks, that is a deadlock of the program, whatever else it can do, since
// only a goroutine that holds a lock releases it. So locks that were released by a goroutine that
// had not taken them are in no candidate, nor are requests by TryLock; but a lock that TryLock has
// taken can be one that a goroutine holds. With channels, wait groups and conditions, it is a
// deadlock as far as the schedule shows who uses them: another goroutine may send in a case that it
// did not choose. If one does so later in the schedule, beyond the window, the deadlock is not
// reported.
//
// Of memory, go statements, and locks that are released by who has taken them, all deadlocks of
// locks in the class are found within the windows and within the bounds below. A select with a
// default case, or whose cases are not known, is no request, but another goroutine may wait for it.
// What timers send is waited for by nobody here. Semaphores and Once are no requests either. The
// lock of a Cond counts as released while Wait waits, and taking it again is another request. What
// is kept of all of these stays in order, as package ideal says.
//
// # Circles that are not in one window
//
// Circles of at most four requests for locks, each made while another lock is held, are also looked
// for in the whole schedule, wherever the requests are. The abstract requests, one for each place,
// goroutine and set of locks held, are kept with the first and last four times that they were made.
// A circle is decided by the least ideal (package ideal) that has all that its requests need, in
// which reads see the writes that they have seen, closed under the releases that later sections of
// the same locks need: it is predicted if no request is in it. These are the sync-preserving
// deadlocks of Tunç, Mathur, Pavlogiannis and Viswanathan (PLDI 2023), which are a part of the
// class above: the order of sections stays as it is. The events that matter are those of the ideal,
// and no others are put in order. Schedules of more than 4 million events are looked at by windows
// only, as are circles that a waiting writer closes and requests beyond the first 16384.
//
// # Complexity
//
// An event takes constant time until a window ends. Then circles are enumerated, at most 100000
// steps of the enumeration and 1000 candidates a window; each is decided by the solver, which is
// NP-complete. In the end as many circles of the whole schedule are decided, each in time linear in
// its requests' times, locks and goroutines, of which 256 combinations are tried. The schedule is
// kept for that, 48 bytes an event and 200 MB at most.
package deadlock
