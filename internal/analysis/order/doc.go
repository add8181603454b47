// Package order computes the happens-before relation of the Go memory model on a schedule.
//
// A [Relation] is given each event, in order, and holds the vector clock of each goroutine.
// An earlier event happened before the present one of a goroutine if the goroutine's clock
// covers the epoch of the earlier event.
//
// What orders events is
//
//   - the order of each goroutine, and a go statement before all that the new goroutine does;
//     the end of a goroutine is before a join of it, and otherwise orders nothing;
//   - the release of a lock before its next acquisition, but that of a reader only before that
//     of a writer; a failed TryLock orders nothing;
//   - a send before the receive that gets its value, and the kth receive from a channel of
//     capacity c before the completion of send k+c; a close before a receive that returns
//     because of it;
//   - a Done before a Wait that returns after it; a Signal or Broadcast before the Wait that it
//     wakes; the release of a semaphore before its acquisition; the function of a Once before
//     each return of Do;
//   - an atomic write before the atomic operations that see its value; one that
//     overwrites a value without reading it is not ordered after those before it;
//   - the setting of a timer before what it does when it fires;
//   - what goroutines that have set finalizers or cleanups have done before the garbage
//     collector runs these, which is more than Go promises: races of finalizers may be missed;
//   - all that was done in a bubble of testing/synctest before a Wait in it returns.
//
// [Relation.Settle] bounds the memory that the relation of a long schedule takes, and says how it then orders more.
//
// The rule of capacity is not followed for channels of more than 65536 elements, for want of
// memory: a receive from such a channel orders no later send.
package order
