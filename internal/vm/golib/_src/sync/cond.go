package sync

import "unsafe"

// A Cond is a place to wait for an event. L is held when Wait is called.
type Cond struct {
	noCopy  noCopy
	L       Locker
	notify  notifyList
	checker unsafe.Pointer // the Cond itself, from its first use on
}

// A notifyList is the state of the waiting; the machine knows its fields.
type notifyList struct {
	tickets int32          // given out so far
	woken   int32          // of these, how many have been signalled
	list    unsafe.Pointer // the machine's record of which
}

// condAdd takes a ticket, condWait waits until it is signalled: by condSignal,
// which picks any ticket, or by condBroadcast.
func condAdd(tickets *int32) (ticket int32)
func condWait(tickets *int32, ticket int32)
func condSignal(tickets *int32)
func condBroadcast(tickets *int32)

// checkCopy reports whether *self is its own Cond, or nil, which it makes so.
func checkCopy(self *unsafe.Pointer) bool

// NewCond returns a condition variable with the lock l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

func (c *Cond) check() {
	if !checkCopy(&c.checker) {
		panic("sync.Cond is copied")
	}
}

// Wait unlocks c.L, waits to be woken, and locks it again.
func (c *Cond) Wait() {
	c.check()
	t := condAdd(&c.notify.tickets)
	c.L.Unlock()
	condWait(&c.notify.tickets, t)
	c.L.Lock()
}

// Signal wakes one goroutine that waits, if there is any.
func (c *Cond) Signal() {
	c.check()
	condSignal(&c.notify.tickets)
}

// Broadcast wakes all goroutines that wait.
func (c *Cond) Broadcast() {
	c.check()
	condBroadcast(&c.notify.tickets)
}
