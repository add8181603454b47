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

// Lock begins as the original does, for a lock that is free, and so does Unlock: all that is not
// recorded need not be turned off then.
func (m *Mutex) Lock() {
	if native.Cas((*uint32)(unsafe.Pointer(&m.state)), 0, mutexLocked) {
		everywayRecord(everywayLock, unsafe.Pointer(m), 0)
		return
	}
	m.EverywayLock()
}

// EverywayLock is Lock for a lock that was not free.
func (m *Mutex) EverywayLock() {
	if native.Load((*uint32)(unsafe.Pointer(&m.state)))&mutexLocked != 0 {
		everywayRecord(everywayPending, unsafe.Pointer(m), everywayLock)
	}
	everywayEnter()
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
	if !native.Cas((*uint32)(unsafe.Pointer(&m.state)), mutexLocked, 0) {
		m.EverywayUnlock()
	}
}

// EverywayUnlock is the rest of Unlock if others want the lock.
func (m *Mutex) EverywayUnlock() {
	everywayEnter()
	m.everywayUnlock()
	everywayLeave()
}
