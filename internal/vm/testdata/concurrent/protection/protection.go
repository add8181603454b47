package protection

import (
	"sync"
	"sync/atomic"
	"time"
)

// In the functions below, an access to an object that looks protected from races is part of one all the same, if
// it has been made by one of two goroutines that are alike, or at one of two times. All else is the same then.

// A data is what is accessed.
type data struct {
	a, b int
	mu   sync.Mutex
	wg   sync.WaitGroup

	exposed int
}

// A control is what goroutines synchronise with.
type control struct {
	mu     sync.Mutex
	inside atomic.Int32
	done   atomic.Int32
}

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

// All accesses from the first one with a lock held on are made so. One before it is to another field.
func otherField() {
	c, d := &control{}, &data{}
	for i := range 2 {
		go func(c *control, d *data, i int) {
			if i == 0 {
				d.a = 1
			}
			c.done.Add(1)
		}(c, d, i)
	}
	c.mu.Lock()
	d.b = 1
	c.mu.Unlock()
	go func(c *control, d *data) {
		if c.done.Load() == 1 {
			c.mu.Lock()
			d.a++
			c.mu.Unlock()
		}
	}(c, d)
}

// write starts two goroutines, the first of which writes to d with a lock held, and use, which may use d when that
// has been done.
func write(d *data, clear func(d *data), use func(d *data)) {
	c := &control{}
	for i := range 2 {
		go func(c *control, d *data, i int) {
			c.mu.Lock()
			c.inside.Add(1)
			if i == 0 {
				clear(d)
			}
			c.mu.Unlock()
			c.done.Add(1)
		}(c, d, i)
	}
	go func(c *control, d *data) {
		if c.inside.Load() == 2 && c.done.Load() == 1 {
			use(d)
		}
	}(c, d)
}

// The use of a lock is an access, too.
func usedLock() {
	write(&data{}, func(d *data) { d.mu = sync.Mutex{} }, func(d *data) { d.mu.Lock() })
}

// So is that of a wait group.
func usedGroup() {
	write(&data{}, func(d *data) { *d = data{} }, func(d *data) { d.wg.Wait() })
}

// A lock that has been overwritten while it was held excludes nobody.
func overwritten() {
	c, d := &control{}, &data{}
	c.mu.Lock()
	c.mu = sync.Mutex{}
	k := choice()
	go func(c *control, d *data) {
		if c.done.Load() == 1 {
			c.mu.Lock()
			d.a++
			c.mu.Unlock()
		}
	}(c, d)
	if k == 0 {
		d.a = 1
	}
	c.done.Add(1)
	if k == 1 {
		d.a = 1
	}
	c.done.Add(1)
}

// As long as there is one goroutine, and a timer that starts another, objects are shared already.
func readBeforeTimer() {
	c, d := &control{}, &data{}
	k := choice()
	time.AfterFunc(0, func() {
		if c.done.Load() == 1 {
			d.a = 1
		}
	})
	a := 0
	if k == 0 {
		a = d.a
	}
	c.done.Add(1)
	if k == 1 {
		a = d.a
	}
	c.done.Add(int32(a) + 1)
}
