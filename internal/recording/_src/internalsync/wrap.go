package sync

import (
	"sync/atomic"
	"unsafe"
)

//go:noescape
//go:linkname everywayRecord runtime.everywayRecord
func everywayRecord(kind uint64, addr unsafe.Pointer, arg int64)

//go:linkname everywayEnter runtime.everywayEnter
func everywayEnter()

//go:linkname everywayLeave runtime.everywayLeave
func everywayLeave()

func (m *Mutex) Lock() {
	everywayEnter()
	if atomic.LoadInt32(&m.state)&mutexLocked != 0 {
		everywayLeave()
		everywayRecord(everywayPending, unsafe.Pointer(m), everywayLock)
		everywayEnter()
	}
	m.everywayLock()
	everywayLeave()
	everywayRecord(everywayLock, unsafe.Pointer(m), 0)
}

func (m *Mutex) TryLock() bool {
	everywayEnter()
	ok := m.everywayTryLock()
	everywayLeave()
	kind := uint64(everywayTryFail)
	if ok {
		kind = everywayLock
	}
	everywayRecord(kind, unsafe.Pointer(m), 0)
	return ok
}

func (m *Mutex) Unlock() {
	everywayRecord(everywayUnlock, unsafe.Pointer(m), 0)
	everywayEnter()
	m.everywayUnlock()
	everywayLeave()
}
