package testing

import "sync"

// everywayContext starts n goroutines in the middle of functions. It returns when all of them have ended.
func everywayContext(name string, n int) {
	names := newNames()
	contextTests(&T{common: common{name: name}, names: names}, &B{common: common{name: name}, N: 1, names: names}, &F{common: common{name: name, isFuzz: true}})
	for i := range n {
		prepareGoroutine(preparation(i))
	}
	awaitContext()
}

// prepareGoroutine calls the code that prepares the frames of a goroutine, and starts it. What panics there has
// panicked before the goroutine came to where it is, so that it is not there.
func prepareGoroutine(prepare func()) {
	defer func() {
		if recover() != nil {
			rejectContext()
		}
	}()
	prepare()
}

// contextCaller is below the frames of a goroutine that has inherited locks: it stands for callers that are not known. When the goroutine
// returns to it, it unlocks these locks.
func contextCaller() {
	calls()
	for {
		switch m, rw, how := callersLock(); how {
		case 1:
			m.Unlock()
		case 2:
			rw.Unlock()
		case 3:
			rw.RUnlock()
		default:
			return
		}
	}
}

// calls stands for the call of a function in which the goroutine begins.
func calls() {}

// callersLock returns a lock that the goroutine has inherited and still holds, and how it holds it: 0 stands for none, 1 for a Mutex, 2 for
// an RWMutex that is held for writing and 3 for one that is held for reading.
func callersLock() (m *sync.Mutex, rw *sync.RWMutex, how int)

// contextTests has every pointer to a T, a B or an F that is an input lead to one of these, since nobody else makes them: each has
// begun, and has not failed.
func contextTests(t *T, b *B, f *F)

// preparation returns the code that prepares the frames of a goroutine.
func preparation(i int) func()

// prepareStep carries out a step of such code.
func prepareStep(i int)

// rejectContext ends a run that begins in a state in which no run is.
func rejectContext()

// awaitContext waits until there is no other goroutine.
func awaitContext()
