// Package atomics has programs that load variables by package sync/atomic, and add to them.
package atomics

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Settled loads, in each goroutine, what has been stored before it was started.
func Settled() {
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		limit atomic.Int64
		n     int64
	)
	limit.Store(3)
	wg.Add(3)
	for range 3 {
		go func() {
			defer wg.Done()
			if limit.Load() == 0 {
				panic("no limit")
			}
			mu.Lock()
			if n < limit.Load() {
				n++
			}
			mu.Unlock()
		}()
	}
	wg.Wait()
	if n != limit.Load() {
		panic("too few")
	}
}

// Guarded loads what others store in sections of the same lock.
func Guarded() {
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		n    atomic.Int64
		last int64
	)
	wg.Add(3)
	for range 3 {
		go func() {
			defer wg.Done()
			mu.Lock()
			n.Store(n.Load() + 1)
			mu.Unlock()
			mu.Lock()
			last = n.Load()
			mu.Unlock()
		}()
	}
	wg.Wait()
	if last != 3 && n.Load() != 3 {
		panic("lost")
	}
}

// StoredLater stores, where a section comes first, what is loaded without an order where it comes later.
func StoredLater() {
	var flag atomic.Bool
	later(func() { flag.Store(true) }, flag.Load)
}

// later changes, where a section comes first, what is looked at without an order where it comes later.
func later(change func(), changed func() bool) {
	var (
		mu   sync.Mutex
		done bool
	)
	go func() {
		mu.Lock()
		done = true
		mu.Unlock()
		change()
	}()
	mu.Lock()
	seen := done
	mu.Unlock()
	if !seen && changed() {
		panic("changed meanwhile")
	}
}

// Decides panics if a store comes first that nothing orders with the load.
func Decides() {
	var a, b atomic.Int32
	go func() {
		a.Store(1)
		b.Store(1)
	}()
	if a.Load() == 1 && b.Load() == 0 {
		panic("between the two")
	}
}

// Waits waits in a loop for what is stored.
func Waits() {
	var (
		ready atomic.Bool
		x     int
	)
	go func() {
		x = 1
		ready.Store(true)
	}()
	for !ready.Load() {
		runtime.Gosched()
	}
	if x != 1 {
		panic("not ordered")
	}
}

// Spins waits in a loop without any other operation.
func Spins() {
	var (
		mu    sync.Mutex
		ready atomic.Bool
	)
	go func() {
		mu.Lock()
		ready.Store(true)
		mu.Unlock()
	}()
	for !ready.Load() {
	}
}

// Forever waits for what nobody stores.
func Forever() {
	var ready, other atomic.Bool
	go func() { other.Store(true) }()
	for !ready.Load() {
		runtime.Gosched()
	}
}

// Published loads a pointer that another goroutine has published.
func Published() {
	type node struct{ x int }
	var p atomic.Pointer[node]
	go func() {
		n := &node{}
		n.x = 1
		p.Store(n)
	}()
	if n := p.Load(); n != nil && n.x != 1 {
		panic("not published")
	}
}

// PublishedTwice loads it in two goroutines, one of which is told by a channel.
func PublishedTwice() {
	type node struct{ x int }
	var p atomic.Pointer[node]
	told := make(chan bool, 1)
	go func() {
		p.Store(&node{1})
		told <- true
	}()
	go func() {
		if n := p.Load(); n != nil && n.x == 0 {
			panic("not published")
		}
	}()
	<-told
	if p.Load().x != 1 {
		panic("not published")
	}
}

// Compares adds one by a load and a CompareAndSwap.
func Compares() {
	var (
		n  atomic.Int32
		wg sync.WaitGroup
	)
	failed := make([]bool, 2)
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			old := n.Load()
			failed[i] = !n.CompareAndSwap(old, old+1)
		}()
	}
	wg.Wait()
	if failed[0] && n.Load() == 1 {
		panic("failed")
	}
}

// Alias stores by another pointer.
func Alias() {
	var x uint32
	go func() { atomic.StoreUint32((*uint32)(unsafe.Pointer(&x)), 1) }()
	if atomic.LoadUint32(&x) == 1 {
		panic("stored")
	}
}

// Values stores in an atomic.Value.
func Values() {
	var v atomic.Value
	go func() { v.Store("a") }()
	if v.Load() != nil {
		panic("stored")
	}
}

// Plain writes to the variable without package sync/atomic.
func Plain() {
	var (
		x  int32
		mu sync.Mutex
	)
	go func() {
		mu.Lock()
		x = 1
		mu.Unlock()
	}()
	atomic.LoadInt32(&x)
}

// Once loads in each call whether the function has been called.
func Once() {
	var (
		once sync.Once
		wg   sync.WaitGroup
		n    int
	)
	wg.Add(3)
	for range 3 {
		go func() {
			defer wg.Done()
			once.Do(func() { n++ })
		}()
	}
	wg.Wait()
	if n != 1 {
		panic("not once")
	}
}

// Told loads, in one of two orders of sections, what is stored after them.
func Told() {
	var v atomic.Int32
	told(func() { v.Store(1) }, func() bool { return v.Load() == 1 })
}

// told looks, in one of two orders of sections, at what is changed after them.
func told(change func(), changed func() bool) {
	var (
		mu    sync.Mutex
		first int
	)
	for i := 1; i <= 2; i++ {
		go func() {
			mu.Lock()
			if first == 0 {
				first = i
			}
			mine := first == i
			mu.Unlock()
			if i == 1 && mine {
				change()
			}
			if i == 2 && !mine && changed() {
				panic("told")
			}
		}()
	}
}

// Counted loads, in a later run than the first, what has been stored after a plain write. The number of values in a channel orders nothing, but the load learns
// of both.
func Counted() {
	var (
		limit atomic.Int32
		x     int32
	)
	limit.Store(2)
	ch := make(chan bool, 1)
	go func() {
		x = 1
		atomic.StoreInt32(&x, limit.Load())
		ch <- true
	}()
	if len(ch) == 1 && atomic.LoadInt32(&x) != 2 {
		panic("not stored")
	}
	if limit.Load() != 2 {
		panic("no limit")
	}
}

// Totals adds to counters that are read when all are done.
func Totals() {
	var (
		mu         sync.Mutex
		wg         sync.WaitGroup
		begun, end atomic.Int64
		n          int64
	)
	wg.Add(3)
	for range 3 {
		go func() {
			defer wg.Done()
			begun.Add(1)
			mu.Lock()
			n++
			mu.Unlock()
			end.Add(1)
		}()
	}
	wg.Wait()
	if begun.Load() != n || end.Load() != n {
		panic("lost")
	}
}

// TotalsGuarded adds, and looks at the sum, in sections of a lock.
func TotalsGuarded() {
	var (
		mu  sync.Mutex
		sum atomic.Int32
	)
	for range 2 {
		go func() {
			mu.Lock()
			sum.Add(1)
			mu.Unlock()
		}()
	}
	mu.Lock()
	n := sum.Load()
	mu.Unlock()
	if n == 2 {
		panic("both")
	}
}

// TotalsTwice looks at the sum twice, which two others change meanwhile.
func TotalsTwice() {
	var sum atomic.Int32
	for range 2 {
		go func() { sum.Add(1) }()
	}
	if sum.Load() == 1 && sum.Load() == 2 {
		panic("meanwhile")
	}
}

// AddedLater adds there.
func AddedLater() {
	var sum atomic.Int32
	later(func() { sum.Add(1) }, func() bool { return sum.Load() > 0 })
}

// ToldSum adds there, to what is compared.
func ToldSum() {
	var sum atomic.Int32
	told(func() { sum.Add(1) }, func() bool { return sum.CompareAndSwap(1, 2) })
}

// Overwritten stores what another one adds to.
func Overwritten() {
	var (
		sum atomic.Int32
		wg  sync.WaitGroup
	)
	wg.Add(2)
	go func() {
		defer wg.Done()
		sum.Add(1)
	}()
	go func() {
		defer wg.Done()
		sum.Store(5)
	}()
	wg.Wait()
	if sum.Load() == 5 {
		panic("overwritten")
	}
}

// PlainSum reads a sum without package sync/atomic.
func PlainSum() {
	var (
		sum int32
		mu  sync.Mutex
	)
	go func() {
		mu.Lock()
		mu.Unlock()
		atomic.AddInt32(&sum, 1)
	}()
	mu.Lock()
	mu.Unlock()
	_ = sum
}

// Results adds, and one of those who do looks at the result.
func Results() {
	var sum atomic.Int32
	go func() { sum.Add(2) }()
	go func() { sum.Add(4) }()
	if sum.Add(1) == 5 {
		panic("the second one came first")
	}
}

// Summed publishes by an addition: who reads the sum knows of what was written before.
func Summed() {
	var (
		sum atomic.Int32
		x   [2]int
	)
	for i := range x {
		go func() {
			x[i] = 1
			sum.Add(1)
		}()
	}
	if sum.Load() == 2 && x[0]+x[1] != 2 {
		panic("not published")
	}
}

// Deferred adds and loads by deferred calls, which are made in one place. Nothing but the load learns of the addition.
func Deferred() {
	var sum atomic.Int32
	told := make(chan bool)
	go func() {
		defer sum.Load()
		defer sum.Add(1)
		told <- true
	}()
	<-told
	if sum.Load() == 0 {
		panic("not yet")
	}
}

// EndsLater sees that a goroutine has not ended that has nothing left to do but to add.
func EndsLater() {
	var sum atomic.Int32
	told := make(chan bool)
	go func() {
		told <- true
		sum.Add(1)
	}()
	<-told
	if runtime.NumGoroutine() > 1 {
		panic("not ended")
	}
}

// EndsLaterTold sees that in one of two orders of sections, of a goroutine that has nothing left to do but to load.
func EndsLaterTold() {
	var (
		mu    sync.Mutex
		other bool
		limit atomic.Int32
	)
	limit.Store(1)
	go func() {
		mu.Lock()
		other = true
		mu.Unlock()
		limit.Load()
	}()
	mu.Lock()
	second := other
	mu.Unlock()
	if second && runtime.NumGoroutine() > 1 {
		panic("not ended")
	}
	limit.Load()
}

// StartsLater sees that a goroutine has not been started yet that is after an addition.
func StartsLater() {
	var sum atomic.Int32
	told, end := make(chan bool), make(chan bool)
	go func() {
		told <- true
		sum.Add(1)
		go func() { <-end }()
		<-end
	}()
	<-told
	if runtime.NumGoroutine() == 2 {
		panic("not started")
	}
}
