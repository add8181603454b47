package iter

import "runtime"

// A coroutine is a goroutine that runs only while somebody waits for it: control
// is handed over and back. The handovers order all that either side does.
type coroutine struct {
	resume, yield chan struct{}
	done          bool // the sequence is over, or stopped
	pulling       bool // next has asked for a value that has not been yielded
	returned      bool // the sequence has returned, it did not exit its goroutine
	panicked      any
}

// goexit is coroutine.panicked when the sequence called runtime.Goexit.
var goexit any = new(int)

// run is the body of the coroutine's goroutine, which counts as one from Pull on, as in
// Go.
func (c *coroutine) run(seq func()) {
	<-c.resume
	defer func() {
		if p := recover(); p != nil {
			c.panicked = p
		} else if !c.returned {
			c.panicked = goexit
		}
		c.done = true
		c.yield <- struct{}{}
	}()
	if !c.done {
		seq()
	}
	c.returned = true
}

// enter hands control to the coroutine until it yields or ends, and passes on
// how it ended.
func (c *coroutine) enter() {
	c.resume <- struct{}{}
	<-c.yield
	switch p := c.panicked; {
	case p == nil:
	case p == goexit:
		runtime.Goexit()
	default:
		panic(p)
	}
}

// yielded hands control back, from within the sequence, and reports whether more
// values are wanted.
func (c *coroutine) yielded() bool {
	c.yield <- struct{}{}
	<-c.resume
	return !c.done
}

// stop ends the sequence.
func (c *coroutine) stop() {
	if !c.done {
		c.done = true
		c.enter()
	}
}

// Pull turns seq into a function that returns the next value, and whether there
// was one, and a function that ends the iteration.
func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	next2, stop := Pull2(func(yield func(V, struct{}) bool) {
		seq(func(v V) bool { return yield(v, struct{}{}) })
	})
	next = func() (V, bool) {
		v, _, ok := next2()
		return v, ok
	}
	return next, stop
}

// Pull2 is Pull for pairs of values.
func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	c := &coroutine{resume: make(chan struct{}), yield: make(chan struct{})}
	var (
		k  K
		v  V
		ok bool
	)
	go c.run(func() {
		seq(func(k1 K, v1 V) bool {
			if c.done {
				return false
			}
			if !c.pulling {
				panic("iter.Pull: yield called again before next")
			}
			c.pulling = false
			k, v, ok = k1, v1, true
			return c.yielded()
		})
		var zeroK K
		var zeroV V
		k, v, ok = zeroK, zeroV, false
	})
	next = func() (k1 K, v1 V, ok1 bool) {
		if c.done {
			return k1, v1, false
		}
		if c.pulling {
			panic("iter.Pull: next called again before yield")
		}
		c.pulling = true
		c.enter()
		return k, v, ok
	}
	return next, c.stop
}
