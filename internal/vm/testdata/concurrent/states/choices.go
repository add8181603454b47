package states

import (
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The functions below come to states that differ in one thing only, which a choice has decided,
// and that something depends on later.

// choice returns 0 or 1. Afterwards nothing else depends on which it is.
func choice() int {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 0
	b <- 1
	select {
	case v := <-a:
		<-b
		return v
	case v := <-b:
		<-a
		return v
	}
}

// states: 2
func inNothing() {
	choice()
	choice()
}

// states: 3
func inRegister() {
	v := choice()
	choice()
	println(v)
}

func inGlobal() {
	x = choice()
	choice()
	println(x)
	x = 0
}

func inVariable() {
	p := new(int)
	*p = choice()
	choice()
	println(*p)
}

func inBytes() {
	b := make([]byte, 20)
	b[17] = byte(choice())
	choice()
	println(b[17])
}

func inLength() {
	s := make([]int, 1+choice())
	choice()
	println(len(s))
}

func inMap() {
	m := map[int]int{}
	m[choice()] = 1
	choice()
	println(m[0])
}

var table = map[int]int{1: 1, 2: 2}

func inOldMap() {
	v := choice()
	for i := range 20 {
		table[10+i] = v
	}
	choice()
	println(table[12])
}

func inDeferred() {
	func() {
		defer func(v int) { println(v) }(choice())
		choice()
	}()
}

func inDeferredCall() {
	func() {
		if choice() == 0 {
			defer func() { println(0) }()
		} else {
			defer func() { println(1) }()
		}
		choice()
	}()
}

func inPanic() {
	defer func() { println(recover().(int)) }()
	defer choice()
	panic(choice())
}

func inKindOfPanic() {
	done := make(chan bool)
	go func() {
		defer func() { println(recover() == nil); done <- true }()
		defer choice()
		if choice() == 0 {
			runtime.Goexit()
		}
		panic(1)
	}()
	<-done
}

func inClosure() {
	var f func() int
	k := choice()
	if k == 0 {
		f = func() int { return 10 * k }
	} else {
		f = func() int { return 20 * k }
	}
	choice()
	println(f())
}

func inType() {
	var v any
	if choice() == 0 {
		v = struct{ a, b int }{1, 2}
	} else {
		v = struct{ b, a int }{1, 2}
	}
	choice()
	_, is := v.(struct{ a, b int })
	println(is)
}

func inAllocations() {
	if choice() == 0 {
		_ = make([]int, n+1)
	}
	choice()
	choice()
}

func inSpawns() {
	if choice() == 0 {
		done := make(chan bool)
		go func() { close(done) }()
		<-done
	} else {
		done := make(chan bool)
		close(done)
		<-done
	}
	choice()
	done := make(chan bool)
	go func() { done <- true }()
	<-done
}

func inBuffer() {
	ch := make(chan int, 1)
	ch <- choice()
	choice()
	println(<-ch)
}

func inClose() {
	ch := make(chan int, 1)
	if choice() == 0 {
		close(ch)
	}
	choice()
	select {
	case <-ch:
		println("closed")
	default:
	}
}

func inSend() {
	ch := make(chan int)
	go func() { ch <- choice() }()
	choice()
	println(<-ch)
}

func inPartners() {
	a, b := make(chan int), make(chan int)
	go func() {
		c := a
		if choice() == 0 {
			c = b
		}
		c <- 1
	}()
	time.Sleep(time.Second)
	choice()
	select {
	case <-a:
		println("a")
	case <-b:
		println("b")
	}
}

func inWoken() {
	c := sync.NewCond(&mu)
	done := make(chan int, 2)
	for i := range 2 {
		go func() {
			mu.Lock()
			c.Wait()
			mu.Unlock()
			done <- i
		}()
	}
	time.Sleep(time.Second)
	c.Signal()
	choice()
	println(<-done)
	c.Broadcast()
}

func inTime() {
	if choice() == 0 {
		time.Sleep(time.Second)
	}
	choice()
	go func() { time.Sleep(500 * time.Millisecond) }()
	time.Sleep(time.Second)
}

func inSleep() {
	done := make(chan bool)
	go func() {
		time.Sleep(time.Duration(1+2*choice()) * time.Second)
		n = 1
		done <- true
	}()
	choice()
	time.Sleep(2 * time.Second)
	select {
	case <-done:
		println("soon")
	default:
		println("late")
		<-done
	}
}

func inTimer() {
	done := make(chan bool, 1)
	time.AfterFunc(time.Duration(1+2*choice())*time.Second, func() { done <- true })
	choice()
	time.Sleep(2 * time.Second)
	select {
	case <-done:
		println("soon")
	default:
		println("late")
	}
}

func inTicker() {
	done := time.NewTicker(time.Duration(1+choice()) * time.Second)
	<-done.C
	choice()
	<-done.C
	done.Stop()
	println(n)
}

func inRandom() {
	if choice() == 0 {
		rand.Int()
	}
	choice()
	println(rand.Intn(2))
}

func inReading() {
	if choice() == 0 {
		time.Now()
	}
	choice()
	time.Now()
	choice()
}

func inPool() {
	var p sync.Pool
	p.Put(choice())
	choice()
	v, ok := p.Get().(int)
	println(ok, v)
}

// What is in a pool that only the collector knows makes no difference.
// states: 2
func inForgottenPool() {
	p := new(sync.Pool)
	p.Put(choice())
	p = nil
	choice()
}

// The entries have other names only.
//
// states: 3 2
func inOrderOfStores() {
	var m sync.Map
	if choice() == 0 {
		m.Store("a", 1)
		m.Store("b", 2)
	} else {
		m.Store("b", 2)
		m.Store("a", 1)
	}
	choice()
	v, _ := m.Load("a")
	println(v.(int))
}

// What is in it may be known elsewhere, and a collection keeps it.
func inSharedPool() {
	x, p := new([4]int), new(sync.Pool)
	if choice() == 0 {
		p.Put(x)
	} else {
		p.Put(new([4]int))
	}
	p = nil
	choice()
	collected := make(chan bool, 1)
	runtime.SetFinalizer(x, func(*[4]int) { collected <- true })
	x = nil
	runtime.GC()
	time.Sleep(time.Second)
	println(len(collected))
}

// And so may be what it reaches by way of another one.
func inPoolInPool() {
	x, p := new([4]int), new(sync.Pool)
	q := &sync.Pool{New: func() any { return p }}
	q.Put(new([4]int))
	if choice() == 0 {
		p.Put(x)
	} else {
		p.Put(new([4]int))
	}
	p, q = nil, nil
	choice()
	collected := make(chan bool, 1)
	runtime.SetFinalizer(x, func(*[4]int) { collected <- true })
	x = nil
	runtime.GC()
	time.Sleep(time.Second)
	println(len(collected))
}

func inPolling() {
	if choice() == 0 {
		for range 40 {
			time.Now()
		}
	}
	choice()
	for range 40 {
		time.Now()
	}
}

// inAnyOrder calls two functions, in an order that nothing tells afterwards.
func inAnyOrder(f, g func()) {
	v := choice()
	for i := range 2 {
		h := f
		if i == v {
			h = g
		}
		h()
	}
}

// race runs two functions beside each other. The first one has come to its second choice, or
// further, before the second one begins, but nothing orders the two.
func race(first, second func()) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); first(); choice() }()
	go func() { defer wg.Done(); choice(); second() }()
	wg.Wait()
	x = 0
}

func inAccess() {
	race(func() {
		if choice() == 0 {
			x = 0
		}
	}, func() { x = 0 })
}

func inKindOfAccess() {
	race(func() {
		if choice() == 0 {
			x = 0
		} else {
			_ = x + y
		}
	}, func() { _ = x + y })
}

func inPlace() {
	race(func() {
		if choice() == 0 {
			x = 0
		} else {
			x = 0
		}
	}, func() { x = 0 })
}

func inCell() {
	var pair [2]int
	race(func() { pair[choice()] = 0 }, func() { pair[0] = 0 })
}

func inAtomic() {
	var v int32
	race(func() {
		if choice() == 0 {
			atomic.StoreInt32(&v, 0)
		} else {
			atomic.LoadInt32(&v)
		}
	}, func() { println(v) })
}

func inUnlock() {
	race(func() {
		inAnyOrder(func() { x = 0 }, func() { mu.Lock(); mu.Unlock() })
	}, func() {
		mu.Lock()
		mu.Unlock()
		x = 0
	})
}

func inReadUnlock() {
	var rw sync.RWMutex
	race(func() {
		inAnyOrder(func() { x = 0 }, func() { rw.RLock(); rw.RUnlock() })
	}, func() {
		rw.Lock()
		rw.Unlock()
		x = 0
	})
}

func inElement() {
	ch := make(chan int, 2)
	race(func() {
		inAnyOrder(func() { x = 0 }, func() { ch <- 1 })
	}, func() {
		<-ch
		x = 0
	})
}

func inClosing() {
	ch := make(chan int)
	race(func() {
		inAnyOrder(func() { x = 0 }, func() { close(ch) })
	}, func() {
		<-ch
		x = 0
	})
}

func inSignal() {
	c := sync.NewCond(&mu)
	done := make(chan bool, 2)
	go func() {
		mu.Lock()
		c.Wait()
		mu.Unlock()
		x = 0
		done <- true
	}()
	go func() {
		time.Sleep(time.Second)
		inAnyOrder(func() { x = 0 }, func() { c.Signal() })
		choice()
		done <- true
	}()
	<-done
	<-done
}

func inGo() {
	done := make(chan bool, 2)
	go func() {
		f := func() { choice(); x = 0; done <- true }
		inAnyOrder(func() { x = 0 }, func() { go f() })
		choice()
		done <- true
	}()
	<-done
	<-done
}

func inTimerOrder() {
	done := make(chan bool, 2)
	go func() {
		f := func() { x = 0; done <- true }
		inAnyOrder(func() { x = 0 }, func() { time.AfterFunc(time.Second, f) })
		choice()
		done <- true
	}()
	<-done
	<-done
}

func inReads() {
	done := make(chan bool, 3)
	go func() { _ = x + y; done <- true }()
	go func() {
		if choice() == 0 {
			mu.Lock()
			mu.Unlock()
		}
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	go func() { mu.Lock(); mu.Unlock(); _ = x + y; choice(); done <- true }()
	<-done
	<-done
	choice()
	x = 0
	<-done
}

func inWait() {
	var wg sync.WaitGroup
	wg.Add(1)
	done := make(chan bool, 2)
	go func() {
		inAnyOrder(func() { wg.Done() }, func() { mu.Lock(); mu.Unlock() })
		choice()
		done <- true
	}()
	go func() { other.Lock(); other.Unlock(); wg.Wait(); choice(); done <- true }()
	<-done
	<-done
	wg.Add(1)
	wg.Done()
}

func keep(int) {}

func inReadOrder() {
	race(func() {
		inAnyOrder(func() { keep(x) }, func() { mu.Lock(); mu.Unlock() })
	}, func() {
		mu.Lock()
		mu.Unlock()
		x = 0
	})
}

// The words of large objects are looked at page by page.
//
// states: 3
func inPage() {
	a := make([]int, 200)
	a[150+choice()] = 1
	choice()
	println(a[150])
}

// states: 4
func inPageSeenBefore() {
	a := make([]int, 200)
	choice()
	a[150] = choice()
	choice()
	println(a[150])
}

// states: 4
func inPageWithPointers() {
	a := make([]*int, 200)
	choice()
	if v := choice(); v == 0 {
		a[150] = new(int)
	}
	choice()
	println(a[150] == nil)
}
