package cover

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// do carries out an operation when its turn has come, or freely.
func do(id int32, kinds uint64, op func()) {
	g := self(id)
	if g == nil {
		op()
		return
	}
	_, kept := g.take(id, kinds)
	op()
	if kept {
		g.finish()
	}
}

// Lock locks m.
func Lock(id int32, m *sync.Mutex) { do(id, 1<<opLock, m.Lock) }

// Unlock unlocks m.
func Unlock(id int32, m *sync.Mutex) { do(id, 1<<opUnlock, m.Unlock) }

// TryLock tries to lock m.
func TryLock(id int32, m *sync.Mutex) bool { return try(id, opLock, m.TryLock) }

// try tries to lock something. The schedule has it that it succeeds or not.
func try(id int32, locks uint64, op func() bool) bool {
	g := self(id)
	if g == nil {
		return op()
	}
	n, kept := g.take(id, 1<<locks|1<<opTryFail)
	if !kept {
		return op()
	}
	ok := uint64(n.kind) == locks
	for ok && !op() {
		// It is free, but it may look as if it were not for a moment.
	}
	g.finish()
	return ok
}

// LockRW locks m for writing.
func LockRW(id int32, m *sync.RWMutex) {
	if g := self(id); g != nil && g.comes(id, 1<<opLockIntent) && !g.step(id, 1<<opLockIntent) {
		m.Lock()
		return
	}
	do(id, 1<<opLock, m.Lock)
}

// UnlockRW unlocks m for writing.
func UnlockRW(id int32, m *sync.RWMutex) { do(id, 1<<opUnlock, m.Unlock) }

// TryLockRW tries to lock m for writing.
func TryLockRW(id int32, m *sync.RWMutex) bool { return try(id, opLock, m.TryLock) }

// RLock locks m for reading.
func RLock(id int32, m *sync.RWMutex) { do(id, 1<<opRLock, m.RLock) }

// RUnlock unlocks m for reading.
func RUnlock(id int32, m *sync.RWMutex) { do(id, 1<<opRUnlock, m.RUnlock) }

// TryRLock tries to lock m for reading.
func TryRLock(id int32, m *sync.RWMutex) bool { return try(id, opRLock, m.TryRLock) }

// LockLocker locks l, which is not kept to a schedule if it is a type of the program's: what its method does is.
func LockLocker(id int32, l sync.Locker) {
	switch l := l.(type) {
	case *sync.Mutex:
		Lock(id, l)
	case *sync.RWMutex:
		LockRW(id, l)
	default:
		if l == nil || !reads(l) {
			l.Lock()
			return
		}
		do(id, 1<<opRLock, l.Lock)
	}
}

// UnlockLocker unlocks l.
func UnlockLocker(id int32, l sync.Locker) {
	switch l := l.(type) {
	case *sync.Mutex:
		Unlock(id, l)
	case *sync.RWMutex:
		UnlockRW(id, l)
	default:
		if l == nil || !reads(l) {
			l.Unlock()
			return
		}
		do(id, 1<<opRUnlock, l.Unlock)
	}
}

// reads reports whether l is what RWMutex.RLocker returns.
func reads(l sync.Locker) bool {
	type words struct{ kind, data unsafe.Pointer }
	rlocker := new(sync.RWMutex).RLocker()
	return (*words)(unsafe.Pointer(&l)).kind == (*words)(unsafe.Pointer(&rlocker)).kind
}

// Add adds to the counter of w.
func Add(id int32, w *sync.WaitGroup, delta int) { do(id, 1<<opWaitGroupAdd, func() { w.Add(delta) }) }

// Done subtracts from the counter of w.
func Done(id int32, w *sync.WaitGroup) { do(id, 1<<opWaitGroupAdd, w.Done) }

// WaitGroupWait waits for the counter of w.
func WaitGroupWait(id int32, w *sync.WaitGroup) { do(id, 1<<opWaitGroupWait, w.Wait) }

// Go has f run in a goroutine that w counts.
func Go(id int32, w *sync.WaitGroup, f func()) {
	Add(id, w, 1)
	child := Spawn(id)
	go func() {
		child.Start()
		returned := false
		defer func() {
			if !returned { // which is a panic, unless it is runtime.Goexit
				if x := recover(); x != nil {
					panic(x)
				}
			}
			child.done(w)
			child.End()
		}()
		f()
		returned = true
	}()
}

// done subtracts from the counter of w at the end of the goroutine, which has no place in the program.
func (g *goroutine) done(w *sync.WaitGroup) {
	if g == nil || free.Load() || !g.comes(-1, 1<<opWaitGroupAdd) {
		w.Done()
		return
	}
	_, kept := g.take(-1, 1<<opWaitGroupAdd)
	w.Done()
	if kept {
		g.finish()
	}
}

// Do calls f if nothing has been called with o before. That f has returned is a node, or that it had; in a set that has what a Once is
// made of, there are those nodes.
func Do(id int32, o *sync.Once, f func()) {
	g := self(id)
	switch {
	case g == nil:
		o.Do(f)
	case g.waits(id) || g.comes(id, 1<<opOnceSeen):
		do(id, 1<<opOnceSeen, func() { o.Do(f) })
	case g.comes(id, 1<<opAtomicRead):
		g.doInSteps(id, o, f)
	default:
		called, kept := false, false
		o.Do(func() {
			called = true
			f()
			_, kept = g.take(id, 1<<opOnce)
		})
		if !called {
			g.leave(id)
		}
		if kept {
			g.finish()
		}
	}
}

// waits reports whether the goroutine is blocked at a site when the epoch ends, and has nothing left to do before.
func (g *goroutine) waits(id int32) bool {
	g.know()
	if g.next < int32(len(g.nodes)) {
		return false
	}
	mu.Lock()
	defer mu.Unlock()
	if current.kind == exits || current.kind == dies {
		return false
	}
	e := &current.ends[g.number]
	return e.kind == blocked && at(id, e.place)
}

// doInSteps is Do, with a node for each step.
func (g *goroutine) doInSteps(id int32, o *sync.Once, f func()) {
	if _, kept := g.take(id, 1<<opAtomicRead); !kept {
		o.Do(f)
		return
	}
	seen := isDone(o)
	g.finish()
	if seen {
		return
	}
	if !g.step(id, 1<<opLock) {
		o.Do(f)
		return
	}
	if g.comes(id, 1<<opAtomicRead) {
		g.step(id, 1<<opAtomicRead)
	}
	if !isDone(o) {
		o.Do(func() {
			f()
			if g.comes(id, 1<<opAtomicWrite) {
				g.take(id, 1<<opAtomicWrite)
			}
		})
		if g.comes(id, 1<<opAtomicWrite) {
			g.finish()
		}
	}
	g.step(id, 1<<opUnlock)
}

// isDone reports whether something has been called with o, which its first word says.
func isDone(o *sync.Once) bool { return (*atomic.Uint32)(unsafe.Pointer(o)).Load() != 0 }

// A waiter waits for a condition.
type waiter struct{ signalled bool }

// waiters are those of each condition, in the order in which they have begun to wait.
var waiters = map[*sync.Cond][]*waiter{}

// Wait waits for c, which the native one has no part in: who is woken is what the schedule says.
func Wait(id int32, c *sync.Cond) {
	c.Signal() // wakes nobody, and panics if c is a copy
	g := self(id)
	kept := false
	if g != nil {
		_, kept = g.take(id, 1<<opCondWait)
	}
	w := new(waiter)
	mu.Lock()
	waiters[c] = append(waiters[c], w)
	mu.Unlock()
	c.L.Unlock()
	if kept {
		g.finish()
		_, kept = g.take(id, 1<<opCondWake)
	}
	mu.Lock()
	for !kept && !w.signalled {
		over.Wait()
	}
	remove(c, w)
	mu.Unlock()
	c.L.Lock()
	if kept {
		g.finish()
	}
}

// remove has w wait for c no more. If it was another one that had been signalled, that one goes on waiting.
func remove(c *sync.Cond, w *waiter) {
	list := waiters[c]
	rest := list[:0]
	for _, x := range list {
		if x != w {
			rest = append(rest, x)
		}
	}
	for _, x := range rest {
		if !w.signalled && x.signalled {
			x.signalled = false
			break
		}
	}
	if waiters[c] = rest; len(rest) == 0 {
		delete(waiters, c)
	}
}

// Signal wakes one that waits for c.
func Signal(id int32, c *sync.Cond) {
	c.Signal()
	do(id, 1<<opCondSignal, func() { signal(c, false) })
}

// Broadcast wakes all that wait for c.
func Broadcast(id int32, c *sync.Cond) {
	c.Broadcast()
	do(id, 1<<opCondSignal, func() { signal(c, true) })
}

func signal(c *sync.Cond, all bool) {
	mu.Lock()
	defer mu.Unlock()
	for _, w := range waiters[c] {
		if !w.signalled {
			w.signalled = true
			if !all {
				break
			}
		}
	}
	over.Broadcast()
}

const atomics = 1<<opAtomicRead | 1<<opAtomicWrite | 1<<opAtomicUpdate

// Do1 and the functions below call a function of package sync/atomic.
func Do1[A any](id int32, f func(A), a A) { do(id, atomics, func() { f(a) }) }

func Do2[A, B any](id int32, f func(A, B), a A, b B) { do(id, atomics, func() { f(a, b) }) }

func Call0[R any](id int32, f func() R) (r R) {
	do(id, atomics, func() { r = f() })
	return r
}

func Call1[A, R any](id int32, f func(A) R, a A) (r R) {
	do(id, atomics, func() { r = f(a) })
	return r
}

func Call2[A, B, R any](id int32, f func(A, B) R, a A, b B) (r R) {
	do(id, atomics, func() { r = f(a, b) })
	return r
}

func Call3[A, B, C, R any](id int32, f func(A, B, C) R, a A, b B, c C) (r R) {
	do(id, atomics, func() { r = f(a, b, c) })
	return r
}
