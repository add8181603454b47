package protection

import "sync"

// In the functions below, a variable is guarded by a lock in most runs, and is used without it, as a whole, in part or by
// another name, if the critical sections before came in one of their orders.

// A guarded has fields, and a lock for them.
type guarded struct {
	mu sync.Mutex
	pair
	array [4]int
}

type pair struct{ a, b int }

// locked calls do with a lock held.
func locked(mu sync.Locker, do func()) {
	mu.Lock()
	do()
	mu.Unlock()
}

// Fields are written together, which is one access to each of them.
func structWritten() {
	g := &guarded{}
	go locked(&g.mu, func() { g.a++ })
	go locked(&g.mu, func() { g.b++ })
	go func() {
		var seen pair
		locked(&g.mu, func() { seen = g.pair })
		if seen.a == 1 && seen.b == 0 {
			g.pair = pair{}
		}
	}()
}

// Elements of an array are elements of a slice.
func elementsOfSlice() {
	g := &guarded{}
	slice := g.array[1:3]
	go locked(&g.mu, func() { slice[0]++ })
	go locked(&g.mu, func() { g.array[2]++ })
	go func() {
		seen := 0
		locked(&g.mu, func() { seen = g.array[1] })
		if seen == 1 {
			slice[1] = 7
		}
	}()
}

// What is appended to two slices is in one array.
func appended() {
	var mu sync.Mutex
	slice := make([]int, 0, 4)
	go locked(&mu, func() { slice = append(slice, 1) })
	go locked(&mu, func() { slice = append(slice, 2) })
	go func() {
		var own []int
		locked(&mu, func() { own = slice })
		if len(own) == 1 {
			_ = append(own, 3)
		}
	}()
}

// A lock for readers does not exclude others.
func writtenByReader() {
	var mu sync.RWMutex
	x, last := 0, 0
	go locked(&mu, func() { x++ })
	go locked(mu.RLocker(), func() { last = x })
	go locked(mu.RLocker(), func() {
		if x == 1 {
			last = 2
		}
	})
	_ = last
}

// A lock that was not obtained excludes nobody.
func triedLock() {
	var mu sync.Mutex
	x := 0
	go locked(&mu, func() { x++ })
	go func() {
		if mu.TryLock() {
			x++
			mu.Unlock()
		} else {
			x = 5
		}
	}()
}

// Who waits for a condition holds the lock before and after that.
func waitedCondition() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready, x := false, 0
	go locked(&mu, func() {
		for !ready {
			c.Wait()
		}
		x++
	})
	go func() {
		locked(&mu, func() { ready = true })
		c.Signal()
		locked(&mu, func() { x++ })
		if x == 1 {
			x = 3
		}
	}()
}

// The lock is another one now.
func replacedLock() {
	var mu sync.Mutex
	own, x := new(sync.Mutex), 0
	for range 2 {
		go func() {
			var l *sync.Mutex
			locked(&mu, func() { l = own })
			locked(l, func() { x++ })
		}()
	}
	locked(&mu, func() { own = new(sync.Mutex) })
}

// Of two variables that are allocated alike, one is used without a lock.
func allocatedAlike() {
	var list []*guarded
	for range 2 {
		list = append(list, &guarded{})
	}
	x, y := list[0], list[1]
	go locked(&x.mu, func() { x.a++ })
	go locked(&y.mu, func() { y.a++ })
	go func() {
		seen := 0
		locked(&x.mu, func() { seen = x.a })
		if seen == 1 {
			y.a++
		}
	}()
}

// What is read only may be written at last.
func writtenAtLast() {
	var mu sync.Mutex
	p, turn := &pair{1, 2}, 0
	for range 2 {
		go func() {
			_ = p.a
			locked(&mu, func() { turn++ })
		}()
	}
	go func() {
		seen := 0
		locked(&mu, func() { seen = turn })
		if seen == 1 {
			p.a = 5
		}
	}()
}

// A panic leaves a critical section as a return does.
func recovered() {
	g := &guarded{}
	work := func(fails bool) {
		defer func() { _ = recover() }()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.a++
		if fails {
			panic("fails")
		}
		g.b++
	}
	go work(true)
	go work(false)
	go func() {
		var seen pair
		locked(&g.mu, func() { seen = g.pair })
		if seen == (pair{1, 0}) {
			g.b = 0
		}
	}()
}
