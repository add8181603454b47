// Package states has programs whose runs come to the same states in different ways, and to
// states that differ in one thing only. A comment "states: N" says how many states there are in
// all interleavings of a function, at the scheduling points where there is a choice.
package states

import (
	"sync"
	"sync/atomic"
	"time"
)

var (
	mu, other sync.Mutex
	n, x, y   int
)

func reset() { n, x, y = 0, 0, 0 }

// Whoever comes first, both have added 1 in the end.
//
// states: 7
func twoLocks() {
	reset()
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			mu.Lock()
			n++
			mu.Unlock()
		}()
	}
	wg.Wait()
}

// states: 87
func threeLocks() {
	reset()
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			mu.Lock()
			n++
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
}

// What was read is not needed any more when the second lock is taken.
//
// states: 27
func deadRegisters() {
	reset()
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			mu.Lock()
			v := n
			n = v + 1
			mu.Unlock()
			other.Lock()
			x++
			other.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
}

// What was read decides what is written later.
//
// states: 27
func liveRegisters() {
	reset()
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			mu.Lock()
			v := n
			n++
			mu.Unlock()
			other.Lock()
			x = 10*x + v
			other.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	println(x)
}

// The read races with the write unless the second goroutine has come first.
//
// states: 20
func coveredOnce() {
	reset()
	done := make(chan bool, 2)
	go func() {
		x = 1
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		other.Lock()
		other.Unlock()
		y = x
		done <- true
	}()
	<-done
	<-done
}

// The same with a read and a write after it.
func coveredRead() {
	reset()
	done := make(chan bool, 2)
	go func() {
		_ = x + y
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		other.Lock()
		other.Unlock()
		x = 1
		done <- true
	}()
	<-done
	<-done
}

// Two reads, of which a write races with one or both.
func twoReads() {
	reset()
	done := make(chan bool, 3)
	read := func(l *sync.Mutex) int {
		l.Lock()
		v := x
		l.Unlock()
		return v
	}
	go func() { _ = read(&mu); done <- true }()
	go func() { mu.Lock(); _ = x; mu.Unlock(); _ = read(&other); done <- true }()
	go func() {
		other.Lock()
		other.Unlock()
		x = 1
		done <- true
	}()
	<-done
	<-done
	<-done
}

// A plain write that races with an atomic access or not.
func atomicAndPlain() {
	var flag int32
	done := make(chan bool, 2)
	go func() {
		atomic.StoreInt32(&flag, 1)
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		other.Lock()
		other.Unlock()
		flag = 2
		done <- true
	}()
	<-done
	<-done
}

// A plain write that an atomic read races with or not.
func atomicRead() {
	var flag int32
	done := make(chan bool, 2)
	go func() {
		_ = atomic.LoadInt32(&flag)
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		other.Lock()
		other.Unlock()
		flag = 2
		done <- true
	}()
	<-done
	<-done
}

// The lock has been released last by one that has written, or by one that has not.
func whoReleased() {
	reset()
	done := make(chan bool, 3)
	go func() { x = 1; mu.Lock(); mu.Unlock(); done <- true }()
	go func() { other.Lock(); other.Unlock(); mu.Lock(); mu.Unlock(); done <- true }()
	go func() {
		other.Lock()
		other.Unlock()
		mu.Lock()
		y = x
		mu.Unlock()
		done <- true
	}()
	<-done
	<-done
	<-done
}

// What readers of a RWMutex have released.
func readersRelease() {
	reset()
	var rw sync.RWMutex
	done := make(chan bool, 2)
	go func() { x = 1; rw.RLock(); rw.RUnlock(); done <- true }()
	go func() {
		rw.Lock()
		rw.Unlock()
		other.Lock()
		other.Unlock()
		rw.Lock()
		y = x
		rw.Unlock()
		done <- true
	}()
	<-done
	<-done
}

// Which of two writers has announced itself.
func announced() {
	reset()
	var rw sync.RWMutex
	done := make(chan int, 3)
	go func() { rw.RLock(); rw.RUnlock(); done <- 0 }()
	go func() { rw.Lock(); n = 1; rw.Unlock(); done <- 1 }()
	go func() { rw.Lock(); n = 2; rw.Unlock(); done <- 2 }()
	<-done
	<-done
	<-done
	println(n)
}

// The elements of a channel's buffer order accesses.
func throughBuffer() {
	reset()
	ch := make(chan int, 2)
	done := make(chan bool, 3)
	go func() { x = 1; ch <- 1; done <- true }()
	go func() { ch <- 1; done <- true }()
	go func() { <-ch; y = x; done <- true }()
	<-done
	<-done
	<-done
}

// Closing a channel orders accesses.
func throughClose() {
	reset()
	ch := make(chan int)
	done := make(chan bool, 2)
	go func() {
		mu.Lock()
		if n == 0 {
			x = 1
		}
		n++
		mu.Unlock()
		close(ch)
		done <- true
	}()
	go func() {
		mu.Lock()
		n++
		mu.Unlock()
		<-ch
		y = x
		done <- true
	}()
	<-done
	<-done
	println(n, y)
}

// What is in the buffer depends on who has sent first.
//
// states: 11
func bufferOrder() {
	ch := make(chan int, 2)
	done := make(chan bool, 2)
	go func() { ch <- 1; done <- true }()
	go func() { ch <- 2; done <- true }()
	<-done
	<-done
	println(<-ch, <-ch)
}

// A select takes one of two values.
func selects() {
	a, b := make(chan int, 1), make(chan int)
	go func() { a <- 1 }()
	go func() { b <- 2 }()
	for range 2 {
		select {
		case v := <-a:
			n = v
		case v := <-b:
			n = v
		}
	}
	println(n)
}

// A select with a default case that is taken or not.
func defaults() {
	reset()
	ch := make(chan int)
	done := make(chan bool, 2)
	go func() {
		select {
		case ch <- 1:
		default:
			mu.Lock()
			n++
			mu.Unlock()
		}
		done <- true
	}()
	go func() {
		select {
		case <-ch:
		default:
			mu.Lock()
			n += 2
			mu.Unlock()
		}
		done <- true
	}()
	<-done
	<-done
	println(n)
}

// Additions with CompareAndSwap.
func swaps() {
	var v atomic.Int32
	done := make(chan bool, 2)
	for i := range 2 {
		go func() {
			for {
				old := v.Load()
				if v.CompareAndSwap(old, old*2+int32(i)) {
					break
				}
			}
			done <- true
		}()
	}
	<-done
	<-done
	println(v.Load())
}

// Atomic additions come to the same sum in any order.
//
// states: 5
func additions() {
	var v atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			v.Add(int32(i + 1))
			wg.Done()
		}()
	}
	wg.Wait()
	println(v.Load())
}

// Entries of a map, in the order in which they were made.
func mapEntries() {
	m := map[int]int{}
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			mu.Lock()
			m[i%2] += i
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	for k, v := range m {
		println(k, v)
	}
}

// A map that grows while somebody iterates over it.
func mapIteration() {
	m := map[int]int{1: 1, 2: 2}
	done := make(chan bool, 2)
	go func() {
		mu.Lock()
		for k := range m {
			mu.Unlock()
			mu.Lock()
			n = k
		}
		mu.Unlock()
		done <- true
	}()
	go func() {
		mu.Lock()
		delete(m, 1)
		mu.Unlock()
		done <- true
	}()
	<-done
	<-done
	println(n)
}

// The initialisation of a Once is done by one or the other.
func once() {
	var o sync.Once
	done := make(chan bool, 2)
	for i := range 2 {
		go func() {
			o.Do(func() { n = i })
			done <- true
		}()
	}
	<-done
	<-done
	println(n)
}

// One of two goroutines is woken.
func signal() {
	reset()
	c := sync.NewCond(&mu)
	done := make(chan bool, 3)
	for i := range 2 {
		go func() {
			mu.Lock()
			for n == 0 {
				c.Wait()
			}
			n--
			x = 10*x + i + 1
			mu.Unlock()
			done <- true
		}()
	}
	go func() {
		mu.Lock()
		n = 1
		mu.Unlock()
		c.Signal()
		mu.Lock()
		n++
		mu.Unlock()
		c.Broadcast()
		done <- true
	}()
	<-done
	<-done
	<-done
	println(x)
}

// The clock of who signals reaches who is woken, and nobody else's does.
func signalOrders() {
	reset()
	c := sync.NewCond(&mu)
	done := make(chan bool, 3)
	go func() {
		mu.Lock()
		c.Wait()
		y = x
		mu.Unlock()
		done <- true
	}()
	go func() { other.Lock(); x = 1; other.Unlock(); c.Broadcast(); done <- true }()
	go func() { other.Lock(); other.Unlock(); c.Broadcast(); done <- true }()
	<-done
	<-done
	<-done
}

// A deferred call holds what was read.
func deferred() {
	reset()
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			mu.Lock()
			v := n
			n++
			mu.Unlock()
			defer func(v int) {
				other.Lock()
				x = 10*x + v
				other.Unlock()
				done <- true
			}(v)
			mu.Lock()
			mu.Unlock()
		}()
	}
	<-done
	<-done
	println(x)
}

// A panic holds what was read, while a deferred call waits.
func panics() {
	reset()
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			defer func() {
				v := recover().(int)
				other.Lock()
				x = 10*x + v
				other.Unlock()
				done <- true
			}()
			defer func() {
				mu.Lock()
				mu.Unlock()
			}()
			mu.Lock()
			v := n
			n++
			mu.Unlock()
			panic(v)
		}()
	}
	<-done
	<-done
	println(x)
}

// Which function is called depends on the order.
func closures() {
	reset()
	var f func()
	done := make(chan bool, 2)
	go func() {
		mu.Lock()
		v := n
		mu.Unlock()
		if v == 0 {
			f = func() { done <- true; x = v + 1 }
		} else {
			f = func() { x = v + 2; done <- true }
		}
		mu.Lock()
		mu.Unlock()
		f()
	}()
	go func() { mu.Lock(); n++; mu.Unlock(); done <- true }()
	<-done
	<-done
}

// Objects of the same goroutine, of one type or the other.
func types() {
	reset()
	var v any
	done := make(chan bool, 2)
	go func() {
		mu.Lock()
		k := n
		mu.Unlock()
		if k == 0 {
			v = &struct{ a int }{1}
		} else {
			v = &struct{ b int }{1}
		}
		k = 0
		mu.Lock()
		mu.Unlock()
		_, is := v.(*struct{ a int })
		println(is)
		done <- true
	}()
	go func() { mu.Lock(); n = 1; mu.Unlock(); done <- true }()
	<-done
	<-done
}

// An allocation more or less gives later objects other names.
func allocations() {
	reset()
	done := make(chan bool, 2)
	go func() {
		mu.Lock()
		k := n
		mu.Unlock()
		if k == 0 {
			_ = make([]int, k+1)
		}
		mu.Lock()
		mu.Unlock()
		ch := make(chan int, 1)
		ch <- 1
		<-ch
		done <- true
	}()
	go func() {
		mu.Lock()
		n = 1
		mu.Unlock()
		mu.Lock()
		n = 1
		mu.Unlock()
		done <- true
	}()
	<-done
	<-done
}

// Two goroutines start another one each, which decisions name by the order of their starts.
func spawnedByBoth() {
	ch, done := make(chan int), make(chan bool, 2)
	for i := range 2 {
		go func() {
			mu.Lock()
			mu.Unlock()
			go func() { n = <-ch }()
			mu.Lock()
			mu.Unlock()
			done <- i == 0
		}()
	}
	<-done
	<-done
	ch <- 1
	ch <- 2
}

// A goroutine more or less.
func spawns() {
	reset()
	done := make(chan bool, 4)
	go func() {
		mu.Lock()
		k := n
		mu.Unlock()
		if k == 0 {
			go func() {}()
		}
		mu.Lock()
		mu.Unlock()
		go func() { done <- true }()
		done <- true
	}()
	go func() { mu.Lock(); n = 1; mu.Unlock(); done <- true }()
	<-done
	<-done
	<-done
}

// A list of nodes that both add to.
func lists() {
	type node struct {
		v    int
		next *node
	}
	var list *node
	done := make(chan bool, 2)
	for i := range 2 {
		go func() {
			mu.Lock()
			list = &node{i, list}
			mu.Unlock()
			mu.Lock()
			list.v++
			mu.Unlock()
			done <- true
		}()
	}
	<-done
	<-done
	for ; list != nil; list = list.next {
		println(list.v)
	}
}

// A Wait that has had to wait races with an Add.
func waits() {
	reset()
	var wg sync.WaitGroup
	wg.Add(1)
	done := make(chan bool, 3)
	go func() { wg.Done(); done <- true }()
	go func() { mu.Lock(); mu.Unlock(); wg.Wait(); done <- true }()
	go func() { other.Lock(); other.Unlock(); wg.Add(1); wg.Done(); done <- true }()
	<-done
	<-done
	<-done
}

// Timers and sleepers that are due at different times.
func timers() {
	reset()
	done := make(chan bool, 2)
	go func() {
		time.Sleep(time.Second)
		mu.Lock()
		n = 10*n + 1
		mu.Unlock()
		done <- true
	}()
	go func() {
		<-time.After(2 * time.Second)
		mu.Lock()
		n = 10*n + 2
		mu.Unlock()
		done <- true
	}()
	<-done
	<-done
	println(n)
}

// Timers that have been set in an order that is a choice.
func setTimers() {
	reset()
	done := make(chan bool, 4)
	for i := range 2 {
		go func() {
			time.AfterFunc(time.Duration(2-i)*time.Second, func() {
				mu.Lock()
				n = 10*n + i
				mu.Unlock()
				done <- true
			})
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
	println(n)
}

// The clock of who has set a timer reaches the goroutine that it starts.
func timerOrders() {
	reset()
	done := make(chan bool, 3)
	go func() {
		mu.Lock()
		mu.Unlock()
		time.AfterFunc(time.Second, func() { y = x; done <- true })
		done <- true
	}()
	go func() { x = 1; mu.Lock(); mu.Unlock(); done <- true }()
	<-done
	<-done
	<-done
}

// The clock is read at the start, and then there are goroutines.
func readings() {
	reset()
	begin := time.Now()
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			mu.Lock()
			n++
			mu.Unlock()
			done <- true
		}()
	}
	<-done
	<-done
	if time.Since(begin) < 0 {
		println("back in time")
	}
}

// Both wait, and time passes: who has come first is known.
func waiters() {
	reset()
	ch := make(chan int)
	done := make(chan bool, 3)
	for i := range 2 {
		go func() {
			mu.Lock()
			v := n
			n++
			mu.Unlock()
			time.Sleep(time.Duration(1+v) * time.Second)
			x += <-ch * (i + 1)
			done <- true
		}()
	}
	go func() {
		time.Sleep(4 * time.Second)
		ch <- 1
		done <- true
		ch <- 10
	}()
	<-done
	<-done
	<-done
	println(x)
}

// A goroutine spins until another one sets a variable, after an iteration or before.
func spinning() {
	var flag atomic.Bool
	done := make(chan bool, 2)
	go func() {
		for !flag.Load() {
		}
		done <- true
	}()
	go func() { mu.Lock(); mu.Unlock(); flag.Store(true); done <- true }()
	<-done
	<-done
}

// All that remain spin for ever.
func spinForEver() {
	var a, b atomic.Bool
	for range 2 {
		go func() {
			a.Load()
			for !a.Load() {
				b.Load()
			}
		}()
	}
	for !b.Load() {
		a.Load()
	}
}

// The items of a pool.
func pools() {
	reset()
	var p sync.Pool
	done := make(chan bool, 2)
	for i := range 2 {
		go func() {
			p.Put(i)
			mu.Lock()
			mu.Unlock()
			if v, ok := p.Get().(int); ok {
				mu.Lock()
				n = 10*n + v
				mu.Unlock()
			}
			done <- true
		}()
	}
	<-done
	<-done
	println(n)
}

// Reads beside each other, and a write afterwards.
func listedReads() {
	reset()
	done := make(chan bool, 3)
	go func() { mu.Lock(); _ = x; mu.Unlock(); done <- true }()
	go func() { _ = x; mu.Lock(); mu.Unlock(); done <- true }()
	go func() {
		other.Lock()
		mu.Lock()
		_ = x
		mu.Unlock()
		other.Unlock()
		mu.Lock()
		x = 1
		mu.Unlock()
		done <- true
	}()
	<-done
	<-done
	<-done
}

// A goroutine that has ended has made the access, or one that can make it again.
func twice() {
	reset()
	done := make(chan bool, 3)
	go func() {
		mu.Lock()
		v := n
		n++
		mu.Unlock()
		set(v)
		mu.Lock()
		mu.Unlock()
		set(v)
		done <- true
	}()
	go func() {
		mu.Lock()
		v := n
		n++
		mu.Unlock()
		set(v)
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	<-done
	<-done
	_ = x
}

func set(v int) {
	if v == 0 {
		x = 1
	} else {
		y = 1
	}
}
