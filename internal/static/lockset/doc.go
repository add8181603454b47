// Package lockset finds out which locks a goroutine holds at an instruction: which ones it may hold,
// and which ones it must hold.
//
// A lock is a sync.Mutex or sync.RWMutex, and it is held from a call of Lock, RLock or TryLock on,
// also if that is made through an interface, deferred, or in a function that the goroutine has
// called. The analysis goes over the control flow of each function, and over the call graph until
// nothing changes: callees get what is held at their call sites, and what they acquire and release
// is what the call does.
//
// What may be held is a set of acquisitions, the sites of calls that lock; [Result.May] returns the
// objects that their addresses may point to. An acquisition ends only where an Unlock is certainly
// of the same lock: of the same field of the same variable, reached from the same register or
// through parameters, captured variables and package variables (a [Path]). What must be held is a
// set of paths. An Unlock of any lock that may be the same, in this function or in one that it
// calls, ends that.
//
// What (*sync.Cond).Wait unlocks it has locked again when it returns, so that a call of it changes nothing.
//
// A goroutine starts without locks, as do functions that the machine calls. After a panic that a deferred
// call recovers from, anything that the function or those that it calls have acquired may be held.
//
// # What is assumed
//
// Package pointsto says which locks may be the same. Locks of other kinds, such as channels used
// as such, are none.
package lockset
