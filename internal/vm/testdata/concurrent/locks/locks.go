package locks

import (
	"sync"
	"sync/atomic"
)

// want: 2
func mutex() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Add(1)
		go func() {
			mu.Lock()
			n++
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	print(n)
}

// Without scheduling points at the accesses only one order is seen, and the races.
//
// want: 2 data race: data race: read and an earlier write are not ordered data race: data race: write and an earlier write are not ordered
func racy() {
	n := 0
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			n++
			done <- true
		}()
	}
	<-done
	<-done
	print(n)
}

// Storing what was just loaded is a write too: it would undo another in between.
//
// want: 1 data race: data race: read and an earlier write are not ordered data race: data race: write and an earlier write are not ordered
func storedBack() {
	n := 0
	done := make(chan bool)
	go func() {
		v := n
		n = v
		done <- true
	}()
	n = 1
	<-done
	print(n)
}

// want: true
// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func lockOrder() {
	var a, b sync.Mutex
	done := make(chan bool)
	go func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		done <- true
	}()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	print(<-done)
}

// want: fatal error: fatal error: sync: unlock of unlocked mutex
func unlocked() {
	var mu sync.Mutex
	mu.Unlock()
}

// want: fatal error: fatal error: sync: RUnlock of unlocked RWMutex
func readUnlocked() {
	var mu sync.RWMutex
	mu.RUnlock()
}

// want: true
// want: false
func tryLock() {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		mu.Unlock()
		close(done)
	}()
	ok := mu.TryLock()
	print(ok)
	if ok {
		mu.Unlock()
	}
	<-done
}

// A reader that locks again while a writer waits is stuck.
//
// want: ok
// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func recursiveRead() {
	var mu sync.RWMutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	mu.RLock()
	mu.RLock()
	mu.RUnlock()
	mu.RUnlock()
	<-done
	print("ok")
}

// want: panic: panic: sync: negative WaitGroup counter
func negative() {
	var wg sync.WaitGroup
	wg.Done()
}

// The counter has 32 bits.
//
// want: panic: panic: sync: negative WaitGroup counter
func overflow() {
	var wg sync.WaitGroup
	wg.Add(1<<31 - 1)
	wg.Add(1)
}

// want: woken
func cond() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		c.Signal()
	}()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
	print("woken")
}

// want: woken
// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func lostSignal() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() { c.Signal() }()
	mu.Lock()
	c.Wait()
	mu.Unlock()
	print("woken")
}

// A signal wakes any of the waiting goroutines.
//
// want: first
// want: second
// want: first deadlock: fatal error: all goroutines are asleep - deadlock!
// want: second deadlock: fatal error: all goroutines are asleep - deadlock!
// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func signalEither() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	done := make(chan string, 2)
	wait := func(name string) {
		mu.Lock()
		c.Wait()
		mu.Unlock()
		done <- name
	}
	go wait("first")
	go wait("second")
	c.Signal()
	print(<-done)
	c.Signal()
	<-done
}

// want: 3
func atomics() {
	var n atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(2) })
	wg.Wait()
	print(n.Load())
}

// want: 1
// want: 2
func lostUpdate() {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	wg.Wait()
	print(n.Load())
}

// want: 10
// want: 20
func compareAndSwap() {
	var n atomic.Uint32
	var wg sync.WaitGroup
	wg.Go(func() { n.CompareAndSwap(0, 10) })
	wg.Go(func() { n.CompareAndSwap(0, 20) })
	wg.Wait()
	print(n.Load())
}

// Publication by an atomic store orders the plain accesses.
//
// want: 0
// want: 42
func publish() {
	var ready atomic.Bool
	x := 0
	done := make(chan bool)
	go func() {
		x = 42
		ready.Store(true)
		close(done)
	}()
	v := 0
	if ready.Load() {
		v = x
	}
	<-done
	print(v)
}

// want: once
func once() {
	var o sync.Once
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { o.Do(func() { print("once") }) })
	}
	wg.Wait()
}
