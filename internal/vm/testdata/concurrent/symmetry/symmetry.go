// Package symmetry has functions that start goroutines. Comments say which of those are symmetric
// to one that was started before.
package symmetry

import (
	"sync"
	"sync/atomic"
)

var (
	mu     sync.Mutex
	shared int
	ready  atomic.Bool
	done   = make(chan bool, 1)
)

func work() {
	mu.Lock()
	shared++
	mu.Unlock()
}

func with(n int, to chan<- int, f func()) {
	to <- n
	f()
}

// symmetric: 0.2=0.1 0.3=0.2
func functions() {
	for range 3 {
		go work()
	}
}

// symmetric: 0.2=0.1 0.3=0.2
func waitGroup() {
	var wg sync.WaitGroup
	n := 0
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n++
			mu.Unlock()
		}()
	}
	wg.Wait()
}

// The goroutine's own closure captures a closure.
//
// symmetric: 0.2=0.1 0.3=0.2
func waitGroupGo() {
	var wg sync.WaitGroup
	n := 0
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
}

// symmetric: 0.2=0.1
func arguments() {
	to := make(chan int, 3)
	for _, n := range [...]int{7, 7, 8} {
		go with(n, to, work)
	}
}

// The same value in variables of their own that nobody changes.
//
// symmetric: 0.2=0.1 0.3=0.2
func constants() {
	to := make(chan int, 3)
	for range 3 {
		n := 3
		go func() { to <- n }()
	}
}

// Other values.
//
// symmetric: none
func indexes() {
	to := make(chan int, 3)
	for i := range 3 {
		go func() { to <- i }()
	}
}

// Variables that change.
//
// symmetric: none
func variables() {
	to := make(chan int, 3)
	for range 3 {
		n := 0
		go func() { n++; to <- n }()
	}
}

// A variable that is set when it has been captured.
//
// symmetric: none
func setLater() {
	for i := range 2 {
		var n int
		start := make(chan bool)
		go func() { <-start; shared = n }()
		n = i
		close(start)
	}
}

// A variable of which another has the address.
//
// symmetric: none
func escapes() {
	var all [2]*int
	for i := range 2 {
		n := 1
		all[i] = &n
		go func() { mu.Lock(); shared = n; mu.Unlock() }()
	}
	*all[0] = 2
}

// What the goroutine that starts them reads or writes in between may race with one of them.
//
// symmetric: none
func readsBetween() {
	go work()
	if shared == 0 {
		go work()
	}
}

// symmetric: none
func writesBetween() {
	for range 2 {
		go work()
		shared = 1
	}
}

// Variables of its own do not count, if they are new.
//
// symmetric: 0.2=0.1
func ownBetween() {
	for range 2 {
		p := &[]int{1}
		(*p)[0]++
		go work()
	}
}

// It synchronizes with another one in between, which comes before only one of them.
//
// symmetric: none
func waitsBetween() {
	go func() { shared = 1; done <- true }()
	for range 2 {
		go work()
		<-done
		done <- true
	}
}

// symmetric: none
func atomicBetween() {
	go func() { shared = 1; ready.Store(true) }()
	for range 2 {
		go work()
		for !ready.Load() {
		}
	}
}

// symmetric: none
func storesBetween() {
	for range 2 {
		go work()
		ready.Store(true)
	}
}

// symmetric: none
func locksBetween() {
	for range 2 {
		go work()
		mu.Lock()
		mu.Unlock()
	}
}

// Other go statements.
//
// symmetric: none
func statements() {
	go work()
	go work()
}

// Other goroutines start them.
//
// symmetric: none
func parents() {
	start := func() { go work() }
	go start()
	start()
}
