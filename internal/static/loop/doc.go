// Package loop finds the loops of functions, and which of them may synchronise with other
// goroutines.
//
// A [Loop] is a natural loop of the control flow: the header, which dominates the others, and the
// nodes from which an edge leads back to it without passing the header (Aho, Lam, Sethi and Ullman,
// Compilers, section 9.6.6); loops with the same header are one. A loop in which no node dominates
// the others is a loop all the same, whose header is the first of its nodes. It may synchronise if
// it, or a function that it calls in its own goroutine, may carry out an operation of another
// goroutine's interest: on a channel, a select, a go statement, or a function of the machine that
// is a visible operation, such as those that locks, atomics, wait groups and timers are made of. It
// may wait by reading if it reads shared memory, which another goroutine may write.
package loop
