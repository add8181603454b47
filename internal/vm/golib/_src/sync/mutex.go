package sync

// A Locker can be locked and unlocked.
type Locker interface {
	Lock()
	Unlock()
}

// A Mutex is a mutual exclusion lock, unlocked when zero.
type Mutex struct {
	state int32 // 1 while locked
	_     uint32
}

// Unlocking a mutex that is not locked is a fatal error.
func mutexLock(state *int32)
func mutexUnlock(state *int32)
func mutexTryLock(state *int32) bool

// Lock locks m, when it is unlocked.
func (m *Mutex) Lock() { mutexLock(&m.state) }

// TryLock locks m if it is unlocked, and reports whether it did.
func (m *Mutex) TryLock() bool { return mutexTryLock(&m.state) }

// Unlock unlocks m.
func (m *Mutex) Unlock() { mutexUnlock(&m.state) }

// A RWMutex is a lock held by any number of readers or one writer.
type RWMutex struct {
	state int32 // the readers that are in, and whether a writer waits or is in
	_     [5]uint32
}

// A writer that waits in rwLock keeps new readers waiting.
func rwLock(state *int32)
func rwUnlock(state *int32)
func rwTryLock(state *int32) bool
func rwRLock(state *int32)
func rwRUnlock(state *int32)
func rwTryRLock(state *int32) bool

// Lock locks rw for writing, when nobody holds it.
func (rw *RWMutex) Lock() { rwLock(&rw.state) }

// TryLock locks rw for writing if nobody holds it, and reports whether it did.
func (rw *RWMutex) TryLock() bool { return rwTryLock(&rw.state) }

// Unlock undoes Lock.
func (rw *RWMutex) Unlock() { rwUnlock(&rw.state) }

// RLock locks rw for reading, when no writer holds it or waits for it.
func (rw *RWMutex) RLock() { rwRLock(&rw.state) }

// TryRLock locks rw for reading if RLock could, and reports whether it did.
func (rw *RWMutex) TryRLock() bool { return rwTryRLock(&rw.state) }

// RUnlock undoes one RLock.
func (rw *RWMutex) RUnlock() { rwRUnlock(&rw.state) }

// RLocker returns a Locker whose Lock and Unlock are RLock and RUnlock.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
