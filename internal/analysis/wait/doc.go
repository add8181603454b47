// Package wait says when a goroutine at an event of a schedule waits for ever.
//
// A goroutine waits to receive or to send, in a select, for a wait group, or for a condition. The events that end
// its wait are the partners of the event. A [Finder] finds out, for the steps of each window of a schedule (package
// reorder), in which orders none is left: nothing but the partners has to be left out, and some other
// steps have to be done, such as the receives before a receive.
//
// This is so as far as the schedule shows who uses a channel, wait group or condition. Locks are not
// among what is waited for here: who holds one is known from the locks that goroutines hold.
package wait
