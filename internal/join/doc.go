// Package join finds a schedule that explains what goroutines did, if it is only known of each goroutine by itself.
//
// A recorder that writes a trace for each goroutine need not synchronise them, which costs less and
// disturbs the program less; and other tools write such traces. [Traces] are read from files whose
// property [schedule.OrderProperty] is "local", and [Traces.Join] brings their events into an order
// that is a schedule: program order is kept, goroutines begin after they are started, critical
// sections exclude each other, reads see the values that they saw, and channels, wait groups,
// conditions, Once and timers do what they did. That is the combination of traces of Kalhauge
// (Hyperconcolic, M.Sc. thesis, Technical University of Denmark 2015, section 3.3); it records an
// order of accesses and locks with the traces, which is not needed here.
//
// # Guarantee
//
// What is found is valid as a [schedule.State] says, which is the only judge: each step of the
// search is one of a State, and another one checks what is written. Besides, the counter of a wait
// group does not become negative, unless a goroutine fails because of it or the traces cannot be
// explained otherwise, and a timer that one goroutine sets fires only after that. Where a State
// demands nothing, such as of semaphores, failed TryLocks and default cases, an order is preferred
// that makes sense, and no more.
//
// The schedule explains the traces; it need not be the order in which the program ran. What is wrong with it is wrong
// with the program as far as the traces say what each goroutine depended on: findings are at most predicted.
//
// If a proof is found that no schedule explains the traces, the error says so. Otherwise it says
// that none was found within the bounds.
//
// # How it is found
//
// Whether there is a schedule is NP-complete (Gibbons and Korach, Testing shared memories, SIAM J.
// Comput. 1997), but most traces leave little choice. So a greedy order comes first, in time that
// grows with the number of events: what can be done and keeps nothing else from being done is done
// at once. Of the rest, what somebody waits for is done before what destroys a value that somebody
// still has to read, and what would destroy the last such value is not done. Times, where the
// traces have them, decide between equals.
//
// Where that comes to a dead end, the last events are taken back, and the solver (package
// solve/order, a SAT solver with the theory of acyclic graphs) orders them, together with some that
// follow. What memory and locks demand is stated with the same constraints as in package reorder,
// and who is woken by which signal is stated, too; the rest is stated as it is needed: if a State
// refuses the order that was found, a clause excludes that the events on which the refusal depends
// come in that order. Windows grow up to 2000 events; if there are no more, the answer is exact.
//
// What is hard are channels with room for many values on which several goroutines send and from
// which several receive, in traces that are longer than a window: their order of values is stated
// only as it is needed.
//
// A value passes through as follows: [Traces.Add] numbers what files name; needs are what is fixed,
// such as that a value is received after it was sent, if it was sent once; uses are what events
// share; a path is an order so far, with its State; greedy extends a path, and window asks the
// solver.
package join
