package protection

import (
	"sync"
	"sync/atomic"
)

// What a goroutine waits for is done by one that need not know of what others have done.

func doneByAnother(k int) {
	d := new(int)
	var wg sync.WaitGroup
	wg.Add(1)
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
	})
	o.next(1, func() { wg.Done() })
	go func() {
		wg.Wait()
		_ = *d
	}()
}

func doneByAnotherFirst()  { doneByAnother(choice()) }
func doneByAnotherSecond() { doneByAnother(1 - choice()) }

func closedByAnother(k int) {
	d := new(int)
	c := make(chan int)
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
	})
	o.next(1, func() { close(c) })
	go func() {
		<-c
		_ = *d
	}()
}

func closedByAnotherFirst()  { closedByAnother(choice()) }
func closedByAnotherSecond() { closedByAnother(1 - choice()) }

func metAnother(k int) {
	d := new(int)
	c := make(chan int)
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
	})
	o.next(1, func() { c <- 0 })
	go func() {
		<-c
		_ = *d
	}()
}

func metAnotherFirst()  { metAnother(choice()) }
func metAnotherSecond() { metAnother(1 - choice()) }

func unlockedByAnother(k int) {
	d := new(int)
	mu := new(sync.Mutex)
	mu.Lock()
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
	})
	o.next(1, func() { mu.Unlock() })
	go func() {
		mu.Lock()
		_ = *d
	}()
}

func unlockedByAnotherFirst()  { unlockedByAnother(choice()) }
func unlockedByAnotherSecond() { unlockedByAnother(1 - choice()) }

func signalledByAnother(k int) {
	d := new(int)
	mu := new(sync.RWMutex)
	cond := sync.NewCond(mu.RLocker())
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
	})
	o.next(1, func() { cond.Broadcast() })
	go func() {
		mu.RLock()
		cond.Wait()
		_ = *d
	}()
}

func signalledByAnotherFirst()  { signalledByAnother(choice()) }
func signalledByAnotherSecond() { signalledByAnother(1 - choice()) }

// In the functions below, those who come later are started by one that knows nothing of what came before, and are about to learn of it, or seem to be.

// afterwards has two goroutines do something after another one has done something else.
func afterwards(first, then func()) {
	c := make(chan int, 1)
	go func() {
		first()
		c <- 0
	}()
	if len(c) == 1 {
		go then()
		go then()
	}
}

// An operation is compared with what has been done to its own cell before it learns anything.
func overwrittenAndUsed(k int) {
	mu := new(sync.Mutex)
	afterwards(func() {
		if k == 0 {
			*mu = sync.Mutex{}
		}
		mu.Lock()
		mu.Unlock()
	}, func() {
		mu.Lock()
		mu.Unlock()
	})
}

func overwrittenAndUsedFirst()  { overwrittenAndUsed(choice()) }
func overwrittenAndUsedSecond() { overwrittenAndUsed(1 - choice()) }

// A store teaches nothing, nor does an addition that commutes.
func storedAfter(k int) {
	d := new(int)
	var flag atomic.Int32
	afterwards(func() {
		if k == 0 {
			*d = 0
		}
		flag.Store(1)
	}, func() {
		flag.Store(1)
		_ = *d
	})
}

func storedAfterFirst()  { storedAfter(choice()) }
func storedAfterSecond() { storedAfter(1 - choice()) }

func addedAfter(k int) {
	d := new(int)
	var flag atomic.Int32
	afterwards(func() {
		if k == 0 {
			*d = 0
		}
		flag.Store(1)
	}, func() {
		flag.Add(1)
		_ = *d
	})
}

func addedAfterFirst()  { addedAfter(choice()) }
func addedAfterSecond() { addedAfter(1 - choice()) }

// A lock that is tried teaches nothing when it is held.
func triedAfter(k int) {
	d := new(int)
	mu := new(sync.Mutex)
	afterwards(func() {
		if k == 0 {
			*d = 0
		}
		mu.Lock()
		mu.Unlock()
		mu.Lock()
	}, func() {
		mu.TryLock()
		_ = *d
	})
}

func triedAfterFirst()  { triedAfter(choice()) }
func triedAfterSecond() { triedAfter(1 - choice()) }

// What has been read and released is known to who acquires it, and there is no race.
func loadedAfter(k int) {
	d := new(int)
	var flag atomic.Int32
	afterwards(func() {
		if k == 0 {
			*d = 0
		}
		flag.Store(1)
	}, func() {
		flag.Load()
		_ = *d
	})
}

func loadedAfterFirst()  { loadedAfter(choice()) }
func loadedAfterSecond() { loadedAfter(1 - choice()) }
