// Package spins has loops that wait for shared state to change. The comments list
// the outcomes of a function, and how many runs an exhaustive search makes.
package spins

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// want: set
// runs: 2
func flag() {
	var flag atomic.Bool
	go func() { flag.Store(true) }()
	for !flag.Load() {
	}
	print("set")
}

// want: livelock: livelock: goroutine spins for ever waiting for a change of a variable
// runs: 1
func alone() {
	var flag atomic.Bool
	go func() {}()
	for !flag.Load() {
	}
}

// want: set
// runs: 2
func yielding() {
	var flag atomic.Int32
	go func() { flag.Store(1) }()
	for flag.Load() == 0 {
		runtime.Gosched()
	}
	print("set")
}

// The goroutine comes to its loop by reads that are no part of it.
//
// want: set
// runs: 2
func prelude() {
	var flag, other atomic.Bool
	go func() { flag.Store(true) }()
	if !other.Load() {
		for !flag.Load() {
		}
		print("set")
	}
}

// want: set
// want: livelock: livelock: goroutine spins for ever waiting for a change of a variable
// runs: 4
func reset() {
	var flag atomic.Bool
	go func() {
		flag.Store(true)
		flag.Store(false)
	}()
	for !flag.Load() {
	}
	print("set")
}

// Other values than the one waited for come and go.
//
// want: 3
// runs: 8
func values() {
	var n atomic.Int32
	go func() {
		for range 3 {
			n.Add(1)
		}
	}()
	for n.Load() < 3 {
	}
	print(n.Load())
}

// want: both
// runs: 4
func twoFlags() {
	var a, b atomic.Bool
	go func() { a.Store(true) }()
	go func() { b.Store(true) }()
	for !a.Load() || !b.Load() {
	}
	print("both")
}

// The loop reads both flags in each round.
//
// want: both
// runs: 11
func twoReads() {
	var a, b atomic.Bool
	go func() { a.Store(true) }()
	go func() { b.Store(true) }()
	for {
		x, y := a.Load(), b.Load()
		if x && y {
			break
		}
		runtime.Gosched()
	}
	print("both")
}

// Two goroutines wait for each other, in turn.
//
// want: pong
// runs: 4
func turns() {
	var turn atomic.Int32
	go func() {
		for turn.Load() != 1 {
		}
		turn.Store(2)
	}()
	turn.Store(1)
	for turn.Load() != 2 {
	}
	print("pong")
}

// want: livelock: livelock: goroutine spins for ever waiting for a change of a variable
// runs: 1
func eachOther() {
	var a, b atomic.Bool
	go func() {
		for !a.Load() {
		}
		b.Store(true)
	}()
	for !b.Load() {
	}
	a.Store(true)
}

// want: 2
// runs: 5
func tryLock() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Add(1)
		go func() {
			for !mu.TryLock() {
				runtime.Gosched()
			}
			n++
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	print(n)
}

// want: 0
// want: 1
// runs: 4
func tryRLock() {
	var mu sync.RWMutex
	n := 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		n++
		mu.Unlock()
		done <- true
	}()
	for !mu.TryRLock() {
	}
	m := n
	mu.RUnlock()
	<-done
	print(m)
}

type spinLock struct{ held atomic.Int32 }

func (l *spinLock) lock() {
	for !l.held.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

func (l *spinLock) unlock() { l.held.Store(0) }

// want: 2
// runs: 5
func casLock() { counted(2) }

// It has too many interleavings for all of them to be run.
//
// want: 3
// runs: 63
func casLock3() { counted(3) }

func counted(goroutines int) {
	var l spinLock
	var wg sync.WaitGroup
	n := 0
	for range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.lock()
			defer l.unlock()
			n++
		}()
	}
	wg.Wait()
	print(n)
}

// want: 2
// runs: 5
func ticketLock() {
	var next, serving atomic.Int32
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mine := next.Add(1) - 1
			for serving.Load() != mine {
				runtime.Gosched()
			}
			n++
			serving.Add(1)
		}()
	}
	wg.Wait()
	print(n)
}

// A number of tries is no spinning: each is another state.
//
// want: 0
// want: 1
// want: 2
// want: 3
// runs: 4
func retries() {
	var flag atomic.Bool
	go func() { flag.Store(true) }()
	i := 0
	for i < 3 && !flag.Load() {
		i++
	}
	print(i)
}

// Nor is a loop that counts in memory.
//
// want: 0
// want: 1
// want: 2
// runs: 3
func counting() {
	var flag atomic.Bool
	var tries [1]int
	i := 0
	go func() { flag.Store(true) }()
	for tries[i] < 2 && !flag.Load() {
		tries[i]++
	}
	print(tries[i])
}

// want: 1
// runs: 2
func poll() {
	c := make(chan int)
	go func() { c <- 1 }()
	for {
		select {
		case x := <-c:
			print(x)
			return
		default:
			runtime.Gosched()
		}
	}
}

// want: 1
// runs: 2
func pollBuffered() {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	for {
		runtime.Gosched()
		select {
		case x := <-c:
			print(x)
			return
		default:
		}
	}
}

// want: 1
// runs: 2
func pollSend() {
	c, done := make(chan int), make(chan bool)
	go func() {
		print(<-c)
		done <- true
	}()
	for sent := false; !sent; {
		select {
		case c <- 1:
			sent = true
		default:
		}
	}
	<-done
}

// want: 1
// want: stopped
// runs: 4
func pollOrStop() {
	var stop atomic.Bool
	c := make(chan int)
	go func() { c <- 1 }()
	go func() { stop.Store(true) }()
	for !stop.Load() {
		select {
		case x := <-c:
			print(x)
			return
		default:
		}
	}
	print("stopped")
	<-c
}

// want: 1
// runs: 2
func length() {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	for len(c) == 0 {
	}
	print(<-c)
}

// want: alone
// runs: 5
func goroutines() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { wg.Done() }()
	for runtime.NumGoroutine() > 1 {
	}
	wg.Wait()
	print("alone")
}

// want: leak: goroutine spins for ever waiting for a change of a variable
// runs: 1
func leak() {
	var flag atomic.Bool
	go func() {
		for !flag.Load() {
		}
	}()
}

// want: leak: goroutine spins for ever
// runs: 1
func idle() {
	go func() {
		for {
			runtime.Gosched()
		}
	}()
}

// want: leak: goroutine spins for ever waiting for a change of a lock or a variable
// runs: 1
func leakOfBoth() {
	var stop atomic.Bool
	var mu sync.Mutex
	mu.Lock()
	go func() {
		for !mu.TryLock() {
			if stop.Load() {
				break
			}
		}
	}()
}

// The timer is what the loop waits for.
//
// want: late
func timer() {
	var flag atomic.Bool
	time.AfterFunc(time.Second, func() { flag.Store(true) })
	for !flag.Load() {
	}
	print("late")
}

// want: late
func ticker() {
	t := time.NewTimer(time.Second)
	for {
		select {
		case <-t.C:
			print("late")
			return
		default:
		}
	}
}

type node struct{ next atomic.Pointer[node] }

// The loop is in a function that is called again and again, and goes along a list.
//
// want: end
// runs: 2
func list() {
	n := &node{}
	go func() { n.next.Store(&node{}) }()
	ready := func() bool { return n.next.Load() != nil }
	for !ready() {
	}
	print("end")
}

// The functions below change shared state for ever. Their schedules are taken
// in turn.

// cycle: livelock: livelock: goroutine runs for ever: the state repeats every 2 steps under this schedule
func toggles() {
	var x atomic.Int32
	go func() {
		for {
			x.Store(0)
		}
	}()
	for x.Swap(1) != 2 {
	}
}

// Each takes a lock, finds the other one taken, and gives its own back.
//
// cycle: livelock: livelock: goroutine runs for ever: the state repeats every 6 steps under this schedule
func politely() {
	var a, b sync.Mutex
	both := func(first, second *sync.Mutex) {
		for {
			first.Lock()
			if second.TryLock() {
				return
			}
			first.Unlock()
		}
	}
	go both(&b, &a)
	both(&a, &b)
}

// Objects that are made and forgotten in the cycle do not matter.
//
// cycle: livelock: livelock: goroutine runs for ever: the state repeats every 2 steps under this schedule
func garbage() {
	var x atomic.Int64
	go func() {
		for {
			x.Store(0)
		}
	}()
	for n := 3; ; {
		fresh := make([]int64, n)
		fresh[1] = 7
		if x.Swap(fresh[1]) == 8 {
			return
		}
	}
}

// cycle: leak: goroutine runs for ever: the state repeats every 2 steps under this schedule
func toggleLeft() {
	var x atomic.Int32
	go func() {
		for x.Load() < 9 {
			x.Store(0)
		}
	}()
}

// A counter never repeats; it ends.
//
// cycle: 3000
func counter() {
	var n atomic.Int32
	go func() {
		for range 1000 {
			n.Add(1)
		}
	}()
	for range 2000 {
		n.Add(1)
	}
	for n.Load() < 3000 {
	}
	print(n.Load())
}

// The values of a select are chosen, and may be others next time.
//
// cycle: bounded: too many scheduling decisions
func chooses() {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() {
		for {
			select {
			case a <- 0:
			case b <- 0:
			}
		}
	}()
	for {
		select {
		case <-a:
		case <-b:
		}
	}
}

// The functions below compute for ever, or for long, without a visible operation.

// cycle: livelock: livelock: goroutine runs for ever: its state repeats
func wraps() {
	for i := uint8(0); i <= 255; i++ {
	}
}

// Memory changes, but is again what it was.
//
// cycle: livelock: livelock: goroutine runs for ever: its state repeats
func wrapsInMemory() {
	s := make([]uint8, 8)
	for {
		s[3]++
	}
}

// cycle: livelock: livelock: goroutine runs for ever: its state repeats
func followsCycle() {
	a := new(node)
	a.next.Store(a)
	type list struct{ next *list }
	x, y := new(list), new(list)
	x.next, y.next = y, x
	for x != nil {
		x = x.next
	}
}

// Somebody waits for a goroutine that never ends.
//
// cycle: livelock: livelock: goroutine runs for ever: its state repeats
func besideWaiter() {
	var wg sync.WaitGroup
	wg.Go(func() {
		s := make([]uint8, 8)
		for {
			s[3]++
		}
	})
	wg.Wait()
}

// Time passes beside a loop, so that somebody else may go on.
//
// cycle: bounded: more than 1000000 instructions
func besideSleeper() {
	go func() {
		for {
			time.Sleep(time.Hour)
		}
	}()
	runtime.Gosched()
	s := make([]uint8, 8)
	for {
		s[3]++
	}
}

// A loop that ends has no state twice: a counter in memory makes the difference.
//
// cycle: 50000
func countsInMemory() {
	n := new(int)
	for i := uint8(0); ; i++ {
		if *n++; *n == 50_000 {
			break
		}
	}
	print(*n)
}

// A list that is one element longer in each round.
//
// cycle: 50000
func grows() {
	type list struct{ next *list }
	var l *list
	n := 0
	for ; n < 50_000; n++ {
		l = &list{l}
	}
	print(n)
}

// So does a call that is put off.
//
// cycle: 20000
func defers() {
	n := 0
	more := func() bool {
		defer func() { n++ }()
		return n < 19_999
	}
	for more() {
	}
	print(n)
}

// plain: livelock: livelock: goroutine spins for ever
func loops() {
	go func() {}()
	for {
	}
}

// plain: bounded data race: data race: write and an earlier read are not ordered
func plainFlag() {
	var before atomic.Bool
	done := false
	go func() {
		before.Store(true)
		done = true
	}()
	for !done {
	}
}

// plain: 60000
func computes() {
	c := make(chan int)
	go func() {
		n := 0
		for range 30000 {
			n++
		}
		c <- n
	}()
	n := 0
	for range 30000 {
		n++
	}
	print(n + <-c)
}
