package protection

import (
	"sync"
	"time"
)

// In the functions below, nothing protects the object as a whole, so each of its fields is looked at by itself.

// exposed returns a data of which one goroutine has read a field before another has written it.
func exposed() *data {
	d := &data{}
	read := make(chan int)
	go func(d *data) { read <- d.exposed }(d)
	d.exposed = <-read + 1
	return d
}

// A field that was only read is written.
func fieldReadBeforeTimer() {
	c, d := &control{}, exposed()
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

// A field that one goroutine has read is written by another, with a lock held.
func fieldReadByAnother() {
	c, d := &control{}, exposed()
	for i := range 2 {
		go func(c *control, d *data, i int) {
			a := 0
			if i == 0 {
				a = d.a
			}
			c.done.Add(int32(a) + 1)
		}(c, d, i)
	}
	go func(c *control, d *data) {
		if c.done.Load() == 1 {
			c.mu.Lock()
			d.a = 1
			c.mu.Unlock()
		}
	}(c, d)
}

// A field is written with a lock held, and then without.
func fieldUnguarded() {
	c, d := &control{}, exposed()
	k := choice()
	go func(c *control, d *data) {
		if c.done.Load() == 1 {
			d.a++
		}
	}(c, d)
	c.mu.Lock()
	d.b = 1
	if k == 0 {
		d.a = 1
	}
	c.mu.Unlock()
	c.done.Add(1)
	c.mu.Lock()
	d.b = 1
	if k == 1 {
		d.a = 1
	}
	c.mu.Unlock()
	c.done.Add(1)
}

// A lock that is a field is overwritten.
func fieldUsedLock() {
	write(exposed(), func(d *data) { d.mu = sync.Mutex{} }, func(d *data) { d.mu.Lock() })
}

// A field that is guarded by a lock is read without it.
func fieldReadUnguarded() {
	write(exposed(), func(d *data) { d.a = 1 }, func(d *data) { d.b = d.a })
}
