// Package queue says which goroutines are known to wait at channels, and what becomes of them.
//
// A goroutine that is parked at a communication may have come to it and wait there, or not have
// come to it yet: nobody can tell, and both are explored. At a quiescent point, when time passes or
// synctest.Wait returns, one can tell: all goroutines that are blocked are known to wait
// ([Quiesce]). They are the waiters of their channels until they go on ([Leave]). Channels that are
// linked by selects at which goroutines wait share a queue ([state.Queue]).
//
// Waiters are served as in Go. While a goroutine is known to wait to receive from a channel, a send
// goes to it directly, also if the channel has a buffer, and never into the buffer; a select with a
// default case finds it. While one is known to wait to send, a receive takes its value or, from a
// full buffer, the oldest element, and the value of the waiter takes the free place in the same
// step. Waiters come before goroutines that may have come since, those of an earlier quiescent
// point before those of a later one. Among those of one quiescent point the order is a decision. It
// is package sched that carries out such communications.
//
// When a channel is closed ([ServeClosed]), its waiters are served, and when it gets the value of a
// timer, the first of them ([ServeTimer]): they do not wait at the other channels of their selects
// any more. They go on in a step of their own. Which of several [Receivers] of one quiescent point
// a timer sends to is a decision as well.
package queue
