package sync

// Below this package are locks, not semaphores, and no processors to be pinned to.
// Only the tests ask for them.

// released is told of every semaphore that is released.
var released = NewCond(new(Mutex))

// runtime_Semacquire waits until *s > 0 and decrements it.
func runtime_Semacquire(s *uint32) {
	released.L.Lock()
	defer released.L.Unlock()
	for *s == 0 {
		released.Wait()
	}
	*s--
}

// runtime_Semrelease increments *s. Who waits for that takes it in its turn: whether
// it is handed over at once is not told apart.
func runtime_Semrelease(s *uint32, handoff bool, skipframes int) {
	released.L.Lock()
	*s++
	released.L.Unlock()
	released.Broadcast()
}

func runtime_procPin() int { return 0 }

func runtime_procUnpin() {}
