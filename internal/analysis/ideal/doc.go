// Package ideal computes which events of a schedule have to be kept for others to be possible.
//
// A prediction keeps some of the events of a schedule, and leaves out the rest. What it keeps is
// an ideal: of each goroutine a prefix, and with each event all that the event needs. The events
// of an ideal, in the order in which they were recorded, are a schedule again: every read sees
// the write that it has seen, and every other operation ends as it did. The ideals of a
// [Relation] are vector clocks: the time of a goroutine is the number of its events that are
// kept.
//
// Besides the events of its goroutine before it, and the go statement that started the
// goroutine, an event needs
//
//   - if it receives, all that was sent on the channel up to the value, and the receives before;
//     if that finds the channel closed, all that was done to the channel before;
//   - if it is the kth send on a channel of capacity c, the receive k-c. What follows a send on
//     a channel without a buffer needs its receive;
//   - if it is a Done, the Adds before it, and if it is a Wait, also the Dones;
//   - if it is a wake, its signal, or all signals so far if it is not known which it was; a Signal,
//     but not a Broadcast, needs what was done before at its condition, on which it depends
//     whom it wakes;
//   - if it acquires a semaphore, the releases before it; if it has seen a Once done, that;
//   - if it unlocks what another goroutine has locked, the acquisition; if it takes a lock, all releases
//     before it by goroutines that had not taken it;
//   - if it is the begin of a finalizer or cleanup, what goroutines that have set some have done before;
//   - if it is len of a channel, or a select that takes its default case, all that was done
//     before to the channel, or to all channels if several are in the select;
//   - if it sets or stops a timer, or is the firing of one, what was done to the timer before.
//     Steps of timers stay in their order;
//   - if it is the end of synctest.Wait, everything before it.
//
// A failed TryLock needs nothing, since the Go memory model lets it fail at any time, and neither
// do sleeping, the passing of time, and the choices of the runtime. Acquisitions of locks are ordered
// only if [Locks] asks for it, as package shb does; package syncp keeps less. Reads need writes if
// [Reads] asks for it.
//
// These needs cover the happens-before relation of package order: what happens before an event is
// needed, locks aside. They are more than that where the end of an operation depends on what
// does not synchronise with it, such as which of two receivers gets the first value. There a
// schedule can have a race that no other order of the same steps brings closer together.
package ideal
