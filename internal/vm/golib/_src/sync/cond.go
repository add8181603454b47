package sync

import "unsafe"

// A Cond is a place to wait for an event. L is held when Wait is called.
type Cond struct {
	noCopy  noCopy
	L       Locker
	notify  int32          // names the condition to the machine, and counts goroutines that wait and are none of the run's
	checker unsafe.Pointer // the Cond itself, from its first use on
}

// condAdd announces that the goroutine is going to wait, condWait waits until it
// is woken: by condSignal, which picks any waiter, or by condBroadcast.
func condAdd(cond *int32)
func condWait(cond *int32)
func condSignal(cond *int32)
func condBroadcast(cond *int32)

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
	condAdd(&c.notify)
	c.L.Unlock()
	condWait(&c.notify)
	c.L.Lock()
}

// Signal wakes one goroutine that waits, if there is any.
func (c *Cond) Signal() {
	c.check()
	condSignal(&c.notify)
}

// Broadcast wakes all goroutines that wait.
func (c *Cond) Broadcast() {
	c.check()
	condBroadcast(&c.notify)
}
