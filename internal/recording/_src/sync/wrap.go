package sync

import (
	native "internal/runtime/atomic"
	"unsafe"
)

//go:noescape
//go:linkname everywayRecord runtime.everywayRecord
func everywayRecord(kind uint64, addr unsafe.Pointer, arg int64)

//go:linkname everywayEnter runtime.everywayEnter
func everywayEnter()

//go:linkname everywayLeave runtime.everywayLeave
func everywayLeave()

// everywayPends records that the goroutine has to wait for something of a kind, in the middle of what is not recorded.
func everywayPends(on unsafe.Pointer, kind int64) {
	everywayLeave()
	everywayRecord(everywayPending, on, kind)
	everywayEnter()
}

// Lock of a Mutex is that of package internal/sync, without a call, and so is Unlock: most locks are free.
func (m *Mutex) Lock() {
	if native.Cas((*uint32)(unsafe.Pointer(m)), 0, 1) { // the state is what a Mutex begins with
		everywayRecord(everywayLock, unsafe.Pointer(m), 0)
		return
	}
	m.mu.EverywayLock()
}

func (m *Mutex) Unlock() {
	everywayRecord(everywayUnlock, unsafe.Pointer(m), 0)
	if !native.Cas((*uint32)(unsafe.Pointer(m)), 1, 0) {
		m.mu.EverywayUnlock()
	}
}

func (rw *RWMutex) Lock() {
	everywayEnter()
	if rw.readerCount.Load() != 0 {
		everywayPends(unsafe.Pointer(rw), everywayLock)
	}
	rw.everywayLock()
	everywayLeave()
	everywayRecord(everywayLock, unsafe.Pointer(rw), 1)
}

func (rw *RWMutex) TryLock() bool {
	everywayEnter()
	ok := rw.everywayTryLock()
	everywayLeave()
	kind := uint64(everywayTryFail)
	if ok {
		kind = everywayLock
	}
	everywayRecord(kind, unsafe.Pointer(rw), 1)
	return ok
}

func (rw *RWMutex) Unlock() {
	everywayRecord(everywayUnlock, unsafe.Pointer(rw), 1)
	everywayEnter()
	rw.everywayUnlock()
	everywayLeave()
}

func (rw *RWMutex) RLock() {
	everywayEnter()
	if rw.readerCount.Load() < 0 {
		everywayPends(unsafe.Pointer(rw), everywayReadLock)
	}
	rw.everywayRLock()
	everywayLeave()
	everywayRecord(everywayReadLock, unsafe.Pointer(rw), 1)
}

func (rw *RWMutex) TryRLock() bool {
	everywayEnter()
	ok := rw.everywayTryRLock()
	everywayLeave()
	kind := uint64(everywayTryFail)
	if ok {
		kind = everywayReadLock
	}
	everywayRecord(kind, unsafe.Pointer(rw), 1)
	return ok
}

func (rw *RWMutex) RUnlock() {
	everywayRecord(everywayReadUnlock, unsafe.Pointer(rw), 1)
	everywayEnter()
	rw.everywayRUnlock()
	everywayLeave()
}

func (wg *WaitGroup) Add(delta int) {
	everywayRecord(everywayAdd, unsafe.Pointer(wg), int64(delta))
	everywayEnter()
	defer everywayLeave()
	wg.everywayAdd(delta)
}

func (wg *WaitGroup) Wait() {
	everywayRecord(everywayWait, unsafe.Pointer(wg), everywayWaits(wg))
}

// everywayWaits returns 1 if it has to wait.
func everywayWaits(wg *WaitGroup) (waits int64) {
	everywayEnter()
	defer everywayLeave()
	if int32(wg.state.Load()>>32) > 0 {
		waits = 1
		everywayPends(unsafe.Pointer(wg), everywayWait)
	}
	wg.everywayWait()
	return waits
}

func (c *Cond) Wait() {
	c.everywayCheck()
	t := runtime_notifyListAdd(&c.notify)
	everywayRecord(everywayCondWait, unsafe.Pointer(c), 0)
	c.L.Unlock()
	everywayRecord(everywayPending, unsafe.Pointer(c), everywayCondWake)
	runtime_notifyListWait(&c.notify, t)
	everywayRecord(everywayCondWake, unsafe.Pointer(c), 0)
	c.L.Lock()
}

func (c *Cond) Signal() {
	c.everywayCheck()
	everywayRecord(everywaySignal, unsafe.Pointer(c), 0)
	runtime_notifyListNotifyOne(&c.notify)
}

func (c *Cond) Broadcast() {
	c.everywayCheck()
	everywayRecord(everywayBroadcast, unsafe.Pointer(c), 0)
	runtime_notifyListNotifyAll(&c.notify)
}

func (c *Cond) everywayCheck() {
	everywayEnter()
	defer everywayLeave()
	c.checker.check()
}

func (o *Once) Do(f func()) {
	ran := false
	everywayEnter()
	defer everywayLeave()
	o.everywayDo(func() {
		ran = true
		everywayLeave()
		defer everywayEnter()
		defer everywayRecord(everywayOnce, unsafe.Pointer(o), 0)
		f()
	})
	if !ran {
		everywayLeave()
		everywayRecord(everywayOnceSeen, unsafe.Pointer(o), 0)
		everywayEnter()
	}
}

// everywayData returns the address of what is in an interface.
func everywayData(x any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1] }

func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	everywayRecord(everywayRelease, everywayData(x), 0)
	everywayEnter()
	defer everywayLeave()
	p.everywayPut(x)
}

func (p *Pool) Get() any {
	x := everywayGets(p)
	if x != nil {
		everywayRecord(everywayAcquire, everywayData(x), 0)
	}
	return x
}

func everywayGets(p *Pool) any {
	everywayEnter()
	defer everywayLeave()
	return p.everywayGet()
}

// everywayNew is New in a call of Get.
func (p *Pool) everywayNew() any {
	everywayLeave()
	defer everywayEnter()
	return p.New()
}
