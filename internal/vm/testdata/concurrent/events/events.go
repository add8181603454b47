package events

import (
	"sync"
	"sync/atomic"
)

func input(name string) int

// want: 1
func locked() {
	x := input("x")
	var mu sync.Mutex
	n := x
	done := make(chan bool)
	go func() {
		mu.Lock()
		n = n + 1
		mu.Unlock()
		done <- true
	}()
	<-done
	mu.Lock()
	if n > 3 {
		print(1)
	}
	mu.Unlock()
}

// want: 6
func atomics() {
	var n atomic.Int64
	var wg sync.WaitGroup
	n.Store(int64(input("x")))
	wg.Go(func() { n.Add(1) })
	wg.Wait()
	print(n.Load())
}

type node struct {
	name string
	next *node
}

// want: ab1
func wide() {
	var head *node
	var mu sync.RWMutex
	c, done := make(chan *node), make(chan bool)
	go func() {
		n := <-c
		mu.Lock()
		head = &node{"b", n}
		mu.Unlock()
		close(done)
	}()
	c <- &node{"a", nil}
	<-done
	mu.RLock()
	if head != nil {
		print(head.next.name, head.name)
	}
	mu.RUnlock()
	select {
	case <-done:
		print(1)
	case <-c:
		print(2)
	}
}

// want: x5
func copies() {
	type box struct {
		a [3]int
		s string
	}
	var a, b box
	var mu sync.Mutex
	x := input("x")
	done := make(chan bool)
	go func() {
		mu.Lock()
		a.a[1], a.s = x, "x"
		mu.Unlock()
		mu.Lock()
		b = a
		mu.Unlock()
		close(done)
	}()
	<-done
	mu.Lock()
	list := append([]int(nil), b.a[:]...)
	s := b.s
	mu.Unlock()
	print(s, list[1])
}
