// Package readings has programs in which goroutines learn of readings of the clock, and compare them with their own.
package readings

import (
	"sync"
	"sync/atomic"
	"time"
)

// A goroutine learns of a reading by a TryLock that fails. Others use the lock, too.
func byTryLock() {
	var mu sync.Mutex
	var first, second time.Time
	var wg sync.WaitGroup
	wg.Go(func() {
		first = time.Now()
		mu.Lock()
		mu.Unlock()
	})
	wg.Go(func() {
		mu.TryLock()
		second = time.Now()
	})
	wg.Wait()
	print(second.Before(first))
}

// A goroutine learns of a reading by a default case, or by the length of a channel.
func byChannel() {
	c := make(chan bool, 2)
	var first, second, third time.Time
	var wg sync.WaitGroup
	wg.Go(func() {
		first = time.Now()
		c <- true
	})
	wg.Go(func() {
		select {
		case c <- true:
		default:
		}
		second = time.Now()
	})
	wg.Go(func() {
		if len(c) > 0 {
			third = time.Now()
		}
	})
	wg.Wait()
	print(second.Before(first), third.IsZero(), third.Before(first))
}

// Atomic operations come before others, each with what was read before it or not.
func byAtomics() {
	var x, y atomic.Int32
	var first, second time.Time
	var wg sync.WaitGroup
	wg.Go(func() {
		x.Add(1)
		first = time.Now()
		y.Add(1)
		x.Load()
	})
	wg.Go(func() {
		y.Load()
		x.Add(1)
		second = time.Now()
	})
	wg.Wait()
	print(second.Before(first))
}

// Several goroutines read the clock in turns.
func inTurns() {
	var mu sync.Mutex
	var last time.Time
	ordered := true
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			now := time.Now()
			mu.Lock()
			ordered = ordered && !now.Before(last)
			last = now
			mu.Unlock()
		})
	}
	wg.Wait()
	print(ordered)
}

// A sleeper that would be early is held back by what it has learned of a reading.
func heldBack() {
	var x atomic.Int32
	go func() {
		time.Sleep(time.Second)
		x.Add(1)
	}()
	start := time.Now()
	x.Add(1)
	go func() {
		x.Add(1)
		time.Sleep(time.Second)
		print(x.Load(), time.Since(start) > 2*time.Second+time.Microsecond)
	}()
	time.Sleep(2 * time.Second)
	print(x.Load())
}

// either reads the clock before it calls do or after it, and comes to the same place.
func either(before *atomic.Bool, do func()) (now time.Time) {
	if before.Load() {
		now = time.Now()
		do()
	} else {
		do()
		now = time.Now()
	}
	return now
}

// A reading that comes before a lock is known to those whose TryLock fails.
func beforeLock() {
	var before atomic.Bool
	var mu sync.Mutex
	var n atomic.Int32
	var first, second time.Time
	go before.Store(true)
	go func() {
		first = either(&before, mu.Lock)
		n.Add(1)
	}()
	go func() {
		if !mu.TryLock() {
			second = time.Now()
			n.Add(1)
		}
	}()
	time.Sleep(time.Second)
	if n.Load() == 2 {
		print(second.Before(first))
	}
}

// A reading that comes before an element is received is known to those who find the channel empty.
func beforeReceive() {
	var before atomic.Bool
	c := make(chan bool, 1)
	c <- true
	var n atomic.Int32
	var first, second time.Time
	go before.Store(true)
	go func() {
		first = either(&before, func() { <-c })
		n.Add(1)
	}()
	go func() {
		select {
		case <-c:
		default:
			second = time.Now()
			n.Add(1)
		}
	}()
	time.Sleep(time.Second)
	if n.Load() == 2 {
		print(second.Before(first))
	}
}

// A reading that comes before a load is known to those that store.
func beforeLoad() {
	var before atomic.Bool
	var x, n atomic.Int32
	var first, second time.Time
	go before.Store(true)
	go func() {
		first = either(&before, func() { x.Load() })
		n.Add(1)
	}()
	go func() {
		x.Store(0)
		second = time.Now()
		n.Add(1)
	}()
	time.Sleep(time.Second)
	if n.Load() == 2 {
		print(second.Before(first))
	}
}
