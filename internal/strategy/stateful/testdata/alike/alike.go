// Package alike has programs whose goroutines do the same.
package alike

import (
	"sync"
	"sync/atomic"
	"time"
)

const many = 6

// all starts goroutines that call f, and waits for them.
func all(n int, f func()) {
	var wg sync.WaitGroup
	wg.Add(n)
	for range n {
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

// Count counts under a lock.
func Count() {
	var mu sync.Mutex
	n := 0
	all(many, func() {
		mu.Lock()
		n++
		mu.Unlock()
	})
	if n != many {
		panic("lost")
	}
}

// Look counts atomically, and looks at the counter between two additions.
func Look() {
	var n atomic.Int32
	all(4, func() {
		if x := n.Load(); n.Add(1) <= x {
			panic("counts down")
		}
	})
}

// Send has many send to one, which has been started before them.
func Send() {
	c := make(chan int)
	go func() {
		for range many {
			<-c
		}
	}()
	all(many, func() { c <- 1 })
}

// Meet has senders and receivers, all of which are alike.
func Meet() {
	c := make(chan *int)
	all(4, func() {
		select {
		case c <- new(int):
		case p := <-c:
			*p++
		}
	})
}

// Own has each keep an object of its own, which it leaves to the others.
func Own() {
	var mu sync.Mutex
	var left []*int
	all(4, func() {
		own := new(int)
		mu.Lock()
		for _, p := range left {
			*p++
		}
		left = append(left, own)
		mu.Unlock()
	})
}

// Last has the last one write what the first one reads, without synchronisation.
func Last() {
	var n atomic.Int32
	x := 0
	all(3, func() {
		switch n.Add(1) {
		case 1:
			_ = x
		case 3:
			if n.Load() > 3 {
				x = 1 // never
			}
		}
	})
}

// LastWrites is Last, and the write may come.
func LastWrites() {
	var n atomic.Int32
	x := 0
	all(3, func() {
		switch n.Add(1) {
		case 1:
			_ = x
		case 3:
			x = 1
		}
	})
}

// Knows has two that come to the same place, of which one knows of a write. In the order that is tried first this one reads.
func Knows() {
	var mu sync.Mutex
	n, x := 0, 0
	come, turns := make(chan int, 2), make(chan int, 2)
	go func() {
		mu.Lock()
		if n == 1 {
			x = 1
		}
		mu.Unlock()
	}()
	go func() {
		if len(come) == 2 {
			turns <- 1
			turns <- 2
		}
		close(turns)
	}()
	all(2, func() {
		mu.Lock()
		n++
		mu.Unlock()
		come <- 1
		if <-turns == 2 {
			_ = x
		}
	})
}

// Linked has workers that are known to wait at two channels, since time has passed, when there is work.
func Linked() {
	jobs, done := make(chan int), make(chan bool)
	var mu sync.Mutex
	sum := 0
	go func() {
		time.Sleep(time.Millisecond)
		for range 4 {
			jobs <- 1
		}
		close(done)
	}()
	all(4, func() {
		for {
			select {
			case j := <-jobs:
				mu.Lock()
				sum += j
				mu.Unlock()
			case <-done:
				return
			}
		}
	})
	if sum != 4 {
		panic("lost")
	}
}

// Twice fails if two of them are between two steps at the same time.
func Twice() {
	var in atomic.Int32
	all(3, func() {
		if in.Add(1) == 3 {
			panic("all at once")
		}
		in.Add(-1)
	})
}

// Stuck ends in a deadlock if one of them takes both tokens.
func Stuck() {
	c := make(chan int, 2)
	c <- 1
	c <- 2
	all(2, func() {
		<-c
		if len(c) == 0 {
			<-c
		}
	})
}

// Around has them hand something to each other for ever, as nobody takes it away.
func Around() {
	var turn atomic.Int32
	all(2, func() {
		for turn.Load() < 10 {
			if !turn.CompareAndSwap(0, 1) {
				turn.CompareAndSwap(1, 0)
			}
		}
	})
}

// Wait has them wait for a flag that is set in the end: nobody goes round for ever without keeping another one waiting.
func Wait() {
	var flag atomic.Bool
	go func() { flag.Store(true) }()
	all(3, func() {
		for !flag.Load() {
		}
	})
}
